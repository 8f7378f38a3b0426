//! A lower bound on the number of inputs that separate models, with its proof.
//!
//! A set of pairs of models gives a bound if no single input separates two of the pairs: each pair
//! then needs an input of its own. The inputs of a pool suggest such a set. For every two pairs of
//! the set, the engine proves that no input separates both, or finds an input that does, which then
//! joins the pool. If no such set is found, the engine may prove that no single input separates all
//! of a few models, so two inputs are needed.

use super::answers::{Answers, Partition};
use super::cover::{hard_to_tell, hardest_pairs};
use super::options::IdentifyOptions;
use crate::claims::property::Domain;
use crate::claims::query::{self, Ended, Question, answer};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A lower bound on the size of every set of inputs that separates the classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// The bound.
    pub inputs: usize,
    /// The proof of the bound.
    pub reason: LowerBoundReason,
}

/// The reason that fewer inputs are not enough. Classes are given by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LowerBoundReason {
    /// Fewer results than the bound, of this many bits each, have fewer values together than there
    /// are classes.
    Results(u32),
    /// No input separates two of these pairs of classes, so each pair needs an input of its own.
    Pairs(Vec<[usize; 2]>),
    /// No single input separates all of these classes.
    Classes(Vec<usize>),
}

/// The time for all proofs.
const TIME: Duration = Duration::from_secs(30);
/// The number of undecided questions after which the search stops: further questions are equally
/// hard.
const UNKNOWN: usize = 2;
/// The most pairs of models that are considered.
const PAIRS: usize = 512;
/// The most pairs that are considered of each group of pairs that the same inputs separate.
pub const ALIKE: usize = 4;
/// The most pairs that are tried as the first pair of a clique.
const FIRSTS: usize = 64;

impl LowerBound {
    /// The bound by counting: the least number of results of `bits` bits that together have at
    /// least as many values as there are classes.
    pub(super) fn of_results(classes: usize, bits: u32) -> Self {
        let mut inputs = 0;
        let mut reached = 1u128;
        while reached < classes as u128 {
            reached = reached.saturating_mul(1 << bits);
            inputs += 1;
        }
        LowerBound {
            inputs,
            reason: LowerBoundReason::Results(bits),
        }
    }
}

/// Returns the greatest lower bound found, up to `most`, on the number of inputs that separate
/// `models` as far as the `columns` of a pool do. Also returns the inputs that the engine found
/// where a proof failed.
pub(super) fn lower_bound(
    models: &[Model],
    (columns, all): (&[Vec<u64>], &Partition),
    most: usize,
    (domain, options): (Option<&Domain>, &IdentifyOptions),
    limits: &Limits,
) -> (LowerBound, Vec<Inputs>) {
    let bits = models
        .first()
        .map_or(0, |model| model.signature().d.width());
    let counted = LowerBound::of_results(all.parts as usize, bits);
    if counted.inputs >= most {
        return (counted, Vec::new());
    }
    let Ok(pairs) = limits.run(|| few_alike(hardest_pairs(all, columns))) else {
        return (counted, Vec::new());
    };
    let mut proofs = Proofs {
        models,
        domain,
        options,
        limits: limits.within(TIME),
        pairs,
        columns: columns.len(),
        known: FxHashMap::default(),
        found: Vec::new(),
        unknown: 0,
    };
    let pairs = proofs.pairs(most);
    if pairs.len() > counted.inputs.max(1) {
        let bound = LowerBound {
            inputs: pairs.len(),
            reason: LowerBoundReason::Pairs(pairs),
        };
        return (bound, proofs.found);
    }
    let group = limits.run(|| hard_to_tell(models.len(), columns));
    let bound = match group {
        Ok(group) if counted.inputs < 2 && proofs.never_apart(&group) => LowerBound {
            inputs: 2,
            reason: LowerBoundReason::Classes(group),
        },
        _ => counted,
    };
    (bound, proofs.found)
}

/// Groups pairs by the set of columns that separate them, and returns the first `ALIKE` pairs of
/// each group, at most `PAIRS` in all. Leaves out pairs that no column separates. Each pair comes
/// with the columns that separate its two models.
pub fn few_alike(hardest: Vec<([usize; 2], Vec<usize>)>) -> Vec<([usize; 2], Vec<usize>)> {
    let mut alike: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
    let mut is_new = |(_, tell): &([usize; 2], Vec<usize>)| {
        let count = alike.entry(tell.clone()).or_default();
        *count += 1;
        *count <= ALIKE && !tell.is_empty()
    };
    let mut pairs = hardest;
    pairs.retain(|pair| is_new(pair));
    pairs.truncate(PAIRS);
    pairs
}

pub struct Proofs<'x> {
    pub models: &'x [Model],
    /// The inputs that the proofs are about; `None` for all.
    pub domain: Option<&'x Domain>,
    pub options: &'x IdentifyOptions,
    pub limits: Limits,
    /// Pairs of models. Each pair comes with the columns that separate it, in ascending order.
    pub pairs: Vec<([usize; 2], Vec<usize>)>,
    pub columns: usize,
    /// For two of the pairs, by index: whether it is proved that no input separates both pairs.
    pub known: FxHashMap<[usize; 2], bool>,
    pub found: Vec<Inputs>,
    /// The number of undecided questions.
    pub unknown: usize,
}

impl Proofs<'_> {
    /// Searches for sets of at most `most` pairs such that no input separates two pairs of the set.
    /// Returns the largest set found for which this is proved.
    fn pairs(&mut self, most: usize) -> Vec<[usize; 2]> {
        let mut size = 1;
        while size < most && self.unknown < UNKNOWN {
            // Two pairs are joined if the engine proved that no input separates both. Two pairs
            // about which the engine was not asked yet are joined if no column separates both.
            let clique = self.clique(most, |[x, y]| match self.known.get(&[x, y]) {
                Some(known) => *known,
                None => disjoint(&self.pairs[x].1, &self.pairs[y].1),
            });
            if clique.len() <= size {
                break;
            }
            match two_of(&clique).find(|both| !self.known.contains_key(both)) {
                Some(both) => self.ask(both),
                None => size = clique.len(),
            }
        }
        let proved = self.clique(most, |both| self.known.get(&both) == Some(&true));
        proved.iter().map(|&pair| self.pairs[pair].0).collect()
    }

    /// A clique: at most `most` pairs of which every two satisfy `joined`. Returns the largest of
    /// several greedy choices, as the numbers of its pairs in ascending order.
    pub fn clique(&self, most: usize, joined: impl Fn([usize; 2]) -> bool) -> Vec<usize> {
        let mut largest = Vec::new();
        for first in 0..self.pairs.len().min(FIRSTS) {
            let mut clique = vec![first];
            for next in 0..self.pairs.len() {
                let fits = |&member: &usize| {
                    member != next && joined([member.min(next), member.max(next)])
                };
                if clique.len() < most && clique.iter().all(fits) {
                    clique.push(next);
                }
            }
            if clique.len() > largest.len() {
                largest = clique;
            }
        }
        largest.sort_unstable();
        largest
    }

    /// Asks the engine whether one input separates the two pairs `both`, and keeps the answer in
    /// `known`. If the engine finds such an input, keeps the input too.
    fn ask(&mut self, both: [usize; 2]) {
        let [[a, b], [c, d]] = both.map(|pair| self.pairs[pair].0);
        let mut models = vec![a, b, c, d];
        models.sort_unstable();
        models.dedup();
        let number = |model| models.iter().position(|known| *known == model).unwrap_or(0);
        let pairs = [[number(a), number(b)], [number(c), number(d)]];
        let answer = self.apart(&models, &pairs);
        self.known.insert(both, answer == Ok(None));
        if let Ok(Some(inputs)) = answer {
            self.add(inputs);
        }
    }

    /// Asks the engine for one input that separates all models of the group. Returns whether the
    /// engine proved that there is none; if it finds such an input, keeps the input.
    pub fn never_apart(&mut self, group: &[usize]) -> bool {
        let numbers: Vec<usize> = (0..group.len()).collect();
        let pairs: Vec<[usize; 2]> = two_of(&numbers).collect();
        match self.apart(group, &pairs) {
            Ok(None) => true,
            Ok(Some(inputs)) => {
                self.add(inputs);
                false
            }
            Err(_) => false,
        }
    }

    /// Asks the engine for inputs that separate the two models of every one of `pairs`. `None` if
    /// it is proved that no inputs do; an error if that is undecided.
    fn apart(&mut self, models: &[usize], pairs: &[[usize; 2]]) -> Result<Option<Inputs>, Stopped> {
        let models: Vec<&Model> = models.iter().map(|&model| &self.models[model]).collect();
        let pairs = pairs.iter().map(|pair| pair.map(|model| models[model]));
        let budget = self.options.budget.unwrap_or(TIME);
        let limits = self.limits.within(budget);
        let IdentifyOptions { specials, seed, .. } = *self.options;
        let options = query::Options::default().seed(seed);
        let asked = Question::differences(pairs, self.domain).and_then(|question| {
            let question = if specials {
                question.with_specials()
            } else {
                question
            };
            answer(&question, &options, &limits)
        });
        // A witness that fails its replay leaves the question undecided.
        let answer = asked.map_err(|_| Stopped::GaveUp);
        let answer = answer.and_then(|answer| match (answer.witness(), answer.ended) {
            (Some(witness), _) => Ok(Some(witness.inputs.clone())),
            (None, Ended::Unknown(stopped)) => Err(stopped),
            (None, _) => Ok(None),
        });
        self.unknown += usize::from(answer.is_err());
        answer
    }

    /// Adds `inputs` to the inputs found, and the models' answers to them as a further column.
    fn add(&mut self, inputs: Inputs) {
        let answers = Answers::new(self.models);
        let all: Vec<usize> = (0..self.models.len()).collect();
        let column = &answers.columns(&all, std::slice::from_ref(&inputs))[0];
        for ([left, right], tell) in &mut self.pairs {
            if column[*left] != column[*right] {
                tell.push(self.columns);
            }
        }
        self.columns += 1;
        self.found.push(inputs);
    }
}

/// All pairs of two different elements of `numbers`.
fn two_of(numbers: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let firsts = numbers.iter().enumerate();
    firsts.flat_map(|(index, x)| numbers[index + 1..].iter().map(move |y| [*x, *y]))
}

/// Whether two ascending lists are disjoint.
fn disjoint(left: &[usize], right: &[usize]) -> bool {
    left.iter().all(|x| right.binary_search(x).is_err())
}
