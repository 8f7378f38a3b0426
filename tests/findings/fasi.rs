//! Fasi et al., Numerical behavior of NVIDIA tensor cores
//! (Fasi et al.), §3: V100, T4 and A100.
//!
//! The paper sets at most four products; the others are +0.

use super::gives;

/// V100, T4 and A100, results in f32.
const TO_F32: [&str; 3] = [
    "volta/wmma.m16n16k16.f32.f16.f16.f32",
    "turing/mma.m16n8k8.f32.f16.f16.f32",
    "ampere/wmma.m16n16k16.f32.f16.f16.f32",
];
/// The same, `c` and results in f16.
const TO_F16: [&str; 3] = [
    "volta/wmma.m16n16k16.f16.f16.f16.f16",
    "turing/mma.m16n8k8.f16.f16.f16.f16",
    "ampere/wmma.m16n16k16.f16.f16.f16.f16",
];
/// The formats that A100 has besides, with `c` in f32.
const BF16: &str = "ampere/wmma.m16n16k16.f32.bf16.bf16.f32";
const TF32: &str = "ampere/wmma.m16n16k8.f32.tf32.tf32.f32";
/// The instruction of T4 that takes four products.
/// T4 if it took four products at a time.
const T4_OF_FOUR: &str = "fda:F=24,K=4";

const SMALL: &str = "0x1p-24,0x1p-24,0x1p-24,0x1p-24";
const HALVES: &str = "0x1p-1,0x1p-1,0x1p-1,0x1p-1";

#[track_caller]
fn all(models: [&str; 3], operands: (&str, &str, &str), expected: &str) {
    each(models, operands, [expected; 3]);
}

#[track_caller]
fn each(models: [&str; 3], operands: (&str, &str, &str), expected: [&str; 3]) {
    for (model, expected) in models.into_iter().zip(expected) {
        gives(model, operands, expected);
    }
}

/// Equation (3): the first row of A is 1, so that the sum is that of `b` and `c`.
#[track_caller]
fn sum(models: [&str; 3], b: &str, c: &str, expected: [&str; 3]) {
    each(models, ("1,1,1,1", b, c), expected);
}

/// The list with each of its places first.
fn rotations<const N: usize>(values: [&str; N]) -> impl Iterator<Item = [&str; N]> {
    (0..N).map(move |places| {
        let mut rotated = values;
        rotated.rotate_left(places);
        rotated
    })
}

#[test]
fn subnormal_numbers_are_supported_3_1_1() {
    for models in [TO_F32, TO_F16] {
        all(models, ("0x1p-24", "4", "0"), "0x1p-22");
        all(models, ("0x1p-14", "0x1p-1", "0"), "0x1p-15");
        all(models, ("0x1p-14", "1", "-0x1p-15"), "0x1p-15");
    }
    all(TO_F32, ("", "", "0x1p-149"), "0x1p-149");
    // The least product, beside which a subnormal c in f32 is lost.
    all(TO_F32, ("0x1p-24", "0x1p-24", "0"), "0x1p-48");
    all(TO_F32, ("0x1p-24", "0x1p-24", "0x1p-149"), "0x1p-48");
    // A subnormal factor is cut, where round to nearest would give 2 + 2^-22.
    all(TO_F32, ("1,1", "0x1.8p-23,2", "0"), "2");
    gives(
        "ieee:order=seq",
        ("1,1", "0x1.8p-23,2", "0"),
        "0x1.000002p+1",
    );
}

#[test]
fn products_are_exact_3_1_2() {
    // 1 - 2^-11; four times its square.
    let x = "0x1.ffcp-1";
    let row = &[x; 4].join(",");
    all(TO_F32, (row, row, "0"), "0x1.ff8008p+1");
    // 1 - 2^-10 + 2^-11: from two products that f16 does not hold.
    let operands = ("0x1.ffcp-1,0x1.ffcp-1", "0x1.ffcp-1,0x1p-11", "0");
    all(TO_F16, operands, x);
    // The paper takes this for proof; but an accumulator in f16 errs only if it rounds toward zero.
    gives("ieee:acc=f16", operands, x);
    gives("ieee:acc=f16,round=rz", operands, "0x1.ff8p-1");
}

#[test]
fn every_summand_is_cut_wherever_the_largest_is_3_1_2() {
    for [c, b @ ..] in rotations(["1", "0x1p-24", "0x1p-24", "0x1p-24", "0x1p-24"]) {
        sum(
            TO_F32,
            &b.join(","),
            c,
            ["1", "0x1.000004p+0", "0x1.000004p+0"],
        );
    }
    // 2^-25 is not a value of f16: the first row of A is 1/2.
    for [c, b @ ..] in rotations(["2", "0x1p-24", "0x1p-24", "0x1p-24", "0x1p-24"]) {
        let c = if c == "2" { "1" } else { "0x1p-25" };
        all(TO_F32, (HALVES, &b.join(","), c), "1");
    }
    gives("exact", ("1,1,1,1", SMALL, "1"), "0x1.000004p+0");
}

#[test]
fn results_in_f32_are_cut_3_1_3() {
    sum(TO_F32, "2,0x1.8p-23,0,0", "0", ["2"; 3]);
    sum(TO_F32, "-2,-0x1.8p-23,0,0", "0", ["-2"; 3]);
    for (round, expected) in [
        ("rne", ["0x1.000002p+1", "-0x1.000002p+1"]),
        ("ru", ["0x1.000002p+1", "-2"]),
        ("rd", ["2", "-0x1.000002p+1"]),
        ("rz", ["2", "-2"]),
    ] {
        let ieee = &format!("ieee:round={round}");
        gives(ieee, ("1,1", "2,0x1.8p-23", "0"), expected[0]);
        gives(ieee, ("1,1", "-2,-0x1.8p-23", "0"), expected[1]);
    }
}

/// The paper supposes a conversion outside of the unit. One that started from the result in f32
/// would round twice: 2 + 2^-10 + 2^-23 is just above the middle of two values of f16, and cut to
/// f32 it is the middle.
#[test]
fn results_in_f16_are_rounded_to_nearest_3_1_3() {
    let operands = ("0x1p-24,0x1p-24", "0x1p-1,0x1p-2", "0");
    all(TO_F16, operands, "0x1p-24");
    let operands = ("1,1,1,0x1p-11", "1,1,0x1p-10,0x1p-12", "0");
    all(TO_F32, operands, "0x1.002p+1");
    all(TO_F16, operands, "0x1.004p+1");
    gives("ieee:acc=f16", ("1", "2", "0x1p-10"), "2");
}

#[test]
fn bits_below_those_of_f32_are_none_on_v100_and_one_on_t4_and_a100_3_1_4_and_3_2() {
    let expected = ["0x1p-23", "0x1p-24", "0x1p-24"];
    sum(TO_F32, "1,0,0,0", "-0x1.fffffep-1", expected);
    let further = ("1,-0x1p-12", "1,0x1p-13", "-0x1.fffffep-1");
    gives("exact", further, "0x1p-25");
    each(TO_F32, further, expected);
    let exact_on_t4 = ["1", "0x1.000002p+0", "0x1.000002p+0"];
    sum(TO_F32, "0x1p-24,0x1p-24,0,0", "1", exact_on_t4);
}

#[test]
fn partial_sums_are_not_normalised_3_1_4() {
    sum(TO_F32, SMALL, "0x1.fffffep-1", ["0x1.000002p+0"; 3]);
    let one_by_one = "ieee:order=seq,round=rz";
    gives(one_by_one, ("1,1,1,1", SMALL, "0x1.fffffep-1"), "1");
    // In subtraction: 1 and c first would leave 2^-23 without, and 2^-24 with normalisation.
    let expected = ["0x1p-23", "0", "0"];
    sum(TO_F32, "1,-0x1p-24,0,0", "-0x1.fffffep-1", expected);
    gives("ieee", ("1,1", "1,-0x1p-24", "-0x1.fffffep-1"), "0");
}

#[test]
fn carries_are_kept_3_1_4() {
    let c = "0x1.000006p+0";
    for b in rotations(["1", "1", "1", "0x1p-23"]) {
        sum(TO_F32, &b.join(","), c, ["0x1.000002p+2"; 3]);
    }
    // The result is cut once more: 5 + 3 * 2^-23.
    sum(TO_F32, "1,1,1,1", c, ["5"; 3]);
    // The third bit: a carry in every addition.
    let (b, c) = ("1,1.5,1.75,1.875", "1.875");
    sum(TO_F32, b, c, ["8"; 3]);
    // Without it the sum wraps: to -8 with a sign in two's complement, to the paper's 0 without.
    gives("fda:F=23,carry=2", ("1,1,1,1", b, c), "-8");
    gives("fda:F=23,carry=3", ("1,1,1,1", b, c), "8");
}

/// The paper counts three bits for carries, of summands below 2. Products are below 4: there have
/// to be four.
#[test]
fn three_bits_for_carries_are_not_enough_for_products() {
    let row = &["0x1.ffcp+0"; 4].join(",");
    let operands = (row.as_str(), row.as_str(), "0x1.fffffep+0");
    all(TO_F32, operands, "0x1.1fc002p+4");
    gives("fda:F=23,carry=4", operands, "0x1.1fc002p+4");
    gives("fda:F=23,carry=3", operands, "-0x1.c07ff8p+3");
}

#[test]
fn dot_products_are_not_monotonic_3_1_4() {
    let (below, one) = ("0x1.fffffep-1", "1");
    let greater = "0x1.000002p+0";
    sum(TO_F32, SMALL, below, [greater; 3]);
    sum(TO_F32, SMALL, one, ["1", "0x1.000004p+0", "0x1.000004p+0"]);
    // With 2^-25, as the paper adapts its tests to T4, four products are too few,
    // eight are enough,
    let [a, b] = [HALVES, SMALL].map(|four| format!("{four},{four}"));
    for model in [TO_F32[1], TO_F32[2]] {
        gives(model, (HALVES, SMALL, below), "1");
        gives(model, (HALVES, SMALL, one), "1");
        gives(model, (&a, &b, below), greater);
        gives(model, (&a, &b, one), "1");
    }
    // and so are four, if one of them takes most of c away.
    let (a, b) = (
        "0x1p-1,0x1p-1,0x1p-1,-0x1.ffcp-1",
        "0x1p-24,0x1p-24,0x1p-24,0x1.ffcp-1",
    );
    for model in [T4_OF_FOUR, TO_F32[1], TO_F32[2]] {
        gives(model, (a, b, below), "0x1.ffe4p-11");
        gives(model, (a, b, one), "0x1.ffep-11");
    }
}

/// The tests set four products only: they cannot tell how many T4 takes at a time.
#[test]
fn four_products_do_not_tell_four_from_eight_on_t4() {
    let apart = ("1,0,0,0,1", "0x1p-24,0,0,0,0x1p-24", "1");
    gives(TO_F32[1], apart, "0x1.000002p+0");
    gives(&format!("{T4_OF_FOUR},chain=2"), apart, "1");
}

/// bf16 and TF32 of A100 as f16 of T4.
#[test]
fn bf16_and_tf32_of_a100_3_3() {
    let models = [TO_F32[1], BF16, TF32];
    let (below, minus) = ("0x1.fffffep-1", "-0x1.fffffep-1");
    for (b, c, expected) in [
        ("0x1p-24,0x1p-24,0,0", "1", "0x1.000002p+0"),
        ("2,0x1.8p-23,0,0", "0", "2"),
        ("-2,-0x1.8p-23,0,0", "0", "-2"),
        ("1,0,0,0", minus, "0x1p-24"),
        (SMALL, below, "0x1.000002p+0"),
        ("1,1,1,0x1p-23", "0x1.000006p+0", "0x1.000002p+2"),
        ("1,1,1,1", "0x1.000006p+0", "5"),
        ("1,1.5,1.75,1.875", "1.875", "8"),
    ] {
        sum(models, b, c, [expected; 3]);
    }
    let row = &["0x1.ffcp-1"; 4].join(",");
    gives(TF32, (row, row, "0"), "0x1.ff8008p+1");
    // Subnormal numbers: results of normal factors, factors, c.
    for model in [BF16, TF32] {
        gives(model, ("0x1p-126", "0x1p-1", "0"), "0x1p-127");
        gives(model, ("0x1p-133", "2", "0"), "0x1p-132");
        gives(model, ("0x1p-133", "0x1p+100", "0"), "0x1p-33");
        gives(model, ("", "", "0x1p-149"), "0x1p-149");
    }
    gives(TF32, ("0x1p-136", "1", "0"), "0x1p-136");
}

/// binary64 of A100, DMMA: fused multiply-adds in sequence.
#[test]
fn f64_of_a100_is_ieee_754_3_3() {
    let (dmma, small) = ("sfma:fmt=f64", "0x1p-53,0x1p-53,0x1p-53,0x1p-53");
    let below = "0x1.fffffffffffffp-1";
    // Nearest, ties to even; each sum normalised; and monotonic where f16 is not.
    gives(dmma, ("1", "0x1.8p-53", "1"), "0x1.0000000000001p+0");
    gives(dmma, ("1,1,1,1", small, below), "1");
    gives(dmma, ("1,1,1,1", small, "1"), "1");
    // Not from the largest.
    gives(
        dmma,
        ("1,1", "0x1p-53,1", "0x1p-53"),
        "0x1.0000000000001p+0",
    );
    gives(dmma, ("1,1", "1,0x1p-53", "0x1p-53"), "1");
    // Products are exact in a fused multiply-add, which the paper does not decide.
    let square = ("0x1.0000002p+0", "0x1.0000002p+0", "-0x1.0000004p+0");
    gives(dmma, square, "0x1p-54");
    gives("ieee:in=f64,acc=f64", square, "0");
}
