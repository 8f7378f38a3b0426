//! Small changes of operands.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::numbers::float::Format;
use rand::{Rng, RngExt};

/// One small change: of a register, of a run of products, or two products made alike.
pub(super) fn changed(signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
    let Signature { a, b, c, .. } = signature;
    let mut other = inputs.clone();
    let count = other.a.len();
    let (k, from) = (rng.random_range(0..count), rng.random_range(0..count));
    let end = rng.random_range(k..=count);
    match rng.random_range(0..10) {
        0 => other.c ^= bit(c, rng),
        1 => other.c = next(c, other.c, rng),
        2 => (other.a[k], other.b[k]) = (other.a[from], other.b[from]),
        3 => other.a[k] ^= bit(a, rng),
        4 => other.b[k] ^= bit(b, rng),
        5 => {
            other.a[k] = next(a, other.a[k], rng);
            other.b[k] = next(b, other.b[k], rng);
        }
        6 => {
            let flipped = bit(a, rng);
            other.a[k..end].iter_mut().for_each(|x| *x ^= flipped);
        }
        7 => {
            let flipped = bit(b, rng);
            other.b[k..end].iter_mut().for_each(|x| *x ^= flipped);
        }
        8 => {
            let (x, y) = (other.a[from], other.b[from]);
            other.a[k..end].fill(x);
            other.b[k..end].fill(y);
        }
        _ => {
            other.a.swap(k, from);
            other.b.swap(k, from);
        }
    }
    other
}

/// One bit of a register.
fn bit(format: &Format, rng: &mut impl Rng) -> u64 {
    1 << rng.random_range(0..format.width())
}

/// The next register, up or down, or the one with the next exponent.
fn next(format: &Format, register: u64, rng: &mut impl Rng) -> u64 {
    let sign = register & format.sign_mask();
    let by = match rng.random() {
        true => 1,
        false => 1 << format.fraction_bits,
    };
    let code = match rng.random() {
        true => (register ^ sign).saturating_add(by),
        false => (register ^ sign).saturating_sub(by),
    };
    code.min(format.max_finite()) | sign
}
