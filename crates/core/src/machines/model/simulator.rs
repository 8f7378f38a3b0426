//! The simulator: a model on the narrowest instance that holds its widest word.

use super::{Instance, Model};
use crate::machines::algorithms::{CheckedInputs, Inputs, Misfit, Registers, Stages};
use mmasmt_numbers::bits::{Concrete, MixedBits, W64, W128};

/// Evaluates one model on many inputs, and reuses its buffers.
pub struct Simulator<'m> {
    model: &'m Model,
    words: Words,
}

enum Words {
    W64(Buffers<W64>),
    W128(Buffers<W128>),
    Mixed(Buffers<MixedBits>),
}

struct Buffers<B: Concrete + Instance> {
    registers: Registers<B>,
    stages: Stages<B>,
}

impl Model {
    /// A simulator on the narrowest instance that holds the widest word.
    pub fn simulator(&self) -> Simulator<'_> {
        Simulator::new(self)
    }
}

impl<'m> Simulator<'m> {
    fn new(model: &'m Model) -> Self {
        let words = match model.widest() {
            0..=64 => Words::W64(Buffers::new()),
            65..=128 => Words::W128(Buffers::new()),
            _ => Words::Mixed(Buffers::new()),
        };
        Simulator { model, words }
    }

    /// The instance of the simulator: `u64`, `u128`, or `BigUint`, which keeps narrow words in
    /// `u64`.
    pub fn instance(&self) -> &'static str {
        match self.words {
            Words::W64(_) => "u64",
            Words::W128(_) => "u128",
            Words::Mixed(_) => "BigUint",
        }
    }

    /// The cost of one run: the number of bytes of formula nodes that could be made in the same
    /// time.
    pub fn cost(&self) -> u64 {
        let products = u64::from(self.model.signature().products);
        match self.words {
            Words::W64(_) | Words::W128(_) => 4 * (products + 8),
            Words::Mixed(_) => 80 * (products + 8),
        }
    }

    /// Whether no machine word is wide enough for the model.
    pub fn is_wide(&self) -> bool {
        matches!(self.words, Words::Mixed(_))
    }

    /// The result register for `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the signature of the model.
    pub fn evaluate(&mut self, inputs: &Inputs) -> Result<u64, Misfit> {
        inputs.checked(&self.model.signature())?;
        Ok(self.run(inputs))
    }

    /// The result register for inputs that are already checked. This method is for loops that run
    /// the same inputs on several simulators.
    ///
    /// # Errors
    /// If the inputs were checked for another signature than that of the model.
    pub fn evaluate_checked(&mut self, inputs: &CheckedInputs<'_>) -> Result<u64, Misfit> {
        Ok(self.run(inputs.for_signature(&self.model.signature())?))
    }

    /// The result register for inputs that this crate has made or read for the model's signature.
    pub fn run(&mut self, inputs: &Inputs) -> u64 {
        match &mut self.words {
            Words::W64(buffers) => buffers.run(self.model, inputs),
            Words::W128(buffers) => buffers.run(self.model, inputs),
            Words::Mixed(buffers) => buffers.run(self.model, inputs),
        }
    }
}

impl<B: Concrete + Instance> Buffers<B> {
    fn new() -> Self {
        Buffers {
            registers: Registers::new(Vec::new(), Vec::new(), B::lit(1, 0)),
            stages: Stages::for_result(),
        }
    }

    fn run(&mut self, model: &Model, inputs: &Inputs) -> u64 {
        let signature = model.signature();
        let registers = &mut self.registers;
        registers.refill(&signature, inputs, |format, &bits| {
            B::lit(format.width(), bits)
        });
        self.stages.clear();
        let operands = registers.operands();
        B::run(model.algorithm(), operands, &mut self.stages).to_u64()
    }
}
