//! Parses text that arrives in pieces into expressions, which are terms of `easy-smt`.

use easy_smt::{Context, SExpr};

/// The item at the front of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Front<'x> {
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
pub(super) fn front<'x>(terms: &Context, text: &'x str, ended: bool) -> Front<'x> {
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

#[cfg(test)]
#[path = "../../../../../../tests/common/mutate.rs"]
mod mutate;

#[cfg(test)]
mod tests {
    use super::mutate::Mutator;
    use super::*;
    use easy_smt::ContextBuilder;

    fn no_terms() -> Context {
        ContextBuilder::new().build().unwrap()
    }

    /// Every expression read from mutated text is the same after it is printed and read again.
    fn nearly_valid(cases: u64) {
        const TEXTS: [&str; 3] = [
            "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n",
            "unsat\n",
            "success (error \"line 1: (x)\") unknown",
        ];
        for batch in 0..cases.div_ceil(500) {
            let mut mutator = Mutator::new(batch);
            let terms = no_terms();
            for _ in 0..500 {
                let text = mutator.text(&TEXTS);
                let mut rest = &*text;
                while let Front::Complete(found, after) = front(&terms, rest, true) {
                    assert!(after.len() < rest.len());
                    let shown = terms.display(found).to_string();
                    let again = front(&terms, &shown, true);
                    assert_eq!(again, Front::Complete(found, ""), "{text}");
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

    #[test]
    fn expressions_are_read_one_by_one() {
        let terms = no_terms();
        let text = "sat ; yes\n((a #x3c) (|b c| (_ bv5 16)))\n";
        let Front::Complete(first, rest) = front(&terms, text, false) else {
            unreachable!("an atom")
        };
        assert_eq!(first, terms.atoms().sat);
        let list = |words: &[&str]| words.iter().map(|word| terms.atom(*word)).collect();
        let five = terms.list(list(&["_", "bv5", "16"]));
        let model = terms.list(vec![
            terms.list(list(&["a", "#x3c"])),
            terms.list(vec![terms.atom("|b c|"), five]),
        ]);
        assert_eq!(front(&terms, rest, false), Front::Complete(model, "\n"));
    }

    #[test]
    fn what_is_not_complete_is_not_read() {
        let terms = no_terms();
        let front = |text, ended| front(&terms, text, ended);
        for text in ["", "  ", "sat", "((a #x3c)", "\"open", "; comment"] {
            assert_eq!(front(text, false), Front::Incomplete, "{text}");
        }
        let sat = terms.atoms().sat;
        assert_eq!(front("sat", true), Front::Complete(sat, ""));
        assert_eq!(front(") sat", true), Front::Unbalanced);
        let [deep, too_deep] = [1000, 100_000].map(|depth| "(".repeat(depth));
        assert_eq!(front(&deep, true), Front::Incomplete);
        assert_eq!(front(&too_deep, true), Front::TooDeep);
    }
}
