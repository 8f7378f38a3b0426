//! Times of queries: how long `distinguish` takes, without and with making the witness simple.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use mmasmt::engine::Limits;
use mmasmt::model::Model;
use mmasmt::query::{Distinguish, Engine, distinguish};
use std::time::Duration;

/// Pairs of models; whether they differ is tested elsewhere.
const PAIRS: &[(&str, &str)] = &[
    ("fda:F=23", "fda:F=24"),
    ("fda:K=16,F=24", "fda:K=16,F=25"),
    ("fda:carry=3", "fda:carry=full"),
    ("fda:K=8,carry=4", "fda:K=8"),
    ("fda:K=16,carry=5", "fda:K=16"),
    ("fda:carry=4", "fda:carry=full"),
    ("fda:K=8,carry=5", "fda:K=8"),
    ("fda:K=16,carry=6", "fda:K=16"),
    ("fda:products=normalised,carry=2", "fda:products=normalised"),
    ("fda:products=normalised,carry=3", "fda:products=normalised"),
    ("fda:K=8,chain=2", "fda:K=16"),
];

fn queries(criterion: &mut Criterion) {
    for (name, minimise) in [("found", None), ("simple", Some(Duration::from_secs(2)))] {
        let mut group = criterion.benchmark_group(name);
        for (left, right) in PAIRS {
            let models = [Model::parse(left).unwrap(), Model::parse(right).unwrap()];
            let options = Distinguish {
                count: 1,
                seed: 0,
                specials: false,
                minimise,
                engine: Engine::Embedded,
            };
            group.bench_function(format!("{left} {right}"), |bencher| {
                bencher.iter(|| {
                    distinguish(&models[0], &models[1], &options, &Limits::default()).unwrap()
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2));
    targets = queries
}
criterion_main!(benches);
