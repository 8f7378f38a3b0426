//! Netlists: gates of two or three wires, without sharing.

use crate::base::limits::Account;
use crate::bits::{Mux, Prop};
use std::cell::RefCell;
use std::marker::PhantomData;

/// The output of a gate of a finished netlist, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wire(u32);

/// A wire of a netlist that is being built. It is not `Send`: it is valid within [`Netlist::of`]
/// only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal(Wire, PhantomData<*const ()>);

/// The operation of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Gate {
    /// Constantly false: gate 0.
    False,
    /// Bit `bit` of input number `input`.
    Input { input: u32, bit: u32 },
    /// Conjunction.
    And(Wire, Wire),
    /// Exclusive or.
    Xor(Wire, Wire),
    /// The second wire where the first holds, else the third wire.
    Mux(Wire, Wire, Wire),
}

/// Gates in topological order: operands first.
#[derive(Clone, Debug)]
pub struct Netlist {
    gates: Vec<Gate>,
}

/// Estimated bytes of a gate and its clauses.
const GATE_BYTES: u64 = 160;

/// A netlist that is being built.
struct Draft {
    gates: Vec<Gate>,
    account: Account,
}

impl Default for Draft {
    fn default() -> Self {
        Draft {
            gates: vec![Gate::False],
            account: Account::default(),
        }
    }
}

thread_local! {
    static DRAFT: RefCell<Draft> = RefCell::default();
}

/// Restores the enclosing draft when dropped.
struct RestoreDraft(Draft);

impl Drop for RestoreDraft {
    fn drop(&mut self) {
        DRAFT.set(std::mem::take(&mut self.0));
    }
}

impl Netlist {
    /// The gates that `build` makes, and the result of `build`. Signals cannot leave `build`, but
    /// the wires that [`Signal::wire`] returns can.
    ///
    /// ```compile_fail,E0277
    /// use mmasmt_numbers::bits::blast::{Blasted, Netlist};
    /// let (netlist, lost) = Netlist::of(|| Blasted::input(0, 8));
    /// ```
    /// ```compile_fail,E0277
    /// use mmasmt_numbers::bits::blast::{Blasted, Netlist};
    /// let outer = Blasted::input(0, 8);
    /// Netlist::of(|| outer.wires());
    /// ```
    pub fn of<T: Send>(build: impl FnOnce() -> T + Send) -> (Netlist, T) {
        let _outer = RestoreDraft(DRAFT.take());
        let built = build();
        let gates = DRAFT.with_borrow_mut(|draft| std::mem::take(&mut draft.gates));
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

/// The gates that `wires` depend on, operands first, without the constant.
pub fn cone(gates: &[Gate], wires: impl IntoIterator<Item = Wire>) -> Vec<usize> {
    let mut needed = vec![false; gates.len()];
    let mut open: Vec<usize> = wires.into_iter().map(Wire::gate).collect();
    while let Some(gate) = open.pop() {
        if !needed[gate] {
            needed[gate] = true;
            open.extend(gates[gate].operands().map(Wire::gate));
        }
    }
    (1..gates.len()).filter(|&gate| needed[gate]).collect()
}

impl Gate {
    /// The output for 64 samples at once, a bit for each: of an input by `input`, else from the values of wires.
    pub fn word(&self, input: impl FnOnce(u32, u32) -> u64, wire: impl Fn(Wire) -> u64) -> u64 {
        match *self {
            Gate::False => 0,
            Gate::Input { input: number, bit } => input(number, bit),
            Gate::And(a, b) => wire(a) & wire(b),
            Gate::Xor(a, b) => wire(a) ^ wire(b),
            Gate::Mux(c, t, e) => {
                let c = wire(c);
                c & wire(t) | !c & wire(e)
            }
        }
    }

    /// The wires that the gate reads.
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
    /// The constant `value`.
    pub fn constant(value: bool) -> Wire {
        Wire(u32::from(value))
    }

    /// The negation of the wire.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "named as in the trait for truth values"
    )]
    pub fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }

    /// The output of the gate at a position.
    pub fn of_gate(gate: usize) -> Wire {
        Wire((gate as u32) << 1)
    }

    /// The negation of the wire if `negate`, else the wire itself.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Wire {
        Wire(self.0 ^ u32::from(negate))
    }

    /// The position of the gate in the netlist; gate 0 is constantly false.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the wire is the negated output of its gate.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The value of the wire, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_negated())
    }

    /// The values of the wire for 64 samples, given those of its gate.
    pub fn word(self, gate: u64) -> u64 {
        if self.is_negated() { !gate } else { gate }
    }

    /// The value of the wire, given the [values](Netlist::values) of all gates.
    pub fn value(self, values: &[bool]) -> bool {
        values[self.gate()] != self.is_negated()
    }
}

impl Signal {
    pub(super) const FALSE: Signal = Signal(Wire(0), PhantomData);

    fn new(gate: Gate) -> Signal {
        DRAFT.with_borrow_mut(|draft| {
            draft.account.take(GATE_BYTES);
            draft.gates.push(gate);
            Signal(Wire::of_gate(draft.gates.len() - 1), PhantomData)
        })
    }

    pub(super) fn input(input: u32, bit: u32) -> Signal {
        Signal::new(Gate::Input { input, bit })
    }

    /// The wire of the signal in the finished netlist.
    pub fn wire(self) -> Wire {
        self.0
    }

    /// The value of the signal, if it is a constant.
    pub fn as_constant(self) -> Option<bool> {
        self.0.as_constant()
    }

    fn negated_if(self, negate: bool) -> Signal {
        Signal(self.0.negated_if(negate), PhantomData)
    }
}

/// Constants are propagated, as by a solver's preprocessing; nothing else is simplified or shared.
impl Prop for Signal {
    fn constant(value: bool) -> Self {
        Signal::FALSE.negated_if(value)
    }
    fn not(&self) -> Self {
        self.negated_if(true)
    }
    fn and(&self, other: &Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (Some(false), _) | (_, Some(false)) => Signal::FALSE,
            (Some(true), _) => *other,
            (_, Some(true)) => *self,
            _ => Signal::new(Gate::And(self.0, other.0)),
        }
    }
    fn or(&self, other: &Self) -> Self {
        self.not().and(&other.not()).not()
    }
    fn xor(&self, other: &Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (Some(value), _) => other.negated_if(value),
            (_, Some(value)) => self.negated_if(value),
            _ => Signal::new(Gate::Xor(self.0, other.0)),
        }
    }
}

impl Mux<Signal> for Signal {
    fn mux(cond: &Signal, then: &Self, otherwise: &Self) -> Self {
        if let Some(value) = cond.as_constant() {
            return if value { *then } else { *otherwise };
        }
        match (then.as_constant(), otherwise.as_constant()) {
            (Some(true), _) => cond.or(otherwise),
            (Some(false), _) => cond.not().and(otherwise),
            (_, Some(true)) => cond.not().or(then),
            (_, Some(false)) => cond.and(then),
            _ => Signal::new(Gate::Mux(cond.0, then.0, otherwise.0)),
        }
    }
}
