//! Exact sums of operands, also behind an epilogue.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::vectors::measure::Measure;
use mmasmt_questions::vectors::measure::{LinearMap, Summer};

/// The products sum to 2, and c is 8.
#[test]
fn an_epilogue_multiplies_the_exact_sum() {
    let inputs = Inputs::new(vec![0x3c00; 2], vec![0x3c00; 2], 0x4100_0000);
    for (text, expected) in [
        ("fda:K=2", 10),
        ("epilogue(fda:K=2)", 2),
        ("epilogue(fda:K=2):alpha=3", 6),
        ("epilogue(fda:K=2):alpha=-3,beta=2", 10),
        ("epilogue(fda:K=2):alpha=3,beta=-1,scale=4", -8),
        ("epilogue(epilogue(fda:K=2):alpha=1):alpha=3", 6),
    ] {
        let model = Model::parse(text).unwrap();
        let exact = Summer::of(&model).sum(&inputs).unwrap();
        assert_eq!(exact.value, Dyadic::new(expected.into(), 0), "{text}");
        let d = model.simulator().run(&inputs);
        let error = Measure::Ulp.error(&model.signature().d, d, &exact);
        assert_eq!(error.unwrap().approximate(), 0.0, "{text}");
    }
    let [plain, scaled] = ["epilogue(fda)", "epilogue(fda):scale=2"].map(|text| {
        let model = Model::parse(text).unwrap();
        LinearMap::of(model.algorithm()).unwrap()
    });
    assert!(plain.is_plain() && !plain.reads_c() && !scaled.is_plain());
}
