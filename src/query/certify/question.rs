//! What is asked as a netlist, with the sums of both models and samples of the inputs.

use super::simulate::Sample;
use super::stage::Stage;
use crate::algorithms::{Signature, Step};
use crate::bits::Prop;
use crate::bits::blast::{Gate, Netlist, Wire};
use crate::limits::Limits;
use crate::property::{Compared, Property, compared, input_numbers};
use crate::query::Subject;
use crate::query::goal::Difference;
use crate::query::subject::{blasted_inputs, wires};
use crate::vectors::{Inputs, Sampler};

/// How many samples are drawn.
const SAMPLES: usize = 30_000;

/// A question of two models.
pub(super) struct Question {
    pub netlist: Netlist,
    pub root: Wire,
    /// What the root demands of the operands: it holds for all samples.
    pub assumed: Vec<Wire>,
    /// The inputs, bit by bit, in the order of the registers.
    pub registers: Vec<Vec<Wire>>,
    pub stages: Vec<Stage>,
    /// The result of each model.
    pub results: [Vec<Wire>; 2],
    /// Operands that are as assumed.
    pub samples: Vec<Sample>,
}

/// The parts of a netlist.
struct Built {
    root: Wire,
    assumed: Wire,
    registers: Vec<Vec<Wire>>,
    stages: Vec<Stage>,
    results: [Vec<Wire>; 2],
}

impl Question {
    /// None if it is not one of two models.
    pub fn of(subject: &Subject<'_>, seed: u64, limits: &Limits) -> Option<Question> {
        let signature = subject.signature();
        let (netlist, built) = Netlist::of(|| build(subject, &signature));
        let built = built?;
        Some(Question {
            assumed: conjuncts(&netlist, built.assumed),
            netlist,
            root: built.root,
            registers: built.registers,
            stages: built.stages,
            results: built.results,
            samples: samples(subject, &signature, seed, limits),
        })
    }
}

/// Operands that are as assumed, by number of input.
fn samples(
    subject: &Subject<'_>,
    signature: &Signature,
    seed: u64,
    limits: &Limits,
) -> Vec<Sample> {
    let domain = subject.domain();
    let fixed = |inputs: Inputs| domain.map_or(inputs.clone(), |domain| domain.fixed_bits(&inputs));
    let is_asked = |inputs: &Inputs| {
        (subject.specials() || inputs.is_finite(signature))
            && domain.is_none_or(|domain| domain.contains(inputs))
    };
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

/// The wires that one is the conjunction of.
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

/// The netlist of a question of two models.
fn build(subject: &Subject<'_>, signature: &Signature) -> Option<Built> {
    let inputs = blasted_inputs(signature);
    let (assumed, Compared { differ, results, stages: [left, right] }) = match *subject {
        Subject::Violation(claim) => {
            let fixed = claim.domain.fixed(&inputs);
            let Property::Equal(other) = &claim.property else {
                return None;
            };
            let [left, right] = [&claim.model, other];
            let differ = compared(left, right, &fixed);
            (claim.domain.holds(&fixed), differ)
        }
        Subject::Difference {
            models,
            specials,
            domain,
        } => {
            let goal = Difference {
                models,
                domain,
                specials,
                known: &[],
            };
            let (registers, parts) = goal.assumed(&inputs);
            let differ = compared(models[0], models[1], &registers);
            (Prop::all(parts), differ)
        }
    };
    let pairs = left.steps().iter().zip(right.steps());
    let stages = pairs.filter_map(|pair| match pair {
        (Step::Fused(left), Step::Fused(right)) => Stage::of(left, right),
        _ => None,
    });
    Some(Built {
        stages: stages.collect(),
        results: results.map(|result| result.wires()),
        root: assumed.and(&differ).wire(),
        assumed: assumed.wire(),
        registers: wires(&inputs, signature),
    })
}
