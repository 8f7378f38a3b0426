//! Parses text that arrives in pieces into expressions, which are terms of `easy-smt`.

use easy_smt::{Context, SExpr};

/// The item at the front of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum Front<'x> {
    /// An expression, and the text after it.
    Complete(SExpr, &'x str),
    /// No expression, or only the beginning of one.
    Incomplete,
    /// An unmatched closing parenthesis.
    Unbalanced,
    /// More than [`DEEPEST`] nested lists.
    TooDeep,
}

/// The most nested lists that are parsed, since printing recurses into each of them.
pub(super) const DEEPEST: usize = 1000;

/// Parses the expression at the front of `text` into `terms`. An atom is complete if something
/// follows it, or if no more text will come (`ended`). A quoted atom keeps its quotes.
pub fn front<'x>(terms: &Context, text: &'x str, ended: bool) -> Front<'x> {
    let mut open: Vec<Vec<SExpr>> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return Front::Incomplete;
        };
        let done = match first {
            ';' => {
                match rest.split_once('\n') {
                    Some((_, after)) => rest = after,
                    None => return Front::Incomplete,
                }
                continue;
            }
            '(' if open.len() == DEEPEST => return Front::TooDeep,
            '(' => {
                rest = &rest[1..];
                open.push(Vec::new());
                continue;
            }
            ')' => {
                rest = &rest[1..];
                match open.pop() {
                    Some(list) => terms.list(list),
                    None => return Front::Unbalanced,
                }
            }
            _ => {
                let Some(length) = atom_length(rest, ended) else {
                    return Front::Incomplete;
                };
                let (atom, after) = rest.split_at(length);
                rest = after;
                terms.atom(atom)
            }
        };
        match open.last_mut() {
            Some(list) => list.push(done),
            None => return Front::Complete(done, rest),
        }
    }
}

/// The length in bytes of the atom at the front; `None` if the atom is not complete.
fn atom_length(text: &str, ended: bool) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '|'));
    if let Some(quote) = quote {
        // A doubled quote within a string is read as two strings, which is harmless here.
        return text[1..].find(quote).map(|end| end + 2);
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|');
    match text.find(is_end) {
        Some(end) => Some(end),
        None => ended.then_some(text.len()),
    }
}
