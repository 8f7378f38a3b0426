//! Random factors whose exponents are in a range: signs and significands of equal chance, `c` is +0.

use crate::algorithms::Signature;
use crate::excerpt::excerpt;
use crate::float::Format;
use crate::measure::Measure;
use crate::vectors::Inputs;
use rand::{Rng, RngExt};
use std::fmt;

/// A range of exponents of normal numbers: 1 has the exponent 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponents {
    lowest: i32,
    highest: i32,
}

/// Which operands are drawn, and what their errors are counted in.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// Exponents of the factors; `c` is +0.
    pub exponents: Exponents,
    /// What errors are counted in.
    pub measure: Measure,
    /// How many are drawn.
    pub samples: u64,
    /// The same seed draws the same operands for all models with factors of the same formats.
    pub seed: u64,
}

impl Exponents {
    /// Reads `LOWEST..HIGHEST`, both of them in the range.
    ///
    /// # Errors
    /// If the text is no such range.
    pub fn parse(text: &str) -> Result<Exponents, String> {
        let read = |(low, high): (&str, &str)| {
            let (lowest, highest) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
            (lowest <= highest).then_some(Exponents { lowest, highest })
        };
        text.split_once("..").and_then(read).ok_or_else(|| {
            let found = excerpt(text);
            format!("expected exponents, LOWEST..HIGHEST like -15..14, found `{found}`")
        })
    }

    /// Whether the factors of the signature have normal numbers of all these exponents.
    ///
    /// # Errors
    /// What is missing, for a person.
    pub fn fit(&self, signature: &Signature) -> Result<(), String> {
        if signature.scales.is_some() {
            return Err(format!(
                "operands without block scales expected, found {signature}"
            ));
        }
        for format in [&signature.a, &signature.b] {
            let has = format.min_exponent()..=format.max_exponent();
            if !has.contains(&self.lowest) || !has.contains(&self.highest) {
                let (low, high) = (has.start(), has.end());
                return Err(format!(
                    "exponents within {low}..{high} expected for {format}, found {self}"
                ));
            }
        }
        Ok(())
    }

    /// The domain of all operands that can be drawn.
    pub fn domain(&self) -> String {
        format!("finite, factors exp {self}, c = 0")
    }

    /// Random operands of a signature that these exponents [fit](Self::fit).
    pub(super) fn draw(&self, signature: &Signature, rng: &mut impl Rng) -> Inputs {
        let mut inputs = Inputs::zero(signature);
        let Signature { a, b, .. } = signature;
        for (row, format) in [(&mut inputs.a, a), (&mut inputs.b, b)] {
            row.iter_mut()
                .for_each(|register| *register = self.number(format, rng));
        }
        inputs
    }

    fn number(&self, format: &Format, rng: &mut impl Rng) -> u64 {
        loop {
            let exponent = rng.random_range(self.lowest..=self.highest);
            let fraction = rng.random_range(0..1 << format.fraction_bits);
            let negative = format.is_signed() && rng.random();
            let register = format.register(exponent, fraction, negative);
            // Formats without infinity have NaNs among the codes of their greatest exponent.
            if format.is_finite(register) {
                return register;
            }
        }
    }
}

impl fmt::Display for Exponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lowest, self.highest)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::Exponents;
    use crate::model::Model;
    use crate::property::Domain;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn drawn_operands_are_in_the_domain_and_reach_its_ends() {
        for (text, range) in [
            ("fda:K=8,in=e4m3", "-6..8"),
            ("fda:K=8", "-14..15"),
            ("fda:K=8,a=e5m2,b=e4m3", "-2..0"),
            ("ieee:K=1,in=f32", "-15..14"),
        ] {
            let model = Model::parse(text).unwrap();
            let (signature, exponents) = (model.signature(), Exponents::parse(range).unwrap());
            exponents.fit(&signature).unwrap();
            let domain = Domain::parse(&exponents.domain(), &signature).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            let mut seen = (i32::MAX, i32::MIN);
            for _ in 0..1000 {
                let inputs = exponents.draw(&signature, &mut rng);
                assert!(domain.contains(&inputs), "{text} {range}");
                let number = signature.a.number(inputs.a[0]).unwrap();
                let exponent = number.exponent as i32 + number.mantissa.ilog2() as i32;
                seen = (seen.0.min(exponent), seen.1.max(exponent));
            }
            assert_eq!(seen, (exponents.lowest, exponents.highest), "{text}");
        }
    }

    #[test]
    fn a_range_that_a_format_lacks_is_an_error() {
        let signature = Model::parse("fda:in=e4m3").unwrap().signature();
        for range in ["-7..0", "0..9", "-15..14"] {
            assert!(
                Exponents::parse(range).unwrap().fit(&signature).is_err(),
                "{range}"
            );
        }
        for text in ["", "1", "1..", "2..1", "a..b", "0..99999999999"] {
            assert!(Exponents::parse(text).is_err(), "{text}");
        }
    }
}
