//! Declarations, assignments, loops, and the head of a description.

use super::super::tree::{Choices, Parameter, Setting, Statement, StatementKind, Tree};
use super::expressions::{expression, index, separators};
use super::input::{Input, Parsed, place};
use super::words::{deeper, exactly, expected, name, number, sign, word};
use winnow::Parser;
use winnow::combinator::{
    alt, cut_err, delimited, opt, peek, preceded, repeat, separated, separated_pair, terminated,
};

/// `unit NAME(PARAMETERS) { STATEMENTS }`.
pub(super) fn description(input: &mut Input<'_>) -> Parsed<Tree> {
    cut_err(exactly("unit")).parse_next(input)?;
    let name = cut_err(name).parse_next(input)?;
    let parameters = separated(0.., parameter, sign(","));
    let parameters = opt(delimited(sign("("), parameters, cut_err(sign(")")))).parse_next(input)?;
    let statements = block(input)?;
    Ok(Tree {
        name,
        parameters: parameters.unwrap_or_default(),
        statements,
    })
}

/// `F = 25 in 1..64`, `fmt = f16 in f16|bf16`.
fn parameter(input: &mut Input<'_>) -> Parsed<Parameter> {
    let at = place(input);
    let (name, default) =
        separated_pair(name, cut_err(sign("=")), cut_err(setting)).parse_next(input)?;
    let range = separated_pair(number, sign(".."), cut_err(number))
        .map(|(first, last)| Choices::Range(first, last));
    let words = separated(1.., word.map(str::to_owned), sign("|")).map(Choices::Words);
    let choices = opt(preceded(exactly("in"), cut_err(alt((range, words))))).parse_next(input)?;
    let choices = choices.unwrap_or_else(|| match &default {
        Setting::Number(_) => Choices::Range(1, 1 << 16),
        Setting::Word(word) => Choices::Words(vec![word.clone()]),
    });
    Ok(Parameter {
        place: at,
        name,
        default,
        choices,
    })
}

fn setting(input: &mut Input<'_>) -> Parsed<Setting> {
    let word = word.map(|word| Setting::Word(word.to_owned()));
    alt((number.map(Setting::Number), word))
        .context(expected("a whole number or a word"))
        .parse_next(input)
}

fn block(input: &mut Input<'_>) -> Parsed<Vec<Statement>> {
    let statements = repeat(0.., terminated(deeper(statement), separators));
    delimited(cut_err(sign("{")), statements, cut_err(sign("}"))).parse_next(input)
}

fn statement(input: &mut Input<'_>) -> Parsed<Statement> {
    let at = place(input);
    let kind = match peek(word).parse_next(input)? {
        "for" => for_loop(input)?,
        _ => named(input)?,
    };
    Ok(Statement { place: at, kind })
}

fn for_loop(input: &mut Input<'_>) -> Parsed<StatementKind> {
    let range = separated_pair(index, sign(".."), index);
    let head = (
        preceded(exactly("for"), name),
        preceded(exactly("in"), range),
    );
    let (counter, (from, to)) = cut_err(head).parse_next(input)?;
    let step = opt(preceded(exactly("step"), cut_err(index))).parse_next(input)?;
    let body = block(input)?;
    Ok(StatementKind::Loop {
        counter,
        from,
        to,
        step,
        body,
    })
}

/// A declaration or an assignment: both begin with a name.
fn named(input: &mut Input<'_>) -> Parsed<StatementKind> {
    let names: Vec<String> = separated(1.., name, sign(",")).parse_next(input)?;
    if opt(sign(":")).parse_next(input)?.is_some() {
        let format = cut_err(word)
            .context(expected("a format"))
            .parse_next(input)?
            .to_owned();
        let length = opt(delimited(sign("["), index, cut_err(sign("]")))).parse_next(input)?;
        let block = opt(preceded(exactly("of"), cut_err(index))).parse_next(input)?;
        return Ok(StatementKind::Declare {
            names,
            format,
            length,
            block,
        });
    }
    let [name] = <[String; 1]>::try_from(names).or_else(|_| {
        cut_err(sign(":"))
            .parse_next(input)
            .map(|()| [String::new()])
    })?;
    let element = opt(delimited(sign("["), index, cut_err(sign("]")))).parse_next(input)?;
    cut_err(sign("=").context(expected("`:`"))).parse_next(input)?;
    let value = cut_err(expression).parse_next(input)?;
    Ok(StatementKind::Assign {
        name,
        element,
        value,
    })
}
