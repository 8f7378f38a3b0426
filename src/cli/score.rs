//! The report of `mutants`, as text and as JSON: which changes of one parameter the inputs show,
//! and inputs for the other changes.

use super::json::{Cost, InputsObject, ModelText, VectorObject};
use super::output::{head_of_inputs, line, shell_word};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::identify::{Fate, Mutant, Score};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A model, inputs, and which changes of the model they show.
pub(super) struct ScoreReport<'x> {
    pub base: &'x Model,
    /// The file that the inputs are from; `None` if the program found them.
    pub file: Option<&'x Path>,
    pub inputs: &'x [Inputs],
    pub score: &'x Score,
    /// Whether operands may be infinities and NaNs.
    pub specials: bool,
    /// The option with the time that ends a question, and this time.
    pub time: (&'static str, Duration),
}

/// What a full score does not say.
const NOT_MUTANTS: &str = "a machine may be wrong in ways that are no change of one parameter: a shift distance that wraps, \
     a state that one operation leaves to the next, two faults that make up for each other";

/// Tests whether the fate of a mutant is of one kind.
type FateTest = fn(&Fate) -> bool;

impl ScoreReport<'_> {
    /// The inputs that the file lacks, each with the mutants that it shows.
    pub fn missed(&self) -> Vec<(&Inputs, Vec<&Mutant>)> {
        let mut all: Vec<(&Inputs, Vec<&Mutant>)> = Vec::new();
        for mutant in &self.score.mutants {
            let Fate::Missed(inputs) = &mutant.fate else {
                continue;
            };
            match all.iter_mut().find(|(known, _)| *known == inputs) {
                Some((_, mutants)) => mutants.push(mutant),
                None => all.push((inputs, vec![mutant])),
            }
        }
        all
    }

    /// The text of a vector file with the inputs that were found, or with those that the file
    /// lacks.
    pub fn as_file(&self) -> String {
        let signature = self.base.signature();
        let mut text = head_of_inputs(&format!("mutants of {}", self.base), &signature);
        text += &format!(
            "# `mmasmt eval {} --vectors FILE` writes the d of the model itself\n",
            shell_word(&self.base.to_string())
        );
        match self.file {
            None => text.extend(self.inputs.iter().map(|inputs| line(inputs, &signature))),
            Some(_) => {
                for (inputs, mutants) in self.missed() {
                    text += &format!("# {}\n{}", grouped(&mutants), line(inputs, &signature));
                }
            }
        }
        text
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let signature = self.base.signature();
        let [caught, all] = self.score.caught();
        let count = self.inputs.len();
        let subject = match self.file {
            Some(path) => format!("{}, {count} inputs", path.display()),
            None => format!("{count} inputs"),
        };
        let base = self.base;
        if all == 0 {
            writeln!(
                out,
                "{subject}: no change of one parameter of {base} can show: each is proved equal"
            )?;
        } else {
            let percent = 100.0 * caught as f64 / all as f64;
            writeln!(
                out,
                "{subject}: {caught} of {all} changes of one parameter of {base} show: {percent:.1} %"
            )?;
        }
        if self.file.is_none() {
            writeln!(out)?;
            for inputs in self.inputs {
                writeln!(out, "  {}", inputs.to_line(&signature))?;
            }
        }
        let changes = self.score.mutants.len();
        let equal = match self.specials {
            true => "equal, proved",
            false => "equal on finite operands, proved",
        };
        let in_time = Fate::Unknown(Stopped::TimeLimit);
        let late = format!(
            "not decided in time, {} of {changes}",
            self.score.count(|fate| *fate == in_time)
        );
        let kinds: [(&str, FateTest); 4] = [
            ("shown", |fate| matches!(fate, Fate::Caught(_))),
            (equal, |fate| *fate == Fate::Equal),
            (&late, |fate| *fate == Fate::Unknown(Stopped::TimeLimit)),
            (
                "not known",
                |fate| matches!(fate, Fate::Unknown(stopped) if *stopped != Stopped::TimeLimit),
            ),
        ];
        for (title, fate) in kinds {
            let mutants = self.score.mutants.iter();
            let mutants: Vec<_> = mutants.filter(|mutant| fate(&mutant.fate)).collect();
            if !mutants.is_empty() {
                writeln!(out, "\n{title}: {}", grouped(&mutants))?;
            }
        }
        let missed = self.missed();
        if !missed.is_empty() {
            writeln!(out, "\nmissed, each with an input that shows it:")?;
        }
        for (inputs, mutants) in missed {
            writeln!(out, "  {}", inputs.to_line(&signature))?;
            writeln!(out, "    {}", grouped(&mutants))?;
        }
        if caught == all && all > 0 {
            writeln!(out, "\n{NOT_MUTANTS}")?;
        }
        self.write_next(out)
    }

    /// Writes what a person can do about changes that are not decided, or not in general.
    fn write_next(&self, out: &mut dyn Write) -> Result<(), Error> {
        let has = |fate: &Fate| self.score.count(|other| other == fate) > 0;
        let late = has(&Fate::Unknown(Stopped::TimeLimit));
        let open = !self.specials && has(&Fate::Equal);
        if late || open {
            writeln!(out)?;
        }
        if late {
            let (option, time) = self.time;
            let longer = 4 * time.as_secs().max(1);
            writeln!(
                out,
                "next: more time decides more changes: {option} {longer}s"
            )?;
        }
        if open {
            writeln!(
                out,
                "next: --specials asks about infinities and NaNs as well"
            )?;
        }
        Ok(())
    }

    /// The report as JSON.
    pub fn answer(&self, cost: Cost) -> MutantsAnswer<'_> {
        let signature = self.base.signature();
        let mut simulator = self.base.simulator();
        let [caught, of] = self.score.caught();
        let mutants = self.score.mutants.iter().map(|mutant| {
            let (fate, by, witness, reason) = match &mutant.fate {
                Fate::Caught(index) => ("caught", Some(index + 1), None, None),
                Fate::Equal => ("equal", None, None, None),
                Fate::Missed(inputs) => ("missed", None, Some(inputs), None),
                Fate::Unknown(stopped) => ("unknown", None, None, Some(stopped.describe())),
            };
            let witnesses = witness.iter();
            let witnesses = witnesses.map(|inputs| InputsObject::new(&signature, inputs));
            MutantRow {
                change: &mutant.change,
                fate,
                by,
                witnesses: witnesses.collect(),
                reason,
            }
        });
        let vectors = self.inputs.iter().map(|inputs| {
            let d = simulator.run(inputs);
            VectorObject::new(&signature, inputs, &[d])
        });
        MutantsAnswer {
            model: ModelText::of(self.base),
            caught,
            of,
            name: self.base.to_string(),
            vectors: vectors.collect(),
            mutants: mutants.collect(),
            cost,
        }
    }
}

/// `mmasmt mutants`
#[derive(Serialize, JsonSchema)]
pub(super) struct MutantsAnswer<'x> {
    model: ModelText,
    /// The number of mutants that the vectors show.
    caught: usize,
    /// The number of mutants that are not proved equal.
    of: usize,
    name: String,
    vectors: Vec<VectorObject>,
    mutants: Vec<MutantRow<'x>>,
    cost: Cost,
}

#[derive(Serialize, JsonSchema)]
struct MutantRow<'x> {
    change: &'x str,
    #[schemars(extend("enum" = ["caught", "equal", "missed", "unknown"]))]
    fate: &'static str,
    /// The number of the first vector that shows it, from 1.
    by: Option<usize>,
    /// Inputs that show it, if no vector does.
    witnesses: Vec<InputsObject>,
    reason: Option<&'static str>,
}

/// The changes that make these mutants, as text by key: `F=10..22|24` for F from 10 to 22 and F=24.
fn grouped(mutants: &[&Mutant]) -> String {
    let mut keys: Vec<(&str, Vec<&str>)> = Vec::new();
    for mutant in mutants {
        let (key, value) = mutant
            .change
            .split_once('=')
            .unwrap_or((&mutant.change, ""));
        match keys.last_mut().filter(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => keys.push((key, vec![value])),
        }
    }
    let texts = keys.iter().map(|(key, values)| match values[..] {
        [""] => (*key).to_owned(),
        _ => format!("{key}={}", ranges(values).join("|")),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The values as texts, in which a run of consecutive integers is one range.
fn ranges(values: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut run: Option<(i64, i64)> = None;
    let text = |(from, to): (i64, i64)| match to - from {
        0 => from.to_string(),
        _ => format!("{from}..{to}"),
    };
    for value in values {
        match (value.parse::<i64>(), run) {
            (Ok(number), Some((from, to))) if number == to + 1 => run = Some((from, number)),
            (Ok(number), before) => {
                texts.extend(before.map(text));
                run = Some((number, number));
            }
            (Err(_), before) => {
                texts.extend(before.map(text));
                run = None;
                texts.push((*value).to_owned());
            }
        }
    }
    texts.extend(run.map(text));
    texts
}
