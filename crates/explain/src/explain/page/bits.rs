//! A row of bits with one HTML element for each bit, so that the page can highlight a column of
//! bits.

use maud::{Markup, html};

/// Consecutive bits of one kind.
pub(super) struct Run<'x> {
    /// The CSS class of the kind.
    pub class: &'static str,
    /// The text of the tooltip; empty for none.
    pub title: String,
    /// The bits, as digits 0 and 1.
    pub digits: &'x str,
}

/// The markup of a run; it is empty if the run has no digits.
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
