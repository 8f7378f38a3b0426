//! Inputs at the ends of a domain: great terms that cancel, and small ones beside them.

use super::question::Question;
use crate::float::{Dyadic, Format};
use crate::property::{Domain, Numbers};
use crate::vectors::Inputs;

/// What a factor or `c` is to be.
#[derive(Clone, Copy)]
enum End {
    Zero,
    Great,
    MinusGreat,
    Least,
    MinusLeast,
    /// The least with the lowest bit that there may be.
    Odd,
    MinusOdd,
    /// The least with the two lowest bits.
    Three,
}
use End::{Great, Least, MinusGreat, MinusLeast, MinusOdd, Odd, Three, Zero};

const ENDS: [End; 8] = [
    Zero, Great, MinusGreat, Least, MinusLeast, Odd, MinusOdd, Three,
];

/// The first products, each by its `a` and `b`; the others are zero, or the last of these again where none
/// is named so.
const PRODUCTS: [&[[End; 2]]; 8] = [
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
];
const ADDENDS: [End; 6] = [Zero, Great, MinusGreat, Least, MinusLeast, Odd];

/// Some inputs of the question's domain, the same each time.
pub(super) fn ends(question: &Question) -> impl Iterator<Item = Inputs> {
    let (signature, domain) = (question.signature(), question.domain());
    let count = signature.products as usize;
    let formats = [&signature.a, &signature.b, &signature.c];
    let registers: Vec<_> = (0..=2 * count)
        .map(|operand| registers(domain, operand, formats[operand / count.max(1)]))
        .collect();
    let named = PRODUCTS.iter().map(|products| products.to_vec());
    let all = named.chain(parts(count));
    let all = all.flat_map(|products| ADDENDS.map(|c| (products.clone(), c)));
    let inputs = move |(products, c): (Vec<[End; 2]>, End)| {
        let mut inputs = Inputs::zero(&signature);
        for k in 0..count {
            let [a, b] = *products.get(k).or(products.last())?;
            inputs.a[k] = registers[k]?[a as usize];
            inputs.b[k] = registers[count + k]?[b as usize];
        }
        inputs.c = registers[2 * count]?[c as usize];
        Some(domain.fixed_bits(&inputs))
    };
    all.filter_map(inputs)
        .filter(move |inputs| domain.contains(inputs))
}

/// A sum of products that is as great as can be and has a low bit, after each number of products that a unit may sum before it rounds; then
/// nothing, what cancels it but for that bit, more low bits, or more that is great. Great products
/// may have that bit as well: one of them is zero or not, so that the bits of an odd and of an even number are summed.
fn parts(count: usize) -> impl Iterator<Item = Vec<[End; 2]>> {
    let steps = (0..usize::BITS).map(|power| 1usize << power);
    let steps = steps.take_while(move |step| *step <= count);
    let steps = steps.flat_map(move |step| [step, count - step]);
    steps.filter(|step| *step > 0).flat_map(|step| {
        let lows = [(Odd, 0), (Odd, 1), (MinusOdd, 0), (MinusOdd, 1), (Three, 0)];
        lows.into_iter().flat_map(move |(low, zeros)| {
            let mut first = vec![[Great; 2]; step - 1];
            first
                .iter_mut()
                .take(zeros)
                .for_each(|first| *first = [Zero; 2]);
            first.push([low, Odd]);
            let mut cancelled = first.clone();
            cancelled.extend(vec![[MinusGreat, Great]; step - 1]);
            let then = |first: &[[End; 2]], last| [first, &[last]].concat();
            [
                then(&cancelled, [Zero; 2]),
                then(&first, [Zero; 2]),
                then(&first, [low, Odd]),
                then(&first, [Great; 2]),
            ]
        })
    })
}

/// The registers of an operand, in the order of [`ENDS`]; none where the domain admits no number.
fn registers(domain: &Domain, operand: usize, format: &Format) -> Option<[u64; ENDS.len()]> {
    let numbers = domain.numbers(operand, format);
    let mut registers = [0; ENDS.len()];
    for (register, end) in registers.iter_mut().zip(ENDS) {
        *register = self::register(format, &numbers, end)?;
    }
    Some(registers)
}

/// The register of such a number; of another sign, or other than zero, where the domain wants that.
fn register(format: &Format, numbers: &Numbers, end: End) -> Option<u64> {
    let codes = numbers.finite_codes();
    let wanted = matches!(end, MinusGreat | MinusLeast | MinusOdd);
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
        Zero => *range.start(),
        Great | MinusGreat => *range.end(),
        Least | MinusLeast => least,
        Odd | MinusOdd => with_low_bits(1),
        Three => with_low_bits(3),
    };
    Some(format.signed(*negative, code.clamp(*range.start(), *range.end())))
}
