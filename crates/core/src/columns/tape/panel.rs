//! Links of rows by columns, in vector registers: columns are their only memory.

use super::columns::{LANES, Stored};
use super::element::Type;
use super::features::{Features, VectorWork};
use super::link::{Link, Rule};
use super::narrow::{Groups, Narrow};
use super::program::{Place, Program};
use super::wide::Wide;
use std::ops::Range;

/// The bits of the exponent of a number of `f32`, and all bits without the sign.
const EXPONENT: u32 = 0xff << (f32::MANTISSA_DIGITS - 1);
const MAGNITUDE: u32 = u32::MAX >> 1;
/// The number of registers of a strip of columns.
const QUARTERS: usize = 4;
/// Links, and the programs that have prepared what they read: the lanes of the left one are rows,
/// those of the right one columns.
pub struct Panel<'x> {
    /// The links, each of which takes the results of the one before in place of `c`.
    pub links: &'x [Link],
    /// The programs of the two sides.
    pub programs: [&'x Program; 2],
    /// The places of all values of the two sides, in the order in which links number them.
    pub places: &'x [Place],
}

/// The elements of some rows.
pub struct Elements<'x> {
    /// The rows.
    pub rows: Range<usize>,
    /// The number of columns.
    pub width: usize,
    /// The registers of `c`, row by row.
    pub c: &'x [u32],
    /// The results, row by row.
    pub d: &'x mut [u32],
    /// For each row, whether a link gave up, so that the results of the row have no meaning.
    pub open: &'x mut [bool],
}

impl Panel<'_> {
    /// Whether links can run with these features.
    pub fn can_run(features: Features) -> bool {
        features.has_strips()
    }

    /// Computes the elements with these features, which can run links.
    pub fn run(&self, features: Features, elements: Elements<'_>) {
        let panel = self;
        features.with_strips(Run { panel, elements });
    }

    fn column<T: Stored>(&self, side: usize, number: usize) -> &[T; LANES] {
        self.programs[side].column(self.places[number])
    }
}

struct Run<'x> {
    panel: &'x Panel<'x>,
    elements: Elements<'x>,
}

/// What a link reads of rows and columns.
struct Prepared<'x, T> {
    rule: &'x Rule,
    /// The exponents of rows, each repeated in 32 bits, and those of columns.
    exponents: Vec<([u32; LANES], &'x [T; LANES])>,
    /// The factors of rows and of columns, in groups.
    products: Vec<Vec<[&'x [u32; LANES]; 2]>>,
}

impl<'x, T: Stored> Prepared<'x, T> {
    #[inline(always)]
    fn new(panel: &'x Panel<'x>, link: &'x Link) -> Self {
        let mut exponents = Vec::with_capacity(link.exponents.len());
        for [left, right] in &link.exponents {
            let (left, mut repeated) = (panel.column::<T>(0, *left), [0; LANES]);
            for lane in 0..LANES {
                repeated[lane] = repeated_in_32::<T>(left[lane]);
            }
            exponents.push((repeated, panel.column::<T>(1, *right)));
        }
        let columns = |pair: &[usize; 2]| [panel.column(0, pair[0]), panel.column(1, pair[1])];
        let products = link.products.iter();
        let products = products.map(|group| group.iter().map(columns).collect());
        Prepared {
            rule: &link.rule,
            exponents,
            products: products.collect(),
        }
    }

    fn strip<const S: usize>(&'x self, start: usize) -> Strip<'x, T, S> {
        fn part<T, const S: usize>(column: &[T; LANES], start: usize) -> &[T; S] {
            &column.as_chunks().0[start / S]
        }
        let exponents = self.exponents.iter();
        let factors = |[left, right]: &[&'x [u32; LANES]; 2]| (*left, part(right, start));
        let products = self.products.iter();
        let products = products.map(|group| group.iter().map(factors).collect());
        Strip {
            rule: self.rule,
            exponents: exponents
                .map(|(left, right)| (left, part(right, start)))
                .collect(),
            products: products.collect(),
        }
    }
}

/// The number as often as it fits 32 bits.
#[inline(always)]
fn repeated_in_32<T: Stored>(number: T) -> u32 {
    let number = number.number() as u32;
    let pair = if T::TYPE == Type::U8 {
        number | number << 8
    } else {
        number
    };
    pair | pair << 16
}

/// What a link reads of rows and of `S` columns.
struct Strip<'x, T, const S: usize> {
    rule: &'x Rule,
    exponents: Vec<(&'x [u32; LANES], &'x [T; S])>,
    products: Vec<Vec<(&'x [u32; LANES], &'x [u32; S])>>,
}

/// The same for exponents of one of the types.
enum AnyPrepared<'x> {
    U8(Prepared<'x, u8>),
    U16(Prepared<'x, u16>),
}

enum AnyStrip<'x, const S: usize> {
    U8(Strip<'x, u8, S>),
    U16(Strip<'x, u16, S>),
}

impl VectorWork for Run<'_> {
    #[inline(always)]
    fn done<V: Groups, const S: usize>(self) {
        let Run { panel, elements } = self;
        let Elements {
            rows,
            width,
            c,
            d,
            open,
        } = elements;
        let mut links = Vec::with_capacity(panel.links.len());
        for link in panel.links {
            links.push(match link.of {
                Type::U16 => AnyPrepared::U16(Prepared::new(panel, link)),
                _ => AnyPrepared::U8(Prepared::new(panel, link)),
            });
        }
        for start in (0..width).step_by(S) {
            let strips = links.iter().map(|link| match link {
                AnyPrepared::U8(link) => AnyStrip::U8(link.strip(start)),
                AnyPrepared::U16(link) => AnyStrip::U16(link.strip(start)),
            });
            let strips: Vec<AnyStrip<'_, S>> = strips.collect();
            let count = S.min(width - start);
            for (index, row) in rows.clone().enumerate() {
                if open[index] {
                    continue;
                }
                let at = index * width + start;
                let (c, d) = (&c[at..at + count], &mut d[at..at + count]);
                let is_done = match (c.as_array::<S>(), d.as_mut_array::<S>()) {
                    (Some(c), Some(d)) => chain::<V, S>(&strips, row, c, d),
                    _ => {
                        let (mut all, mut results) = ([0; S], [0; S]);
                        all[..count].copy_from_slice(c);
                        let is_done = chain::<V, S>(&strips, row, &all, &mut results);
                        d.copy_from_slice(&results[..count]);
                        is_done
                    }
                };
                open[index] = !is_done;
            }
        }
    }
}

/// All links of a row and a strip; whether none gave up.
#[inline(always)]
fn chain<V: Groups, const S: usize>(
    strips: &[AnyStrip<'_, S>],
    row: usize,
    c: &[u32; S],
    d: &mut [u32; S],
) -> bool {
    let mut registers = [V::zeros(); QUARTERS];
    for (quarter, registers) in registers.iter_mut().enumerate() {
        *registers = V::load_integers(c, quarter * V::WIDTH);
    }
    for strip in strips {
        let is_done = match strip {
            AnyStrip::U8(strip) => link::<V, u8, S>(strip, row, &mut registers),
            AnyStrip::U16(strip) => link::<V, u16, S>(strip, row, &mut registers),
        };
        if !is_done {
            return false;
        }
    }
    for (quarter, registers) in registers.iter().enumerate() {
        V::store(*registers, d, quarter * V::WIDTH);
    }
    true
}

/// One link, which replaces the registers of `c` by the results, unless it gives up.
#[inline(always)]
fn link<V: Narrow<T>, T: Stored, const S: usize>(
    strip: &Strip<'_, T, S>,
    row: usize,
    c: &mut [V::Integers; QUARTERS],
) -> bool {
    let rule = strip.rule;
    let mut greatest = <V as Narrow<T>>::all(0);
    for (left, right) in &strip.exponents {
        let sums = <V as Narrow<T>>::added(<V as Narrow<T>>::all(left[row]), V::group(*right));
        greatest = <V as Narrow<T>>::maxima(greatest, sums);
    }
    let [least, more] = rule.counted.map(|number| T::of(number.into()));
    let tops = <V as Narrow<T>>::quarters(V::chosen(greatest, least, more));
    // The exponent is kept as what it is below the greatest one that a link may have.
    let (most, exponent) = (V::integers(rule.most), V::integers(EXPONENT));
    let (mut below, mut furthest) = ([V::zeros(); QUARTERS], V::zeros());
    for quarter in 0..QUARTERS {
        let own = V::both(c[quarter], exponent);
        below[quarter] = V::minus(most, V::greater(V::as_exponents(tops[quarter]), own));
        furthest = V::greater(furthest, below[quarter]);
    }
    let span = V::integers(rule.span);
    if V::any_above(furthest, span) {
        let sums = <V as Narrow<T>>::quarters(greatest);
        for quarter in 0..QUARTERS {
            let below = &mut below[quarter];
            if is_far::<V>(rule, sums[quarter], c[quarter], *below) {
                return false;
            }
            *below = V::lesser(*below, span);
        }
    }
    let mut powers = [V::same(0.0); QUARTERS];
    for quarter in 0..QUARTERS {
        powers[quarter] = V::of(V::plus(below[quarter], V::integers(rule.power)));
    }
    let (mut sums, mut carried) = ([V::zeros(); QUARTERS], V::zeros());
    if let Some(group) = strip.products.first() {
        sums = sums_of_reals(group, row, powers);
    }
    for group in strip.products.iter().skip(1) {
        let more = sums_of_reals(group, row, powers);
        for quarter in 0..QUARTERS {
            let sum = V::plus(sums[quarter], more[quarter]);
            carried = V::greater(carried, V::carried(sums[quarter], more[quarter], sum));
            sums[quarter] = sum;
        }
    }
    for quarter in 0..QUARTERS {
        let power = V::of(V::plus(below[quarter], V::integers(rule.own_power)));
        let own = V::of(c[quarter]).times(power).truncated();
        let sum = V::plus(sums[quarter], own);
        carried = V::greater(carried, V::carried(sums[quarter], own, sum));
        let rounded = if rule.is_nearest {
            V::nearest(sum)
        } else {
            let cut = V::toward_zero(sum).registers();
            V::of(V::both(cut, V::integers(rule.kept)))
        };
        let scale = V::of(V::minus(V::integers(rule.scale), below[quarter]));
        c[quarter] = rounded.times(scale).registers();
    }
    !V::any_above(carried, V::integers(MAGNITUDE))
}

/// The sums of aligned products.
#[inline(always)]
fn sums_of_reals<V: Wide, const S: usize>(
    products: &[(&[u32; LANES], &[u32; S])],
    row: usize,
    powers: [V; QUARTERS],
) -> [V::Integers; QUARTERS] {
    let mut sums = [V::zeros(); QUARTERS];
    for (left, right) in products {
        let x = V::same(f32::from_bits(left[row]));
        for quarter in 0..QUARTERS {
            let product = x.times(V::load(*right, quarter * V::WIDTH));
            let aligned = product.times(powers[quarter]).truncated();
            sums[quarter] = V::plus(sums[quarter], aligned);
        }
    }
    sums
}

/// Whether an exponent is outside the range of a link, and the lane has anything but zeros: those are
/// zeros with any exponent.
#[inline(always)]
fn is_far<V: Wide>(rule: &Rule, sums: V::Integers, c: V::Integers, below: V::Integers) -> bool {
    let none = V::integers(rule.none);
    let counted = V::minus(V::greater(sums, none), none);
    let any = V::greater(V::both(c, V::integers(MAGNITUDE)), counted);
    let is_any = V::minus(V::zeros(), V::lesser(any, V::integers(1)));
    V::any_above(V::both(below, is_any), V::integers(rule.span))
}
