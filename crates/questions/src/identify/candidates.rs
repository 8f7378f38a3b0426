//! Inputs that may tell many models apart at once.
//!
//! Half are the directed samples of [`Sampler`]; some have a `c` far above few full products, which
//! shows where units that add it late cut twice. In the others two terms that cancel keep the largest
//! exponent high; the terms below them are runs of ones, bit after bit, under a lone bit of the other sign. Cut at F fraction bits, `2^-s - (2^-s-1 + 2^-s-2 + …)` is `2^-F`: another result
//! for each F, and small enough that rounding does not hide it.

use crate::vectors::Sampler;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::numbers::float::{Encoding, Format, NanCode};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws inputs; the same seed draws the same ones.
pub(super) struct InputDraws {
    signature: Signature,
    specials: bool,
    sampler: Sampler,
    rng: ChaCha8Rng,
}

impl InputDraws {
    /// Inputs of this signature, infinities and NaNs among them only with `specials`.
    pub fn new(signature: Signature, specials: bool, seed: u64) -> Self {
        InputDraws {
            signature,
            specials,
            sampler: Sampler::new(signature, seed),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next inputs.
    pub fn draw(&mut self) -> Inputs {
        let mut inputs = match self.rng.random_range(0..6) {
            _ if self.signature.is_integer() => self.sampler.sample(),
            0..3 => self.sampler.sample(),
            3 => self.distant(),
            _ => self.runs_of_ones(),
        };
        if self.specials && self.rng.random_bool(0.2) {
            inputs = self.with_one_changed(&inputs, |format, _, rng| special(format, rng));
        }
        inputs
    }

    /// Inputs near others: one or a few operands changed, or products exchanged.
    pub fn near(&mut self, inputs: &Inputs) -> Inputs {
        loop {
            let mut near = inputs.clone();
            for _ in 0..self.rng.random_range(1..4) {
                near = self.step(&near);
            }
            let finite = self.specials || near.is_finite(&self.signature);
            if finite && near != *inputs {
                return near;
            }
        }
    }

    fn step(&mut self, inputs: &Inputs) -> Inputs {
        let products = inputs.a.len();
        let mut near = inputs.clone();
        let (j, k) = (
            self.rng.random_range(0..products),
            self.rng.random_range(0..products),
        );
        match self.rng.random_range(0..12) {
            3 | 8.. if self.signature.is_integer() => {
                let by = self.rng.random_range(-8i64..=8) as u64;
                near = self.with_one_changed(inputs, |format, bits, _| {
                    bits.wrapping_add(by) & u64::MAX >> (64 - format.width())
                });
            }
            0 => {
                near.a.swap(j, k);
                near.b.swap(j, k);
            }
            1 => {
                let sign = if self.signature.a.has_negative_zero() {
                    self.signature.a.sign_mask()
                } else {
                    0
                };
                (near.a[j], near.b[j]) = (near.a[k] ^ sign, near.b[k]);
            }
            2 => (near.a[j], near.b[j]) = (0, 0),
            3 => {
                let exponent = self.rng.random_range(lowest(&self.signature)..20);
                self.product(&mut near, j, exponent, u64::MAX);
            }
            4 | 5 => near = self.with_one_changed(inputs, |format, _, rng| any(format, rng)),
            6 | 7 => {
                near = self.with_one_changed(inputs, |format, bits, rng| {
                    let bit = rng.random_range(format.unread_bits()..format.width());
                    bits ^ 1 << bit
                });
            }
            _ => {
                let by =
                    self.rng.random_range(1..8) * if self.rng.random_bool(0.5) { 1 } else { -1 };
                near = self.with_one_changed(inputs, |format, bits, _| shifted(format, bits, by));
            }
        }
        near
    }

    /// One operand as `change` makes it of its format and register.
    fn with_one_changed(
        &mut self,
        inputs: &Inputs,
        change: impl Fn(&Format, u64, &mut ChaCha8Rng) -> u64,
    ) -> Inputs {
        // c is one of many and decides as much as all others.
        if self.rng.random_bool(0.2) {
            let mut changed = inputs.clone();
            changed.c = change(&self.signature.c, inputs.c, &mut self.rng);
            return changed;
        }
        let operands = inputs.each(&self.signature).count();
        let which = self.rng.random_range(0..operands);
        let (mut at, rng) = (0, &mut self.rng);
        inputs.map(&self.signature, |format, bits| {
            at += 1;
            if at == which + 1 {
                change(format, *bits, rng)
            } else {
                *bits
            }
        })
    }

    /// Few products with full fractions, and `c` above them.
    fn distant(&mut self) -> Inputs {
        let signature = self.signature;
        let mut inputs = Inputs::zero(&signature);
        let centre = self.rng.random_range(-10..12);
        for _ in 0..self.rng.random_range(1..4) {
            let k = self.rng.random_range(0..inputs.a.len());
            let exponent = centre + self.rng.random_range(-2..=2);
            self.product(&mut inputs, k, exponent, u64::MAX);
            let mut fill = |format: &Format| {
                self.rng.random::<u64>() & format.max_fraction() << format.dropped_bits
            };
            inputs.a[k] ^= fill(&signature.a);
            inputs.b[k] ^= fill(&signature.b);
            if self.rng.random_bool(0.5) {
                inputs.a[k] ^= signature.a.sign_mask();
            }
        }
        let ones = signature.c.max_fraction();
        let fraction = [0, 0, ones, self.rng.random::<u64>() & ones][self.rng.random_range(0..4)];
        let above = self.rng.random_range(1..32);
        let negative = self.rng.random_bool(0.5);
        inputs.c = signature.c.register(centre + above, fraction, negative);
        if inputs.is_finite(&signature) {
            inputs
        } else {
            self.sampler.sample()
        }
    }

    fn runs_of_ones(&mut self) -> Inputs {
        let signature = self.signature;
        let mut inputs = Inputs::zero(&signature);
        let mut slots: Vec<usize> = (0..inputs.a.len()).collect();
        if self.rng.random_bool(0.5) {
            slots.shuffle(&mut self.rng);
        }
        let mut slots = slots.into_iter();
        let top = match self.rng.random_range(0..8) {
            0 | 1 => self.rng.random_range(lowest(&signature)..0),
            other => [0, 0, 10, 14, 20, 24][other - 2],
        };
        let negative = self.rng.random_bool(0.5);
        // What holds the exponent up: nothing, one term, or two that cancel.
        let holds = self.rng.random_range(0..4).min(2);
        let c_holds = slots.len() < 3 || self.rng.random_bool(0.2);
        for hold in 0..holds {
            let sign = negative ^ (hold == 1);
            match slots.next() {
                Some(k) if !(c_holds && hold == 1) => self.power(&mut inputs, k, top, sign),
                _ => inputs.c = signature.c.register(top, 0, sign),
            }
        }
        let mut exponent = top - self.rng.random_range(1..40);
        if let Some(k) = slots.next().filter(|_| self.rng.random_bool(0.8)) {
            self.power(&mut inputs, k, exponent, !negative);
            exponent -= 1;
        }
        let mut c_is_free = inputs.c == 0 && self.rng.random_bool(0.8);
        let runs = self.rng.random_range(1..5);
        for _ in 0..runs {
            let sign = negative ^ self.rng.random_bool(0.1);
            if c_is_free && self.rng.random_bool(0.5) {
                c_is_free = false;
                let ones = signature.c.max_fraction();
                inputs.c = signature.c.register(exponent, ones, sign);
                exponent -= signature.c.precision() as i32;
            } else if let Some(k) = slots.next() {
                let run = self.rng.random_range(0..=signature.a.fraction_bits);
                let ones = signature.a.max_fraction();
                self.product(&mut inputs, k, exponent, ones & !(ones >> run));
                inputs.a[k] ^= if sign { signature.a.sign_mask() } else { 0 };
                exponent -= run as i32 + 1;
            }
        }
        // A zero whose other factor has an exponent.
        if let Some(k) = slots.next().filter(|_| self.rng.random_bool(0.3)) {
            let exponent = self.rng.random_range(-2..=30);
            inputs.b[k] = signature.b.register(exponent, 0, false);
        }
        if inputs.is_finite(&signature) {
            inputs
        } else {
            self.sampler.sample()
        }
    }

    /// Product `k` of a power of two.
    fn power(&mut self, inputs: &mut Inputs, k: usize, exponent: i32, negative: bool) {
        self.product(inputs, k, exponent, 0);
        inputs.a[k] ^= if negative {
            self.signature.a.sign_mask()
        } else {
            0
        };
    }

    /// Product `k` with that exponent, if the formats reach it, and the fraction in one factor.
    fn product(&mut self, inputs: &mut Inputs, k: usize, exponent: i32, fraction: u64) {
        let Signature { a, b, .. } = self.signature;
        let for_a = (exponent / 2 + self.rng.random_range(-2..=2)).max(a.min_exponent());
        let for_b = (exponent - for_a).max(b.min_exponent());
        let ones = a.max_fraction();
        inputs.a[k] = a.register(exponent - for_b, fraction & ones, false);
        inputs.b[k] = b.register(for_b, 0, false);
    }
}

/// The least exponent worth a term: no lower than products reach, nor than results do.
fn lowest(signature: &Signature) -> i32 {
    let Signature { a, b, c, d, .. } = signature;
    let products = a.min_exponent() + b.min_exponent();
    products
        .min(c.min_exponent())
        .max(d.least_exponent() - 10)
        .min(-10)
}

/// A number of any exponent, its fraction simple or random.
fn any(format: &Format, rng: &mut ChaCha8Rng) -> u64 {
    if format.is_integer() {
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

/// The number times `2^by`, if that has an exponent field.
fn shifted(format: &Format, bits: u64, by: i64) -> u64 {
    let fields = format.fields(bits);
    let greatest = (1i64 << format.exponent_bits) - 1;
    let exponent = (fields.exponent as i64 + by).clamp(0, greatest) as u64;
    Encoding { exponent, ..fields }.register(format)
}

/// An infinity or a NaN, if the format has one.
fn special(format: &Format, rng: &mut ChaCha8Rng) -> u64 {
    match (format.has_infinity(), format.has_nan()) {
        (true, _) if rng.random_bool(0.5) => {
            let infinity = format.infinity();
            infinity
                | if rng.random_bool(0.5) {
                    format.sign_mask()
                } else {
                    0
                }
        }
        (_, true) => format.nan(NanCode::Quiet),
        _ => format.one(),
    }
}

#[cfg(test)]
mod tests {
    use super::{InputDraws, any, lowest, shifted};
    use mmasmt_core::machines::model::Model;
    use mmasmt_core::numbers::float::Format;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeSet;

    #[test]
    fn a_shift_changes_the_exponent_alone_and_stays_in_its_field() {
        for (format, bits, by, expected) in [
            (Format::E4M3, 0b1011_1010, 2, 0b1100_1010),
            (Format::E4M3, 0b0011_1101, -3, 0b0010_0101),
            (Format::E4M3, 0b1001_0001, -7, 0b1000_0001),
            (Format::E4M3, 0b0111_0110, 7, 0b0111_1110),
            (Format::TF32, 0x3f80_2000, 1, 0x4000_2000),
        ] {
            assert_eq!(shifted(&format, bits, by), expected, "{bits:b} by {by}");
        }
    }

    #[test]
    fn any_number_is_drawn_and_nothing_else() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for format in [Format::E4M3, Format::E5M2, Format::F16] {
            let drawn: Vec<u64> = (0..4000).map(|_| any(&format, &mut rng)).collect();
            assert!(drawn.iter().all(|bits| format.is_finite(*bits)));
            let ones = format.max_fraction();
            let magnitudes = drawn.iter().map(|bits| format.magnitude(*bits));
            let (fields, fractions): (Vec<u64>, Vec<u64>) = magnitudes
                .map(|code| (code / format.code(1, 0), code & ones))
                .unzip();
            // Subnormal numbers and those of the middle, with simple fractions and with any.
            for field in [0, 1, format.field_of(0) as u64] {
                assert!(fields.contains(&field), "{}: {field}", format.name());
            }
            let kinds = fractions.into_iter().collect::<BTreeSet<u64>>().len();
            assert!(
                kinds >= 700.min(ones as usize + 1),
                "{}: {kinds}",
                format.name()
            );
            let near_one = |field: &&u64| field.abs_diff(format.field_of(0) as u64) <= 3;
            assert!(fields.iter().filter(near_one).count() >= 200);
        }
    }

    #[test]
    fn exponents_reach_down_to_products_or_below_results() {
        for (model, expected) in [
            // Products reach down to 2^-28, and results to 2^-24.
            ("fda:K=2,in=f16,out=f16", -28),
            // Products are above the least exponents of c.
            ("fda:K=2,in=f16,out=f32", -126),
            // They are far below the least results.
            ("fda:K=2,in=bf16,out=f16", -34),
        ] {
            let signature = Model::parse(model).unwrap().signature();
            assert_eq!(lowest(&signature), expected, "{model}");
        }
    }

    /// What a seed draws is what it drew before: sets of inputs can be made again.
    #[test]
    fn a_seed_draws_what_it_always_drew() {
        for (model, expected) in [
            ("fda:K=4,in=f16", 0xa799_40e3_3bdd_7d02u64),
            ("fda:K=8,in=e4m3,out=f16", 0xc1d9_166a_31f9_0b78),
        ] {
            let signature = Model::parse(model).unwrap().signature();
            let mut candidates = InputDraws::new(signature, true, 7);
            let mut sum = 0xcbf2_9ce4_8422_2325u64;
            for _ in 0..2000 {
                let drawn = candidates.draw();
                let near = candidates.near(&drawn);
                for byte in [drawn, near]
                    .iter()
                    .flat_map(|x| x.to_line(&signature).into_bytes())
                {
                    // FNV-1a.
                    sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
            assert_eq!(sum, expected, "{model}: {sum:#018x}");
        }
    }
}
