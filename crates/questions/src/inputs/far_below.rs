//! Inputs with one large term, and with other terms so far below it that alignment just cuts them
//! off.

use super::ends::OperandRange;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use std::ops::RangeInclusive;

/// The most binades by which the other terms are below the large term.
const FARTHEST: i32 = 50;
/// If neither format has more fraction bits than this, all fractions are searched for the product
/// nearest below a power of two; otherwise fractions of all ones are taken.
const SEARCHED_BITS: u32 = 4;

/// Inputs with a large `c`, or with large products at regular distances. All other terms are far
/// below the large terms, have either sign, and are powers of two or just below powers of two.
/// `range` gives the numbers of each operand, in the order of [`Registers::each`].
///
/// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
pub fn far_below<R: Fn(usize) -> OperandRange>(
    signature: Signature,
    range: R,
) -> impl Iterator<Item = Inputs> + use<R> {
    let exponents = Exponents::of(&signature, range);
    let count = signature.products as usize;
    let powers = (1..usize::BITS).map(|power| 1 << power);
    let mut periods: Vec<_> = powers
        .take_while(|period| *period < count)
        .map(Some)
        .collect();
    periods.extend([Some(count), None]);
    let all = periods.into_iter().flat_map(|period| {
        (1..=FARTHEST).flat_map(move |far| {
            [false, true].into_iter().flat_map(move |negative| {
                [SmallTerms::BelowPower, SmallTerms::Power].map(|small| MagnitudeGap {
                    period,
                    far,
                    negative,
                    small,
                })
            })
        })
    });
    // The inputs are made one after another: all inputs of a large model need too much memory.
    all.filter_map(move |start| start.inputs(&signature, exponents.as_ref()?))
}

/// The magnitude of the small terms.
#[derive(Clone, Copy, PartialEq)]
enum SmallTerms {
    BelowPower,
    Power,
}

struct MagnitudeGap {
    /// The distance from one large product to the next, counted from product 0, which is large;
    /// `None` if `c` is the large term.
    period: Option<usize>,
    far: i32,
    negative: bool,
    small: SmallTerms,
}

/// For `a`, `b` and `c`, the exponents that their normal numbers may have.
struct Exponents {
    a: RangeInclusive<i32>,
    b: RangeInclusive<i32>,
    c: RangeInclusive<i32>,
}

impl Exponents {
    fn of(signature: &Signature, range: impl Fn(usize) -> OperandRange) -> Option<Exponents> {
        let count = signature.products as usize;
        let of = |operand: usize, format: &Format| {
            let codes = range(operand).codes;
            let (_, range) = codes.iter().find(|(negative, _)| !negative)?;
            let exponent =
                |code: u64| format.field(format.register_of(code)) as i32 - format.bias();
            let least = exponent(*range.start()).max(format.min_exponent());
            Some(least..=exponent(*range.end()).max(least))
        };
        Some(Exponents {
            a: of(0, &signature.a)?,
            b: of(count, &signature.b)?,
            c: of(2 * count, &signature.c)?,
        })
    }
}

impl MagnitudeGap {
    fn inputs(&self, signature: &Signature, exponents: &Exponents) -> Option<Inputs> {
        let Signature { a, b, c, d, .. } = signature;
        let mut inputs = Inputs::zero(signature);
        // The large terms are so low that the sum of all terms does not overflow.
        let room = (signature.products + 1)
            .next_power_of_two()
            .trailing_zeros() as i32
            + 3;
        let highest = d.max_exponent() - room;
        let product_top = exponents.a.end() + exponents.b.end() - 1;
        let large = match self.period {
            Some(_) => product_top.min(highest),
            None => (*exponents.c.end()).min(product_top + 20).min(highest),
        };
        let below = large - self.far;
        let [fa, fb] = match self.small {
            SmallTerms::BelowPower => fractions_below_power(a, b),
            SmallTerms::Power => [0, 0],
        };
        let (ea, eb) = halves(below, exponents)?;
        inputs.a.fill(a.register(ea, fa, self.negative));
        inputs.b.fill(b.register(eb, fb, false));
        match self.period {
            Some(period) => {
                let (ea, eb) = halves(large, exponents)?;
                for k in (0..inputs.a.len()).step_by(period) {
                    inputs.a[k] = a.register(ea, 0, false);
                    inputs.b[k] = b.register(eb, 0, false);
                }
                // `c` is just below a power of two, and as far below the large products as the
                // small products are.
                if exponents.c.contains(&below) {
                    let ones = (1 << c.fraction_bits) - 1;
                    inputs.c = c.register(below, ones, self.negative);
                }
            }
            None => inputs.c = c.register(large, 0, false),
        }
        Some(inputs)
    }
}

/// Exponents of two factors whose sum is `exponent`; `None` if the operands cannot have such
/// exponents.
fn halves(exponent: i32, exponents: &Exponents) -> Option<(i32, i32)> {
    let (low, high) = exponents.a.clone().into_inner();
    let ea = (exponent / 2).clamp(low, high);
    let eb = exponent - ea;
    let (low, high) = exponents.b.clone().into_inner();
    let eb_near = eb.clamp(low, high);
    let ea = exponent - eb_near;
    exponents.a.contains(&ea).then_some((ea, eb_near))
}

/// Fractions of two factors whose product is near below a power of two: as near as possible if the
/// formats have few fraction bits.
fn fractions_below_power(a: &Format, b: &Format) -> [u64; 2] {
    let (pa, pb) = (a.fraction_bits, b.fraction_bits);
    let ones = [(1 << pa) - 1, (1 << pb) - 1];
    if pa.max(pb) > SEARCHED_BITS {
        return ones;
    }
    let all = (0..1u64 << pa).flat_map(|x| (0..1u64 << pb).map(move |y| [x, y]));
    // The distance up to the next power of two, relative to that power.
    let missing = |[x, y]: &[u64; 2]| {
        let product = ((1 << pa) + x) * ((1 << pb) + y);
        let next = (product + 1).next_power_of_two();
        ((next - product) << (2 * SEARCHED_BITS + 4)) / next
    };
    all.min_by_key(missing).unwrap_or(ones)
}
