//! The random operands on which schemes are compared: the factors have exponents in a given range,
//! and `c` is +0.

use crate::vectors::measure::Measure;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::numbers::float::Exponents;

/// The operands to draw, and the measure of the errors on them.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// The range of the exponents of the factors, which are normal numbers; `c` is +0.
    pub exponents: Exponents,
    /// The measure of errors.
    pub measure: Measure,
    /// The number of operands that are drawn.
    pub samples: u64,
    /// The seed. Models with factors of the same formats get the same operands from the same seed.
    pub seed: u64,
}

impl Operands {
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
    pub(super) fn domain(&self) -> String {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{Operands, usual_exponents};
    use crate::claims::property::Domain;
    use crate::vectors::measure::Measure;
    use mmasmt_core::machines::model::Model;
    use mmasmt_core::numbers::float::Exponents;
    use mmasmt_explain::operands::of_exponents;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn operands(range: &str) -> Operands {
        Operands {
            exponents: Exponents::parse(range).unwrap(),
            measure: Measure::Ulp,
            samples: 1,
            seed: 0,
        }
    }

    #[test]
    fn drawn_operands_are_in_the_domain_and_reach_its_ends() {
        for (text, range) in [
            ("fda:K=8,in=e4m3", "-6..8"),
            ("fda:K=8", "-14..15"),
            ("fda:K=8,a=e5m2,b=e4m3", "-2..0"),
            ("ieee:K=1,in=f32", "-15..14"),
        ] {
            let (model, operands) = (Model::parse(text).unwrap(), operands(range));
            let exponents = operands.exponents;
            let signature = model.signature();
            operands.fit(&signature).unwrap();
            let domain = Domain::parse(&operands.domain(), &signature).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            let mut seen = (i32::MAX, i32::MIN);
            for _ in 0..1000 {
                let inputs = of_exponents(&signature, exponents, &mut rng);
                assert!(domain.contains(&inputs), "{text} {range}");
                let number = signature.a.number(inputs.a[0]).unwrap();
                let exponent = number.exponent as i32 + number.mantissa.ilog2() as i32;
                seen = (seen.0.min(exponent), seen.1.max(exponent));
            }
            let Exponents { lowest, highest } = exponents;
            assert_eq!(seen, (lowest, highest), "{text}");
        }
    }

    /// For every row of the tables without integers and block scales: operands of the usual
    /// exponents can be drawn, and no result is infinite.
    #[test]
    fn usual_exponents_fit_and_nothing_overflows() {
        for row in mmasmt_core::machines::model::architectures()
            .unwrap()
            .iter()
            .flat_map(|of| {
                let name =
                    |row: &mmasmt_core::machines::model::Row| format!("{}/{}", of.name, row.name);
                of.rows.iter().map(name).collect::<Vec<_>>()
            })
        {
            let model = Model::parse(&row).unwrap();
            let signature = model.signature();
            if signature.is_integer() || signature.scales.is_some() {
                continue;
            }
            let exponents = usual_exponents([signature]).unwrap();
            let operands = Operands {
                exponents,
                ..operands("0..0")
            };
            operands.fit(&signature).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(0);
            for _ in 0..5 {
                let inputs = of_exponents(&signature, exponents, &mut rng);
                assert!(
                    signature.d.is_finite(model.simulator().run(&inputs)),
                    "{row}: {exponents}"
                );
            }
        }
    }

    #[test]
    fn a_range_that_a_format_lacks_is_an_error() {
        let signature = Model::parse("fda:in=e4m3").unwrap().signature();
        for range in ["-7..0", "0..9", "-15..14"] {
            assert!(operands(range).fit(&signature).is_err(), "{range}");
        }
    }
}
