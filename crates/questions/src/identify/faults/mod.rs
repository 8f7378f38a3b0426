//! Inputs that screen processors: together they show every stuck-at fault of a unit's circuit that can be shown.
//!
//! A fault is a gate whose output is constantly 0 or 1. Drawn inputs show most of them; for each of the others the solver
//! finds inputs, or proves that there are none.

mod circuit;
mod miter;
mod simulation;

use super::every_kind::kinds;
use super::options::IdentifyOptions;
use super::threads;
use crate::claims::property::{Domain, DomainError};
use circuit::{BLOCK, Fault, UnitCircuit};
use miter::FaultVerdict;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use simulation::FaultSimulation;
use std::time::Duration;

/// Which stuck-at faults of a circuit are shown.
#[derive(Clone, Debug)]
pub struct FaultCoverage {
    /// The gates that the result depends on, those that pass operands on among them.
    pub gates: usize,
    /// The faults that the given inputs show; all that are shown if no inputs are given.
    pub shown: usize,
    /// The faults that only other inputs show.
    pub missed: usize,
    /// The faults that no admitted inputs show: proved.
    pub hidden: usize,
    /// The faults that are neither.
    pub open: usize,
    /// Inputs that show all faults that are shown, or missed.
    pub inputs: Vec<Inputs>,
}

impl FaultCoverage {
    /// All faults: two of each gate.
    pub fn faults(&self) -> usize {
        2 * self.gates
    }
}

/// The blocks of drawn inputs, one after the other, of which none shows a fault before the solver is asked.
const IDLE: usize = 40;
/// The faults that one thread tries at a time.
const CHUNK: usize = 512;
/// The time for the solver if the options have none, and how many times that it may take for all faults together.
const TIME: Duration = Duration::from_secs(10);
const TIMES: u32 = 12;

/// The faults that `given` inputs show, or if there are none, few inputs that show all that can be shown. Operands are
/// finite unless the options admit others.
///
/// # Errors
/// If the domain of finite operands does not fit the model.
pub fn faults(
    model: &Model,
    given: Option<&[Inputs]>,
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<FaultCoverage, DomainError> {
    let signature = model.signature();
    let domain = match options.specials || signature.is_integer() {
        true => Domain::everything(&signature),
        false => Domain::of("finite", model)?,
    };
    let circuit = UnitCircuit::of(model, domain);
    let all = circuit.faults();
    let mut search = Search {
        circuit: &circuit,
        open: all.clone(),
        inputs: Vec::new(),
        limits,
    };
    for block in given.unwrap_or_default().chunks(BLOCK) {
        search.run(block);
    }
    let shown = all.len() - search.open.len();
    search.inputs.clear();
    let mut kinds = kinds(model, options);
    let mut idle = 0;
    while idle < IDLE && !search.open.is_empty() && limits.stopped().is_none() {
        let before = search.open.len();
        search.run(&kinds.take(BLOCK));
        idle = if search.open.len() < before {
            0
        } else {
            idle + 1
        };
    }
    let hidden = search.by_solver(options.budget.unwrap_or(TIME));
    let open = search.open.len();
    let found = all.len() - hidden - open;
    let mut inputs = search.inputs;
    if given.is_none() {
        inputs = few(&circuit, &all, &inputs, limits);
    }
    let shown = if given.is_some() { shown } else { found };
    Ok(FaultCoverage {
        gates: circuit.needed.len(),
        shown,
        missed: found - shown,
        hidden,
        open,
        inputs,
    })
}

struct Search<'x> {
    circuit: &'x UnitCircuit,
    /// The faults that nothing has shown yet.
    open: Vec<Fault>,
    inputs: Vec<Inputs>,
    limits: &'x Limits,
}

impl Search<'_> {
    /// Takes the inputs of a block that show open faults, those first that show most, until none is left that one shows.
    fn run(&mut self, block: &[Inputs]) {
        let masks = masks(self.circuit, &self.open, block, self.limits);
        let taken = cover(&masks, block.len());
        let any = taken.iter().fold(0, |any, at| any | 1 << at);
        let mut masks = masks.into_iter();
        self.open.retain(|_| masks.next().unwrap_or(0) & any == 0);
        self.inputs
            .extend(taken.into_iter().map(|at: usize| block[at].clone()));
    }

    /// Asks the solver about the open faults, and returns how many it proves to be hidden.
    fn by_solver(&mut self, budget: Duration) -> usize {
        let limits = self.limits.within(budget * TIMES);
        let (mut hidden, mut undecided) = (0, Vec::new());
        while let Some(fault) = self.open.pop() {
            let verdict = match limits.stopped() {
                Some(_) => FaultVerdict::Open,
                None => miter::search(self.circuit, fault, &limits.within(budget)),
            };
            match verdict {
                FaultVerdict::Hidden => hidden += 1,
                FaultVerdict::Open => undecided.push(fault),
                FaultVerdict::Shown(inputs) => {
                    self.open.push(fault);
                    let before = self.open.len();
                    self.run(std::slice::from_ref(&inputs));
                    // A solver's inputs that the simulation does not confirm leave the fault open.
                    if self.open.len() == before {
                        self.open.pop();
                        undecided.push(fault);
                    }
                }
            }
        }
        self.open = undecided;
        hidden
    }
}

/// For each fault, the inputs of the block that show it, as bits.
fn masks(circuit: &UnitCircuit, faults: &[Fault], block: &[Inputs], limits: &Limits) -> Vec<u64> {
    let good = circuit.values(block);
    let mask = u64::MAX >> (BLOCK - block.len());
    let chunks: Vec<&[Fault]> = faults.chunks(CHUNK).collect();
    let found = threads::map(&chunks, faults.len() * 64, |faults| {
        let mut simulation = FaultSimulation::new(circuit);
        let shown = |fault: &Fault| match limits.stopped() {
            Some(_) => 0,
            None => simulation.shown_by(*fault, &good, mask),
        };
        faults.iter().map(shown).collect::<Vec<u64>>()
    });
    found.concat()
}

/// The inputs of a block that show all faults that one of them shows: always the one that shows most of those left.
fn cover(masks: &[u64], count: usize) -> Vec<usize> {
    let mut left: Vec<u64> = masks.iter().copied().filter(|mask| *mask != 0).collect();
    let mut taken = Vec::new();
    while !left.is_empty() {
        let shown = |at: &usize| left.iter().filter(|mask| *mask >> at & 1 == 1).count();
        let Some(best) = (0..count).max_by_key(shown) else {
            break;
        };
        left.retain(|mask| mask >> best & 1 == 0);
        taken.push(best);
    }
    taken
}

/// Fewer inputs that show as many faults: the last ones first, which show what is hardest to show.
fn few(circuit: &UnitCircuit, all: &[Fault], inputs: &[Inputs], limits: &Limits) -> Vec<Inputs> {
    let mut search = Search {
        circuit,
        open: all.to_vec(),
        inputs: Vec::new(),
        limits,
    };
    for block in inputs.rchunks(BLOCK) {
        search.run(block);
    }
    match limits.stopped() {
        None => search.inputs,
        Some(_) => inputs.to_vec(),
    }
}
