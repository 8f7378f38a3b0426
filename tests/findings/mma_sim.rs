//! Xie et al., MMA-Sim §VI: precision of FP8, dynamic range, rounding down, and the
//! NaN that becomes an infinity (§IV-C).

use super::gives;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// `1 + left * right - 1`.
#[track_caller]
fn keeps(model: &str, (left, right): (&str, &str), expected: &str) {
    let (a, b) = (format!("1,{left}"), format!("1,{right}"));
    gives(model, (&a, &b, "-1"), expected);
}

/// §VI-A: 13 fraction bits, not the 14 of earlier reports.
#[test]
fn fp8_of_hopper_and_ada_keeps_13_fraction_bits() {
    for model in [
        "hopper/wgmma.m64n64k32.f32.e4m3.e4m3",
        "hopper/wgmma.m64n64k32.f32.e5m2.e4m3",
        "ada/mma.m16n8k16.f32.e4m3.e4m3.f32",
        "ada/mma.m16n8k32.f32.e4m3.e4m3.f32",
    ] {
        keeps(model, ("0x1p-6", "0x1p-7"), "0x1p-13");
        keeps(model, ("0x1p-7", "0x1p-7"), "0");
        // The result has 13 fraction bits too.
        gives(model, ("", "", "0x1.000ffep+0"), "0x1.0008p+0");
    }
}

/// §VI-A: FP8 of Blackwell and of CDNA3 keeps what 16-bit factors keep; so does what the compiler
/// makes of `mma` on Hopper, two dot products of f16.
#[test]
fn other_fp8_keeps_more() {
    for model in [
        "rtx-blackwell/mma.m16n8k32.f32.e4m3.e4m3.f32",
        "blackwell/tcgen05.mma.m64n8k32.f32.e4m3.e4m3",
        "hopper/mma.m16n8k32.f32.e4m3.e4m3.f32",
        "gfdrda:K=16,in=e4m3fnuz",
    ] {
        keeps(model, ("0x1p-7", "0x1p-7"), "0x1p-14");
        gives(model, ("", "", "0x1.000ffep+0"), "0x1.000ffep+0");
    }
    // 25 fraction bits; the products of CDNA3 have 24.
    for (model, expected) in [
        ("rtx-blackwell/mma.m16n8k32.f32.e5m2.e5m2.f32", "0x1p-25"),
        ("gfdrda:K=16,in=e5m2fnuz,chain=2", "0"),
    ] {
        gives(model, ("1,0x1p-12,-1", "1,0x1p-13,1", "0"), expected);
    }
}

#[test]
fn f16_keeps_24_fraction_bits_on_ada_and_25_on_hopper() {
    for (model, expected) in [
        ("ada/mma.m16n8k16.f32.f16.f16.f32", "0"),
        ("hopper/wgmma.m64n64k16.f32.f16.f16", "0x1p-25"),
    ] {
        keeps(model, ("0x1p-12", "0x1p-12"), "0x1p-24");
        keeps(model, ("0x1p-12", "0x1p-13"), expected);
    }
}

/// §VI-B. The text of Algorithm 3 flushes operands below 2^-126 only, which keeps subnormal f16.
#[test]
fn only_cdna2_flushes_subnormal_numbers() {
    let subnormal = ("0x1p-15", "1024", "0");
    for (model, expected) in [
        ("gps:K=8", "0"),
        ("gps:K=8,subnormals=f32", "0x1p-5"),
        ("exact:K=4", "0x1p-5"),
        ("fdrda:K=8", "0x1p-5"),
        ("hopper/wgmma.m64n64k16.f32.f16.f16", "0x1p-5"),
    ] {
        gives(model, subnormal, expected);
        gives(model, ("0x1p-14", "1024", "0"), "0x1p-4");
    }
    for (model, kept) in [
        ("gps:K=8,in=bf16", false),
        ("gps:K=8,in=bf16,subnormals=f32", false),
        ("exact:K=4,in=bf16", true),
        ("fdrda:K=8,in=bf16", true),
        ("ampere/mma.m16n8k16.f32.bf16.bf16.f32", true),
    ] {
        let either = |value| if kept { value } else { "0" };
        gives(model, ("0x1p-100", "0x1p-27", "0"), either("0x1p-127"));
        gives(model, ("0x1p-127", "1024", "0"), either("0x1p-117"));
        gives(model, ("", "", "0x1p-127"), either("0x1p-127"));
    }
}

/// §VI-B: 2^128 - 2^127, and 2^128 - 2^128.
#[test]
fn products_overflow_on_cdna3_and_not_on_nvidia() {
    let sums = [
        ("0x1p+64,0x1p+63", "0x1p+64,-0x1p+64", "0"),
        ("0x1p+64,0x1p+64", "0x1p+64,-0x1p+64", "0"),
    ];
    for (model, expected) in [
        ("fdrda:K=8,in=bf16", ["inf", "nan"]),
        ("fdrda:K=4,in=tf32", ["inf", "nan"]),
        ("gfdrda:K=16,in=bf16", ["inf", "nan"]),
        ("gps:K=8,in=bf16", ["inf", "nan"]),
        ("ampere/mma.m16n8k16.f32.bf16.bf16.f32", ["0x1p+127", "0"]),
        ("hopper/wgmma.m64n64k16.f32.bf16.bf16", ["0x1p+127", "0"]),
        ("hopper/wgmma.m64n64k8.f32.tf32.tf32", ["0x1p+127", "0"]),
    ] {
        for (sum, expected) in sums.into_iter().zip(expected) {
            gives(model, sum, expected);
        }
    }
}

/// -0.000001 in f32.
const SMALL: &str = "-0x1.0c6f7ap-20";

/// §VI-C (a): 2048 * 2048 - 2048 * 2048 - 0.000001. The paper has 0 for every unit that does not
/// round down; where `c` is added to a sum that has already cancelled, the result is exact.
#[test]
fn cdna3_rounds_a_small_negative_c_down() {
    for (model, expected) in [
        ("fdrda:K=8", "-0.25"),
        ("fdrda:K=8,late=paper", "-0.25"),
        ("fdrda:K=8,align=trunc", "0"),
        ("volta/mma.m8n8k4.f32.f16.f16.f32", "0"),
        ("ampere/mma.m16n8k16.f32.f16.f16.f32", "0"),
        ("hopper/mma.m16n8k16.f32.f16.f16.f32", "0"),
        ("sfma:fmt=f32", "0"),
        ("gps:K=8", SMALL),
        ("exact:K=4", SMALL),
    ] {
        gives(model, ("2048,2048", "2048,-2048", SMALL), expected);
    }
}

/// §VI-C (a), GFDRDA step 8: the patch is for `c` more than 25 binades below the products, and for
/// `c` alone.
#[test]
fn the_patch_of_fp8_avoids_the_far_c_only() {
    let patched = "gfdrda:K=16,in=e5m2fnuz";
    let cancel = |c| ("2048,2048", "2048,-2048", c);
    gives(patched, cancel(SMALL), "0");
    gives(patched, cancel("-0x1.fffffep-4"), "0");
    gives(patched, cancel("-0x1p-3"), "-0.25");
    // Even products cancel; the odd one, -2^-20, is rounded down with its sum (step 6).
    let odd = ("2048,-0x1p-10,2048", "2048,0x1p-10,-2048", "0");
    gives(patched, odd, "-0.25");
    gives("gfdrda:K=16,in=e5m2fnuz,align=trunc", odd, "0");
}

/// §IV-C, §IV-F step 0: bits 0x7f800001 are a NaN in f32, and lose what makes them one. The
/// accumulator is a register of f32 and keeps its NaN.
#[test]
fn a_nan_of_tf32_becomes_an_infinity() {
    for model in [
        "ampere/mma.m16n8k8.f32.tf32.tf32.f32",
        "hopper/wgmma.m64n64k8.f32.tf32.tf32",
        "rtx-blackwell/mma.m16n8k8.f32.tf32.tf32.f32",
        "fdrda:K=4,in=tf32",
    ] {
        gives(model, ("0x7f800001", "1", "0"), "inf");
        gives(model, ("0x7f802000", "1", "0"), "nan");
        gives(model, ("", "", "0x7f800001"), "nan");
    }
}

const DRAWS: usize = 200_000;
const PERCENTS: [usize; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Two values of the standard normal distribution (Box-Muller).
fn normal(rng: &mut ChaCha8Rng) -> [f64; 2] {
    let (u, v): (f64, f64) = (rng.random(), rng.random());
    let (radius, angle) = ((-2.0 * (1.0 - u).ln()).sqrt(), std::f64::consts::TAU * v);
    [radius * angle.cos(), radius * angle.sin()]
}

/// `value * 2^unit`, which must be whole.
fn whole(value: f64, unit: i32) -> i128 {
    let scaled = value * 2f64.powi(unit);
    assert_eq!(scaled.fract(), 0.0);
    scaled as i128
}

/// Products of f16 are whole multiples of 2^-48, and `c` is one of 2^-UNIT unless it is below
/// 2^-57, which no draw is: sums are exact integers.
const UNIT: i32 = 80;

/// Eight factors on each side of 1000 * N(0, 1), rounded to f16, and `c` of N(0, 1), rounded to
/// f32; with the exact dot-add in units of 2^-UNIT.
fn draw(rng: &mut ChaCha8Rng) -> (Inputs, i128) {
    let mut exact = 0;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        let [x, y] = normal(rng).map(|value| half::f16::from_f64(1000.0 * value));
        exact += (whole(x.into(), 24) * whole(y.into(), 24)) << (UNIT - 48);
        a.push(x.to_bits().into());
        b.push(y.to_bits().into());
    }
    let c = normal(rng)[0] as f32;
    exact += whole(c.into(), UNIT);
    (Inputs::new(a, b, c.to_bits().into()), exact)
}

/// What a model gives less the exact sum, sorted.
fn deviations(model: &str) -> Vec<f64> {
    let model = Model::parse(model).unwrap();
    let mut simulator = model.simulator();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut deviations: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (inputs, exact) = draw(&mut rng);
            let d = f32::from_bits(simulator.evaluate(&inputs).unwrap() as u32);
            (whole(d.into(), UNIT) - exact) as f64 * 2f64.powi(-UNIT)
        })
        .collect();
    deviations.sort_by(f64::total_cmp);
    deviations
}

/// Mean and its standard error; they are printed with the quantiles.
fn statistics(model: &str) -> (f64, f64) {
    let sorted = deviations(model);
    let count = DRAWS as f64;
    let mean = sorted.iter().sum::<f64>() / count;
    let variance = sorted.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    let quantiles = PERCENTS.map(|percent| format!("{:.4}", sorted[DRAWS * percent / 100]));
    println!(
        "{model}: mean {mean:.4}, standard error {error:.4}, quantiles {}",
        quantiles.join(" ")
    );
    (mean, error)
}

/// §VI-C (b): rounding down is biased, cutting magnitudes is not.
#[test]
fn bias_of_rounding_down() {
    println!("{DRAWS} draws, seed 0, quantiles at {PERCENTS:?} %");
    for model in ["fdrda:K=8", "fdrda:K=8,late=paper"] {
        let (mean, error) = statistics(model);
        assert!(mean < -10.0 * error, "{model}");
    }
    for model in ["fdrda:K=8,align=trunc", "fdrda:K=8,late=paper,align=trunc"] {
        let (mean, error) = statistics(model);
        assert!(mean.abs() < 4.0 * error, "{model}");
    }
}
