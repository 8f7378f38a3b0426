//! What a machine was asked and answered, as text, as JSON and as a vector file.

use crate::cli::error::Error;
use crate::cli::json::VectorObject;
use crate::cli::output::{PROGRAM, bits};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{ConfirmationSweep, Identification, Identified, QuestionsHalt};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

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

/// Writes what confirms the candidates that are left, and which limit was reached, if one was.
pub(super) fn write_confirmation(out: &mut dyn Write, closed: &Identified) -> Result<(), Error> {
    let ConfirmationSweep {
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

fn halted_text(halted: &QuestionsHalt) -> String {
    let who = if halted.in_device {
        "while the machine was asked"
    } else {
        "while this program looked for what to ask"
    };
    let (stopped, seconds) = (halted.stopped.describe(), halted.device_time.as_secs_f64());
    format!("{stopped} {who}; the machine took {seconds:.2} s for all questions")
}

/// The questions of a closed loop, and what they confirm.
#[derive(Serialize, JsonSchema)]
pub(super) struct AskedObject {
    asked: Vec<AskedQuestion>,
    /// The number of all answers.
    answered: usize,
    confirmed: ConfirmationSweep,
    /// The limit that was reached.
    #[schemars(extend("nullable" = true))]
    halted: Option<String>,
}

/// A question with the machine's answer, and how many candidates it left.
#[derive(Serialize, JsonSchema)]
struct AskedQuestion {
    #[serde(flatten)]
    vector: VectorObject,
    left: usize,
}

/// The verdict in one or a few words.
pub(super) fn verdict_word(closed: &Identified) -> &'static str {
    match closed.verdict() {
        Identification::Identified => "identified",
        Identification::None => "none of the candidates",
        Identification::Open => "open",
        Identification::Halted => "undecided",
    }
}

impl AskedObject {
    /// The questions with their answers.
    pub(super) fn new(signature: &Signature, closed: &Identified) -> AskedObject {
        let asked = closed.asked.iter().map(|asked| AskedQuestion {
            vector: VectorObject::new(signature, &asked.inputs, &[asked.result]),
            left: asked.left,
        });
        AskedObject {
            asked: asked.collect(),
            answered: closed.answered.len(),
            confirmed: closed.confirmation,
            halted: closed.halted.as_ref().map(halted_text),
        }
    }
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
