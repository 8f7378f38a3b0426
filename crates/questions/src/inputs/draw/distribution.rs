//! Registers of numbers from a distribution.

use super::encodings;
use super::reals::rounded;
use mmasmt_numbers::float::Format;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A distribution of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnDistribution {
    /// Every finite register, each as likely as any other.
    Registers,
    /// The normal distribution with mean 0 and variance 1, rounded to nearest.
    Normal,
    /// From -1 to 1, each number as likely as any other, rounded to nearest.
    Uniform,
}

impl DrawnDistribution {
    /// The register of the next number.
    pub fn number(self, format: &Format, rng: &mut ChaCha8Rng) -> u64 {
        match self {
            DrawnDistribution::Registers => encodings::finite(rng, format),
            DrawnDistribution::Normal => rounded(format, normal(rng)),
            DrawnDistribution::Uniform => rounded(format, uniform(rng)),
        }
    }
}

/// From -1 to 1, both excluded.
pub(super) fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    2.0 * unit(rng) - 1.0
}

/// A number from 0 to 1, both excluded, of 53 bits.
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    let bits = rng.random::<u64>() >> 12;
    (bits as f64 + 0.5) / (1u64 << 52) as f64
}

/// Of mean 0 and variance 1, by the method of Box and Muller.
pub(super) fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (radius, angle) = (unit(rng), unit(rng));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}
