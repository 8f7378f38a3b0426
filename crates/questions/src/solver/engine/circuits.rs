//! Circuits of arithmetic on vectors of literals.

use super::gates::{GateGraph, Lit};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

/// A two's complement number: its low bits, and its sign, which is also the value of all higher
/// bits.
#[derive(Clone, Debug)]
pub struct LitWord {
    /// Bits below the sign, lowest first.
    pub bits: Vec<Lit>,
    /// The sign; constantly false for an unsigned number.
    pub sign: Lit,
}

impl LitWord {
    /// Bit `index`; beyond the stored bits it is the sign.
    pub fn bit(&self, index: usize) -> Lit {
        self.bits.get(index).copied().unwrap_or(self.sign)
    }

    /// The same number with `width` bits below the sign; the number must fit in these bits.
    pub fn cut(&self, width: usize, is_signed: bool) -> LitWord {
        let bits = (0..width).map(|index| self.bit(index)).collect();
        let sign = if is_signed {
            self.bit(width)
        } else {
            Lit::FALSE
        };
        LitWord { bits, sign }
    }

    /// The constant `value`, with `width` bits below the sign.
    pub fn constant(value: &BigInt, width: usize) -> LitWord {
        let constant = |bit| if bit { Lit::TRUE } else { Lit::FALSE };
        let bits = (0..width)
            .map(|index| constant(value.bit(index as u64)))
            .collect();
        LitWord {
            bits,
            sign: constant(value.sign() == Sign::Minus),
        }
    }
}

/// A sum of weighted literals; literals of equal weight form a column.
pub struct CircuitColumns {
    columns: Vec<Vec<Lit>>,
    constant: BigInt,
}

impl CircuitColumns {
    /// An empty sum modulo `2^width`.
    pub fn new(width: usize) -> Self {
        CircuitColumns {
            columns: vec![Vec::new(); width],
            constant: BigInt::zero(),
        }
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, value: &BigInt) {
        self.constant += value;
    }

    /// Adds `lit * weight`. For a negative weight, it uses `-w * x = w * !x - w`.
    pub fn add_lit(&mut self, lit: Lit, weight: &BigInt) {
        for index in 0..weight.magnitude().bits() {
            if !weight.magnitude().bit(index) {
                continue;
            }
            let negative = weight.sign() == Sign::Minus;
            if let Some(column) = self.columns.get_mut(index as usize) {
                column.push(lit.not_if(negative));
            }
            if negative {
                self.constant -= BigInt::one() << index;
            }
        }
    }

    /// Adds `word * weight`.
    pub fn add_word(&mut self, word: &LitWord, weight: &BigInt) {
        for (index, &bit) in word.bits.iter().enumerate() {
            self.add_lit(bit, &(weight << index));
        }
        if word.sign != Lit::FALSE {
            self.add_lit(word.sign, &-(weight << word.bits.len()));
        }
    }

    /// Adds `-word * weight` where `negate` holds, using `-word = !word + 1`; adds `word * weight`
    /// elsewhere.
    pub fn add_negated_if(
        &mut self,
        gates: &mut GateGraph,
        word: &LitWord,
        negate: Lit,
        weight: &BigInt,
    ) {
        let bits = word
            .bits
            .iter()
            .map(|&bit| gates.xor(bit, negate))
            .collect();
        let sign = gates.xor(word.sign, negate);
        self.add_word(&LitWord { bits, sign }, weight);
        self.add_lit(negate, weight);
    }

    /// The bits of the sum. Each column becomes a chain of full adders; the last ones add the
    /// carries from the next lower column.
    ///
    /// The solver is faster with chains than with balanced trees, since partial sums of few terms
    /// propagate.
    pub fn compress(self, gates: &mut GateGraph) -> Vec<Lit> {
        let width = self.columns.len();
        let constant = self.constant.mod_floor(&(BigInt::one() << width));
        let mut sum = Vec::with_capacity(width);
        let mut carries: Vec<Lit> = Vec::new();
        for (index, mut column) in self.columns.into_iter().enumerate() {
            column.append(&mut carries);
            if constant.bit(index as u64) {
                column.push(Lit::TRUE);
            }
            column.reverse();
            let mut total = column.pop().unwrap_or(Lit::FALSE);
            while let Some(next) = column.pop() {
                let half = gates.xor(total, next);
                let carry = match column.pop() {
                    Some(last) => {
                        let carry = gates.maj(total, next, last);
                        total = gates.xor(half, last);
                        carry
                    }
                    None => {
                        let carry = gates.and(total, next);
                        total = half;
                        carry
                    }
                };
                if carry != Lit::FALSE {
                    carries.push(carry);
                }
            }
            sum.push(total);
        }
        sum
    }
}

/// Whether `a` is less than `b`.
pub fn less_than(gates: &mut GateGraph, a: &LitWord, b: &LitWord) -> Lit {
    let width = a.bits.len().max(b.bits.len());
    let mut less = Lit::FALSE;
    for index in 0..width {
        less = gates.maj(a.bit(index).not(), b.bit(index), less);
    }
    gates.maj(a.sign, b.sign.not(), less)
}

/// Whether `a` and `b` are equal.
pub fn equal(gates: &mut GateGraph, a: &LitWord, b: &LitWord) -> Lit {
    let width = a.bits.len().max(b.bits.len());
    let same: Vec<_> = (0..=width)
        .map(|index| gates.xor(a.bit(index), b.bit(index)).not())
        .collect();
    gates.all(&same)
}

/// `then` where `cond` holds, else `otherwise`.
pub fn choose(gates: &mut GateGraph, cond: Lit, then: &LitWord, otherwise: &LitWord) -> LitWord {
    let width = then.bits.len().max(otherwise.bits.len());
    let bits = (0..width)
        .map(|i| gates.mux(cond, then.bit(i), otherwise.bit(i)))
        .collect();
    LitWord {
        bits,
        sign: gates.mux(cond, then.sign, otherwise.sign),
    }
}

/// The larger of `a` and `b`.
pub fn maximum(gates: &mut GateGraph, a: &LitWord, b: &LitWord) -> LitWord {
    let less = less_than(gates, a, b);
    choose(gates, less, b, a)
}

/// The low `width` bits of `a * b`.
pub fn multiply(gates: &mut GateGraph, a: &LitWord, b: &LitWord, width: usize) -> Vec<Lit> {
    let mut columns = CircuitColumns::new(width);
    let weighted = |word: &LitWord| -> Vec<(Lit, BigInt)> {
        let bits = word
            .bits
            .iter()
            .enumerate()
            .map(|(i, &bit)| (bit, BigInt::one() << i));
        let sign = (word.sign, -(BigInt::one() << word.bits.len()));
        bits.chain([sign])
            .filter(|(lit, _)| *lit != Lit::FALSE)
            .collect()
    };
    let (a, b) = (weighted(a), weighted(b));
    for (x, x_weight) in &a {
        for (y, y_weight) in &b {
            let both = gates.and(*x, *y);
            columns.add_lit(both, &(x_weight * y_weight));
        }
    }
    columns.compress(gates)
}

/// `a / 2^amount`, rounded down; the amount is unsigned.
pub fn shift_right(gates: &mut GateGraph, a: &LitWord, amount: &LitWord) -> LitWord {
    let len = a.bits.len();
    let mut bits = a.bits.clone();
    let mut all_out = Lit::FALSE;
    for (stage, &by) in amount.bits.iter().enumerate() {
        if stage >= usize::BITS as usize - 1 || (1 << stage) > len {
            all_out = gates.or(all_out, by);
            continue;
        }
        let distance = 1 << stage;
        bits = (0..len)
            .map(|i| {
                let moved = bits.get(i + distance).copied().unwrap_or(a.sign);
                gates.mux(by, moved, bits[i])
            })
            .collect();
    }
    let bits = bits
        .into_iter()
        .map(|bit| gates.mux(all_out, a.sign, bit))
        .collect();
    LitWord { bits, sign: a.sign }
}

/// The low `width` bits of `a * 2^amount`; both operands are unsigned.
pub fn shift_left(gates: &mut GateGraph, a: &LitWord, amount: &LitWord, width: usize) -> Vec<Lit> {
    let mut bits: Vec<Lit> = (0..width).map(|i| a.bit(i)).collect();
    let mut all_out = Lit::FALSE;
    for (stage, &by) in amount.bits.iter().enumerate() {
        if stage >= usize::BITS as usize - 1 || (1 << stage) >= width {
            all_out = gates.or(all_out, by);
            continue;
        }
        let distance: usize = 1 << stage;
        bits = (0..width)
            .map(|i| {
                let moved = i.checked_sub(distance).map_or(Lit::FALSE, |j| bits[j]);
                gates.mux(by, moved, bits[i])
            })
            .collect();
    }
    bits.into_iter()
        .map(|bit| gates.and(all_out.not(), bit))
        .collect()
}
