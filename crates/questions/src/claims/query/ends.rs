//! Inputs at the ends of a domain: great terms that cancel, and small ones beside them.

use super::question::Question;
use crate::claims::property::{Domain, Numbers};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::numbers::float::{Dyadic, Format};

/// What a factor or `c` is to be.
#[derive(Clone, Copy)]
pub(super) enum End {
    Zero,
    MinusZero,
    Great,
    MinusGreat,
    Least,
    MinusLeast,
    /// The least with the lowest bit that there may be.
    Odd,
    MinusOdd,
    /// The least with the bit above the lowest.
    Two,
    /// The least with its two lowest bits set.
    Three,
}
use End::{Great, Least, MinusGreat, MinusLeast, MinusOdd, MinusZero, Odd, Three, Two, Zero};

const ENDS: [End; 10] = [
    Zero, MinusZero, Great, MinusGreat, Least, MinusLeast, Odd, MinusOdd, Two, Three,
];

/// The first products, each by its `a` and `b`; the others are zero, or the last of these again where none
/// is named so.
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
    // Zeros of both signs: exact ones, and products that may underflow.
    &[[MinusZero, Least]],
    &[[MinusLeast, Least]],
    &[[MinusLeast, Least], [MinusZero, Least]],
    &[[MinusLeast, Least], [Zero; 2]],
];
pub(super) const ADDENDS: [End; 7] = [Zero, MinusZero, Great, MinusGreat, Least, MinusLeast, Odd];

/// Products beside a `c` that is just below a power of two: from that power on, the last place of a result is twice as much.
const BEFORE_CARRIES: [&[[End; 2]]; 3] = [
    &[[Least, Least]],
    &[[MinusLeast, Least]],
    &[[Least, Least], [Zero; 2]],
];

/// The most powers of two that are tried, each by itself.
const MOST_POWERS: u64 = 64;

/// Some inputs of the question's domain, the same each time.
pub(super) fn ends(question: &Question) -> impl Iterator<Item = Inputs> {
    let (signature, domain) = (question.signature(), question.domain());
    let count = signature.products as usize;
    let registers = registers(question);
    let named = PRODUCTS.iter().map(|products| products.to_vec());
    let all = named.chain(parts(count));
    let addends = registers[2 * count].map(|c| ADDENDS.map(|end| c[end as usize]));
    let all = all.flat_map(move |products| {
        let addends = addends.into_iter().flatten();
        addends.map(move |c| (products.clone(), c))
    });
    let below = below_powers(domain, 2 * count, signature.c);
    let before_carries = below.flat_map(|c| BEFORE_CARRIES.map(|products| (products.to_vec(), c)));
    let all = all.chain(before_carries);
    let inputs = move |(products, c): (Vec<[End; 2]>, u64)| {
        let mut inputs = Inputs::zero(&signature);
        for k in 0..count {
            let [a, b] = *products.get(k).or(products.last())?;
            inputs.a[k] = registers[k]?[a as usize];
            inputs.b[k] = registers[count + k]?[b as usize];
        }
        inputs.c = c;
        Some(domain.fixed_bits(&inputs))
    };
    all.filter_map(inputs)
        .filter(move |inputs| domain.contains(inputs))
}

/// A sum of products that is as great as can be and has a low bit, after each number of products that a unit may sum before it rounds; then
/// nothing, what cancels it but for that bit, more low bits, or more that is great. Great products
/// may have that bit as well: one of them is zero or not, so that the bits of an odd and of an even number are summed. Two products
/// have a low bit, both before the unit rounds, or one before and one after: who sums both before rounding keeps what another loses.
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

/// The greatest number of the operand below each power of two of its domain; none where these are too many to try each.
fn below_powers(domain: &Domain, operand: usize, format: Format) -> impl Iterator<Item = u64> {
    let numbers = domain.numbers(operand, &format);
    let (unit, step) = (numbers.unit(), 1u64 << numbers.cleared_bits());
    let ranges = numbers.finite_codes().into_iter();
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

/// The registers of an operand by their ends.
pub(super) type OfEnds = [u64; ENDS.len()];

/// Of each operand, none where the domain admits no number: all `a`, all `b`, and `c`.
pub(super) fn registers(question: &Question) -> Vec<Option<OfEnds>> {
    let signature = question.signature();
    let count = signature.products as usize;
    let formats = [&signature.a, &signature.b, &signature.c];
    let of_operand = |operand: usize| {
        let format = formats[operand / count.max(1)];
        let numbers = question.domain().numbers(operand, format);
        let mut registers = [0; ENDS.len()];
        for (register, end) in registers.iter_mut().zip(ENDS) {
            *register = register_at(format, &numbers, end)?;
        }
        Some(registers)
    };
    (0..=2 * count).map(of_operand).collect()
}

/// The register of such a number; of another sign, or other than zero, where the domain wants that.
fn register_at(format: &Format, numbers: &Numbers, end: End) -> Option<u64> {
    let codes = numbers.finite_codes();
    let wanted = matches!(end, MinusZero | MinusGreat | MinusLeast | MinusOdd);
    let of_sign = codes.iter().find(|(negative, _)| *negative == wanted);
    let (negative, range) = of_sign.or(codes.first())?;
    let held = |number: i64, exponent| Dyadic::new(number.into(), exponent).register(format);
    let least = match numbers.least().max(numbers.unit()) {
        Some(least) => held(1, least)?,
        None if *range.start() == 0 && format.has_zero() => 1 << numbers.cleared_bits(),
        None => *range.start(),
    };
    let with_low_bits = |bits: i64| match numbers.unit() {
        Some(unit) => held(bits, unit).unwrap_or(least),
        None => least | (bits as u64) << numbers.cleared_bits(),
    };
    let code = match end {
        Zero | MinusZero => *range.start(),
        Great | MinusGreat => *range.end(),
        Least | MinusLeast => least,
        Odd | MinusOdd => with_low_bits(1),
        Two => with_low_bits(2),
        Three => with_low_bits(3),
    };
    Some(format.signed(*negative, code.clamp(*range.start(), *range.end())))
}
