//! Inputs at the ends of a domain: great terms that cancel, with small terms beside them.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The finite numbers that one operand may be.
#[derive(Clone, Debug)]
pub struct OperandRange {
    /// For each sign that the operand may have: whether the sign is negative, and the range of the
    /// codes. Both ends of the range are numbers that the operand may be.
    pub codes: Vec<(bool, RangeInclusive<u64>)>,
    /// The number of lowest bits that are 0 in every code.
    pub cleared_bits: u32,
    /// If all numbers are multiples of a power of two that is greater than the codes alone show,
    /// the exponent of that power.
    pub unit: Option<i64>,
    /// If no number except zero is less in magnitude than a power of two that is greater than the
    /// codes alone show, the exponent of that power.
    pub least: Option<i64>,
}

/// A value of a factor or of `c`, by its place in the range of the operand.
#[derive(Clone, Copy)]
pub(super) enum End {
    Zero,
    MinusZero,
    Great,
    MinusGreat,
    Least,
    MinusLeast,
    /// The least number, but with its lowest bit that may be 1 set to 1.
    Odd,
    MinusOdd,
    /// The least number, but with the second lowest bit that may be 1 set to 1.
    Two,
    /// The least number, but with the two lowest bits that may be 1 set to 1.
    Three,
}
use End::{Great, Least, MinusGreat, MinusLeast, MinusOdd, MinusZero, Odd, Three, Two, Zero};

const ENDS: [End; 10] = [
    Zero, MinusZero, Great, MinusGreat, Least, MinusLeast, Odd, MinusOdd, Two, Three,
];

/// Lists of products. A list gives the ends of `a` and `b` for the first products; its last product
/// is repeated in all further places.
const PRODUCTS: [&[[End; 2]]; 12] = [
    &[
        [Great, Great],
        [MinusGreat, Great],
        [Least, Least],
        [Zero; 2],
    ],
    &[[Great, Great], [MinusLeast, Least], [Zero; 2]],
    &[[Great, Great], [Least, Least], [Zero; 2]],
    &[[Great, Great], [MinusLeast, Least]],
    &[[Great, Great]],
    &[[MinusGreat, Great]],
    &[[Least, Least], [Zero; 2]],
    &[[Great, Least], [MinusLeast, Least], [Zero; 2]],
    // Zeros of both signs: exact zeros, and products that may underflow to zero.
    &[[MinusZero, Least]],
    &[[MinusLeast, Least]],
    &[[MinusLeast, Least], [MinusZero, Least]],
    &[[MinusLeast, Least], [Zero; 2]],
];
pub(super) const ADDENDS: [End; 7] = [Zero, MinusZero, Great, MinusGreat, Least, MinusLeast, Odd];

/// Products that are added to a `c` just below a power of two. From that power of two on, the last
/// place of a result is twice as large.
const BEFORE_CARRIES: [&[[End; 2]]; 3] = [
    &[[Least, Least]],
    &[[MinusLeast, Least]],
    &[[Least, Least], [Zero; 2]],
];

/// If there are at most this many powers of two in a range, each of them is tried.
const MOST_POWERS: u64 = 64;

/// The registers of the ends of an operand's range, in the order of `ENDS`; `None` if the operand
/// admits no number.
type EndRegisters = Option<[u64; ENDS.len()]>;

/// The ends of the numbers that operands may be.
#[derive(Clone)]
pub(super) struct Ends {
    signature: Signature,
    /// The registers of all `a`, then of all `b`, then of `c`.
    registers: Arc<[EndRegisters]>,
    /// The values of `c` just below powers of two.
    below_powers: Vec<u64>,
}

impl Ends {
    /// The ends of the ranges of all operands, in the order of [`Registers::each`].
    ///
    /// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
    pub(super) fn new(signature: Signature, range: impl Fn(usize) -> OperandRange) -> Ends {
        let Signature { a, b, c, .. } = &signature;
        let count = signature.products as usize;
        let of_operand = |operand: usize| {
            let format = [a, b, c][operand / count.max(1)];
            let numbers = range(operand);
            let mut registers = [0; ENDS.len()];
            for (register, end) in registers.iter_mut().zip(ENDS) {
                *register = register_at(format, &numbers, end)?;
            }
            Some(registers)
        };
        Ends {
            signature,
            registers: (0..=2 * count).map(of_operand).collect(),
            below_powers: below_powers(&range(2 * count), *c).collect(),
        }
    }

    /// Sets each of the two factors of product `k` to an end of its range.
    pub(super) fn set_product(
        &self,
        inputs: &mut Inputs,
        k: usize,
        [a, b]: [End; 2],
    ) -> Option<()> {
        inputs.a[k] = self.registers[k]?[a as usize];
        inputs.b[k] = self.registers[inputs.b.len() + k]?[b as usize];
        Some(())
    }

    /// The register of `c` for the end `end` of its range.
    pub(super) fn addend(&self, end: End) -> Option<u64> {
        Some(self.registers.last().copied()??[end as usize])
    }

    /// Inputs that combine ends of the ranges, always in the same order.
    pub(super) fn inputs(self) -> impl Iterator<Item = Inputs> {
        let signature = self.signature;
        let count = signature.products as usize;
        let named = PRODUCTS.iter().map(|products| products.to_vec());
        let addends = ADDENDS.map(|end| self.addend(end)).into_iter().flatten();
        let all = named.chain(parts(count)).flat_map(move |products| {
            let addends = addends.clone();
            addends.map(move |c| (products.clone(), c))
        });
        let below = self.below_powers.clone().into_iter();
        let before_carries =
            below.flat_map(|c| BEFORE_CARRIES.map(|products| (products.to_vec(), c)));
        let all = all.chain(before_carries);
        all.filter_map(move |(products, c): (Vec<[End; 2]>, u64)| {
            let mut inputs = Inputs::zero(&signature);
            for k in 0..count {
                let product = products.get(k).or(products.last())?;
                self.set_product(&mut inputs, k, *product)?;
            }
            inputs.c = c;
            Some(inputs)
        })
    }
}

/// Lists of products, made for each number of products that a unit may sum before it rounds. A list
/// begins with that many products: all of them are maximal, except the last, which has a low bit.
/// After them come zeros, products that cancel all but the low bit, more products with a low bit,
/// or more maximal products. One of the maximal products may be zero, so that both odd and even
/// numbers of maximal products are summed. Two products may have a low bit: both before the unit
/// rounds, or one before and one after. A unit that sums both before it rounds keeps bits that
/// another unit loses.
fn parts(count: usize) -> impl Iterator<Item = Vec<[End; 2]>> {
    let steps = (0..usize::BITS).map(|power| 1usize << power);
    let steps = steps.take_while(move |step| *step <= count);
    let steps = steps.flat_map(move |step| [step, count - step]);
    steps.filter(|step| *step > 0).flat_map(|step| {
        let lows = [(Odd, 0), (Odd, 1), (MinusOdd, 0), (MinusOdd, 1), (Three, 0)];
        lows.into_iter().flat_map(move |(low, zeros)| {
            let mut great = vec![[Great; 2]; step - 1];
            great
                .iter_mut()
                .take(zeros)
                .for_each(|first| *first = [Zero; 2]);
            let low = [low, Odd];
            let first = [&great[..], &[low]].concat();
            let cancelling = vec![[MinusGreat, Great]; step - 1];
            let all_but_one = great.get(1..).unwrap_or_default();
            [
                [&first, &cancelling[..], &[[Zero; 2]]].concat(),
                [&first, &[[Zero; 2]][..]].concat(),
                [&first, &[low][..]].concat(),
                [&first, &[[Great; 2]][..]].concat(),
                [&first, &[low, [Zero; 2]][..]].concat(),
                [all_but_one, &[low, low, [Zero; 2]]].concat(),
            ]
        })
    })
}

/// For each power of two, the greatest number of the range below it. There are no numbers if there
/// are too many powers of two to try each.
fn below_powers(range: &OperandRange, format: Format) -> impl Iterator<Item = u64> {
    let (unit, step) = (range.unit, 1u64 << range.cleared_bits);
    let ranges = range.codes.iter();
    let positive = ranges.filter(move |(negative, _)| !negative && !format.is_integer());
    positive.flat_map(move |(_, range)| {
        let field = |code: u64| code >> format.fraction_bits;
        let least = unit.map_or(0, |unit| format.field_of(unit).max(0) as u64);
        let fields = field(*range.start()).max(least)..=field(*range.end());
        let are_few = fields.end().saturating_sub(*fields.start()) < MOST_POWERS;
        let below = move |field: u64| {
            let power = format.code(field, 0);
            match unit {
                Some(unit) => {
                    let power = Dyadic::of(&format, format.signed(false, power))?;
                    let below = power.minus(&Dyadic::new(1.into(), unit));
                    below.register(&format)
                }
                None => Some(format.signed(false, power.checked_sub(step)?)),
            }
        };
        let codes = fields.filter(move |_| are_few).filter_map(below);
        codes.filter(move |code| range.contains(&format.magnitude(*code)))
    })
}

/// The register of the number at the end `end` of `range`. If the range has no number with the sign
/// of `end`, the number has the other sign; if it has no zero, the least number takes its place.
/// `None` if the range is empty, or the format lacks the number.
fn register_at(format: &Format, range: &OperandRange, end: End) -> Option<u64> {
    let wanted = matches!(end, MinusZero | MinusGreat | MinusLeast | MinusOdd);
    let mut codes = range.codes.iter();
    let of_sign = codes.find(|(negative, _)| *negative == wanted);
    let (negative, codes) = of_sign.or(range.codes.first())?;
    let held = |number: i64, exponent| Dyadic::new(number.into(), exponent).register(format);
    let least = match range.least.max(range.unit) {
        Some(least) => held(1, least)?,
        None if *codes.start() == 0 && format.has_zero() => 1 << range.cleared_bits,
        None => *codes.start(),
    };
    let with_low_bits = |bits: i64| match range.unit {
        Some(unit) => held(bits, unit).unwrap_or(least),
        None => least | (bits as u64) << range.cleared_bits,
    };
    let code = match end {
        Zero | MinusZero => *codes.start(),
        Great | MinusGreat => *codes.end(),
        Least | MinusLeast => least,
        Odd | MinusOdd => with_low_bits(1),
        Two => with_low_bits(2),
        Three => with_low_bits(3),
    };
    Some(format.signed(*negative, code.clamp(*codes.start(), *codes.end())))
}
