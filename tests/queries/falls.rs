//! `worst --drop`: falls of results against all operands of toy formats, whose numbers are put in order here.

use crate::common::exact::{Datum, decode};
use crate::common::setting::by_day;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::monotone::MovingOperands;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::worst::{FallJudge, greatest_fall};
use mmasmt_questions::vectors::measure::Measure;
use std::time::Duration;

/// Units of one product whose results fall somewhere, and one whose results do not.
const UNITS: [&str; 4] = [
    "fda:K=1,F=2,in=e2m3,c=e4m3fnuz,out=f16",
    "fda:K=1,F=3,in=e2m1,c=e3m2,out=f16,align=floor",
    "fda:K=2,F=3,in=e2m1,c=e2m3,out=f16",
    "exact:K=1,in=e2m3,c=e3m2,out=f16",
];

fn some_time() -> Limits {
    Limits::default().within(Duration::from_secs(1))
}

fn number(format: &Format, register: u64) -> Option<f64> {
    match decode(format, register) {
        Datum::Finite(finite) => Some(finite.to_f64()),
        _ => None,
    }
}

/// The finite registers of a format from the least to the greatest number, one of each.
fn in_order(format: &Format) -> Vec<u64> {
    let all = 0..1u64 << format.width();
    let mut all: Vec<(f64, u64)> = all
        .filter_map(|code| Some((number(format, code)?, code)))
        .collect();
    all.sort_by(|x, y| x.0.total_cmp(&y.0));
    all.dedup_by(|next, before| next.0 == before.0);
    all.into_iter().map(|(_, code)| code).collect()
}

/// The greatest fall of all steps of `c`.
fn greatest(model: &Model) -> f64 {
    let signature = model.signature();
    let (of_c, a, b) = (
        in_order(&signature.c),
        in_order(&signature.a),
        in_order(&signature.b),
    );
    let mut batch = model.batch();
    let mut most: f64 = 0.0;
    let mut rows = vec![(Vec::new(), Vec::new())];
    for _ in 0..signature.products {
        let longer = rows
            .into_iter()
            .flat_map(|(left, right): (Vec<u64>, Vec<u64>)| {
                let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y)));
                let added = pairs.map(move |(x, y)| {
                    let (mut left, mut right) = (left.clone(), right.clone());
                    left.push(x);
                    right.push(y);
                    (left, right)
                });
                added.collect::<Vec<_>>()
            });
        rows = longer.collect();
    }
    // Many rows at once, each with all `c` in order.
    for rows in rows.chunks(256) {
        let inputs = rows.iter().flat_map(|(left, right)| {
            let with_c = |c: &u64| Inputs::new(left.clone(), right.clone(), *c);
            of_c.iter().map(with_c).collect::<Vec<_>>()
        });
        let results = batch.results(&inputs.collect::<Vec<_>>());
        for of_row in results.chunks(of_c.len()) {
            let mut before = f64::NEG_INFINITY;
            for d in of_row {
                let d = number(&signature.d, *d).unwrap();
                most = most.max(before - d);
                before = d;
            }
        }
    }
    most
}

#[test]
fn falls_are_the_greatest_of_all_operands_and_within_the_bound() {
    for text in by_day(UNITS, 2) {
        let model = Model::parse(text).unwrap();
        let domain = Domain::parse("finite", &model.signature()).unwrap();
        let expected = greatest(&model);
        let mut judge = FallJudge::new(&model, MovingOperands::C, Measure::Absolute, &domain, 0);
        let (found, tried) = greatest_fall(&mut judge, &Limits::default());
        let fall = found.as_ref().map_or(0.0, |fall| fall.fall.approximate());
        assert!(tried > 0);
        assert_eq!(fall, expected, "{text}: {found:?}");
        assert_eq!(
            found.is_some_and(|fall| fall.is_one()),
            expected > 0.0,
            "{text}"
        );
        let bound = judge.bound().unwrap().approximate();
        assert!(expected <= bound, "{text}: {expected} above {bound}");
    }
}

/// Falls of a product, on real units: within the bound, and results that the simulator gives.
#[test]
fn falls_of_units_are_within_their_bounds() {
    let mut count = 0;
    for (text, moving) in [
        ("V100/HMMA.884.F32.F32", MovingOperands::C),
        ("fda:F=12,K=4", MovingOperands::Products),
        ("fda:K=4,F=14", MovingOperands::C),
    ] {
        let model = Model::parse(text).unwrap();
        let domain = Domain::parse("finite", &model.signature()).unwrap();
        for measure in [Measure::RelativeToSum, Measure::Ulp] {
            let mut judge = FallJudge::new(&model, moving, measure, &domain, 0);
            let (found, _) = greatest_fall(&mut judge, &some_time());
            // On a slow machine, a second may be too little.
            let Some(found) = found.filter(|found| found.is_one()) else {
                continue;
            };
            count += 1;
            let results =
                [&found.before, &found.after].map(|inputs| model.evaluate_big(inputs).unwrap());
            assert_eq!(results, found.results);
            if let Some(bound) = judge.bound() {
                assert!(
                    found.fall <= bound,
                    "{text}: {}",
                    found.before.to_line(&model.signature())
                );
            }
        }
    }
    assert!(count > 0);
}
