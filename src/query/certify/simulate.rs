//! The values of all gates for many inputs at once.

use crate::algorithms::Signature;
use crate::bits::blast::{Gate, Netlist, Wire};
use crate::property::input_numbers;
use crate::vectors::Inputs;

/// Inputs in a word.
pub(super) const LANES: usize = 64;

/// The values of all gates for some inputs, a bit for each.
pub(super) struct Simulation {
    /// Words of each gate.
    pub words: usize,
    values: Vec<u64>,
}

impl Simulation {
    /// The values for these inputs; the last one stands for those that are missing to whole words.
    pub fn of(netlist: &Netlist, signature: &Signature, inputs: &[Inputs]) -> Simulation {
        let words = inputs.len().div_ceil(LANES);
        let blocks: Vec<Vec<u64>> = inputs
            .chunks(LANES)
            .map(|block| values(netlist, signature, block))
            .collect();
        let mut all = Vec::with_capacity(words * netlist.gates().len());
        for gate in 0..netlist.gates().len() {
            all.extend(blocks.iter().map(|block| block[gate]));
        }
        Simulation { words, values: all }
    }

    /// The values of a gate.
    pub fn gate(&self, gate: usize) -> &[u64] {
        &self.values[gate * self.words..][..self.words]
    }
}

/// A word for each gate: its values for up to [`LANES`] inputs.
pub(super) fn values(netlist: &Netlist, signature: &Signature, inputs: &[Inputs]) -> Vec<u64> {
    let numbers = input_numbers(signature);
    let count = numbers.each(signature).map(|(_, n)| *n + 1).max();
    let mut registers = vec![[0_u64; LANES]; count.unwrap_or(0) as usize];
    for lane in 0..LANES {
        let Some(inputs) = inputs.get(lane).or(inputs.last()) else {
            break;
        };
        let pairs = numbers.each(signature).zip(inputs.each(signature));
        for ((_, number), (_, bits)) in pairs {
            registers[*number as usize][lane] = *bits;
        }
    }
    let mut values: Vec<u64> = Vec::with_capacity(netlist.gates().len());
    for gate in netlist.gates() {
        let is = |wire: Wire| value(&values, wire);
        let own = match *gate {
            Gate::False => 0,
            Gate::Input { input, bit } => {
                let lanes = registers[input as usize].iter().enumerate();
                lanes.fold(0, |word, (lane, register)| {
                    word | (register >> bit & 1) << lane
                })
            }
            Gate::And(a, b) => is(a) & is(b),
            Gate::Xor(a, b) => is(a) ^ is(b),
            Gate::Mux(c, t, e) => is(c) & is(t) | !is(c) & is(e),
        };
        values.push(own);
    }
    values
}

/// The values of a wire, given those of all gates.
pub(super) fn value(values: &[u64], wire: Wire) -> u64 {
    let own = values[wire.gate()];
    if wire.is_negated() { !own } else { own }
}
