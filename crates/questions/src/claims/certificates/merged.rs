//! Union-find of equal gates, and structural hashing of gates whose operands were merged.

use mmasmt_numbers::bits::blast::{Gate, Wire};
use rustc_hash::FxHashMap;

/// A gate by its kind and operands; gates that are the same up to the order of operands and
/// negation have the same key.
pub(super) type MergeKey = (u8, [Wire; 3]);

/// Representatives of gates that were merged: for all inputs, or in a case.
#[derive(Clone, Default)]
pub(super) struct Representatives {
    same: Vec<Wire>,
    known: FxHashMap<MergeKey, Wire>,
}

/// A gate with its operands replaced by their representatives.
pub(super) enum GateReduction {
    /// The gate equals this wire, which comes before it or is a constant.
    To(Wire),
    /// The gate has this key; if `true`, the key is that of its negation.
    Key(MergeKey, bool),
    /// The gate is an input.
    Input,
}

impl Representatives {
    /// The representative of a wire.
    pub fn of(&self, wire: Wire) -> Wire {
        let mut wire = wire;
        while let Some(&next) = self.same.get(wire.gate())
            && next.gate() != wire.gate()
        {
            wire = next.negated_if(wire.is_negated());
        }
        wire
    }

    /// Merges two representatives: the one that comes first now represents the other one.
    pub fn unite(&mut self, left: Wire, right: Wire) {
        let (first, last) = if left.gate() < right.gate() {
            (left, right)
        } else {
            (right, left)
        };
        let known = self.same.len();
        self.same.extend((known..=last.gate()).map(Wire::of_gate));
        self.same[last.gate()] = first.negated_if(last.is_negated());
    }

    /// The first wire with this key; it is `own` if there was none before.
    pub fn first(&mut self, key: MergeKey, own: Wire) -> Wire {
        *self.known.entry(key).or_insert(own)
    }

    /// The gate reduced after its operands were replaced by their representatives.
    pub fn reduced(&self, gate: Gate) -> GateReduction {
        let no = Wire::constant(false);
        match gate {
            Gate::False => GateReduction::To(no),
            Gate::Input { .. } => GateReduction::Input,
            Gate::And(a, b) => {
                let mut wires = [self.of(a), self.of(b)];
                wires.sort_unstable();
                match wires {
                    [a, b] if a == b || a == no.not() => GateReduction::To(b),
                    [a, b] if a == no || a == b.not() => GateReduction::To(no),
                    [a, b] => GateReduction::Key((1, [a, b, no]), false),
                }
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let negated = a.is_negated() != b.is_negated();
                let mut wires = [a, b].map(|wire| wire.negated_if(wire.is_negated()));
                wires.sort_unstable();
                match wires {
                    [a, b] if a == b => GateReduction::To(Wire::constant(negated)),
                    [a, b] if a == no => GateReduction::To(b.negated_if(negated)),
                    [a, b] => GateReduction::Key((2, [a, b, no]), negated),
                }
            }
            Gate::Mux(c, t, e) => {
                let [mut c, mut t, mut e] = [c, t, e].map(|wire| self.of(wire));
                if c.is_negated() {
                    (c, t, e) = (c.not(), e, t);
                }
                // `c` holds where `t` is chosen, and does not hold where `e` is.
                t = if t == c {
                    no.not()
                } else if t == c.not() {
                    no
                } else {
                    t
                };
                e = if e == c {
                    no
                } else if e == c.not() {
                    no.not()
                } else {
                    e
                };
                if t == e || c == no {
                    return GateReduction::To(e);
                }
                let and = |a: Wire, b: Wire, negated| {
                    let mut wires = [a, b];
                    wires.sort_unstable();
                    GateReduction::Key((1, [wires[0], wires[1], no]), negated)
                };
                match (t.as_constant(), e.as_constant()) {
                    (Some(true), Some(false)) => GateReduction::To(c),
                    (Some(false), Some(true)) => GateReduction::To(c.not()),
                    (Some(false), _) => and(c.not(), e, false),
                    (Some(true), _) => and(c.not(), e.not(), true),
                    (_, Some(false)) => and(c, t, false),
                    (_, Some(true)) => and(c, t.not(), true),
                    _ if t == e.not() => {
                        // The gate is the exclusive or of `c` and `e`.
                        let negated = e.is_negated();
                        let mut wires = [c, e.negated_if(negated)];
                        wires.sort_unstable();
                        GateReduction::Key((2, [wires[0], wires[1], no]), negated)
                    }
                    _ => {
                        let negated = t.is_negated();
                        let [t, e] = [t, e].map(|wire| wire.negated_if(negated));
                        GateReduction::Key((3, [c, t, e]), negated)
                    }
                }
            }
        }
    }
}
