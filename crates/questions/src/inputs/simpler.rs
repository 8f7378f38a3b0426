//! Makes a witness simpler by small changes, as a person would; the simulators check each change.

use super::climb::Climb;
use super::simplicity::{Simplicity, simplicity};
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Encoding, Format};
use std::cmp::Reverse;

/// The simplest inputs that a sequence of single changes leads to, where `is_witness` holds after
/// each change. `put` is applied to what a change makes: it sets operands that others decide.
pub fn simplified(
    signature: &Signature,
    inputs: Inputs,
    put: impl Fn(Inputs) -> Inputs,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
    limits: &Limits,
) -> Inputs {
    let measure = |inputs: &Inputs| simplicity(signature, inputs);
    simplified_by(measure, signature, inputs, put, is_witness, limits)
}

/// The same, where `measure` says how simple inputs are.
pub fn simplified_by(
    measure: impl Fn(&Inputs) -> Simplicity,
    signature: &Signature,
    inputs: Inputs,
    put: impl Fn(Inputs) -> Inputs,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
    limits: &Limits,
) -> Inputs {
    let measure = |inputs: &Inputs| Reverse(measure(inputs));
    let mut climb = Climb {
        score: |inputs: &Inputs, least: &Reverse<Simplicity>| {
            let score = measure(inputs);
            (score > *least && is_witness(inputs)).then_some(score)
        },
        highest: None,
        limits,
    };
    let mut best = (inputs.clone(), measure(&inputs));
    loop {
        let before = best.1;
        let all: &[Moves] = match signature.is_conversion() {
            true => &[single, pairs],
            false => &[drop_products, together, single, scale, pairs, signs],
        };
        for moves in all {
            let from = best.0.clone();
            let changed = moves(signature, &from).map(&put);
            best = climb.best(changed, best.1).unwrap_or(best);
        }
        if best.1 == before || limits.stopped().is_some() {
            return best.0;
        }
    }
}

/// The simplest of the inputs and of those that are tried, where `is_witness` holds.
pub fn simplest(
    measure: impl Fn(&Inputs) -> Simplicity,
    inputs: Inputs,
    tried: impl Iterator<Item = Inputs>,
    is_witness: &mut impl FnMut(&Inputs) -> bool,
    limits: &Limits,
) -> Inputs {
    let measure = |inputs: &Inputs| Reverse(measure(inputs));
    let least = measure(&inputs);
    let mut climb = Climb {
        score: |inputs: &Inputs, least: &Reverse<Simplicity>| {
            let score = measure(inputs);
            (score > *least && is_witness(inputs)).then_some(score)
        },
        highest: None,
        limits,
    };
    let best = climb.best(tried, least);
    best.map_or(inputs, |(best, _)| best)
}

/// A function that yields changed copies of inputs. Each copy is made only when it is tried, since
/// inputs of many products are large.
type Moves = for<'x> fn(&'x Signature, &'x Inputs) -> SimplerInputs<'x>;
type SimplerInputs<'x> = Box<dyn Iterator<Item = Inputs> + 'x>;

fn edited(inputs: &Inputs, edit: impl FnOnce(&mut Inputs)) -> Inputs {
    let mut copy = inputs.clone();
    edit(&mut copy);
    copy
}

/// Copies of the inputs in which one product is set to zero, or moved to an earlier place where
/// both factors are zero.
fn drop_products<'x>(_: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let is_zero = |k: usize| inputs.a[k] == 0 && inputs.b[k] == 0;
    let used = (0..inputs.a.len()).filter(move |&k| !is_zero(k));
    Box::new(used.flat_map(move |k| {
        let dropped = std::iter::once_with(move || edited(inputs, |x| (x.a[k], x.b[k]) = (0, 0)));
        let moved = (0..k).filter(move |&earlier| is_zero(earlier));
        dropped.chain(moved.map(move |earlier| {
            edited(inputs, |x| {
                x.a.swap(earlier, k);
                x.b.swap(earlier, k);
            })
        }))
    }))
}

/// Copies of the inputs in which all factors with the same register change alike, or in which all
/// non-zero factors take the register of one of them.
fn together<'x>(signature: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let mut registers: Vec<u64> = inputs.a.iter().chain(&inputs.b).copied().collect();
    registers.sort_unstable();
    registers.dedup();
    registers.retain(|register| *register != 0);
    if signature.a != signature.b || registers.len() > 32 {
        return Box::new(std::iter::empty());
    }
    let replaced = move |which: &dyn Fn(u64) -> bool, new: u64| {
        edited(inputs, |x| {
            for slot in x.a.iter_mut().chain(&mut x.b).filter(|slot| which(**slot)) {
                *slot = new;
            }
        })
    };
    Box::new(registers.into_iter().flat_map(move |register| {
        let all = std::iter::once_with(move || replaced(&|old| old != 0, register));
        let changes = changes(&signature.a, register).into_iter();
        all.chain(changes.map(move |change| replaced(&|old| old == register, change)))
    }))
}

/// Copies of the inputs in which one operand is simpler.
fn single<'x>(signature: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let operands = operands(signature, inputs).into_iter();
    Box::new(operands.flat_map(move |(slot, format, register)| {
        let changes = changes(&format, register).into_iter();
        changes.map(move |change| edited(inputs, |x| *place(x, slot) = change))
    }))
}

/// Copies of the inputs in which all terms are scaled by one power of two. In every product, this
/// power multiplies the factor of A, or the factor of B, or is split evenly between the two.
fn scale<'x>(signature: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let scaled = move |by: i64, share: fn(i64) -> (i64, i64)| {
        let (for_a, for_b) = share(by);
        let mut copy = inputs.clone();
        for (slot, format, _) in operands(signature, inputs) {
            let by = match slot.0 {
                Operand::C => by,
                Operand::A => for_a,
                Operand::B => for_b,
                Operand::AScales | Operand::BScales => 0,
            };
            let register = place(&mut copy, slot);
            *register = moved(&format, *register, by)?;
        }
        Some(copy)
    };
    let shares: [fn(i64) -> (i64, i64); 3] =
        [|by| (by / 2, by - by / 2), |by| (by, 0), |by| (0, by)];
    let c_exponent = exponent(&signature.c, inputs.c);
    let mut steps = vec![-c_exponent, -1, 1, -2, 2];
    steps.extend([-c_exponent / 2, 4, -4, 8, -8]);
    let scaled = move |by| {
        shares
            .into_iter()
            .filter_map(move |share| scaled(by, share))
    };
    Box::new(steps.into_iter().flat_map(scaled))
}

/// Copies of the inputs in which one operand is multiplied by a power of two, and another operand
/// by the inverse of this power or by the same power.
fn pairs<'x>(signature: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let operands = operands(signature, inputs);
    if operands.len() > 12 {
        return Box::new(std::iter::empty());
    }
    let mut all = Vec::new();
    for (first, format, register) in &operands {
        for (second, other_format, other) in operands.iter().filter(|other| other.0 != *first) {
            let whole = -exponent(format, *register);
            let steps = [whole, whole / 2, -whole.signum(), whole.signum()];
            for (by, opposite) in steps.into_iter().flat_map(|by| [(by, -by), (by, by)]) {
                let moves = (
                    moved(format, *register, by),
                    moved(other_format, *other, opposite),
                );
                if let (Some(new), Some(new_other)) = moves {
                    all.push(edited(inputs, |x| {
                        *place(x, *first) = new;
                        *place(x, *second) = new_other;
                    }));
                }
            }
        }
    }
    Box::new(all.into_iter())
}

/// Copies of the inputs with other signs: both factors of one product are made positive, or both
/// are negated if the factor of B is negative, or every term is negated.
fn signs<'x>(signature: &'x Signature, inputs: &'x Inputs) -> SimplerInputs<'x> {
    let sign = Format::sign_mask;
    let (a, b, c) = (sign(&signature.a), sign(&signature.b), sign(&signature.c));
    let both = (0..inputs.a.len()).map(move |k| {
        edited(inputs, |x| {
            x.a[k] &= !a;
            x.b[k] &= !b;
        })
    });
    let swapped = (0..inputs.a.len())
        .filter(move |&k| inputs.b[k] & b != 0)
        .map(move |k| {
            edited(inputs, |x| {
                x.a[k] ^= a;
                x.b[k] ^= b;
            })
        });
    let negated = edited(inputs, |x| {
        x.c ^= c;
        for (x, y) in
            x.a.iter_mut()
                .zip(&x.b)
                .filter(|(x, y)| **x != 0 || **y != 0)
        {
            *x ^= if y & b == 0 { a } else { 0 };
        }
        for y in &mut x.b {
            *y &= !b;
        }
    });
    Box::new(both.chain(swapped).chain([negated]))
}

/// The position of an operand: its row, and its index in the row.
type Slot = (Operand, usize);

fn place(inputs: &mut Inputs, (operand, number): Slot) -> &mut u64 {
    &mut inputs.row_mut(operand)[number]
}

/// The operands that are not +0 and the scales that are not 1, with their formats and registers.
fn operands(signature: &Signature, inputs: &Inputs) -> Vec<(Slot, Format, u64)> {
    let mut all = Vec::new();
    for row in signature.rows_in_line() {
        let registers = inputs.row(row.operand).iter().copied().enumerate();
        let others = registers.filter(|(_, register)| *register != row.plain);
        all.extend(others.map(|(k, register)| ((row.operand, k), row.format, register)));
    }
    all
}

/// The exponent of a number; 0 if the number is zero.
fn exponent(format: &Format, register: u64) -> i64 {
    let magnitude = format.magnitude(register);
    if magnitude == 0 {
        return 0;
    }
    if format.is_integer() {
        return magnitude.ilog2().into();
    }
    format.fields(register).exponent.max(1) as i64 - i64::from(format.bias())
}

/// A normal number times `2^by`, or `None` if the result is not a normal number; an integer times
/// `2^by`, or `None` if the result is not an integer of the format.
fn moved(format: &Format, register: u64, by: i64) -> Option<u64> {
    if format.is_integer() {
        return Dyadic::of(format, register)?.shifted(by).register(format);
    }
    let fields = format.fields(register);
    let exponent = u64::try_from(fields.exponent as i64 + by).ok()?;
    let normal = 1..=format.max_exponent_field();
    let is_normal = fields.exponent > 0 && normal.contains(&exponent);
    is_normal.then(|| Encoding { exponent, ..fields }.register(format))
}

/// Registers that are simpler than `register`: zero, one, powers of two, and the number without its
/// sign, with fewer bits, or with an exponent nearer to 0.
fn changes(format: &Format, register: u64) -> Vec<u64> {
    if !format.has_fields() {
        return smaller(format, register);
    }
    let fields = format.fields(register);
    let bias = format.bias() as u64;
    let with_exponent = |exponent: u64| Encoding { exponent, ..fields }.register(format);
    let power = |exponent: u64| {
        let (fraction, dropped) = (0, 0);
        let fields = Encoding {
            exponent,
            fraction,
            dropped,
            ..fields
        };
        fields.register(format)
    };
    let positive = Encoding {
        negative: false,
        ..fields
    };
    let mut all = vec![
        0,
        format.one(),
        power(bias),
        power(fields.exponent),
        positive.register(format),
    ];
    let below_exponent = format.dropped_bits + format.fraction_bits;
    all.extend(
        (0..below_exponent)
            .filter(|bit| register >> bit & 1 == 1)
            .map(|bit| register & !(1 << bit)),
    );
    let toward = if fields.exponent > bias {
        fields.exponent - 1
    } else {
        fields.exponent + 1
    };
    let nearer = [bias, u64::midpoint(fields.exponent, bias), toward];
    all.extend(nearer.map(with_exponent));
    // These candidates have the fraction 0, since the fraction of a subnormal number contains its
    // leading one, which a normal number has outside of the fraction.
    all.extend(nearer.map(power));
    all
}

/// Integers that are simpler than the one in `register`: zero, one, its magnitude, and integers
/// with fewer bits or nearer to 0.
fn smaller(format: &Format, register: u64) -> Vec<u64> {
    let (negative, magnitude) = (format.is_negative(register), format.magnitude(register));
    let highest = magnitude.checked_ilog2().unwrap_or(0);
    let mut all = vec![0, format.one(), magnitude.min(format.max_finite())];
    let with_magnitude = |magnitude| format.signed(negative, magnitude);
    all.extend((0..=highest).map(|bit| with_magnitude(1 << bit)));
    all.extend((0..=highest).map(|bit| with_magnitude(magnitude & !(1 << bit))));
    all.extend([magnitude / 2, magnitude.saturating_sub(1)].map(with_magnitude));
    all
}
