//! The parser's input, and its place in the text.

use crate::machines::algorithms::descriptions::tree::Place;
use winnow::ModalResult;
use winnow::error::{ContextError, ErrMode};
use winnow::stream::{LocatingSlice, Location, Stateful};

/// The greatest depth of parentheses, brackets and loops.
pub(super) const DEEPEST: u32 = 64;

/// The rest of a text, and what the parser knows of the whole.
pub(super) type ParserInput<'t> = Stateful<LocatingSlice<&'t str>, ParserState<'t>>;
pub(super) type ParseResult<T> = ModalResult<T>;
pub(super) type ParseFailure = ErrMode<ContextError>;

/// The whole text, and the depth of what is being parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParserState<'t> {
    pub(super) text: &'t str,
    pub(super) depth: u32,
}

/// The place of a byte of a text.
pub(super) fn place_of(text: &str, offset: usize) -> Place {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    Place {
        line: before.matches('\n').count() + 1,
        column: line.chars().count() + 1,
    }
}

pub(super) fn place(input: &ParserInput<'_>) -> Place {
    place_of(input.state.text, input.current_token_start())
}
