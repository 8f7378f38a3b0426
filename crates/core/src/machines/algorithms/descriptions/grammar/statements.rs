//! Declarations, assignments, loops, and the head of a description.

use super::super::tree::{Choices, Index, Parameter, Statement, StatementKind, Tree};
use super::comments;
use super::conditions::{chosen_index, condition};
use super::expressions::{expression, separators};
use super::indices::index;
use super::input::{ParseResult, ParserInput, place};
use super::words::{
    class_of, dashed, deeper, exactly, expected, is_composition, is_reserved, name, number, sign,
    word,
};
use winnow::Parser;
use winnow::combinator::{
    alt, cut_err, delimited, opt, peek, preceded, repeat, separated, separated_pair, terminated,
};
use winnow::stream::Location;

/// `unit NAME(PARAMETERS) { STATEMENTS }`, or `composition …`.
pub(super) fn description(input: &mut ParserInput<'_>) -> ParseResult<Tree> {
    let is_composition = cut_err(is_composition).parse_next(input)?;
    let name = cut_err(name).parse_next(input)?;
    let parameters = separated(0.., parameter, sign(","));
    let parameters = opt(delimited(sign("("), parameters, cut_err(sign(")")))).parse_next(input)?;
    let statements = block(input)?;
    let (summary, source) = comments::of_unit(input.state.text);
    Ok(Tree {
        is_composition,
        name,
        summary,
        source,
        parameters: parameters.unwrap_or_default(),
        statements,
        text: input.state.text.to_owned(),
    })
}

/// `F = 25 in 1..64`, `A as a = f16 in f16|bf16 shown`, each perhaps with a comment.
fn parameter(input: &mut ParserInput<'_>) -> ParseResult<Parameter> {
    let at = place(input);
    let start = input.current_token_start();
    let name = name(input)?;
    let key = opt(preceded(exactly("as"), cut_err(word))).parse_next(input)?;
    cut_err(sign("=")).parse_next(input)?;
    let from = input.current_token_start();
    let default = cut_err(chosen_index).parse_next(input)?;
    let to = from + without_gap(&input.state.text[from..input.current_token_start()]);
    let choices = separated(1.., choices, sign("|"));
    let choices = opt(preceded(exactly("in"), cut_err(choices))).parse_next(input)?;
    let choices = choices.unwrap_or_else(|| match &default {
        Index::Name(word) => vec![Choices::Word(word.clone())],
        _ => vec![Choices::Range(1, 1 << 16)],
    });
    let is_shown = opt(exactly("shown")).parse_next(input)?.is_some();
    let end = input.current_token_start();
    Ok(Parameter {
        place: at,
        key: key.map_or_else(|| key_of(&name), str::to_owned),
        name,
        default,
        default_at: from..to,
        choices,
        is_shown,
        meaning: comments::behind(input.state.text, start, end),
    })
}

/// The key of a parameter with this name: in small letters, unless it has one letter.
fn key_of(name: &str) -> String {
    match name.len() {
        1 => name.to_owned(),
        _ => name.to_lowercase(),
    }
}

/// The length of a text without spaces and comments at its end.
fn without_gap(text: &str) -> usize {
    text.split('#').next().unwrap_or_default().trim_end().len()
}

fn choices(input: &mut ParserInput<'_>) -> ParseResult<Choices> {
    let range = (number, opt(preceded(sign(".."), cut_err(number))));
    let range = range.map(|(first, last)| Choices::Range(first, last.unwrap_or(first)));
    let word = alt((dashed, word.map(str::to_owned)));
    let word = word.map(|word| match class_of(&word) {
        Some(class) => Choices::Class(class),
        None => Choices::Word(word),
    });
    alt((range, word)).parse_next(input)
}

fn block(input: &mut ParserInput<'_>) -> ParseResult<Vec<Statement>> {
    let statements = repeat(0.., terminated(deeper(statement), separators));
    delimited(cut_err(sign("{")), statements, cut_err(sign("}"))).parse_next(input)
}

fn statement(input: &mut ParserInput<'_>) -> ParseResult<Statement> {
    let at = place(input);
    let kind = match peek(word).parse_next(input)? {
        "for" => for_loop(input)?,
        "if" => if_else(input)?,
        "let" => preceded(exactly("let"), cut_err(named_index)).parse_next(input)?,
        "need" => need(input)?,
        "pairwise" => pairwise(input)?,
        word if is_reserved(word) => {
            let fail = cut_err(winnow::combinator::fail);
            let is_taken = expected("a name that is no word of the language");
            fail.context(is_taken).parse_next(input)?
        }
        _ => named(input)?,
    };
    Ok(Statement { place: at, kind })
}

fn for_loop(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
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

fn if_else(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
    exactly("if").parse_next(input)?;
    let condition = cut_err(condition).parse_next(input)?;
    let body = block(input)?;
    if opt(exactly("else")).parse_next(input)?.is_none() {
        let otherwise = Vec::new();
        return Ok(StatementKind::If {
            condition,
            body,
            otherwise,
        });
    }
    let at = place(input);
    let otherwise = match opt(peek(exactly("if"))).parse_next(input)? {
        Some(()) => vec![Statement {
            place: at,
            kind: deeper(if_else).parse_next(input)?,
        }],
        None => block(input)?,
    };
    Ok(StatementKind::If {
        condition,
        body,
        otherwise,
    })
}

/// `NAME = VALUE` behind `let`.
fn named_index(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
    let (name, value) = separated_pair(name, sign("="), chosen_index).parse_next(input)?;
    Ok(StatementKind::Let { name, value })
}

fn need(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
    exactly("need").parse_next(input)?;
    let start = input.current_token_start();
    let condition = cut_err(condition).parse_next(input)?;
    let text = input.state.text;
    let end = start
        + text[start..]
            .find(['\n', ';'])
            .unwrap_or(text.len() - start);
    let expected = comments::behind(&text[..end], start, end);
    Ok(StatementKind::Need {
        condition,
        expected,
    })
}

fn pairwise(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
    exactly("pairwise").parse_next(input)?;
    let head = separated_pair(name, exactly("of"), expression);
    let ((name, row), value) =
        cut_err(separated_pair(head, sign("="), expression)).parse_next(input)?;
    Ok(StatementKind::Pairwise { name, row, value })
}

/// A declaration or an assignment: both begin with a name.
fn named(input: &mut ParserInput<'_>) -> ParseResult<StatementKind> {
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
