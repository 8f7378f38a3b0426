//! What follows from correct rounding, on all inputs of small formats.

use super::domain::Domain;
use super::sentence::{Judge, Sentence};
use crate::common::setting::by_day;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Basis, Ended, Options, prove};
use std::time::Duration;

const CLAIMS: [(&str, Sentence); 3] = [
    ("monotone-c", Sentence::MonotoneC),
    ("monotone-products", Sentence::MonotoneProducts),
    ("sign-symmetric", Sentence::SignSymmetric),
];

fn ask(claim: &Claim) -> Ended {
    let options = Options::default();
    let limits = Limits::default().within(Duration::from_secs(300));
    prove(claim, &options, &limits).unwrap().ended
}

/// Infinities and NaNs among them.
#[test]
fn no_inputs_violate_what_follows() {
    let mut followed = 0;
    let all = [
        ("in=e2m1,c=e2m1", 1),
        ("in=e2m1,c=e4m3fnuz", 7),
        ("a=e5m2,b=e2m1,c=e2m1", 5),
    ];
    let mut count = 0;
    for (formats, every) in by_day(all, 3) {
        count += 1;
        for round in ["rne", "rz", "rd", "ru", "ra"] {
            let model = Model::parse(&format!("exact:K=1,{formats},out=e5m2,round={round}"));
            let model = model.unwrap();
            let domain = Domain::default();
            let judge = Judge::new(&model, &domain);
            let signature = model.signature();
            let registers = |width: u32| 0..1u64 << width;
            for (property, sentence) in &CLAIMS {
                let claim = Claim::new(property, &model, "").unwrap();
                let outcome = ask(&claim);
                let by_rounding = matches!(
                    outcome,
                    Ended::NoMore {
                        by: Basis::Rounding { solved: false, .. }
                            | Basis::Magnitudes(_)
                            | Basis::Steps
                    }
                );
                followed += u32::from(by_rounding);
                let mut violated = false;
                for a in registers(signature.a.width()) {
                    for b in registers(signature.b.width()).step_by(every) {
                        for c in registers(signature.c.width()) {
                            let inputs = Inputs::new(vec![a], vec![b], c);
                            violated |= judge.is_violated(sentence, &inputs);
                        }
                    }
                }
                assert_eq!(violated, !by_rounding, "{claim}: {outcome:?}");
            }
        }
    }
    // Rounding down and up is not symmetric.
    assert_eq!(followed, count * (5 + 5 + 3));
}
