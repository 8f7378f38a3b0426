//! Exact sums of products, rounded once, as operations of `f64`.
//!
//! `f64` holds every product. A sum in `f64` gives the result where a test shows that nothing was rounded, or where all numbers
//! within a bound of its error round to the same result. All other sums are done once more in integers.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::double_vectors::DoubleVector;
use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::long_sum::LongSum;
use super::lower::Tape;
use super::result_format::ResultFormat;
use super::step::{DoubleOperation, TapeStep};
use mmasmt_numbers::bits::HostOperation;
use std::marker::PhantomData;

/// The registers of sums that are in use at a time.
const TOGETHER: usize = 4;

/// The products whose columns are summed at a time.
const CACHED: usize = 64;

/// The products up to which sums are first tested for being exact: sums of few products often lie halfway between two results,
/// which no bound of an error decides. It is also the most lanes that are left to integers without the other test.
const FEW: usize = 8;

/// The sum of products of pairs of numbers of `f64`, and of a number before them if there is one, rounded to a format. With
/// `UNIFORM`, all lanes use the first number of each pair from the first lane.
pub(super) struct ExactDotProduct<T, const UNIFORM: bool>(PhantomData<T>);

impl Tape {
    /// Adds the product of two numbers of `f64`.
    pub fn push_product(&mut self, x: Value, y: Value) -> Value {
        let code = Code::Host(HostOperation::Multiply);
        self.instructions
            .push(Instruction::new(code, Type::U64, &[x, y]));
        self.instructions.len() - 1
    }

    /// Adds an [exact sum](Code::ExactSum): of at most one number of `f32` or `f64`, and of products of numbers of `f64`, whose
    /// factors come in pairs.
    pub fn push_exact_sum(
        &mut self,
        (addend, factors): (&[Value], &[Value]),
        format: ResultFormat,
        to: Type,
    ) -> Value {
        let sum = Instruction::new(Code::ExactSum, to, &[addend, factors].concat());
        let digits = match addend.first() {
            Some(value) if self.instructions[*value].to == Type::U32 => f32::MANTISSA_DIGITS,
            _ => f64::MANTISSA_DIGITS,
        };
        let sum = sum.shifts(addend.len() as u32, digits);
        self.instructions.push(sum.constant(format.constant()));
        self.instructions.len() - 1
    }
}

/// The columns that are summed.
struct SumColumns<'x, const UNIFORM: bool> {
    addend: AddedColumn<'x>,
    pairs: &'x [[u16; 4]],
    columns: &'x ColumnStore,
}

/// A number that is added to products: none, or one of `f32` or `f64`.
#[derive(Clone, Copy)]
enum AddedColumn<'x> {
    None,
    Single(&'x [u32; LANES]),
    Double(&'x [u64; LANES]),
}

impl<'x> AddedColumn<'x> {
    #[inline(always)]
    fn of(columns: &'x ColumnStore, step: &TapeStep) -> AddedColumn<'x> {
        match step.shifts[0] {
            0 => AddedColumn::None,
            _ if step.shifts[1] == f32::MANTISSA_DIGITS => {
                AddedColumn::Single(columns.get(step.args[0]))
            }
            _ => AddedColumn::Double(columns.get(step.args[0])),
        }
    }

    #[inline(always)]
    fn load<V: DoubleVector>(self, start: usize) -> V {
        match self {
            // The sum of no other terms than negative zeros is one.
            AddedColumn::None => V::same(-0.0),
            AddedColumn::Single(column) => V::load_singles(column, start),
            AddedColumn::Double(column) => V::load(column, start),
        }
    }

    fn at(self, lane: usize) -> f64 {
        match self {
            AddedColumn::None => -0.0,
            AddedColumn::Single(column) => f32::from_bits(column[lane]).into(),
            AddedColumn::Double(column) => f64::from_bits(column[lane]),
        }
    }
}

/// The sums of all lanes; a lane is open, which is a number other than zero, while its sum need not give the result.
struct LaneSums {
    sums: [u64; LANES],
    open: [u64; LANES],
}

impl<T: ColumnType, const UNIFORM: bool> DoubleOperation for ExactDotProduct<T, UNIFORM> {
    #[inline(always)]
    fn run<V: DoubleVector>(memory: &mut Memory, step: &TapeStep) {
        let format = ResultFormat::of_constant(step.constants[0]);
        let (to, columns) = memory.open::<T>();
        let terms = SumColumns::<UNIFORM> {
            addend: AddedColumn::of(columns, step),
            pairs: &step.list,
            columns,
        };
        let mut found = LaneSums {
            sums: [0; LANES],
            open: [0; LANES],
        };
        let is_few = terms.pairs.len() <= FEW;
        terms.test::<V>(&mut found, format, is_few);
        if found.open.iter().filter(|open| **open != 0).count() > FEW {
            let before = found.open;
            terms.test::<V>(&mut found, format, !is_few);
            for (open, before) in found.open.iter_mut().zip(before) {
                *open = if before == 0 { 0 } else { *open };
            }
        }
        for lane in 0..LANES {
            if found.open[lane] != 0 {
                found.sums[lane] = terms.settled(lane);
            }
        }
        let rounded = format.round(&found.sums);
        for lane in 0..LANES {
            to[lane] = T::of(rounded[lane].into());
        }
        memory.close::<T>(step.to);
    }
}

impl<const UNIFORM: bool> SumColumns<'_, UNIFORM> {
    /// The sums of all lanes, by one of the two tests. Both find the same sums.
    #[inline(always)]
    fn test<V: DoubleVector>(&self, found: &mut LaneSums, format: ResultFormat, is_exact: bool) {
        for start in (0..LANES).step_by(V::WIDTH) {
            self.addend.load::<V>(start).store(&mut found.sums, start);
        }
        if is_exact {
            self.chains::<V>(found);
        } else {
            self.bounded::<V>(found, format);
        }
    }

    /// The two factors of a product in a strip of lanes.
    #[inline(always)]
    fn factors<V: DoubleVector>(&self, [x, y, ..]: [u16; 4], start: usize) -> [[V; TOGETHER]; 2] {
        let [x, y] = [x, y].map(|number| self.columns.get::<u64>(number));
        let mut left = [V::same(f64::from_bits(x[0])); TOGETHER];
        if !UNIFORM {
            left = loaded(x, start);
        }
        [left, loaded(y, start)]
    }

    /// The sums of all lanes; a lane stays open if one of its additions was rounded.
    #[inline(always)]
    fn chains<V: DoubleVector>(&self, found: &mut LaneSums) {
        found.open = [0; LANES];
        for (start, pairs) in strips::<V>(self.pairs) {
            let mut sums = loaded::<V>(&found.sums, start);
            let mut lost = loaded::<V>(&found.open, start);
            for pair in pairs {
                let [x, y] = self.factors::<V>(*pair, start);
                for part in 0..TOGETHER {
                    // The sum is exact if and only if each term is what the other one leaves of it.
                    let (old, new) = (sums[part], sums[part].plus_product(x[part], y[part]));
                    let term = new.minus(old);
                    let rest = term.rest_of_product(x[part], y[part]);
                    lost[part] = lost[part].or(rest).or(new.minus(term).xor(old));
                    sums[part] = new;
                }
            }
            for one in &mut lost {
                *one = one.magnitude();
            }
            store(sums, &mut found.sums, start);
            store(lost, &mut found.open, start);
        }
    }

    /// The sums of all lanes; a lane stays open if numbers within the bound of its error do not round to one result.
    #[inline(always)]
    fn bounded<V: DoubleVector>(&self, found: &mut LaneSums, format: ResultFormat) {
        found.open = found.sums.map(|sum| sum & (u64::MAX >> 1));
        for (start, pairs) in strips::<V>(self.pairs) {
            let mut sums = loaded::<V>(&found.sums, start);
            let mut magnitudes = loaded::<V>(&found.open, start);
            for pair in pairs {
                let [x, y] = self.factors::<V>(*pair, start);
                for part in 0..TOGETHER {
                    sums[part] = sums[part].plus_product(x[part], y[part]);
                    let [x, y] = [x[part].magnitude(), y[part].magnitude()];
                    magnitudes[part] = magnitudes[part].plus_product(x, y);
                }
            }
            store(sums, &mut found.sums, start);
            store(magnitudes, &mut found.open, start);
        }
        // Each of the additions is off by at most 2^-53 of the magnitudes so far; twice that leaves room for the bound itself.
        let share = (self.pairs.len() + 2) as f64 * f64::EPSILON;
        let (mut least, mut most) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let [sum, magnitude] = [found.sums[lane], found.open[lane]].map(f64::from_bits);
            least[lane] = (sum - magnitude * share).to_bits();
            most[lane] = (sum + magnitude * share).to_bits();
        }
        let [least, most] = [format.round(&least), format.round(&most)];
        for lane in 0..LANES {
            found.open[lane] = (least[lane] ^ most[lane]).into();
        }
    }

    /// The register in `f64` of a number that rounds to the result.
    #[inline(never)]
    fn settled(&self, lane: usize) -> u64 {
        let products = self.pairs.iter().map(|[x, y, ..]| {
            let x = self.columns.get::<u64>(*x)[if UNIFORM { 0 } else { lane }];
            f64::from_bits(x) * f64::from_bits(self.columns.get::<u64>(*y)[lane])
        });
        let terms = std::iter::once(self.addend.at(lane)).chain(products);
        // It has infinities, NaNs, and the sign of a sum of zeros; a sum of finite terms is finite.
        let plain: f64 = terms.clone().fold(-0.0, |sum, term| sum + term);
        if !plain.is_finite() || terms.clone().all(|term| term == 0.0) {
            return plain.to_bits();
        }
        let mut sum = LongSum::zero();
        terms.for_each(|term| sum.add(term));
        sum.rounded_to_odd()
    }
}

/// Each strip of lanes, by its first one, with some products: as many as the nearest caches hold of their columns.
#[inline(always)]
fn strips<V: DoubleVector>(pairs: &[[u16; 4]]) -> impl Iterator<Item = (usize, &[[u16; 4]])> {
    let starts = (0..LANES).step_by(TOGETHER * V::WIDTH);
    let chunks = pairs.chunks(CACHED);
    chunks.flat_map(move |pairs| starts.clone().map(move |start| (start, pairs)))
}

#[inline(always)]
fn loaded<V: DoubleVector>(column: &[u64; LANES], start: usize) -> [V; TOGETHER] {
    let mut all = [V::same(0.0); TOGETHER];
    for (part, one) in all.iter_mut().enumerate() {
        *one = V::load(column, start + part * V::WIDTH);
    }
    all
}

#[inline(always)]
fn store<V: DoubleVector>(all: [V; TOGETHER], column: &mut [u64; LANES], start: usize) {
    for (part, one) in all.into_iter().enumerate() {
        one.store(column, start + part * V::WIDTH);
    }
}
