//! What is asked as a netlist, with the stages of both models, samples, and gates beside it.

use super::cases::{Cases, differences};
use super::simulate::{LANES, value, values};
use super::stage::Stage;
use crate::algorithms::{Registers, Signature, Step};
use crate::bits::Prop;
use crate::bits::blast::{Blasted, Gate, Netlist, Wire};
use crate::engine::Limits;
use crate::proof::{Cnf, Variables, encode_with};
use crate::property::differ_with_stages;
use crate::query::Subject;
use crate::query::goal::Difference;
use crate::query::subject::blasted_inputs;
use crate::vectors::{Inputs, Sampler};

/// How many samples are looked at.
const SAMPLES: usize = 60_000;

/// A question of two models.
pub(super) struct Question {
    pub signature: Signature,
    pub netlist: Netlist,
    pub root: Wire,
    /// What the root demands of the operands: it holds for all samples.
    pub assumed: Vec<Wire>,
    pub stages: Vec<Stage>,
    /// Operands that are as assumed.
    pub samples: Vec<Inputs>,
    pub cnf: Cnf,
    pub variables: Variables,
}

/// The parts of a netlist.
struct Built {
    root: Wire,
    stages: Vec<Stage>,
}

impl Question {
    /// None if it is not one of two models.
    pub fn of(subject: &Subject<'_>, seed: u64, limits: &Limits) -> Option<Question> {
        let signature = subject.signature();
        let fixed = |inputs| match subject {
            Subject::Violation(claim) => claim.fixed(&inputs),
            Subject::Difference { domain, .. } => match domain {
                Some(domain) => domain.fixed_bits(&inputs),
                None => inputs,
            },
        };
        let is_asked = |inputs: &Inputs| match subject {
            Subject::Violation(claim) => claim.domain.contains(inputs),
            Subject::Difference {
                domain, specials, ..
            } => {
                (*specials || inputs.is_finite(&signature))
                    && domain.is_none_or(|domain| domain.contains(inputs))
            }
        };
        let mut sampler = Sampler::new(signature, seed);
        let draw = |index| match index % 8 {
            0 => sampler.rare(),
            _ => sampler.sample(),
        };
        let samples: Vec<Inputs> = (0..SAMPLES)
            .map(draw)
            .map(fixed)
            .filter(is_asked)
            .take_while(|_| limits.stopped().is_none())
            .collect();
        // The cases are those that the samples show.
        let (netlist, built) = Netlist::of(|| build(subject, &signature, &[]));
        let built = built?;
        let mut seen: Vec<Cases> = built.stages.iter().map(|_| Cases::default()).collect();
        for block in samples.chunks(LANES) {
            let values = values(&netlist, &signature, block);
            for (stage, seen) in built.stages.iter().zip(&mut seen) {
                differences(stage, &values, seen);
            }
        }
        let (netlist, built) = Netlist::of(|| build(subject, &signature, &seen));
        let Built { root, stages } = built?;
        let beside: Vec<Wire> = stages.iter().flat_map(Stage::beside).collect();
        let mut cnf = Cnf::default();
        let variables = encode_with(&netlist, root, &beside, &mut cnf);
        let shown = samples.chunks(LANES).take(8);
        let shown: Vec<Vec<u64>> = shown
            .map(|block| values(&netlist, &signature, block))
            .collect();
        let mut assumed = conjuncts(&netlist, root);
        assumed.retain(|wire| shown.iter().all(|values| value(values, *wire) == u64::MAX));
        Some(Question {
            signature,
            netlist,
            root,
            assumed,
            stages,
            samples,
            cnf,
            variables,
        })
    }
}

/// The wires that the root is the conjunction of.
fn conjuncts(netlist: &Netlist, root: Wire) -> Vec<Wire> {
    let mut open = vec![root];
    let mut parts = Vec::new();
    while let Some(wire) = open.pop() {
        match netlist.gates()[wire.gate()] {
            Gate::And(a, b) if !wire.is_negated() => open.extend([a, b]),
            _ => parts.push(wire),
        }
    }
    parts
}

/// The netlist of a question of two models, and beside it what tells the cases of its stages apart.
fn build(subject: &Subject<'_>, signature: &Signature, cases: &[Cases]) -> Option<Built> {
    let inputs: Registers<Blasted> = blasted_inputs(signature);
    let (root, [left, right]) = match *subject {
        Subject::Violation(claim) => {
            let fixed = claim.domain.fixed(&inputs);
            let [left, right] = claim.property.compared(&claim.model)?;
            let (differ, stages) = differ_with_stages(left, right, &fixed);
            (claim.domain.holds(&fixed).and(&differ), stages)
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
            let (registers, mut parts) = goal.assumed(&inputs);
            let (differ, stages) = differ_with_stages(models[0], models[1], &registers);
            parts.push(differ);
            (Wire::all(parts), stages)
        }
    };
    let pairs = left.steps().iter().zip(right.steps());
    let fused = pairs.filter_map(|pair| match pair {
        (Step::Fused(left), Step::Fused(right)) => Some((left, right)),
        _ => None,
    });
    let none = Cases::default();
    let stages = fused
        .enumerate()
        .filter_map(|(index, (left, right))| {
            Stage::of(left, right, cases.get(index).unwrap_or(&none))
        })
        .collect();
    Some(Built { root, stages })
}
