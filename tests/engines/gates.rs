//! Gates that are not made, as operands tell the result.

use mmasmt_questions::solver::engine::{GateGraph, Lit};

/// Constant, equal or opposite operands make no gate, and the result is correct.
#[test]
fn operands_that_tell_the_result_make_no_gate() {
    let mut gates = GateGraph::default();
    let a = gates.input();
    let operands = [Lit::FALSE, Lit::TRUE, a, a.not()];
    let value = |lit: Lit, a: bool| (lit.index() != 0 && a) != lit.is_negated();
    for (x, y) in operands.iter().flat_map(|x| operands.map(|y| (*x, y))) {
        for z in operands {
            let found = [gates.and(x, y), gates.or(x, y), gates.xor(x, y)];
            let (mux, maj) = (gates.mux(x, y, z), gates.maj(x, y, z));
            for a in [false, true] {
                let [x, y, z] = [x, y, z].map(|lit| value(lit, a));
                assert_eq!(found.map(|lit| value(lit, a)), [x && y, x || y, x != y]);
                assert_eq!(value(mux, a), if x { y } else { z });
                assert_eq!(value(maj, a), u8::from(x) + u8::from(y) + u8::from(z) >= 2);
            }
        }
    }
    assert_eq!(gates.count(), 2);
}
/// `x & (x & y)`, `!x & (x & y)` and `!(x & y) & !y` make no new gate.
#[test]
fn an_operand_again_makes_no_gate() {
    let mut gates = GateGraph::default();
    let (x, y) = (gates.input(), gates.input());
    let both = gates.and(x, y);
    let count = gates.count();
    assert_eq!(gates.and(x, both), both);
    assert_eq!(gates.and(x.not(), both), Lit::FALSE);
    assert_eq!(gates.and(both.not(), y.not()), y.not());
    assert_eq!(gates.count(), count);
}
