//! The simulator: a model on the narrowest instance that holds its widest word.

use super::Model;
use crate::algorithms::{DotAdd, Operands, Stages};
use crate::bits::{Big, Concrete, W64, W128};
use crate::vectors::Inputs;

/// Evaluates one model on many inputs; it keeps its buffers between them.
pub struct Simulator<'m> {
    model: &'m Model,
    instance: Instance,
}

enum Instance {
    W64(Buffers<W64>),
    W128(Buffers<W128>),
    Big(Buffers<Big>),
}

struct Buffers<B: Concrete> {
    a: Vec<B>,
    b: Vec<B>,
    stages: Stages<B>,
}

impl<'m> Simulator<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let instance = match model.widest() {
            0..=64 => Instance::W64(Buffers::new()),
            65..=128 => Instance::W128(Buffers::new()),
            _ => Instance::Big(Buffers::new()),
        };
        Simulator { model, instance }
    }

    /// The instance that it runs on: `u64`, `u128` or `BigUint`.
    pub fn instance(&self) -> &'static str {
        match self.instance {
            Instance::W64(_) => "u64",
            Instance::W128(_) => "u128",
            Instance::Big(_) => "BigUint",
        }
    }

    /// The result register. `inputs` must have been [checked](Inputs::padded) against the
    /// signature of the model.
    pub fn run(&mut self, inputs: &Inputs) -> u64 {
        match &mut self.instance {
            Instance::W64(buffers) => buffers.run(self.model, inputs),
            Instance::W128(buffers) => buffers.run(self.model, inputs),
            Instance::Big(buffers) => buffers.run(self.model, inputs),
        }
    }
}

impl<B: Concrete> Buffers<B> {
    fn new() -> Self {
        Buffers {
            a: Vec::new(),
            b: Vec::new(),
            stages: Stages::new(),
        }
    }

    fn run(&mut self, model: &Model, inputs: &Inputs) -> u64 {
        let signature = model.signature();
        let fill = |row: &mut Vec<B>, values: &[u64], width| {
            row.clear();
            row.extend(values.iter().map(|&bits| B::lit(width, bits)));
        };
        fill(&mut self.a, &inputs.a, signature.a.width());
        fill(&mut self.b, &inputs.b, signature.b.width());
        let c = B::lit(signature.c.width(), inputs.c);
        self.stages.clear();
        let operands = Operands {
            a: &self.a,
            b: &self.b,
            c: &c,
        };
        model
            .algorithm()
            .dot_add(operands, &mut self.stages)
            .to_u64()
    }
}
