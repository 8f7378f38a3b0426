//! A question as a netlist, with the sums of the two models that it compares and samples of inputs.

use super::simulate::SimulatedSample;
use super::stage::CertificateStage;
use crate::claims::property::{ComparedModels, compared, input_numbers};
use crate::claims::query::{Question, blasted_inputs, wires};
use crate::inputs::Sampler;
use mmasmt_core::machines::algorithms::{Inputs, Signature, Step};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::blast::{Gate, Netlist, SignalBits, Wire};
use mmasmt_numbers::bits::{Bv, Prop};
use rustc_hash::FxHashMap;

/// The number of samples that are drawn.
const SAMPLES: usize = 30_000;

/// The gates of a question and, if it compares two models, their sums and results.
pub(super) struct PlainQuestion {
    pub netlist: Netlist,
    pub root: Wire,
    /// The assumptions about the operands, as wires. The root of the question holds only if all of
    /// these wires hold, and they hold on all samples.
    pub assumed: Vec<Wire>,
    /// The wires of the bits of each input, by the number of the input.
    inputs: FxHashMap<u32, Vec<Wire>>,
    pub stages: Vec<CertificateStage>,
    /// The bits of the result of each model.
    pub results: [Vec<Wire>; 2],
    /// Operands that satisfy the assumptions.
    pub samples: Vec<SimulatedSample>,
}

/// The wires of a question in its netlist.
struct QuestionWires {
    root: Wire,
    assumed: Wire,
    registers: Vec<Vec<Wire>>,
    stages: Vec<CertificateStage>,
    results: [Vec<Wire>; 2],
}

impl PlainQuestion {
    /// The gates of a question, and samples that depend on `seed`.
    pub fn of(asked: &Question, seed: u64, limits: &Limits) -> PlainQuestion {
        let signature = asked.signature();
        let (netlist, built) = Netlist::of(|| build(asked, &signature));
        let numbers = input_numbers(&signature);
        let numbers = numbers.each(&signature).map(|(_, number)| *number);
        PlainQuestion {
            assumed: conjuncts(&netlist, built.assumed),
            netlist,
            root: built.root,
            inputs: numbers.zip(built.registers).collect(),
            samples: if built.stages.is_empty() {
                Vec::new()
            } else {
                samples(asked, &signature, seed, limits)
            },
            stages: built.stages,
            results: built.results,
        }
    }

    /// The wire of bit `bit` of input `number`.
    pub fn input(&self, number: u32, bit: usize) -> Option<Wire> {
        let register = self.inputs.get(&number)?;
        register.get(bit).copied()
    }
}

/// Samples of operands that satisfy the assumptions, with the registers by number of input.
fn samples(
    asked: &Question,
    signature: &Signature,
    seed: u64,
    limits: &Limits,
) -> Vec<SimulatedSample> {
    let fixed = |inputs: Inputs| asked.domain().fixed_bits(&inputs);
    let is_asked = |inputs: &Inputs| asked.admits(inputs) && asked.domain().contains(inputs);
    let numbers = input_numbers(signature);
    let by_number = |inputs: Inputs| {
        let mut sample = vec![0; 2 * (signature.products + signature.scale_count()) as usize + 1];
        let registers = numbers.each(signature).zip(inputs.each(signature));
        for ((_, number), (_, register)) in registers {
            sample[*number as usize] = *register;
        }
        sample
    };
    let mut sampler = Sampler::new(*signature, seed);
    let draw = |index| match index % 4 {
        0 => sampler.rare(),
        _ => sampler.sample(),
    };
    let drawn = (0..SAMPLES).map(draw).map(fixed).filter(is_asked);
    let drawn = drawn.take_while(|_| limits.stopped().is_none());
    drawn.map(by_number).collect()
}

/// The wires whose conjunction is the wire `whole`.
fn conjuncts(netlist: &Netlist, whole: Wire) -> Vec<Wire> {
    let mut open = vec![whole];
    let mut parts = Vec::new();
    while let Some(wire) = open.pop() {
        match netlist.gates()[wire.gate()] {
            Gate::And(a, b) if !wire.is_negated() => open.extend([a, b]),
            _ if wire.as_constant() == Some(true) => {}
            _ => parts.push(wire),
        }
    }
    parts
}

/// Builds the gates of a question in a netlist.
fn build(asked: &Question, signature: &Signature) -> QuestionWires {
    let inputs = blasted_inputs(signature);
    let registers = wires(&inputs, signature);
    let models = asked
        .claim()
        .and_then(|claim| claim.property.compared(&claim.model));
    let Some([left, right]) = models else {
        return QuestionWires {
            root: asked.is_met(&inputs).wire(),
            assumed: Wire::constant(true),
            registers,
            stages: Vec::new(),
            results: [Vec::new(), Vec::new()],
        };
    };
    let (fixed, assumed) = asked.assumed(&inputs);
    let assumed = <SignalBits as Bv>::Bool::all(assumed);
    let compared = compared(left, right, &fixed);
    let ComparedModels {
        differ,
        results,
        stages: [left, right],
    } = compared;
    let pairs = left.steps().iter().zip(right.steps());
    let stages = pairs.filter_map(|pair| match pair {
        (Step::Fused(left), Step::Fused(right)) => CertificateStage::of(left, right),
        _ => None,
    });
    QuestionWires {
        stages: stages.collect(),
        root: assumed.and(&differ).wire(),
        assumed: assumed.wire(),
        registers,
        results: results.map(|result| result.wires()),
    }
}
