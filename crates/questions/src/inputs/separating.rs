//! Inputs that may tell many models apart at once.
//!
//! Half of the inputs are the directed samples of [`Sampler`]. In some of the other inputs, `c` is
//! far above a few products that use all fraction bits; such inputs show where a unit that adds `c`
//! late cuts bits twice. In the rest, two terms that cancel keep the largest exponent high. The
//! terms below them are runs of ones, bit after bit, under a lone bit of the opposite sign. If a
//! unit cuts at F fraction bits, `2^-s - (2^-s-1 + 2^-s-2 + …)` is `2^-F`: each F gives another
//! result, which is so small that rounding does not hide it.

use super::change::{Change, lowest, product, with_one_changed};
use super::draw::{Sampler, has_integers};
use super::interface::Interface;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Format, NanCode};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws inputs that may tell many models apart; the same seed draws the same inputs.
pub struct SeparatingDraws {
    signature: Signature,
    interface: Interface,
    specials: bool,
    sampler: Sampler,
    rng: ChaCha8Rng,
}

impl SeparatingDraws {
    /// Draws inputs of these operands; they contain infinities and NaNs only if `specials` holds.
    pub fn new(interface: impl Into<Interface>, specials: bool, seed: u64) -> Self {
        let interface = interface.into();
        let signature = interface.signature;
        SeparatingDraws {
            signature,
            interface,
            specials,
            sampler: Sampler::new(signature, seed),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next inputs.
    pub fn draw(&mut self) -> Inputs {
        let mut inputs = match self.rng.random_range(0..6) {
            _ if has_integers(&self.signature) => self.sampler.sample(),
            0..3 => self.sampler.sample(),
            3 => self.distant(),
            _ => self.runs_of_ones(),
        };
        if !inputs.is_finite(&self.signature) {
            inputs = self.sampler.sample();
        }
        if self.specials && self.rng.random_bool(0.2) {
            inputs = with_one_changed(&self.signature, &inputs, &mut self.rng, special);
        }
        self.interface.taken(inputs)
    }

    /// Inputs near `inputs`: one or a few operands are changed, or products are exchanged.
    pub fn near(&mut self, inputs: &Inputs) -> Inputs {
        loop {
            let mut near = inputs.clone();
            for _ in 0..self.rng.random_range(1..4) {
                near = Change::Numbers.of(&self.signature, &near, &mut self.rng);
            }
            near = self.interface.taken(near);
            let finite = self.specials || near.is_finite(&self.signature);
            if finite && near != *inputs {
                return near;
            }
        }
    }

    /// Draws a few products that use all fraction bits, and a `c` above them.
    fn distant(&mut self) -> Inputs {
        let signature = self.signature;
        let mut inputs = Inputs::zero(&signature);
        let centre = self.rng.random_range(-10..12);
        for _ in 0..self.rng.random_range(1..4) {
            let k = self.rng.random_range(0..inputs.a.len());
            let exponent = centre + self.rng.random_range(-2..=2);
            (inputs.a[k], inputs.b[k]) = product(&signature, exponent, u64::MAX, &mut self.rng);
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
        inputs
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
        // The number of terms that keep the largest exponent high: none, one, or two that cancel.
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
                (inputs.a[k], inputs.b[k]) =
                    product(&signature, exponent, ones & !(ones >> run), &mut self.rng);
                inputs.a[k] ^= if sign { signature.a.sign_mask() } else { 0 };
                exponent -= run as i32 + 1;
            }
        }
        // Adds a product of a zero and a nonzero factor; a unit may use the nonzero one's exponent.
        if let Some(k) = slots.next().filter(|_| self.rng.random_bool(0.3)) {
            let exponent = self.rng.random_range(-2..=30);
            inputs.b[k] = signature.b.register(exponent, 0, false);
        }
        inputs
    }

    /// Sets product `k` to a power of two.
    fn power(&mut self, inputs: &mut Inputs, k: usize, exponent: i32, negative: bool) {
        (inputs.a[k], inputs.b[k]) = product(&self.signature, exponent, 0, &mut self.rng);
        inputs.a[k] ^= if negative {
            self.signature.a.sign_mask()
        } else {
            0
        };
    }
}

/// An infinity or a NaN; 1 if the format has neither.
fn special(format: &Format, _: u64, rng: &mut ChaCha8Rng) -> u64 {
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
