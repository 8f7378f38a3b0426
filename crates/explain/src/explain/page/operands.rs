//! The operands of a dot-add, each as bit fields; products of +0 and +0 are not shown, only
//! counted, and of a run of equal products the first is shown.

use super::fields::{fields, significand};
use maud::{Markup, html};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::Format;

/// The markup of all operands, with their formats.
pub(super) fn operands(signature: &Signature, inputs: &Inputs) -> Markup {
    let products = inputs.a.iter().zip(&inputs.b).enumerate();
    let shown: Vec<_> = products
        .filter(|(_, (a, b))| (**a, **b) != (0, 0))
        .collect();
    let left_out = inputs.b.len() - shown.len();
    let runs = shown.chunk_by(|(k, one), (next, other)| k + 1 == *next && one == other);
    html! {
        section.operands {
            h2 { "Operands" }
            p { (signature) }
            div.scroll { table {
                tbody {
                    @if signature.is_conversion() {
                        @for (k, a) in inputs.a.iter().enumerate() {
                            (row(&format!("a[{k}]"), &signature.a, *a))
                        }
                    }
                    @for run in runs {
                        @let (k, (a, b)) = run[0];
                        (row(&format!("a[{k}]"), &signature.a, *a))
                        (row(&format!("b[{k}]"), &signature.b, *b))
                        @if let Some(same) = same(run) { tr.same { td colspan="3" { (same) } } }
                    }
                    @if signature.has_c() {
                        (row("c", &signature.c, inputs.c))
                    }
                    @for further in signature.further_rows() {
                        @for (index, register) in inputs.row(further.operand).iter().enumerate() {
                            (row(&format!("{}[{index}]", further.operand.name()), &further.format, *register))
                        }
                    }
                }
            } }
            @if left_out > 0 {
                p { "The other " (left_out) @if left_out == 1 { " product is" } @else { " products are" } " +0 \u{d7} +0." }
            }
            p.line { "As a line: " code { (inputs.to_line(signature)) } }
        }
    }
}

/// The products after the first of a run of equal ones.
fn same(run: &[(usize, (&u64, &u64))]) -> Option<String> {
    match run {
        [_, (one, _)] => Some(format!("product {one} the same")),
        [_, (first, _), .., (last, _)] => Some(format!("products {first} to {last} the same")),
        _ => None,
    }
}

fn row(name: &str, format: &Format, register: u64) -> Markup {
    html! {
        tr tabindex="0" {
            th scope="row" { (name) }
            td.bits { (fields(format, register)) }
            td.significand { @if let Some(text) = significand(format, register) { (text) } }
        }
    }
}
