//! The algorithms that a specification can name.

use super::error::ModelError;
use super::fda_keys;
use super::keys::{KeyDoc, Keys, bad_value};
use super::spec::Spec;
use crate::algorithms::fda::Params;
use crate::algorithms::{Chain, DotAdd, Fda, Hmma8, Operands, Signature, Stages};
use crate::bits::Bv;
use crate::float::Format;

/// An algorithm with its parameters. To add one: a file in `algorithms`, an arm here, an entry in
/// [`algorithms`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Fused dot-add, or a chain of it.
    Fda(Box<Chain<Fda>>),
    /// FP8 through f16.
    Hmma8(Box<Hmma8>),
}

/// What an algorithm is, for a person.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmDoc {
    /// Its name in specifications.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Its keys.
    pub keys: &'static [KeyDoc],
}

const DOCS: &[AlgorithmDoc] = &[
    AlgorithmDoc {
        name: "fda",
        summary: "fused dot-add: align all terms to the largest exponent, cut, sum exactly, round once",
        source: "mma-sim.txt §IV-C, §IV-D (chain); recorded hardware",
        keys: fda_keys::FDA,
    },
    AlgorithmDoc {
        name: "hmma8",
        summary: "FP8 through f16: two f16 fused dot-adds from +0 over k mod 4 in {0,1} and {2,3}, then c added (rne)",
        source: "machine code for sm_90 and sm_100; recorded H100, H200, B200 rows",
        keys: HMMA8,
    },
];

const HMMA8: &[KeyDoc] = &[
    KeyDoc {
        name: "K",
        values: "2, 4, ... 4096",
        default: "16",
        meaning: "products in one f16 fused dot-add; the model takes 2 * K",
    },
    KeyDoc {
        name: "F",
        values: "1 to 64",
        default: "25",
        meaning: "fraction bits kept when terms are aligned",
    },
    KeyDoc {
        name: "in",
        values: "e4m3 e5m2",
        default: "e4m3",
        meaning: "format of a and b",
    },
    KeyDoc {
        name: "a",
        values: "e4m3 e5m2",
        default: "in",
        meaning: "format of a",
    },
    KeyDoc {
        name: "b",
        values: "e4m3 e5m2",
        default: "in",
        meaning: "format of b",
    },
    KeyDoc {
        name: "out",
        values: "f32 f16",
        default: "f32",
        meaning: "format of c and of the result",
    },
    KeyDoc {
        name: "zero",
        values: "skip raw min",
        default: "skip",
        meaning: "as in fda",
    },
    KeyDoc {
        name: "emin",
        values: "none, -4096 to 4096",
        default: "none",
        meaning: "as in fda",
    },
];

/// Every algorithm.
pub fn algorithms() -> &'static [AlgorithmDoc] {
    DOCS
}

impl Algorithm {
    /// The algorithm of a specification.
    ///
    /// # Errors
    /// If there is no such algorithm, or a key is wrong.
    pub fn from_spec(spec: &Spec) -> Result<Algorithm, ModelError> {
        match spec.algorithm.as_str() {
            "fda" => fda_keys::fda(spec).map(|fda| Algorithm::Fda(Box::new(fda))),
            "hmma8" => hmma8(spec).map(|hmma8| Algorithm::Hmma8(Box::new(hmma8))),
            found => Err(ModelError::UnknownAlgorithm {
                found: found.into(),
                expected: DOCS
                    .iter()
                    .map(|doc| doc.name)
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }

    /// Name and keys, those at their defaults left out.
    pub fn canonical(&self) -> String {
        let (name, keys) = match self {
            Algorithm::Fda(chain) => ("fda", fda_keys::fda_texts(chain)),
            Algorithm::Hmma8(hmma8) => ("hmma8", hmma8_texts(hmma8)),
        };
        let keys: Vec<_> = keys
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        if keys.is_empty() {
            name.into()
        } else {
            format!("{name}:{}", keys.join(","))
        }
    }
}

fn hmma8(spec: &Spec) -> Result<Hmma8, ModelError> {
    let keys = Keys::of(spec, HMMA8)?;
    let given = fda_keys::params(&keys, 16, Format::E4M3)?;
    for (key, format) in [("a", given.a), ("b", given.b)] {
        if ![Format::E4M3, Format::E5M2].contains(&format) {
            return Err(bad_value(key, format.name(), "e4m3 or e5m2"));
        }
    }
    if ![Format::F32, Format::F16].contains(&given.out) {
        return Err(bad_value("out", given.out.name(), "f32 or f16"));
    }
    let half = given.products_per_sum;
    if half % 2 != 0 || half > 4096 {
        return Err(bad_value(
            "K",
            &half.to_string(),
            "an even number from 2 to 4096",
        ));
    }
    let fraction_bits = keys.number("F", 25, 1..=64)?;
    let params = Params {
        a: Format::F16,
        b: Format::F16,
        c: given.out,
        fraction_bits,
        result_fraction: given.out.fraction_bits,
        ..given
    };
    Ok(Hmma8::new(given.a, given.b, Fda::new(params)))
}

fn hmma8_texts(hmma8: &Hmma8) -> Vec<(&'static str, String)> {
    let Signature { a, b, .. } = hmma8.signature();
    let half = Chain::new(*hmma8.half(), *hmma8.half(), 1);
    let mut keys = fda_keys::fda_texts(&half);
    keys.retain(|(key, value)| !(*key == "K" && value == "16"));
    let at = keys
        .iter()
        .position(|(key, _)| *key == "F")
        .map_or(0, |at| at + 1);
    if a == b {
        keys.insert(at, ("in", a.name().into()));
    } else {
        keys.insert(at, ("a", a.name().into()));
        keys.insert(at + 1, ("b", b.name().into()));
    }
    keys
}

impl DotAdd for Algorithm {
    fn signature(&self) -> Signature {
        match self {
            Algorithm::Fda(fda) => fda.signature(),
            Algorithm::Hmma8(hmma8) => hmma8.signature(),
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Algorithm::Fda(fda) => fda.dot_add(operands, stages),
            Algorithm::Hmma8(hmma8) => hmma8.dot_add(operands, stages),
        }
    }
}
