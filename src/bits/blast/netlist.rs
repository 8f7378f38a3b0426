//! A netlist: gates of two or three wires, a new one each time that one is asked for.

use crate::bits::{Mux, Prop};
use std::cell::RefCell;

/// The output of a gate, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wire(u32);

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Gate {
    /// Constantly false: gate 0.
    False,
    /// Bit `bit` of input number `input`.
    Input { input: u32, bit: u32 },
    /// Both.
    And(Wire, Wire),
    /// Exactly one.
    Xor(Wire, Wire),
    /// The second where the first holds, else the third.
    Mux(Wire, Wire, Wire),
}

/// Gates, operands before what uses them.
#[derive(Clone, Debug)]
pub struct Netlist {
    gates: Vec<Gate>,
}

thread_local! {
    static GATES: RefCell<Vec<Gate>> = const { RefCell::new(Vec::new()) };
}

impl Netlist {
    /// The gates that `build` makes, and what it gives, whose wires belong to them.
    pub fn of<T>(build: impl FnOnce() -> T) -> (Netlist, T) {
        let outer = GATES.replace(vec![Gate::False]);
        let built = build();
        let gates = GATES.replace(outer);
        (Netlist { gates }, built)
    }

    /// All gates.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The values of all gates where bit `bit` of input number `input` is `value(input, bit)`.
    pub fn values(&self, value: impl Fn(u32, u32) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let is = |wire: Wire| wire.value(&values);
            let own = match *gate {
                Gate::False => false,
                Gate::Input { input, bit } => value(input, bit),
                Gate::And(a, b) => is(a) && is(b),
                Gate::Xor(a, b) => is(a) != is(b),
                Gate::Mux(c, t, e) => is(if is(c) { t } else { e }),
            };
            values.push(own);
        }
        values
    }
}

impl Gate {
    /// The wires that it reads.
    pub fn operands(&self) -> impl Iterator<Item = Wire> {
        let wires = match *self {
            Gate::False | Gate::Input { .. } => [None; 3],
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        wires.into_iter().flatten()
    }
}

impl Wire {
    pub(super) const FALSE: Wire = Wire(0);

    fn new(gate: Gate) -> Wire {
        GATES.with_borrow_mut(|gates| {
            gates.push(gate);
            Wire((gates.len() as u32 - 1) << 1)
        })
    }

    pub(super) fn input(input: u32, bit: u32) -> Wire {
        Wire::new(Gate::Input { input, bit })
    }

    /// The output of the gate at a position.
    pub fn of_gate(gate: usize) -> Wire {
        Wire((gate as u32) << 1)
    }

    /// The negation if `negate`.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Wire {
        Wire(self.0 ^ u32::from(negate))
    }

    /// Position of the gate; 0 is the constant.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negated output.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is the constant `true` or the constant `false`.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_negated())
    }

    /// The value, given the [values](Netlist::values) of all gates.
    pub fn value(self, values: &[bool]) -> bool {
        values[self.gate()] != self.is_negated()
    }
}

/// Constants are put in, as a solver's first step does; nothing else is simplified or shared.
impl Prop for Wire {
    fn constant(value: bool) -> Self {
        Wire(u32::from(value))
    }
    fn not(&self) -> Self {
        Wire(self.0 ^ 1)
    }
    fn and(&self, other: &Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (Some(false), _) | (_, Some(false)) => Wire::FALSE,
            (Some(true), _) => *other,
            (_, Some(true)) => *self,
            _ => Wire::new(Gate::And(*self, *other)),
        }
    }
    fn or(&self, other: &Self) -> Self {
        self.not().and(&other.not()).not()
    }
    fn xor(&self, other: &Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (Some(value), _) => Wire(other.0 ^ u32::from(value)),
            (_, Some(value)) => Wire(self.0 ^ u32::from(value)),
            _ => Wire::new(Gate::Xor(*self, *other)),
        }
    }
}

impl Mux<Wire> for Wire {
    fn mux(cond: &Wire, then: &Self, otherwise: &Self) -> Self {
        if let Some(value) = cond.as_constant() {
            return if value { *then } else { *otherwise };
        }
        match (then.as_constant(), otherwise.as_constant()) {
            (Some(true), _) => cond.or(otherwise),
            (Some(false), _) => cond.not().and(otherwise),
            (_, Some(true)) => cond.not().or(then),
            (_, Some(false)) => cond.and(then),
            _ => Wire::new(Gate::Mux(*cond, *then, *otherwise)),
        }
    }
}
