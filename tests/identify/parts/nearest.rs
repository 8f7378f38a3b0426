//! The models that are nearest to answers.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{FINALISTS, nearest};
use mmasmt_questions::vectors::Vector;

#[test]
fn as_many_finalists_are_compared_as_are_wanted() {
    let model = Model::parse("fda:K=1").unwrap();
    let inputs = Inputs::zero(&model.signature());
    let d = model.simulator().run(&inputs);
    let vector = Vector { inputs, d };
    let models = vec![model; 3 * FINALISTS];
    for count in [1, 2] {
        let found = nearest(&models, &[&vector], count).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].model, found[0].agrees), (0, 1));
        assert_eq!(found[0].alike, count * FINALISTS - 1);
    }
}

/// The input with the other value is neither the first nor the simplest one.
#[test]
fn differences_in_value_are_shown_before_signs_of_zeros() {
    let model = Model::parse("fda:K=1").unwrap();
    let machine = Model::parse("fda:K=1,F=10,negzero=minus").unwrap();
    let answer = |machine: &Model, c: u64, a: u64, b: u64| {
        let mut inputs = Inputs::zero(&model.signature());
        (inputs.c, inputs.a[0], inputs.b[0]) = (c, a, b);
        let d = machine.simulator().run(&inputs);
        Vector { inputs, d }
    };
    let zero = |machine: &Model| answer(machine, 0x8000_0000, 0x8000, 0);
    let value = answer(&machine, 0x3f80_0001, 0x3c01, 0x3c03);
    let models = [model.clone()];
    let both = [zero(&machine), value];
    let found = nearest(&models, &both.each_ref(), 1).unwrap();
    assert_eq!(found[0].excluded.map(|(number, _)| number), Some(1));
    assert!(!found[0].differs_in_zero_signs);
    let found = nearest(&models, &[&both[0]], 1).unwrap();
    assert_eq!(found[0].excluded.map(|(number, _)| number), Some(0));
    assert!(found[0].differs_in_zero_signs);
    let same = zero(&model);
    let found = nearest(&models, &[&same], 1).unwrap();
    assert!(!found[0].differs_in_zero_signs);
}
