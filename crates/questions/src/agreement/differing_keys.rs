//! The keys in which two models of one algorithm differ.

use mmasmt_core::machines::model::{Model, spelled};
use std::collections::BTreeMap;

/// The key of a difference in algorithms.
pub(super) const ALGORITHM: &str = "algorithm";

/// The keys in which a model differs from another one, each with both values. Models of different
/// algorithms differ in the algorithm alone, which is the key `algorithm`.
pub fn differing_keys(own: &Model, other: &Model) -> Vec<(String, [String; 2])> {
    let layers = [own.algorithm().layers(), other.algorithm().layers()];
    let names = layers.each_ref().map(|layers| {
        let names = layers.iter().map(|(_, layer)| layer.parameters().0);
        names.collect::<Vec<_>>().join(" of ")
    });
    if names[0] != names[1] {
        return vec![(ALGORITHM.into(), names)];
    }
    let mut different = Vec::new();
    let [own, other] = &layers;
    for ((path, own), (_, other)) in own.iter().zip(other) {
        let others: BTreeMap<_, _> = other.parameters().1.into_iter().collect();
        for (key, value) in own.parameters().1 {
            if let Some(other) = others.get(key).filter(|other| **other != value) {
                different.push((spelled(path, key), [value, other.clone()]));
            }
        }
    }
    different
}
