//! The values of all gates for samples of inputs, 64 samples at once.

use super::circuit::CertificateCircuit;
use mmasmt_numbers::bits::blast::Wire;

/// The number of samples in a word.
pub(super) const LANES: usize = 64;

/// The registers of one sample, by number of input.
pub(super) type SimulatedSample = Vec<u64>;

/// A word for each gate: the values of the gate for up to [`LANES`] samples.
pub(super) struct SampleWord {
    values: Vec<u64>,
    /// The lanes in use.
    pub lanes: u64,
}

impl SampleWord {
    /// The values for these samples; in the lanes that are left, all inputs are 0.
    pub fn of(circuit: &CertificateCircuit, samples: &[SimulatedSample]) -> SampleWord {
        let mut word = SampleWord {
            values: Vec::with_capacity(circuit.gates().len()),
            lanes: u64::MAX >> (LANES - samples.len().clamp(1, LANES)),
        };
        word.extend(circuit, samples);
        word
    }

    /// Adds the values of gates that were added to the circuit since the last call.
    fn extend(&mut self, circuit: &CertificateCircuit, samples: &[SimulatedSample]) {
        let bit_of = |input: u32, bit: u32| {
            let of_sample =
                |sample: &SimulatedSample| sample.get(input as usize).copied().unwrap_or(0);
            let samples = samples.iter().take(LANES).enumerate();
            samples.fold(0, |word, (lane, sample)| {
                word | (of_sample(sample) >> bit & 1) << lane
            })
        };
        for index in self.values.len()..circuit.gates().len() {
            let own = circuit.gates()[index].word(bit_of, |wire| self.wire(wire));
            self.values.push(own);
        }
    }

    /// The values of a wire, one bit for each lane.
    pub fn wire(&self, wire: Wire) -> u64 {
        wire.word(self.values[wire.gate()])
    }

    /// The number in two's complement whose bits are these wires, lowest bit first, in one lane.
    pub fn number(&self, wires: &[Wire], lane: usize) -> i64 {
        let width = wires.len() as u32;
        let bits = wires.iter().enumerate();
        let number = bits.fold(0_i64, |number, (bit, wire)| {
            number | ((self.wire(*wire) >> lane & 1) as i64) << bit
        });
        number << (i64::BITS - width) >> (i64::BITS - width)
    }
}
