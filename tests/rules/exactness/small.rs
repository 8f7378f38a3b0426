//! Tests of underflow: units of bf16 that the exactness analysis finds equal agree around every
//! threshold, and every other pair of units differs.

use super::soundness::claim;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::exactness::holds;

/// Units that sum two products. Among them, every available way to treat small numbers occurs.
const UNITS: [&str; 13] = [
    "gps:K=2,G=2,in=bf16",
    "gps:K=2,G=1,in=bf16",
    "gps:K=2,G=2,in=bf16,subnormals=keep",
    "cpu:in=bf16,order=last-first",
    "cpu:in=bf16,order=even-odd",
    "cpu:in=bf16,order=pairwise,operands=all,results=before",
    "cpu:in=bf16,order=late,operands=all,results=register",
    "cpu:in=bf16,order=fused,operands=keep,results=keep",
    "cpu:in=bf16,order=first-first,operands=c,results=after",
    "rdna:K=2,in=bf16,unit=rdna3,step=2",
    "rdna:K=2,in=bf16,unit=rdna4,step=2",
    "exact:K=2,in=bf16",
    "fda:K=2,in=bf16,F=24,emin=-132",
];

/// Each claim is tried on one of every `ONE_IN` inputs.
const ONE_IN: usize = 211;

/// Pairs of exponents of two factors whose product lies around one of these thresholds: half of the
/// least number of f32, the least number itself, the least normal number, and the greatest number.
fn exponents() -> impl Iterator<Item = [i32; 2]> {
    let around = [-149, -126, 127];
    let sums = around.into_iter().flat_map(|sum| sum - 3..=sum + 2);
    sums.flat_map(|sum| (-134..=127).map(move |a| [a, sum - a]))
}

/// Codes of bf16 with this exponent, some with few significant bits, some with all bits set.
fn codes(exponent: i32) -> Vec<u64> {
    let format = Format::BF16;
    let field = format.field_of(exponent.into());
    let codes: &[u64] = match field {
        1.. => &[0, 1, 0x35, 0x40, 0x7f],
        _ => &[0, 1],
    };
    let codes = codes.iter().map(|fraction| match field {
        1.. => (field as u64) << 7 | fraction,
        // A power of two below the normal numbers, or the next number.
        _ => (0x80u64 >> (1 - field).min(8)) | fraction,
    });
    codes.filter(|code| *code <= format.max_finite()).collect()
}

/// Two factors and `c`: the product of the factors lies around the thresholds, and `c` is a zero, lies
/// around a threshold, or is 1.
fn operands() -> Vec<([u64; 2], u64)> {
    let few = [-134, -127, -126, -125, -82, -81, -80];
    let few = few.into_iter().flat_map(move |a| few.map(|b| [a, b]));
    let factors = exponents().chain(few).flat_map(|[a, b]| {
        let b = codes(b);
        let pairs = codes(a).into_iter();
        pairs.flat_map(move |a| b.clone().into_iter().map(move |b| [a, b]))
    });
    let addends = [
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x007f_ffff,
        0x8080_0000,
        0x0080_0001,
        0x3f80_0000,
    ];
    factors
        .flat_map(move |pair| addends.map(|c| (pair, c)))
        .collect()
}

/// The inputs of these operands, with one nonzero product or two. The signs depend on the number.
fn inputs(([a, b], c): ([u64; 2], u64), number: usize, products: usize) -> Inputs {
    let sign = |bit: usize| ((number as u64 / 8 * 5) >> bit & 1) << 15;
    let (x, y) = match products {
        1 => (0, 0),
        _ => (b | sign(2), a ^ 1 | sign(3)),
    };
    Inputs::new(vec![a | sign(0), x], vec![b | sign(1), y], c)
}

/// How many pairs of units the exactness analysis finds equal in a domain, and of how many others no
/// input tells the two units apart. Asserts that no input tells the units of a pair of the first kind
/// apart.
fn equal(operands: &[([u64; 2], u64)], domain: &str, products: usize) -> [usize; 2] {
    let domain = format!("finite, {domain}");
    let of_pair = |left: &str, right: &str| claim(&format!("equal={right}"), left, &domain);
    // All units have the same operands, and therefore the same domain.
    let any = of_pair(UNITS[0], UNITS[1]);
    let inside: Vec<usize> = (0..operands.len())
        .filter(|at| any.domain.contains(&inputs(operands[*at], *at, products)))
        .collect();
    let mut counts = [0, 0];
    for (number, left) in UNITS.iter().enumerate() {
        for right in &UNITS[number + 1..] {
            let claim = of_pair(left, right);
            let refuting = |one_in| {
                let some = inside.iter().filter(|at| *at % one_in == number % one_in);
                let mut some = some.map(|at| inputs(operands[*at], *at, products));
                some.find(|inputs| claim.is_refuted_by(inputs))
            };
            let line = |inputs: Inputs| inputs.to_line(&claim.model.signature());
            let first = refuting(ONE_IN);
            if holds(&claim, false).is_some() {
                counts[0] += 1;
                assert_eq!(first.map(line), None, "{claim}");
            } else {
                counts[1] += usize::from(first.or_else(|| refuting(1)).is_none());
            }
        }
    }
    counts
}

#[test]
fn units_are_equal_around_every_threshold_where_that_is_said_and_hardly_elsewhere() {
    let all = [
        ("a[1..] = 0, b[1..] = 0, c = 0", 1, [16, 0]),
        ("a[1..] = 0, b[1..] = 0, c = 0, zero-or-normal", 1, [22, 0]),
        ("a[1..] = 0, b[1..] = 0", 1, [6, 0]),
        ("a[1..] = 0, b[1..] = 0, factors exp -126..-80", 1, [18, 6]),
        ("factors exp -126..-126", 2, [4, 0]),
        ("exp -126..-126", 2, [4, 0]),
        ("factors exp -126..-80, c zero-or-normal", 2, [11, 0]),
    ];
    let operands = operands();
    let found =
        all.map(|(domain, products, _)| (domain, products, equal(&operands, domain, products)));
    assert_eq!(found, all);
}
