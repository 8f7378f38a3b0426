//! A fused sum as a picture: terms shifted to the largest exponent, the bits cut from them, their
//! sum, and its normalisation and rounding.

use super::bits::{Run, run};
use super::fields::fields;
use crate::explain::{DivergenceStage, ExplainedRounding, ExplainedSum, ExplainedTerm, binary};
use maud::{Markup, html};
use mmasmt_numbers::float::Dyadic;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::ops::Range;

/// The most columns of bits that are drawn below the last kept place. If a term lost lower bits,
/// its lost part is also given as a number.
const MOST_CUT: i64 = 64;

/// The most columns that are always drawn. If there are more columns, those in which no term has a
/// bit are left out at both ends.
const MOST_KEPT: i64 = 128;

/// The stage of the first difference, which the picture marks; `None` if there is no difference.
pub(super) type Mark = Option<DivergenceStage>;

/// The CSS class that marks the first difference, if the difference is `here`.
pub(super) fn marked(here: bool) -> Option<&'static str> {
    here.then_some("differs")
}

/// `class`, followed by the class that marks the first difference if the difference is `here`.
fn with_mark(class: &str, here: bool) -> String {
    match marked(here) {
        Some(mark) => format!("{class} {mark}"),
        None => class.into(),
    }
}

/// The most letters of a column of values; longer values take several lines.
const MOST_LETTERS: usize = 26;

/// The columns of a picture: exponents of bits, the highest first.
struct Columns {
    high: i64,
    /// The exponent of the last column before the point.
    top: i64,
    unit: i64,
    low: i64,
}

/// The picture of the sum.
pub(super) fn sum(view: &ExplainedSum, mark: Mark) -> Markup {
    let is_zero = |term: &ExplainedTerm| term.value.mantissa().is_zero();
    let zeros = view.terms.iter().filter(|term| is_zero(term)).count();
    let shown = view.terms.iter().enumerate();
    let shown: Vec<_> = shown.filter(|(_, term)| !is_zero(term)).collect();
    let lowest = shown
        .iter()
        .filter(|(_, term)| term.lost.mantissa().is_positive());
    let lowest = lowest.map(|(_, term)| term.lost.exponent()).min();
    let mut columns = Columns {
        high: view.max_exponent + i64::from(view.integer_bits) - 1,
        top: view.max_exponent,
        unit: view.unit,
        low: lowest.map_or(view.unit, |low| low.max(view.unit - MOST_CUT)),
    };
    if columns.high - columns.unit > MOST_KEPT && columns.low == columns.unit {
        // Columns at both ends in which no term has a bit are left out.
        let aligned = shown.iter().map(|(_, term)| &term.aligned);
        let aligned = aligned
            .chain([&view.sum_on_grid])
            .filter(|on_grid| !on_grid.is_zero());
        let aligned: Vec<_> = aligned
            .map(|on_grid| Dyadic::new(on_grid.clone(), view.unit))
            .collect();
        let highest = aligned.iter().filter_map(Dyadic::leading_exponent).max();
        let lowest = aligned.iter().map(Dyadic::exponent).min();
        columns.high = highest.unwrap_or(columns.top).max(columns.top);
        columns.unit = lowest.unwrap_or(columns.top).min(columns.top);
        columns.low = columns.unit;
    }
    html! {
        p class=[marked(matches!(mark, Some(DivergenceStage::Terms | DivergenceStage::LargestExponent)))] {
            (view.terms.len()) " terms, " (zeros) " of them zero. The largest exponent is "
            strong { (view.max_exponent) } "; each term is shifted by its distance, and "
            strong { (view.fraction_bits) } " bits are kept behind the point, down to 2" sup { (view.unit) } "."
        }
        div.picture {
            table data-high=(columns.high) style=(widths(view, &shown, &columns)) {
                caption { "Alignment: columns from 2" sup { (columns.high) } " to 2" sup { (columns.low) } }
                thead {
                    tr { th scope="col" { "term" } th scope="col" { "value" } th scope="col" { "exponent" } th scope="col" { "shift" } th scope="col" { "bits kept" @if columns.low < columns.unit { ", " span.cut { "cut" } } } }
                }
                tbody {
                    @for (k, term) in shown {
                        (term_row(term, view.unit, &columns, matches!(mark, Some(DivergenceStage::Term(at) | DivergenceStage::Aligned(at)) if at == k)))
                    }
                    tr tabindex="0" class=(with_mark("sum", mark == Some(DivergenceStage::Sum))) {
                        th scope="row" { "sum" }
                        td.number { (view.sum) }
                        td.number { (view.max_exponent) }
                        td {}
                        td.bits { (kept((&view.sum_on_grid, view.unit), &view.sum, &columns)) }
                    }
                }
            }
        }
        @if let Some(sticky) = view.sticky_text() { p { (sticky) "." } }
        @if let Some((format, register)) = &view.result {
            div tabindex="0" class=(with_mark("rounding", mark == Some(DivergenceStage::Result))) {
                @if let Some(rounding) = view.rounding() { (normalised(&rounding)) }
                p { "Result: " (fields(format, *register)) }
            }
        }
    }
}

/// The widths of the columns in letters, as properties of the style: where a row does not fit, its bits take the next line,
/// in all rows of the picture alike.
fn widths(view: &ExplainedSum, shown: &[(usize, &ExplainedTerm)], columns: &Columns) -> String {
    let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let name = longest(&mut shown.iter().map(|(_, term)| term.name.chars().count()));
    let values = shown.iter().map(|(_, term)| &term.value);
    let value = longest(
        &mut values
            .chain([&view.sum])
            .map(|value| value.to_string().len()),
    );
    // A sign, a point, and a space before what is cut.
    let bits = columns.high - columns.low + 5;
    format!(
        "--name: {}; --value: {}; --bits: {bits}",
        name.clamp(4, MOST_LETTERS),
        value.clamp(5, MOST_LETTERS)
    )
}

fn term_row(term: &ExplainedTerm, unit: i64, columns: &Columns, differs: bool) -> Markup {
    html! {
        tr tabindex="0" class=[marked(differs)] {
            th scope="row" { (term.name) }
            td.number { (term.value) }
            td.number { (term.exponent) }
            td.number { (term.shift) }
            td.bits { (kept((&term.aligned, unit), &term.value, columns)) " " (cut(term, unit, columns)) }
        }
    }
}

/// The markup of the number `on_grid * 2^unit`, as sign and magnitude; the bits of `value` are
/// distinguished from the zeros around them.
fn kept((on_grid, unit): (&BigInt, i64), value: &Dyadic, columns: &Columns) -> Markup {
    let magnitude = Dyadic::new(on_grid.abs(), unit);
    let bits = binary(&magnitude, columns.high, columns.unit);
    let place = |exponent: i64| (columns.high - exponent).clamp(0, bits.len() as i64) as usize;
    let leading = magnitude.leading_exponent().map_or(bits.len(), place);
    let last = place(value.exponent() - 1).max(leading);
    let point = place(columns.top - 1);
    let parts = [
        ("zeros", 0..leading),
        ("fraction", leading..last),
        ("zeros", last..bits.len()),
    ];
    let part = |class, range: Range<usize>| {
        run(&Run {
            class,
            title: String::new(),
            digits: &bits[range],
        })
    };
    html! {
        span.sign { @if on_grid.is_negative() { "\u{2212}" } @else { "+" } }
        @for (class, range) in parts {
            @if (range.start + 1..=range.end).contains(&point) {
                (part(class, range.start..point)) "."
                (part(class, point..range.end))
            } @else {
                (part(class, range))
            }
        }
    }
}

/// The markup of the bits of a term that alignment cut below the last place.
fn cut(term: &ExplainedTerm, unit: i64, columns: &Columns) -> Markup {
    let lost = &term.lost;
    if lost.mantissa().is_zero() {
        return html! {};
    }
    if lost.mantissa().is_negative() {
        return html! { "rounded down by " (lost.negated()) };
    }
    if term.is_cut_above(unit) {
        return html! { "cut by " (lost) };
    }
    let digits = binary(lost, columns.unit - 1, lost.exponent().max(columns.low));
    let title = format!("cut: {lost}");
    html! {
        (run(&Run { class: "cut", title, digits: &digits }))
        @if lost.exponent() < columns.low { " \u{2026} " (lost) }
    }
}

/// The markup of a normalised sum: the bits for which the result has room, and the bits below them.
fn normalised(rounding: &ExplainedRounding) -> Markup {
    let (head, tail) = rounding.kept.split_at(1);
    html! {
        p {
            "Normalised to 2" sup { (rounding.exponent) }
            @if rounding.subnormal { ", the least exponent of the format (subnormal)" }
            ": "
            code.register {
                (run(&Run { class: "fraction", title: "kept".into(), digits: head }))
                @if !tail.is_empty() { "." }
                (run(&Run { class: "fraction", title: "kept".into(), digits: tail }))
                (run(&Run { class: "cut", title: "cut by rounding".into(), digits: &rounding.cut }))
            }
            " \u{2014} " strong { (rounding.direction.describe()) } "."
        }
    }
}
