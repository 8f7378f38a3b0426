//! Simulators judge inputs as the formula does.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::InputsJudge;
use mmasmt_questions::inputs::Sampler;

/// The verdict of simulators equals the verdict of the formula.
#[test]
fn numbers_and_formulas_agree() {
    let mut told = [0; 2];
    for (own, other) in [
        ("fda:F=10,in=e4m3", "fda:F=10,in=e4m3,align=floor"),
        ("fda:K=2,out=f16", "fda:K=2,out=f16,F=8"),
        ("exact:round=rz,K=2", "fda:K=2"),
        ("markidis(fda:F=23):K=2", "eq24(fda:F=23):K=2"),
    ] {
        for property in ["no-worse-than", "better-than"] {
            let model = Model::parse(own).unwrap();
            let claim = Claim::new(&format!("{property}={other}"), &model, "").unwrap();
            let mut judge = InputsJudge::of(&claim);
            assert!(matches!(judge, InputsJudge::Closer(_)));
            let mut sampler = Sampler::new(model.signature(), 3);
            for _ in 0..150 {
                let inputs = sampler.sample();
                let expected = claim.is_refuted_on_big(&inputs);
                let found = judge.is_refuted(&claim.domain, &inputs);
                let line = inputs.to_line(&model.signature());
                assert_eq!(found, expected, "{claim}: {line}");
                told[usize::from(found)] += 1;
            }
        }
    }
    assert!(told.iter().all(|count| *count > 50), "{told:?}");
}
