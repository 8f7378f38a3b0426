//! Directed samples: kinds of inputs on which models differ.

use super::encodings::number;
use super::{integers, sticky_tie, underflow_boundary, zero_products};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws finite inputs whose terms have similar magnitudes, cancel, lie at the ends of their
/// formats, are zeros, or break a tie. The same seed draws the same inputs.
pub struct Sampler {
    signature: Signature,
    rng: ChaCha8Rng,
}

impl Sampler {
    /// A sampler for dot-adds of this signature.
    pub fn new(signature: Signature, seed: u64) -> Self {
        Sampler {
            signature,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next inputs.
    pub fn sample(&mut self) -> Inputs {
        if integers::has_integers(&self.signature) {
            return integers::draw(&self.signature, &mut self.rng);
        }
        match self.rng.random_range(0..20) {
            0 => return zero_products::all_zero(&self.signature, &mut self.rng),
            1 | 2 => return sticky_tie::draw(&self.signature, &mut self.rng),
            _ => {}
        }
        let Signature { a, b, c, d, .. } = self.signature;
        let mut inputs = Inputs::zero(&self.signature);
        if let Some(scales) = self.signature.scales {
            let count = self.signature.scale_count();
            let spread = [0, 0, 2, 40][self.rng.random_range(0..4)];
            let mut row = || {
                (0..count)
                    .map(|_| self.scale(&scales.format, spread))
                    .collect()
            };
            (inputs.a_scales, inputs.b_scales) = (row(), row());
        }
        // The exponent around which the exponents of products lie: mostly 0, sometimes where
        // results or products are subnormal.
        let least_result = d.least_exponent();
        let (centre, is_least) = match self.rng.random_range(0..12) {
            0 => (least_result + self.near(24), true),
            1 => (a.min_exponent() + b.min_exponent() + self.near(4), true),
            2 => (self.near(12), false),
            _ => (0, false),
        };
        match self.rng.random_range(0..8) {
            0 => self.uniform(&mut inputs),
            1 => (0..inputs.a.len()).for_each(|k| self.product(&mut inputs, k, centre)),
            _ => {
                for _ in 0..self.rng.random_range(0..4) {
                    let k = self.rng.random_range(0..inputs.a.len());
                    self.product(&mut inputs, k, centre);
                }
            }
        }
        if self.rng.random_bool(0.5) {
            self.cancel(&mut inputs);
        }
        let spread = [0, 2, 30, 150][self.rng.random_range(0..4)];
        let exponent = centre + self.near(spread);
        inputs.c = if self.rng.random_bool(if is_least { 0.5 } else { 0.1 }) {
            0
        } else {
            number(&mut self.rng, &c, exponent)
        };
        inputs
    }

    /// The next inputs, of kinds that tell few models apart.
    pub fn rare(&mut self) -> Inputs {
        if integers::has_integers(&self.signature) {
            return self.sample();
        }
        match self.rng.random_range(0..5) {
            0 => underflow_boundary::draw(&self.signature, &mut self.rng),
            1 => zero_products::masked_by_zero(&self.signature, &mut self.rng),
            _ => zero_products::flushed_before_zeros(&self.signature, &mut self.rng),
        }
    }

    /// A random number from `-reach` to `reach`.
    fn near(&mut self, reach: i32) -> i32 {
        self.rng.random_range(-reach..=reach)
    }

    /// A block scale with an exponent from `-spread` to `spread`.
    fn scale(&mut self, format: &Format, spread: i32) -> u64 {
        match spread {
            0 => format.one(),
            _ => {
                let exponent = self.near(spread);
                number(&mut self.rng, format, exponent)
            }
        }
    }

    /// Sets product `k` to a random number with an exponent near `exponent`.
    fn product(&mut self, inputs: &mut Inputs, k: usize, exponent: i32) {
        let Signature { a, b, .. } = self.signature;
        let spread = [0, 1, 3, 14][self.rng.random_range(0..4)];
        let exponent = exponent + self.near(spread);
        let for_a = exponent / 2 + self.near(1);
        inputs.a[k] = number(&mut self.rng, &a, for_a);
        inputs.b[k] = number(&mut self.rng, &b, exponent - for_a);
    }

    /// Makes all products equal, so that their sum carries furthest.
    fn uniform(&mut self, inputs: &mut Inputs) {
        self.product(inputs, 0, 0);
        let (x, y) = (inputs.a[0], inputs.b[0]);
        inputs.a.fill(x);
        inputs.b.fill(y);
    }

    /// Makes one product the negative of another.
    fn cancel(&mut self, inputs: &mut Inputs) {
        let products = inputs.a.len();
        let (from, to) = (
            self.rng.random_range(0..products),
            self.rng.random_range(0..products),
        );
        let nonzero = (0..products)
            .map(|k| (from + k) % products)
            .find(|&k| self.signature.a.magnitude(inputs.a[k]) != 0);
        if let Some(from) = nonzero.filter(|&from| from != to) {
            inputs.a[to] = inputs.a[from] ^ self.signature.a.sign_mask();
            inputs.b[to] = inputs.b[from];
        }
    }
}
