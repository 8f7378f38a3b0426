//! Values, rows and the whole numbers that choose among them.

use super::super::tree::{
    Call, Choice, Expression, Function, Given, Index, IndexOperation, Keyword,
};
use super::input::{DEEPEST, Input, Parsed, place};
use super::words::{deeper, exactly, expected, function_of, keyword_of, name, number, sign, word};
use winnow::Parser;
use winnow::combinator::{
    alt, cut_err, delimited, opt, peek, preceded, repeat, separated, separated_pair,
};

/// `K / 2 - 1`.
pub(super) fn index(input: &mut Input<'_>) -> Parsed<Index> {
    let sums = [("+", IndexOperation::Plus), ("-", IndexOperation::Minus)];
    operations(product, &sums, input)
}

fn product(input: &mut Input<'_>) -> Parsed<Index> {
    let products = [
        ("*", IndexOperation::Times),
        ("/", IndexOperation::Over),
        ("%", IndexOperation::Modulo),
    ];
    operations(factor, &products, input)
}

fn factor(input: &mut Input<'_>) -> Parsed<Index> {
    let inner = delimited(sign("("), deeper(index), cut_err(sign(")")));
    alt((number.map(Index::Number), name.map(Index::Name), inner))
        .context(expected("a whole number or a name"))
        .parse_next(input)
}

/// Numbers with operations between them, the first operation first.
fn operations<'t>(
    side: fn(&mut Input<'t>) -> Parsed<Index>,
    known: &[(&'static str, IndexOperation)],
    input: &mut Input<'t>,
) -> Parsed<Index> {
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
fn counted(count: &mut u32, input: &mut Input<'_>) -> Parsed<()> {
    *count += 1;
    if *count <= DEEPEST {
        return Ok(());
    }
    let fail = cut_err(winnow::combinator::fail);
    fail.context(expected("at most 64 operations in a row"))
        .parse_next(input)
}

/// `x * y`, or a value alone.
pub(super) fn expression(input: &mut Input<'_>) -> Parsed<Expression> {
    let mut product = value(input)?;
    let mut count = 0;
    while opt(sign("*")).parse_next(input)?.is_some() {
        counted(&mut count, input)?;
        let right = cut_err(value).parse_next(input)?;
        product = Expression::Product(Box::new([product, right]));
    }
    Ok(product)
}

/// A name or a call, and what is chosen of its row.
fn value(input: &mut Input<'_>) -> Parsed<Expression> {
    let at = place(input);
    let found = peek(word).context(expected("a value")).parse_next(input)?;
    let mut of = match function_of(found) {
        Some(function) => Expression::Call(call(function, input)?),
        None => Expression::Name(at, name.context(expected("a value")).parse_next(input)?),
    };
    let mut count = 0;
    while opt(sign("[")).parse_next(input)?.is_some() {
        counted(&mut count, input)?;
        let mut chosen = deeper(|input: &mut Input<'_>| chosen(of.clone(), input));
        let next = chosen.parse_next(input)?;
        cut_err(sign("]")).parse_next(input)?;
        drop(chosen);
        of = next;
    }
    Ok(of)
}

/// `k`, `0..4` or `1.. step 2`, between brackets.
fn chosen(of: Expression, input: &mut Input<'_>) -> Parsed<Expression> {
    let from = opt(index).parse_next(input)?;
    if opt(sign("..")).parse_next(input)?.is_none() {
        let from = from.map_or_else(|| cut_err(index).parse_next(input), Ok)?;
        return Ok(Expression::Element(Box::new(of), from));
    }
    let (to, step) =
        (opt(index), opt(preceded(exactly("step"), cut_err(index)))).parse_next(input)?;
    Ok(Expression::Slice {
        of: Box::new(of),
        from,
        to,
        step,
    })
}

/// `fuse(p, c) keep F by rz`.
fn call(function: Function, input: &mut Input<'_>) -> Parsed<Call> {
    let at = place(input);
    word.parse_next(input)?;
    let arguments = separated(0.., deeper(expression), sign(","));
    let arguments: Vec<Expression> =
        delimited(cut_err(sign("(")), arguments, cut_err(sign(")"))).parse_next(input)?;
    let mut options = Vec::new();
    loop {
        let place = place(input);
        let Some(keyword) = opt(keyword).parse_next(input)? else {
            break;
        };
        let choice = choice(keyword, input)?;
        options.push(Given {
            place,
            keyword,
            choice,
        });
    }
    Ok(Call {
        place: at,
        function,
        arguments,
        options,
    })
}

fn keyword(input: &mut Input<'_>) -> Parsed<Keyword> {
    word.verify_map(keyword_of).parse_next(input)
}

fn choice(keyword: Keyword, input: &mut Input<'_>) -> Parsed<Choice> {
    if matches!(keyword, Keyword::Sticky | Keyword::Widen) {
        return Ok(Choice::Given);
    }
    let registers = delimited(
        sign("("),
        separated(1.., deeper(expression), sign(",")),
        sign(")"),
    );
    let first = preceded(
        exactly("first"),
        cut_err(separated_pair(registers, exactly("else"), index)),
    );
    let first = first.map(|(registers, otherwise)| Choice::First(registers, otherwise));
    // Another word than that of an option is refused with the words that there are.
    let is_value = |word: &&str| keyword_of(word).is_none();
    let other = word.verify(is_value);
    let other = other.map(|word| Choice::Value(Index::Name(word.to_owned())));
    cut_err(
        alt((first, index.map(Choice::Value), other)).context(expected("a value of the option")),
    )
    .parse_next(input)
}

/// Nothing, or statements' separators.
pub(super) fn separators(input: &mut Input<'_>) -> Parsed<()> {
    repeat(0.., sign(";")).parse_next(input)
}
