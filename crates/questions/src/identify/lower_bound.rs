//! How many inputs are needed at least to tell models apart, and what proves it.
//!
//! Pairs of models of which no input tells two need an input each. Which pairs may be such is read
//! off a pool of inputs; the engine proves it of every two of them, or finds an input that tells
//! both, which the pool then has. Where there are none, a few models that no one input tells apart
//! need two.

use super::answers::{Answers, Partition};
use super::cover::{hard_to_tell, hardest_pairs};
use super::options::Options;
use crate::claims::query::{self, Ended, Question, answer};
use mmasmt_core::base::limits::{Limits, Stopped};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A number of inputs that no set which tells the classes apart goes below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerBound {
    /// The number.
    pub inputs: usize,
    /// What proves it.
    pub reason: Reason,
}

/// Why fewer inputs cannot do. Classes are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Fewer results of that many bits have not enough values for all classes.
    Results(u32),
    /// No input tells two of these pairs apart: each needs one of its own.
    Pairs(Vec<[usize; 2]>),
    /// No one input tells all of these apart.
    Classes(Vec<usize>),
}

/// Time for all proofs.
const TIME: Duration = Duration::from_secs(30);
/// Questions without an answer after which no more are asked: others are as hard.
const UNKNOWN: usize = 2;
/// Pairs that are looked at, of those with the same distinguishing inputs, and as the first of a
/// clique.
const PAIRS: usize = 512;
const ALIKE: usize = 4;
const FIRSTS: usize = 64;

impl LowerBound {
    /// What counting tells: so many classes need that many results of `bits` bits.
    pub(super) fn of_results(classes: usize, bits: u32) -> Self {
        let mut inputs = 0;
        let mut reached = 1u128;
        while reached < classes as u128 {
            reached = reached.saturating_mul(1 << bits);
            inputs += 1;
        }
        LowerBound {
            inputs,
            reason: Reason::Results(bits),
        }
    }
}

/// The greatest bound found, no greater than `most`, on inputs that tell `models` apart as far as
/// the `columns` of a pool do. With it inputs that were found in place of proofs.
pub(super) fn lower_bound(
    models: &[Model],
    (columns, all): (&[Vec<u64>], &Partition),
    most: usize,
    options: &Options,
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
            reason: Reason::Pairs(pairs),
        };
        return (bound, proofs.found);
    }
    let group = limits.run(|| hard_to_tell(models.len(), columns));
    let bound = match group {
        Ok(group) if counted.inputs < 2 && proofs.never_apart(&group) => LowerBound {
            inputs: 2,
            reason: Reason::Classes(group),
        },
        _ => counted,
    };
    (bound, proofs.found)
}

/// Pairs with the columns that tell them, few of each with the same columns.
fn few_alike(hardest: Vec<([usize; 2], Vec<usize>)>) -> Vec<([usize; 2], Vec<usize>)> {
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

struct Proofs<'x> {
    models: &'x [Model],
    options: &'x Options,
    limits: Limits,
    /// Pairs of models, each with the columns that tell it, in ascending order.
    pairs: Vec<([usize; 2], Vec<usize>)>,
    columns: usize,
    /// Of two of the pairs, whether it is proved that no input tells both.
    known: FxHashMap<[usize; 2], bool>,
    found: Vec<Inputs>,
    /// How many questions had no answer.
    unknown: usize,
}

impl Proofs<'_> {
    /// The most pairs found, up to `most`, of which it is proved that no input tells two.
    fn pairs(&mut self, most: usize) -> Vec<[usize; 2]> {
        let mut size = 1;
        while size < most && self.unknown < UNKNOWN {
            // What no column tells both of and nothing is known against.
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

    /// Numbers of pairs, ascending, any two of which are joined: greedily, the largest of some.
    fn clique(&self, most: usize, joined: impl Fn([usize; 2]) -> bool) -> Vec<usize> {
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

    /// Asks whether an input tells both pairs.
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

    /// Whether it is proved that no input tells all of some models apart.
    fn never_apart(&mut self, group: &[usize]) -> bool {
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

    /// Inputs that tell the models of each of `pairs` apart, or none if it is proved that there are
    /// no such; an error if that is not known.
    fn apart(&mut self, models: &[usize], pairs: &[[usize; 2]]) -> Result<Option<Inputs>, Stopped> {
        let models: Vec<&Model> = models.iter().map(|&model| &self.models[model]).collect();
        let pairs = pairs.iter().map(|pair| pair.map(|model| models[model]));
        let budget = self.options.budget.unwrap_or(TIME);
        let limits = self.limits.within(budget);
        let Options { specials, seed, .. } = *self.options;
        let options = query::Options::default().seed(seed);
        let asked = Question::differences(pairs, None).and_then(|question| {
            let question = if specials {
                question.with_specials()
            } else {
                question
            };
            answer(&question, &options, &limits)
        });
        // What does not survive its replay is not known.
        let answer = asked.map_err(|_| Stopped::GaveUp);
        let answer = answer.and_then(|answer| match (answer.witness(), answer.ended) {
            (Some(witness), _) => Ok(Some(witness.inputs.clone())),
            (None, Ended::Unknown(stopped)) => Err(stopped),
            (None, _) => Ok(None),
        });
        self.unknown += usize::from(answer.is_err());
        answer
    }

    /// Takes inputs that were found for another column.
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

/// Every two of some numbers.
fn two_of(numbers: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let firsts = numbers.iter().enumerate();
    firsts.flat_map(|(index, x)| numbers[index + 1..].iter().map(move |y| [*x, *y]))
}

/// Whether two ascending lists have nothing in common.
fn disjoint(left: &[usize], right: &[usize]) -> bool {
    left.iter().all(|x| right.binary_search(x).is_err())
}

#[cfg(test)]
mod tests {
    use super::{ALIKE, Limits, Options, Proofs, few_alike};
    use mmasmt_core::machines::model::Model;
    use rustc_hash::FxHashMap;
    use std::time::Duration;

    fn proofs<'x>(models: &'x [Model], options: &'x Options, pairs: usize) -> Proofs<'x> {
        Proofs {
            models,
            options,
            limits: Limits::default(),
            pairs: vec![([0, 1], vec![0]); pairs],
            columns: 1,
            known: FxHashMap::default(),
            found: Vec::new(),
            unknown: 0,
        }
    }

    fn options(budget: Duration) -> Options {
        Options {
            specials: false,
            seed: 1,
            budget: Some(budget),
        }
    }

    #[test]
    fn pairs_alike_are_few_and_none_is_untold() {
        let mut hardest = vec![([0, 1], vec![])];
        hardest.extend((0..ALIKE + 3).map(|model| ([model, 9], vec![2])));
        hardest.push(([3, 4], vec![1, 2]));
        let found = few_alike(hardest);
        assert_eq!(found.len(), ALIKE + 1);
        assert!(found.iter().all(|(_, tell)| !tell.is_empty()));
        assert_eq!(found.last(), Some(&([3, 4], vec![1, 2])));
    }

    #[test]
    fn a_clique_is_the_largest_up_to_a_size() {
        let options = options(Duration::from_secs(30));
        let proofs = proofs(&[], &options, 6);
        // 1, 3 and 4 are joined, and 0 and 5 are.
        let joined = |both: [usize; 2]| [[1, 3], [1, 4], [3, 4], [0, 5]].contains(&both);
        assert_eq!(proofs.clique(6, joined), [1, 3, 4]);
        assert_eq!(proofs.clique(2, joined).len(), 2);
    }

    #[test]
    fn what_an_input_tells_apart_is_found_and_no_time_leaves_it_unknown() {
        let models = ["fda:K=1,F=10,in=e4m3", "fda:K=1,F=20,in=e4m3"];
        let models = models.map(|text| Model::parse(text).unwrap());
        let enough = options(Duration::from_secs(60));
        let mut told = proofs(&models, &enough, 0);
        assert!(!told.never_apart(&[0, 1]));
        assert_eq!((told.found.len(), told.unknown), (1, 0));
        let mut equal = proofs(&models, &enough, 0);
        assert!(equal.never_apart(&[0, 0]));
        let none = options(Duration::ZERO);
        let mut open = proofs(&models, &none, 0);
        if !open.never_apart(&[0, 1]) && open.found.is_empty() {
            assert_eq!(open.unknown, 1);
        }
    }
}
