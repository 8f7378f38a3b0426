//! A fixed-point register that is wide enough for every sum of products (Kulisch).

use mmasmt_numbers::float::Dyadic;
use num_bigint::{BigInt, BigUint};

/// A sum of non-negative numbers, in 64-bit words, the lowest first.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    words: Vec<u64>,
    /// The exponent of the lowest bit.
    lowest: i64,
}

impl Accumulator {
    /// Zero, with room for multiples of `2^lowest` whose sum is less than `2^highest`.
    pub fn new(lowest: i64, highest: i64) -> Self {
        let bits = (highest - lowest).max(0) as usize;
        // A 128-bit number that starts in the last word that is needed ends two words above it.
        let words = vec![0; bits / 64 + 3];
        Accumulator { words, lowest }
    }

    /// Resets the sum to zero.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds `mantissa * 2^exponent`, which must be a multiple of the lowest bit.
    pub fn add(&mut self, mantissa: u128, exponent: i64) {
        if mantissa == 0 {
            return;
        }
        let place = (exponent - self.lowest).max(0) as usize;
        let (first, shift) = (place / 64, place % 64);
        let low = mantissa << shift;
        let high = match shift {
            0 => 0,
            _ => (mantissa >> (128 - shift)) as u64,
        };
        let mut carry = false;
        let parts = [low as u64, (low >> 64) as u64, high];
        for (index, word) in self.words.iter_mut().skip(first).enumerate() {
            let part = parts.get(index).copied().unwrap_or(0);
            if index >= parts.len() && !carry {
                break;
            }
            let (sum, first) = word.overflowing_add(part);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, first | second);
        }
    }

    /// The sum.
    pub fn value(&self) -> Dyadic {
        let bytes: Vec<u8> = self
            .words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        Dyadic::new(BigInt::from(BigUint::from_bytes_le(&bytes)), self.lowest)
    }
}
