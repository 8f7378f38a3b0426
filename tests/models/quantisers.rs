//! Blocks with one scale, by `unit:mx`, against the definitions in numbers of `f64`, which hold every one of them exactly.

use crate::common::exact::{Datum, decode, greatest_code};
use crate::common::setting::part_of;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode};
use mmasmt_questions::inputs::{Draw, Kind};

const FORMATS: [Format; 5] = [
    Format::E2M1,
    Format::E2M3,
    Format::E3M2,
    Format::E4M3,
    Format::E5M2,
];
const BLOCKS: usize = 1500;
const NAN_SCALE: u64 = 0xff;

fn f32_of(register: u64) -> f32 {
    f32::from_bits(register as u32)
}

fn value(format: &Format, code: u64) -> f64 {
    match decode(format, code) {
        Datum::Finite(number) => number.to_f64(),
        other => panic!("{other:?}"),
    }
}

/// The code of the least power of two of ue8m0 for which `fits` holds; the greatest one if it holds of none.
fn least_scale(fits: impl Fn(f64) -> bool) -> u64 {
    let mut codes = 0..NAN_SCALE - 1;
    codes
        .find(|code| fits(2f64.powi(*code as i32 - 127)))
        .unwrap_or(NAN_SCALE - 1)
}

/// The scale of a block by a rule.
fn scale(rule: &str, to: &Format, inputs: &Inputs) -> u64 {
    let magnitudes = inputs.a.iter().map(|a| f32_of(*a).abs());
    let has_nan = magnitudes.clone().any(f32::is_nan);
    let greatest = magnitudes.fold(0.0, f32::max);
    if has_nan || greatest.is_infinite() {
        return NAN_SCALE;
    }
    let top = value(to, greatest_code(to));
    match rule {
        "floor" => {
            let power = 2f64.powi(top.log2().floor() as i32);
            let is_above = |scale: f64| f64::from(greatest) < 2.0 * scale * power;
            least_scale(is_above)
        }
        "ceil" => least_scale(|scale| f64::from(greatest) <= scale * top),
        _ => {
            let product = greatest * f32_of(inputs.c);
            if product.is_nan() || product.is_infinite() {
                return NAN_SCALE;
            }
            least_scale(|scale| f64::from(product).abs() <= scale)
        }
    }
}

/// The nearest code, ties to even, at most the greatest one; of a NaN the code of one, or 0.
fn element(to: &Format, register: u64, scale: u64) -> u64 {
    let number = f64::from(f32_of(register));
    if scale == NAN_SCALE || number.is_nan() {
        return match to.has_nan() {
            true => to.nan(NanCode::Quiet),
            false => 0,
        };
    }
    let sign = match number.is_sign_negative() {
        true => to.sign_mask(),
        false => 0,
    };
    let top = value(to, greatest_code(to));
    let wanted = (number.abs() / 2f64.powi(scale as i32 - 127)).min(top);
    let distance = |code: &u64| (value(to, *code) - wanted).abs();
    let codes = 0..=greatest_code(to);
    let nearest = codes.min_by(|one, other| {
        let by_distance = distance(one).total_cmp(&distance(other));
        by_distance.then((one & 1).cmp(&(other & 1)))
    });
    sign | nearest.unwrap()
}

#[test]
fn blocks_have_the_scales_and_elements_of_the_definitions() {
    for (seed, to) in FORMATS.iter().enumerate() {
        for rule in ["floor", "ceil", "reciprocal"] {
            let name = |result: &str| format!("unit:mx:TO={to},RULE={rule},RESULT={result}");
            let models =
                [name("scale"), name("element,I=5")].map(|name| Model::parse(&name).unwrap());
            let kinds = [
                Kind::Random,
                Kind::Finite,
                Kind::Feature,
                Kind::Edge,
                Kind::Cancel,
            ];
            let signature = models[0].signature();
            let draws = kinds.map(|kind| Draw::new(signature, kind, seed as u64));
            let count = part_of(BLOCKS) / kinds.len();
            let mut inputs: Vec<Inputs> = draws
                .into_iter()
                .flat_map(|mut draw| (0..count).map(move |_| draw.draw()))
                .collect();
            // Reciprocals of the greatest number, as kernels have them.
            let reciprocal = (1.0 / value(to, greatest_code(to))) as f32;
            for (index, inputs) in inputs.iter_mut().enumerate() {
                inputs.c = match (rule, index % 2) {
                    ("reciprocal", 0) => reciprocal.to_bits().into(),
                    ("reciprocal", _) => inputs.c & 0x7fff_ffff,
                    _ => 0,
                };
            }
            let on_columns = models.each_ref().map(|model| {
                let mut batch = model.batch();
                batch.prepare_for_rows(inputs.len() as u64);
                batch.results(&inputs)
            });
            for (index, inputs) in inputs.iter().enumerate() {
                let scale = scale(rule, to, inputs);
                let expected = [scale, element(to, inputs.a[5], scale)];
                let line = inputs.to_line(&signature);
                for ((model, expected), columns) in models.iter().zip(expected).zip(&on_columns) {
                    let found = model.simulator().run(inputs);
                    assert_eq!(found, expected, "{model}: {line}");
                    assert_eq!(columns[index], expected, "{model}: {line}");
                    assert_eq!(model.evaluate_big(inputs).unwrap(), expected, "{line}");
                }
            }
        }
    }
}

#[test]
fn steps_of_scales_are_of_conversions_and_of_formats_that_have_them() {
    let cases = [
        (
            "a: s8[2] d: s8 d = greatest(a)",
            "NaNs above all numbers, found s8",
        ),
        (
            "a: e4m3fnuz[2] d: e4m3fnuz d = greatest(a)",
            "NaNs above all numbers, found e4m3fnuz",
        ),
        (
            "a: f32[2] c: f16 d: f32 d = greatest(a, c)",
            "registers of one format, found f32 and f16",
        ),
        (
            "a: ue4m3[2] d: ue4m3 d = inverse(a[0])",
            "a scale of ue8m0, found one of ue4m3",
        ),
        ("a, b: f32[1] d: f32 d = greatest(a, b)", "a conversion"),
    ];
    for (text, expected) in cases {
        let error = Model::parse(&format!("unit:{{unit u {{ {text} }}}}")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
