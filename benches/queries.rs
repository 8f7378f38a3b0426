//! Times of queries: how long `distinguish` takes, without and with making the witness simple, and
//! `prove` for the queries of Valpey et al., Table 4, with their twins, by each engine.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::published;
use mmasmt_questions::claims::query::{Ended, Engine, Options, distinguish, prove};
use mmasmt_questions::solver::engine::SmtSolver;
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
            let options = Options::default().minimise(minimise);
            group.bench_function(format!("{left} {right}"), |bencher| {
                bencher.iter(|| {
                    distinguish(&models[0], &models[1], &options, &Limits::default()).unwrap()
                });
            });
        }
        group.finish();
    }
}

/// The rows of Table 4, as `queries/table4.toml` names them.
const ROWS: &[&str] = &[
    "exact-multiplication",
    "exact-addition-f16",
    "rounding-of-the-result",
    "rounding-of-the-accumulator",
    "accumulation-order",
    "normalisation",
    "subnormal-inputs",
    "subnormal-outputs",
    "carry-bits-5-terms",
    "carry-bits-9-terms",
];

/// How long an engine is waited for; a query that takes longer is told and left out.
const PATIENCE: Duration = Duration::from_secs(60);

/// The embedded engine, and those of the paper that are on PATH: they get the formula of the term
/// layer.
fn engines() -> Vec<(&'static str, Engine)> {
    let found = |name| Some((name, Engine::Other(SmtSolver::find(name).ok()?.into())));
    let others = ["z3", "cvc5"].into_iter().filter_map(found);
    std::iter::once(("embedded", Engine::Embedded))
        .chain(others)
        .collect()
}

fn table_4(criterion: &mut Criterion) {
    for (name, engine) in engines() {
        let mut group = criterion.benchmark_group(format!("table 4, {name}"));
        group.sampling_mode(SamplingMode::Flat);
        let options = Options::default().engine(engine);
        for query in published().unwrap() {
            if !ROWS.contains(&query.name.as_str()) {
                continue;
            }
            let claims = query.claims().unwrap();
            let (claim, twin) = (&claims[0].0, &claims[claims.len() - 1].0);
            for (kind, claim) in [("claim", claim), ("twin", twin)] {
                let ask = || prove(claim, &options, &Limits::default().within(PATIENCE));
                let told = format!("{} {kind}", query.name);
                if let Ended::Unknown(stopped) = ask().unwrap().ended {
                    println!("table 4, {name}/{told}: {}", stopped.describe());
                    continue;
                }
                group.bench_function(told, |bencher| bencher.iter(|| ask().unwrap()));
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2));
    targets = queries, table_4
}
criterion_main!(benches);
