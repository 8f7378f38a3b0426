//! The graph of the steps of a unit, and the same graph where products have other places.

use crate::domain::Row;
use crate::json::{CheckResult, need};
use crate::steps::{Action, Step};
use serde_json::{Value, json};
use std::collections::HashMap;

/// A step with its options.
struct Shape<'s> {
    step: &'s Step,
    label: String,
    /// The options of each term.
    terms: Vec<String>,
    /// True if the order of what it takes does not matter.
    is_loose: bool,
}

/// The options of a step, the place of an operand, and the numbers of the steps that it takes.
type Key = (String, usize, Vec<(usize, String)>);

/// Fails unless the order of the products of a block leaves the graph as it is, but for the order of terms and of factors.
pub(crate) fn check(
    steps: &[Step],
    texts: &[Value],
    result: Option<usize>,
    products: usize,
    block: usize,
) -> CheckResult<()> {
    let shapes = steps
        .iter()
        .zip(texts)
        .map(|(step, text)| shape(step, text));
    let shapes: Vec<Shape> = shapes.collect();
    let mut names: HashMap<Key, usize> = HashMap::new();
    let own = name(&shapes, result, &mut names, |k| k);
    for first in (0..products).step_by(block) {
        let last = products.min(first.saturating_add(block)) - 1;
        let second = last.min(first + 1);
        // All orders are made of the exchange of two neighbours, and of the move of all by one place.
        let exchanged = name(&shapes, result, &mut names, |k| match k {
            k if k == first => second,
            k if k == second => first,
            k => k,
        });
        let moved = name(&shapes, result, &mut names, |k| match k {
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

fn shape<'s>(step: &'s Step, text: &Value) -> Shape<'s> {
    let action = text.get("do").and_then(Value::as_str);
    let terms = text.get("terms").and_then(Value::as_array);
    let terms = terms.filter(|_| action == Some("fuse"));
    let is_loose = match action {
        Some("fuse") => text.get("negate").is_some_and(|negate| negate == "twos"),
        action => matches!(action, Some("product" | "sum")),
    };
    Shape {
        step,
        label: label(text),
        terms: terms.map_or(Vec::new(), |terms| terms.iter().map(label).collect()),
        is_loose,
    }
}

/// The options of a step or of a term, without the steps that it takes.
fn label(text: &Value) -> String {
    let mut label = text.clone();
    if let Some(map) = label.as_object_mut() {
        for key in ["facts", "name", "of", "x", "y", "terms", "index"] {
            map.remove(key);
        }
        if let Some(nan) = map.get_mut("nan").and_then(Value::as_object_mut) {
            nan.remove("first");
        }
        // The key of `from` names the operation before the rounding.
        let how = map.get("from").and_then(Value::as_object);
        let how = how.and_then(|from| from.keys().next().cloned());
        map.insert("from".into(), json!(how));
        map.sort_keys();
    }
    label.to_string()
}

/// The number of the result, where each product has another place: the same for the same graph.
fn name(
    shapes: &[Shape],
    result: Option<usize>,
    names: &mut HashMap<Key, usize>,
    place: impl Fn(usize) -> usize,
) -> Option<usize> {
    let mut own: Vec<usize> = Vec::new();
    for shape in shapes {
        let index = match shape.step.action {
            Action::Operand {
                row: Row::A | Row::B,
                index,
            } => place(index),
            Action::Operand { index, .. } => index,
            _ => 0,
        };
        let each = shape.step.takes.iter().enumerate().map(|(k, slot)| {
            let how = shape.terms.get(k).cloned().unwrap_or_default();
            Some((*own.get(*slot)?, how))
        });
        let mut takes = each.collect::<Option<Vec<(usize, String)>>>()?;
        if shape.is_loose {
            takes.sort_unstable();
        }
        let next = names.len();
        let key = (shape.label.clone(), index, takes);
        own.push(*names.entry(key).or_insert(next));
    }
    own.get(result?).copied()
}
