//! The interactive page: a form for models and operands, with the answer below it.

use maud::{Markup, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::difference::{Difference, difference};
use mmasmt_explain::explain::page::document::document_with;
use mmasmt_explain::explain::page::explanation::explanation;

const SCRIPT: &str = include_str!("live.js");

/// The content of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveForm {
    /// The first model.
    pub left: String,
    /// The second model; empty if there is only one.
    pub right: String,
    /// Left factors, separated by commas.
    pub a: String,
    /// Right factors, separated by commas.
    pub b: String,
    /// The accumulator.
    pub c: String,
    /// Block scales of a.
    pub sa: String,
    /// Block scales of b.
    pub sb: String,
    /// All operands as a line of a vector file, in place of the fields `a` to `sb`.
    pub line: String,
    /// The assumption about the operands, if two models are compared.
    pub assume: String,
    /// Whether operands may be infinities and NaNs, if two models are compared.
    pub specials: bool,
}

impl LiveForm {
    /// An example: 1 - 2^-25 - 2^-25. A100 keeps 24 fraction bits and cuts both products, H100 keeps
    /// 25 and cuts none.
    pub fn example() -> LiveForm {
        LiveForm {
            left: "A100/HMMA.16816.F32".into(),
            right: "H100/HMMA.16816.F32".into(),
            a: "0x1p-12,0x1p-12".into(),
            b: "-0x1p-13,-0x1p-13".into(),
            c: "1".into(),
            ..LiveForm::default()
        }
    }
}

/// The content below the form.
#[derive(Clone, Debug)]
pub enum LiveAnswer<'x> {
    /// The form has not been sent yet: the comparison of two models, as an example.
    Example(Difference<'x>),
    /// The request is wrong; this is the reason.
    Wrong(String),
    /// The evaluation of a model on inputs.
    Evaluation(&'x Model, &'x Inputs),
    /// The comparison of two models.
    Difference(Difference<'x>),
}

/// The interactive page; its form suggests the names `models`.
///
/// # Errors
/// If inputs do not fit the signature of their model.
pub fn live_page(
    form: &LiveForm,
    models: &[String],
    answer: &LiveAnswer<'_>,
) -> Result<String, Misfit> {
    let answer = match answer {
        LiveAnswer::Example(found) => html! {
            p { "An example: small products beside 1. Choose a machine and type operands: bits (0x3c00), C99 hexadecimal floats (0x1.8p-3), decimals, inf, nan; the missing ones are +0. With a second machine, both are shown side by side, or inputs on which they differ are looked for." }
            (difference(found)?)
        },
        LiveAnswer::Wrong(what) => html! { p.wrong role="alert" { (what) } },
        LiveAnswer::Evaluation(model, inputs) => explanation(model, inputs)?,
        LiveAnswer::Difference(found) => difference(found)?,
    };
    let body = html! {
        (form_markup(form, models))
        (answer)
    };
    Ok(document_with("mmasmt", &body, SCRIPT))
}

fn form_markup(form: &LiveForm, models: &[String]) -> Markup {
    let field = |name: &str, label: &str, value: &str, list: Option<&str>| {
        html! {
            label.field {
                span { (label) }
                input type="text" name=(name) value=(value) list=[list] autocomplete="off" spellcheck="false";
            }
        }
    };
    html! {
        form.live method="get" action="/" {
            div.row {
                (field("left", "machine", &form.left, Some("models")))
                (field("right", "and (none: one alone)", &form.right, Some("models")))
            }
            div.row {
                (field("a", "a", &form.a, None))
                (field("b", "b", &form.b, None))
                (field("c", "c", &form.c, None))
            }
            div.row {
                (field("sa", "block scales of a", &form.sa, None))
                (field("sb", "block scales of b", &form.sb, None))
                (field("line", "or all as a line (a vector file can be dropped here)", &form.line, None))
            }
            div.row {
                button type="submit" name="ask" value="evaluate" { "Evaluate" }
                button type="submit" name="ask" value="difference" { "Find a difference" }
                (field("assume", "assuming, such as a normal, c = 0", &form.assume, None))
                label { input type="checkbox" name="specials" value="1" checked[form.specials]; " infinities and NaNs too" }
            }
            datalist id="models" { @for model in models { option value=(model) {} } }
        }
    }
}
