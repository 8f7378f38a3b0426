//! JSON Lines: an object on each line, as
//! [`JsonLinesWriter`](crate::vectors::write::JsonLinesWriter) writes it.

use crate::vectors::header::FileHeader;
use crate::vectors::line::parse_register;
use crate::vectors::metadata::{CODE, MetadataLayout, select};
use crate::vectors::{Vector, VectorError};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object<'t> {
    #[serde(borrow, default)]
    c: Option<Cow<'t, str>>,
    #[serde(borrow)]
    a: Vec<Cow<'t, str>>,
    #[serde(borrow, default)]
    b: Vec<Cow<'t, str>>,
    #[serde(borrow, default)]
    sa: Vec<Cow<'t, str>>,
    #[serde(borrow, default)]
    sb: Vec<Cow<'t, str>>,
    /// The codes of a sparse instruction, which select elements of `b`. If there are codes, `b` is
    /// the whole dense `b`.
    #[serde(borrow, default)]
    e: Vec<Cow<'t, str>>,
    #[serde(borrow, default)]
    d: Vec<Cow<'t, str>>,
    /// The number of the vector in the output of `gen --shard`; it is not used.
    #[serde(default, rename = "item")]
    _item: IgnoredAny,
    /// The sum of the line of a share; `merge` checks it.
    #[serde(default, rename = "sum")]
    _sum: IgnoredAny,
}

/// Reads a line as the header of the file; `None` if the line is a vector.
pub(super) fn about(text: &str, line: usize) -> Result<Option<FileHeader>, VectorError> {
    let object: serde_json::Map<String, serde_json::Value> = parse(text, line)?;
    match object.contains_key("a") {
        true => Ok(None),
        // The header of a share (`gen --shard`) holds the header of the whole file under `asked`.
        false => match object.get("asked") {
            Some(asked) => parse(&asked.to_string(), line).map(Some),
            None => parse(text, line).map(Some),
        },
    }
}

fn parse<'t, T: Deserialize<'t>>(text: &'t str, line: usize) -> Result<T, VectorError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let found = message.split(" at line ").next().unwrap_or_default();
        VectorError::Malformed {
            line,
            column: error.column(),
            expected: "an object with c, a, b and d as `gen --format jsonl` writes it".into(),
            found: excerpt(found),
        }
    })
}

/// Reads the vector of a line. `column` is the position in `d` of the result to read; if it is
/// `None`, no result is read, and the result of the vector is 0.
pub(super) fn read_object(
    text: &str,
    line: usize,
    layout: &MetadataLayout,
    column: Option<usize>,
) -> Result<Vector, VectorError> {
    let MetadataLayout {
        signature,
        metadata,
        ..
    } = layout;
    let object: Object<'_> = parse(text, line)?;
    let wrong = |expected: String, found: String| VectorError::Malformed {
        line,
        column: 1,
        expected,
        found,
    };
    let register = |what: &str, format: &Format, text: &str| {
        parse_register(text, format).ok_or_else(|| {
            let digits = format.digits();
            let expected = format!("{digits} hexadecimal digits for {what}");
            wrong(expected, format!("`{}`", excerpt(text)))
        })
    };
    let row = |what: &str, format: &Format, texts: &[Cow<'_, str>]| -> Result<Vec<u64>, _> {
        texts
            .iter()
            .map(|text| register(what, format, text))
            .collect()
    };
    let Signature { a, b, c, d, .. } = signature;
    let products = signature.products as usize;
    let metadata = match (metadata, object.e.is_empty()) {
        (None, false) => {
            let expected = "no codes e, as the model is not that of a sparse instruction";
            return Err(wrong(expected.into(), object.e.len().to_string()));
        }
        (metadata, is_empty) => metadata.filter(|_| !is_empty),
    };
    // If there are codes, `select` checks the length of b below.
    let right = match signature.is_conversion() {
        true => 0,
        false => object.a.len(),
    };
    let is_paired = metadata.is_some() || object.b.len() == right;
    if signature.is_conversion() && (object.a.len() > products || !is_paired) {
        let [left, right] = [object.a.len(), object.b.len()];
        let expected = format!("at most {products} values of a and none of b");
        return Err(wrong(expected, format!("{left} and {right}")));
    }
    if object.a.len() > products || !is_paired {
        let [left, right] = [object.a.len(), object.b.len()];
        let expected = format!("at most {products} values of a and as many of b");
        return Err(wrong(expected, format!("{left} and {right}")));
    }
    let mut inputs = Inputs::new(
        row("a", a, &object.a)?,
        row("b", b, &object.b)?,
        match (&object.c, signature.has_c()) {
            (Some(text), true) => register("c", c, text)?,
            (None, false) => 0,
            (Some(_), false) => return Err(wrong("no c".into(), "one".into())),
            (None, true) => return Err(wrong("a c".into(), "none".into())),
        },
    );
    if let Some([expected, found]) = layout.unread(inputs.c) {
        return Err(wrong(expected, found));
    }
    if let Some(metadata) = metadata {
        let codes = row("e", &CODE, &object.e)?;
        inputs.b = select(metadata, inputs.a.len(), &codes, &inputs.b)
            .map_err(|[expected, found]| wrong(expected, found))?;
    }
    let scales = signature.scale_count() as usize;
    let right = match signature.is_conversion() {
        true => 0,
        false => scales,
    };
    for (what, row, scales) in [("sa", &object.sa, scales), ("sb", &object.sb, right)] {
        if row.len() != scales {
            let expected = format!("{scales} values of {what}");
            return Err(wrong(expected, row.len().to_string()));
        }
    }
    if let Some(scales) = signature.scales {
        inputs.a_scales = row("sa", &scales.format, &object.sa)?;
        inputs.b_scales = row("sb", &scales.format, &object.sb)?;
    }
    inputs.a.resize(products, 0);
    if !signature.is_conversion() {
        inputs.b.resize(products, 0);
    }
    let d = match column {
        None => 0,
        Some(column) => {
            let text = object.d.get(column).ok_or_else(|| {
                let expected = format!("a result d[{column}]");
                wrong(expected, format!("{} results", object.d.len()))
            })?;
            register("d", d, text)?
        }
    };
    Ok(Vector { inputs, d })
}
