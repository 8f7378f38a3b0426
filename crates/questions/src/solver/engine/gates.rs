//! A graph of AND, XOR, MUX and majority gates with structural hashing.

use mmasmt_numbers::base::limits::{Account, work};
use rustc_hash::FxHashMap;

/// The memory of a gate in bytes: two copies of it, and a table entry.
const GATE_BYTES: u64 = 64;

/// A gate's output or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// Constantly false.
    pub const FALSE: Lit = Lit(0);
    /// Constantly true.
    pub const TRUE: Lit = Lit(1);

    /// The position of the gate in the graph; 0 is the constant "false".
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// Whether the output is negated.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    /// The negation of this literal.
    #[must_use]
    #[allow(
        clippy::should_implement_trait,
        reason = "who calls it needs no import"
    )]
    pub fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
    /// The negation of this literal if `negate` holds, else the literal itself.
    #[must_use]
    pub fn not_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

/// The operation of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GateKind {
    /// Constantly false: gate 0.
    False,
    /// A free input.
    Input,
    /// Conjunction.
    And(Lit, Lit),
    /// Exclusive or.
    Xor(Lit, Lit),
    /// Multiplexer: the second operand where the first holds, else the third.
    Mux(Lit, Lit, Lit),
    /// Majority of three.
    Maj(Lit, Lit, Lit),
}

/// All gates; operands precede the gates that use them.
pub struct GateGraph {
    /// Counts the memory in use.
    account: Account,
    gates: Vec<GateKind>,
    known: FxHashMap<GateKind, Lit>,
}

impl Default for GateGraph {
    fn default() -> Self {
        GateGraph {
            account: Account::default(),
            gates: vec![GateKind::False],
            known: FxHashMap::default(),
        }
    }
}

impl GateGraph {
    /// The gate at a position.
    pub fn gate(&self, index: usize) -> GateKind {
        self.gates[index]
    }

    /// The number of gates.
    pub fn count(&self) -> usize {
        self.gates.len()
    }

    /// A new free literal.
    pub fn input(&mut self) -> Lit {
        self.gates.push(GateKind::Input);
        self.last()
    }

    fn last(&self) -> Lit {
        Lit((self.gates.len() as u32 - 1) << 1)
    }

    fn intern(&mut self, gate: GateKind) -> Lit {
        if let Some(&lit) = self.known.get(&gate) {
            work(GATE_BYTES);
            return lit;
        }
        self.account.take(GATE_BYTES);
        self.gates.push(gate);
        let lit = self.last();
        self.known.insert(gate, lit);
        lit
    }

    fn as_and(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.gates[lit.index()] {
            GateKind::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    /// The conjunction of two literals.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == Lit::TRUE {
            return a;
        }
        if a == Lit::TRUE {
            return b;
        }
        if a == b.not() || a == Lit::FALSE || b == Lit::FALSE {
            return Lit::FALSE;
        }
        // Simplifies the gate if one operand is a conjunction, perhaps negated, that contains the
        // other operand or its negation.
        for (x, y) in [(a, b), (b, a)] {
            let Some((left, right)) = self.as_and(y) else {
                continue;
            };
            let (has, has_not) = (left == x || right == x, left == x.not() || right == x.not());
            match y.is_negated() {
                false if has => return y,
                false if has_not => return Lit::FALSE,
                true if has_not => return x,
                true if left == x => return self.and(x, right.not()),
                true if right == x => return self.and(x, left.not()),
                _ => {}
            }
        }
        self.intern(GateKind::And(a.min(b), a.max(b)))
    }

    /// The disjunction of two literals.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.and(a.not(), b.not()).not()
    }

    /// The exclusive or of two literals.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.not_if(a.is_negated()), b.not_if(b.is_negated()));
        let result = if a == b {
            Lit::FALSE
        } else if a == Lit::FALSE {
            b
        } else if b == Lit::FALSE {
            a
        } else {
            self.intern(GateKind::Xor(a.min(b), a.max(b)))
        };
        result.not_if(negate)
    }

    /// `then` where `cond` holds, else `otherwise`.
    pub fn mux(&mut self, cond: Lit, then: Lit, otherwise: Lit) -> Lit {
        if cond.is_negated() {
            return self.mux(cond.not(), otherwise, then);
        }
        if cond == Lit::FALSE || then == otherwise {
            return otherwise;
        }
        if then == otherwise.not() {
            return self.xor(cond, otherwise);
        }
        if then == Lit::TRUE || then == cond {
            return self.or(cond, otherwise);
        }
        if then == Lit::FALSE || then == cond.not() {
            return self.and(cond.not(), otherwise);
        }
        if otherwise == Lit::TRUE || otherwise == cond.not() {
            return self.or(cond.not(), then);
        }
        if otherwise == Lit::FALSE || otherwise == cond {
            return self.and(cond, then);
        }
        let negate = then.is_negated();
        self.intern(GateKind::Mux(
            cond,
            then.not_if(negate),
            otherwise.not_if(negate),
        ))
        .not_if(negate)
    }

    /// Whether at least two of three literals hold: the carry of a full adder.
    pub fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        // After sorting, constants come first, and equal or opposite literals are neighbours.
        if a == Lit::FALSE {
            return self.and(b, c);
        }
        if a == Lit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == b.not() {
            return c;
        }
        if b == c.not() {
            return a;
        }
        let negate = a.is_negated();
        let gate = GateKind::Maj(a.not_if(negate), b.not_if(negate), c.not_if(negate));
        self.intern(gate).not_if(negate)
    }

    /// The conjunction of `lits`, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [only] => *only,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }
}
