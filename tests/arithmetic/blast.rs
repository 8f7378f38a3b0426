//! Bit-blasting: random expressions against big integers.

use crate::common::garden::{WIDTHS, expressions, value};
use mmasmt_numbers::bits::blast::{Netlist, SignalBits, Wire};
use mmasmt_numbers::bits::{Big, Bv, Concrete};
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn number(wires: &[Wire], values: &[bool]) -> BigUint {
    wires.iter().rev().fold(BigUint::ZERO, |number, wire| {
        (number << 1) + u32::from(wire.value(values))
    })
}

#[test]
fn random_expressions_have_the_values_that_big_integers_give() {
    for seed in 0..2500 {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
        let (netlist, blasted) = Netlist::of(|| {
            let inputs = [0, 1, 2].map(|index| SignalBits::input(index, widths[index as usize]));
            let made = expressions(seed, &inputs);
            made.iter().map(SignalBits::wires).collect::<Vec<_>>()
        });
        for _ in 0..3 {
            let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
            let values = netlist.values(|input, bit| given[input as usize].bit(bit));
            let found = blasted.iter().map(|bits| number(bits, &values));
            let expected = expressions(seed, &given);
            let expected = expected.iter().map(Concrete::to_big);
            assert!(found.eq(expected), "seed {seed}, {given:?}");
        }
    }
}
