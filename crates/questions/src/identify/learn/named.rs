//! The rows of the tables with some operands, and all algorithms with them.

use crate::identify::values::with_shape;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, architectures, described};
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashSet;

/// The rows with these operands; and their algorithms, and those of other rows, with these operands.
pub(super) fn named(signature: &Signature, limits: &Limits) -> Vec<(String, Model)> {
    let mut all: Vec<(String, Model)> = Vec::new();
    let mut known = FxHashSet::default();
    let mut add = |name: String, model: Model| {
        if model.signature() == *signature && known.insert(model.canonical()) {
            all.push((name, model));
        }
    };
    let mut specs = FxHashSet::default();
    let tables = [architectures(), described()]
        .into_iter()
        .flatten()
        .flatten();
    for row in tables.flat_map(|architecture| &architecture.rows) {
        if limits.stopped().is_some() {
            break;
        }
        let Ok(model) = Model::parse(&row.full_name()) else {
            continue;
        };
        for other in with_operands(&model, signature, &mut specs) {
            add(other.canonical(), other);
        }
        add(row.full_name(), model);
    }
    all
}

/// The algorithm of a model with other operands, its own sums one after the other or one sum.
fn with_operands(
    model: &Model,
    signature: &Signature,
    known: &mut FxHashSet<String>,
) -> Vec<Model> {
    let Some((_, links)) = model.algorithm().operation() else {
        return Vec::new();
    };
    let Signature { a, b, products, .. } = signature;
    let own = (model.signature().products / links.max(1)).max(1);
    let factors = match a == b {
        true => format!("in={a}"),
        false => format!("a={a},b={b}"),
    };
    let changed = [own, *products].map(|length| {
        let change = format!("{factors},K={length}");
        known
            .insert(format!("{} {change}", model.canonical()))
            .then(|| with_shape(model, &change, *products).ok())?
    });
    changed.into_iter().flatten().collect()
}
