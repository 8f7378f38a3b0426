//! Conditions, and numbers and words that depend on them.

use super::super::tree::{Comparison, Condition, Index};
use super::indices::index;
use super::input::{ParseResult, ParserInput};
use super::words::{dashed, deeper, exactly, expected, sign, word};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, opt, preceded};

/// `f16 if D = f16 else f32`, or a number or a word alone.
pub(super) fn chosen_index(input: &mut ParserInput<'_>) -> ParseResult<Index> {
    let then = side(input)?;
    // An `if` without `else` behind its condition is the next statement.
    let choice = (preceded(exactly("if"), condition), exactly("else"));
    let Some((condition, ())) = opt(choice).parse_next(input)? else {
        return Ok(then);
    };
    let otherwise = cut_err(deeper(chosen_index)).parse_next(input)?;
    Ok(Index::If(Box::new((then, condition, otherwise))))
}

/// A number, or a word, which may be one that is reserved elsewhere.
fn side(input: &mut ParserInput<'_>) -> ParseResult<Index> {
    let word = word.map(|word| Index::Name(word.to_owned()));
    alt((dashed.map(Index::Name), index, word))
        .context(expected("a whole number or a word"))
        .parse_next(input)
}

/// `K <= 4 and ORDER != fused or …`; `and` binds more than `or`.
pub(super) fn condition(input: &mut ParserInput<'_>) -> ParseResult<Condition> {
    let mut all = conjunction(input)?;
    if opt(exactly("or")).parse_next(input)?.is_some() {
        let other = cut_err(deeper(condition)).parse_next(input)?;
        all = Condition::Or(Box::new([all, other]));
    }
    Ok(all)
}

fn conjunction(input: &mut ParserInput<'_>) -> ParseResult<Condition> {
    let mut all = comparison(input)?;
    if opt(exactly("and")).parse_next(input)?.is_some() {
        let other = cut_err(deeper(conjunction)).parse_next(input)?;
        all = Condition::And(Box::new([all, other]));
    }
    Ok(all)
}

fn comparison(input: &mut ParserInput<'_>) -> ParseResult<Condition> {
    let left = side(input)?;
    let comparison = alt((
        sign("=").value(Comparison::Is),
        sign("!=").value(Comparison::IsNot),
        sign("<=").value(Comparison::AtMost),
        sign("<").value(Comparison::Less),
        sign(">=").value(Comparison::AtLeast),
        sign(">").value(Comparison::Greater),
    ));
    let comparison = cut_err(comparison).parse_next(input)?;
    let right = cut_err(side).parse_next(input)?;
    Ok(Condition::Compare(comparison, Box::new([left, right])))
}
