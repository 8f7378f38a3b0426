//! Whether fewer inputs could tell models apart, and what proves it, as text and as JSON.

use super::families::class_text;
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{Fewest, Reason, Separation};
use serde_json::{Map, Value, json};
use std::io::Write;

/// What is known of smaller sets, in a few words.
pub(super) fn fewest_text(separation: &Separation) -> String {
    let (needed, found) = (separation.at_least.inputs, separation.inputs.len());
    let open = format!("at least {needed} needed: proved; not known whether fewer than {found} do");
    match separation.fewest {
        Fewest::Proved => "no fewer do: proved".into(),
        Fewest::OfPool(pool) => format!("{open}, none of a pool of {pool}"),
        Fewest::Open => open,
    }
}

/// What proves that so many inputs are needed, where it takes more than counting.
pub(super) fn write_reason(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
) -> Result<(), Error> {
    let name = |class: usize| class_text(models, &separation.classes[class]);
    match &separation.at_least.reason {
        Reason::Results(_) => {}
        Reason::Pairs(pairs) => {
            writeln!(out, "\nproved: no input tells two of these pairs apart")?;
            for pair in pairs {
                let [left, right] = pair.map(name);
                writeln!(out, "  {left} and {right}")?;
            }
        }
        Reason::Classes(classes) => {
            writeln!(out, "\nproved: no one input tells all of these apart")?;
            for class in classes {
                writeln!(out, "  {}", name(*class))?;
            }
        }
    }
    Ok(())
}

/// The same as JSON: `fewest`, `pool`, `at_least`, and `because` with what proves that.
pub(super) fn fewest_json(separation: &Separation) -> Map<String, Value> {
    let (fewest, pool) = match separation.fewest {
        Fewest::Proved => ("proved", None),
        Fewest::OfPool(pool) => ("of the pool", Some(pool)),
        Fewest::Open => ("open", None),
    };
    let because = match &separation.at_least.reason {
        Reason::Results(bits) => json!({ "result_bits": bits }),
        Reason::Pairs(pairs) => json!({ "no_input_tells_two_of": pairs }),
        Reason::Classes(classes) => json!({ "no_one_input_tells_all_of": classes }),
    };
    let fields = [
        ("fewest", json!(fewest)),
        ("pool", json!(pool)),
        ("at_least", json!(separation.at_least.inputs)),
        ("because", because),
    ];
    fields
        .map(|(name, value)| (name.into(), value))
        .into_iter()
        .collect()
}
