//! The descriptions that differ from one in a single choice: the answers that exclude them, and
//! inputs to ask where no answer does.

use super::evidence::simplest_first;
use super::hypothesis::{Hypothesis, model_of};
use super::learned::{DecidedChoice, LearnOptions, OpenChoice};
use crate::claims::query::QueryError;
use crate::identify::classes::{ClassRelation, ModelClasses};
use crate::identify::threads;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashSet;

/// A description that differs in one choice.
struct Neighbour {
    choice: usize,
    word: usize,
    model: Model,
}

/// What is known of a neighbour.
enum Fate {
    /// An answer excludes it: the number of the answer, and the neighbour's result.
    Excluded(usize, u64),
    /// It gives another result on these inputs, which were not asked: the number of the inputs.
    Differs(usize),
    /// It gives the same results on all inputs.
    Same,
    /// It is proved to give the same results on every input.
    Equal,
}

/// What answers and inputs say about all neighbours of a hypothesis.
pub(super) struct Neighbourhood {
    neighbours: Vec<Neighbour>,
    fates: Vec<Fate>,
    answered: Vec<Vector>,
    inputs: Vec<Inputs>,
}

impl Neighbourhood {
    /// Compares the neighbours of `hypothesis` with the answers, and where no answer excludes them
    /// on `inputs`; `None` if the hypothesis is no model, or a limit is reached.
    pub fn of(
        hypothesis: &Hypothesis,
        answered: &[Vector],
        inputs: Vec<Inputs>,
        limits: &Limits,
    ) -> Option<Neighbourhood> {
        let own = hypothesis.model()?;
        let signature = own.signature();
        let answered = simplest_first(&signature, answered);
        let mut simulator = own.simulator();
        let results: Vec<u64> = inputs.iter().map(|inputs| simulator.run(inputs)).collect();
        let mut known = FxHashSet::from_iter([hypothesis.text()]);
        let mut neighbours = Vec::new();
        for (choice, about) in hypothesis.space.choices.iter().enumerate() {
            for word in 0..about.words.len() {
                let text = hypothesis.with(choice, word).text();
                if known.insert(text.clone())
                    && let Some(model) = model_of(&text)
                {
                    neighbours.push(Neighbour {
                        choice,
                        word,
                        model,
                    });
                }
            }
        }
        let evaluations = neighbours.len() * inputs.len();
        let fate = |neighbour: &Neighbour| {
            if limits.stopped().is_some() {
                return None;
            }
            let model = &neighbour.model;
            let mut simulator = model.simulator();
            for (at, vector) in answered.iter().enumerate() {
                let result = simulator.run(&vector.inputs);
                if !model.accepts(result, vector.d) {
                    return Some(Fate::Excluded(at, result));
                }
            }
            let mut pairs = inputs.iter().zip(&results);
            let differs = pairs.position(|(inputs, own)| simulator.run(inputs) != *own);
            Some(differs.map_or(Fate::Same, Fate::Differs))
        };
        let fates: Option<Vec<Fate>> = threads::map(&neighbours, evaluations, fate)
            .into_iter()
            .collect();
        Some(Neighbourhood {
            fates: fates?,
            neighbours,
            answered,
            inputs,
        })
    }

    /// The inputs that tell neighbours from the hypothesis, each once.
    pub fn telling(&self) -> Vec<Inputs> {
        let mut at: Vec<usize> = self
            .fates
            .iter()
            .filter_map(|fate| match fate {
                Fate::Differs(at) => Some(*at),
                _ => None,
            })
            .collect();
        at.sort_unstable();
        at.dedup();
        at.into_iter().map(|at| self.inputs[at].clone()).collect()
    }

    /// Asks the solver about the neighbours that nothing tells from the hypothesis: for a proof that
    /// they are equal, or for inputs that tell them. All questions share the time of the options.
    ///
    /// # Errors
    /// If an answer of the engine is not confirmed.
    pub fn settle(
        &mut self,
        hypothesis: &Hypothesis,
        options: &LearnOptions,
        limits: &Limits,
    ) -> Result<(), QueryError> {
        let (Some(time), Some(own)) = (options.settle, hypothesis.model()) else {
            return Ok(());
        };
        let limits = limits.within(time);
        let from = self.inputs.len();
        let is_same = |at: &usize| matches!(self.fates[*at], Fate::Same);
        let same: Vec<usize> = (0..self.fates.len()).filter(is_same).collect();
        // The time that early answers leave belongs to what is open.
        for (done, at) in same.iter().chain(&same).enumerate() {
            if !matches!(self.fates[*at], Fate::Same) || limits.stopped().is_some() {
                continue;
            }
            let other = &self.neighbours[*at].model;
            let mut simulators = [&own, other].map(Model::simulator);
            let mut found = self.inputs[from..].iter();
            let known = found.position(|inputs| {
                let [own, other] = simulators.each_mut().map(|simulator| simulator.run(inputs));
                own != other
            });
            if let Some(known) = known {
                self.fates[*at] = Fate::Differs(from + known);
                continue;
            }
            let pair = [own.clone(), other.clone()];
            let mut classes = ModelClasses::new(&pair, options.specials, options.seed);
            let of_one = limits.share((2 * same.len() - done) as u32);
            match classes.relation(0, 1, &of_one)? {
                ClassRelation::Equal => self.fates[*at] = Fate::Equal,
                ClassRelation::Differ(inputs) => {
                    self.fates[*at] = Fate::Differs(self.inputs.len());
                    self.inputs.push(inputs);
                }
                ClassRelation::Unknown(_) => {}
            }
        }
        Ok(())
    }

    /// The choices and words of the neighbours that are proved equal to the hypothesis.
    pub fn equal(&self) -> Vec<(usize, usize)> {
        let pairs = self.neighbours.iter().zip(&self.fates);
        let equal = pairs.filter(|(_, fate)| matches!(fate, Fate::Equal));
        let equal = equal.map(|(neighbour, _)| (neighbour.choice, neighbour.word));
        equal.collect()
    }

    /// The choices that answers decide, each against the nearest other word, and the choices of
    /// which some words are left. Those of `equal` are proved to make no difference.
    pub fn report(
        &self,
        hypothesis: &Hypothesis,
        equal: &[(usize, usize)],
    ) -> (Vec<DecidedChoice>, Vec<OpenChoice>) {
        let (mut decided, mut open) = (Vec::new(), Vec::new());
        for (number, choice) in hypothesis.space.choices.iter().enumerate() {
            let word = usize::from(hypothesis.chosen[number]);
            let pairs = self.neighbours.iter().zip(&self.fates);
            let of_choice: Vec<(&Neighbour, &Fate)> = pairs
                .filter(|(neighbour, _)| neighbour.choice == number)
                .collect();
            let nearest = of_choice
                .iter()
                .filter_map(|(neighbour, fate)| match fate {
                    Fate::Excluded(at, other) => Some((neighbour.word, *at, *other)),
                    _ => None,
                })
                .min_by_key(|(other, ..)| (other.abs_diff(word), *other));
            if let Some((against, at, other)) = nearest {
                decided.push(DecidedChoice {
                    choice: choice.clone(),
                    word,
                    against,
                    vector: self.answered[at].clone(),
                    other,
                });
            }
            let left = of_choice
                .iter()
                .filter(|(_, fate)| !matches!(fate, Fate::Excluded(..)))
                .map(|(neighbour, _)| neighbour.word);
            let (equal, others): (Vec<usize>, Vec<usize>) =
                left.partition(|word| equal.contains(&(number, *word)));
            if !others.is_empty() || !equal.is_empty() {
                open.push(OpenChoice {
                    choice: choice.clone(),
                    word,
                    others,
                    equal,
                });
            }
        }
        (decided, open)
    }
}
