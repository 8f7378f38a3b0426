//! Terms with one wrong rule.

use mmasmt_numbers::bits::term::{Formula, Term};
use mmasmt_numbers::bits::{Bv, Mux, Prop, mux};

/// No fault.
pub const NONE: u8 = 0;
/// All faults.
pub const RULES: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

/// A term and the fault of what is made of it.
#[derive(Clone)]
pub struct Faulty {
    fault: u8,
    pub term: Term,
}

impl Faulty {
    pub fn new(fault: u8, term: Term) -> Self {
        Faulty { fault, term }
    }

    fn has(&self, fault: u8) -> bool {
        self.fault == fault
    }

    fn with(&self, term: Term) -> Self {
        Faulty::new(self.fault, term)
    }

    /// The one that has a fault, as constants have none.
    fn fault_of(&self, other: &Self) -> u8 {
        self.fault.max(other.fault)
    }
}

impl Mux<Formula> for Faulty {
    fn mux(cond: &Formula, then: &Self, otherwise: &Self) -> Self {
        Faulty::new(
            then.fault_of(otherwise),
            mux(cond, &then.term, &otherwise.term),
        )
    }
}

macro_rules! passed_on {
    ($($name:ident)*) => {
        $(fn $name(&self, other: &Self) -> Self {
            Faulty::new(self.fault_of(other), self.term.$name(&other.term))
        })*
    };
}

impl Bv for Faulty {
    type Bool = Formula;

    passed_on! { add mul and or xor shl lshr concat }

    fn lit(width: u32, value: u64) -> Self {
        Faulty::new(NONE, Term::lit(width, value))
    }
    fn width(&self) -> u32 {
        self.term.width()
    }
    fn sub(&self, other: &Self) -> Self {
        let difference = self.term.sub(&other.term);
        let fault = self.fault_of(other);
        // A difference is a magnitude.
        let negative = self.term.ult(&other.term);
        Faulty::new(
            fault,
            if fault == 1 {
                difference.neg_if(&negative)
            } else {
                difference
            },
        )
    }
    fn not(&self) -> Self {
        self.with(self.term.not())
    }
    fn ashr(&self, amount: &Self) -> Self {
        // What is shifted is not negative.
        self.with(match self.has(2) {
            true => self.term.lshr(&amount.term),
            false => self.term.ashr(&amount.term),
        })
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        self.with(self.term.extract(high, low))
    }
    fn zext(&self, width: u32) -> Self {
        // An extension makes no node, whatever the sign.
        self.with(match self.has(3) {
            true => self.term.sext(width),
            false => self.term.zext(width),
        })
    }
    fn sext(&self, width: u32) -> Self {
        self.with(match self.has(4) {
            true => self.term.zext(width),
            false => self.term.sext(width),
        })
    }
    fn equals(&self, other: &Self) -> Formula {
        self.term.equals(&other.term)
    }
    fn ult(&self, other: &Self) -> Formula {
        // Of neighbours the one below is not less.
        match self.has(5) {
            true => self.term.add(&Term::lit(self.width(), 1)).ult(&other.term),
            false => self.term.ult(&other.term),
        }
    }
    fn slt(&self, other: &Self) -> Formula {
        match self.has(6) {
            true => self.term.ult(&other.term),
            false => self.term.slt(&other.term),
        }
    }
    fn umax(terms: &[Self]) -> Self {
        // The last operand never decides.
        let fault = terms.iter().fold(NONE, |fault, term| fault.max(term.fault));
        let all: Vec<Term> = terms.iter().map(|term| term.term.clone()).collect();
        let kept = if fault == 7 {
            2.min(all.len())
        } else {
            all.len()
        };
        Faulty::new(fault, Term::umax(&all[..kept]))
    }
    fn neg_if(&self, cond: &Formula) -> Self {
        // What is negated is negated always.
        let always = Formula::constant(true);
        let cond = if self.has(8) { &always } else { cond };
        self.with(self.term.neg_if(cond))
    }
}
