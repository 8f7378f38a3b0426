//! Bit-blasting: random expressions against big integers.

#[path = "common/garden.rs"]
mod garden;

use garden::{WIDTHS, expressions, value};
use mmasmt::bits::blast::{Blasted, Netlist};
use mmasmt::bits::{Big, Bv, Concrete};
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn number(bits: &Blasted, values: &[bool]) -> BigUint {
    let wires = bits.wires().iter().rev();
    wires.fold(BigUint::ZERO, |number, wire| {
        (number << 1) + u32::from(wire.value(values))
    })
}

#[test]
fn random_expressions_have_the_values_that_big_integers_give() {
    for seed in 0..2500 {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
        let (netlist, blasted) = Netlist::of(|| {
            let inputs = [0, 1, 2].map(|index| Blasted::input(index, widths[index as usize]));
            expressions(seed, &inputs)
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
