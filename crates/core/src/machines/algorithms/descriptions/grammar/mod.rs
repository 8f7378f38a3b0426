//! The grammar of descriptions: text to syntax tree, with the place of an error.
//!
//! ```text
//! unit NAME(PARAMETER [as KEY] = VALUE [in FIRST..LAST|WORD|CLASS] [shown], …) {
//!   need CONDITION               let NAME = VALUE
//!   NAME, NAME: FORMAT[LENGTH]    NAME, NAME: FORMAT of BLOCK
//!   NAME = EXPRESSION            NAME[INDEX] = EXPRESSION
//!   pairwise NAME of EXPRESSION = EXPRESSION
//!   for NAME in INDEX..INDEX step INDEX { … }
//!   if CONDITION { … } else { … }
//! }
//! ```
//!
//! A VALUE is a whole number, a word, or `VALUE if CONDITION else VALUE`.
//!
//! Spaces and line ends separate words; `#` begins a comment up to the end of its line, and `;` may
//! stand behind a statement.

mod comments;
mod conditions;
mod expressions;
mod indices;
mod input;
mod statements;
mod words;

use super::error::DescriptionError;
use super::tree::{Function, Keyword, Place, Tree};
use input::{ParserState, place_of};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;
use winnow::Parser;
use winnow::combinator::{eof, preceded, terminated};
use winnow::error::{ContextError, StrContext};
use winnow::stream::{LocatingSlice, Stateful};

/// The longest text of a description.
const LONGEST: usize = 1 << 18;

impl Tree {
    /// The description with this text.
    ///
    /// # Errors
    /// If the text is too long or does not follow the grammar; the error has the place, what was
    /// expected there, and what was found.
    pub fn parse(text: &str) -> Result<Tree, DescriptionError> {
        if text.len() > LONGEST {
            let at = Place { line: 1, column: 1 };
            let expected = format!("at most {LONGEST} bytes, found {}", text.len());
            return Err(DescriptionError { at, expected });
        }
        let input = Stateful {
            input: LocatingSlice::new(text),
            state: ParserState { text, depth: 0 },
        };
        let whole = preceded(
            words::gap,
            terminated(
                statements::description,
                eof.context(words::expected("the end of the text")),
            ),
        );
        let mut whole = whole;
        whole.parse(input).map_err(|error| {
            let at = error.offset();
            unknown_function(text, at).unwrap_or_else(|| DescriptionError {
                at: place_of(text, at),
                expected: refusal(&expectations(error.inner()), &text[at..]),
            })
        })
    }
}

/// The error of a call of a function that there is not: `(` behind a name, at byte `at`.
fn unknown_function(text: &str, at: usize) -> Option<DescriptionError> {
    let before = text[..at].trim_end();
    let name = &before[before.trim_end_matches(words::is_part).len()..];
    if name.is_empty() || !text[at..].starts_with('(') || words::is_reserved(name) {
        return None;
    }
    let names = Function::ALL.iter().map(|function| function.word());
    let near = did_you_mean(name, names.clone());
    let names: Vec<_> = names.collect();
    Some(DescriptionError {
        at: place_of(text, before.len() - name.len()),
        expected: format!("{}, found `{}`{near}", names.join(" or "), excerpt(name)),
    })
}

/// What was expected, and the word at the beginning of `text` that was found. Behind the arguments
/// of a call, a word is perhaps the keyword of an option.
fn refusal(expected: &str, text: &str) -> String {
    let behind = text.trim_start_matches(words::is_part);
    let word = &text[..text.len() - behind.len()];
    let is_option = expected.contains("`)`") && words::keyword_of(word).is_none();
    let near = match is_option {
        true => did_you_mean(word, Keyword::ALL.iter().map(|keyword| keyword.word())),
        false => String::new(),
    };
    match (word, text.chars().next()) {
        (_, None) => format!("{expected}, found the end of the text"),
        ("", Some(sign)) => format!("{expected}, found `{}`", sign.escape_default()),
        _ => format!("{expected}, found `{}`{near}", excerpt(word)),
    }
}

/// The words that the grammar allows at the place of an error.
fn expectations(error: &ContextError) -> String {
    let mut all: Vec<String> = Vec::new();
    for context in error.context() {
        if let StrContext::Expected(value) = context {
            let value = value.to_string();
            if !all.contains(&value) {
                all.push(value);
            }
        }
    }
    if all.is_empty() {
        "another word".into()
    } else {
        all.join(" or ")
    }
}
