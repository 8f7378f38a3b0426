//! Registers at which machines without infinities differ: any bits, exponents close to each other, and `c` close to the sum.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The fields of a register: widths of the exponent, of the fraction, and of the bits that are not read.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    pub exponent: u32,
    pub fraction: u32,
    pub dropped: u32,
}

impl Fields {
    pub const F32: Fields = Fields::new(8, 23, 0);
    pub const BF16: Fields = Fields::new(8, 7, 0);
    pub const TF32: Fields = Fields::new(8, 10, 13);
    pub const F16: Fields = Fields::new(5, 10, 0);

    pub const fn new(exponent: u32, fraction: u32, dropped: u32) -> Fields {
        Fields {
            exponent,
            fraction,
            dropped,
        }
    }

    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Sign, exponent field and fraction.
    pub fn of(self, register: u64) -> (bool, i64, i64) {
        let code = register >> self.dropped;
        let field = code >> self.fraction & ((1 << self.exponent) - 1);
        let fraction = code & ((1 << self.fraction) - 1);
        let sign = code >> (self.exponent + self.fraction) & 1;
        (sign == 1, field as i64, fraction as i64)
    }

    pub fn register(self, negative: bool, field: i64, fraction: i64) -> u64 {
        let code = u64::from(negative) << (self.exponent + self.fraction)
            | (field as u64) << self.fraction
            | fraction as u64;
        code << self.dropped
    }
}

/// A register whose exponent field is at most `spread` from `field`, as far as the format goes.
pub fn near(rng: &mut ChaCha8Rng, fields: Fields, field: i64, spread: i64) -> u64 {
    let top = (1 << fields.exponent) - 1;
    let field = (field + rng.random_range(-spread..=spread)).clamp(0, top);
    let all = (1i64 << fields.fraction) - 1;
    let fraction = match rng.random_range(0..4) {
        0 => 0,
        1 => 1 << rng.random_range(0..fields.fraction),
        2 => all - rng.random_range(0..=3.min(all)),
        _ => rng.random_range(0..=all),
    };
    let unread = rng.random::<u64>() & ((1 << fields.dropped) - 1);
    fields.register(rng.random(), field, fraction) | unread
}

/// Any bits.
pub fn bits(rng: &mut ChaCha8Rng, fields: Fields) -> u64 {
    rng.random::<u64>() >> (63 - fields.exponent - fields.fraction - fields.dropped)
}

/// Rows of factors and `c`: of any bits, or with products and `c` close to each other, zeros among them.
pub fn rows(
    rng: &mut ChaCha8Rng,
    [a, b, c]: [Fields; 3],
    count: usize,
) -> (Vec<u64>, Vec<u64>, u64) {
    if rng.random_ratio(1, 8) {
        let mut row = |fields| (0..count).map(|_| bits(rng, fields)).collect();
        return (row(a), row(b), bits(rng, c));
    }
    let top = |fields: Fields| (1 << fields.exponent) - 1;
    let x = rng.random_range(0..=top(a));
    // The exponent of the product is one of `c`, or close to the ends of its format.
    let place = match rng.random_range(0..4) {
        0 => rng.random_range(-20..20) - c.bias(),
        1 => top(c) - c.bias() - rng.random_range(-2..2),
        _ => rng.random_range(-c.bias()..=c.bias()),
    };
    let y = place - (x - a.bias()) + b.bias();
    let y = if (0..=top(b)).contains(&y) {
        y
    } else {
        rng.random_range(0..=top(b))
    };
    let spread = rng.random_range(0..8);
    let used = rng.random_range(1..=count);
    let mut row = |fields, field| -> Vec<u64> {
        let one = |index: usize| match index < used || rng.random_ratio(1, 4) {
            true if rng.random_ratio(9, 10) => near(rng, fields, field, spread),
            _ => rng.random_range(0..2) << (fields.exponent + fields.fraction + fields.dropped),
        };
        (0..count).map(one).collect()
    };
    let (rows_a, rows_b) = (row(a, x), row(b, y));
    let field = (x - a.bias()) + (y - b.bias()) + c.bias() + rng.random_range(-3..=3);
    let c = match rng.random_range(0..6) {
        0 => 0,
        1 => bits(rng, c),
        _ => near(rng, c, field.clamp(0, top(c)), spread),
    };
    (rows_a, rows_b, c)
}
