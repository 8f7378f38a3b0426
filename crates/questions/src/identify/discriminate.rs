//! The search for a requested number of inputs that separate models.

use crate::claims::property::{Domain, EmptyDomain, results_differ};
use crate::claims::query::{
    Answer, Ended, Options, QueryError, Question, answer, common_signature,
};
use crate::inputs::{Interface, Sampler};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Model, Simulator};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A request for inputs that separate models.
#[derive(Clone, Debug)]
pub struct SeparationRequest<'m> {
    /// Two models or more of one signature.
    pub models: &'m [Model],
    /// The assumption about the operands.
    pub domain: &'m Domain,
    /// The number of inputs to find, which are all different.
    pub count: u64,
    /// The seed of samples and of the solver's choices.
    pub seed: u64,
}

impl<'m> SeparationRequest<'m> {
    /// A request for `count` inputs of the domain on which two of the models differ, with seed 0.
    pub fn new(models: &'m [Model], domain: &'m Domain, count: u64) -> Self {
        SeparationRequest {
            models,
            domain,
            count,
            seed: 0,
        }
    }

    /// Sets the seed of samples and of the solver's choices.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        SeparationRequest { seed, ..self }
    }
}

/// The relation of two of the models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairRelation {
    /// Some of the returned inputs separate the two models. If `all` holds, no other inputs
    /// separate them.
    Apart {
        /// Whether it is proved that no other inputs separate the two models.
        all: bool,
    },
    /// Proved: the two models give the same results on all inputs in the domain.
    Equal,
    /// No inputs that separate the two models were found within the limits.
    Unknown(Stopped),
    /// The two models were not compared, since enough inputs had been found before.
    NotAsked,
}

/// The relation of every two models.
pub type PairRelations = Vec<([usize; 2], PairRelation)>;

/// Finds inputs on which not all models give the same result, and passes each with the results to
/// `take`. Returns the relation of every two models. First, samples separate as many pairs of
/// models as they can, then the engine is asked about the other pairs. Further inputs come from
/// samples as long as they succeed, then from the engine. Each input is replayed on machine words
/// and on big integers.
///
/// # Errors
/// If the models do not have the same signature, the domain admits no value of an operand, an answer
/// of the engine is not confirmed, or `take` fails.
pub fn discriminate<E: From<QueryError> + From<EmptyDomain>>(
    wanted: &SeparationRequest<'_>,
    limits: &Limits,
    take: impl FnMut(&Inputs, &[u64]) -> Result<(), E>,
) -> Result<PairRelations, E> {
    let interface = Interface::of(wanted.models).unwrap_or(wanted.models[0].signature().into());
    let signature = interface.signature;
    for model in wanted.models {
        common_signature(&wanted.models[0], model)?;
    }
    let pairs = (0..wanted.models.len())
        .flat_map(|right| (0..right).map(move |left| ([left, right], None)))
        .collect();
    let mut search = Discriminator {
        wanted,
        limits,
        simulators: wanted.models.iter().map(Model::simulator).collect(),
        interface,
        sampler: Sampler::new(signature, wanted.seed),
        rng: ChaCha8Rng::seed_from_u64(wanted.seed),
        seen: FxHashSet::default(),
        given: Vec::new(),
        pairs,
        found: 0,
        take,
    };
    search.sampled(true)?;
    search.asked()?;
    if search.pairs.iter().any(|(_, told)| search.is_apart(told)) {
        search.sampled(false)?;
        search.exhausted()?;
    }
    let told = |told: Option<PairRelation>| told.unwrap_or(PairRelation::NotAsked);
    let pairs = search.pairs.into_iter();
    Ok(pairs.map(|(pair, known)| (pair, told(known))).collect())
}

struct Discriminator<'m, T> {
    wanted: &'m SeparationRequest<'m>,
    limits: &'m Limits,
    simulators: Vec<Simulator<'m>>,
    interface: Interface,
    sampler: Sampler,
    rng: ChaCha8Rng,
    /// Hashes of the inputs found.
    seen: FxHashSet<u64>,
    /// The first inputs found, up to `MOST_EXCLUDED`, which the engine must not find again.
    given: Vec<Inputs>,
    pairs: Vec<([usize; 2], Option<PairRelation>)>,
    found: u64,
    take: T,
}

/// The number of products in successive samples without success after which sampling stops.
const VAIN_PRODUCTS: u64 = 3_000_000;

/// The most inputs that the engine is told to exclude.
const MOST_EXCLUDED: usize = 1000;

impl<T, E: From<QueryError> + From<EmptyDomain>> Discriminator<'_, T>
where
    T: FnMut(&Inputs, &[u64]) -> Result<(), E>,
{
    fn is_apart(&self, told: &Option<PairRelation>) -> bool {
        matches!(told, Some(PairRelation::Apart { .. }))
    }

    fn is_enough(&self) -> bool {
        self.found >= self.wanted.count || self.limits.stopped().is_some()
    }

    /// Draws samples until there are enough inputs, or until too many samples in succession were of
    /// no use. With `new_pairs`, only inputs that separate a pair that is not decided yet are of
    /// use.
    fn sampled(&mut self, new_pairs: bool) -> Result<(), E> {
        let signature = self.wanted.models[0].signature();
        let models = self.wanted.models.len() as u64;
        let tries = VAIN_PRODUCTS / u64::from(signature.products + 12) / models;
        let mut vain = 0;
        while vain < tries && !self.is_enough() {
            if new_pairs && self.pairs.iter().all(|(_, told)| told.is_some()) {
                return Ok(());
            }
            let drawn = self.sampler.sample();
            let placed = self.wanted.domain.place(drawn, &mut self.rng)?;
            let inputs = self.interface.taken(placed);
            vain += 1;
            if self.give(&inputs, new_pairs)? {
                vain = 0;
            }
        }
        Ok(())
    }

    /// Passes `inputs` to `take` if they separate models and are new; returns whether they were
    /// passed on.
    fn give(&mut self, inputs: &Inputs, new_pairs: bool) -> Result<bool, E> {
        let models = self.wanted.models;
        let simulators = self.simulators.iter_mut();
        let results: Vec<u64> = simulators.map(|one| one.run(inputs)).collect();
        let differ = |[left, right]: [usize; 2]| {
            let pair = [&models[left], &models[right]];
            results_differ(pair, [results[left], results[right]])
        };
        let fits = |(pair, told): &&([usize; 2], Option<PairRelation>)| {
            (!new_pairs || told.is_none()) && differ(*pair)
        };
        let Some(&([left, right], _)) = self.pairs.iter().find(fits) else {
            return Ok(false);
        };
        let mut hasher = FxHasher::default();
        inputs.hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return Ok(false);
        }
        let question = Question::difference(&models[left], &models[right], None);
        let question = question?.with_specials();
        question.replay(inputs)?;
        for (pair, told) in &mut self.pairs {
            if told.is_none() && differ(*pair) {
                *told = Some(PairRelation::Apart { all: false });
            }
        }
        self.found += 1;
        if self.given.len() < MOST_EXCLUDED {
            self.given.push(inputs.clone());
        }
        (self.take)(inputs, &results)?;
        Ok(true)
    }

    /// Asks the engine about every two models that no sample separated, until there are enough
    /// inputs.
    fn asked(&mut self) -> Result<(), E> {
        for index in 0..self.pairs.len() {
            if self.pairs[index].1.is_some() {
                continue;
            }
            if self.is_enough() {
                self.pairs[index].1 = self.limits.stopped().map(PairRelation::Unknown);
                continue;
            }
            let answer = self.engine(index, &[])?;
            match (answer.witness(), answer.ended) {
                (Some(witness), _) => {
                    self.give(&witness.inputs, true)?;
                }
                (None, Ended::Unknown(stopped)) => {
                    self.pairs[index].1 = Some(PairRelation::Unknown(stopped));
                }
                (None, _) => self.pairs[index].1 = Some(PairRelation::Equal),
            }
        }
        Ok(())
    }

    /// Asks the engine for new inputs until there are enough or no others exist.
    fn exhausted(&mut self) -> Result<(), E> {
        for index in 0..self.pairs.len() {
            let mut known = self.given.clone();
            while self.is_apart(&self.pairs[index].1) && !self.is_enough() {
                let answer = self.engine(index, &known)?;
                let Some(witness) = answer.witnesses.into_iter().next() else {
                    if let Ended::NoMore { .. } = answer.ended {
                        self.pairs[index].1 = Some(PairRelation::Apart { all: true });
                    }
                    break;
                };
                self.give(&witness.inputs, false)?;
                known.push(witness.inputs);
            }
        }
        Ok(())
    }

    /// Asks the engine for inputs that separate the models of pair `index` and are not in `known`.
    fn engine(&self, index: usize, known: &[Inputs]) -> Result<Answer, QueryError> {
        let [left, right] = self.pairs[index].0.map(|model| &self.wanted.models[model]);
        let question = Question::difference(left, right, Some(self.wanted.domain))?;
        let question = question.with_specials().except(known);
        let options = Options::default().seed(self.wanted.seed).all_inputs();
        let answer = answer(&question, &options, self.limits)?;
        match answer.ended {
            Ended::Vacuous => Err(QueryError::Vacuous {
                inputs: question.inputs_text(),
            }),
            _ => Ok(answer),
        }
    }
}
