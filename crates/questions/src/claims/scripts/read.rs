//! Reads a text in SMT-LIB as expressions with their places.

use super::error::{Place, ScriptError};

/// An expression and the place where it begins.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub at: Place,
    pub content: Content,
}

/// A word, or a list in parentheses.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Word(String),
    List(Vec<Expression>),
}

/// The most lists inside of each other; evaluation recurses into each of them.
const DEEPEST: usize = 1000;

impl Expression {
    /// The word, if the expression is one.
    pub fn word(&self) -> Option<&str> {
        match &self.content {
            Content::Word(word) => Some(word),
            Content::List(_) => None,
        }
    }

    /// The members, if the expression is a list.
    pub fn list(&self) -> Option<&[Expression]> {
        match &self.content {
            Content::Word(_) => None,
            Content::List(list) => Some(list),
        }
    }

    /// The members, if the expression is a list of words.
    pub fn words(&self) -> Option<Vec<&str>> {
        self.list()?.iter().map(Expression::word).collect()
    }

    /// The error that something else was expected here.
    pub fn expected(&self, expected: impl Into<String>) -> ScriptError {
        ScriptError {
            at: self.at,
            expected: expected.into(),
            found: self.shown(),
        }
    }

    /// The beginning of the expression as text.
    pub fn shown(&self) -> String {
        match &self.content {
            Content::Word(word) => word.clone(),
            Content::List(list) => match list.first().map(|first| &first.content) {
                None => "()".into(),
                Some(Content::Word(word)) => format!("({word} ...)"),
                Some(Content::List(_)) => "((...) ...)".into(),
            },
        }
    }
}

/// All expressions of a text; comments begin with `;`.
///
/// # Errors
/// If parentheses or quotes have no partner, or lists are too deep.
pub(super) fn read(text: &str) -> Result<Vec<Expression>, ScriptError> {
    let mut open: Vec<(Place, Vec<Expression>)> = Vec::new();
    let mut all = Vec::new();
    let mut letters = text.chars().peekable();
    let mut at = Place { line: 1, column: 1 };
    let error = |at, expected: &str, found: &str| ScriptError {
        at,
        expected: expected.into(),
        found: found.into(),
    };
    while let Some(letter) = letters.next() {
        let start = at;
        step(&mut at, letter);
        let content = match letter {
            _ if letter.is_whitespace() => continue,
            ';' => {
                while letters.peek().is_some_and(|next| *next != '\n') {
                    letters.next();
                }
                continue;
            }
            '(' if open.len() == DEEPEST => {
                return Err(error(start, "at most 1000 lists inside of each other", "("));
            }
            '(' => {
                open.push((start, Vec::new()));
                continue;
            }
            ')' => {
                let Some((at, list)) = open.pop() else {
                    return Err(error(start, "a command", ")"));
                };
                let content = Content::List(list);
                place(Expression { at, content }, &mut open, &mut all);
                continue;
            }
            '|' | '"' => {
                let mut word = String::new();
                loop {
                    let Some(next) = letters.next() else {
                        let expected = format!("a closing `{letter}`");
                        return Err(error(at, &expected, "the end"));
                    };
                    step(&mut at, next);
                    if next == letter {
                        break;
                    }
                    word.push(next);
                }
                Content::Word(word)
            }
            _ => {
                let mut word = String::from(letter);
                let ends = |next: &char| {
                    next.is_whitespace() || matches!(next, '(' | ')' | ';' | '|' | '"')
                };
                while let Some(next) = letters.next_if(|next| !ends(next)) {
                    step(&mut at, next);
                    word.push(next);
                }
                Content::Word(word)
            }
        };
        place(Expression { at: start, content }, &mut open, &mut all);
    }
    match open.last() {
        Some((start, _)) => Err(error(*start, "a list that ends", "(")),
        None => Ok(all),
    }
}

/// Puts an expression into the innermost open list, or among all.
fn place(one: Expression, open: &mut [(Place, Vec<Expression>)], all: &mut Vec<Expression>) {
    match open.last_mut() {
        Some((_, list)) => list.push(one),
        None => all.push(one),
    }
}

fn step(at: &mut Place, letter: char) {
    if letter == '\n' {
        at.line += 1;
        at.column = 1;
    } else {
        at.column += 1;
    }
}
