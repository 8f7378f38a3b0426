//! Sets of registers: all that is derived from one says what the definition of its predicates says.

use crate::oracle::domain::Predicate as Definition;
use mmasmt_numbers::bits::{Bv, Concrete, W128};
use mmasmt_numbers::float::{Dyadic, Format};
use mmasmt_questions::claims::property::{CodeSet, Predicate};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// The predicates on a format that it can be asked about.
fn definitions(format: &Format) -> Vec<Definition> {
    use Definition::*;
    let all = [
        Finite,
        Zero,
        Nonzero,
        Positive,
        Negative,
        From(-3, 100),
        From(0, 4),
        From(-300, -2),
        From(500, 600),
        Is(0),
        Is(5 & format.max_finite()),
        Is(format.sign_mask() | 1),
        Normal,
        ZeroOrNormal,
        Subnormal,
        Exponent(-2, 1),
        Exponent(-20, 0),
        Exponent(0, 2),
        Exponent(1, 500),
        Exponent(-400, -300),
        Bits(1),
        Bits(2),
        Bits(4),
        In(Format::E2M1),
        In(Format::E4M3),
        In(Format::E5M2FNUZ),
        In(Format::I2F6),
        In(Format::UE4M3),
        In(Format::BF16),
        In(Format::F16),
    ];
    let count = if format.is_integer() { 12 } else { all.len() };
    let has_zeros = |definition: &Definition| {
        format.has_zero() || !matches!(definition, Zero | From(..) | In(_))
    };
    all.into_iter().take(count).filter(has_zeros).collect()
}

fn predicate(definition: &Definition) -> Predicate {
    match *definition {
        Definition::Finite => Predicate::Finite,
        Definition::Normal => Predicate::Normal,
        Definition::ZeroOrNormal => Predicate::ZeroOrNormal,
        Definition::Subnormal => Predicate::Subnormal,
        Definition::Zero => Predicate::Zero,
        Definition::Nonzero => Predicate::Nonzero,
        Definition::Positive => Predicate::Positive,
        Definition::Negative => Predicate::Negative,
        Definition::Exponent(low, high) => Predicate::Exponent(low, high),
        Definition::Bits(count) => Predicate::Bits(count),
        Definition::In(format) => Predicate::In(format),
        Definition::From(low, high) => Predicate::Between(low, high),
        Definition::Is(register) => Predicate::Is(register),
    }
}

fn small_formats() -> impl Iterator<Item = Format> {
    let all = Format::ALL
        .into_iter()
        .chain(Format::SCALES)
        .chain(Format::ELEMENTS)
        .chain(Format::INTEGERS);
    all.filter(|format| format.width() <= 8)
}

/// Two predicates, and the set of what satisfies both.
fn pairs(format: Format) -> Vec<([Definition; 2], CodeSet)> {
    let all = definitions(&format);
    // Some of a wide format, where definitions are slow.
    let step = if format.width() > 8 { 7 } else { 1 };
    let pairs = all.iter().enumerate().flat_map(|(number, first)| {
        all[number..]
            .iter()
            .map(move |second| [first.clone(), second.clone()])
    });
    let with_set = pairs.map(|pair| {
        let mut set = CodeSet::all(&format);
        pair.iter()
            .for_each(|definition| set.keep(&predicate(definition)));
        (pair, set)
    });
    with_set.step_by(step).collect()
}

fn admits(definition: &Definition, format: &Format, register: u64) -> bool {
    match format.is_integer() {
        true => admits_integer(definition, format, register),
        false => definition.admits(format, register),
    }
}

fn admits_integer(definition: &Definition, format: &Format, register: u64) -> bool {
    let all = 1i64 << format.width();
    let is_less = format.is_signed() && register >> (format.width() - 1) == 1;
    let value = register as i64 - if is_less { all } else { 0 };
    match *definition {
        Definition::Zero => value == 0,
        Definition::Nonzero => value != 0,
        Definition::Positive => value >= 0,
        Definition::Negative => value < 0 || !format.is_signed(),
        Definition::From(low, high) => (low..=high).contains(&value),
        Definition::Is(other) => register == other,
        _ => true,
    }
}

fn word(format: &Format, register: u64) -> W128 {
    W128::lit(format.width(), register)
}

/// The magnitude of a finite number.
fn magnitude(format: &Format, register: u64) -> Dyadic {
    Dyadic::of(format, register).unwrap().magnitude()
}

#[test]
fn every_register_is_told_as_the_predicates_are_defined() {
    for format in small_formats() {
        let registers = 0..1 << format.width();
        let satisfying = |definition: &Definition| -> Vec<u64> {
            let admitted = registers
                .clone()
                .filter(|register| admits(definition, &format, *register));
            admitted.collect()
        };
        let of_each: Vec<_> = definitions(&format)
            .iter()
            .map(|definition| (format!("{definition:?}"), satisfying(definition)))
            .collect();
        let of_each: HashMap<String, Vec<u64>> = of_each.into_iter().collect();
        for (pair, set) in pairs(format) {
            let read = |register: u64| {
                format.signed(format.is_negative(register), format.magnitude(register))
            };
            let [first, second] = pair
                .clone()
                .map(|definition| &of_each[&format!("{definition:?}")]);
            let mut members = first.clone();
            members.retain(|register| second.contains(register));
            let what = || format!("{format}: {pair:?}");
            for register in 0..1 << format.width() {
                let is_member = members.contains(&register);
                let x = word(&format, register);
                assert_eq!(set.contains(register), is_member, "{} {register:x}", what());
                assert_eq!(set.holds(&x), is_member, "{} {register:x}", what());
                let moved = set.moved(&x).to_u64();
                assert_eq!(set.moved_bits(register), moved, "{} {register:x}", what());
                for moved in [moved, set.shaped(&x).to_u64()] {
                    assert!(!is_member || moved == register, "{} {register:x}", what());
                }
            }
            assert_eq!(set.is_empty(), members.is_empty(), "{}", what());
            let mut read_members: Vec<u64> = members.iter().copied().map(read).collect();
            read_members.sort_unstable();
            read_members.dedup();
            let mut listed: Vec<u64> = set.iter().map(read).collect();
            listed.sort_unstable();
            assert_eq!(listed, read_members, "{}", what());
            assert!(
                set.iter().all(|register| members.contains(&register)),
                "{}",
                what()
            );
            let only = read_members
                .first()
                .filter(|_| read_members.len() == 1)
                .copied();
            assert_eq!(set.only().map(read), only, "{}", what());
        }
    }
}

#[test]
fn ranges_say_of_the_finite_members_what_is_true() {
    for format in small_formats() {
        for (pair, set) in pairs(format) {
            let finite: Vec<u64> = set
                .iter()
                .filter(|register| format.is_finite(*register))
                .collect();
            let range = set.range();
            let ends: Vec<u64> = range
                .codes
                .iter()
                .flat_map(|(negative, codes)| {
                    [*codes.start(), *codes.end()].map(|code| format.signed(*negative, code))
                })
                .collect();
            let what = || format!("{format}: {pair:?}: {range:?}");
            let read = |register: u64| {
                format.signed(format.is_negative(register), format.magnitude(register))
            };
            assert!(
                ends.iter()
                    .all(|end| finite.iter().any(|register| read(*register) == *end)),
                "{}",
                what()
            );
            for register in finite {
                let (negative, code) = (format.is_negative(register), format.magnitude(register));
                let mut ranges = range.codes.iter();
                assert!(
                    ranges.any(|(sign, codes)| *sign == negative && codes.contains(&code)),
                    "{}",
                    what()
                );
                assert_eq!(code & ((1 << range.cleared_bits) - 1), 0, "{}", what());
                let value = magnitude(&format, register);
                let Some(leading) = value.leading_exponent() else {
                    continue;
                };
                assert!(
                    range.unit.is_none_or(|unit| value.exponent() >= unit),
                    "{} {register:x}",
                    what()
                );
                assert!(
                    range.least.is_none_or(|least| leading >= least),
                    "{} {register:x}",
                    what()
                );
            }
        }
    }
}

#[test]
fn one_set_is_a_part_of_another_if_all_its_registers_are() {
    for format in [Format::E4M3, Format::E5M2FNUZ, Format::UE8M0, Format::S8] {
        let sets: Vec<CodeSet> = pairs(format).into_iter().map(|(_, set)| set).collect();
        for (left, right) in sets
            .iter()
            .flat_map(|left| sets.iter().step_by(7).map(move |right| (left, right)))
        {
            let holds = (0..1 << format.width())
                .all(|register| !left.contains(register) || right.contains(register));
            assert_eq!(
                left.is_part_of(right),
                holds,
                "{format}: {left:?} in {right:?}"
            );
        }
    }
}

#[test]
fn the_negative_of_a_set_has_the_negatives() {
    for format in small_formats().filter(|format| format.has_fields() && format.sign_mask() != 0) {
        for (pair, set) in pairs(format) {
            let opposite = set.negated();
            for register in 0..1 << format.width() {
                let other = match format.magnitude(register) == 0 && !format.has_negative_zero() {
                    true => register,
                    false => register ^ format.sign_mask(),
                };
                assert_eq!(
                    opposite.contains(register),
                    set.contains(other),
                    "{format}: {pair:?} {register:x}"
                );
            }
        }
    }
}

/// A register of a wide format near what predicates ask about.
fn drawn(format: &Format, set: &CodeSet, rng: &mut impl Rng) -> u64 {
    let all = u64::MAX >> (64 - format.width());
    let any = rng.random::<u64>() & all;
    let ends = set.ends();
    match (rng.random_range(0..4), ends.is_empty()) {
        (0, _) | (1 | 2, true) => any,
        (1, false) => {
            let (negative, codes) = &ends[rng.random_range(0..ends.len())];
            let end = if rng.random() {
                codes.start()
            } else {
                codes.end()
            };
            format
                .signed(*negative, *end)
                .wrapping_add_signed(rng.random_range(-2..=2))
                & all
        }
        (2, false) => set.moved_bits(any),
        _ => any & (all << rng.random_range(0..format.width())) & all,
    }
}

#[test]
fn drawn_registers_of_wide_formats_are_told_as_the_predicates_are_defined() {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut inside = 0;
    for format in [
        Format::F16,
        Format::BF16,
        Format::TF32,
        Format::F32,
        Format::F64,
        Format::S32,
    ] {
        for (pair, set) in pairs(format) {
            let admits = |register: u64| {
                pair.iter()
                    .all(|definition| admits(definition, &format, register))
            };
            for _ in 0..40 {
                let register = drawn(&format, &set, &mut rng);
                let is_member = admits(register);
                inside += u32::from(is_member);
                let x = word(&format, register);
                assert_eq!(
                    set.contains(register),
                    is_member,
                    "{format}: {pair:?} {register:x}"
                );
                assert_eq!(set.holds(&x), is_member, "{format}: {pair:?} {register:x}");
                let moved = set.moved(&x).to_u64();
                assert_eq!(
                    moved,
                    set.moved_bits(register),
                    "{format}: {pair:?} {register:x}"
                );
                assert!(
                    !is_member || moved == register,
                    "{format}: {pair:?} {register:x}"
                );
                // What is just below and above, among the members.
                let (negative, code) = (format.is_negative(register), format.magnitude(register));
                for found in [set.code_from(negative, code), set.code_to(negative, code)]
                    .into_iter()
                    .flatten()
                {
                    let between = found.min(code)..=found.max(code);
                    for code in between.take(20).filter(|code| *code != found) {
                        let other = format.signed(negative, code)
                            | register & ((1 << format.dropped_bits) - 1);
                        assert!(!admits(other), "{format}: {pair:?} {other:x}");
                    }
                }
            }
        }
    }
    assert!(inside > 3000, "{inside}");
}
