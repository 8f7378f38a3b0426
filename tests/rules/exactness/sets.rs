//! Sets of multiples: how many bits their sums have.

use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::exactness::Multiples;
use std::cmp::Ordering;
use std::collections::BTreeSet;

fn significant(number: u64) -> u64 {
    u64::from(u64::BITS - number.leading_zeros()).saturating_sub(number.trailing_zeros().into())
}

/// All numbers below `2^top` that have at most `bits` significant bits.
fn numbers(bits: u64, top: u32) -> Vec<u64> {
    let all = 0..1u64 << top;
    all.filter(|number| significant(*number) <= bits).collect()
}

/// How many low bits of the number are dropped to keep `bits` significant bits.
fn below(number: u64, bits: u32) -> u32 {
    (u64::BITS - number.leading_zeros()).saturating_sub(bits)
}

fn towards_zero(number: u64, bits: u32) -> u64 {
    let below = below(number, bits);
    number >> below << below
}

fn nearest_even(number: u64, bits: u32) -> u64 {
    let below = below(number, bits);
    let (kept, rest) = (number >> below, number - (number >> below << below));
    let up = match (2 * rest).cmp(&(1 << below)) {
        Ordering::Less => 0,
        Ordering::Equal => kept % 2,
        Ordering::Greater => 1,
    };
    (kept + up) << below
}

#[test]
fn sums_of_short_numbers_have_the_bits_that_they_are_said_to_have() {
    let mut either_way = 0;
    for ((bits, top), (other_bits, other_top), coarser, count) in [
        ((1, 4), (1, 4), 0, 1),
        ((1, 5), (2, 3), 0, 2),
        ((2, 5), (1, 6), 0, 3),
        ((3, 5), (3, 5), 0, 3),
        ((2, 6), (5, 5), 0, 2),
        ((4, 4), (1, 7), 0, 2),
        ((1, 3), (1, 1), 0, 2),
        ((1, 6), (1, 2), 0, 4),
        ((2, 5), (1, 1), 1, 2),
        ((1, 5), (1, 1), 2, 3),
        ((1, 6), (2, 2), 1, 3),
    ] {
        let set = |bits, top, unit: u32| {
            let mut numbers = numbers(bits, top);
            let most = *numbers.last().unwrap();
            numbers.iter_mut().for_each(|number| *number <<= unit);
            let set = Multiples::new(unit.into(), most.into(), bits, unit.into());
            (set, numbers)
        };
        let (one, ones) = set(bits, top, 0);
        let (other, others) = set(other_bits, other_top, coarser);
        let (mut sum, mut sums) = (other, BTreeSet::from_iter(others));
        for _ in 0..count {
            sum = sum.plus(&one);
            let more = sums
                .iter()
                .flat_map(|sum| ones.iter().map(move |one| sum + one));
            sums = more.collect();
        }
        let most = sums.iter().map(|sum| significant(*sum)).max().unwrap();
        assert_eq!(
            sum.bits(),
            most,
            "{bits} {top}, {other_bits} {other_top} {coarser}, {count}"
        );
        for bits in 0..12 {
            assert_eq!(sum.has_bits(bits, 0), bits >= most, "{bits} of {sum:?}");
        }
        let format = Format::E5M2;
        let held = |numbers: &BTreeSet<u64>| {
            let mut all = numbers.iter();
            all.all(|number| nearest_even(*number, 3) == towards_zero(*number, 3))
        };
        let held = held(&sums);
        either_way += u32::from(most > 3 && held);
        assert_eq!(sum.has_ties_above_powers_alone(&format), held);
    }
    assert!(either_way > 0);
}
