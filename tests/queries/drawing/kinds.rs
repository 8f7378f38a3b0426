//! Kinds of inputs take turns.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::Kinds;

/// In each round, one draw is near a distinguishing input; the distinguishing inputs take
/// turns.
#[test]
fn what_tells_has_its_turn_in_each_round() {
    let signature = Model::parse("fda:K=64,in=f16").unwrap().signature();
    let registers = [0x3555, 0x3aaa, 0x3ccc];
    let special = registers.map(|bits| Inputs::new(vec![bits; 64], vec![bits; 64], 0));
    let mut kinds = Kinds::new(signature, true, 3, std::iter::empty());
    kinds.add_distinguishing(&special);
    let mut near = Vec::new();
    for inputs in kinds.take(6 * Kinds::ROUND) {
        let same = |bits: &&u64| inputs.a.iter().filter(|a| a == bits).count() > 32;
        near.extend(registers.iter().position(|bits| same(&bits)));
    }
    assert_eq!(near, [0, 1, 2, 0, 1, 2]);
}
