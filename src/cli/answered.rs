//! Writes the answer to a question about a claim or about two models, as text.

use super::Status;
use super::asker::QuestionAnswer;
use super::confirm::{confirmed_status, write_confirmations};
use super::next_steps::of_difference;
use super::output::{PROGRAM, value_text, widest, write_inputs};
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::first_divergence;
use mmasmt_numbers::float::{Format, ulp_distance};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Answer, Basis, Ended, Engine, Options, Question, Witness};
use mmasmt_questions::inputs::Interface;
use mmasmt_questions::solver::engine::solver_version;
use std::fmt;
use std::io::Write;

/// What an answer is about.
#[derive(Clone, Copy)]
pub(super) enum AnswerSubject<'x> {
    /// Whether a claim holds.
    Claim(&'x Claim),
    /// Whether two models differ, on inputs of the question's domain.
    Difference(&'x [Model; 2], &'x Question),
}

impl fmt::Display for AnswerSubject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerSubject::Claim(claim) => write!(f, "{claim}"),
            AnswerSubject::Difference([left, right], _) => write!(f, "{left} and {right}"),
        }
    }
}

/// The words for a witness that is proved to be the simplest.
fn simplest(model: &Model) -> &'static str {
    match model.signature().is_conversion() {
        true => "proved minimal: none is simpler",
        false => "proved minimal: none with fewer products, none simpler on these",
    }
}

impl<'x> AnswerSubject<'x> {
    fn models(self) -> &'x [Model] {
        match self {
            AnswerSubject::Claim(claim) => std::slice::from_ref(&claim.model),
            AnswerSubject::Difference(models, _) => models,
        }
    }

    fn status(self, answer: &Answer) -> Status {
        match self.verdict(answer) {
            "proved" | "different" => Status::Yes,
            "unknown" => Status::Unknown,
            _ => Status::No,
        }
    }

    pub fn verdict(self, answer: &Answer) -> &'static str {
        match (self, answer.ended) {
            (AnswerSubject::Difference(..), _) if !answer.witnesses.is_empty() => "different",
            (_, Ended::Unknown(_)) => "unknown",
            (AnswerSubject::Difference(..), _) => "equal",
            (AnswerSubject::Claim(_), Ended::Vacuous) => "vacuous",
            (AnswerSubject::Claim(claim), Ended::NoMore { .. } | Ended::Enough) => {
                let is_found = answer.ended == Ended::Enough;
                if is_found == claim.property.is_existential() {
                    "proved"
                } else {
                    "refuted"
                }
            }
        }
    }

    /// A remark that says how the verdict was reached, or what is known beyond the witnesses;
    /// `None` if there is nothing to add.
    pub fn remark(self, answer: &Answer) -> Option<String> {
        match self {
            AnswerSubject::Claim(claim) => Some(remark_of_claim(claim, answer)),
            AnswerSubject::Difference(_, question) => remark_of_difference(question, answer),
        }
    }

    /// The results on the inputs of a witness, each with a name. For two models: the result of
    /// each. For a claim: the result of its model, then those that the claim compares with it.
    pub fn results(self, witness: &Witness) -> Vec<(String, u64)> {
        match self {
            AnswerSubject::Claim(claim) => {
                let own = claim.model.simulator().run(&witness.inputs);
                let beside = claim.counterparts(&witness.inputs).into_iter();
                let beside = beside.map(|other| (other.what.to_string(), other.d));
                std::iter::once((String::new(), own))
                    .chain(beside)
                    .collect()
            }
            AnswerSubject::Difference(models, _) => {
                let names = models.iter().map(ToString::to_string);
                names.zip(witness.results.iter().copied()).collect()
            }
        }
    }

    /// Writes the inputs of a witness, and the results that are to be compared.
    pub fn write_witness(self, witness: &Witness, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.models()[0].signature();
        if let Some(interface) = Interface::of(self.models()) {
            write_inputs(out, &interface, &witness.inputs)?;
        }
        writeln!(out)?;
        let results = self.results(witness);
        let width = match widest(results.iter().map(|(name, _)| name)) {
            0 => 0,
            width => width + 2,
        };
        for (name, d) in &results {
            writeln!(out, "  {name:width$}d = {}", value_text(&signature.d, *d))?;
        }
        if let AnswerSubject::Difference(models, _) = self {
            let results = [0, 1].map(|model| witness.results.get(model).copied().unwrap_or(0));
            write!(out, "  {}", distance_text(&signature.d, results))?;
            if let Some(parts) = first_divergence(&models[0], &models[1], &witness.inputs) {
                let [left, right] = parts.values;
                write!(
                    out,
                    "; first difference: {}: {left} and {right}",
                    parts.stage
                )?;
            }
            writeln!(out)?;
            if witness.simplest == Some(true) {
                writeln!(out, "  {}", simplest(&models[0]))?;
            }
        }
        writeln!(out, "  as a line: {}", witness.inputs.to_line(&signature))?;
        Ok(())
    }

    /// A text that names the engines that answered. For two models, it also names the solver that
    /// made the witnesses simple, if that is another one.
    pub fn engines(self, options: &Options, answer: &Answer) -> String {
        let own = solver_version();
        let mut text = answer.engines.join(" and ");
        if let AnswerSubject::Claim(_) = self {
            return text;
        }
        if let Engine::Race(_) = &options.engine {
            text += &format!(" ({})", options.engine.describe());
        }
        let simple = options.minimise.is_some() && !answer.witnesses.is_empty();
        if simple && !answer.engines.contains(&own) {
            text += &format!(", made simple by {own}");
        }
        text
    }

    /// Writes the answer as text, for a person.
    pub fn write(
        self,
        answered: &QuestionAnswer,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let (answer, seconds) = (&answered.answer, answered.seconds);
        let verdict = self.verdict(answer);
        match (self, answer.ended) {
            (AnswerSubject::Difference(_, question), Ended::Unknown(_)) if verdict == "unknown" => {
                writeln!(out, "{verdict}: {self}, for {}", question.inputs_text())?
            }
            _ => writeln!(out, "{verdict}: {self}")?,
        }
        for witness in &answer.witnesses {
            writeln!(out)?;
            self.write_witness(witness, out)?;
        }
        if let Some(remark) = self.remark(answer) {
            if !answer.witnesses.is_empty() {
                writeln!(out)?;
            }
            writeln!(out, "{remark}")?;
        }
        if matches!(answer.ended, Ended::Unknown(_)) {
            for step in self.next_steps() {
                writeln!(out, "next: {step}")?;
            }
        }
        write_confirmations(out, &answered.confirmations)?;
        let (engines, seed) = (self.engines(options, answer), options.seed);
        writeln!(out, "\n# {PROGRAM}, {engines}, seed {seed}, {seconds:.2} s")?;
        for model in self.models() {
            let (name, canonical) = (model.to_string(), model.canonical());
            if name != canonical {
                writeln!(out, "# {name} is {canonical}")?;
            }
        }
        Ok(())
    }

    /// What a person can do after an unknown answer.
    fn next_steps(self) -> Vec<String> {
        let mut steps = match self {
            AnswerSubject::Difference(models, question) => of_difference(models, question),
            AnswerSubject::Claim(_) => vec![
                "a smaller domain may be proved: --where 'c = 0', or 'all bits 4, all exp 0..3'"
                    .into(),
            ],
        };
        steps.push(
            "more time, or another solver: --time 10m, --engine (`mmasmt engines` lists them)"
                .into(),
        );
        steps
    }

    /// The exit status of the command: `Unknown` if a confirmation or a proof was asked for and is
    /// missing.
    pub fn final_status(self, answered: &QuestionAnswer) -> Status {
        let status = self.status(&answered.answer);
        let confirmed = confirmed_status(status, &answered.confirmations);
        answered.written.status(confirmed)
    }
}

/// How many ulps the results of two models are apart; `None` if they cannot be compared.
pub(super) fn ulps(format: &Format, witness: &Witness) -> Option<u64> {
    let [left, right] = [0, 1].map(|model| witness.results.get(model).copied().unwrap_or(0));
    ulp_distance(format, left, right)
}

/// How far two results are apart, in words.
pub(super) fn distance_text(format: &Format, [left, right]: [u64; 2]) -> String {
    match ulp_distance(format, left, right) {
        _ if *format == Format::FLAGS => "other flags".into(),
        None => "not comparable".into(),
        Some(0) => "the sign of the zero is all that differs".into(),
        Some(ulp) => format!("{ulp} ulp apart"),
    }
}

fn remark_of_claim(claim: &Claim, answer: &Answer) -> String {
    let is_simplest = answer.witness().and_then(|witness| witness.simplest);
    let existential = claim.property.is_existential();
    let remark = match answer.ended {
        Ended::NoMore {
            by: Basis::Construction,
        } if existential => "there are no such operands, by construction",
        Ended::NoMore { by } if existential => {
            return format!("there are no such operands: proved {}", by.describe());
        }
        Ended::NoMore {
            by: Basis::Construction,
        } => "by construction: the negated claim is constantly false",
        Ended::NoMore { by } => return by.describe(),
        Ended::Enough if is_simplest == Some(true) => simplest(&claim.model),
        Ended::Enough => "replayed on words and on big integers",
        Ended::Vacuous => {
            "nothing to prove: no operands are as assumed, or no two that the claim compares"
        }
        Ended::Unknown(stopped) => stopped.describe(),
    };
    remark.to_owned()
}

fn remark_of_difference(question: &Question, answer: &Answer) -> Option<String> {
    let domain = question.inputs_text();
    // A proof for any inputs is a proof for all inputs, so the texts below say `all`.
    let domain = domain.strip_prefix("any ").unwrap_or(&domain);
    match (answer.ended, answer.witnesses.len()) {
        (Ended::Enough | Ended::Vacuous, _) => None,
        (Ended::NoMore { by }, 0) => Some(match by {
            Basis::Construction => {
                format!("proved for all {domain}: both results are one formula by construction")
            }
            _ => format!("proved for all {domain} {}", by.describe()),
        }),
        (Ended::NoMore { .. }, 1) => Some(format!("proved: there are no other {domain}")),
        (Ended::NoMore { .. }, _) => Some(format!("proved: these are all {domain}")),
        (Ended::Unknown(stopped), 0) => Some(stopped.describe().to_owned()),
        (Ended::Unknown(stopped), _) => Some(format!("there may be more: {}", stopped.describe())),
    }
}
