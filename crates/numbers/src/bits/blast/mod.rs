//! Bit-blasting: each bit is a wire, each operation a textbook circuit.
//!
//! Only constants are simplified, and no gates are shared, so that a claim keeps its whole formula
//! where the term graph would simplify it to a constant. This module shares no code with the term
//! graph and the engines.

mod netlist;

pub use netlist::{Gate, Netlist, Signal, Wire, cone};

use super::{Bv, Mux, Prop, mux};

/// A bit-vector as signals, lowest bit first. It is valid while its [`Netlist`] is built.
#[derive(Clone, Debug)]
pub struct SignalBits(Vec<Signal>);

impl SignalBits {
    /// Input number `input`: any bit-vector of `width` bits.
    pub fn input(input: u32, width: u32) -> Self {
        SignalBits((0..width).map(|bit| Signal::input(input, bit)).collect())
    }

    /// The wires of the bits in the finished netlist, lowest bit first.
    pub fn wires(&self) -> Vec<Wire> {
        self.0.iter().map(|bit| bit.wire()).collect()
    }

    fn zip(&self, other: &Self, op: impl Fn(&Signal, &Signal) -> Signal) -> Self {
        debug_assert_eq!(self.0.len(), other.0.len(), "operands of different widths");
        let pairs = self.0.iter().zip(&other.0);
        SignalBits(pairs.map(|(a, b)| op(a, b)).collect())
    }

    /// The sum of two vectors and a carry, by a ripple-carry adder.
    fn add_with_carry(&self, other: &Self, mut carry: Signal) -> Self {
        let mut sum = Vec::with_capacity(self.0.len());
        debug_assert_eq!(self.0.len(), other.0.len(), "operands of different widths");
        for (a, b) in self.0.iter().zip(&other.0) {
            let either = a.xor(b);
            sum.push(either.xor(&carry));
            carry = a.and(b).or(&either.and(&carry));
        }
        SignalBits(sum)
    }

    /// Shifts by `amount` with a barrel shifter: one stage of multiplexers for each bit of the
    /// amount. In a shift by `n`, bit `i` of the result is bit `from(i, n)`, or `fill` if there is
    /// no such bit.
    fn shifted(
        &self,
        amount: &Self,
        fill: Signal,
        from: impl Fn(usize, usize) -> Option<usize>,
    ) -> Self {
        let width = self.0.len();
        let mut bits = self.0.clone();
        let mut all_out = Signal::FALSE;
        for (stage, by) in amount.0.iter().enumerate() {
            let distance = 1_usize
                .checked_shl(stage as u32)
                .filter(|&distance| distance < width);
            let Some(distance) = distance else {
                all_out = all_out.or(by);
                continue;
            };
            let moved = |index| from(index, distance).and_then(|index| bits.get(index).copied());
            bits = (0..width)
                .map(|index| mux(by, &moved(index).unwrap_or(fill), &bits[index]))
                .collect();
        }
        SignalBits(bits.iter().map(|bit| mux(&all_out, &fill, bit)).collect())
    }

    fn sign(&self) -> Signal {
        self.0.last().copied().unwrap_or(Signal::FALSE)
    }

    fn extended(&self, width: u32, fill: Signal) -> Self {
        debug_assert!(self.width() <= width, "{} to {width} bits", self.width());
        let mut bits = self.0.clone();
        bits.resize(width as usize, fill);
        SignalBits(bits)
    }

    /// The signals of the bits, the lowest first.
    pub fn signals(&self) -> &[Signal] {
        &self.0
    }

    /// Unsigned less-than: the highest bit in which the operands differ decides.
    fn less(&self, other: &Self) -> Signal {
        debug_assert_eq!(self.0.len(), other.0.len(), "operands of different widths");
        let pairs = self.0.iter().zip(&other.0);
        pairs.fold(Signal::FALSE, |less, (a, b)| mux(&a.xor(b), b, &less))
    }

    fn with_other_sign(&self) -> Self {
        let mut bits = self.0.clone();
        if let Some(sign) = bits.last_mut() {
            *sign = sign.not();
        }
        SignalBits(bits)
    }
}

impl Mux<Signal> for SignalBits {
    fn mux(cond: &Signal, then: &Self, otherwise: &Self) -> Self {
        then.zip(otherwise, |t, e| mux(cond, t, e))
    }
}

impl Bv for SignalBits {
    type Bool = Signal;

    fn lit(width: u32, value: u64) -> Self {
        let bit = |index: u32| value.checked_shr(index).unwrap_or(0) & 1 == 1;
        SignalBits(
            (0..width)
                .map(|index| Signal::constant(bit(index)))
                .collect(),
        )
    }
    fn width(&self) -> u32 {
        self.0.len() as u32
    }

    fn add(&self, other: &Self) -> Self {
        self.add_with_carry(other, Signal::FALSE)
    }
    fn sub(&self, other: &Self) -> Self {
        self.add_with_carry(&other.not(), Signal::constant(true))
    }
    /// Long multiplication.
    fn mul(&self, other: &Self) -> Self {
        let zero = Self::lit(self.width(), 0);
        let mut row = self.clone();
        let mut product = zero.clone();
        for bit in &other.0 {
            product = product.add(&mux(bit, &row, &zero));
            row.0.insert(0, Signal::FALSE);
            row.0.pop();
        }
        product
    }
    fn and(&self, other: &Self) -> Self {
        self.zip(other, Signal::and)
    }
    fn or(&self, other: &Self) -> Self {
        self.zip(other, Signal::or)
    }
    fn xor(&self, other: &Self) -> Self {
        self.zip(other, Signal::xor)
    }
    fn not(&self) -> Self {
        SignalBits(self.0.iter().map(Signal::not).collect())
    }

    fn shl(&self, amount: &Self) -> Self {
        self.shifted(amount, Signal::FALSE, |index, by| index.checked_sub(by))
    }
    fn lshr(&self, amount: &Self) -> Self {
        self.shifted(amount, Signal::FALSE, |index, by| index.checked_add(by))
    }
    fn ashr(&self, amount: &Self) -> Self {
        self.shifted(amount, self.sign(), |index, by| index.checked_add(by))
    }

    fn concat(&self, low: &Self) -> Self {
        SignalBits([&*low.0, &*self.0].concat())
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        SignalBits(self.0[low as usize..=high as usize].to_vec())
    }
    fn zext(&self, width: u32) -> Self {
        self.extended(width, Signal::FALSE)
    }
    fn sext(&self, width: u32) -> Self {
        self.extended(width, self.sign())
    }

    fn equals(&self, other: &Self) -> Signal {
        Prop::all(self.zip(other, |a, b| a.xor(b).not()).0)
    }
    fn ult(&self, other: &Self) -> Signal {
        self.less(other)
    }
    fn slt(&self, other: &Self) -> Signal {
        self.with_other_sign().less(&other.with_other_sign())
    }
}
