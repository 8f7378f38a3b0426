//! The steps of learning, one after the other, within limits: what is known is kept whenever a limit
//! ends them.

use super::climb::Measured;
use super::decide::Neighbourhood;
use super::evidence::Evidence;
use super::fit::{fitting, spaces};
use super::function::two_answers;
use super::hypothesis::{Hypothesis, Space};
use super::learned::{LearnOptions, Learned, Verdict};
use super::order::orders;
use super::session::Session;
use crate::identify::confirm::kinds;
use crate::identify::probe::SummationTree;
use crate::identify::{IdentifyError, Options};
use crate::inputs::{FewTerms, Kinds, simplicity};
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::descriptions::Tree;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::numbers::float::NanCode;
use std::sync::Arc;

/// The first questions: how many inputs have so many terms.
const FEW: [(usize, usize); 4] = [(1, 80), (2, 240), (3, 160), (4, 100)];
/// The first questions of all kinds, in groups of so many.
const KINDS: [usize; 3] = [120, 120, 120];
/// The inputs that are asked twice at the beginning, and those that are asked again at the end.
const TWICE: usize = 64;
/// The first questions of a sweep; each further time twice as many are asked, up to the most.
const BATCH: usize = 250;
const MOST: usize = 2000;
/// A description is compared with its neighbours once it gave so many answers in a row.
const SETTLED: usize = 700;
/// The inputs on which neighbours are compared.
const COMPARED: usize = 2500;
/// Of these many inputs in a row, one has few terms.
const ROUND: usize = 5;
/// The most answers of one batch that are added to the evidence.
const FAILED: usize = 48;

/// Learns the description of `device`, whose operands are floating-point numbers without block
/// scales.
///
/// # Errors
/// If the device fails.
pub fn learn(
    device: &mut dyn Device,
    options: &LearnOptions,
    limits: &Limits,
) -> Result<Learned, IdentifyError> {
    let session = Session::new(device, options.questions, limits);
    let signature = session.signature;
    let drawn = Options::default()
        .specials(options.specials)
        .seed(options.seed);
    let learner = Learner {
        few: FewTerms::new(signature, options.seed),
        kinds: kinds(signature, &drawn),
        evidence: Evidence::default(),
        options,
        signature,
        session,
        drawn: 0,
    };
    learner.run()
}

struct Learner<'x> {
    session: Session<'x>,
    options: &'x LearnOptions,
    signature: Signature,
    kinds: Kinds,
    few: FewTerms,
    evidence: Evidence,
    /// The number of inputs that were drawn.
    drawn: usize,
}

/// What is known so far.
#[derive(Default)]
struct Known {
    best: Option<Measured>,
    order: Option<SummationTree>,
    tried: usize,
    confirmed: usize,
    two_answers: Option<(Inputs, [u64; 2])>,
    neighbourhood: Option<Neighbourhood>,
}

impl Learner<'_> {
    fn run(mut self) -> Result<Learned, IdentifyError> {
        let mut known = Known::default();
        let finished = self.steps(&mut known)?;
        self.finish(known, finished)
    }

    /// The steps; whether they came to their end.
    fn steps(&mut self, known: &mut Known) -> Result<bool, IdentifyError> {
        let first = self.draw(TWICE);
        known.two_answers = two_answers(&mut self.session, &first)?;
        if known.two_answers.is_some() {
            return Ok(true);
        }
        let orders = orders(&mut self.session)?;
        known.order = orders.first().cloned();
        let Some(nan) = self.first_questions()? else {
            return Ok(false);
        };
        let spaces = spaces(self.signature, &orders, nan);
        let mut batch = BATCH;
        let mut spaces = &spaces[..];
        loop {
            // A unit that gave many answers of a description is near it, or near no description.
            if known.confirmed >= SETTLED {
                spaces = &[];
            }
            let Some(fitting) = self.fit(known, spaces)? else {
                return Ok(!self.session.is_halted());
            };
            known.confirmed = 0;
            known.neighbourhood = None;
            match self.sweep(known, &fitting, &mut batch)? {
                None => return Ok(self.session.left() == 0 || !self.session.is_halted()),
                Some(failed) => {
                    known.two_answers = self.another_answer(&failed)?;
                    if known.two_answers.is_some() {
                        return Ok(true);
                    }
                    self.evidence.add_failed(failed);
                }
            }
        }
    }

    /// Asks inputs again. Returns the first ones that get another answer, with both answers.
    fn another_answer(
        &mut self,
        vectors: &[Vector],
    ) -> Result<Option<(Inputs, [u64; 2])>, IdentifyError> {
        let inputs: Vec<Inputs> = vectors.iter().map(|vector| vector.inputs.clone()).collect();
        let Some(answers) = self.session.ask(&inputs)? else {
            return Ok(None);
        };
        let mut pairs = vectors.iter().zip(answers);
        Ok(pairs.find_map(|(vector, again)| {
            (vector.d != again).then(|| (vector.inputs.clone(), [vector.d, again]))
        }))
    }

    /// The next inputs of all kinds.
    fn draw(&mut self, count: usize) -> Vec<Inputs> {
        let draw = |_| {
            self.drawn += 1;
            match self.drawn % ROUND {
                0 => self.few.draw(1 + self.drawn / ROUND % 4),
                _ => self.kinds.draw(),
            }
        };
        (0..count).map(draw).collect()
    }

    /// Asks the first questions, which are the evidence for all hypotheses. Returns a NaN that the
    /// unit gives, if it gives one; `None` if a limit is reached.
    fn first_questions(&mut self) -> Result<Option<Option<u64>>, IdentifyError> {
        for (terms, count) in FEW {
            let inputs: Vec<Inputs> = (0..count).map(|_| self.few.draw(terms)).collect();
            if !self.ask_group(&inputs)? {
                return Ok(None);
            }
        }
        for count in KINDS {
            let inputs = self.draw(count);
            if !self.ask_group(&inputs)? {
                return Ok(None);
            }
        }
        if !self.options.specials {
            return Ok(Some(None));
        }
        let inputs = self.invalid();
        let Some(answers) = self.session.ask(&inputs)? else {
            return Ok(None);
        };
        self.evidence.add_group(&inputs, &answers);
        let mut nans = answers.into_iter();
        Ok(Some(nans.find(|answer| self.signature.d.is_nan(*answer))))
    }

    fn ask_group(&mut self, inputs: &[Inputs]) -> Result<bool, IdentifyError> {
        let answers = self.session.ask(inputs)?;
        if let Some(answers) = &answers {
            self.evidence.add_group(inputs, answers);
        }
        Ok(answers.is_some())
    }

    /// Inputs without a number as their result: an infinity times zero, and a NaN in each operand.
    fn invalid(&self) -> Vec<Inputs> {
        let Signature { a, b, c, .. } = self.signature;
        let zero = Inputs::zero(&self.signature);
        let mut all = Vec::new();
        if a.has_infinity() {
            let mut inputs = zero.clone();
            inputs.a[0] = a.infinity();
            all.push(inputs);
        }
        if a.has_nan() {
            let mut inputs = zero.clone();
            (inputs.a[0], inputs.b[0]) = (a.nan(NanCode::Quiet), b.one());
            all.push(inputs);
        }
        if c.has_nan() {
            let mut inputs = zero;
            inputs.c = c.nan(NanCode::Quiet);
            all.push(inputs);
        }
        all
    }

    /// A hypothesis that gives all answers so far; `None` if none is found. The nearest one is kept
    /// in `known`.
    fn fit(
        &mut self,
        known: &mut Known,
        spaces: &[Arc<Space>],
    ) -> Result<Option<Hypothesis>, IdentifyError> {
        let mut from = known.best.take();
        loop {
            let limits = self.session.limits();
            let (best, tried) = fitting(&self.evidence, from, spaces, limits);
            known.tried += tried;
            let Some(best) = best else { return Ok(None) };
            let fits = best.missed == 0;
            let hypothesis = best.hypothesis.clone();
            known.best = Some(best);
            if !fits || self.session.is_halted() {
                return Ok(None);
            }
            let Some(model) = hypothesis.model() else {
                return Ok(None);
            };
            // Answers that earlier hypotheses gave are no part of the evidence yet.
            let mut simulator = model.simulator();
            let failed = self.session.answered().iter();
            let failed = failed
                .filter(|vector| !model.accepts(simulator.run(&vector.inputs), vector.d))
                .take(FAILED);
            let failed: Vec<Vector> = failed.cloned().collect();
            if failed.is_empty() {
                return Ok(Some(hypothesis));
            }
            self.evidence.add_failed(failed);
            from = known.best.take();
        }
    }

    /// Asks inputs of all kinds, and those that tell the hypothesis from its neighbours, as long as
    /// there are questions. Returns the answers that it does not give; `None` at the end.
    fn sweep(
        &mut self,
        known: &mut Known,
        hypothesis: &Hypothesis,
        batch: &mut usize,
    ) -> Result<Option<Vec<Vector>>, IdentifyError> {
        let Some(model) = hypothesis.model() else {
            return Ok(None);
        };
        let mut simulator = model.simulator();
        loop {
            let is_told = known.neighbourhood.is_some();
            let count = (*batch).min(self.session.left());
            let inputs = if known.confirmed >= SETTLED && !is_told {
                let compared = self.draw(COMPARED);
                let answered = self.session.answered();
                let limits = self.session.limits();
                known.neighbourhood = Neighbourhood::of(hypothesis, answered, compared, limits);
                let telling = known.neighbourhood.as_ref().map(Neighbourhood::telling);
                let mut telling = telling.unwrap_or_default();
                telling.truncate(count);
                self.kinds.add_distinguishing(&telling);
                telling
            } else {
                self.draw(count)
            };
            if self.session.left() == 0 || self.session.is_halted() {
                return Ok(None);
            }
            let Some(answers) = self.session.ask(&inputs)? else {
                return Ok(None);
            };
            let pairs = inputs.iter().zip(&answers);
            let failed = pairs.filter(|(inputs, d)| !model.accepts(simulator.run(inputs), **d));
            let failed: Vec<Vector> = failed
                .map(|(inputs, d)| Vector {
                    inputs: inputs.clone(),
                    d: *d,
                })
                .take(FAILED)
                .collect();
            if !failed.is_empty() {
                let inputs = failed.iter().take(8).map(|vector| vector.inputs.clone());
                self.kinds.add_distinguishing(&inputs.collect::<Vec<_>>());
                *batch = BATCH;
                return Ok(Some(failed));
            }
            known.confirmed += inputs.len();
            *batch = (*batch * 2).min(MOST);
        }
    }

    fn finish(self, known: Known, finished: bool) -> Result<Learned, IdentifyError> {
        let best = known.best.as_ref();
        let model = best.and_then(|best| best.hypothesis.model());
        let text = best.map(|best| best.hypothesis.text()).unwrap_or_default();
        let text = Tree::parse(&text).map_or(text, |tree| tree.to_string());
        let (halted, confirm) = (self.session.halted(), self.options.confirm);
        let limits = self.session.limits();
        let answered = self.session.finish()?;
        let mut agrees = 0;
        let mut failing: Vec<(Vector, u64)> = Vec::new();
        if let Some(model) = &model {
            let mut simulator = model.simulator();
            for vector in &answered {
                let result = simulator.run(&vector.inputs);
                match model.accepts(result, vector.d) {
                    true => agrees += 1,
                    false => failing.push((vector.clone(), result)),
                }
            }
        }
        let signature = self.signature;
        let failing = failing
            .into_iter()
            .min_by_key(|(vector, _)| simplicity(&signature, &vector.inputs));
        let verdict = match (&known.two_answers, &model, &failing) {
            (Some(_), ..) => Verdict::NotAFunction,
            _ if !finished => Verdict::Halted,
            (None, None, _) | (None, _, Some(_)) => Verdict::None,
            (None, Some(_), None) if known.confirmed >= confirm => Verdict::Confirmed,
            (None, Some(_), None) => Verdict::Unconfirmed,
        };
        let (mut decided, mut open) = (Vec::new(), Vec::new());
        let is_told = known.neighbourhood.is_some() && failing.is_none();
        if let Some(best) = best.filter(|_| is_told) {
            let all = Neighbourhood::of(&best.hypothesis, &answered, Vec::new(), limits);
            if let Some(all) = all {
                (decided, open) = all.report(&best.hypothesis);
            }
        }
        Ok(Learned {
            verdict,
            model,
            text,
            order: known.order,
            tried: known.tried,
            confirmed: known.confirmed,
            answered,
            agrees,
            failing,
            decided,
            open,
            two_answers: known.two_answers,
            halted,
        })
    }
}
