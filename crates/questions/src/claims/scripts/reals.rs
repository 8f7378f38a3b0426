//! The operators of Real in scripts, and their sorts.

use super::apply::{Apply, Result, among};
use super::graph::{Id, ScriptOperation};
use super::kind::ScriptSort;

/// The number that a word such as `3` or `0.125` is.
pub(super) fn number(word: &str) -> Option<ScriptOperation> {
    let (before, after) = word.split_once('.').unwrap_or((word, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|x| x.is_ascii_digit());
    let is_one = is_digits(before) && is_digits(after);
    is_one.then(|| ScriptOperation::Literal(format!("{before}.{after}")))
}

/// Whether a node is a number other than 0: a literal, its opposite, or a quotient of such numbers.
fn is_not_zero(of: &Apply<'_, '_>, id: Id) -> bool {
    let node = of.graph.node(id);
    match (&node.operation, &node.operands[..]) {
        (ScriptOperation::Literal(text), _) => {
            text.bytes().any(|digit| (b'1'..=b'9').contains(&digit))
        }
        (ScriptOperation::Applied("-", _), [one]) => is_not_zero(of, *one),
        (ScriptOperation::Applied("/", _), all) => all.iter().all(|one| is_not_zero(of, *one)),
        _ => false,
    }
}

/// The node of an operator; `None` if it is none of Real.
pub(super) fn real_operator(operation: &str, of: &mut Apply<'_, '_>) -> Result<Option<Id>> {
    let ids = of.ids;
    let known = among(
        &["+", "-", "*", "/", "<", "<=", ">", ">=", "to_real"],
        operation,
    );
    let Some(name) = known.filter(|_| !ids.is_empty()) else {
        return Ok(None);
    };
    (0..ids.len()).try_for_each(|operand| of.is(operand, ScriptSort::Real))?;
    match (name, ids) {
        // Numerals are of sort Real here.
        ("to_real", [one]) => Ok(Some(*one)),
        ("-", [one]) => of.make("-", &[], vec![*one], ScriptSort::Real).map(Some),
        ("/", [_, divisors @ ..]) if !divisors.is_empty() => {
            // The standard leaves the quotient by zero open.
            for (operand, divisor) in of.operands[1..].iter().zip(divisors) {
                if !is_not_zero(of, *divisor) {
                    return Err(operand.expected("a number that is not 0, to divide by"));
                }
            }
            of.joined(name).map(Some)
        }
        ("+" | "-" | "*", [_, _, ..]) => of.joined(name).map(Some),
        ("<" | "<=" | ">" | ">=", [_, _, ..]) => of.chained(name).map(Some),
        _ => Ok(None),
    }
}
