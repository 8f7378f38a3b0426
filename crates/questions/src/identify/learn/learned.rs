//! What is learnt about a unit.

use super::choices::LearnChoice;
use crate::identify::QuestionsHalt;
use crate::identify::probe::SummationTree;
use crate::vectors::Vector;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use std::time::Duration;

/// How to learn.
#[derive(Clone, Debug)]
pub struct LearnOptions {
    /// The most questions from which the description is learnt.
    pub questions: usize,
    /// The inputs of the confirming sweep, which all come after the last change of the description,
    /// and are not among the questions. A difference on one input in 10,000 escapes 100,000 inputs
    /// once in 20,000 times.
    pub confirm: usize,
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// The seed of the inputs that are drawn.
    pub seed: u64,
    /// The time for a solver to tell the description from those that no drawn input tells from it, or
    /// to prove them equal; `None` if it is not asked.
    pub settle: Option<Duration>,
    /// A model from which the unit may differ in a few parameters: the search begins with it.
    pub near: Option<Model>,
}

/// By default 20,000 questions, and 100,000 inputs that confirm, with infinities and NaNs.
impl Default for LearnOptions {
    fn default() -> Self {
        LearnOptions {
            questions: 20_000,
            confirm: 100_000,
            specials: true,
            seed: 0,
            settle: None,
            near: None,
        }
    }
}

/// The outcome of learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnVerdict {
    /// The description gives every answer, and the sweep confirmed it.
    Confirmed,
    /// The description gives every answer, but there were too few questions for the sweep, or a row of
    /// the tables gives them as well and the solver could not tell whether they are the same.
    Unconfirmed,
    /// No description that was tried gives every answer.
    None,
    /// A limit was reached before the end.
    Halted,
    /// The unit gave two answers to the same inputs.
    NotAFunction,
}

/// A choice of the description that inputs decide.
#[derive(Clone, Debug)]
pub struct DecidedChoice {
    /// The part of the unit, and what is chosen.
    pub choice: LearnChoice,
    /// The number of the word that the unit has.
    pub word: usize,
    /// The number of the nearest word that an answer excludes.
    pub against: usize,
    /// The simplest inputs that exclude it, with the answer of the unit.
    pub vector: Vector,
    /// The result with the other word.
    pub other: u64,
}

/// A choice whose other words give the same results on all inputs that were tried.
#[derive(Clone, Debug)]
pub struct OpenChoice {
    /// The part of the unit, and what is chosen.
    pub choice: LearnChoice,
    /// The number of the word of the description.
    pub word: usize,
    /// The numbers of the words that no input told apart from it.
    pub others: Vec<usize>,
    /// The numbers of the words that are proved to make no difference.
    pub equal: Vec<usize>,
}

/// What is learnt about a unit.
#[derive(Clone, Debug)]
pub struct LearnResult {
    /// The outcome.
    pub verdict: LearnVerdict,
    /// The description, or the nearest one; `None` if there is none so far.
    pub model: Option<Model>,
    /// The text of the description, on lines.
    pub text: String,
    /// The algorithm with its parameters, if it is a known one.
    pub name: Option<String>,
    /// The order of the sums, if the answers show it.
    pub order: Option<SummationTree>,
    /// The number of descriptions that were compared with answers.
    pub tried: usize,
    /// The number of inputs of the sweep on which the unit gave the results of the description.
    pub confirmed: usize,
    /// All questions with their answers, in order.
    pub answered: Vec<Vector>,
    /// The number of answers that the description gives.
    pub agrees: usize,
    /// The simplest inputs on which it does not, with its result.
    pub failing: Option<(Vector, u64)>,
    /// The choices that inputs decide.
    pub decided: Vec<DecidedChoice>,
    /// The choices that no input decides.
    pub open: Vec<OpenChoice>,
    /// The descriptions, rows and algorithms that give all answers as well, and that the solver neither
    /// told from the description nor proved equal within its effort.
    pub unsettled: Vec<String>,
    /// The number of further ones that the solver was not asked about.
    pub not_asked: usize,
    /// Inputs to which the unit gave two answers.
    pub two_answers: Option<(Inputs, [u64; 2])>,
    /// If the answers were recorded: inputs that tell the description from those near it, which no
    /// answer excludes.
    pub next: Vec<Inputs>,
    /// The limit that ended the questions early.
    pub halted: Option<QuestionsHalt>,
}
