//! The page of all pairs of units: a search field, and for each pair the domains on which the two
//! units agree.

use crate::agreement::{DomainRecord, LengthRecord, Record};
use maud::{Markup, html};
use mmasmt_explain::explain::page::document::document_with;

const SCRIPT: &str = include_str!("atlas.js");

/// The page of the results for all pairs. Without scripts all pairs are visible, and the browser's
/// own search finds them.
pub fn atlas_page(records: &[Record]) -> String {
    let body = html! {
        h1 { "When do two machines agree, bit for bit?" }
        p {
            "Every two units of the same formats, at common numbers of products: chains of each. "
            "Agree is proved for all operands of the domain, differ is shown by operands; the rest was neither proved nor refuted."
        }
        p hidden {
            label for="search" { "Machines or instructions: " }
            input id="search" type="search" autocomplete="off";
            " " output id="count" for="search" {}
        }
        @for record in records { (pair(record)) }
    };
    document_with("When do two machines agree?", &body, SCRIPT)
}

fn pair(record: &Record) -> Markup {
    let [left, right] = &record.names;
    let names = [left.join(" "), right.join(" ")].join(" ");
    html! {
        details.pair data-names=(names) open[record.lengths.is_empty()] {
            summary {
                b { (short(left)) } " and " b { (short(right)) }
                @if let Some(agreement) = agreement(record) { ": " (agreement) }
            }
            @for (names, model) in record.names.iter().zip(&record.models) {
                p { (names.join(", ")) ": " code { (model) } }
            }
            @if let Some(length) = record.lengths.first() { (difference(length)) }
            div.scroll { table {
                thead { tr {
                    th { "Products" } th { "Domain" } th { "Verdict" } th { "Proof, or operands" }
                } }
                tbody {
                    @for length in &record.lengths {
                        @for (at, known) in length.domains.iter().enumerate() {
                            tr {
                                @if at == 0 { th rowspan=(length.domains.len()) { (length.products) } }
                                td title=(known.assume) { (known.name) }
                                td.(known.verdict) { (known.verdict) }
                                td { (reason(known)) }
                            }
                        }
                    }
                }
            } }
        }
    }
}

/// The first of `names`, with the number of further names, as in `name (+2)`.
fn short(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first, more @ ..] => format!("{first} (+{})", more.len()),
    }
}

/// A sentence that lists up to three domains, the largest first, on which the two units are proved
/// to agree at the least number of products that was compared.
fn agreement(record: &Record) -> Option<String> {
    let length = record.lengths.first()?;
    let proved = length.domains.iter();
    let proved = proved.filter(|known| known.verdict == "agree" && known.rests_on().is_none());
    let names: Vec<_> = proved.take(3).map(|known| known.name.as_str()).collect();
    let products = length.products;
    Some(match names[..] {
        [] => format!("no agreement proved at {products} products"),
        _ => format!("agree at {products} products on {}", names.join("; ")),
    })
}

/// A paragraph with the simplest inputs found on which the two units differ.
fn difference(length: &LengthRecord) -> Markup {
    let known = length.domains.first().filter(|known| known.line.is_some());
    html! {
        @if let Some(DomainRecord { line: Some(line), d, .. }) = known {
            p {
                "They differ on " code { (line) } " (c, a, b; the other products are +0): "
                code { (d.join(" and ")) }
            }
        }
    }
}

/// The most characters of operands that a table cell shows. Longer operands are left out of the
/// page; they stand in the JSON Lines from which the page is made.
const LONGEST: usize = 80;

fn reason(known: &DomainRecord) -> Markup {
    if let Some(larger) = known.rests_on() {
        return html! { (larger) };
    }
    match (&known.proved, &known.line, &known.reason) {
        (Some(proved), _, _) => html! { "by " (proved["by"].as_str().unwrap_or_default()) },
        (_, Some(line), _) if line.len() <= LONGEST => html! { code { (line) } },
        (_, _, Some(reason)) => html! { (reason) },
        _ => html! {},
    }
}
