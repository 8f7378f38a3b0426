//! The last attempt to refute a description before it is confirmed: other descriptions that give every
//! answer so far, rows of the tables, and algorithms with these operands. Where the solver finds inputs on
//! which one of them differs, the machine decides.

use super::known::LearnProgress;
use super::learner::Learner;
use super::named::named;
use super::near::NearModels;
use crate::claims::property::results_differ;
use crate::claims::query::{Ended, Options, QueryError, Question, answer};
use crate::identify::IdentifyError;
use crate::identify::threads;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// The turns and the most time of a search for a difference to a row or an algorithm; what it leaves open is said.
const EFFORT: (u32, Duration) = (2, Duration::from_secs(10));
/// The inputs on which rivals are compared before the solver is asked: a few, and many on those that are left. The solver
/// is often too slow for a difference that one input in ten thousand shows.
const COMPARED: [usize; 2] = [2_500, 50_000];
/// The most products of the inputs that are drawn at once.
const MOST_PRODUCTS: usize = 1 << 21;

/// A model that gives all answers so far. There may be many: the model of a description is made when it is asked for.
struct Rival {
    /// The name of the row or the algorithm, or the text of the description.
    name: String,
    canonical: String,
    /// The row or the algorithm; `None` for a description.
    row: Option<Model>,
}

impl Rival {
    fn model(&self, near: &NearModels) -> Option<Model> {
        self.row.clone().or_else(|| (near.model)(&self.name))
    }
}

impl Learner<'_> {
    /// Asks the machine inputs on which models differ that give all answers so far. Returns the
    /// answers that the description does not give; `None` if there are none. What the solver could
    /// not tell is kept in `known`.
    pub fn rivalled(
        &mut self,
        known: &mut LearnProgress,
        near: &NearModels,
        own: &Model,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        let limits = self.session.limits();
        let answered = self.session.answered();
        let (settled, specials) = (&known.equal_texts, self.options.specials);
        let rivals = rivals(near, own, answered, specials, limits);
        let rivals = rivals
            .into_iter()
            .filter(|rival| !settled.contains(&rival.canonical));
        let mut open: Vec<Rival> = rivals.collect();
        known.unsettled.clear();
        (known.not_asked, known.is_contested) = (0, false);
        for count in COMPARED {
            if open.is_empty() {
                break;
            }
            let most = MOST_PRODUCTS / own.signature().products.max(1) as usize;
            let drawn = self.draw(count.min(most));
            let told = first_differences(own, &mut open, near, &drawn);
            if let Some(failed) = self.judged(own, &told)? {
                return Ok(Some(failed));
            }
        }
        let mut told = Vec::new();
        let begun = Instant::now();
        for rival in open {
            let is_named = rival.row.is_some();
            let Some(model) = rival.model(near) else {
                known.not_asked += 1;
                continue;
            };
            // What told one of them from the description often tells others.
            if told.iter().any(|inputs| differs(own, &model, inputs)) {
                continue;
            }
            let limits = self.session.limits();
            let is_enough = begun.elapsed() > near.time;
            if is_enough && !is_named || limits.stopped().is_some() {
                known.not_asked += 1;
                known.is_contested |= near.are_decisive;
                continue;
            }
            let (turns, time) = if is_named { EFFORT } else { near.effort };
            let limits = &limits.within(time);
            let effort = Options::default()
                .seed(self.options.seed)
                .turns(turns)
                .all_inputs();
            match difference([own, &model], self.options.specials, &effort, limits)? {
                RivalVerdict::Apart(inputs) => {
                    if let Some(failed) = self.judged(own, std::slice::from_ref(&inputs))? {
                        return Ok(Some(failed));
                    }
                    told.push(inputs);
                }
                RivalVerdict::Equal => {
                    known.equal_texts.insert(rival.canonical);
                }
                RivalVerdict::Open => {
                    known.is_contested |= is_named || near.are_decisive;
                    known.unsettled.push(rival.name);
                }
            }
        }
        Ok(None)
    }

    /// The answers of the machine to `inputs` that the model does not give, if there are any. The
    /// inputs count as confirming ones otherwise.
    pub(super) fn judged(
        &mut self,
        own: &Model,
        inputs: &[Inputs],
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        if inputs.is_empty() {
            return Ok(None);
        }
        // Answers that exclude a rival are kept, as long as there may be more of them.
        let answers = match inputs.len() <= self.session.left() {
            true => self.session.ask(inputs)?,
            false => self.session.check(inputs)?,
        };
        let Some(answers) = answers else {
            return Ok(None);
        };
        Ok(self.failed(own, inputs, &answers))
    }
}

/// What the solver says of two models.
enum RivalVerdict {
    Apart(Inputs),
    Equal,
    Open,
}

fn difference(
    [own, other]: [&Model; 2],
    specials: bool,
    effort: &Options,
    limits: &Limits,
) -> Result<RivalVerdict, QueryError> {
    let mut question = Question::difference(own, other, None)?;
    if specials {
        question = question.with_specials();
    }
    let answer = answer(&question, effort, limits)?;
    Ok(match (answer.witnesses.into_iter().next(), answer.ended) {
        (Some(witness), _) => RivalVerdict::Apart(witness.inputs),
        (None, Ended::NoMore { .. }) => RivalVerdict::Equal,
        (None, _) => RivalVerdict::Open,
    })
}

/// Inputs on which the rivals differ from the description, the first for each. The rivals that
/// differ on none of them stay.
fn first_differences(
    own: &Model,
    rivals: &mut Vec<Rival>,
    near: &NearModels,
    inputs: &[Inputs],
) -> Vec<Inputs> {
    let results = |model: &Model| {
        let mut batch = model.batch();
        batch.prepare_for_rows(inputs.len() as u64);
        batch.results(inputs)
    };
    let own_results = results(own);
    let found = threads::map(rivals, rivals.len() * inputs.len(), |rival| {
        let model = rival.model(near)?;
        let others = results(&model);
        let mut pairs = own_results.iter().zip(&others);
        pairs.position(|(own_result, other)| results_differ([own, &model], [*own_result, *other]))
    });
    let mut at: Vec<usize> = found.iter().flatten().copied().collect();
    at.sort_unstable();
    at.dedup();
    let mut found = found.into_iter();
    rivals.retain(|_| found.next().flatten().is_none());
    at.into_iter().map(|at| inputs[at].clone()).collect()
}

fn differs(own: &Model, other: &Model, inputs: &Inputs) -> bool {
    let results = [own, other].map(|model| model.simulator().run(inputs));
    results_differ([own, other], results)
}

/// The models that give every answer, and are not the description: rows and algorithms first, then
/// those near it.
fn rivals(
    near: &NearModels,
    own: &Model,
    answered: &[Vector],
    specials: bool,
    limits: &Limits,
) -> Vec<Rival> {
    let signature = own.signature();
    let mut known = FxHashSet::from_iter([own.canonical()]);
    let named = named(&signature, limits).into_iter();
    let gives_all = |model: &Model| {
        let mut simulator = model.simulator();
        let mut asked = answered
            .iter()
            .filter(|vector| specials || vector.inputs.is_finite(&signature));
        asked.all(|vector| model.accepts(simulator.run(&vector.inputs), vector.d))
    };
    let of_texts = threads::map(&near.texts, near.texts.len() * 1000, |text| {
        if limits.stopped().is_some() {
            return None;
        }
        let model = (near.model)(text).filter(gives_all)?;
        Some(Rival {
            name: text.clone(),
            canonical: model.canonical(),
            row: None,
        })
    });
    let named = named.filter(|(_, model)| gives_all(model));
    let named = named.map(|(name, model)| Rival {
        name,
        canonical: model.canonical(),
        row: Some(model),
    });
    let all = named.chain(of_texts.into_iter().flatten());
    all.filter(|rival| known.insert(rival.canonical.clone()))
        .collect()
}
