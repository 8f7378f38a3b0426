//! The keys in which candidates differ, with the values that are left.

use mmasmt_core::machines::model::Model;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The name of an algorithm, and its keys with the values that they have among some models.
pub(super) type Parameters = (&'static str, Vec<(&'static str, Vec<String>)>);

/// For each algorithm among the models `left`: the keys that have several values among `all`, each
/// with its values among `left`.
pub(super) fn parameters(all: &[Model], left: &[&Model]) -> Vec<Parameters> {
    let is_whole = all.len() == left.len();
    let all = collect(all.iter());
    let mut left = if is_whole {
        all.clone()
    } else {
        collect(left.iter().copied())
    };
    for (name, keys) in &mut left {
        let whole = all.iter().find(|(known, _)| known == name);
        let varies = |key: &str| {
            let whole = whole.and_then(|(_, keys)| keys.iter().find(|(known, _)| *known == key));
            whole.is_some_and(|(_, values)| values.len() > 1)
        };
        keys.retain(|(key, _)| varies(key));
    }
    left
}

/// For each algorithm, the values that each key has among the models, in the order of the models.
fn collect<'m>(models: impl Iterator<Item = &'m Model>) -> Vec<Parameters> {
    let mut all: Vec<Parameters> = Vec::new();
    for model in models {
        let (name, keys) = model.algorithm().parameters();
        let known = entry(&mut all, name);
        for (key, value) in keys {
            let values = entry(known, key);
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    all
}

/// The value of `name` in the list `all`. A new name is put at the end of the list.
fn entry<'x, T: Default>(all: &'x mut Vec<(&'static str, T)>, name: &'static str) -> &'x mut T {
    let at = all.iter().position(|(known, _)| *known == name);
    let at = at.unwrap_or_else(|| {
        all.push((name, T::default()));
        all.len() - 1
    });
    &mut all[at].1
}

/// The result of [`parameters`] as JSON: algorithm, key, values.
#[derive(JsonSchema)]
pub(super) struct ParametersObject(
    #[schemars(with = "BTreeMap<String, BTreeMap<String, Vec<String>>>")] Vec<Parameters>,
);

impl ParametersObject {
    /// The values of the keys among the models `left`.
    pub(super) fn new(all: &[Model], left: &[&Model]) -> ParametersObject {
        ParametersObject(parameters(all, left))
    }
}

/// The values by key.
struct ValuesByKey<'x>(&'x [(&'static str, Vec<String>)]);

impl Serialize for ParametersObject {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let algorithms = self.0.iter();
        to.collect_map(algorithms.map(|(name, keys)| (name, ValuesByKey(keys))))
    }
}

impl Serialize for ValuesByKey<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, values)| (key, values)))
    }
}
