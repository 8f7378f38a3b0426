//! Gates that compute the same: lemmas that say so, for a solver that would search for them.
//!
//! Structural hashing of a netlist, not done but proved: each lemma follows by unit propagation
//! from the clauses of the gates and the lemmas before it.

use super::tseitin::Variables;
use crate::bits::Prop;
use crate::bits::blast::{Gate, Netlist, Wire};
use std::collections::HashMap;

/// A clause that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Its literals.
    pub clause: Vec<i32>,
    /// Whether it is of use once the next lemma is there.
    pub is_kept: bool,
}

/// A gate as a key: what is the same by exchange of operands and negation is one key.
pub(crate) type Key = (u8, [Wire; 3]);

/// Lemmas that make every gate equivalent to the first one that computes the same, or to an
/// operand, or to a constant.
pub fn merge(netlist: &Netlist, variables: &Variables) -> Vec<Lemma> {
    let mut lemmas = Vec::new();
    let mut same: Vec<Wire> = Vec::with_capacity(netlist.gates().len());
    let mut known: HashMap<Key, Wire> = HashMap::new();
    for (index, gate) in netlist.gates().iter().enumerate() {
        let own = Wire::of_gate(index);
        if variables.variable(index) == 0 {
            same.push(own);
            continue;
        }
        let canonical = |wire: Wire| same[wire.gate()].negated_if(wire.is_negated());
        let found = match reduced(*gate, canonical) {
            Reduced::None => own,
            Reduced::To(wire) => wire,
            Reduced::Key(key, negated) => {
                let first = *known.entry(key).or_insert_with(|| own.negated_if(negated));
                first.negated_if(negated)
            }
        };
        same.push(found);
        if found != own {
            equate(variables, own, found, gate.operands().next(), &mut lemmas);
        }
    }
    lemmas
}

/// What a gate is once its operands are those that stand for them.
pub(crate) enum Reduced {
    /// Nothing is known of it.
    None,
    /// It is another wire, or a constant.
    To(Wire),
    /// It is the gate of that key, or its negation.
    Key(Key, bool),
}

/// What a gate is, `canonical` being what stands for its operands.
pub(crate) fn reduced(gate: Gate, canonical: impl Fn(Wire) -> Wire) -> Reduced {
    let no = Wire::constant(false);
    match gate {
        Gate::False => Reduced::To(no),
        // Made once for every bit of an input.
        Gate::Input { .. } => Reduced::None,
        Gate::And(a, b) => {
            let mut wires = [canonical(a), canonical(b)];
            wires.sort_unstable();
            match wires {
                [a, b] if a == b || a == no.not() => Reduced::To(b),
                [a, b] if a == no || a == b.not() => Reduced::To(no),
                [a, b] => Reduced::Key((1, [a, b, no]), false),
            }
        }
        Gate::Xor(a, b) => {
            let (a, b) = (canonical(a), canonical(b));
            let negated = a.is_negated() != b.is_negated();
            let mut wires = [a, b].map(|wire| wire.negated_if(wire.is_negated()));
            wires.sort_unstable();
            match wires {
                [a, b] if a == b => Reduced::To(Wire::constant(negated)),
                [a, b] if a == no => Reduced::To(b.negated_if(negated)),
                [a, b] => Reduced::Key((2, [a, b, no]), negated),
            }
        }
        Gate::Mux(c, t, e) => {
            let [mut c, mut t, mut e] = [c, t, e].map(&canonical);
            if c.is_negated() {
                (c, t, e) = (c.not(), e, t);
            }
            let negated = t.is_negated();
            match c {
                _ if t == e || c == no => Reduced::To(e),
                _ => Reduced::Key(
                    (3, [c, t.negated_if(negated), e.negated_if(negated)]),
                    negated,
                ),
            }
        }
    }
}

/// Lemmas that `own` is `found`, both ways. Where the values of the operands do not follow from
/// those of the gates, they do in both cases of one operand, `split`.
pub(crate) fn equate(
    variables: &Variables,
    own: Wire,
    found: Wire,
    split: Option<Wire>,
    lemmas: &mut Vec<Lemma>,
) {
    for (own, found) in [(own, found), (own.not(), found.not())] {
        let mut clause = vec![variables.literal(own.not())];
        match found.as_constant() {
            Some(true) => continue,
            Some(false) => {}
            None => clause.push(variables.literal(found)),
        }
        let case = split.map(|split| [&clause[..], &[variables.literal(split)]].concat());
        lemmas.extend(case.map(|clause| Lemma {
            clause,
            is_kept: false,
        }));
        lemmas.push(Lemma {
            clause,
            is_kept: true,
        });
    }
}
