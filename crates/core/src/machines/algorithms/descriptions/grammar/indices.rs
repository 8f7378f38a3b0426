//! Whole numbers that are known before any operand is.

use super::super::tree::{Index, IndexOperation};
use super::input::{DEEPEST, ParseResult, ParserInput};
use super::words::{deeper, expected, name, number, of_format, sign};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, delimited, opt};

/// `K / 2 - 1`.
pub(super) fn index(input: &mut ParserInput<'_>) -> ParseResult<Index> {
    let sums = [("+", IndexOperation::Plus), ("-", IndexOperation::Minus)];
    operations(product, &sums, input)
}

fn product(input: &mut ParserInput<'_>) -> ParseResult<Index> {
    let products = [
        ("*", IndexOperation::Times),
        ("/", IndexOperation::Over),
        ("%", IndexOperation::Modulo),
    ];
    operations(factor, &products, input)
}

fn factor(input: &mut ParserInput<'_>) -> ParseResult<Index> {
    let inner = delimited(sign("("), deeper(index), cut_err(sign(")")));
    let of = (of_format, cut_err(deeper(index)), cut_err(sign(")")));
    let of = of.map(|(what, of, ())| Index::Of(what, Box::new(of)));
    alt((number.map(Index::Number), of, name.map(Index::Name), inner))
        .context(expected("a whole number or a name"))
        .parse_next(input)
}

/// Numbers with operations between them, the first operation first.
fn operations<'t>(
    side: fn(&mut ParserInput<'t>) -> ParseResult<Index>,
    known: &[(&'static str, IndexOperation)],
    input: &mut ParserInput<'t>,
) -> ParseResult<Index> {
    let mut total = side(input)?;
    let mut count = 0;
    loop {
        let mut found = None;
        for (text, operation) in known {
            if opt(sign(text)).parse_next(input)?.is_some() {
                found = Some(*operation);
                break;
            }
        }
        let Some(operation) = found else {
            return Ok(total);
        };
        counted(&mut count, input)?;
        let right = cut_err(side).parse_next(input)?;
        total = Index::Operation(operation, Box::new([total, right]));
    }
}

/// Counts one more operation of a kind that nests to the left.
///
/// # Errors
/// If there are more than [`DEEPEST`].
pub(super) fn counted(count: &mut u32, input: &mut ParserInput<'_>) -> ParseResult<()> {
    *count += 1;
    if *count <= DEEPEST {
        return Ok(());
    }
    let fail = cut_err(winnow::combinator::fail);
    fail.context(expected("at most 64 operations in a row"))
        .parse_next(input)
}
