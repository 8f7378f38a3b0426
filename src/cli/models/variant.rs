//! The rows that differ from one of their variants, key by key, with what silicon answered.

use super::arguments::VariantArgs;
use super::summary::everything;
use crate::cli::error::Error;
use crate::cli::json::{VectorObject, write_json};
use crate::cli::output::{value_text, write_inputs};
use mmasmt_core::machines::model::find_architecture;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::agreement::{
    KeyDifference, KeyEvidence, VariantDifferences, variant_differences,
};
use mmasmt_questions::claims::query::Options;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The most rows of a difference that are named.
const NAMED: usize = 3;

pub(super) fn show_variant(
    args: &VariantArgs,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let machines = match &args.machine {
        Some(name) => vec![find_architecture(name)?],
        None => everything()?,
    };
    let rows = machines.iter().flat_map(|machine| &machine.rows);
    let mut known: Vec<&str> = rows
        .clone()
        .flat_map(|row| row.variants.keys().map(String::as_str))
        .collect();
    known.sort_unstable();
    known.dedup();
    if !known.contains(&&args.variant[..]) {
        let found = excerpt(&args.variant);
        let expected = match known.is_empty() {
            true => "no variant, these rows have none".into(),
            false => format!("one of {}", known.join(", ")),
        };
        return Err(Error::Usage(format!(
            "variant: expected {expected}, found `{found}`"
        )));
    }
    let limits = args.time.limits()?;
    let found = variant_differences(rows, &args.variant, &Options::default(), &limits)?;
    if json {
        return write_json(out, &VariantAnswer::new(&found, &args.variant));
    }
    writeln!(
        out,
        "{} rows have @{}, {} of them differ from it",
        found.rows, args.variant, found.differing
    )?;
    for difference in &found.keys {
        write_difference(out, difference, &args.variant)?;
    }
    Ok(())
}

fn write_difference(
    out: &mut dyn Write,
    difference: &KeyDifference,
    variant: &str,
) -> Result<(), Error> {
    let KeyDifference {
        key,
        values: [own, other],
        rows,
        found,
    } = difference;
    let plural = if rows.len() == 1 { "" } else { "s" };
    writeln!(
        out,
        "\n{key}: {own}, not {other} (@{variant}), in {} row{plural}",
        rows.len()
    )?;
    let named: Vec<String> = rows.iter().take(NAMED).map(|row| row.full_name()).collect();
    let more = match rows.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    writeln!(out, "  {}{more}", named.join(", "))?;
    let shown = match found {
        KeyEvidence::Inputs(shown) => shown,
        KeyEvidence::AnyNan => {
            writeln!(out, "  @{variant} does not say which NaN a result is")?;
            return Ok(());
        }
        KeyEvidence::Equal => {
            writeln!(out, "  proved equal on finite operands")?;
            return Ok(());
        }
        KeyEvidence::Unknown => {
            writeln!(out, "  no operands that show it were found in time")?;
            return Ok(());
        }
    };
    let signature = shown.changed.signature();
    writeln!(out, "  {}", shown.row.full_name())?;
    write_inputs(out, &(&shown.changed).into(), &shown.vector.inputs)?;
    let by = match &shown.card {
        Some(card) => format!("recorded: {card}"),
        None => "no recording shows it".into(),
    };
    writeln!(
        out,
        "  d     {}  {by}",
        value_text(&signature.d, shown.vector.d)
    )?;
    writeln!(
        out,
        "  d     {}  with {key} of @{variant}",
        value_text(&signature.d, shown.variant)
    )?;
    Ok(())
}

/// `mmasmt models variant`: key by key, where rows differ from one of their variants
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct VariantAnswer<'x> {
    variant: &'x str,
    /// The number of rows that have the variant.
    rows: usize,
    /// The number of those that differ from it in a key.
    differing: usize,
    keys: Vec<VariantKey<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct VariantKey<'x> {
    key: &'x str,
    /// The value in the rows.
    row: &'x str,
    /// The value in the variant.
    variant: &'x str,
    rows: Vec<String>,
    found: VariantEvidence<'x>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum VariantEvidence<'x> {
    Shown(ShownVariant<'x>),
    Word(#[schemars(extend("enum" = ["any nan", "equal", "unknown"]))] &'static str),
}

/// Operands on which the results differ; d has that of the row, and that with the value of the
/// variant.
#[derive(Serialize, JsonSchema)]
struct ShownVariant<'x> {
    row: String,
    /// The card that was recorded to give the result of the row.
    recorded: Option<&'x str>,
    vector: VectorObject,
}

impl<'x> VariantAnswer<'x> {
    fn new(found: &'x VariantDifferences, variant: &'x str) -> Self {
        let keys = found.keys.iter().map(|difference| VariantKey {
            key: &difference.key,
            row: &difference.values[0],
            variant: &difference.values[1],
            rows: difference.rows.iter().map(|row| row.full_name()).collect(),
            found: match &difference.found {
                KeyEvidence::Inputs(shown) => VariantEvidence::Shown(ShownVariant {
                    row: shown.row.full_name(),
                    recorded: shown.card.as_deref(),
                    vector: VectorObject::new(
                        &shown.changed.signature(),
                        &shown.vector.inputs,
                        &[shown.vector.d, shown.variant],
                    ),
                }),
                KeyEvidence::AnyNan => VariantEvidence::Word("any nan"),
                KeyEvidence::Equal => VariantEvidence::Word("equal"),
                KeyEvidence::Unknown => VariantEvidence::Word("unknown"),
            },
        });
        VariantAnswer {
            variant,
            rows: found.rows,
            differing: found.differing,
            keys: keys.collect(),
        }
    }
}
