//! Values, rows, and calls of functions with their options.

use super::super::tree::{Call, CallOption, Choice, Expression, Function, Index, Keyword};
use super::conditions::condition;
use super::indices::{counted, index};
use super::input::{ParseResult, ParserInput, place};
use super::words::{deeper, exactly, expected, function_of, keyword_of, name, sign, word};
use winnow::Parser;
use winnow::combinator::{
    alt, cut_err, delimited, opt, peek, preceded, repeat, separated, terminated,
};

/// `x * y`, or a value alone.
pub(super) fn expression(input: &mut ParserInput<'_>) -> ParseResult<Expression> {
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
fn value(input: &mut ParserInput<'_>) -> ParseResult<Expression> {
    let at = place(input);
    let found = peek(word).context(expected("a value")).parse_next(input)?;
    let mut of = match function_of(found) {
        Some(function) => Expression::Call(call(function, input)?),
        None => Expression::Name(at, name.context(expected("a value")).parse_next(input)?),
    };
    let mut count = 0;
    while opt(sign("[")).parse_next(input)?.is_some() {
        counted(&mut count, input)?;
        let mut chosen = deeper(|input: &mut ParserInput<'_>| chosen(of.clone(), input));
        let next = chosen.parse_next(input)?;
        cut_err(sign("]")).parse_next(input)?;
        drop(chosen);
        of = next;
    }
    Ok(of)
}

/// `k`, `0..4` or `1.. step 2`, between brackets.
fn chosen(of: Expression, input: &mut ParserInput<'_>) -> ParseResult<Expression> {
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
fn call(function: Function, input: &mut ParserInput<'_>) -> ParseResult<Call> {
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
        options.push(CallOption {
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

fn keyword(input: &mut ParserInput<'_>) -> ParseResult<Keyword> {
    word.verify_map(keyword_of).parse_next(input)
}

fn choice(keyword: Keyword, input: &mut ParserInput<'_>) -> ParseResult<Choice> {
    if matches!(keyword, Keyword::Sticky | Keyword::Widen) {
        let condition = opt(preceded(exactly("if"), cut_err(condition))).parse_next(input)?;
        return Ok(condition.map_or(Choice::Given, Choice::If));
    }
    // Another word than that of an option is refused with the words that there are.
    let is_value = |word: &&str| keyword_of(word).is_none();
    let other = word.verify(is_value);
    let other = other.map(|word| Choice::Value(Index::Name(word.to_owned())));
    cut_err(
        alt((first, index.map(Choice::Value), other)).context(expected("a value of the option")),
    )
    .parse_next(input)
}

/// `first(x, y) else CODE`, or the name of a parameter in place of `first`.
fn first(input: &mut ParserInput<'_>) -> ParseResult<Choice> {
    let rule = terminated(word, sign("(")).parse_next(input)?.to_owned();
    let registers = separated(1.., deeper(expression), sign(","));
    let registers = cut_err(terminated(registers, sign(")"))).parse_next(input)?;
    let otherwise = preceded(exactly("else"), index);
    let otherwise = cut_err(otherwise).parse_next(input)?;
    Ok(Choice::First {
        rule: Index::Name(rule),
        registers,
        otherwise,
    })
}

/// Nothing, or statements' separators.
pub(super) fn separators(input: &mut ParserInput<'_>) -> ParseResult<()> {
    repeat(0.., sign(";")).parse_next(input)
}
