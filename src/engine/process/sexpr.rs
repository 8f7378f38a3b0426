//! A reader of s-expressions that come in pieces.

/// An atom as it stands in the text, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sexpr {
    Atom(String),
    List(Vec<Sexpr>),
}

/// What is at the front of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Front<'x> {
    /// An expression, and what follows it.
    Complete(Sexpr, &'x str),
    /// Nothing, or the beginning of an expression.
    Incomplete,
    /// A closing parenthesis too many.
    Unbalanced,
    /// More than [`DEEPEST`] lists within each other.
    TooDeep,
}

/// The most lists within each other: they are dropped, printed and compared by recursion.
pub(super) const DEEPEST: usize = 1000;

/// The expression at the front of `text`. An atom is complete when something follows it, or when
/// nothing more will come (`ended`).
pub(super) fn front(text: &str, ended: bool) -> Front<'_> {
    let mut open: Vec<Vec<Sexpr>> = Vec::new();
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
                    Some(list) => Sexpr::List(list),
                    None => return Front::Unbalanced,
                }
            }
            _ => {
                let Some(length) = atom_length(rest, ended) else {
                    return Front::Incomplete;
                };
                let (atom, after) = rest.split_at(length);
                rest = after;
                Sexpr::Atom(atom.to_owned())
            }
        };
        match open.last_mut() {
            Some(list) => list.push(done),
            None => return Front::Complete(done, rest),
        }
    }
}

/// Bytes of the atom at the front, if it is complete.
fn atom_length(text: &str, ended: bool) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '|'));
    if let Some(quote) = quote {
        // A doubled quote within a string is read as two strings; nobody here minds.
        return text[1..].find(quote).map(|end| end + 2);
    }
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|');
    match text.find(is_end) {
        Some(end) => Some(end),
        None => ended.then_some(text.len()),
    }
}

impl Sexpr {
    /// The elements of a list.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(list) => Some(list),
            Sexpr::Atom(_) => None,
        }
    }

    /// The text of an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(atom) => Some(atom),
            Sexpr::List(_) => None,
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/common/mutate.rs"]
mod mutate;

#[cfg(test)]
mod tests {
    use super::mutate::Mutator;
    use super::*;

    /// All of the expression, as answers have it.
    fn print(expression: &Sexpr, text: &mut String) {
        match expression {
            Sexpr::Atom(atom) => *text += atom,
            Sexpr::List(list) => {
                text.push('(');
                for element in list {
                    print(element, text);
                    text.push(' ');
                }
                text.push(')');
            }
        }
    }

    /// What is read and printed is read again.
    fn nearly_valid(cases: u64) {
        const TEXTS: [&str; 3] = [
            "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n",
            "unsat\n",
            "success (error \"line 1: (x)\") unknown",
        ];
        for batch in 0..cases.div_ceil(500) {
            let mut mutator = Mutator::new(batch);
            for _ in 0..500 {
                let text = mutator.text(&TEXTS);
                let mut rest = &*text;
                while let Front::Complete(found, after) = front(rest, true) {
                    assert!(after.len() < rest.len());
                    let mut shown = String::new();
                    print(&found, &mut shown);
                    assert_eq!(front(&shown, true), Front::Complete(found, ""), "{text}");
                    rest = after;
                }
            }
        }
    }

    #[test]
    fn what_is_nearly_an_answer_is_read() {
        nearly_valid(5_000);
    }

    #[test]
    #[ignore = "as many cases as MMASMT_FUZZ_CASES says, or a million"]
    fn what_is_nearly_an_answer_is_read_many_times() {
        let cases = std::env::var("MMASMT_FUZZ_CASES").ok();
        nearly_valid(
            cases
                .and_then(|cases| cases.parse().ok())
                .unwrap_or(1_000_000),
        );
    }

    fn atom(text: &str) -> Sexpr {
        Sexpr::Atom(text.into())
    }

    #[test]
    fn expressions_are_read_one_by_one() {
        let text = "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n";
        let Front::Complete(first, rest) = front(text, false) else {
            unreachable!("an atom")
        };
        assert_eq!(first, atom("sat"));
        let five = Sexpr::List(vec![atom("_"), atom("bv5"), atom("16")]);
        let model = Sexpr::List(vec![
            Sexpr::List(vec![atom("a"), atom("#x3c")]),
            Sexpr::List(vec![atom("|b c|"), five]),
        ]);
        assert_eq!(front(rest, false), Front::Complete(model, "\n"));
    }

    #[test]
    fn what_is_not_complete_is_not_read() {
        for text in ["", "  ", "sat", "((a #x3c)", "\"open", "; comment"] {
            assert_eq!(front(text, false), Front::Incomplete, "{text}");
        }
        assert_eq!(front("sat", true), Front::Complete(atom("sat"), ""));
        assert_eq!(front(") sat", true), Front::Unbalanced);
        assert_eq!(front(&"(".repeat(1000), true), Front::Incomplete);
        assert_eq!(front(&"(".repeat(100_000), true), Front::TooDeep);
    }
}
