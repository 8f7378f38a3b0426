//! Inputs of a domain at which a wrong rule would show: the ends of what each operand may be, products beside the
//! exponents at which a unit flushes, cuts or overflows, sums that cancel, zeros of both signs, scales that differ.

use super::codes::{OperandCodes, codes_of};
use crate::claims::property::Domain;
use crate::inputs::kept_places;
use mmasmt_core::machines::algorithms::descriptions::ValueKind;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, Format};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::rc::Rc;

/// How far beside a critical exponent products and `c` are drawn.
const BESIDE: i64 = 2;

/// Draws inputs of a domain; the same seed draws the same ones.
pub(super) struct CriticalDraw<'x> {
    domain: &'x Domain,
    signature: Signature,
    /// The registers that are drawn for each operand, in the order of [`Registers::each`].
    ///
    /// [`Registers::each`]: mmasmt_core::machines::algorithms::Registers::each
    operands: Vec<Rc<OperandCodes>>,
    /// Exponents at which a product, a sum or a result is treated in another way.
    exponents: Vec<i64>,
    /// Distances below the greatest exponent at which bits are cut.
    places: Vec<i64>,
    rng: ChaCha8Rng,
}

impl<'x> CriticalDraw<'x> {
    /// Draws for these models, which have one signature; `None` for conversions, and if an operand admits no
    /// register that is known.
    pub fn of(
        models: &[&Model],
        domain: &'x Domain,
        specials: bool,
        seed: u64,
    ) -> Option<CriticalDraw<'x>> {
        let signature = models.first()?.signature();
        if signature.is_conversion() {
            return None;
        }
        let exponents = critical_exponents(models);
        let rows = signature.rows();
        let formats = rows.flat_map(|row| std::iter::repeat_n(row.format, row.length));
        let mut operands: Vec<Rc<OperandCodes>> = Vec::new();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (operand, format) in formats.enumerate() {
            // Neighbours mostly have the same assumptions.
            let alike = operands
                .last()
                .filter(|last| last.format == format && domain.treats_alike(operand - 1, operand));
            let registers = match alike {
                Some(last) => Rc::clone(last),
                None => Rc::new(codes_of(
                    domain, operand, &format, &exponents, specials, &mut rng,
                )?),
            };
            operands.push(registers);
        }
        let places = models.iter().flat_map(|model| kept_places(model));
        let mut places: Vec<i64> = places.map(i64::from).collect();
        places.sort_unstable();
        places.dedup();
        Some(CriticalDraw {
            domain,
            signature,
            operands,
            exponents,
            places,
            rng,
        })
    }

    /// All combinations of the registers of all operands, if these are at most `most`.
    pub fn all(&self, most: usize) -> Option<impl Iterator<Item = Inputs> + use<'x>> {
        let free = |operand: usize| !self.domain.is_bound(operand);
        let lists: Vec<Vec<u64>> = (0..self.operands.len())
            .map(|operand| match free(operand) {
                true => self.operands[operand].all().collect(),
                false => vec![0],
            })
            .collect();
        let count = lists
            .iter()
            .try_fold(1usize, |count, list| count.checked_mul(list.len()))?;
        let (domain, signature) = (self.domain, self.signature);
        let inputs = move |number: usize| {
            let mut rest = number;
            let registers = lists.iter().map(|list| {
                let register = list[rest % list.len()];
                rest /= list.len();
                register
            });
            inputs_of(&signature, domain, registers.collect::<Vec<_>>())
        };
        (count <= most).then(|| (0..count).map(inputs))
    }

    /// The next inputs, which may lie outside of the domain where operands are bound to others.
    pub fn draw(&mut self) -> Inputs {
        let count = self.signature.products as usize;
        let plain = self.operands.iter().map(|operand| operand.plain);
        let mut registers: Vec<u64> = plain.collect();
        // Beside many products the rest is hardly seen, so mostly few are no zeros.
        let active: Vec<usize> = match self.rng.random_range(0..5) {
            0 => (0..count).collect(),
            most => (0..most.min(3))
                .map(|_| self.rng.random_range(0..count.max(1)))
                .collect(),
        };
        for k in &active {
            registers[*k] = self.drawn(*k);
            registers[count + k] = self.drawn(count + k);
        }
        for (at, register) in registers.iter_mut().enumerate().skip(2 * count) {
            *register = self.drawn(at);
        }
        if !self.signature.is_integer() {
            match self.rng.random_range(0..4) {
                0 => {}
                1 => self.beside_exponents(&mut registers, &active),
                2 => self.cancelling(&mut registers, &active),
                _ => {
                    self.beside_exponents(&mut registers, &active);
                    self.cancelling(&mut registers, &active);
                }
            }
        }
        inputs_of(&self.signature, self.domain, registers)
    }

    fn drawn(&mut self, operand: usize) -> u64 {
        self.operands[operand].drawn(&mut self.rng)
    }

    /// Changes one factor of each of these products, and `c`, so that exponents lie beside critical ones.
    fn beside_exponents(&mut self, registers: &mut [u64], active: &[usize]) {
        let Signature { a, products, .. } = self.signature;
        let count = products as usize;
        let c = Dyadic::of(&self.signature.c, registers[2 * count]);
        let of_c = c.and_then(|c| c.leading_exponent());
        for k in active {
            let beside = self.rng.random_range(-BESIDE..=BESIDE);
            let below = self.places.choose(&mut self.rng).copied().unwrap_or(0);
            let target = match (self.rng.random_range(0..3), of_c) {
                (0, Some(of_c)) => Some(of_c - below),
                (1, _) | (_, None) => self.exponents.choose(&mut self.rng).copied(),
                (_, Some(of_c)) => Some(of_c),
            };
            let own = Dyadic::of(&a, registers[*k]).and_then(|own| own.leading_exponent());
            if let (Some(target), Some(own)) = (target, own) {
                let wanted = target + beside - own;
                let other = &self.operands[count + k];
                if let Some(register) = other.near(wanted, &mut self.rng) {
                    registers[count + k] = register;
                }
            }
        }
    }

    /// Makes a product the opposite of another, or `c` that of a product or of a number beside it.
    fn cancelling(&mut self, registers: &mut [u64], active: &[usize]) {
        let Signature { a, b, c, .. } = self.signature;
        let count = self.signature.products as usize;
        let Some(&from) = active.choose(&mut self.rng) else {
            return;
        };
        let to = active
            .choose(&mut self.rng)
            .copied()
            .filter(|to| *to != from);
        match to {
            Some(to) if self.rng.random() => {
                registers[to] = registers[from] ^ a.sign_mask();
                registers[count + to] = registers[count + from];
            }
            _ => {
                let factors = [
                    Dyadic::of(&a, registers[from]),
                    Dyadic::of(&b, registers[count + from]),
                ];
                let [Some(x), Some(y)] = factors else {
                    return;
                };
                if let Some(opposite) = nearest_below(&x.times(&y).negated(), &c) {
                    let beside = self.rng.random_range(0..3);
                    registers[2 * count] = match beside {
                        1 => opposite.saturating_add(1),
                        2 => opposite.saturating_sub(1),
                        _ => opposite,
                    } & mask(&c);
                }
            }
        }
    }
}

fn mask(format: &Format) -> u64 {
    u64::MAX >> (64 - format.width())
}

/// The register of the number, with the bits that the format has not cut off.
fn nearest_below(number: &Dyadic, format: &Format) -> Option<u64> {
    if let Some(register) = number.register(format) {
        return Some(register);
    }
    let excess = number.mantissa().bits() as i64 - i64::from(format.precision());
    let shift = u64::try_from(excess.max(0)).ok()?;
    let mantissa = number.mantissa() >> shift;
    Dyadic::new(mantissa, number.exponent() + shift as i64).register(format)
}

fn inputs_of(signature: &Signature, domain: &Domain, registers: Vec<u64>) -> Inputs {
    let mut next = registers.into_iter();
    let inputs = Inputs::zero(signature).map(signature, |_, plain| next.next().unwrap_or(*plain));
    domain.equalised(inputs)
}

/// The exponents of the least and greatest numbers of every format that the models have, and one.
fn critical_exponents(models: &[&Model]) -> Vec<i64> {
    let mut formats = Vec::new();
    for model in models {
        let Signature { a, b, c, d, .. } = model.signature();
        formats.extend([a, b, c, d]);
        let unit = model.algorithm().inside().operation();
        if let Some(description) = unit.and_then(|(unit, _)| unit.description()) {
            let nodes = description.program().nodes.iter();
            formats.extend(nodes.filter_map(|node| match node.kind {
                ValueKind::Register(format) => Some(format),
                ValueKind::Number(_) => None,
            }));
        }
    }
    let floats = formats.iter().filter(|format| !format.is_integer());
    let ends = floats.flat_map(|format| {
        [
            format.min_exponent(),
            format.least_exponent(),
            format.max_exponent(),
        ]
    });
    let mut exponents: Vec<i64> = ends.map(i64::from).chain([0]).collect();
    exponents.sort_unstable();
    exponents.dedup();
    exponents
}
