//! Dot-adds per second of programs over columns, beside the simulator, and of products of matrices.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mmasmt_columns::tape::Features;
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm};
use std::hint::black_box;

const MODELS: &[&str] = &[
    "fda:F=25,K=16",
    "fda:F=24,K=8",
    "fda:F=13,K=32,in=e4m3",
    "fdrda:K=8",
    "gfdrda:K=16",
    "gdfs:F=35",
    "hmma8:K=16",
    "gps:K=16",
    "sfma:K=4",
    "sfma:K=4,fmt=f32",
    "ieee:K=16",
];
const ROWS: usize = 4096;

fn dot_adds(criterion: &mut Criterion) {
    for spec in MODELS {
        let model = Model::parse(spec).unwrap();
        let signature = model.signature();
        let mut group = criterion.benchmark_group(*spec);
        group.throughput(Throughput::Elements(ROWS as u64));
        for (name, kind) in [("any", Kind::Random), ("finite", Kind::Finite)] {
            let mut draw = Draw::new(signature, kind, 1);
            let rows: Vec<Inputs> = (0..ROWS).map(|_| draw.draw()).collect();
            let mut columns = Columns::new(&signature);
            rows.iter().for_each(|row| columns.push(row).unwrap());
            let mut simulator = model.simulator();
            group.bench_function(format!("simulator, {name}"), |bencher| {
                let one = |x| simulator.evaluate(black_box(x)).unwrap();
                let mut one = one;
                bencher.iter(|| rows.iter().fold(0, |sum, x| sum ^ one(x)));
            });
            for features in Features::available() {
                let mut batch = model.batch();
                batch.prepare_for(features, features.host_operations());
                group.bench_function(format!("{features:?}, {name}"), |bencher| {
                    bencher.iter(|| black_box(batch.evaluate(&columns).unwrap()));
                });
            }
        }
        group.finish();
    }
}

fn products(criterion: &mut Criterion) {
    let model = Model::parse("hopper/HMMA.16816.F32").unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    let pool = pool.build().unwrap();
    let mut group = criterion.benchmark_group("256 x 256 x 256, f16, one thread");
    group.throughput(Throughput::Elements(256 * 256 * 16));
    for (name, kind) in [("any", Kind::Random), ("finite", Kind::Finite)] {
        let source = Model::parse("exact:K=1").unwrap();
        let [a, b] = [1, 2].map(|seed| {
            let mut draw = Draw::new(source.signature(), kind, seed);
            let registers = (0..256 * 256).map(|_| draw.draw().a[0]);
            Matrix::new(Format::F16, [256, 256], registers).unwrap()
        });
        group.bench_function(name, |bencher| {
            let product = MatrixProduct::new(&a, &b);
            bencher.iter(|| pool.install(|| gemm(&model, &product, &Limits::default()).unwrap()));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(1));
    targets = dot_adds, products
}
criterion_main!(benches);
