//! The result of `identify`, as text and as JSON.

use super::asked::{AskedObject, verdict_text, verdict_word, write_confirmation};
use super::nearest::{NearObject, NearestReport};
use super::parameters::{ParametersObject, parameters};
use super::request::IdentifyRequest;
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::{Cost, FailureObject, ModelText, VectorObject};
use crate::cli::output::{bits, counted};
use crate::cli::separated::{SeparationReport, TreeObject};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::identify::{
    CandidateAgreement, ExcludedModel, Exclusion, Identification, Identified, RecordedLine,
    Separation, ZERO_SIGN,
};
use mmasmt_questions::vectors::Vector;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// The candidates, the recorded lines that exclude some of them, and the outcome.
pub(super) struct IdentifyReport<'x> {
    pub request: IdentifyRequest<'x>,
    pub models: &'x [Model],
    pub recorded: &'x [RecordedLine],
    pub exclusion: &'x Exclusion,
    /// The candidates that the files do not exclude.
    pub left: &'x [Model],
    /// The number of candidates, the last ones, that were added as none of the others was left:
    /// those with the other sign of zeros.
    pub added: usize,
    pub outcome: IdentifyOutcome,
}

/// What was found out by asking a machine, or by looking for what to ask next. A model is given by
/// its number among the candidates that the files do not exclude.
pub(super) enum IdentifyOutcome {
    Asked(Identified),
    Next(Separation),
    /// The files exclude all candidates. Holds the candidates that give the most recorded results,
    /// each by its number among all candidates.
    NoneLeft(Vec<CandidateAgreement>),
    /// A limit was reached before the candidates that the files leave were told apart.
    Stopped(Stopped),
    /// Two recorded lines, by number, have the same operands and other results.
    TwoAnswers([usize; 2]),
}

/// The most lines of a list that are shown.
const SHOWN: usize = 12;

impl IdentifyReport<'_> {
    /// The exit status. If there are no recorded results and no machine was asked, it is `Unknown`,
    /// as nothing is known of the machine.
    pub fn status(&self) -> Status {
        match &self.outcome {
            IdentifyOutcome::Asked(asked) => match asked.verdict() {
                Identification::Identified => Status::Yes,
                Identification::None => Status::No,
                Identification::Open | Identification::Halted => Status::Unknown,
            },
            IdentifyOutcome::Next(next) if next.open.is_empty() && !self.recorded.is_empty() => {
                Status::Yes
            }
            IdentifyOutcome::Next(_) | IdentifyOutcome::Stopped(_) => Status::Unknown,
            IdentifyOutcome::NoneLeft(_) | IdentifyOutcome::TwoAnswers(_) => Status::No,
        }
    }

    fn signature(&self) -> Signature {
        self.models[0].signature()
    }

    /// The place of the recorded line number `by`, as `FILE:LINE`.
    fn place(&self, by: usize) -> String {
        let line = &self.recorded[by];
        format!("{}:{}", self.request.files[line.file].display(), line.line)
    }

    /// The candidates that neither the files nor the answers of the machine exclude.
    fn consistent(&self) -> Vec<&Model> {
        let of_left = |&model: &usize| &self.left[model];
        match &self.outcome {
            IdentifyOutcome::Asked(asked) => asked.classes.iter().flatten().map(of_left).collect(),
            _ => self.left.iter().collect(),
        }
    }

    /// Writes the two lines that no function of its operands can give.
    fn write_two_answers(&self, lines: [usize; 2], out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.signature();
        writeln!(
            out,
            "not a function: the results have two answers to the same inputs"
        )?;
        for line in lines {
            let vector = &self.recorded[line].vector;
            let inputs = vector.inputs.to_line(&signature);
            let result = bits(&signature.d, vector.d);
            writeln!(out, "  {}: {inputs} {result}", self.place(line))?;
        }
        Ok(())
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        if let IdentifyOutcome::TwoAnswers(lines) = self.outcome {
            return self.write_two_answers(lines, out);
        }
        let (all, left, lines) = (self.models.len(), self.left.len(), self.recorded.len());
        let is_stopped = matches!(self.outcome, IdentifyOutcome::Stopped(_));
        if lines > 0 && !is_stopped {
            let verb = if left == 1 { "gives" } else { "give" };
            writeln!(
                out,
                "{left} of {all} candidates {verb} all {lines} recorded results"
            )?;
            self.write_excluded(out)?;
            self.write_added(out)?;
        }
        match &self.outcome {
            IdentifyOutcome::Asked(asked) => self.write_asked(out, asked),
            IdentifyOutcome::Next(next) => self.write_next(out, next),
            IdentifyOutcome::NoneLeft(_) => {
                writeln!(out, "\nnone of the candidates gives all of the results")?;
                self.write_nearest(out)
            }
            IdentifyOutcome::TwoAnswers(lines) => self.write_two_answers(*lines, out),
            IdentifyOutcome::Stopped(stopped) => {
                let candidates = counted(left, "candidate is", "candidates are");
                let why = stopped.describe();
                writeln!(
                    out,
                    "undecided: {candidates} left of {all}; {why} before they were told apart"
                )?;
                self.write_left(out)
            }
        }
    }

    /// Writes the candidates that nothing excludes: the values of their parameters, and the first
    /// names.
    fn write_left(&self, out: &mut dyn Write) -> Result<(), Error> {
        self.write_parameters(out)?;
        let left = self.consistent();
        for model in left.iter().take(SHOWN) {
            writeln!(out, "left: {}", full_name(model))?;
        }
        if left.len() > SHOWN {
            writeln!(out, "and {} more, see --json", left.len() - SHOWN)?;
        }
        Ok(())
    }

    /// Writes how many candidates have the other sign of zeros, if there are any.
    fn write_added(&self, out: &mut dyn Write) -> Result<(), Error> {
        if self.added > 0 {
            let added = counted(self.added, "candidate has", "candidates have");
            writeln!(
                out,
                "\nas none of the others is left, {added} the other sign of zeros (`{ZERO_SIGN}`)"
            )?;
        }
        Ok(())
    }

    /// Writes the recorded lines that exclude candidates; those that exclude most candidates come
    /// first.
    fn write_excluded(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mut lines: BTreeMap<usize, Vec<&ExcludedModel>> = BTreeMap::new();
        for excluded in &self.exclusion.excluded {
            lines.entry(excluded.by).or_default().push(excluded);
        }
        let mut lines: Vec<_> = lines.into_iter().collect();
        lines.sort_by_key(|(by, excluded)| (std::cmp::Reverse(excluded.len()), *by));
        if !lines.is_empty() {
            writeln!(out, "\nexcluded by:")?;
        }
        let d = self.signature().d;
        for (by, excluded) in lines.iter().take(SHOWN) {
            let first = excluded[0];
            let others = match excluded.len() {
                1 => String::new(),
                count => format!(", and {} more", count - 1),
            };
            writeln!(
                out,
                "  {}  {} gives {} for {}{others}",
                self.place(*by),
                self.models[first.model],
                bits(&d, first.computed),
                bits(&d, self.recorded[*by].vector.d),
            )?;
        }
        if lines.len() > SHOWN {
            writeln!(out, "  and {} more lines, see --json", lines.len() - SHOWN)?;
        }
        Ok(())
    }

    /// For each parameter in which the candidates differ, writes the values that it has among the
    /// candidates that nothing excludes.
    fn write_parameters(&self, out: &mut dyn Write) -> Result<(), Error> {
        for (algorithm, keys) in parameters(self.models, &self.consistent()) {
            let texts = keys.iter();
            let texts: Vec<_> = texts
                .map(|(key, values)| format!("{key}={}", values.join("|")))
                .collect();
            if !texts.is_empty() {
                writeln!(out, "  {algorithm}  {}", texts.join("  "))?;
            }
        }
        Ok(())
    }

    fn write_next(&self, out: &mut dyn Write, next: &Separation) -> Result<(), Error> {
        match self.recorded.len() {
            0 => writeln!(out, "undecided: no results were given")?,
            1 => writeln!(out, "\nleft, by this 1 result alone:")?,
            count => writeln!(out, "\nleft, by these {count} results alone:")?,
        }
        if let ([only], false) = (self.left, self.recorded.is_empty()) {
            writeln!(out, "  {}", full_name(only))?;
            return self.write_parameters(out);
        }
        self.write_parameters(out)?;
        let report = SeparationReport {
            domain: None,
            models: self.left,
            separation: next,
        };
        writeln!(out, "\n{}", report.summary())?;
        if !next.inputs.is_empty() {
            writeln!(out, "run next:")?;
        }
        if next.classes.len() <= 4 * SHOWN {
            report.write_inputs_and_tree(out)?;
        } else {
            writeln!(out)?;
            for inputs in &next.inputs {
                writeln!(out, "  {}", inputs.to_line(&self.signature()))?;
            }
        }
        report.write_reason(out)?;
        report.write_classes(out, SHOWN)
    }

    /// Writes the questions that told candidates apart, with their answers, and the verdict.
    fn write_asked(&self, out: &mut dyn Write, closed: &Identified) -> Result<(), Error> {
        let signature = self.signature();
        let candidates = counted(self.left.len(), "candidate", "candidates");
        let colon = if closed.asked.is_empty() { "" } else { ":" };
        writeln!(out, "{candidates}, {} asked{colon}", closed.asked.len())?;
        for asked in &closed.asked {
            let line = asked.inputs.to_line(&signature);
            let result = bits(&signature.d, asked.result);
            writeln!(out, "  {line} {result}  leaves {}", asked.left)?;
        }
        if self.recorded.is_empty() {
            self.write_added(out)?;
        }
        let first = self.consistent().first().copied();
        writeln!(out, "\n{}", verdict_text(closed, first))?;
        if closed.verdict() == Identification::None {
            return self.write_nearest(out);
        }
        match closed.verdict() {
            Identification::Halted => self.write_left(out)?,
            _ => self.write_parameters(out)?,
        }
        let several = closed.classes.iter().filter(|class| class.len() > 1);
        for class in several.take(SHOWN) {
            let names = class.iter().map(|&model| self.left[model].to_string());
            writeln!(
                out,
                "proved equal: {}",
                names.collect::<Vec<_>>().join(" = ")
            )?;
        }
        write_confirmation(out, closed)
    }

    /// The nearest candidates; none if a candidate is left.
    fn nearest(&self) -> NearestReport<'_> {
        let (models, nearest, answered): (_, &[CandidateAgreement], _) = match &self.outcome {
            IdentifyOutcome::Asked(asked) => {
                (self.left, &asked.nearest, asked.answered.iter().collect())
            }
            IdentifyOutcome::NoneLeft(nearest) => (self.models, nearest, vectors(self.recorded)),
            IdentifyOutcome::Next(_)
            | IdentifyOutcome::Stopped(_)
            | IdentifyOutcome::TwoAnswers(_) => (self.left, &[], Vec::new()),
        };
        NearestReport {
            models,
            nearest,
            answered,
        }
    }

    fn write_nearest(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.signature();
        let place = |by: usize| match &self.outcome {
            IdentifyOutcome::Asked(asked) => asked.answered[by].inputs.to_line(&signature),
            _ => self.place(by),
        };
        self.nearest().write(out, place, &self.request)
    }

    /// The report as JSON.
    pub fn answer(&self, seconds: f64, seed: u64) -> IdentifyAnswer<'_> {
        let signature = self.signature();
        let (mut next, mut tree, mut open) = (Vec::new(), None, &[][..]);
        let candidates = match &self.outcome {
            IdentifyOutcome::Asked(asked) => {
                open = &asked.open;
                let of_left = |&model: &usize| ModelText::of(&self.left[model]);
                let classes = asked.classes.iter();
                let classes = classes.map(|class| class.iter().map(of_left).collect());
                classes.collect()
            }
            IdentifyOutcome::Next(separation) => {
                let report = SeparationReport {
                    domain: None,
                    models: self.left,
                    separation,
                };
                open = &separation.open;
                (next, tree) = (report.vectors(), Some(report.tree()));
                report.classes()
            }
            IdentifyOutcome::NoneLeft(_) | IdentifyOutcome::TwoAnswers(_) => Vec::new(),
            IdentifyOutcome::Stopped(_) => {
                let alone = |model: &Model| vec![ModelText::of(model)];
                self.left.iter().map(alone).collect()
            }
        };
        let excluded = self.exclusion.excluded.iter().map(|excluded| {
            let line = &self.recorded[excluded.by];
            let results = [excluded.computed, line.vector.d];
            ExcludedObject {
                model: ModelText::of(&self.models[excluded.model]),
                file: self.request.files[line.file].display().to_string(),
                at: line.line,
                by: FailureObject::new(&signature, &line.vector.inputs, results),
            }
        });
        let (verdict, asked, has_nearest, two_answers) = match &self.outcome {
            IdentifyOutcome::Asked(asked) => {
                let object = AskedObject::new(&signature, asked);
                (verdict_word(asked), Some(object), true, None)
            }
            IdentifyOutcome::NoneLeft(_) => ("none of the candidates", None, true, None),
            IdentifyOutcome::Stopped(_) => ("undecided", None, false, None),
            IdentifyOutcome::TwoAnswers(lines) => {
                let places = lines.map(|line| self.place(line));
                ("not a function", None, false, Some(places))
            }
            IdentifyOutcome::Next(_) if self.recorded.is_empty() => {
                ("undecided", None, false, None)
            }
            IdentifyOutcome::Next(_) => ("left, by the results given alone", None, false, None),
        };
        IdentifyAnswer {
            candidates,
            excluded: excluded.collect(),
            next,
            tree,
            open,
            parameters: ParametersObject::new(self.models, &self.consistent()),
            lines: self.recorded.len(),
            verdict,
            asked,
            two_answers,
            nearest: has_nearest.then(|| self.nearest().objects()),
            cost: Cost::of_own(seconds, seed),
        }
    }
}

/// `mmasmt identify`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct IdentifyAnswer<'x> {
    /// The candidates that are left; those that are proved equal are in one class.
    candidates: Vec<Vec<ModelText>>,
    excluded: Vec<ExcludedObject>,
    /// Inputs to run next.
    next: Vec<VectorObject>,
    tree: Option<TreeObject>,
    /// The classes, by number, that are neither told apart nor proved equal.
    open: &'x [[usize; 2]],
    parameters: ParametersObject,
    /// The number of recorded results.
    lines: usize,
    verdict: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    asked: Option<AskedObject>,
    /// The places of two lines with the same operands and other results.
    #[serde(skip_serializing_if = "Option::is_none")]
    two_answers: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<Vec<NearObject>>,
    cost: Cost,
}

/// A candidate, and the line of a file that excludes it.
#[derive(Serialize, JsonSchema)]
struct ExcludedObject {
    model: ModelText,
    file: String,
    at: usize,
    by: FailureObject,
}

/// The vectors of recorded lines.
pub(super) fn vectors(recorded: &[RecordedLine]) -> Vec<&Vector> {
    recorded.iter().map(|line| &line.vector).collect()
}

/// The name of a model, and its algorithm if the name does not tell it.
fn full_name(model: &Model) -> String {
    let (name, canonical) = (model.to_string(), model.canonical());
    if name == canonical {
        return name;
    }
    format!("{name}, which is {canonical}")
}
