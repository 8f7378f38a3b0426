//! A solver's reply to a script: a verdict, and values of inputs.

use super::sexpr::{DEEPEST, Front, front};
use easy_smt::{Context, SExpr};
use mmasmt_numbers::bits::Input;
use rustc_hash::FxHashMap;

/// A complete reply, not checked yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SolverReply {
    Sat(FxHashMap<u32, u64>),
    Unsat,
    Unknown,
}

/// An error for output that is no complete reply: the expected output, and the output found instead
/// (`None` if the output may be the beginning of a reply).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReplyMismatch {
    pub wanted: &'static str,
    pub found: Option<String>,
}

pub(super) const VERDICT: &str = "sat, unsat or unknown";
pub(super) const MODEL: &str = "the values of all inputs";

/// Reads a reply from the solver's output so far, if the reply is complete. `terms` stores the
/// expressions of the reply.
pub(super) fn read(
    terms: &Context,
    text: &str,
    ended: bool,
    inputs: &[Input],
) -> Result<SolverReply, ReplyMismatch> {
    let mut rest = text;
    loop {
        let found = next(terms, &mut rest, ended, VERDICT)?;
        match terms.get_atom(found) {
            Some("sat") => break,
            Some("unsat") => return Ok(SolverReply::Unsat),
            Some("unknown" | "timeout") => return Ok(SolverReply::Unknown),
            // Some solvers print `success` after a command that has no reply.
            Some("success") => {}
            _ => return Err(unexpected(terms, VERDICT, found)),
        }
    }
    if inputs.is_empty() {
        return Ok(SolverReply::Sat(FxHashMap::default()));
    }
    let model = next(terms, &mut rest, ended, MODEL)?;
    match values(terms, model, inputs) {
        Some(values) => Ok(SolverReply::Sat(values)),
        None => Err(unexpected(terms, MODEL, model)),
    }
}

fn next(
    terms: &Context,
    rest: &mut &str,
    ended: bool,
    wanted: &'static str,
) -> Result<SExpr, ReplyMismatch> {
    let found = match front(terms, rest, ended) {
        Front::Complete(found, after) => {
            *rest = after;
            return Ok(found);
        }
        Front::Incomplete => None,
        Front::Unbalanced => Some(")".into()),
        Front::TooDeep => Some(format!("lists nested more than {DEEPEST} deep")),
    };
    Err(ReplyMismatch { wanted, found })
}

fn unexpected(terms: &Context, wanted: &'static str, found: SExpr) -> ReplyMismatch {
    ReplyMismatch {
        wanted,
        found: Some(terms.display(found).to_string()),
    }
}

/// The most characters of a solver's output that a message shows.
const SHOWN: usize = 160;

/// The beginning of `text`, in one line of printable characters.
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

/// The values of all `inputs` by number; `None` if `model` lacks one of them, or gives it another
/// width.
fn values(terms: &Context, model: SExpr, inputs: &[Input]) -> Option<FxHashMap<u32, u64>> {
    let mut by_name = FxHashMap::default();
    for pair in terms.get_list(model)? {
        let &[name, value] = terms.get_list(*pair)? else {
            return None;
        };
        by_name.insert(terms.get_atom(name)?.trim_matches('|'), value);
    }
    inputs
        .iter()
        .map(|input| {
            let value = literal(terms, *by_name.get(&*input.name)?, input.width)?;
            Some((input.index, value))
        })
        .collect()
}

/// The value of `#b0101`, `#x0f` or `(_ bv5 16)`, if it has `width` bits.
pub fn literal(terms: &Context, value: SExpr, width: u32) -> Option<u64> {
    if let Some(atom) = terms.get_atom(value) {
        let (mark, digits) = atom.split_at_checked(2)?;
        let bits = match mark {
            "#b" => digits.len(),
            "#x" => 4 * digits.len(),
            _ => return None,
        };
        return terms.get_u64(value).filter(|_| bits == width as usize);
    }
    let &[mark, number, bits] = terms.get_list(value)? else {
        return None;
    };
    let number: u64 = terms.get_atom(number)?.strip_prefix("bv")?.parse().ok()?;
    let is_literal = mark == terms.atoms().und && bits == terms.numeral(width);
    let fits = width >= 64 || number >> width == 0;
    (is_literal && fits).then_some(number)
}
