//! The worst error of all inputs, and of a search.

use crate::common::setting::by_day;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::worst::worst_of_all;
use mmasmt_questions::errors::worst::{Judge, RaiseOutcome, Search, worst};
use mmasmt_questions::inputs::Climb;
use mmasmt_questions::vectors::measure::Measure;

/// No search finds a greater error than that of all inputs.
#[test]
fn the_greatest_error_of_all_inputs_is_not_exceeded() {
    let all = [
        ("fda:K=2,in=e2m1,c=e2m1,F=2", "c = 0", 1 << 16),
        ("fda:K=1,in=e4m3,out=f16,F=3", "c = 1, b = a, finite", 254),
        (
            "fda:K=1,in=e4m3,out=f16,F=3",
            "c = 0x1p-20, b positive, a exp -2..3",
            12_192,
        ),
    ];
    let measured = all
        .into_iter()
        .flat_map(|case| Measure::ALL.map(|measure| (case, measure)));
    for ((model, assume, inputs), measure) in by_day(measured, 3) {
        let model = Model::parse(model).unwrap();
        let domain = Domain::parse(assume, &model.signature()).unwrap();
        let search = Search {
            measure,
            seed: 3,
            excuses_underflow: false,
        };
        let mut judge = Judge::new(&model, search, &domain);
        let (found, raised) = worst_of_all(&mut judge, &Limits::default()).unwrap();
        let expected = RaiseOutcome::AllTried {
            inputs,
            is_explained: false,
        };
        assert_eq!(raised, expected, "{model} {assume}");
        let (searched, _) = worst(&mut judge, &Limits::default());
        let [found, searched] = [found, searched].map(|one| one.unwrap().error);
        assert!(searched <= found, "{model} {assume}");
    }
}

/// A climb that rises no more ends, and one that rises late goes on.
#[test]
fn a_climb_ends_where_it_rises_no_more() {
    let signature = Model::parse("fda:K=1").unwrap().signature();
    let climbed = |rises: &dyn Fn(u64) -> u64| {
        let mut calls = 0;
        let limits = Limits::default();
        let mut climb = Climb {
            score: |_: &Inputs, _: &u64| {
                calls += 1;
                Some(rises(calls))
            },
            highest: None,
            limits: &limits,
        };
        let start = (Inputs::zero(&signature), 0);
        let (_, highest) = climb.climb(start, 1_000_000, Inputs::clone);
        (calls, highest)
    };
    let (calls, highest) = climbed(&|_| 0);
    assert!(calls < 20_000 && highest == 0, "{calls}");
    let (calls, highest) = climbed(&|calls| u64::from(calls > 10_000) + u64::from(calls > 35_000));
    assert!(calls > 100_000 && highest == 2, "{calls}, {highest}");
}
