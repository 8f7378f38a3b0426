//! The result of `identify`, as text and as JSON.

use super::Status;
use super::json::{joined, own_cost, vector_json};
use super::output::{PROGRAM, bits, counted};
use super::separated::SeparationReport;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{
    Confirmation, Excluded, Exclusion, Halted, Identification, Identified, Near, Recorded,
    Separation,
};
use mmasmt_questions::vectors::Vector;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// The candidates, the recorded lines that exclude some of them, and the outcome.
pub(super) struct IdentifyReport<'x> {
    pub files: &'x [PathBuf],
    pub models: &'x [Model],
    pub recorded: &'x [Recorded],
    pub exclusion: &'x Exclusion,
    /// The candidates that the files do not exclude.
    pub left: &'x [Model],
    pub outcome: Outcome,
}

/// What was found out by asking a machine, or by looking for what to ask next. A model is given by
/// its number among the candidates that the files do not exclude.
pub(super) enum Outcome {
    Asked(Identified),
    Next(Separation),
    /// The files exclude all candidates. Holds the candidates that give the most recorded results,
    /// each by its number among all candidates.
    NoneLeft(Vec<Near>),
}

/// The most lines of a list that are shown.
const SHOWN: usize = 12;

impl IdentifyReport<'_> {
    /// The exit status. If there are no recorded results and no machine was asked, it is `Unknown`,
    /// as nothing is known of the machine.
    pub fn status(&self) -> Status {
        match &self.outcome {
            Outcome::Asked(asked) => match asked.verdict() {
                Identification::Identified => Status::Yes,
                Identification::None => Status::No,
                Identification::Open | Identification::Halted => Status::Unknown,
            },
            Outcome::Next(next) if next.open.is_empty() && !self.recorded.is_empty() => Status::Yes,
            Outcome::Next(_) => Status::Unknown,
            Outcome::NoneLeft(_) => Status::No,
        }
    }

    fn signature(&self) -> Signature {
        self.models[0].signature()
    }

    /// The place of the recorded line number `by`, as `FILE:LINE`.
    fn place(&self, by: usize) -> String {
        let line = &self.recorded[by];
        format!("{}:{}", self.files[line.file].display(), line.line)
    }

    /// The candidates that neither the files nor the answers of the machine exclude.
    fn consistent(&self) -> Vec<&Model> {
        let of_left = |&model: &usize| &self.left[model];
        match &self.outcome {
            Outcome::Asked(asked) => asked.classes.iter().flatten().map(of_left).collect(),
            _ => self.left.iter().collect(),
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let (all, left, lines) = (self.models.len(), self.left.len(), self.recorded.len());
        if lines > 0 {
            let verb = if left == 1 { "gives" } else { "give" };
            writeln!(
                out,
                "{left} of {all} candidates {verb} all {lines} recorded results"
            )?;
            self.write_excluded(out)?;
        }
        match &self.outcome {
            Outcome::Asked(asked) => self.write_asked(out, asked),
            Outcome::Next(next) => self.write_next(out, next),
            Outcome::NoneLeft(_) => {
                writeln!(out, "\nnone of the candidates gives all of the results")?;
                self.write_nearest(out)
            }
        }
    }

    /// Writes the recorded lines that exclude candidates; those that exclude most candidates come
    /// first.
    fn write_excluded(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mut lines: BTreeMap<usize, Vec<&Excluded>> = BTreeMap::new();
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
        self.write_parameters(out)?;
        let report = SeparationReport {
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
        let first = self.consistent().first().copied();
        writeln!(out, "\n{}", verdict_text(closed, first))?;
        if closed.verdict() == Identification::None {
            return self.write_nearest(out);
        }
        self.write_parameters(out)?;
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

    /// What a report of the nearest candidates needs: the models, the nearest ones among them by
    /// their numbers, and the vectors with the results of the machine. If a candidate is left,
    /// there are no nearest ones.
    fn nearest(&self) -> (&[Model], &[Near], Vec<&Vector>) {
        match &self.outcome {
            Outcome::Asked(asked) => (self.left, &asked.nearest, asked.answered.iter().collect()),
            Outcome::NoneLeft(nearest) => (self.models, nearest, vectors(self.recorded)),
            Outcome::Next(_) => (self.left, &[], Vec::new()),
        }
    }

    /// Writes the nearest candidates, each with the input that excludes it.
    fn write_nearest(&self, out: &mut dyn Write) -> Result<(), Error> {
        let (models, nearest, answered) = self.nearest();
        let count = answered.len();
        writeln!(out, "\nnearest, by how many of {count} results they give:")?;
        for near in nearest {
            let model = &models[near.model];
            let alike = match near.alike {
                0 => String::new(),
                others => format!(", and {others} more with the same results"),
            };
            writeln!(out, "  {} of {count}  {model}{alike}", near.agrees)?;
            if let Some((by, computed)) = near.excluded {
                let signature = model.signature();
                let [computed, found] =
                    [computed, answered[by].d].map(|register| bits(&signature.d, register));
                let place = match self.outcome {
                    Outcome::Asked(_) => answered[by].inputs.to_line(&signature),
                    _ => self.place(by),
                };
                writeln!(out, "    gives {computed}, the machine {found} for {place}")?;
            }
        }
        for step in [
            "`mmasmt probe --runner COMMAND` finds the order of its sums and the bits that they keep",
            "`--family full --base MODEL` has more candidates",
            "a runner that is wrong gives such answers too: `mmasmt check MODEL --runner COMMAND`",
        ] {
            writeln!(out, "next: {step}")?;
        }
        Ok(())
    }

    /// The nearest candidates as JSON: model, number of results that it gives, and the input that
    /// excludes it.
    fn nearest_json(&self) -> Value {
        let (models, nearest, answered) = self.nearest();
        let nearest = nearest.iter().map(|near| {
            let model = &models[near.model];
            let excluded = near
                .excluded
                .map(|(by, computed)| excluded_json(&model.signature(), answered[by], computed));
            json!({
                "model": model.canonical(),
                "passed": near.agrees,
                "of": answered.len(),
                "alike": near.alike,
                "by": excluded,
            })
        });
        nearest.collect()
    }

    /// The report as JSON, with the keys `candidates` (classes of models), `excluded` (model,
    /// place, results), `next` (what to run) and others.
    pub fn as_json(&self, seconds: f64, seed: u64) -> Value {
        let signature = self.signature();
        let none = || json!([]);
        let (candidates, next, tree, open) = match &self.outcome {
            Outcome::Asked(asked) => {
                let names = |class: &Vec<usize>| -> Value {
                    class
                        .iter()
                        .map(|&model| self.left[model].canonical())
                        .collect()
                };
                let classes = asked.classes.iter().map(names).collect();
                (classes, none(), Value::Null, json!(asked.open))
            }
            Outcome::Next(separation) => {
                let report = SeparationReport {
                    models: self.left,
                    separation,
                };
                let (classes, vectors) = (report.classes_json(), report.vectors_json());
                (classes, vectors, report.tree_json(), json!(separation.open))
            }
            Outcome::NoneLeft(_) => (none(), none(), Value::Null, none()),
        };
        let excluded = self.exclusion.excluded.iter().map(|excluded| {
            let line = &self.recorded[excluded.by];
            json!({
                "model": self.models[excluded.model].canonical(),
                "file": self.files[line.file].display().to_string(),
                "at": line.line,
                "by": excluded_json(&signature, &line.vector, excluded.computed),
            })
        });
        let object = json!({
            "candidates": candidates,
            "excluded": excluded.collect::<Vec<_>>(),
            "next": next,
            "tree": tree,
            "open": open,
            "parameters": parameters_json(self.models, &self.consistent()),
            "lines": self.recorded.len(),
        });
        let more = match &self.outcome {
            Outcome::Asked(asked) => joined(
                asked_json(&signature, asked),
                json!({ "nearest": self.nearest_json() }),
            ),
            Outcome::NoneLeft(_) => {
                json!({ "verdict": "none of the candidates", "nearest": self.nearest_json() })
            }
            Outcome::Next(_) if self.recorded.is_empty() => json!({ "verdict": "undecided" }),
            Outcome::Next(_) => json!({ "verdict": "left, by the results given alone" }),
        };
        let cost = json!({ "cost": own_cost(seconds, seed) });
        joined(joined(object, more), cost)
    }
}

/// The vectors of recorded lines.
pub(super) fn vectors(recorded: &[Recorded]) -> Vec<&Vector> {
    recorded.iter().map(|line| &line.vector).collect()
}

/// A vector that excludes a model, as JSON: with the result of the model, and the recorded one.
fn excluded_json(signature: &Signature, vector: &Vector, computed: u64) -> Value {
    let recorded = json!({ "recorded": bits(&signature.d, vector.d) });
    joined(
        vector_json(signature, &vector.inputs, &[computed]),
        recorded,
    )
}

/// The verdict, in one line; `first` is the first candidate that is left.
fn verdict_text(closed: &Identified, first: Option<&Model>) -> String {
    let classes = closed.classes.len();
    match (closed.verdict(), first) {
        (Identification::Identified, Some(first)) => format!("identified: {first}"),
        (Identification::Halted, Some(first)) if classes == 1 => {
            format!("undecided: {first} is consistent so far")
        }
        (Identification::Halted, _) => {
            format!("undecided: {classes} candidates are consistent so far")
        }
        (Identification::Open, _) => {
            format!("{classes} classes are left, neither told apart nor proved equal")
        }
        (Identification::None | Identification::Identified, _) => {
            "none of the candidates: the machine answers otherwise than each of them".into()
        }
    }
}

/// Writes what confirms the candidates that are left, and which limit was reached, if one was.
fn write_confirmation(out: &mut dyn Write, closed: &Identified) -> Result<(), Error> {
    let Confirmation {
        inputs,
        of,
        specials,
        changes,
    } = closed.confirmation;
    let finite = if specials { "" } else { "finite " };
    match closed.halted {
        None => {
            let (shown, equal, open) = (changes.shown, changes.equal, changes.open);
            writeln!(out, "confirmed by {inputs} {finite}inputs of all kinds")?;
            write!(
                out,
                "  they show {shown} changes of its parameters; {equal} are proved to change nothing"
            )?;
            if open > 0 {
                write!(
                    out,
                    "; {open} were neither shown nor proved in the time for it"
                )?;
            }
            writeln!(out)?;
        }
        Some(halted) => {
            writeln!(out, "confirmed by {inputs} of {of} {finite}inputs")?;
            writeln!(out, "{}", halted_text(&halted))?;
        }
    }
    Ok(())
}

fn halted_text(halted: &Halted) -> String {
    let who = if halted.in_device {
        "while the machine was asked"
    } else {
        "while this program looked for what to ask"
    };
    let (stopped, seconds) = (halted.stopped.describe(), halted.device_time.as_secs_f64());
    format!("{stopped} {who}; the machine took {seconds:.2} s for all questions")
}

/// An object with the keys `verdict`, `asked`, `answered`, `confirmed` and `halted`.
fn asked_json(signature: &Signature, closed: &Identified) -> Value {
    let asked = closed.asked.iter().map(|asked| {
        let vector = vector_json(signature, &asked.inputs, &[asked.result]);
        joined(vector, json!({ "left": asked.left }))
    });
    let Confirmation {
        inputs,
        of,
        specials,
        changes,
    } = closed.confirmation;
    json!({
        "verdict": match closed.verdict() {
            Identification::Identified => "identified",
            Identification::None => "none of the candidates",
            Identification::Open => "open",
            Identification::Halted => "undecided",
        },
        "asked": asked.collect::<Vec<_>>(),
        "answered": closed.answered.len(),
        "confirmed": {
            "inputs": inputs,
            "of": of,
            "specials": specials,
            "changes": { "shown": changes.shown, "equal": changes.equal, "open": changes.open },
        },
        "halted": closed.halted.as_ref().map(halted_text),
    })
}

/// The text of a vector file with all questions and answers.
pub(super) fn record(signature: &Signature, device: &[String], closed: &Identified) -> String {
    let mut text = format!("# {PROGRAM} identify\n# {signature}\n");
    text.extend(device.iter().map(|line| format!("# {line}\n")));
    for vector in &closed.answered {
        let result = bits(&signature.d, vector.d);
        text += &format!("{} {result}\n", vector.inputs.to_line(signature));
    }
    text
}

/// The name of an algorithm, and its keys with the values that they have among some models.
type Parameters = (&'static str, Vec<(&'static str, Vec<String>)>);

/// For each algorithm among the models `left`: the keys that have several values among `all`, each
/// with its values among `left`.
fn parameters(all: &[Model], left: &[&Model]) -> Vec<Parameters> {
    let is_whole = all.len() == left.len();
    let all = collect(all.iter());
    let mut left = if is_whole {
        all.clone()
    } else {
        collect(left.iter().copied())
    };
    for (name, keys) in &mut left {
        let whole = all.iter().find(|(known, _)| known == name);
        let varies = |key: &str| {
            let whole = whole.and_then(|(_, keys)| keys.iter().find(|(known, _)| *known == key));
            whole.is_some_and(|(_, values)| values.len() > 1)
        };
        keys.retain(|(key, _)| varies(key));
    }
    left
}

/// For each algorithm, the values that each key has among the models, in the order of the models.
fn collect<'m>(models: impl Iterator<Item = &'m Model>) -> Vec<Parameters> {
    let mut all: Vec<Parameters> = Vec::new();
    for model in models {
        let (name, keys) = model.algorithm().parameters();
        let known = entry(&mut all, name);
        for (key, value) in keys {
            let values = entry(known, key);
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    all
}

/// The value of `name` in the list `all`. A new name is put at the end of the list.
fn entry<'x, T: Default>(all: &'x mut Vec<(&'static str, T)>, name: &'static str) -> &'x mut T {
    let at = all.iter().position(|(known, _)| *known == name);
    let at = at.unwrap_or_else(|| {
        all.push((name, T::default()));
        all.len() - 1
    });
    &mut all[at].1
}

/// The result of [`parameters`] as JSON: algorithm, key, values.
fn parameters_json(all: &[Model], left: &[&Model]) -> Value {
    let parameters = parameters(all, left).into_iter();
    let algorithms = parameters.map(|(name, keys)| {
        let keys = keys
            .into_iter()
            .map(|(key, values)| (key.to_owned(), json!(values)));
        (name.to_owned(), Value::Object(keys.collect::<Map<_, _>>()))
    });
    Value::Object(algorithms.collect())
}
