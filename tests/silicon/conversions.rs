//! The conversions of this processor against their rows: F16C, and the compiler's casts of doubles and integers.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{Draw, Kind};

/// The numbers of a conversion that are drawn.
const DRAWN: usize = 100_000;

/// Numbers of every kind for the conversion, some of them infinities and NaNs.
fn numbers(model: &Model) -> Vec<u64> {
    let kinds = [Kind::Random, Kind::Finite, Kind::Feature, Kind::Edge];
    let draws = kinds.map(|kind| Draw::new(model.signature(), kind, 5));
    let each = draws.into_iter().flat_map(|mut draw| {
        let one = move |_| draw.draw().a[0];
        (0..DRAWN / kinds.len()).map(one)
    });
    each.collect()
}

/// Checks the row against what the processor gives for these numbers.
fn check(name: &str, numbers: &[u64], silicon: impl Fn(u64) -> u64) {
    let model = Model::parse(name).unwrap();
    let mut simulator = model.simulator();
    for bits in numbers {
        let computed = simulator.run(&Inputs::new(vec![*bits], Vec::new(), 0));
        let expected = silicon(*bits);
        assert_eq!(
            computed, expected,
            "{name} of {bits:x}: silicon {expected:x}, the row {computed:x}"
        );
    }
}

fn of_row(name: &str, silicon: impl Fn(u64) -> u64) {
    let numbers = numbers(&Model::parse(name).unwrap());
    check(name, &numbers, silicon);
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions of the processor")]
mod f16c {
    use super::{check, of_row};
    use std::arch::x86_64::{
        _mm_cvtph_ps, _mm_cvtps_ph, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_cvtss_f32, _mm_set_ss,
    };

    #[target_feature(enable = "f16c")]
    fn narrowed<const MODE: i32>(bits: u64) -> u64 {
        let number = _mm_set_ss(f32::from_bits(bits as u32));
        _mm_cvtsi128_si32(_mm_cvtps_ph::<MODE>(number)) as u64 & 0xffff
    }

    #[target_feature(enable = "f16c")]
    fn widened(bits: u64) -> u64 {
        let number = _mm_cvtph_ps(_mm_cvtsi32_si128(bits as i32));
        _mm_cvtss_f32(number).to_bits().into()
    }

    #[test]
    fn conversions_of_f16_are_their_rows() {
        if !std::is_x86_feature_detected!("f16c") {
            eprintln!("skipped: the processor has no F16C");
            return;
        }
        // SAFETY: the processor has F16C.
        let narrowed = |mode: u8| {
            move |bits| unsafe {
                match mode {
                    0 => narrowed::<0>(bits),
                    1 => narrowed::<1>(bits),
                    2 => narrowed::<2>(bits),
                    _ => narrowed::<3>(bits),
                }
            }
        };
        for (mode, word) in (0..).zip(["rn", "rd", "ru", "rz"]) {
            of_row(&format!("x86-cvt/vcvtps2ph.{word}"), narrowed(mode));
        }
        let all: Vec<u64> = (0..1 << 16).collect();
        check("x86-cvt/vcvtph2ps", &all, |bits| unsafe { widened(bits) });
    }
}

#[test]
fn casts_of_the_compiler_are_conversions() {
    let single = |bits: u64| f32::from_bits(bits as u32);
    of_row("f64 -> f32 nan kept", |bits| {
        (f64::from_bits(bits) as f32).to_bits().into()
    });
    of_row("f32 -> s32 by rz overflow saturate nan 0", |bits| {
        single(bits) as i32 as u32 as u64
    });
    of_row("f32 -> u8 by rz overflow saturate nan 0", |bits| {
        (single(bits) as u8).into()
    });
    of_row("f32 -> s8 by rz overflow saturate nan 0", |bits| {
        single(bits) as i8 as u8 as u64
    });
    of_row("f64 -> u32 by rz overflow saturate nan 0", |bits| {
        (f64::from_bits(bits) as u32).into()
    });
}
