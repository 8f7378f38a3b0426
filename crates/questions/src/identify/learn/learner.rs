//! The steps of learning, one after the other, within limits: what is known is kept whenever a limit
//! ends them.

use super::directed::ClassDraw;
use super::evidence::{Evidence, vectors};
use super::fit::{FitCandidate, fit, others, shown};
use super::function::two_answers;
use super::hypothesis::{Hypothesis, Space};
use super::known::LearnProgress;
use super::layout::UnitLayout;
use super::learned::{LearnOptions, LearnResult};
use super::order::{Orders, orders};
use super::session::Session;
use super::stages::LayoutEvidence;
use crate::identify::every_kind::kinds;
use crate::identify::{IdentifyError, IdentifyOptions};
use crate::inputs::{FewTerms, Kinds};
use crate::vectors::Vector;
use crate::vectors::device::Device;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::NanCode;

/// The first questions: how many inputs have so many terms.
const FEW: [(usize, usize); 4] = [(1, 80), (2, 240), (3, 160), (4, 100)];
/// The group of evidence whose inputs have one term.
const SINGLE: usize = 0;
/// The first questions of all kinds, in groups of so many.
const KINDS: [usize; 3] = [120, 120, 120];
/// The inputs that are asked twice at the beginning, and those that are asked again at the end.
const TWICE: usize = 64;
/// The questions about each class of sums.
const OF_CLASS: usize = 150;
/// The first questions of a sweep; each further time twice as many are asked.
pub(super) const BATCH: usize = 250;
/// A description is compared with its neighbours once it gave so many answers in a row.
pub(super) const SETTLED: usize = 700;
/// Of these many inputs in a row, one has few terms.
const ROUND: usize = 5;

/// Learns the description of `device`. Where its operands are integers or have block scales, it must be one of a known
/// algorithm.
///
/// # Errors
/// If the device fails.
pub fn learn(
    device: &mut dyn Device,
    options: &LearnOptions,
    limits: &Limits,
) -> Result<LearnResult, IdentifyError> {
    Learner::new(device, options, limits).run()
}

/// Whether the description of a unit can be searched word by word: its operands are floating-point numbers without block
/// scales.
pub(super) fn has_descriptions(signature: &Signature) -> bool {
    let Signature { a, b, c, d, .. } = signature;
    let are_floats = [a, b, c, d]
        .iter()
        .all(|format| !format.is_integer() && format.has_zero());
    are_floats && signature.scales.is_none()
}

pub struct Learner<'x> {
    pub session: Session<'x>,
    pub options: &'x LearnOptions,
    pub signature: Signature,
    pub kinds: Kinds,
    few: FewTerms,
    evidence: Evidence,
    /// The number of inputs that were drawn.
    drawn: usize,
}

impl<'x> Learner<'x> {
    /// A learner that has asked nothing.
    pub fn new(
        device: &'x mut dyn Device,
        options: &'x LearnOptions,
        limits: &'x Limits,
    ) -> Learner<'x> {
        let session = Session::new(device, options.questions, limits);
        let signature = session.signature;
        let drawn = IdentifyOptions::default()
            .specials(options.specials)
            .seed(options.seed);
        Learner {
            few: FewTerms::new(signature, options.seed),
            kinds: kinds(signature, &drawn),
            evidence: Evidence::default(),
            options,
            signature,
            session,
            drawn: 0,
        }
    }
}

impl Learner<'_> {
    fn run(mut self) -> Result<LearnResult, IdentifyError> {
        let mut known = LearnProgress::default();
        let finished = self.steps(&mut known)?;
        self.conclude(known, finished)
    }

    /// The steps; whether they came to their end.
    fn steps(&mut self, known: &mut LearnProgress) -> Result<bool, IdentifyError> {
        let first = self.draw(TWICE);
        known.two_answers = two_answers(&mut self.session, &first)?;
        if known.two_answers.is_some() {
            return Ok(true);
        }
        if self.by_parameters(known)? {
            return Ok(!self.session.is_halted());
        }
        if !has_descriptions(&self.signature) {
            return Ok(!self.session.is_halted());
        }
        let orders = orders(&mut self.session)?;
        known.order = orders.trees.first().cloned();
        let Some(nan) = self.first_questions()? else {
            return Ok(false);
        };
        let Some(candidates) = self.candidates(&orders, nan)? else {
            return Ok(!self.session.is_halted());
        };
        let mut batch = BATCH;
        let mut is_near = false;
        loop {
            // A unit that gave many answers of a description is near it, or has other sums.
            is_near |= known.agreed >= SETTLED;
            let mut fitting = match is_near {
                true => self.fit(known, &[]),
                false => None,
            };
            if fitting.is_none() && !self.session.is_halted() {
                is_near = false;
                fitting = self.fit(known, &candidates);
            }
            let Some(fitting) = fitting else {
                return Ok(!self.session.is_halted());
            };
            (known.agreed, known.confirmed) = (0, 0);
            known.neighbourhood = None;
            match self.sweep(known, &fitting, &mut batch)? {
                None => return Ok(!self.session.is_halted()),
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

    /// The layouts in which hypotheses are searched, with the answers that show each class of sums;
    /// `None` if a limit is reached.
    fn candidates(
        &mut self,
        orders: &Orders,
        nan: Option<u64>,
    ) -> Result<Option<Vec<FitCandidate>>, IdentifyError> {
        let products = self.signature.products as usize;
        let mut candidates = Vec::new();
        for layout in shown(products, &orders.trees) {
            let Some(classes) = self.ask_classes(&layout, &orders.edges)? else {
                return Ok(None);
            };
            candidates.push(FitCandidate {
                space: Space::new(layout, self.signature, nan),
                stages: Some(LayoutEvidence {
                    single: vec![SINGLE],
                    classes,
                }),
            });
        }
        let others = others(self.signature, &orders.trees, &candidates, nan);
        candidates.extend(others);
        Ok(Some(candidates))
    }

    /// Asks inputs that show each class of sums, the outermost first. Returns the numbers of the
    /// classes and of the groups of evidence.
    fn ask_classes(
        &mut self,
        layout: &UnitLayout,
        edges: &[i64],
    ) -> Result<Option<Vec<(usize, usize)>>, IdentifyError> {
        let mut classes = Vec::new();
        for sum in layout.sums.iter().rev() {
            if !classes.contains(&sum.class) {
                classes.push(sum.class);
            }
        }
        let mut all = Vec::new();
        // Of a unit with many classes, each has fewer questions.
        let count = OF_CLASS.min(self.session.left() / 8 / classes.len().max(1));
        for class in classes {
            let seed = self.options.seed + class as u64;
            let mut directed = ClassDraw::new(layout, &mut self.few, edges, seed);
            let inputs = directed.of_class(class, count);
            let Some(answers) = self.session.ask(&inputs)? else {
                return Ok(None);
            };
            all.push((class, self.evidence.add_group(vectors(&inputs, &answers))));
        }
        Ok(Some(all))
    }

    /// Asks inputs again. Returns the first ones that get another answer, with both answers.
    pub(super) fn another_answer(
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
    pub fn draw(&mut self, count: usize) -> Vec<Inputs> {
        let draw = |_| {
            self.drawn += 1;
            match self.drawn % ROUND {
                0 if has_descriptions(&self.signature) => self.few.draw(1 + self.drawn / ROUND % 4),
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
        self.evidence.add_group(vectors(&inputs, &answers));
        let mut nans = answers.into_iter();
        Ok(Some(nans.find(|answer| self.signature.d.is_nan(*answer))))
    }

    fn ask_group(&mut self, inputs: &[Inputs]) -> Result<bool, IdentifyError> {
        let answers = self.session.ask(inputs)?;
        if let Some(answers) = &answers {
            self.evidence.add_group(vectors(inputs, answers));
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
        known: &mut LearnProgress,
        candidates: &[FitCandidate],
    ) -> Option<Hypothesis> {
        let (answered, limits) = (self.session.answered(), self.session.limits());
        fit(&mut self.evidence, known, candidates, answered, limits)
    }
}
