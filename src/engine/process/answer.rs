//! What a solver answers to a script: a verdict, and values of inputs.

use super::sexpr::{DEEPEST, Front, Sexpr, front};
use crate::bits::Input;
use rustc_hash::FxHashMap;

/// A complete answer. Nothing of it is believed yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SolverReply {
    Sat(FxHashMap<u32, u64>),
    Unsat,
    Unknown,
}

/// What was expected, and what came instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unexpected {
    pub wanted: &'static str,
    pub found: String,
}

pub(super) const VERDICT: &str = "sat, unsat or unknown";
pub(super) const MODEL: &str = "the values of all inputs";

/// The answer in what the solver has printed so far, if it is complete; `Err(None)` if it is not.
pub(super) fn read(
    text: &str,
    ended: bool,
    inputs: &[Input],
) -> Result<SolverReply, Option<Unexpected>> {
    let mut rest = text;
    loop {
        let found = next(&mut rest, ended, VERDICT)?;
        match found.atom() {
            Some("sat") => break,
            Some("unsat") => return Ok(SolverReply::Unsat),
            Some("unknown" | "timeout") => return Ok(SolverReply::Unknown),
            // What some print after a command that has no answer.
            Some("success") => {}
            _ => return Err(Some(unexpected(VERDICT, &found))),
        }
    }
    if inputs.is_empty() {
        return Ok(SolverReply::Sat(FxHashMap::default()));
    }
    let model = next(&mut rest, ended, MODEL)?;
    match values(&model, inputs) {
        Some(values) => Ok(SolverReply::Sat(values)),
        None => Err(Some(unexpected(MODEL, &model))),
    }
}

/// Whether the answer so far is that there are inputs, without them.
pub(super) fn lacks_model(text: &str) -> bool {
    matches!(front(text, true), Front::Complete(first, _) if first.atom() == Some("sat"))
}

fn next(rest: &mut &str, ended: bool, wanted: &'static str) -> Result<Sexpr, Option<Unexpected>> {
    match front(rest, ended) {
        Front::Complete(found, after) => {
            *rest = after;
            Ok(found)
        }
        Front::Incomplete => Err(None),
        Front::Unbalanced => Err(Some(Unexpected {
            wanted,
            found: ")".into(),
        })),
        Front::TooDeep => Err(Some(Unexpected {
            wanted,
            found: format!("lists nested more than {DEEPEST} deep"),
        })),
    }
}

fn unexpected(wanted: &'static str, found: &Sexpr) -> Unexpected {
    let mut text = String::new();
    write(found, &mut text);
    Unexpected {
        wanted,
        found: text,
    }
}

/// Longest piece of a solver's output that is shown.
const SHOWN: usize = 160;

/// The beginning of the expression as text in one line. Its depth is that of what is shown.
fn write(expression: &Sexpr, text: &mut String) {
    if text.chars().count() > SHOWN {
        return;
    }
    match expression {
        Sexpr::Atom(atom) => text.push_str(&shown(atom)),
        Sexpr::List(list) => {
            text.push('(');
            for (index, element) in list.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                write(element, text);
            }
            text.push(')');
        }
    }
}

/// The beginning of `text` in one line of printable characters.
pub(super) fn shown(text: &str) -> String {
    let line: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let dots = if text.chars().nth(SHOWN).is_some() {
        "…"
    } else {
        ""
    };
    format!("{}{dots}", line.trim())
}

/// The values of all `inputs` by number, if `model` has each in its width.
fn values(model: &Sexpr, inputs: &[Input]) -> Option<FxHashMap<u32, u64>> {
    let mut by_name = FxHashMap::default();
    for pair in model.list()? {
        let [name, value] = pair.list()? else {
            return None;
        };
        by_name.insert(name.atom()?.trim_matches('|'), value);
    }
    inputs
        .iter()
        .map(|input| {
            let value = literal(by_name.get(input.name.as_str())?, input.width)?;
            Some((input.index, value))
        })
        .collect()
}

/// `#b0101`, `#x0f` or `(_ bv5 16)`, if it has `width` bits.
fn literal(value: &Sexpr, width: u32) -> Option<u64> {
    let width = width as usize;
    match value {
        Sexpr::Atom(atom) => {
            let (radix, digits, bits) = match atom.split_at_checked(2)? {
                ("#b", digits) => (2, digits, digits.len()),
                ("#x", digits) => (16, digits, 4 * digits.len()),
                _ => return None,
            };
            (bits == width)
                .then(|| u64::from_str_radix(digits, radix).ok())
                .flatten()
        }
        Sexpr::List(list) => {
            let [Sexpr::Atom(mark), Sexpr::Atom(number), Sexpr::Atom(bits)] = &list[..] else {
                return None;
            };
            let number: u64 = number.strip_prefix("bv")?.parse().ok()?;
            let fits = width >= 64 || number >> width == 0;
            (mark == "_" && bits.parse() == Ok(width) && fits).then_some(number)
        }
    }
}
