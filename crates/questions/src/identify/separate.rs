//! Finds a few inputs that separate models pairwise, or proves that some of the models are equal.

use super::answers::Answers;
use super::classes::{Grouping, ModelClasses, SortOutcome};
use super::cover::{Cover, cover};
use super::domain_draws::DomainDraws;
use super::lower_bound::{LowerBound, lower_bound};
use super::options::IdentifyOptions;
use super::pool::Pool;
use super::tree::DecisionTree;
use crate::claims::property::Domain;
use crate::claims::query::QueryError;
use crate::inputs::Interface;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Report};

/// The result of separating models.
#[derive(Clone, Debug)]
pub struct Separation {
    /// The models by number, in classes of models that are proved equal.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes that are neither separated by an input nor proved equal.
    pub open: Vec<[usize; 2]>,
    /// The inputs that separate the classes.
    pub inputs: Vec<Inputs>,
    /// For each of the inputs, the answer of every class: the register, or all ones for any NaN if
    /// a model leaves the code of its NaNs open.
    pub columns: Vec<Vec<u64>>,
    /// Whether fewer inputs might suffice.
    pub fewest: Minimality,
    /// A lower bound on the number of inputs.
    pub at_least: LowerBound,
    /// The class for each sequence of answers.
    pub tree: DecisionTree,
}

/// What is known about smaller sets of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minimality {
    /// Proved: no smaller set of inputs separates the classes.
    Proved,
    /// No smaller subset of a pool of this many inputs separates the classes; other inputs might.
    OfPool(usize),
    /// The search for a smaller set was not finished.
    Open,
}

/// The number of further independent searches for inputs. The inputs that they find join the pool.
const RESTARTS: u64 = 4;
/// The most classes for which there are further searches.
const FEW_CLASSES: usize = 400;

/// Finds a few inputs that separate `models`, which have one signature.
///
/// # Errors
/// If an answer of the engine is not confirmed.
pub fn separate(
    models: &[Model],
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<Separation, QueryError> {
    separate_in(models, None, options, limits)
}

/// Does the same with inputs of `domain` alone. Models that are proved equal are so on the domain.
///
/// # Errors
/// If an answer of the engine is not confirmed, or the domain has no inputs.
pub fn separate_in(
    models: &[Model],
    domain: Option<&Domain>,
    options: &IdentifyOptions,
    limits: &Limits,
) -> Result<Separation, QueryError> {
    let answers = Answers::new(models);
    limits.report(|report| report.question = format!("{} models", models.len()));
    let mut pool = Pool::new(models.len());
    if let Some(interface) = Interface::of(models) {
        let mut draws = DomainDraws::new(interface, domain, options.specials, options.seed);
        pool.grow(answers, &mut draws, limits);
    }
    let mut relations = ModelClasses::new(models, options.specials, options.seed)
        .in_domain(domain)
        .within(options.budget);
    let (classes, open) = settle(answers, &mut pool, &mut relations, limits)?;

    let firsts: Vec<Model> = classes
        .iter()
        .map(|class| models[class[0]].clone())
        .collect();
    // The pool's answers for the first model of a class hold for the whole class.
    let first_of = |column: &Vec<u64>| classes.iter().map(|class| column[class[0]]).collect();
    let known = InputAnswers {
        columns: pool.columns.iter().map(first_of).collect(),
        inputs: pool.inputs,
    };
    let InputSet {
        inputs,
        columns,
        fewest,
        at_least,
    } = few(&firsts, known, (domain, options), limits);
    let all: Vec<usize> = (0..firsts.len()).collect();
    let tree = limits.run(|| DecisionTree::grow(all.clone(), &columns));
    Ok(Separation {
        classes,
        open,
        inputs,
        columns,
        fewest,
        at_least,
        tree: tree.unwrap_or(DecisionTree::Leaf(all)),
    })
}

/// Asks the engine about the pairs of models that the pool does not separate, until each pair is
/// separated, proved equal, or undecided. Returns the classes, and the undecided pairs of classes.
fn settle(
    answers: Answers<'_>,
    pool: &mut Pool,
    relations: &mut ModelClasses<'_>,
    limits: &Limits,
) -> Result<Grouping, QueryError> {
    'again: loop {
        let told = pool.partition.parts as usize;
        limits.report(|report| report.settled = Some([told, answers.models.len()]));
        let (mut classes, mut open) = (Vec::new(), Vec::new());
        for members in pool.partition.members() {
            match relations.sort(&members, limits, |inputs| pool.add(answers, inputs.clone()))? {
                SortOutcome::Differ(_) => continue 'again,
                SortOutcome::Classes(own, own_open) => {
                    let shift = classes.len();
                    classes.extend(own);
                    open.extend(
                        own_open
                            .into_iter()
                            .map(|pair| pair.map(|class| class + shift)),
                    );
                }
            }
        }
        return Ok((classes, open));
    }
}

/// Inputs, with the answers of all models to each of the inputs.
struct InputAnswers {
    inputs: Vec<Inputs>,
    columns: Vec<Vec<u64>>,
}

/// A set of inputs with their answers, and what is known about smaller sets.
struct InputSet {
    inputs: Vec<Inputs>,
    columns: Vec<Vec<u64>>,
    fewest: Minimality,
    at_least: LowerBound,
}

/// The smallest set of inputs found that separates `models` into the same parts as the `known`
/// inputs do.
fn few(
    models: &[Model],
    known: InputAnswers,
    (domain, options): (Option<&Domain>, &IdentifyOptions),
    limits: &Limits,
) -> InputSet {
    limits.report(|report| {
        *report = Report {
            question: format!("{} models", models.len()),
            step: "looking for few inputs".into(),
            ..Report::default()
        }
    });
    let answers = Answers::new(models);
    let mut pool = known;
    if let Some(interface) = Interface::of(models).filter(|_| models.len() <= FEW_CLASSES) {
        for restart in 1..=RESTARTS {
            let mut other = Pool::new(models.len());
            let seed = options.seed + restart;
            let mut draws = DomainDraws::new(interface, domain, options.specials, seed);
            other.grow(answers, &mut draws, limits);
            pool.inputs.extend(other.inputs);
            pool.columns.extend(other.columns);
        }
    }
    let all: Vec<usize> = (0..models.len()).collect();
    let mut smallest: Option<InputSet> = None;
    loop {
        let Cover {
            chosen,
            proved,
            all: parts,
        } = cover(models.len(), &pool.columns, limits);
        let size = chosen.len();
        let (at_least, found) = match smallest {
            Some(known) if known.inputs.len() <= size => return known,
            _ => lower_bound(
                models,
                (&pool.columns, &parts),
                size,
                (domain, options),
                limits,
            ),
        };
        let fewest = match proved {
            _ if at_least.inputs >= size => Minimality::Proved,
            true => Minimality::OfPool(pool.inputs.len()),
            false => Minimality::Open,
        };
        let few = InputSet {
            inputs: chosen.iter().map(|&at| pool.inputs[at].clone()).collect(),
            columns: chosen.iter().map(|&at| pool.columns[at].clone()).collect(),
            fewest,
            at_least,
        };
        if fewest == Minimality::Proved || found.is_empty() {
            return few;
        }
        let Ok(columns) = limits.run(|| answers.columns(&all, &found)) else {
            return few;
        };
        // Inputs found where a proof failed may give a smaller set.
        pool.columns.extend(columns);
        pool.inputs.extend(found);
        smallest = Some(few);
    }
}
