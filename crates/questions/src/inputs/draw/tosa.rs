//! The data of TOSA's test of dot products (appendix A of the specification, sets S = 0 to 5), as a product of matrices
//! with 32 columns: vector `n` is element `n / 6` of set `n % 6`.
//!
//! Block-scaled operands are the data in f32, cast as OCP MX says: the scale of a block is the power of two that brings its
//! greatest magnitude to the greatest exponent of the elements; a scale that is no power of two brings it to their greatest
//! number.

use super::reals::{cast, register, value};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;

/// The number of sets.
const SETS: u64 = 6;
/// Columns of the second matrix.
const COLUMNS: u64 = 32;

/// The inputs with this number.
pub fn inputs(signature: &Signature, number: u64) -> Inputs {
    let (set, element) = (number % SETS, number / SETS);
    let (row, column) = (element / COLUMNS, element % COLUMNS);
    let count = u64::from(signature.products);
    let Signature { a, b, c, d, .. } = signature;
    let elements = match signature.scales {
        None => [*a, *b],
        Some(_) => [Format::F32; 2],
    };
    let data = Data {
        set,
        count,
        bound: greatest(elements, d),
    };
    let values: [Vec<f64>; 2] = [
        (0..count)
            .map(|k| data.factor(0, k, row * count + k))
            .collect(),
        (0..count)
            .map(|k| data.factor(1, k, k * COLUMNS + column))
            .collect(),
    ];
    let c = register(c, data.addend(column));
    let Some(scales) = signature.scales else {
        let [left, right] = [(&values[0], a), (&values[1], b)]
            .map(|(row, format)| row.iter().map(|x| register(format, *x)).collect());
        return Inputs::new(left, right, c);
    };
    let block = scales.block as usize;
    let [left, right] = [(&values[0], a), (&values[1], b)].map(|(row, format)| {
        let blocks = row
            .chunks(block)
            .map(|part| cast(part, format, &scales.format));
        let (elements, scales): (Vec<_>, Vec<_>) = blocks.unzip();
        (elements.concat(), scales)
    });
    Inputs {
        a_scales: left.1,
        b_scales: right.1,
        ..Inputs::new(left.0, right.0, c)
    }
}

/// A set for dot products of `count` terms; `bound` is the greatest factor, B.
struct Data {
    set: u64,
    count: u64,
    bound: f64,
}

impl Data {
    /// A factor of the first (`side` 0) or second operand: `k` is its place in the sum, `i` its place in
    /// the matrix.
    fn factor(&self, side: u64, k: u64, i: u64) -> f64 {
        let at = |stream: u64, index: u64| pseudo_random(3 * self.set + stream, index);
        let own = |index: u64| at(side, index);
        let root = (self.count as f64).sqrt();
        let first = k == 0;
        // Sets 0 and 4 have a zero on one side of each product.
        let is_zero = (at(0, i) < 0.0) == (side == 0);
        match self.set {
            0 if is_zero => 0.0,
            0 => at(1, i),
            1 => {
                self.bound / (self.count as f64 + 1.0).sqrt() * large([own(2 * i), own(2 * i + 1)])
            }
            2 if first => 1.0,
            2 => own(i) / root,
            3 if first => 16.0_f64.copysign(own(2 * i)),
            3 => exponential(2.0 * own(2 * i)) * own(2 * i + 1),
            4 if k == self.count / 2 => 0.5_f64.copysign(if is_zero { -1.0 } else { 1.0 }),
            4 if is_zero => 0.0,
            4 => self.bound / root * at(1, i),
            _ => self.bound / root * own(i),
        }
    }

    fn addend(&self, i: u64) -> f64 {
        match self.set {
            1 => {
                let at = |index: u64| pseudo_random(3 * self.set + 2, index);
                let scale = self.bound * self.bound / (self.count as f64 + 1.0);
                scale * large([at(2 * i), at(2 * i + 1)])
            }
            _ => 0.0,
        }
    }
}

/// A number of magnitude 0.5 to 1.
fn large([sign, rest]: [f64; 2]) -> f64 {
    0.75_f64.copysign(sign) + 0.25 * rest
}

/// Number `index` of the pseudo-random sequence of a set, in -1 to 1: the state is `r * m + 1` of the one before, modulo
/// 2^32, and begins at `m + 1`.
pub fn pseudo_random(set: u64, index: u64) -> f64 {
    let multiplier = (8 * set as u32 + 1).wrapping_mul(0x705A_5E75);
    // The step, applied `index` times by squaring.
    let (mut state, mut factor, mut summand) = (multiplier.wrapping_add(1), multiplier, 1u32);
    let mut left = index;
    while left > 0 {
        if left % 2 == 1 {
            state = state.wrapping_mul(factor).wrapping_add(summand);
        }
        summand = summand.wrapping_mul(factor).wrapping_add(summand);
        factor = factor.wrapping_mul(factor);
        left /= 2;
    }
    let magnitude = (state & 0x7fff_ffff) as f32 / 0x7fff_ffff as f32;
    f64::from(if state >> 31 == 0 {
        magnitude
    } else {
        -magnitude
    })
}

/// e to the power of `x`, which lies in -2 to 2. The function of the system may differ from one to the
/// other.
pub fn exponential(x: f64) -> f64 {
    (1..40)
        .rev()
        .fold(1.0, |sum, n| 1.0 + x / f64::from(n) * sum)
}

/// The greatest number B that both formats have, with B * B not above the greatest number of `result`.
pub fn greatest([a, b]: [Format; 2], result: &Format) -> f64 {
    let most = value(result, result.register_of(result.max_finite()));
    let narrow = if a.max_finite() <= b.max_finite() {
        a
    } else {
        b
    };
    let fits = |code: u64| {
        let x = value(&narrow, narrow.register_of(code));
        x * x <= most
    };
    let (mut least, mut beyond) = (0, narrow.max_finite() + 1);
    while beyond - least > 1 {
        let middle = least + (beyond - least) / 2;
        match fits(middle) {
            true => least = middle,
            false => beyond = middle,
        }
    }
    let codes = (0..=least).rev();
    let mut numbers = codes.map(|code| value(&narrow, narrow.register_of(code)));
    let has = |format: &Format, x: f64| value(format, register(format, x)) == x;
    numbers
        .find(|x| has(&a, *x) && has(&b, *x))
        .unwrap_or_default()
}
