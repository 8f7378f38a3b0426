//! Words, numbers and signs, each with the space behind it.

use super::super::tree::{Class, Function, Keyword, OfFormat};
use super::input::{DEEPEST, ParseFailure, ParseResult, ParserInput};
use mmasmt_numbers::float::Rounding;
use winnow::Parser;
use winnow::ascii::{digit1, hex_digit1, line_ending, multispace1, till_line_ending};
use winnow::combinator::{alt, cut_err, opt, preceded, repeat, terminated};
use winnow::error::{ErrMode, StrContext, StrContextValue};
use winnow::token::take_while;

/// The most letters of a word.
const LONGEST_WORD: usize = 64;

/// Words that are no names.
const RESERVED: &[&str] = &[
    "unit",
    "composition",
    "for",
    "in",
    "step",
    "else",
    "first",
    "of",
    "if",
    "let",
    "need",
    "pairwise",
    "and",
    "or",
];

pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || function_of(word).is_some() || keyword_of(word).is_some()
}

pub(super) fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

/// Spaces, line ends and comments.
pub(super) fn gap(input: &mut ParserInput<'_>) -> ParseResult<()> {
    let comment = ('#', till_line_ending, opt(line_ending)).void();
    repeat(0.., alt((multispace1.void(), comment))).parse_next(input)
}

/// A sign, and the space behind it.
pub(super) fn sign<'t>(text: &'static str) -> impl Parser<ParserInput<'t>, (), ParseFailure> {
    let expected = StrContext::Expected(StrContextValue::StringLiteral(text));
    terminated(text, gap).void().context(expected)
}

/// Any word, reserved or not, and the space behind it.
pub(super) fn word<'t>(input: &mut ParserInput<'t>) -> ParseResult<&'t str> {
    letters
        .context(expected("a word of at most 64 letters"))
        .parse_next(input)
}

/// Whether a word can have this letter behind its first.
pub(super) fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn bare_letters<'t>(input: &mut ParserInput<'t>) -> ParseResult<&'t str> {
    let first = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    let word = (take_while(1, first), take_while(0.., is_part)).take();
    word.verify(|word: &str| word.len() <= LONGEST_WORD)
        .parse_next(input)
}

fn letters<'t>(input: &mut ParserInput<'t>) -> ParseResult<&'t str> {
    terminated(bare_letters, gap).parse_next(input)
}

/// A certain word.
pub(super) fn exactly<'t>(text: &'static str) -> impl Parser<ParserInput<'t>, (), ParseFailure> {
    let context = StrContext::Expected(StrContextValue::StringLiteral(text));
    letters
        .verify(move |word: &&str| *word == text)
        .void()
        .context(context)
}

/// The first word of a text: whether it says `composition`, and not `unit`.
pub(super) fn is_composition(input: &mut ParserInput<'_>) -> ParseResult<bool> {
    let kind = |word: &str| match word {
        "unit" => Some(false),
        "composition" => Some(true),
        _ => None,
    };
    letters
        .verify_map(kind)
        .context(expected("`unit` or `composition`"))
        .parse_next(input)
}

/// A name: a word that is neither reserved, nor a function, nor the keyword of an option.
pub(super) fn name(input: &mut ParserInput<'_>) -> ParseResult<String> {
    let is_free = |word: &&str| !is_reserved(word);
    let name = letters.verify(is_free).map(str::to_owned);
    name.context(expected("a name")).parse_next(input)
}

pub(super) fn function_of(word: &str) -> Option<Function> {
    Function::ALL
        .iter()
        .copied()
        .find(|function| function.word() == word)
}

pub(super) fn keyword_of(word: &str) -> Option<Keyword> {
    Keyword::ALL
        .iter()
        .copied()
        .find(|keyword| keyword.word() == word)
}

pub(super) fn class_of(word: &str) -> Option<Class> {
    Class::ALL
        .iter()
        .copied()
        .find(|class| class.word() == word)
}

/// `fraction(`: the beginning of a number of a format.
pub(super) fn of_format(input: &mut ParserInput<'_>) -> ParseResult<OfFormat> {
    let known = |word: &str| {
        let mut all = OfFormat::ALL.iter().copied();
        all.find(|known| known.word() == word)
    };
    terminated(word.verify_map(known), sign("(")).parse_next(input)
}

/// A word of several parts without spaces: `last-first`, or a stochastic rounding, `sr8+0x5a`.
pub(super) fn dashed(input: &mut ParserInput<'_>) -> ParseResult<String> {
    let part = || take_while(1.., is_part);
    let parts = (bare_letters, repeat(1.., ('-', part())).map(|()| ())).take();
    let stochastic = (bare_letters, '+', part()).take();
    let stochastic = stochastic.verify(|word: &str| word.parse::<Rounding>().is_ok());
    terminated(alt((parts, stochastic)), gap)
        .map(str::to_owned)
        .parse_next(input)
}

/// A whole number: decimal, or hexadecimal behind `0x`.
pub(super) fn number(input: &mut ParserInput<'_>) -> ParseResult<i64> {
    let hexadecimal = preceded("0x", cut_err(hex_digit1))
        .verify_map(|digits: &str| u64::from_str_radix(digits, 16).ok())
        .map(|bits| bits as i64);
    let decimal = (opt('-'), digit1)
        .take()
        .verify_map(|digits: &str| digits.parse().ok());
    let number = terminated(alt((hexadecimal, decimal)), gap);
    number.context(expected("a whole number")).parse_next(input)
}

/// The result of `inner`, which is parsed one level deeper.
pub(super) fn deeper<'t, T>(
    mut inner: impl Parser<ParserInput<'t>, T, ParseFailure>,
) -> impl Parser<ParserInput<'t>, T, ParseFailure> {
    move |input: &mut ParserInput<'t>| {
        if input.state.depth >= DEEPEST {
            let fail = cut_err(winnow::combinator::fail::<_, T, ErrMode<_>>);
            return fail
                .context(expected(
                    "at most 64 levels of parentheses, brackets and loops",
                ))
                .parse_next(input);
        }
        input.state.depth += 1;
        let result = inner.parse_next(input);
        input.state.depth -= 1;
        result
    }
}
