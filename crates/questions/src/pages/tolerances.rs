//! The page of tolerances: what is proved, a picture, which kernels each tolerance has outside, and lines for a test.

use maud::{Markup, PreEscaped, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::document::document;
use mmasmt_explain::explain::page::taken_apart::taken_apart;

/// The most products of operands that the page takes apart.
const MOST_PRODUCTS: u32 = 256;

/// A sentence, and the lines below it.
#[derive(Clone, Debug)]
pub struct Passage {
    /// The sentence.
    pub head: String,
    /// The lines.
    pub lines: Vec<String>,
}

/// A tolerance as a column of the table.
#[derive(Clone, Debug)]
pub struct ToleranceColumn {
    /// Its title.
    pub title: &'static str,
    /// The limit with which an error is compared.
    pub meaning: &'static str,
}

impl ToleranceColumn {
    /// The column with this title.
    pub fn of(title: &'static str) -> ToleranceColumn {
        let meaning = match title {
            "proved" => "the bound that is proved for each element",
            "atol" => "the bound that is proved for all operands within the range",
            "yours" => "the tolerance of your test",
            "largest random" => "the largest error of the right kernel on these operands",
            _ => "bits alone",
        };
        ToleranceColumn { title, meaning }
    }
}

/// Which tolerances a test may have, and which wrong kernels they let pass.
#[derive(Clone, Debug)]
pub struct TolerancePage<'x> {
    /// The right kernel.
    pub model: &'x Model,
    /// The proved bounds.
    pub proved: Passage,
    /// The errors on random operands.
    pub random: Passage,
    /// A drawing of the shares as an SVG element. This program made it, so it is not escaped.
    pub picture: String,
    /// The columns of the table.
    pub columns: Vec<ToleranceColumn>,
    /// The number of results of a test.
    pub elements: u64,
    /// Each kernel, with two shares for each column: of results that are outside, and of tests that fail.
    pub rows: Vec<(String, Vec<[String; 2]>)>,
    /// The sentence that explains a share of 0 %.
    pub none: String,
    /// The answer about a test of one's own.
    pub own: Option<Passage>,
    /// Operands for which the right kernel fails that test.
    pub failing: Option<&'x Inputs>,
    /// Lines to paste into a test.
    pub paste: Option<Passage>,
}

/// The tolerances as an HTML page.
///
/// # Errors
/// If operands do not fit the signature of the model.
pub fn tolerance_page(tolerances: &TolerancePage<'_>) -> Result<String, Misfit> {
    let TolerancePage {
        model,
        columns,
        rows,
        ..
    } = tolerances;
    let is_short = model.signature().products <= MOST_PRODUCTS;
    let failing = tolerances.failing.filter(|_| is_short);
    let failing = failing
        .map(|inputs| taken_apart(model, inputs))
        .transpose()?;
    let body = html! {
        h1 { "Tolerances: " (model) }
        p { (model.signature()) }
        section {
            h2 { "Proved" }
            (passage(&tolerances.proved, false))
        }
        section {
            h2 { "Random operands" }
            (passage(&tolerances.random, false))
            figure.drawing { (PreEscaped(&tolerances.picture)) }
        }
        section {
            h2 { "Kernels outside of each tolerance" }
            p { "The share of results, and that of tests of " (tolerances.elements) " results that fail." }
            div.scroll { table.figures {
                thead { tr {
                    th scope="col" { "kernel" }
                    @for column in columns { th scope="col" title=(column.meaning) { (column.title) } }
                } }
                tbody { @for (name, shares) in rows { tr {
                    th scope="row" { (name) }
                    @for [share, tests] in shares { td.number { (share) " (" (tests) ")" } }
                } } }
            } }
            p { (tolerances.none) }
        }
        @if let Some(own) = &tolerances.own {
            section {
                h2 { "Your test" }
                (passage(own, false))
                @if let Some(markup) = failing {
                    details {
                        summary { "Operands for which the right kernel fails it" }
                        (markup)
                    }
                }
            }
        }
        @if let Some(lines) = &tolerances.paste {
            section {
                h2 { "To paste" }
                (passage(lines, true))
            }
        }
    };
    Ok(document(&format!("Tolerances: {model}"), &body))
}

fn passage(passage: &Passage, is_code: bool) -> Markup {
    let Passage { head, lines } = passage;
    html! {
        p { (head) }
        @if is_code {
            pre.scroll { @for line in lines { (line) "\n" } }
        } @else if !lines.is_empty() {
            ul { @for line in lines { li { (line) } } }
        }
    }
}
