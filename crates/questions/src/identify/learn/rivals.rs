//! The last attempt to refute a description before it is confirmed: other descriptions that give every
//! answer so far, rows of the tables, and algorithms with these operands. Where the solver finds inputs on
//! which one of them differs, the machine decides.

use super::hypothesis::{Hypothesis, model_of};
use super::known::LearnProgress;
use super::learner::Learner;
use super::moves::{compensations, moves};
use crate::claims::property::results_differ;
use crate::claims::query::{Ended, Options, QueryError, Question, answer};
use crate::identify::IdentifyError;
use crate::identify::threads;
use crate::identify::values::with_shape;
use crate::vectors::Vector;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::{Model, architectures, described};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The most rivals near the description that the solver is asked about.
const ASKED: usize = 8;
/// The turns of a search for one difference, to a row or an algorithm and to a description near.
const TURNS: [u32; 2] = [2, 1];
/// The most time of one such search; what it leaves open is said.
const TIME: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(2)];
/// The inputs on which rivals are compared before the solver is asked.
const COMPARED: usize = 2500;

/// A model that gives all answers so far.
struct Rival {
    /// The name of the row or the algorithm, or the text of the description.
    name: String,
    /// True for a row or an algorithm, false for a description.
    is_named: bool,
    model: Model,
}

impl Learner<'_> {
    /// Asks the machine inputs on which models differ that give all answers so far. Returns the
    /// answers that the description does not give; `None` if there are none. What the solver could
    /// not tell is kept in `known`.
    pub fn rivalled(
        &mut self,
        known: &mut LearnProgress,
        hypothesis: &Hypothesis,
        own: &Model,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        let drawn = self.draw(COMPARED);
        let limits = self.session.limits();
        let answered = self.session.answered();
        let (settled, specials) = (&known.equal_texts, self.options.specials);
        let rivals = rivals(hypothesis, own, answered, specials, limits);
        let rivals = rivals
            .into_iter()
            .filter(|rival| !settled.contains(&rival.model.canonical()));
        let mut open: Vec<Rival> = rivals.collect();
        known.unsettled.clear();
        known.not_asked = 0;
        let mut told = first_differences(own, &mut open, &drawn);
        if let Some(failed) = self.judged(own, &told)? {
            return Ok(Some(failed));
        }
        told.clear();
        let mut asked = 0;
        for rival in open {
            // What told one of them from the description often tells others.
            if told.iter().any(|inputs| differs(own, &rival.model, inputs)) {
                continue;
            }
            let limits = self.session.limits();
            if asked == ASKED && !rival.is_named || limits.stopped().is_some() {
                known.not_asked += 1;
                continue;
            }
            asked += usize::from(!rival.is_named);
            let turns = TURNS[usize::from(!rival.is_named)];
            let limits = &limits.within(TIME[usize::from(!rival.is_named)]);
            let effort = Options::default()
                .seed(self.options.seed)
                .turns(turns)
                .all_inputs();
            match difference([own, &rival.model], self.options.specials, &effort, limits)? {
                Told::Apart(inputs) => {
                    if let Some(failed) = self.judged(own, std::slice::from_ref(&inputs))? {
                        return Ok(Some(failed));
                    }
                    told.push(inputs);
                }
                Told::Equal => {
                    known.equal_texts.insert(rival.model.canonical());
                }
                Told::Open => {
                    known.unsettled.push(rival.name);
                }
            }
        }
        Ok(None)
    }

    /// The answers of the machine to `inputs` that the model does not give, if there are any. The
    /// inputs count as confirming ones otherwise.
    fn judged(
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
enum Told {
    Apart(Inputs),
    Equal,
    Open,
}

fn difference(
    [own, other]: [&Model; 2],
    specials: bool,
    effort: &Options,
    limits: &Limits,
) -> Result<Told, QueryError> {
    let mut question = Question::difference(own, other, None)?;
    if specials {
        question = question.with_specials();
    }
    let answer = answer(&question, effort, limits)?;
    Ok(match (answer.witnesses.into_iter().next(), answer.ended) {
        (Some(witness), _) => Told::Apart(witness.inputs),
        (None, Ended::NoMore { .. }) => Told::Equal,
        (None, _) => Told::Open,
    })
}

/// Inputs on which the rivals differ from the description, the first for each. The rivals that
/// differ on none of them stay.
fn first_differences(own: &Model, rivals: &mut Vec<Rival>, inputs: &[Inputs]) -> Vec<Inputs> {
    let mut simulator = own.simulator();
    let results: Vec<u64> = inputs.iter().map(|inputs| simulator.run(inputs)).collect();
    let found = threads::map(rivals, rivals.len() * inputs.len(), |rival| {
        let mut other = rival.model.simulator();
        let mut pairs = inputs.iter().zip(&results);
        pairs.position(|(inputs, own_result)| {
            results_differ([own, &rival.model], [*own_result, other.run(inputs)])
        })
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
/// descriptions with one other choice, then those with choices that make up for each other.
fn rivals(
    hypothesis: &Hypothesis,
    own: &Model,
    answered: &[Vector],
    specials: bool,
    limits: &Limits,
) -> Vec<Rival> {
    let signature = own.signature();
    let mut known = FxHashSet::from_iter([own.canonical()]);
    let named = named(&signature, limits).into_iter();
    let mut texts = FxHashSet::from_iter([hypothesis.text()]);
    let near = moves(hypothesis, &[]).into_iter().flatten();
    let made_up = compensations(hypothesis);
    let near: Vec<String> = near
        .chain(made_up)
        .map(|near| near.text())
        .filter(|text| texts.insert(text.clone()))
        .collect();
    let gives_all = |model: &Model| {
        let mut simulator = model.simulator();
        let mut asked = answered
            .iter()
            .filter(|vector| specials || vector.inputs.is_finite(&signature));
        asked.all(|vector| model.accepts(simulator.run(&vector.inputs), vector.d))
    };
    let of_texts = threads::map(&near, near.len() * 1000, |text| {
        if limits.stopped().is_some() {
            return None;
        }
        let model = model_of(text).filter(gives_all)?;
        Some(Rival {
            name: text.clone(),
            is_named: false,
            model,
        })
    });
    let named = named.filter(|rival| gives_all(&rival.model));
    let all = named.chain(of_texts.into_iter().flatten());
    all.filter(|rival| known.insert(rival.model.canonical()))
        .collect()
}

/// The rows with these operands; and their algorithms, and those of other rows, with these operands.
fn named(signature: &Signature, limits: &Limits) -> Vec<Rival> {
    let mut all: Vec<Rival> = Vec::new();
    let mut known = FxHashSet::default();
    let mut add = |name: String, model: Model| {
        if model.signature() == *signature && known.insert(model.canonical()) {
            let is_named = true;
            all.push(Rival {
                name,
                is_named,
                model,
            });
        }
    };
    let mut specs = FxHashSet::default();
    let tables = [architectures(), described()]
        .into_iter()
        .flatten()
        .flatten();
    for row in tables.flat_map(|architecture| &architecture.rows) {
        if limits.stopped().is_some() {
            break;
        }
        let Ok(model) = Model::parse(&row.full_name()) else {
            continue;
        };
        for other in with_operands(&model, signature, &mut specs) {
            add(other.canonical(), other);
        }
        add(row.full_name(), model);
    }
    all
}

/// The algorithm of a model with other operands, its own sums one after the other or one sum.
fn with_operands(
    model: &Model,
    signature: &Signature,
    known: &mut FxHashSet<String>,
) -> Vec<Model> {
    let Some((_, links)) = model.algorithm().operation() else {
        return Vec::new();
    };
    let Signature { a, b, products, .. } = signature;
    let own = (model.signature().products / links.max(1)).max(1);
    let factors = match a == b {
        true => format!("in={a}"),
        false => format!("a={a},b={b}"),
    };
    let changed = [own, *products].map(|length| {
        let change = format!("{factors},K={length}");
        known
            .insert(format!("{} {change}", model.canonical()))
            .then(|| with_shape(model, &change, *products).ok())?
    });
    changed.into_iter().flatten().collect()
}
