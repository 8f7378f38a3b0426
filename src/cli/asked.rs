//! What a machine that was asked is found to be, as text and as JSON.

use super::json::vector_json;
use super::output::{PROGRAM, bits};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{Confirmation, Halted, Identification, Identified, Near};
use mmasmt_questions::vectors::Vector;
use serde_json::{Map, Value, json};
use std::io::Write;

/// The questions that told candidates apart, with the answers.
pub(super) fn write_asked(
    out: &mut impl Write,
    signature: &Signature,
    candidates: usize,
    closed: &Identified,
) -> Result<(), Error> {
    let noun = if candidates == 1 {
        "candidate"
    } else {
        "candidates"
    };
    let colon = if closed.asked.is_empty() { "" } else { ":" };
    let count = closed.asked.len();
    writeln!(out, "{candidates} {noun}, {count} asked{colon}")?;
    for asked in &closed.asked {
        let line = asked.inputs.to_line(signature);
        let result = bits(&signature.d, asked.result);
        writeln!(out, "  {line} {result}  leaves {}", asked.left)?;
    }
    Ok(())
}

/// The verdict, in one line; `first` is the first candidate that is left.
pub(super) fn verdict_text(closed: &Identified, first: Option<&Model>) -> String {
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

/// What confirms the candidates that are left, and the limit that was reached.
pub(super) fn write_confirmation(out: &mut impl Write, closed: &Identified) -> Result<(), Error> {
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
    let who = match halted.in_device {
        true => "while the machine was asked",
        false => "while this program looked for what to ask",
    };
    let (stopped, seconds) = (halted.stopped.describe(), halted.device_time.as_secs_f64());
    format!("{stopped} {who}; the machine took {seconds:.2} s for all questions")
}

/// The candidates that are nearest to a machine that is none of them, each with the input that
/// excludes it, named by `place`.
pub(super) fn write_nearest(
    out: &mut impl Write,
    models: &[Model],
    nearest: &[Near],
    answered: &[&Vector],
    place: impl Fn(usize) -> String,
) -> Result<(), Error> {
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
            let d = model.signature().d;
            let (computed, found) = (bits(&d, computed), bits(&d, answered[by].d));
            let place = place(by);
            writeln!(out, "    gives {computed}, the machine {found} for {place}")?;
        }
    }
    Ok(())
}

/// The nearest candidates: model, results that it gives, and the input that excludes it.
pub(super) fn nearest_json(models: &[Model], nearest: &[Near], answered: &[&Vector]) -> Value {
    let nearest = nearest.iter().map(|near| {
        let model = &models[near.model];
        let signature = model.signature();
        let excluded = near.excluded.map(|(by, computed)| {
            let mut vector = vector_json(&signature, &answered[by].inputs, &[computed]);
            vector.insert("recorded".into(), bits(&signature.d, answered[by].d).into());
            vector
        });
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

/// `verdict`, `asked`, `confirmed` and `halted`.
pub(super) fn closed_json(signature: &Signature, closed: &Identified) -> Map<String, Value> {
    let verdict = match closed.verdict() {
        Identification::Identified => "identified",
        Identification::None => "none of the candidates",
        Identification::Open => "open",
        Identification::Halted => "undecided",
    };
    let asked = closed.asked.iter().map(|asked| {
        let mut vector = vector_json(signature, &asked.inputs, &[asked.result]);
        vector.insert("left".into(), asked.left.into());
        Value::Object(vector)
    });
    let Confirmation {
        inputs,
        of,
        specials,
        changes,
    } = closed.confirmation;
    let confirmed = json!({
        "inputs": inputs,
        "of": of,
        "specials": specials,
        "changes": { "shown": changes.shown, "equal": changes.equal, "open": changes.open },
    });
    let fields = [
        ("verdict", json!(verdict)),
        ("asked", asked.collect()),
        ("answered", json!(closed.answered.len())),
        ("confirmed", confirmed),
        ("halted", json!(closed.halted.as_ref().map(halted_text))),
    ];
    fields
        .map(|(name, value)| (name.into(), value))
        .into_iter()
        .collect()
}

/// All questions and answers as a vector file.
pub(super) fn record(signature: &Signature, device: &[String], closed: &Identified) -> String {
    let mut text = format!("# {PROGRAM} identify\n# {signature}\n");
    text.extend(device.iter().map(|line| format!("# {line}\n")));
    for vector in &closed.answered {
        let result = bits(&signature.d, vector.d);
        text += &format!("{} {result}\n", vector.inputs.to_line(signature));
    }
    text
}
