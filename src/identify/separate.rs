//! Few inputs that tell models pairwise apart, or proofs that some of them are equal.

use super::answers::Answers;
use super::classes::{Classes, Grouping, Sorted};
use super::cover::cover;
use super::pool::Pool;
use super::tree::Tree;
use crate::engine::Limits;
use crate::model::Model;
use crate::query::{Apart, QueryError, apart};
use crate::vectors::Inputs;
use std::time::Duration;

/// How to separate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// What samples and the solver's choices start from.
    pub seed: u64,
    /// Time for the comparison of two models.
    pub budget: Option<Duration>,
}

/// What was found out of some models.
#[derive(Clone, Debug)]
pub struct Separation {
    /// The models by number in classes: those of one class are proved equal.
    pub classes: Vec<Vec<usize>>,
    /// Pairs of classes that no input found tells apart, and no proof makes one.
    pub open: Vec<[usize; 2]>,
    /// The inputs.
    pub inputs: Vec<Inputs>,
    /// For each of the inputs the answer of every class: the register, all ones for any NaN where a
    /// model leaves its code open.
    pub columns: Vec<Vec<u64>>,
    /// Whether fewer inputs could do.
    pub fewest: Fewest,
    /// At least so many inputs are needed: proved.
    pub at_least: usize,
    /// Which answer leads to which class.
    pub tree: Tree,
}

/// What is known of smaller sets of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// Proved: no fewer inputs tell the classes apart.
    Proved,
    /// No fewer of a pool of so many inputs do; others might.
    OfPool(usize),
    /// A smaller set was not searched for to the end.
    Open,
}

/// How often inputs are looked for anew; the smallest set counts.
const RESTARTS: u64 = 4;
/// Classes beyond which there are no restarts.
const FEW_CLASSES: usize = 400;
/// Models that one input is asked to tell apart, at most.
const APART: usize = 5;
/// Time for the proof that one input does not suffice.
const APART_TIME: Duration = Duration::from_secs(5);

/// Separates `models`, which have one signature.
///
/// # Errors
/// If an answer of the engine is not confirmed.
pub fn separate(
    models: &[Model],
    options: &Options,
    limits: &Limits,
) -> Result<Separation, QueryError> {
    let answers = Answers::new(models);
    let mut pool = Pool::new(models.len());
    pool.grow(answers, options.specials, options.seed, limits);
    let mut relations = Classes::new(models, options.specials, options.seed).within(options.budget);
    let (classes, open) = settle(answers, &mut pool, &mut relations, limits)?;

    let firsts: Vec<Model> = classes
        .iter()
        .map(|class| models[class[0]].clone())
        .collect();
    let (inputs, fewest) = few(&firsts, pool.inputs, options, limits)?;
    let all: Vec<usize> = (0..firsts.len()).collect();
    let columns = Answers::new(&firsts).columns(&all, &inputs);
    let at_least = match fewest {
        Fewest::Proved => inputs.len(),
        _ => 1.min(inputs.len()),
    };
    let tree = Tree::grow(all, &columns);
    Ok(Separation {
        classes,
        open,
        inputs,
        columns,
        fewest,
        at_least,
        tree,
    })
}

/// Asks about the pairs that the pool leaves together, until each is told apart, proved equal, or
/// not known. Gives the classes, and the pairs of classes that are open.
fn settle(
    answers: Answers<'_>,
    pool: &mut Pool,
    relations: &mut Classes<'_>,
    limits: &Limits,
) -> Result<Grouping, QueryError> {
    'again: loop {
        let (mut classes, mut open) = (Vec::new(), Vec::new());
        for members in pool.partition.members() {
            match relations.sort(&members, limits, |inputs| pool.add(answers, inputs.clone()))? {
                Sorted::Differ(_) => continue 'again,
                Sorted::Classes(own, own_open) => {
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

/// The smallest set of inputs found that tells `models` apart as far as `known` inputs do.
fn few(
    models: &[Model],
    known: Vec<Inputs>,
    options: &Options,
    limits: &Limits,
) -> Result<(Vec<Inputs>, Fewest), QueryError> {
    let answers = Answers::new(models);
    let mut pool = known;
    if models.len() <= FEW_CLASSES {
        for restart in 1..=RESTARTS {
            let mut other = Pool::new(models.len());
            other.grow(answers, options.specials, options.seed + restart, limits);
            pool.extend(other.inputs);
        }
    }
    let all: Vec<usize> = (0..models.len()).collect();
    let columns = answers.columns(&all, &pool);
    let cover = cover(models.len(), &columns, limits);
    let inputs: Vec<Inputs> = cover
        .chosen
        .iter()
        .map(|&index| pool[index].clone())
        .collect();
    let of_pool = match cover.proved {
        true => Fewest::OfPool(pool.len()),
        false => Fewest::Open,
    };
    match inputs.len() {
        0 | 1 => Ok((inputs, Fewest::Proved)),
        2 => {
            let hard = hard_to_tell(models.len(), &columns);
            let whole = hard.len() == models.len();
            let hard: Vec<&Model> = hard.iter().map(|&index| &models[index]).collect();
            let limits = limits.within(APART_TIME);
            match apart(&hard, options.specials, options.seed, &limits)? {
                Apart::Never => Ok((inputs, Fewest::Proved)),
                Apart::By(one) if whole => Ok((vec![one], Fewest::Proved)),
                _ => Ok((inputs, of_pool)),
            }
        }
        _ => Ok((inputs, of_pool)),
    }
}

/// A few models that no column tells apart by itself, as far as some few can be found.
fn hard_to_tell(models: usize, columns: &[Vec<u64>]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    // Columns that tell apart all that are chosen.
    let mut left: Vec<&Vec<u64>> = columns.iter().collect();
    while chosen.len() < models.min(APART) && !left.is_empty() {
        let tells = |column: &&&Vec<u64>, model: usize| {
            chosen.iter().all(|&other| column[other] != column[model])
        };
        let count = |model: usize| left.iter().filter(|column| tells(column, model)).count();
        // Those that nothing tells apart do not count.
        let told =
            |model: usize, other| columns.iter().any(|column| column[model] != column[other]);
        let others = (0..models).filter(|&model| chosen.iter().all(|&other| told(model, other)));
        let Some(next) = others.min_by_key(|&model| count(model)) else {
            break;
        };
        left.retain(|column| chosen.iter().all(|&other| column[other] != column[next]));
        chosen.push(next);
    }
    chosen
}
