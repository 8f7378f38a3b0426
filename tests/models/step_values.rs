//! What single steps of units give: by arithmetic that knows nothing of the crate's, alike on every
//! instance and in columns, or refused where a step has no meaning.

use crate::batch;
use crate::common::exact::{Datum, decode};
use crate::common::inputs::draw;
use crate::common::step_texts::step_models;
use crate::instances::check;
use mmasmt_columns::tape::Features;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::descriptions::Description;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, Rounding};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn every_instance_gives_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for model in step_models() {
        let mut simulator = model.simulator();
        for _ in 0..24 {
            let inputs = draw(&mut rng, &model.signature());
            check(&model, &inputs, simulator.evaluate(&inputs).unwrap());
        }
    }
}

#[test]
fn columns_give_the_same() {
    let features = [Features::detected()];
    let with_programs = step_models()
        .iter()
        .filter(|model| batch::check(model, 300, 9, &features) > 0)
        .count();
    assert!(with_programs > 60, "{with_programs}");
}

/// A unit on one register of `a`, with b = 0 and this c.
fn unit(formats: [&str; 3], steps: &str) -> Model {
    let [a, c, d] = formats;
    Model::parse(&format!(
        "unit:{{unit u {{ a, b: {a}[1]; c: {c}; d: {d}; {steps} }}}}"
    ))
    .unwrap_or_else(|error| panic!("{steps}: {error}"))
}

fn results(model: &Model, c: u64, all: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut simulator = model.simulator();
    all.map(|a| {
        (
            a,
            simulator
                .evaluate(&Inputs::new(vec![a], vec![0], c))
                .unwrap(),
        )
    })
    .collect()
}

/// `significand * 2^unit` with its last `below` bits cut off, in units of the last that stays.
fn cut_off(significand: u64, below: i64, by: &str, negative: bool) -> u64 {
    if below <= 0 {
        return significand << -below;
    }
    let below = below.min(63) as u32;
    let (kept, rest) = (significand >> below, significand & ((1 << below) - 1));
    let half = 1u64 << (below - 1);
    kept + u64::from(match by {
        "rd" => rest > 0 && negative,
        "ru" => rest > 0 && !negative,
        "ra" => rest > 0,
        "rne" => rest > half || rest == half && kept % 2 == 1,
        "rno" => rest > half || rest == half && kept % 2 == 0,
        "rna" => rest >= half,
        "rnz" => rest > half,
        "rnu" => rest > half || rest == half && !negative,
        "rnd" => rest > half || rest == half && negative,
        "odd" => rest > 0 && kept % 2 == 0,
        _ => false,
    })
}

/// `cut(x) bits N least E`: N places below the leading one or 2^E, whichever is higher.
#[test]
fn cuts_keep_their_places() {
    let mut below_least = 0;
    for (format, count) in [
        (Format::E5M2, 256u64),
        (Format::E4M3, 256),
        (Format::BF16, 1 << 16),
    ] {
        for (bits, least) in [
            (1, None),
            (3, None),
            (20, None),
            (2, Some(-3)),
            (4, Some(2)),
            (17, Some(-48)),
            (3, Some(-16)),
            (5, Some(100)),
        ] {
            for (by, _) in Rounding::NAMES {
                let option = least.map_or(String::new(), |least| format!("least {least}"));
                let steps = format!("d = round(cut(a[0]) bits {bits} {option} by {by}) to f64");
                let model = unit([format.name(), "f64", "f64"], &steps);
                let step = if count > 256 { 37 } else { 1 };
                for (register, found) in results(&model, 0, (0..count).step_by(step)) {
                    let Datum::Finite(x) = decode(&format, register) else {
                        continue;
                    };
                    if x.is_zero() {
                        assert_eq!(found << 1, 0, "{steps}: {register:x}");
                        continue;
                    }
                    let leading = x.unit + i64::from(63 - x.significand.leading_zeros());
                    let highest = least.map_or(leading, |least: i64| leading.max(least));
                    below_least += usize::from(highest > leading);
                    let last = highest - i64::from(bits - 1);
                    let kept = cut_off(x.significand, last - x.unit, by, x.negative);
                    let value = kept as f64 * (last as f64).exp2();
                    let value = if x.negative { -value } else { value };
                    assert_eq!(f64::from_bits(found), value, "{steps}: {register:x}");
                }
            }
        }
    }
    assert!(below_least > 100, "{below_least}");
}

/// A zero that counts has the exponent of its field, cut or not: a term of `c` is cut below that alone.
#[test]
fn a_zero_that_counts_keeps_its_exponent() {
    for (steps, c, expected) in [
        ("x = term(a) zeros field n = cut(x) bits 12", 1.0f32, 1.0f32),
        ("x = term(a) zeros 10 n = cut(x) bits 12", 1.5, 0.0),
        ("x = term(a) zeros 10 n = cut(x) bits 2 least 3", 1.5, 0.0),
        ("x = term(a) zeros 3 n = cut(x) bits 2 least 10", 1.5, 0.0),
        ("x = term(a) zeros 3 n = normalise(x)", 8.5, 8.0),
        ("x = term(a) zeros 3 n = normalise(part(x) low 1)", 8.5, 8.0),
    ] {
        let steps = format!("{steps}; d = round(fuse(n, c) keep 3) to f32");
        let model = unit(["f16", "f32", "f32"], &steps);
        let found = results(&model, c.to_bits().into(), std::iter::once(0));
        assert_eq!(f32::from_bits(found[0].1 as u32), expected, "{steps}");
    }
}

/// `fuse(part(x) low L bits N) keep F`: a multiple of 2^-F below the exponent of x.
#[test]
fn parts_below_an_alignment_are_cut() {
    let format = Format::E4M3;
    for (low, bits, keep) in [
        (0, 2, 0),
        (0, 1, 1),
        (1, 2, 1),
        (0, 3, 0),
        (1, 1, 0),
        (0, 4, 2),
    ] {
        for (by, _) in Rounding::NAMES {
            let steps = format!(
                "x = term(a[0]) zeros field d = round(fuse(part(x) low {low} bits {bits}) keep {keep} by {by}) to f64"
            );
            let model = unit(["e4m3", "f64", "f64"], &steps);
            for (register, found) in results(&model, 0, 0..256) {
                let Datum::Finite(x) = decode(&format, register) else {
                    continue;
                };
                let part = x.significand >> low & ((1 << bits) - 1);
                let last = x.exponent - i64::from(keep);
                let below = last - x.unit - i64::from(low);
                let kept = cut_off(part, below, by, x.negative);
                let value = kept as f64 * (last as f64).exp2();
                let value = if x.negative { -value } else { value };
                assert_eq!(f64::from_bits(found), value, "{steps}: {register:x}");
            }
        }
    }
}

/// `cap(x) exponent E`: infinite from 2^E on, wherever the leading one is.
#[test]
fn caps_know_the_value() {
    let format = Format::E4M3;
    for exponent in -7..=9 {
        for (number, scale) in [
            ("a[0]", 1.0),
            ("part(a[0]) low 0 bits 2", f64::NAN),
            ("fuse(a[0]) keep 20", 1.0),
            ("sum(a[0])", 1.0),
            ("term(a[0]) shift 4", 1.0),
        ] {
            let steps = format!("d = round(cap({number}) exponent {exponent}) to f64");
            let model = unit(["e4m3", "f64", "f64"], &steps);
            for (register, found) in results(&model, 0, 0..256) {
                let Datum::Finite(x) = decode(&format, register) else {
                    continue;
                };
                let part = (x.significand & 3) as f64 * (x.unit as f64).exp2();
                let value = if scale.is_nan() {
                    part
                } else {
                    x.to_f64().abs()
                };
                let expected = match value >= f64::from(exponent).exp2() {
                    true => f64::INFINITY,
                    false => value,
                };
                assert_eq!(
                    f64::from_bits(found).abs(),
                    expected,
                    "{steps}: {register:x}"
                );
            }
        }
    }
}

/// `overflow saturate`: the greatest number in place of what is beyond it, infinities among them; a NaN
/// stays.
#[test]
fn saturating_results_are_numbers() {
    for format in [
        Format::E4M3,
        Format::E5M2,
        Format::E4M3FNUZ,
        Format::E5M2FNUZ,
        Format::E2M1,
        Format::F16,
    ] {
        for by in ["rne", "rz", "rd", "ru", "ra"] {
            for tiny in ["kept", "before", "after", "register"] {
                let steps =
                    format!("d = round(a[0]) to {format} by {by} tiny {tiny} overflow OVERFLOW");
                let [model, plain] = ["saturate", "ieee"].map(|overflow| {
                    let steps = steps.replace("OVERFLOW", overflow);
                    unit(["f32", "f32", format.name()], &steps)
                });
                let registers = (0..1u64 << 32).step_by(3_333_337);
                let ends = [
                    0x7f80_0000,
                    0xff80_0000,
                    0x7f7f_ffff,
                    0x7fc0_0000,
                    0x4300_0000,
                ];
                let registers = || registers.clone().chain(ends);
                let found = results(&model, 0, registers());
                let usual = results(&plain, 0, registers());
                for ((register, found), (_, usual)) in found.into_iter().zip(usual) {
                    let x = f32::from_bits(register as u32);
                    let greatest = f64::from(x).abs() > greatest(&format);
                    let expected = match greatest && !x.is_nan() {
                        true => format.signed(x < 0.0, format.max_finite()),
                        false => usual,
                    };
                    // Between the greatest number and the next one the rounding decides.
                    let is_near = f64::from(x).abs() < greatest_of_next(&format);
                    if greatest && is_near && format.is_finite(usual) {
                        assert_eq!(found, usual, "{steps}: {x}");
                    } else {
                        assert_eq!(found, expected, "{steps}: {x}");
                    }
                }
            }
        }
    }
}

fn greatest(format: &Format) -> f64 {
    match decode(format, format.greatest()) {
        Datum::Finite(x) => x.to_f64(),
        _ => panic!("{format}"),
    }
}

fn greatest_of_next(format: &Format) -> f64 {
    greatest(format) * 1.5
}

/// Overflow in FNUZ formats is the NaN, as gfx942 has it.
#[test]
fn fnuz_results_beyond_all_numbers_are_nan() {
    for format in [Format::E4M3FNUZ, Format::E5M2FNUZ] {
        let steps = format!("d = round(a[0]) to {format}");
        let model = unit(["f32", "f32", format.name()], &steps);
        let next = greatest(&format);
        let ulp = (next.log2().floor() - f64::from(format.fraction_bits)).exp2();
        for (x, expected) in [
            (next, format.greatest()),
            (next + 0.49 * ulp, format.greatest()),
            (next + 0.5 * ulp, 0x80),
            (-next - ulp, 0x80),
            (f64::INFINITY, 0x80),
            (f64::NEG_INFINITY, 0x80),
            (f64::NAN, 0x80),
            // Too small: the only zero.
            (-1e-30, 0),
            (-0.0, 0),
        ] {
            let register = u64::from((x as f32).to_bits());
            let found = results(&model, 0, std::iter::once(register));
            assert_eq!(found[0].1, expected, "{format}: {x}");
        }
    }
}

/// The NaNs among sums of two finite numbers of a format, rounded to it: as many as silicon gives (gfx942
/// for FNUZ formats, gfx950 for those of OCP; e5m2 has infinities in their place).
#[test]
fn sums_beyond_all_numbers_are_as_many_as_on_silicon() {
    for (format, expected) in [
        (Format::E4M3FNUZ, 496),
        (Format::E5M2FNUZ, 120),
        (Format::E4M3, 436),
        (Format::E5M2, 120),
    ] {
        let model = Model::parse(&format!(
            "unit:{{unit u {{ a, b: {format}[1]; d: {format}; s = round(sum(a[0], b[0])) to f32; d = round(s) to {format} }}}}"
        ))
        .unwrap();
        let mut simulator = model.simulator();
        let finite = || (0..256).filter(|code| format.is_finite(*code));
        let sums = finite().flat_map(|a| finite().map(move |b| Inputs::new(vec![a], vec![b], 0)));
        let beyond = sums.filter(|inputs| !format.is_finite(simulator.evaluate(inputs).unwrap()));
        assert_eq!(beyond.count(), expected, "{format}");
    }
}

/// The NaNs of all bf16 in FP8, as many as ml_dtypes 0.6.0 gives, whose other results are ours too.
#[test]
fn conversions_of_bf16_have_as_many_nans_as_those_of_ml_dtypes() {
    for (format, expected) in [
        (Format::E4M3FNUZ, 30_992),
        (Format::E5M2FNUZ, 28_960),
        (Format::E4M3, 30_766),
        (Format::E5M2, 254),
    ] {
        let steps = format!("d = round(a[0]) to {format}");
        let model = unit(["bf16", "bf16", format.name()], &steps);
        let found = results(&model, 0, 0..1 << 16).into_iter();
        let nans = found.filter(|(_, register)| format.is_nan(*register));
        assert_eq!(nans.count(), expected, "{format}");
    }
}

#[test]
fn steps_without_a_meaning_are_refused() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        (
            "a, b: s8[1] c: s32 d: f32 x = term(a) widen d = round(fuse(x, c) keep 10) to f32",
            "a floating-point register with `widen`, found one of s8",
        ),
        (
            "a, b: s8[1] c, d: s8 v = flush(c) d = round(v) to s8",
            "a floating-point register, found one of s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 tiny before",
            "a floating-point result with `tiny`, found one in s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 sign plus",
            "a floating-point result with `sign`, found one in s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 nan ones",
            "a floating-point result with `nan`, found one in s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 fraction 3",
            "a floating-point result with `fraction`, found one in s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 specials none",
            "a floating-point result with `specials`, found one in s8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(sum(c)) to s8 overflow infinity",
            "`overflow` wrap or saturate or symmetric, found `infinity`",
        ),
        (
            "a, b: u8[1] c, d: u8 d = round(sum(c)) to u8 overflow symmetric",
            "a format with negative numbers for `symmetric`, found u8",
        ),
        (
            "a, b: s8[1] c, d: s8 d = round(cap(sum(c)) exponent 3) to s8",
            "`overflow saturate` or `symmetric` where numbers that are no integers, or an infinity, become s8",
        ),
        (
            "a, b: f16[1] c: s32 d: s32 v = part(sum(a)) low 24 d = round(v) to s32",
            "`overflow saturate` or `symmetric` where numbers that are no integers, or an infinity, become s32",
        ),
        (
            "a, b: f16[1] c, d: f32 d = round(sum(c)) to f32 overflow wrap",
            "`overflow` ieee or infinity or saturate or clamp, found `wrap`",
        ),
        (
            "a, b: f16[1] c, d: f32 d = round(sum(c)) to f32 overflow symmetric",
            "`overflow` ieee or infinity or saturate or clamp, found `symmetric`",
        ),
        (
            "a, b: f16[1] d: e4m3 d = round(sum(a)) to e4m3 fraction 2",
            "all 3 fraction bits of e4m3, whose NaN needs them",
        ),
        (
            "a, b: f16[1] d: f16 d = round(sum(a)) to f16 specials none nan first(a) else 1",
            "a format with NaNs for `nan`, found f16 without specials",
        ),
        (
            "a, b: f16[1] d: f32 d = round(sum(a, zero() to ue8m0)) to f32",
            "a format with a zero, found ue8m0",
        ),
        (
            "a, b: e4m3[4] sa, sb: ue8m0 of 2 d: f32 d = round(sum(a * b)) to f32",
            "a step that reads `sa`, found none",
        ),
        (
            "a, b: e4m3[4] sa, sb: ue8m0 of 2 d: f32 d = round(sum(a * b, sa)) to f32",
            "a step that reads `sb`, found none",
        ),
        (
            "a, b: f16[1] d: f32 d = a[0]",
            "a result `d` in f32, found a register of f16",
        ),
        (
            "a, b: mxint8[32] d: f32 d = round(sum(a)) to f32",
            "a format, found `mxint8`, whose elements are `i2f6` with scales `sa, sb: ue8m0 of 32`",
        ),
    ] {
        let found = Description::parse(&format!("unit u {{ {text} }}"));
        let said = found.map_or_else(|error| error.to_string(), |_| "accepted".into());
        // Refused where it stands, not at the beginning of the text.
        let has_place = !said.starts_with("line 1, character 1:") || text.contains("sa, sb");
        let is_right = said.contains(expected) && has_place;
        wrong.extend((!is_right).then(|| format!("{text}\n{said}\n{expected}")));
    }
    for (parameter, expected) in [
        (
            "F = 5 in 9..1",
            "line 1, character 8: expected a default of `F` from 9 to 1, found 5",
        ),
        (
            "F = 0 in 1..4",
            "line 1, character 8: expected a default of `F` from 1 to 4, found 0",
        ),
        (
            "R = rz in rne|rd",
            "line 1, character 8: expected a default of `R` of rne or rd, found rz",
        ),
        (
            "R = 4 in rne|rd",
            "line 1, character 8: expected a default of `R` of rne or rd, found 4",
        ),
    ] {
        let found = Description::parse(&format!("unit u({parameter}) {{ a, b, c, d: f32 }}"));
        let said = found.map_or_else(|error| error.to_string(), |_| "accepted".into());
        wrong.extend((said != expected).then(|| format!("{said}\n{expected}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Rows and turns have limits, so that a short text takes neither long nor much memory.
#[test]
fn rows_have_a_limit() {
    let doubled = "p = row(p, p)\n".repeat(30);
    let shared = "for k in 0..1000000 { x = p x[0] = c }";
    let summed = "for k in 0..1000000 { x = fuse(p) keep 3 }";
    let coded = "for k in 0..1000000 { x = round(c) to f32 nan first(p) else 1 }";
    for text in [doubled.as_str(), shared, summed, coded] {
        let text = format!("unit u {{ a, b: f16[4096] c, d: f32 p = row(a, b)\n{text} d = c }}");
        let error = Description::parse(&text).unwrap_err().to_string();
        // Elements that become numbers are steps of their own, of which there is a limit too.
        let limits = [
            "expected at most 16777216 values in all rows and sums",
            "expected at most 1048576 steps",
        ];
        assert!(limits.iter().any(|limit| error.ends_with(limit)), "{error}");
    }
    let named = "unit u { a, b: f16[65536] c, d: f32 for k in 0..1000000 { x = a } d = c }";
    assert!(Description::parse(named).is_ok());
}
