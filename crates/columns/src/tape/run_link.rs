//! A link of one row and a strip of columns, in vector registers.

use super::columns::{ColumnType, LANES};
use super::link_rule::{LinkEnd, LinkRule};
use super::narrow::{Groups, NarrowVector};
use super::strips::{AnyLinkColumns, ChainStrip, LinkColumns, LinkStrip, strip_of};
use super::wide::WideVector;

/// The bits of the exponent of a number of `f32`, and all bits without the sign.
const EXPONENT: u32 = 0xff << (f32::MANTISSA_DIGITS - 1);
pub(super) const MAGNITUDE: u32 = u32::MAX >> 1;
/// The number of registers of a strip of columns.
pub(super) const QUARTERS: usize = 4;
/// More than the bits of a sum, in the place of an exponent of `f32`.
const FURTHEST: u32 = 100 << (f32::MANTISSA_DIGITS - 1);

impl<const S: usize> LinkStrip<S> for ChainStrip<'_> {
    #[inline(always)]
    fn run<V: Groups>(&self, row: usize, c: &[u32; S], d: &mut [u32; S]) -> bool {
        let mut registers = [V::zeros(); QUARTERS];
        for (quarter, registers) in registers.iter_mut().enumerate() {
            *registers = V::load_integers(c, quarter * V::WIDTH);
        }
        let place = [row, self.number];
        for columns in self.links {
            let is_done = match columns {
                AnyLinkColumns::U8(columns) => any_link::<V, u8, S>(columns, place, &mut registers),
                AnyLinkColumns::U16(columns) => {
                    any_link::<V, u16, S>(columns, place, &mut registers)
                }
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
}

/// One link of a row and a strip, which replaces the registers of `c` by the results, unless it gives up.
#[inline(always)]
fn any_link<V: Groups + NarrowVector<T>, T: ColumnType, const S: usize>(
    columns: &LinkColumns<'_, T>,
    place: [usize; 2],
    c: &mut [V::Integers; QUARTERS],
) -> bool {
    match columns.signs.count() {
        0 => link::<V, T, S, false>(columns, place, c),
        _ => link::<V, T, S, true>(columns, place, c),
    }
}

/// Such a link, with or without ones for signs of products.
#[inline(always)]
fn link<V: Groups + NarrowVector<T>, T: ColumnType, const S: usize, const SIGNS: bool>(
    columns: &LinkColumns<'_, T>,
    [row, strip]: [usize; 2],
    c: &mut [V::Integers; QUARTERS],
) -> bool {
    let rule = columns.rule;
    let mut greatest = <V as NarrowVector<T>>::all(0);
    for (left, right) in columns.exponents.each(row) {
        let right = V::group(strip_of::<T, S>(right, strip));
        let sums = <V as NarrowVector<T>>::added(<V as NarrowVector<T>>::all(left), right);
        greatest = <V as NarrowVector<T>>::maxima(greatest, sums);
    }
    let [least, more] = rule.counted.map(|number| T::of(number.into()));
    let mut tops = <V as NarrowVector<T>>::quarters(V::chosen(greatest, least, more));
    // The exponent is kept as what it is below the greatest one that a link may have.
    let (most, exponent) = (V::integers(rule.most), V::integers(EXPONENT));
    let (mut below, mut furthest) = ([V::zeros(); QUARTERS], V::zeros());
    for quarter in 0..QUARTERS {
        tops[quarter] = V::as_exponents(tops[quarter]);
        let own = V::both(c[quarter], exponent);
        below[quarter] = V::minus(most, V::greater(tops[quarter], own));
        furthest = V::greater(furthest, below[quarter]);
    }
    let mut ones = match SIGNS {
        true => ones_of_signs::<V, T, S>(columns, [row, strip], c),
        false => [V::zeros(); QUARTERS],
    };
    let span = V::integers(rule.span);
    if V::any_above(furthest, span) {
        let sums = <V as NarrowVector<T>>::quarters(greatest);
        for quarter in 0..QUARTERS {
            // Zeros with any exponent are zeros.
            let below = &mut below[quarter];
            let is_any = is_any::<V>(rule, sums[quarter], c[quarter]);
            if V::any_above(V::both(*below, is_any), span) {
                return false;
            }
            *below = V::lesser(*below, span);
            if SIGNS {
                ones[quarter] = V::both(ones[quarter], is_any);
            }
        }
    }
    let mut powers = [V::same(0.0); QUARTERS];
    let power = V::integers(rule.power);
    match &rule.end {
        LinkEnd::Late(late) => {
            let sums = <V as NarrowVector<T>>::quarters(greatest);
            for quarter in 0..QUARTERS {
                if late.may_be_less && is_less::<V>(rule, sums[quarter]) {
                    return false;
                }
                tops[quarter] = V::greater(tops[quarter], V::integers(late.least));
                powers[quarter] = V::of(V::minus(power, tops[quarter]));
            }
        }
        LinkEnd::Nearest | LinkEnd::Cut(_) => {
            for quarter in 0..QUARTERS {
                powers[quarter] = V::of(V::plus(below[quarter], power));
            }
        }
    }
    let mut carried = V::zeros();
    let first = columns.products.first().map_or(&[][..], |group| group);
    let mut sums = sums_of_reals::<V, S>(ones, first, [row, strip], powers);
    for group in columns.products.iter().skip(1) {
        let more = sums_of_reals::<V, S>([V::zeros(); QUARTERS], group, [row, strip], powers);
        for quarter in 0..QUARTERS {
            let sum = V::plus(sums[quarter], more[quarter]);
            carried = V::greater(carried, V::carried(sums[quarter], more[quarter], sum));
            sums[quarter] = sum;
        }
    }
    for quarter in 0..QUARTERS {
        let power = V::of(V::plus(below[quarter], V::integers(rule.own_power)));
        let own = V::of(c[quarter]);
        let rounded = if let LinkEnd::Late(late) = &rule.end {
            // So far right that nothing is left, further changes nothing.
            let top = V::minus(most, below[quarter]);
            let right = V::lesser(V::minus(top, tops[quarter]), V::integers(FURTHEST));
            let shift = V::of(V::minus(V::integers(late.shift), right));
            V::late_sum(late, (sums[quarter], shift), (own, power))
        } else {
            let own = own.times(power).truncated();
            let sum = V::plus(sums[quarter], own);
            // With signs, 32 bits hold the whole sum.
            if !SIGNS {
                carried = V::greater(carried, V::carried(sums[quarter], own, sum));
            }
            match rule.end {
                LinkEnd::Cut(kept) => {
                    V::of(V::both(V::toward_zero(sum).registers(), V::integers(kept)))
                }
                _ => V::nearest(sum),
            }
        };
        let scale = V::of(V::minus(V::integers(rule.scale), below[quarter]));
        c[quarter] = rounded.times(scale).registers();
    }
    !V::any_above(carried, V::integers(MAGNITUDE))
}

/// True if a greatest sum of exponents counts, but is less than that of products may be.
#[inline(always)]
fn is_less<V: WideVector>(rule: &LinkRule, sums: V::Integers) -> bool {
    let none = V::integers(rule.none);
    let counted = V::minus(V::greater(sums, none), none);
    let less = V::integers(rule.counted[0] - rule.none);
    V::any_above(less, V::minus(counted, V::integers(1)))
}

/// The sums of integers and of aligned products.
#[inline(always)]
fn sums_of_reals<V: WideVector, const S: usize>(
    mut sums: [V::Integers; QUARTERS],
    products: &[[&[u32; LANES]; 2]],
    [row, strip]: [usize; 2],
    powers: [V; QUARTERS],
) -> [V::Integers; QUARTERS] {
    for [left, right] in products {
        let x = V::same(f32::from_bits(left[row]));
        let right = strip_of::<u32, S>(right, strip);
        for quarter in 0..QUARTERS {
            let product = x.times(V::load(right, quarter * V::WIDTH));
            let aligned = product.times(powers[quarter]).truncated();
            sums[quarter] = V::plus(sums[quarter], aligned);
        }
    }
    sums
}

/// The sum of ones for signs of products: plus one for each that is not negative where `c` is, and minus one
/// for each that is negative where `c` is not.
#[inline(always)]
fn ones_of_signs<V: Groups, T: ColumnType, const S: usize>(
    columns: &LinkColumns<'_, T>,
    [row, strip]: [usize; 2],
    c: &[V::Integers; QUARTERS],
) -> [V::Integers; QUARTERS] {
    let mut negative = <V as NarrowVector<u8>>::all(0);
    for (left, right) in columns.signs.each(row) {
        let right = <V as NarrowVector<u8>>::group(strip_of::<u8, S>(right, strip));
        let is_negative = V::apart(<V as NarrowVector<u8>>::all(left), right);
        negative = <V as NarrowVector<u8>>::added(negative, is_negative);
    }
    let mut ones = V::signed_quarters(negative);
    let count = V::integers(columns.signs.count() as u32);
    for quarter in 0..QUARTERS {
        let more = V::both(V::signs(c[quarter]), count);
        ones[quarter] = V::plus(ones[quarter], more);
    }
    ones
}

/// All bits where a lane has anything but zeros, and no bits elsewhere.
#[inline(always)]
fn is_any<V: WideVector>(rule: &LinkRule, sums: V::Integers, c: V::Integers) -> V::Integers {
    let none = V::integers(rule.none);
    let counted = V::minus(V::greater(sums, none), none);
    let any = V::greater(V::both(c, V::integers(MAGNITUDE)), counted);
    V::minus(V::zeros(), V::lesser(any, V::integers(1)))
}
