//! Recorded results against candidates: which are left, and which line excludes each of the others.

use super::threads;
use crate::algorithms::Signature;
use crate::limits::work;
use crate::model::Model;
use crate::vectors::{Misfit, Vector};

/// A line of a file of results.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The file, as a number of the caller's.
    pub file: usize,
    /// Line number, from 1.
    pub line: usize,
    /// The operands and what the machine gave.
    pub vector: Vector,
}

/// A candidate that gives another result than was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excluded {
    /// The candidate, by number.
    pub model: usize,
    /// The first recorded line, by number, on which it does.
    pub by: usize,
    /// The result that it gives.
    pub computed: u64,
}

/// What recorded lines leave of candidates.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exclusion {
    /// The candidates that give every recorded result, by number.
    pub left: Vec<usize>,
    /// All others.
    pub excluded: Vec<Excluded>,
}

/// Runs every candidate on the lines until one excludes it.
///
/// # Errors
/// If a line is none of a candidate: other operands than it takes, or registers wider than its formats.
pub fn exclude(models: &[Model], recorded: &[Recorded]) -> Result<Exclusion, Misfit> {
    check(models, recorded.iter().map(|line| &line.vector))?;
    let first_failure = |model: &Model| {
        let mut simulator = model.simulator();
        recorded.iter().enumerate().find_map(|(by, line)| {
            work(simulator.cost());
            let computed = simulator.run(&line.vector.inputs);
            (!model.accepts(computed, line.vector.d)).then_some((by, computed))
        })
    };
    let mut exclusion = Exclusion::default();
    let failures = threads::map(
        models,
        models.len() * recorded.len().min(100),
        first_failure,
    );
    for (model, failure) in failures.into_iter().enumerate() {
        match failure {
            None => exclusion.left.push(model),
            Some((by, computed)) => exclusion.excluded.push(Excluded {
                model,
                by,
                computed,
            }),
        }
    }
    Ok(exclusion)
}

/// # Errors
/// If a vector does not [fit](Vector::check) one of the models.
pub(super) fn check<'x>(
    models: &[Model],
    vectors: impl Iterator<Item = &'x Vector> + Clone,
) -> Result<(), Misfit> {
    let mut signatures: Vec<Signature> = Vec::new();
    for model in models {
        let signature = model.signature();
        if !signatures.contains(&signature) {
            vectors
                .clone()
                .try_for_each(|vector| vector.check(&signature))?;
            signatures.push(signature);
        }
    }
    Ok(())
}
