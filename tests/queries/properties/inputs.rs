//! The inputs of a formula are called after their operands.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::inputs_of;

#[test]
fn inputs_are_called_after_their_operands() {
    let model = Model::parse("fda:K=2,in=e2m1,scale=ue8m0,block=1").unwrap();
    let names = inputs_of(&model.signature()).into_iter();
    let names: Vec<String> = names.map(|input| input.name).collect();
    let expected = ["a0", "b0", "a1", "b1", "c", "sa0", "sb0", "sa1", "sb1"];
    assert_eq!(names, expected);
}
