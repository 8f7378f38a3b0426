//! which changes of one parameter inputs show.

use super::Status;
use super::json::{own_cost, vector_json, write_json};
use super::live::vectors_of;
use super::output::{PROGRAM, line, write_text_file};
use crate::cli::error::Error;
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{Fate, Mutant, Options, Score, catch, score};
use mmasmt_questions::vectors::Results;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// What to score.
pub(super) struct Request<'x> {
    pub base: Model,
    /// A vector file; none to find inputs that catch all.
    pub file: Option<&'x Path>,
    /// Where to write the inputs that are missing, or found.
    pub out: Option<&'x Path>,
    pub options: Options,
    pub limits: Limits,
}

pub(super) fn run(request: &Request<'_>, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let Request {
        base,
        options,
        limits,
        ..
    } = request;
    let signature = base.signature();
    let (inputs, score) = match request.file {
        None => catch(base, options, limits)?,
        Some(path) => {
            let vectors = vectors_of(path, base, Results::None)?.into_iter();
            let inputs: Vec<_> = vectors.map(|(_, vector)| vector.inputs).collect();
            let score = score(base, &inputs, options, limits)?;
            (inputs, score)
        }
    };
    refuse_none(score.mutants.len(), base)?;
    let missed: Vec<(&Mutant, &Inputs)> = score
        .mutants
        .iter()
        .filter_map(|mutant| match &mutant.fate {
            Fate::Missed(inputs) => Some((mutant, inputs)),
            _ => None,
        })
        .collect();
    if let Some(path) = request.out {
        let mut text = format!("# {PROGRAM} mutants of {base}\n# {signature}\n");
        text += "# c a0,a1,... b0,b1,...: run each line and write d at its end\n";
        match request.file {
            None => text.extend(inputs.iter().map(|inputs| line(inputs, &signature))),
            Some(_) => {
                for (inputs, mutants) in by_inputs(&missed) {
                    text += &format!("# {}\n{}", grouped(&mutants), line(inputs, &signature));
                }
            }
        }
        write_text_file(path, &text)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if json {
        write_json(out, &as_json(request, &inputs, &score, seconds))?;
    } else {
        write_text(out, request, &inputs, &score, &missed)?;
        writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    }
    let unknown = score.count(|fate| matches!(fate, Fate::Unknown(_)));
    Ok(match (missed.is_empty(), unknown) {
        (false, _) => Status::No,
        (true, 0) => Status::Yes,
        (true, _) => Status::Unknown,
    })
}

/// # Errors
/// If there are no mutants: of nothing there is no percentage.
pub(super) fn refuse_none(mutants: usize, base: &Model) -> Result<(), Error> {
    if mutants > 0 {
        return Ok(());
    }
    let found = base.to_string();
    Err(Error::Usage(format!(
        "expected a model with keys that can be changed, as an algorithm, an instruction or a composition has them, found `{}`",
        excerpt(&found)
    )))
}

/// Whether a mutant has a fate.
type IsFate = fn(&Fate) -> bool;

/// The mutants that each of the inputs shows.
fn by_inputs<'x>(missed: &[(&'x Mutant, &'x Inputs)]) -> Vec<(&'x Inputs, Vec<&'x Mutant>)> {
    let mut all: Vec<(&Inputs, Vec<&Mutant>)> = Vec::new();
    for (mutant, inputs) in missed {
        match all.iter_mut().find(|(known, _)| known == inputs) {
            Some((_, mutants)) => mutants.push(mutant),
            None => all.push((inputs, vec![mutant])),
        }
    }
    all
}

/// Mutants of one fate, by key: `F=10..22 24`.
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
    let texts = keys
        .iter()
        .map(|(key, values)| format!("{key}={}", ranges(values).join("|")));
    texts.collect::<Vec<_>>().join(", ")
}

/// Values with runs of whole numbers drawn together.
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

fn write_text(
    out: &mut dyn Write,
    request: &Request<'_>,
    inputs: &[Inputs],
    score: &Score,
    missed: &[(&Mutant, &Inputs)],
) -> Result<(), Error> {
    let signature = request.base.signature();
    let [caught, all] = score.caught();
    let count = inputs.len();
    let subject = match request.file {
        Some(path) => format!("{}, {count} inputs", path.display()),
        None => format!("{count} inputs"),
    };
    let base = &request.base;
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
    if request.file.is_none() {
        writeln!(out)?;
        for inputs in inputs {
            writeln!(out, "  {}", inputs.to_line(&signature))?;
        }
    }
    let of = |fate: IsFate| -> Vec<&Mutant> {
        score
            .mutants
            .iter()
            .filter(|mutant| fate(&mutant.fate))
            .collect()
    };
    let kinds: [(&str, IsFate); 3] = [
        ("shown", |fate| matches!(fate, Fate::Caught(_))),
        ("equal, proved", |fate| *fate == Fate::Equal),
        ("not known", |fate| matches!(fate, Fate::Unknown(_))),
    ];
    for (title, fate) in kinds {
        let mutants = of(fate);
        if !mutants.is_empty() {
            writeln!(out, "\n{title}: {}", grouped(&mutants))?;
        }
    }
    if !missed.is_empty() {
        writeln!(out, "\nmissed, each with an input that shows it:")?;
    }
    for (inputs, mutants) in by_inputs(missed) {
        writeln!(out, "  {}", inputs.to_line(&signature))?;
        writeln!(out, "    {}", grouped(&mutants))?;
    }
    Ok(())
}

fn as_json(request: &Request<'_>, inputs: &[Inputs], score: &Score, seconds: f64) -> Value {
    let signature = request.base.signature();
    let mut simulator = request.base.simulator();
    let [caught, all] = score.caught();
    let mutants: Vec<Value> = score
        .mutants
        .iter()
        .map(|mutant| {
            let (mut by, mut witnesses, mut reason) = (None, Vec::new(), None);
            let fate = match &mutant.fate {
                Fate::Caught(index) => {
                    by = Some(index + 1);
                    "caught"
                }
                Fate::Equal => "equal",
                Fate::Missed(inputs) => {
                    witnesses.push(vector_json(&signature, inputs, &[]));
                    "missed"
                }
                Fate::Unknown(stopped) => {
                    reason = Some(stopped.describe());
                    "unknown"
                }
            };
            json!({
                "change": mutant.change, "fate": fate, "by": by, "witnesses": witnesses, "reason": reason,
            })
        })
        .collect();
    let vectors = inputs.iter();
    let vectors = vectors.map(|inputs| vector_json(&signature, inputs, &[simulator.run(inputs)]));
    json!({
        "model": request.base.canonical(),
        "caught": caught,
        "of": all,
        "name": request.base.to_string(),
        "vectors": vectors.collect::<Vec<_>>(),
        "mutants": mutants,
        "cost": own_cost(seconds, request.options.seed),
    })
}
