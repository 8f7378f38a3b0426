//! A row of bits: an element for each, so that a column of them can be pointed at.

use maud::{Markup, html};

/// Bits of one kind, one behind the other.
pub(super) struct Run<'x> {
    /// The class that says which kind.
    pub class: &'static str,
    /// What it is, shown by a tooltip; nothing for what needs no words.
    pub title: String,
    /// The digits 0 and 1.
    pub digits: &'x str,
}

/// The run; nothing if it is empty.
pub(super) fn run(run: &Run<'_>) -> Markup {
    let title = Some(run.title.as_str()).filter(|title| !title.is_empty());
    html! {
        @if !run.digits.is_empty() {
            span class=(run.class) title=[title] {
                @for digit in run.digits.chars() { i { (digit) } }
            }
        }
    }
}
