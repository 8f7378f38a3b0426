//! Reads a text in SMT-LIB as expressions with their places.

use super::error::{ScriptError, ScriptPlace};

/// An expression and the place where it begins.
#[derive(Clone, Debug)]
pub(super) struct ScriptExpression {
    pub at: ScriptPlace,
    pub content: ScriptContent,
}

/// A word, or a list in parentheses.
#[derive(Clone, Debug)]
pub(super) enum ScriptContent {
    Word(String),
    List(Vec<ScriptExpression>),
}

/// The most lists inside of each other; evaluation recurses into each of them.
const DEEPEST: usize = 1000;

impl ScriptExpression {
    /// The word, if the expression is one.
    pub fn word(&self) -> Option<&str> {
        match &self.content {
            ScriptContent::Word(word) => Some(word),
            ScriptContent::List(_) => None,
        }
    }

    /// The members, if the expression is a list.
    pub fn list(&self) -> Option<&[ScriptExpression]> {
        match &self.content {
            ScriptContent::Word(_) => None,
            ScriptContent::List(list) => Some(list),
        }
    }

    /// The members, if the expression is a list of words.
    pub fn words(&self) -> Option<Vec<&str>> {
        self.list()?.iter().map(ScriptExpression::word).collect()
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
            ScriptContent::Word(word) => word.clone(),
            ScriptContent::List(list) => match list.first().map(|first| &first.content) {
                None => "()".into(),
                Some(ScriptContent::Word(word)) => format!("({word} ...)"),
                Some(ScriptContent::List(_)) => "((...) ...)".into(),
            },
        }
    }
}

/// All expressions of a text; comments begin with `;`.
///
/// # Errors
/// If parentheses or quotes have no partner, or lists are too deep.
pub(super) fn read(text: &str) -> Result<Vec<ScriptExpression>, ScriptError> {
    let mut open: Vec<(ScriptPlace, Vec<ScriptExpression>)> = Vec::new();
    let mut all = Vec::new();
    let mut letters = text.chars().peekable();
    let mut at = ScriptPlace { line: 1, column: 1 };
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
                let content = ScriptContent::List(list);
                place(ScriptExpression { at, content }, &mut open, &mut all);
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
                ScriptContent::Word(word)
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
                ScriptContent::Word(word)
            }
        };
        place(ScriptExpression { at: start, content }, &mut open, &mut all);
    }
    match open.last() {
        Some((start, _)) => Err(error(*start, "a list that ends", "(")),
        None => Ok(all),
    }
}

/// Puts an expression into the innermost open list, or among all.
fn place(
    one: ScriptExpression,
    open: &mut [(ScriptPlace, Vec<ScriptExpression>)],
    all: &mut Vec<ScriptExpression>,
) {
    match open.last_mut() {
        Some((_, list)) => list.push(one),
        None => all.push(one),
    }
}

fn step(at: &mut ScriptPlace, letter: char) {
    if letter == '\n' {
        at.line += 1;
        at.column = 1;
    } else {
        at.column += 1;
    }
}
