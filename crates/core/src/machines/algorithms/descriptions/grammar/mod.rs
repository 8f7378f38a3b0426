//! The grammar of descriptions: text to syntax tree, with the place of an error.
//!
//! ```text
//! unit NAME(PARAMETER = VALUE [in FIRST..LAST | in WORD|WORD], …) {
//!   NAME, NAME: FORMAT[LENGTH]    NAME, NAME: FORMAT of BLOCK
//!   NAME = EXPRESSION            NAME[INDEX] = EXPRESSION
//!   for NAME in INDEX..INDEX step INDEX { … }
//! }
//! ```
//!
//! Spaces and line ends separate words; `#` begins a comment up to the end of its line, and `;` may
//! stand behind a statement.

mod expressions;
mod input;
mod statements;
mod words;

use super::error::DescriptionError;
use super::tree::{Place, Tree};
use input::{Whole, place_of};
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
            state: Whole { text, depth: 0 },
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
            DescriptionError {
                at: place_of(text, at),
                expected: format!(
                    "{}, found {}",
                    expectations(error.inner()),
                    found(&text[at..])
                ),
            }
        })
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

/// The word at the beginning of a text.
fn found(text: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let word: String = text
        .chars()
        .take_while(|letter| is_part(*letter))
        .take(40)
        .collect();
    match text.chars().next() {
        None => "the end of the text".into(),
        Some(letter) if word.is_empty() => format!("`{}`", letter.escape_default()),
        Some(_) => format!("`{word}`"),
    }
}
