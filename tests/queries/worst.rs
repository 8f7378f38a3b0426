//! The worst error of all inputs, and of a search.

use crate::common::setting::by_day;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::errors::worst::worst_of_all;
use mmasmt_questions::errors::worst::{Judge, Raised, Search, worst};
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
        let expected = Raised::AllTried {
            inputs,
            is_explained: false,
        };
        assert_eq!(raised, expected, "{model} {assume}");
        let (searched, _) = worst(&mut judge, &Limits::default());
        let [found, searched] = [found, searched].map(|one| one.unwrap().error);
        assert!(searched <= found, "{model} {assume}");
    }
}
