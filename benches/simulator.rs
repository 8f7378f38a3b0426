//! Throughput of the simulator: dot-adds per second and instance.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::Sampler;
use std::hint::black_box;

const MODELS: &[&str] = &[
    "fda:F=23",
    "fda:F=25,K=16",
    "fda:F=24,K=8,chain=2",
    "fda:F=25,K=16,out=f16",
    "fda:F=25,K=16,in=bf16",
    "fda:F=13,K=32,in=e4m3,frac=13",
    "fda:F=64,K=16",
    "fda:K=2,in=f64,c=f64,out=f64,F=60",
    "hmma8",
    "fda:F=25,K=32,in=e4m3,scale=ue8m0",
    "sfma:fmt=f64",
    "sfma:fmt=f32",
    "gps:K=16",
    "gdfs:F=35",
    "fdrda",
    "gfdrda",
    "exact:K=4",
    "exact:K=4,in=f64,out=f64",
    "ieee:K=16",
    "ieee:K=16,order=fma",
];

fn simulator(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dot-add");
    for spec in MODELS {
        let model = Model::parse(spec).unwrap();
        let mut sampler = Sampler::new(model.signature(), 1);
        let inputs: Vec<Inputs> = (0..1000).map(|_| sampler.sample()).collect();
        let mut simulator = model.simulator();
        group.throughput(Throughput::Elements(inputs.len() as u64));
        group.bench_function(format!("{spec} on {}", simulator.instance()), |bencher| {
            bencher.iter(|| {
                inputs
                    .iter()
                    .fold(0, |sum, x| sum ^ simulator.evaluate(black_box(x)).unwrap())
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = simulator
}
criterion_main!(benches);
