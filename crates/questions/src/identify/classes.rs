//! Classes of models: two models are proved equal, shown to be different, or undecided.

use crate::claims::property::Domain;
use crate::claims::query::{Ended, Options, QueryError, Question, answer};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The relation of two models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassRelation {
    /// Proved: the two models give the same results on all admitted inputs.
    Equal,
    /// The two models give different results on these inputs.
    Differ(Inputs),
    /// Undecided within the limits.
    Unknown(Stopped),
}

/// Compares models in pairs, and remembers the results.
pub struct ModelClasses<'m> {
    models: &'m [Model],
    specials: bool,
    seed: u64,
    /// The inputs on which they are compared; `None` for all.
    domain: Option<&'m Domain>,
    /// The time for one comparison, so that a hard pair does not delay all others.
    budget: Option<Duration>,
    known: FxHashMap<(usize, usize), ClassRelation>,
    /// For the names of two operations of chains: whether the operations were proved equal.
    links: FxHashMap<[String; 2], bool>,
}

impl<'m> ModelClasses<'m> {
    /// A comparison of `models`, which have one signature; no pair has been compared yet. Operands
    /// are finite numbers; with `specials`, they may also be infinities and NaNs.
    pub fn new(models: &'m [Model], specials: bool, seed: u64) -> Self {
        ModelClasses {
            models,
            specials,
            seed,
            domain: None,
            budget: None,
            known: FxHashMap::default(),
            links: FxHashMap::default(),
        }
    }

    /// The same comparison, on inputs of `domain`; on all with `None`.
    #[must_use]
    pub fn in_domain(self, domain: Option<&'m Domain>) -> Self {
        ModelClasses { domain, ..self }
    }

    /// The same comparison, with at most the time `budget` for one pair.
    #[must_use]
    pub fn within(self, budget: Option<Duration>) -> Self {
        ModelClasses { budget, ..self }
    }

    /// The relation of the models with the numbers `left` and `right`; it is computed on the first
    /// call.
    ///
    /// # Errors
    /// If an answer of the engine is not confirmed, or the domain has no inputs.
    pub fn relation(
        &mut self,
        left: usize,
        right: usize,
        limits: &Limits,
    ) -> Result<ClassRelation, QueryError> {
        let pair = (left.min(right), left.max(right));
        if let Some(known) = self.known.get(&pair) {
            return Ok(known.clone());
        }
        // If a limit is already reached, no formula is built.
        if let Some(stopped) = limits.stopped() {
            return Ok(ClassRelation::Unknown(stopped));
        }
        let own = self
            .budget
            .map_or_else(|| limits.clone(), |budget| limits.within(budget));
        let models = [&self.models[pair.0], &self.models[pair.1]];
        let relation = if self.links_are_equal(models, &own)? {
            ClassRelation::Equal
        } else {
            self.compare(models, self.domain, self.specials, &own)?
        };
        // Once a limit is reached, no answer is stored: a later question may have more time.
        if limits.stopped().is_none() {
            self.known.insert(pair, relation.clone());
        }
        Ok(relation)
    }
}

impl ModelClasses<'_> {
    /// Asks the query engine whether two models differ on the domain: on all inputs with
    /// `specials`, else on finite inputs.
    fn compare(
        &self,
        [left, right]: [&Model; 2],
        domain: Option<&Domain>,
        specials: bool,
        limits: &Limits,
    ) -> Result<ClassRelation, QueryError> {
        let mut question = Question::difference(left, right, domain)?;
        if specials {
            question = question.with_specials();
        }
        let options = Options::default().seed(self.seed).all_inputs();
        let answer = answer(&question, &options, limits)?;
        Ok(match (answer.witnesses.into_iter().next(), answer.ended) {
            (Some(witness), _) => ClassRelation::Differ(witness.inputs),
            (None, Ended::Unknown(stopped)) => ClassRelation::Unknown(stopped),
            (None, Ended::Vacuous) => {
                return Err(QueryError::Vacuous {
                    inputs: question.inputs_text(),
                });
            }
            (None, _) => ClassRelation::Equal,
        })
    }

    /// Whether two models are chains whose operations are proved equal, which makes the chains
    /// equal. For whole chains, no solver can prove this. Results within a chain can be infinities
    /// and NaNs, so the operations must be equal on all inputs. The first operation of a chain may
    /// have a `c` of another format than the later operations.
    pub fn links_are_equal(
        &mut self,
        models: [&Model; 2],
        limits: &Limits,
    ) -> Result<bool, QueryError> {
        let [left, right] =
            models.map(|model| model.algorithm().operation().map_or(1, |(_, links)| links));
        if left < 2 || left != right {
            return Ok(false);
        }
        let [Ok(left), Ok(right)] = models.map(Model::operations) else {
            return Ok(false);
        };
        for links in left.iter().zip(&right) {
            let links = <[&Model; 2]>::from(links);
            let names = links.map(Model::canonical);
            let equal = match self.links.get(&names) {
                Some(known) => *known,
                None => {
                    let equal = self.compare(links, None, true, limits)? == ClassRelation::Equal;
                    // Once a limit is reached, no answer is stored: a later question may have more
                    // time.
                    if limits.stopped().is_none() {
                        self.links.insert(names, equal);
                    }
                    equal
                }
            };
            if !equal {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The classes of equal models, and the undecided pairs of classes.
pub(super) type Grouping = (Vec<Vec<usize>>, Vec<[usize; 2]>);

/// The most pairs of classes that may be undecided when a limit is reached. With more undecided
/// pairs, the comparison fails.
const MOST_OPEN: usize = 10_000;

/// The result of comparing models with each other.
pub enum SortOutcome {
    /// Two of the models differ on these inputs.
    Differ(Inputs),
    /// No further difference was found: the classes of equal models, and the undecided pairs of
    /// classes.
    Classes(Vec<Vec<usize>>, Vec<[usize; 2]>),
}

impl ModelClasses<'_> {
    /// Compares models until two of them differ on inputs for which `is_new` holds, or until all
    /// models are in classes.
    pub fn sort(
        &mut self,
        models: &[usize],
        limits: &Limits,
        mut is_new: impl FnMut(&Inputs) -> bool,
    ) -> Result<SortOutcome, QueryError> {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let mut open = Vec::new();
        for &model in models {
            let mut unknown = Vec::new();
            let mut home = None;
            for (index, class) in classes.iter().enumerate() {
                match self.relation(class[0], model, limits)? {
                    ClassRelation::Equal => {
                        home = Some(index);
                        break;
                    }
                    ClassRelation::Differ(inputs) if is_new(&inputs) => {
                        return Ok(SortOutcome::Differ(inputs));
                    }
                    _ => unknown.push(index),
                }
            }
            match home {
                Some(index) => classes[index].push(model),
                None => {
                    if let Some(stopped) = limits.stopped()
                        && open.len() > MOST_OPEN
                    {
                        return Err(QueryError::Stopped(stopped));
                    }
                    open.extend(unknown.into_iter().map(|index| [index, classes.len()]));
                    classes.push(vec![model]);
                }
            }
        }
        Ok(SortOutcome::Classes(classes, open))
    }
}
