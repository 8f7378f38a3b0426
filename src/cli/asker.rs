//! Options common to all questions. Asks a question, has its answer confirmed, and writes the files
//! that are asked for.

use super::artifacts::{ArtifactArgs, WrittenFiles};
use super::dump::DumpArgs;
use super::engine::EngineArgs;
use super::timeouts::{seconds, until_ctrl_c};
use crate::cli::error::Error;
use crate::cli::frame::SearchArgs;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::{
    Answer, Confirmation, ConfirmationRequest, Options, Question, answer, confirm,
};
use std::time::{Duration, Instant};

/// The least time for reading models.
const READING: Duration = Duration::from_millis(100);

/// Options that say how a question is asked.
#[derive(Debug, clap::Args)]
#[command(mut_arg("timeout", |time| time.help("Time limit for each claim, such as 10s, 5m or 24h [default: 60s]")))]
pub(super) struct AskArgs {
    #[command(flatten)]
    pub search: SearchArgs,
    /// Show inputs as they are found, and look for no simpler ones
    #[arg(long, conflicts_with = "minimize_budget")]
    no_minimize: bool,
    /// Time to look for simpler inputs after each find [default: 2s; several claims, as of `prove --all`, have their
    /// inputs as they are found]
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    minimize_budget: Option<Duration>,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub dump: DumpArgs,
    #[command(flatten)]
    pub artifacts: ArtifactArgs,
}

/// The default of `--time`.
const TIME: Duration = Duration::from_secs(60);
/// The default of `--minimize-budget`.
const SIMPLER: Duration = Duration::from_secs(2);

impl AskArgs {
    fn time(&self) -> Duration {
        self.search.time.timeout.unwrap_or(TIME)
    }

    /// Whether other engines are to confirm answers.
    pub fn confirms(&self) -> bool {
        self.engine.confirms()
    }
}

/// The engines that answer and confirm, found on this machine, and the limits.
pub(super) struct Asker<'x> {
    args: &'x AskArgs,
    pub options: Options,
    confirm: ConfirmationRequest,
    /// The limits of the whole command.
    pub limits: Limits,
}

/// A question with its answer.
pub(super) struct QuestionAnswer {
    pub question: Question,
    pub answer: Answer,
    pub seconds: f64,
    pub confirmations: Vec<Confirmation>,
    pub written: WrittenFiles,
}

impl<'x> Asker<'x> {
    /// Finds the engines that are to answer and to confirm.
    ///
    /// # Errors
    /// If one of the engines is not there, or options contradict each other.
    pub fn new(args: &'x AskArgs) -> Result<Self, Error> {
        args.artifacts.check(&args.dump)?;
        let minimise = (!args.no_minimize).then_some(args.minimize_budget.unwrap_or(SIMPLER));
        let options = Options::default()
            .seed(args.search.seed)
            .minimise(minimise)
            .all_inputs();
        Ok(Asker {
            args,
            options: options.engine(args.engine.find()?),
            confirm: args.engine.find_confirm(args.search.seed)?,
            limits: until_ctrl_c()?,
        })
    }

    /// The same, but inputs are made simple only if a time for that was given.
    pub fn simplifying_if_asked(self) -> Self {
        let options = self.options.minimise(self.args.minimize_budget);
        Asker { options, ..self }
    }

    /// The limits of one question. Its time begins with this call.
    pub fn limits_of_one(&self) -> Limits {
        self.limits_of_one_within(&self.limits)
    }

    /// The same within other limits, as those of a thread.
    pub fn limits_of_one_within(&self, limits: &Limits) -> Limits {
        limits.within(self.args.time())
    }

    /// The limits of reading the models of a question: one without time is still read, since rules may answer it.
    pub fn limits_of_reading(&self) -> Limits {
        self.limits.within(self.args.time().max(READING))
    }

    /// Asks the question, has the answer confirmed, and writes the files that are asked for; a
    /// `tag` becomes part of their names.
    ///
    /// # Errors
    /// If an engine fails, a file cannot be written, or an answer is contradicted.
    pub fn answer(
        &self,
        question: Question,
        tag: Option<&str>,
        limits: &Limits,
    ) -> Result<QuestionAnswer, Error> {
        let AskArgs {
            artifacts, dump, ..
        } = self.args;
        let start = Instant::now();
        let answer = answer(&question, &self.options, limits)?;
        let seconds = start.elapsed().as_secs_f64();
        let confirmations = confirm(&question, &answer, &self.confirm, &self.limits)?;
        let proved = answer.proved();
        let written = artifacts.write(&question, proved, dump.plain, tag, &self.limits)?;
        Ok(QuestionAnswer {
            question,
            answer,
            seconds,
            confirmations,
            written,
        })
    }
}
