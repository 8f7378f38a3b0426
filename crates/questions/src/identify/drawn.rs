//! Drawn inputs that show mutants of a model: few of them, each mutant shown that one of the draws shows.
//!
//! All mutants run on the first draws, as many as the budget allows, so that those are taken which show most. Later draws are
//! run for those mutants alone that nothing has shown.

use super::every_kind::kinds;
use super::options::IdentifyOptions;
use super::threads;
use crate::claims::property::results_differ;
use crate::inputs::{AimedDraw, SeparatingDraws};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, work};

/// The most inputs that are drawn (`DRAWS`), and the most products of all drawn inputs together
/// (`DRAWN_PRODUCTS`), since all of these inputs are in memory at once.
const DRAWS: usize = 2000;
const DRAWN_PRODUCTS: usize = DRAWS * 4096;
/// The most products of the runs of all mutants on the first draws.
const FIRST_PRODUCTS: usize = 4_000_000;
/// The number of first draws at least, and of later draws at once.
const BLOCK: usize = 256;

/// The mutants that draws show.
struct Table {
    draws: Vec<Inputs>,
    /// For each mutant, whether it differs from the model on each of the draws that it was run on.
    shown: Vec<Vec<bool>>,
}

/// Inputs that show the mutants which draws show, the inputs first that show most. The same seed gives the same inputs;
/// fewer if a limit is reached.
pub(super) fn drawn(
    base: &Model,
    mutants: &[(String, Model)],
    options: &IdentifyOptions,
    limits: &Limits,
) -> Vec<Inputs> {
    let mut table = Table {
        draws: Vec::new(),
        shown: vec![Vec::new(); mutants.len()],
    };
    // A limit that is reached leaves the blocks that are done.
    let _ended = limits.run(|| table.fill(base, mutants, options));
    table.few()
}

impl Table {
    fn fill(&mut self, base: &Model, mutants: &[(String, Model)], options: &IdentifyOptions) {
        let products = base.signature().products.max(1) as usize;
        let draws = (DRAWN_PRODUCTS / products).clamp(1, DRAWS);
        let first = FIRST_PRODUCTS / (products + 8) / mutants.len().max(1);
        let first = first.clamp(BLOCK, DRAWS).min(draws);
        let mut separating = SeparatingDraws::new(base, options.specials, options.seed);
        let drawn = |count: usize| (0..count).map(|_| separating.draw()).collect::<Vec<_>>();
        self.run(base, mutants, drawn, [first, draws - first]);
        let mut kinds = kinds(base, options);
        self.run(base, mutants, |count| kinds.take(count), [0, draws]);
        if !base.signature().is_integer() {
            let mut aimed = AimedDraw::new(base, options.seed);
            let drawn = |count: usize| (0..count).map(|_| aimed.draw()).collect();
            self.run(base, mutants, drawn, [0, 2 * draws]);
        }
    }

    /// Runs all mutants on `first` draws, and then those that no draw has shown on `rest` more; in blocks, so that a limit leaves
    /// those that are done.
    fn run(
        &mut self,
        base: &Model,
        mutants: &[(String, Model)],
        mut draw: impl FnMut(usize) -> Vec<Inputs>,
        [mut first, mut rest]: [usize; 2],
    ) {
        while first > 0 {
            let count = first.min(BLOCK);
            self.add(base, mutants, draw(count), false);
            first -= count;
        }
        while rest > 0 && self.shown.iter().any(|shown| !shown.contains(&true)) {
            let count = rest.min(BLOCK);
            self.add(base, mutants, draw(count), true);
            rest -= count;
        }
    }

    /// Runs mutants on `drawn`: all, or those alone that no draw has shown.
    fn add(
        &mut self,
        base: &Model,
        mutants: &[(String, Model)],
        drawn: Vec<Inputs>,
        open_alone: bool,
    ) {
        let own = results(base, &drawn);
        let runs = |index: &usize| !open_alone || !self.shown[*index].contains(&true);
        let runs: Vec<usize> = (0..mutants.len()).filter(runs).collect();
        let found = threads::map(&runs, runs.len() * drawn.len(), |index| {
            differences([base, &mutants[*index].1], &own, &drawn).collect::<Vec<bool>>()
        });
        let before = self.draws.len();
        for (index, found) in runs.into_iter().zip(found) {
            self.shown[index].resize(before, false);
            self.shown[index].extend(found);
        }
        self.draws.extend(drawn);
    }

    /// The draws that show all that is shown: each the one that shows most of the rest.
    fn few(self) -> Vec<Inputs> {
        let mut open: Vec<Vec<bool>> = self.shown;
        let mut few = Vec::new();
        loop {
            open.retain(|shown| shown.contains(&true));
            let mut counts = vec![0; self.draws.len()];
            for shown in &open {
                let shows = shown.iter().zip(&mut counts);
                shows.for_each(|(shows, count)| *count += usize::from(*shows));
            }
            let best =
                (0..self.draws.len()).max_by_key(|draw| (counts[*draw], std::cmp::Reverse(*draw)));
            let Some(best) = best.filter(|_| !open.is_empty()) else {
                return few;
            };
            open.retain(|shown| shown.get(best) != Some(&true));
            few.push(self.draws[best].clone());
        }
    }
}

fn results(model: &Model, inputs: &[Inputs]) -> Vec<u64> {
    let mut simulator = model.simulator();
    let run = |inputs| {
        work(simulator.cost());
        simulator.run(inputs)
    };
    inputs.iter().map(run).collect()
}

/// For each of `inputs`, whether the second model gives another result than the first, whose results are `own`.
fn differences<'x>(
    models: [&'x Model; 2],
    own: &'x [u64],
    inputs: &'x [Inputs],
) -> impl Iterator<Item = bool> + 'x {
    let mut simulator = models[1].simulator();
    inputs.iter().zip(own).map(move |(inputs, own)| {
        work(simulator.cost());
        results_differ(models, [*own, simulator.run(inputs)])
    })
}

/// For each mutant, the number of the first of `inputs` on which it differs from `base`.
pub(super) fn first_caught(
    base: &Model,
    mutants: &[(String, Model)],
    inputs: &[Inputs],
) -> Vec<Option<usize>> {
    if mutants.is_empty() {
        return Vec::new();
    }
    let own = results(base, inputs);
    let evaluations = mutants.len() * inputs.len().min(100);
    threads::map(mutants, evaluations, |(_, mutant)| {
        differences([base, mutant], &own, inputs).position(|differs| differs)
    })
}
