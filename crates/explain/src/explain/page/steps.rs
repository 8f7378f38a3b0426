//! The steps of an evaluation, one section for each step.

use super::fields::{fields, value};
use super::sum::{marked, sum};
use crate::explain::{Divergence, DivergenceStage, Explained, Explanation};
use maud::{Markup, html};
use mmasmt_core::machines::model::Model;

/// The markup of every step and of the result. `divergence` is the first difference from another
/// model; the markup highlights it.
pub(super) fn steps(
    model: &Model,
    explained: &Explanation,
    divergence: Option<&Divergence>,
) -> Markup {
    let d = model.signature().d;
    let count = explained.steps.len();
    // Two evaluations of different steps have no place that one could mark.
    let compared = divergence.filter(|found| found.at != DivergenceStage::Steps);
    let parts = |step: usize| compared.filter(|found| found.step == step);
    html! {
        @for (number, step) in explained.steps.iter().enumerate() {
            section.step {
                @if count > 1 { h3 { "Step " (number + 1) " of " (count) @if let Some(what) = name(step) { ": " (what) } } }
                @else if let Some(what) = name(step) { h3 { (what) } }
                @match step {
                    Explained::Sum(view) => (sum(view, parts(number).map(|found| found.at))),
                    Explained::Rounded { format, register, .. } => {
                        p tabindex="0" class=[marked(parts(number).is_some())] { (fields(format, *register)) }
                    }
                }
            }
        }
        p.result { "d = " strong { (value(&d, explained.d)) } " " code { "0x" (format!("{:0digits$x}", explained.d, digits = d.digits())) } }
    }
}

/// The name of a step; `None` if a dot-add has only this one sum.
fn name(step: &Explained) -> Option<&str> {
    let name = match step {
        Explained::Sum(view) => &view.what,
        Explained::Rounded { what, .. } => what,
    };
    Some(name.as_str()).filter(|name| !name.is_empty())
}
