//! What is learnt, as text and as JSON.

use super::reference::DifferenceReport;
use crate::cli::error::Error;
use crate::cli::output::{bits, counted};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::identify::learn::{
    DecidedChoice, LearnOptions, LearnResult, LearnVerdict, OpenChoice,
};
use std::io::Write;

/// What is learnt about a unit of a signature.
pub(super) struct LearnReport<'x> {
    pub signature: &'x Signature,
    pub learned: &'x LearnResult,
    pub options: &'x LearnOptions,
    /// The number of vector files that have the answers; 0 if a machine was asked.
    pub files: usize,
    /// The differences from the model or the machine beside it.
    pub difference: Option<&'x DifferenceReport>,
}

/// The most words of an open choice that are shown.
const SHOWN: usize = 6;

/// The word of a choice, for a reader: the plain word says that nothing is done.
fn shown(word: &str) -> &str {
    if word.is_empty() { "none" } else { word }
}

impl LearnReport<'_> {
    /// The outcome in a few words, which the JSON has as its verdict.
    pub(super) fn verdict(&self) -> &'static str {
        match self.learned.verdict {
            LearnVerdict::Confirmed => "confirmed",
            LearnVerdict::Unconfirmed => "not confirmed",
            LearnVerdict::None => "none",
            LearnVerdict::Halted => "undecided",
            LearnVerdict::NotAFunction => "not a function",
        }
    }

    fn finite(&self) -> &'static str {
        if self.options.specials { "" } else { "finite " }
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let learned = self.learned;
        if let Some((inputs, [first, second])) = &learned.two_answers {
            let [first, second] = [first, second].map(|d| bits(&self.signature.d, *d));
            writeln!(
                out,
                "not a function: the machine gave two answers to the same inputs"
            )?;
            writeln!(
                out,
                "  {}: {first}, then {second}",
                inputs.to_line(self.signature)
            )?;
            return Ok(());
        }
        if learned.model.is_none() {
            writeln!(out, "no description: {}", self.ended())?;
            return Ok(());
        }
        let text = learned.name.as_deref().unwrap_or(&learned.text);
        writeln!(out, "{text}\n")?;
        if let Some(order) = &learned.order {
            let products = self.signature.products as usize;
            writeln!(out, "order of the sums: {}", order.formula(products))?;
        }
        let (agrees, asked) = (learned.agrees, learned.answered.len());
        writeln!(
            out,
            "gives {agrees} of {}; {} compared",
            counted(asked, "answer", "answers"),
            counted(
                learned.tried,
                "description or model was",
                "descriptions and models were"
            ),
        )?;
        self.write_outcome(out)?;
        self.write_decided(out)?;
        let tried = "the same on all inputs that were tried";
        self.write_open(tried, |open| &open.others, out)?;
        self.write_open("proved to be the same", |open| &open.equal, out)?;
        self.write_unsettled(out)?;
        if let Some(difference) = self.difference {
            difference.write(out)?;
        }
        let next = learned.next.len();
        if next > 0 {
            let inputs = counted(next, "input tells", "inputs tell");
            writeln!(
                out,
                "\n{inputs} the description from those near it: --next FILE writes them, to run on the machine"
            )?;
        }
        Ok(())
    }

    /// Why there is no more to say.
    fn ended(&self) -> String {
        match &self.learned.halted {
            Some(halted) => halted.stopped.describe().into(),
            None => format!(
                "there are too few questions; {} were asked",
                self.learned.answered.len()
            ),
        }
    }

    fn write_outcome(&self, out: &mut dyn Write) -> Result<(), Error> {
        let (learned, finite) = (self.learned, self.finite());
        let confirmed = learned.confirmed;
        match learned.verdict {
            LearnVerdict::Confirmed => {
                writeln!(
                    out,
                    "confirmed by {confirmed} {finite}{}; with 95 % confidence, it differs on less than 1 in {} of such inputs",
                    match self.files {
                        0 => "inputs of all kinds that were not asked before",
                        _ => "vectors from which it was not learnt",
                    },
                    (confirmed / 3).max(1)
                )?;
            }
            LearnVerdict::Unconfirmed if confirmed >= self.options.confirm => writeln!(
                out,
                "not confirmed: a row or an algorithm gives all answers as well, and the solver neither told it apart nor proved it equal"
            )?,
            LearnVerdict::Unconfirmed => {
                let least = self.options.confirm;
                writeln!(
                    out,
                    "not confirmed: {confirmed} of {least} {finite}inputs were {}",
                    match self.files {
                        0 => "asked to confirm it; give more --questions",
                        _ => "left to confirm it; give more vectors, or a smaller --confirm",
                    }
                )?;
            }
            LearnVerdict::Halted => writeln!(out, "not confirmed: {}", self.ended())?,
            LearnVerdict::None | LearnVerdict::NotAFunction => {
                writeln!(
                    out,
                    "no description that was tried gives every answer; this is the nearest one"
                )?;
            }
        }
        if let Some((vector, result)) = &learned.failing {
            let line = vector.inputs.to_line(self.signature);
            let [found, result] = [vector.d, *result].map(|d| bits(&self.signature.d, d));
            writeln!(
                out,
                "  {line}: the machine gives {found}, the description {result}"
            )?;
        }
        Ok(())
    }

    fn write_decided(&self, out: &mut dyn Write) -> Result<(), Error> {
        if self.learned.decided.is_empty() {
            return Ok(());
        }
        writeln!(out, "\ndecided by these inputs")?;
        for decided in &self.learned.decided {
            let DecidedChoice {
                choice,
                word,
                against,
                vector,
                other,
            } = decided;
            let [word, against] = [word, against].map(|word| shown(&choice.words[*word]));
            writeln!(
                out,
                "  {}, {}: {word}, not {against}",
                choice.part, choice.about
            )?;
            let line = vector.inputs.to_line(self.signature);
            let [found, other] = [vector.d, *other].map(|d| bits(&self.signature.d, d));
            writeln!(out, "    {line}: {found}, not {other}")?;
        }
        Ok(())
    }

    /// Writes the choices that are left, in words, under a title.
    fn write_open(
        &self,
        title: &str,
        of: impl Fn(&OpenChoice) -> &Vec<usize>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let open = self.learned.open.iter().filter(|open| !of(open).is_empty());
        for (number, open) in open.enumerate() {
            if number == 0 {
                writeln!(out, "\n{title}")?;
            }
            let words = &open.choice.words;
            let others = of(open).iter().map(|other| shown(&words[*other]));
            let mut others: Vec<&str> = others.collect();
            let more = others.split_off(others.len().min(SHOWN)).len();
            let mut others = others.join(", ");
            if more > 0 {
                others += &format!(" and {more} more");
            }
            let (part, about) = (&open.choice.part, open.choice.about);
            let word = shown(&words[open.word]);
            writeln!(out, "  {part}, {about}: {word}, or {others}")?;
        }
        Ok(())
    }

    /// Writes how many models give all answers as well, and were neither told apart nor proved equal.
    fn write_unsettled(&self, out: &mut dyn Write) -> Result<(), Error> {
        let unsettled = &self.learned.unsettled;
        if unsettled.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "\n{} all answers as well, and the solver neither told them apart nor proved them equal",
            counted(
                unsettled.len(),
                "other description gives",
                "other descriptions give"
            )
        )?;
        for name in unsettled.iter().take(SHOWN) {
            writeln!(out, "  {name}")?;
        }
        let more = unsettled.len().saturating_sub(SHOWN) + self.learned.not_asked;
        if more > 0 {
            writeln!(
                out,
                "  and {more} more, of which {} were not asked about",
                self.learned.not_asked
            )?;
        }
        Ok(())
    }
}
