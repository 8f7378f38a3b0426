//! Makes small random changes of inputs. The changed inputs are the neighbours that a search tries.

use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Encoding, Format};
use rand::{Rng, RngExt};

/// How inputs are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Up to three registers are changed: in each, one bit is flipped, the code goes one up or
    /// down, or the register of another place in the same row is copied.
    Registers,
    /// One register or product is changed, copied or exchanged; or, in a run of consecutive
    /// products, the same bit is flipped in each of them, or all of them are made equal.
    Runs,
    /// One operand or product is replaced by another number, by zero, or by the negative of another
    /// product; or its exponent or one of its bits is changed; or two products are exchanged.
    Numbers,
}

impl Change {
    /// The inputs with one random change of this kind.
    pub fn of(self, signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
        match self {
            _ if signature.is_conversion() => registers(signature, inputs, rng),
            Change::Registers => registers(signature, inputs, rng),
            Change::Runs => runs(signature, inputs, rng),
            Change::Numbers => numbers(signature, inputs, rng),
        }
    }
}

fn registers(signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
    let rows: Vec<_> = signature.rows().collect();
    let mut changed = inputs.clone();
    for _ in 0..rng.random_range(1..=3) {
        let row = rows[rng.random_range(0..rows.len())];
        let at = rng.random_range(0..row.length);
        let from = rng.random_range(0..row.length);
        let mask = u64::MAX >> (64 - row.format.width());
        let flipped = bit(&row.format, rng);
        let registers = changed.row_mut(row.operand);
        registers[at] = match rng.random_range(0..4) {
            0 => registers[from],
            1 => registers[at].wrapping_add(1) & mask,
            2 => registers[at].wrapping_sub(1) & mask,
            _ => registers[at] ^ flipped,
        };
    }
    changed
}

fn runs(signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
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

fn numbers(signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
    let Signature { a, .. } = signature;
    let mut near = inputs.clone();
    let count = near.a.len();
    let (j, k) = (rng.random_range(0..count), rng.random_range(0..count));
    match rng.random_range(0..12) {
        3 | 8.. if signature.is_integer() => {
            let by = rng.random_range(-8i64..=8) as u64;
            return with_one_changed(signature, inputs, rng, |format, bits, _| {
                bits.wrapping_add(by) & u64::MAX >> (64 - format.width())
            });
        }
        0 => {
            near.a.swap(j, k);
            near.b.swap(j, k);
        }
        1 => {
            let sign = if a.has_negative_zero() {
                a.sign_mask()
            } else {
                0
            };
            (near.a[j], near.b[j]) = (near.a[k] ^ sign, near.b[k]);
        }
        2 => (near.a[j], near.b[j]) = (0, 0),
        3 => {
            let exponent = rng.random_range(lowest(signature)..20);
            (near.a[j], near.b[j]) = product(signature, exponent, u64::MAX, rng);
        }
        4 | 5 => return with_one_changed(signature, inputs, rng, any),
        6 | 7 => {
            return with_one_changed(signature, inputs, rng, |format, bits, rng| {
                bits ^ 1 << rng.random_range(format.unread_bits()..format.width())
            });
        }
        _ => {
            let by = rng.random_range(1..8) * if rng.random_bool(0.5) { 1 } else { -1 };
            return with_one_changed(signature, inputs, rng, |format, bits, _| {
                shifted(format, bits, by)
            });
        }
    }
    near
}

/// The inputs with one operand replaced; `change` makes the new register from the operand's format
/// and old register.
pub(super) fn with_one_changed<R: Rng>(
    signature: &Signature,
    inputs: &Inputs,
    rng: &mut R,
    change: impl Fn(&Format, u64, &mut R) -> u64,
) -> Inputs {
    // `c` is only one of many operands, but matters as much as all others together. So it is chosen
    // more often than each of them.
    if rng.random_bool(0.2) && signature.has_c() {
        let mut changed = inputs.clone();
        changed.c = change(&signature.c, inputs.c, rng);
        return changed;
    }
    let which = rng.random_range(0..inputs.each(signature).count());
    let mut at = 0;
    inputs.map(signature, |format, bits| {
        at += 1;
        // The `c` of a unit that has none comes last.
        if at == which + 1 {
            change(format, *bits, rng)
        } else {
            *bits
        }
    })
}

/// Two factors whose product has the exponent `exponent`, if the formats reach it; the first factor
/// has the fraction `fraction`, and the second is a power of two.
pub(super) fn product(
    signature: &Signature,
    exponent: i32,
    fraction: u64,
    rng: &mut impl Rng,
) -> (u64, u64) {
    let Signature { a, b, .. } = signature;
    let for_a = (exponent / 2 + rng.random_range(-2..=2)).max(a.min_exponent());
    let for_b = (exponent - for_a).max(b.min_exponent());
    let first = a.register(exponent - for_b, fraction & a.max_fraction(), false);
    (first, b.register(for_b, 0, false))
}

/// A register with one random bit set.
fn bit(format: &Format, rng: &mut impl Rng) -> u64 {
    1 << rng.random_range(0..format.width())
}

/// The register of the next number, or of the number with the next exponent and the same fraction;
/// in both cases up or down.
fn next(format: &Format, register: u64, rng: &mut impl Rng) -> u64 {
    let sign = register & format.sign_mask();
    let by = if rng.random() {
        1
    } else {
        1 << format.fraction_bits
    };
    let code = if rng.random() {
        (register ^ sign).saturating_add(by)
    } else {
        (register ^ sign).saturating_sub(by)
    };
    code.min(format.max_finite()) | sign
}

/// The least exponent that is of use for a term: terms below it are out of reach of products and of
/// `c`, or far below the least result.
pub fn lowest(signature: &Signature) -> i32 {
    let Signature { a, b, c, d, .. } = signature;
    let products = a.min_exponent() + b.min_exponent();
    products
        .min(c.min_exponent())
        .max(d.least_exponent() - 10)
        .min(-10)
}

/// A number of any exponent, with a simple or a random fraction.
pub fn any(format: &Format, _: u64, rng: &mut impl Rng) -> u64 {
    if !format.has_fields() {
        return rng.random::<u64>() >> (64 - format.width());
    }
    let ones = format.max_fraction();
    let fraction = match rng.random_range(0..4) {
        0 => 0,
        1 => ones,
        _ => rng.random::<u64>() & ones,
    };
    let least = format.min_exponent().max(-50);
    let exponent = match rng.random_range(0..12) {
        0 => format.min_exponent() - 1,
        1 => rng.random_range(format.min_exponent()..=least.max(20)),
        _ => rng.random_range(least..=least.max(20)),
    };
    format.register(exponent, fraction, rng.random_bool(0.5))
}

/// The number `bits` with `by` added to its exponent field. If the field leaves its range, it
/// becomes the nearest end of the range.
pub fn shifted(format: &Format, bits: u64, by: i64) -> u64 {
    let fields = format.fields(bits);
    let greatest = (1i64 << format.exponent_bits) - 1;
    let exponent = (fields.exponent as i64 + by).clamp(0, greatest) as u64;
    Encoding { exponent, ..fields }.register(format)
}
