//! Bit-vectors with ranges: random expressions over inputs against big integers, node by node.

use crate::common::garden::{WIDTHS, expressions, value};
use mmasmt_numbers::bits::ranged::{
    RangedGraph, RangedInputs, RangedLiteral, RangedNode, RangedNodeId,
};
use mmasmt_numbers::bits::term::Bitwise;
use mmasmt_numbers::bits::{Big, Bv, Concrete};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn power(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

/// The value of every node, from the sentences of its definition.
pub fn values(graph: &RangedGraph, inputs: &[u64]) -> Vec<BigInt> {
    let mut values: Vec<BigInt> = Vec::new();
    for (_, node) in graph.nodes() {
        let of = |id: &RangedNodeId| values[id.index()].clone();
        let holds = |id: &RangedNodeId| !values[id.index()].is_zero();
        let literal = |l: &RangedLiteral| holds(&l.node) != l.negated;
        let amount = |id: &RangedNodeId| of(id).to_u32().unwrap_or(u32::MAX).min(1000);
        let truth = |value: bool| BigInt::from(u8::from(value));
        let value = match node {
            RangedNode::Const(value) => BigInt::from(*value),
            RangedNode::Input { index, .. } => inputs[*index as usize].into(),
            RangedNode::Select(c, a, b) => BigInt::from(if holds(c) { *a } else { *b }),
            RangedNode::Sum(terms, constant) => {
                let terms = terms.iter().map(|(node, factor)| of(node) * factor);
                terms.sum::<BigInt>() + constant
            }
            RangedNode::Mul(a, b) => of(a) * of(b),
            RangedNode::MulLow(a, b, width) => (of(a) * of(b)).mod_floor(&power(*width)),
            RangedNode::Ite(c, a, b) => of(if holds(c) { a } else { b }),
            RangedNode::NegIf(c, a) => {
                if holds(c) {
                    -of(a)
                } else {
                    of(a)
                }
            }
            RangedNode::Max(all) => all.iter().map(of).max().unwrap(),
            RangedNode::Shl(a, n, width) => (of(a) << amount(n)).mod_floor(&power(*width)),
            RangedNode::Shr(a, n) => of(a).div_floor(&power(amount(n))),
            RangedNode::ShrConst(a, n) => of(a).div_floor(&power(*n)),
            RangedNode::Wrap {
                of: a,
                width,
                signed,
            } => {
                let low = of(a).mod_floor(&power(*width));
                let negative = *signed && low >= power(width - 1);
                if negative { low - power(*width) } else { low }
            }
            RangedNode::Bitwise(op, a, b) => match op {
                Bitwise::And => of(a) & of(b),
                Bitwise::Or => of(a) | of(b),
                Bitwise::Xor => of(a) ^ of(b),
            },
            RangedNode::Zeros(a, width) => BigInt::from(u64::from(*width) - of(a).bits()),
            // Graphs have these only where the processor is allowed to compute: see `host.rs`.
            RangedNode::Host(..) | RangedNode::Round(..) => {
                unreachable!("an operation of the processor")
            }
            RangedNode::Eq(a, b) => truth(of(a) == of(b)),
            RangedNode::Lt(a, b) => truth(of(a) < of(b)),
            RangedNode::Bit(a, n) => of(a).div_floor(&power(*n)).mod_floor(&power(1)),
            RangedNode::Lost(a, n) => truth(!of(a).mod_floor(&power(amount(n))).is_zero()),
            RangedNode::And(a, b) => truth(literal(a) && literal(b)),
            RangedNode::Xor(a, b) => truth(holds(a) != holds(b)),
            RangedNode::Choose(c, a, b) => truth(if holds(c) { literal(a) } else { literal(b) }),
        };
        values.push(value);
    }
    values
}

/// Graphs, each on a few inputs: what every node is, that it lies in its range, and what the
/// expressions come to.
#[test]
fn random_expressions_have_the_values_that_big_integers_give() {
    for seed in 0..4000 {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
        let inputs = RangedInputs::new();
        let made = expressions(seed, &widths.map(|width| inputs.input(width)));
        let nodes: Vec<_> = made.iter().map(|value| inputs.node_of(value)).collect();
        let graph = inputs.graph();
        assert!(graph.is_exact());
        for _ in 0..3 {
            let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
            let values = values(&graph, &given.each_ref().map(Concrete::to_u64));
            for (id, node) in graph.nodes() {
                let (value, range) = (&values[id.index()], graph.range(id));
                let lies = BigInt::from(range.lo) <= *value && *value <= BigInt::from(range.hi);
                assert!(
                    lies,
                    "seed {seed}, {given:?}: {node:?} is {value}, not in {range:?}"
                );
            }
            let expected = expressions(seed, &given);
            for (node, expected) in nodes.iter().zip(expected) {
                let expected = BigInt::from(expected.to_big());
                assert_eq!(values[node.index()], expected, "seed {seed}, {given:?}");
            }
        }
    }
}

/// What is assumed is so for whoever asks later, and sharpens what is made of it.
#[test]
fn what_is_assumed_holds() {
    let inputs = RangedInputs::new();
    let field = inputs.input(5);
    inputs.assume(&field.equals(&Bv::lit(5, 31)), false);
    assert_eq!(field.equals(&Bv::lit(5, 31)).as_constant(), Some(false));
    assert_eq!(field.ult(&Bv::lit(5, 31)).as_constant(), Some(true));
    assert_eq!(field.ult(&Bv::lit(5, 30)).as_constant(), None);
}
