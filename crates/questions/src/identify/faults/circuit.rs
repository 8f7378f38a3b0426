//! The gates of a unit, with what is needed to follow a change through them.

use crate::claims::property::{Domain, input_numbers};
use crate::claims::query::blasted_inputs;
use mmasmt_core::machines::algorithms::{Inputs, Registers, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::blast::{Netlist, SignalBits, Wire, cone};

/// The circuit of a model: textbook adders, multipliers and shifters, as bit-blasting makes them.
pub(super) struct UnitCircuit {
    pub netlist: Netlist,
    pub signature: Signature,
    /// The operands that inputs may have.
    pub domain: Domain,
    /// The number of each operand among the inputs of the netlist.
    numbers: Registers<u32>,
    /// The bits of the result.
    pub outputs: Vec<Wire>,
    /// The gates that the result depends on.
    pub needed: Vec<usize>,
    /// For each gate, the place of its first reader in `readers`; one more at the end.
    starts: Vec<u32>,
    readers: Vec<u32>,
}

/// A gate whose output is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The position of the gate in the netlist.
    pub gate: usize,
    /// Whether it is 1.
    pub is_one: bool,
}

/// The most inputs of a block: one for each bit of a word.
pub(super) const BLOCK: usize = u64::BITS as usize;

impl UnitCircuit {
    pub fn of(model: &Model, domain: Domain) -> UnitCircuit {
        let signature = model.signature();
        let numbers = input_numbers(&signature);
        let (netlist, outputs) = Netlist::of(|| {
            let inputs = blasted_inputs(&signature);
            model.result_alone::<SignalBits>(&inputs).wires()
        });
        let gates = netlist.gates();
        let needed = cone(gates, outputs.iter().copied());
        let mut starts = vec![0; gates.len() + 1];
        for at in &needed {
            gates[*at]
                .operands()
                .for_each(|wire| starts[wire.gate() + 1] += 1);
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut readers = vec![0; *starts.last().unwrap_or(&0) as usize];
        for at in &needed {
            for wire in gates[*at].operands() {
                readers[next[wire.gate()] as usize] = *at as u32;
                next[wire.gate()] += 1;
            }
        }
        UnitCircuit {
            netlist,
            signature,
            domain,
            numbers,
            outputs,
            needed,
            starts,
            readers,
        }
    }

    /// All faults of gates that the result depends on.
    pub fn faults(&self) -> Vec<Fault> {
        let of = |gate: &usize| {
            [false, true].map(|is_one| Fault {
                gate: *gate,
                is_one,
            })
        };
        self.needed.iter().flat_map(of).collect()
    }

    /// Registers by the numbers that they have among the inputs.
    pub fn by_number<'r, T>(
        &'r self,
        registers: &'r Registers<T>,
    ) -> impl Iterator<Item = (u32, &'r T)> {
        let numbers = self
            .numbers
            .each(&self.signature)
            .map(|(_, number)| *number);
        numbers.zip(
            registers
                .each(&self.signature)
                .map(|(_, register)| register),
        )
    }

    /// The gates that read a gate.
    pub fn readers(&self, gate: usize) -> &[u32] {
        &self.readers[self.starts[gate] as usize..self.starts[gate + 1] as usize]
    }

    /// The values of all gates for a block of inputs, one in each bit of a word.
    pub fn values(&self, block: &[Inputs]) -> Vec<u64> {
        let registers = self.registers_by_number(block);
        let mut values: Vec<u64> = Vec::with_capacity(self.netlist.gates().len());
        for gate in self.netlist.gates() {
            let input = |input: u32, bit: u32| {
                // An operand that there is not has no registers.
                let each = registers.get(input as usize).into_iter().flatten();
                let each = each.enumerate();
                each.fold(0, |word, (at, register)| word | (register >> bit & 1) << at)
            };
            let own = gate.word(input, |wire| wire.word(values[wire.gate()]));
            values.push(own);
        }
        values
    }

    /// For each input of the netlist, its registers in the block.
    fn registers_by_number(&self, block: &[Inputs]) -> Vec<Vec<u64>> {
        let numbers = self
            .numbers
            .each(&self.signature)
            .map(|(_, number)| *number);
        let count = numbers.max().map_or(0, |most| most as usize + 1);
        let mut all = vec![Vec::with_capacity(block.len()); count];
        for inputs in block {
            for (number, register) in self.by_number(inputs) {
                all[number as usize].push(*register);
            }
        }
        all
    }

    /// The operands whose bits are those of the inputs of the netlist.
    pub fn inputs(&self, bit: impl Fn(u32, u32) -> bool) -> Inputs {
        self.numbers.map(&self.signature, |format, number| {
            let bits = 0..format.width();
            bits.fold(0, |register, at| {
                register | u64::from(bit(*number, at)) << at
            })
        })
    }
}
