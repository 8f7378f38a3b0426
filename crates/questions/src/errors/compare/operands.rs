//! The random operands on which schemes are compared: the factors have exponents in a given range,
//! and `c` is +0.

use crate::vectors::measure::Measure;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::Exponents;

/// The operands to draw, and the measure of the errors on them.
#[derive(Clone, Copy, Debug)]
pub struct OperandDraw {
    /// The range of the exponents of the factors, which are normal numbers; `c` is +0.
    pub exponents: Exponents,
    /// The measure of errors.
    pub measure: Measure,
    /// The number of operands that are drawn.
    pub samples: u64,
    /// The seed. Models with factors of the same formats get the same operands from the same seed.
    pub seed: u64,
}

impl OperandDraw {
    /// Checks that the factors of the signature are floating-point numbers without block scales,
    /// and that the formats of the factors have normal numbers of all exponents in `exponents`.
    ///
    /// # Errors
    /// A sentence that says which operands or exponents were expected, and what was found.
    pub fn fit(&self, signature: &Signature) -> Result<(), String> {
        if signature.scales.is_some() {
            return Err(format!(
                "expected operands without block scales, found {signature}"
            ));
        }
        if signature.is_integer() {
            return Err(format!(
                "expected operands that are floating-point numbers, found {signature}"
            ));
        }
        for format in [&signature.a, &signature.b] {
            let known = Exponents::normal(format);
            if !known.contain(&self.exponents) {
                let found = self.exponents;
                return Err(format!(
                    "expected exponents within {known} for {format}, found {found}"
                ));
            }
        }
        Ok(())
    }

    /// The domain of all operands that can be drawn, as text.
    pub fn domain(&self) -> String {
        format!("factors normal, factors exp {}, c = 0", self.exponents)
    }
}

/// The largest range of exponents within -15 to 14 that normal factors of all these signatures can
/// have, and with which no sum overflows the format of its result; `None` if that range is empty.
pub fn usual_exponents(signatures: impl IntoIterator<Item = Signature>) -> Option<Exponents> {
    let usual = Exponents {
        lowest: -15,
        highest: 14,
    };
    let common = signatures.into_iter().fold(usual, |common, signature| {
        let Signature {
            a, b, d, products, ..
        } = &signature;
        let [of_a, of_b] = [a, b].map(Exponents::normal);
        // A product is below 2^(2 highest + 2); the number of products is at most the next power of
        // two.
        let room = d.max_exponent() - products.next_power_of_two().ilog2() as i32;
        Exponents {
            lowest: common.lowest.max(of_a.lowest).max(of_b.lowest),
            highest: (common.highest)
                .min(of_a.highest)
                .min(of_b.highest)
                .min(room.div_euclid(2) - 1),
        }
    });
    (common.lowest <= common.highest).then_some(common)
}
