//! Rounding to binary32 by the processor, in columns, against a reference of integers.

use crate::common::setting::part_of;
use mmasmt_columns::tape::{ColumnType, Features, LANES, Tape, TapeProgram, Type};
use mmasmt_numbers::bits::ranged::{RangedBits, RangedInputs};
use mmasmt_numbers::bits::{Bv, HostCut, HostMode, HostOperations, HostRounding};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The place of the highest one.
fn top(number: u128) -> i32 {
    127 - number.leading_zeros() as i32
}

/// The register of `sum * 2^exponent`.
fn reference(sum: i64, exponent: i32, rounding: &HostRounding) -> u32 {
    let (mut number, mut exponent) = (u128::from(sum.unsigned_abs()), exponent);
    let negative = sum < 0;
    if number == 0 {
        return 0;
    }
    if let Some(cut) = rounding.cut {
        let last = (top(number) + exponent).max(-126) - (cut.bits as i32 - 1);
        if last > exponent {
            let shift = (last - exponent).min(120);
            let lost = number & ((1 << shift) - 1) != 0;
            number = (number >> shift) + u128::from(cut.floor && negative && lost);
            exponent = last;
        }
    }
    let fraction = match rounding.mode {
        HostMode::Nearest => 23,
        HostMode::TowardZero(bits) => bits as i32,
    };
    let last = (if number == 0 {
        -126
    } else {
        top(number) + exponent
    })
    .max(-126)
        - fraction;
    let shift = last - exponent;
    let mut kept = if shift <= 0 {
        number << -shift
    } else {
        number >> shift.min(120)
    };
    if shift > 0 && rounding.mode == HostMode::Nearest {
        let rest = number - (kept << shift.min(120));
        let half = 1 << (shift.min(120) - 1);
        kept += u128::from(rest > half || rest == half && kept % 2 == 1);
    }
    let sign = u32::from(negative && (kept > 0 || rounding.keeps_sign_of_zero)) << 31;
    if kept == 0 {
        return sign;
    }
    let highest = top(kept) + last;
    let magnitude = if highest > 127 {
        0x7f80_0000
    } else if highest < -126 {
        (kept as u32) << (last + 149)
    } else {
        let significand = (kept << 23 >> top(kept)) as u32;
        ((highest + 127) as u32) << 23 | (significand & 0x7f_ffff)
    };
    sign | magnitude
}

const FLOOR: [bool; 2] = [false, true];

/// Every kind of rounding that the programs know.
fn roundings() -> Vec<HostRounding> {
    let plain = HostRounding {
        exponent_offset: -230,
        cut: None,
        mode: HostMode::Nearest,
        keeps_sign_of_zero: true,
    };
    let cuts = FLOOR.map(|floor| HostRounding {
        cut: Some(HostCut { bits: 32, floor }),
        ..plain
    });
    let toward_zero = [23, 13, 1].map(|fraction| HostRounding {
        mode: HostMode::TowardZero(fraction),
        keeps_sign_of_zero: false,
        ..plain
    });
    let positive = HostRounding {
        keeps_sign_of_zero: false,
        ..plain
    };
    [plain, positive]
        .into_iter()
        .chain(cuts)
        .chain(toward_zero)
        .collect()
}

fn fill(program: &mut TapeProgram, index: usize, values: &[u64]) {
    fn fill<T: ColumnType>(to: &mut [T], values: &[u64]) {
        to.iter_mut()
            .zip(values)
            .for_each(|(to, value)| *to = T::of((*value).into()));
    }
    let Some(place) = program.input(index) else {
        return;
    };
    match place.of {
        Type::U8 => fill(program.column_mut::<u8>(place), values),
        Type::U16 => fill(program.column_mut::<u16>(place), values),
        Type::U32 => fill(program.column_mut::<u32>(place), values),
        Type::U64 => fill(program.column_mut::<u64>(place), values),
        Type::U128 => fill(program.column_mut::<u128>(place), values),
    }
}

/// Numbers of `width` bits: few ones, many ones, near powers of two and in the middle between.
fn drawn(rng: &mut ChaCha8Rng, width: u32) -> u64 {
    let mask = (1u64 << width) - 1;
    let place = rng.random_range(0..width);
    let number: u64 = match rng.random_range(0..6) {
        0 => rng.random(),
        1 => 1 << place,
        2 => (1u64 << place).wrapping_sub(1),
        3 => (1u64 << place).wrapping_add(1 << rng.random_range(0..width)),
        4 => (1u64 << place).wrapping_neg(),
        _ => rng.random::<u64>() >> rng.random_range(0..64),
    };
    number & mask
}

/// Compares blocks of sums of `width` bits with the reference, for each kind of rounding and all
/// features of the processor. With `apart`, a sum is that of two numbers of 32 bits with signs.
fn check(width: u32, exponent_width: u32, apart: bool, blocks: u64) {
    for rounding in roundings() {
        let inputs = RangedInputs::with_host(HostOperations::All);
        let [sum, exponent] = [width, exponent_width].map(|width| inputs.input(width));
        let sum = if apart {
            let high = sum.extract(62, 32).zext(33).neg_if(&sum.bit(63));
            let low = sum.extract(30, 0).zext(33).neg_if(&sum.bit(31));
            RangedBits::sum(&[high, low])
        } else {
            sum
        };
        let register =
            RangedBits::rounded_on_host(&sum, &exponent, &rounding).expect("an exact sum");
        let node = inputs.node_of(&register);
        let tape = Tape::of(&inputs.graph(), &[node]).expect("a tape").fused();
        for block in 0..blocks {
            let mut rng = ChaCha8Rng::seed_from_u64(block);
            let sums: Vec<u64> = (0..LANES)
                .map(|_| {
                    if apart {
                        rng.random()
                    } else {
                        drawn(&mut rng, width)
                    }
                })
                .collect();
            // Some blocks have no exponents for which results are subnormal.
            let least = [0, 0, 140][block as usize % 3];
            let most = 1u64 << exponent_width;
            let exponents: Vec<u64> = (0..LANES)
                .map(|_| rng.random_range(least.min(most - 1)..most))
                .collect();
            for features in Features::available() {
                let mut program = TapeProgram::new(&tape, features).expect("a program");
                fill(&mut program, 0, &sums);
                fill(&mut program, 1, &exponents);
                program.run();
                let found = program.column::<u32>(program.results()[0]);
                for lane in 0..LANES {
                    let bits = sums[lane];
                    let part = |bits: u64| {
                        let magnitude = (bits & 0x7fff_ffff) as i64;
                        if bits >> 31 & 1 == 1 {
                            -magnitude
                        } else {
                            magnitude
                        }
                    };
                    let sum = if apart {
                        part(bits >> 32) + part(bits)
                    } else {
                        (bits << (64 - width)) as i64 >> (64 - width)
                    };
                    let power = exponents[lane] as i32 + rounding.exponent_offset;
                    let expected = reference(sum, power, &rounding);
                    assert_eq!(
                        found[lane], expected,
                        "{sum} * 2^{power}, {rounding:?}, {features:?}: {:08x}, expected {expected:08x}",
                        found[lane]
                    );
                }
            }
        }
    }
}

#[test]
fn roundings_by_the_processor_are_those_of_integers() {
    let blocks = part_of(60) as u64;
    for (width, exponent_width) in [(20, 9), (32, 9), (33, 9), (40, 9), (54, 9), (40, 8)] {
        check(width, exponent_width, false, blocks);
    }
    check(64, 9, true, blocks);
}

/// A sum that binary64 may not hold, and an exponent out of its range, are left to integers.
#[test]
fn what_binary64_does_not_hold_is_not_rounded_by_the_processor() {
    let inputs = RangedInputs::with_host(HostOperations::All);
    let rounding = roundings()[0];
    let [wide, sum] = [55, 54].map(|width| inputs.input(width));
    let [far, exponent] = [12, 9].map(|width| inputs.input(width));
    assert!(RangedBits::rounded_on_host(&wide, &exponent, &rounding).is_none());
    assert!(RangedBits::rounded_on_host(&sum, &far, &rounding).is_none());
    assert!(RangedBits::rounded_on_host(&sum, &exponent, &rounding).is_some());
    let plain = RangedInputs::new();
    let [sum, exponent] = [40, 9].map(|width| plain.input(width));
    assert!(RangedBits::rounded_on_host(&sum, &exponent, &rounding).is_none());
}
