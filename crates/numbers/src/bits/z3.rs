//! Implements [`Bv`] for Z3's expressions: each operation becomes the operation of SMT-LIB with the
//! same meaning.

use super::bv::{Bv, Mux, Prop};
use z3::ast::{Ast, BV, Bool};

impl Prop for Bool {
    fn constant(value: bool) -> Self {
        Bool::from_bool(value)
    }
    fn not(&self) -> Self {
        Bool::not(self)
    }
    fn and(&self, other: &Self) -> Self {
        Bool::and(&[self, other])
    }
    fn or(&self, other: &Self) -> Self {
        Bool::or(&[self, other])
    }
    fn xor(&self, other: &Self) -> Self {
        Bool::xor(self, other)
    }
}

impl Mux<Bool> for Bool {
    fn mux(cond: &Bool, then: &Self, otherwise: &Self) -> Self {
        cond.ite(then, otherwise)
    }
}

impl Mux<Bool> for BV {
    fn mux(cond: &Bool, then: &Self, otherwise: &Self) -> Self {
        cond.ite(then, otherwise)
    }
}

/// A shift in the width of the wider operand, as Z3 requires equal widths; `extend` widens the
/// shifted operand without changing its value.
fn shift(
    value: &BV,
    amount: &BV,
    extend: impl Fn(&BV, u32) -> BV,
    shift: impl Fn(&BV, &BV) -> BV,
) -> BV {
    let (width, wider) = (value.get_size(), amount.get_size());
    if wider > width {
        let wide = extend(value, wider - width);
        shift(&wide, amount).extract(width - 1, 0)
    } else {
        shift(value, &amount.zero_ext(width - wider))
    }
}

impl Bv for BV {
    type Bool = Bool;

    fn lit(width: u32, value: u64) -> Self {
        BV::from_u64(value, width)
    }
    fn width(&self) -> u32 {
        self.get_size()
    }
    fn add(&self, other: &Self) -> Self {
        self.bvadd(other)
    }
    fn sub(&self, other: &Self) -> Self {
        self.bvsub(other)
    }
    fn mul(&self, other: &Self) -> Self {
        self.bvmul(other)
    }
    fn and(&self, other: &Self) -> Self {
        self.bvand(other)
    }
    fn or(&self, other: &Self) -> Self {
        self.bvor(other)
    }
    fn xor(&self, other: &Self) -> Self {
        self.bvxor(other)
    }
    fn not(&self) -> Self {
        self.bvnot()
    }
    fn shl(&self, amount: &Self) -> Self {
        shift(self, amount, BV::zero_ext, |value, by| value.bvshl(by))
    }
    fn lshr(&self, amount: &Self) -> Self {
        shift(self, amount, BV::zero_ext, |value, by| value.bvlshr(by))
    }
    fn ashr(&self, amount: &Self) -> Self {
        shift(self, amount, BV::sign_ext, |value, by| value.bvashr(by))
    }
    fn concat(&self, low: &Self) -> Self {
        BV::concat(self, low)
    }
    fn extract(&self, high: u32, low: u32) -> Self {
        BV::extract(self, high, low)
    }
    fn zext(&self, width: u32) -> Self {
        self.zero_ext(width - self.get_size())
    }
    fn sext(&self, width: u32) -> Self {
        self.sign_ext(width - self.get_size())
    }
    fn equals(&self, other: &Self) -> Bool {
        Ast::eq(self, other)
    }
    fn ult(&self, other: &Self) -> Bool {
        self.bvult(other)
    }
    fn slt(&self, other: &Self) -> Bool {
        self.bvslt(other)
    }
}
