//! Throughput of vectors: checked from text, and inputs of each kind drawn.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::check_file;
use std::hint::black_box;

const MODELS: &[&str] = &["fda:F=24", "fda:F=25,K=16", "sfma:fmt=f64", "gdfs:F=35"];
const VECTORS: u64 = 50_000;

const KINDS: [(Kind, &str); 6] = [
    (Kind::Random, "random"),
    (Kind::Finite, "finite"),
    (Kind::Close, "close"),
    (Kind::Cancel, "cancel"),
    (Kind::Edge, "edge"),
    (Kind::Feature, "feature"),
];

/// Lines with their results, checked on all cores.
fn check(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("check");
    group.throughput(Throughput::Elements(VECTORS));
    for spec in MODELS {
        let model = Model::parse(spec).unwrap();
        let signature = model.signature();
        let mut draw = Draw::new(signature, Kind::Finite, 1);
        let mut simulator = model.simulator();
        let mut text = String::new();
        for _ in 0..VECTORS {
            let inputs = draw.draw();
            let d = simulator.evaluate(&inputs).unwrap();
            let digits = signature.d.digits();
            text += &format!("{} {d:0digits$x}\n", inputs.to_line(&signature));
        }
        group.bench_function(*spec, |bencher| {
            bencher.iter(|| {
                let checked = check_file(&model, text.as_bytes(), 0).unwrap();
                assert_eq!(checked.failed, 0);
            });
        });
    }
    group.finish();
}

/// Inputs of each kind.
fn draw(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("draw");
    group.throughput(Throughput::Elements(1000));
    let signature = Model::parse("fda:F=25,K=16").unwrap().signature();
    for (kind, name) in KINDS {
        let mut draw = Draw::new(signature, kind, 1);
        group.bench_function(name, |bencher| {
            bencher.iter(|| (0..1000).for_each(|_| drop(black_box(draw.draw()))));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = check, draw
}
criterion_main!(benches);
