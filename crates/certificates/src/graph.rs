//! The graph of the steps of a unit, and the same graph where products have other places.

use crate::domain::Row;
use crate::steps::{Action, Step};
use crate::{Fails, need};
use serde_json::{Value, json};
use std::collections::HashMap;

/// A number for each step: what it does, and the numbers of the steps that it takes.
type Names = HashMap<(String, Vec<(usize, String)>), usize>;

/// Fails unless the order of the products of a block leaves the graph as it is, but for the order of terms and of factors.
pub(crate) fn check(
    steps: &[Step],
    texts: &[Value],
    result: Option<usize>,
    products: usize,
    block: usize,
) -> Fails<()> {
    let mut names = Names::new();
    let own = name(steps, texts, result, &mut names, |k| k);
    for first in (0..products).step_by(block) {
        let last = products.min(first.saturating_add(block)) - 1;
        let second = last.min(first + 1);
        // All orders are made of the exchange of two neighbours, and of the move of all by one place.
        let exchanged = name(steps, texts, result, &mut names, |k| match k {
            k if k == first => second,
            k if k == second => first,
            k => k,
        });
        let moved = name(steps, texts, result, &mut names, |k| match k {
            k if k == last => first,
            k if (first..last).contains(&k) => k + 1,
            k => k,
        });
        need(exchanged == own && moved == own, || {
            format!(
                "the products from {first} to {last} in another order give another graph of steps"
            )
        })?;
    }
    Ok(())
}

/// The number of the result, where each product has another place.
fn name(
    steps: &[Step],
    texts: &[Value],
    result: Option<usize>,
    names: &mut Names,
    place: impl Fn(usize) -> usize,
) -> Option<usize> {
    let mut own: Vec<usize> = Vec::new();
    for (step, text) in steps.iter().zip(texts) {
        let mut label = label(text);
        if let Action::Operand {
            row: Row::A | Row::B,
            index,
        } = step.action
        {
            label["index"] = json!(place(index));
        }
        let terms = text.get("terms").and_then(Value::as_array);
        let terms = terms.filter(|_| text["do"] == "fuse");
        let each = step.takes.iter().enumerate().map(|(k, slot)| {
            let how = terms.and_then(|terms| terms.get(k)).map(self::label);
            let how = how.map_or(String::new(), |how| how.to_string());
            Some((*own.get(*slot)?, how))
        });
        let mut takes = each.collect::<Option<Vec<(usize, String)>>>()?;
        let is_loose = match text["do"].as_str() {
            Some("fuse") => text["negate"] == "twos",
            name => matches!(name, Some("product" | "sum")),
        };
        if is_loose {
            takes.sort_unstable();
        }
        let next = names.len();
        own.push(*names.entry((label.to_string(), takes)).or_insert(next));
    }
    own.get(result?).copied()
}

/// The options of a step or of a term, without the steps that it takes.
fn label(text: &Value) -> Value {
    let mut label = text.clone();
    if let Some(map) = label.as_object_mut() {
        for key in ["facts", "name", "of", "x", "y", "terms"] {
            map.remove(key);
        }
        if let Some(nan) = map.get_mut("nan").and_then(Value::as_object_mut) {
            nan.remove("first");
        }
        // Of the steps that are rounded, the key says how.
        let how = map.get("from").and_then(Value::as_object);
        let how = how.and_then(|from| from.keys().next().cloned());
        map.insert("from".into(), json!(how));
        map.sort_keys();
    }
    label
}
