//! The algorithms that a specification can name.

use super::error::ModelError;
use super::keys::{self, KeyDoc, Keys, Text, bad_value};
use super::spec::Spec;
use crate::algorithms::fda::Params;
use crate::algorithms::{
    Chain, DotAdd, Exact, Fda, Fdrda, Gdfs, Gfdrda, Gps, Hmma8, Ieee, Operands, Sfma, Signature,
    Stages,
};
use crate::bits::Bv;
use crate::float::NanCode;

/// What a model computes: an operation, or several in sequence.
pub type Algorithm = Chain<Kernel>;

/// An operation with its parameters. To add one: a file in `algorithms`, one in `keys`, and a
/// line in each match and in the table below.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// Fused dot-add.
    Fda(Box<Fda>),
    /// FP8 through f16.
    Hmma8(Box<Hmma8>),
    /// Fused multiply-adds in sequence.
    Sfma(Sfma),
    /// Pairwise sums of groups.
    Gps(Gps),
    /// Exact dot products of groups with block scales.
    Gdfs(Box<Gdfs>),
    /// Fused dot product, `c` added late.
    Fdrda(Box<Fdrda>),
    /// Two fused dot products, `c` added late.
    Gfdrda(Box<Gfdrda>),
    /// The exact sum.
    Exact(Exact),
    /// IEEE operations.
    Ieee(Ieee),
}

/// What an algorithm is, for a person.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
        keys: keys::fda::FDA,
    },
    AlgorithmDoc {
        name: "hmma8",
        summary: "FP8 through f16: two f16 fused dot-adds from +0 over k mod 4 in {0,1} and {2,3}, then c added (rne)",
        source: "machine code for sm_90 and sm_100; recorded H100, H200, B200 rows",
        keys: keys::hmma8::HMMA8,
    },
    AlgorithmDoc {
        name: "sfma",
        summary: "fused multiply-adds in sequence, each rounded to nearest even",
        source: "mma-sim.txt §IV-A",
        keys: keys::sfma::SFMA,
    },
    AlgorithmDoc {
        name: "gps",
        summary: "f32 products, summed pairwise in groups, group sums added to c in sequence, subnormal numbers flushed",
        source: "mma-sim.txt §IV-B; reported MI210 rows",
        keys: keys::gps::GPS,
    },
    AlgorithmDoc {
        name: "gdfs",
        summary: "exact dot products of 16 small factors, block scales, groups and c aligned, cut, summed, rounded once (rz)",
        source: "mma-sim.txt §IV-E",
        keys: keys::gdfs::GDFS,
    },
    AlgorithmDoc {
        name: "fdrda",
        summary: "products aligned, cut and summed; the sum and c aligned, rounded down and added; rounded once (rne)",
        source: "mma-sim.txt §IV-F, §IV-G (chain); reported MI300 rows (late=amd)",
        keys: keys::late::FDRDA,
    },
    AlgorithmDoc {
        name: "gfdrda",
        summary: "fdrda with separate sums of even and of odd products, and a distant c cut toward zero",
        source: "mma-sim.txt §IV-H, §IV-I (chain); reported MI300 rows (late=amd)",
        keys: keys::late::GFDRDA,
    },
    AlgorithmDoc {
        name: "exact",
        summary: "the exact sum, rounded once; in a chain, over groups of K products (CDNA1)",
        source: "definition; reported MI100 rows",
        keys: keys::references::EXACT,
    },
    AlgorithmDoc {
        name: "ieee",
        summary: "IEEE 754 operations in one accumulator format, in a stated order",
        source: "definition",
        keys: keys::references::IEEE,
    },
];

/// The most products that a model takes.
const MOST_PRODUCTS: u64 = 1 << 20;

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
        let names = || DOCS.iter().map(|doc| doc.name).collect::<Vec<_>>();
        let doc = DOCS.iter().find(|doc| doc.name == spec.algorithm);
        let Some(doc) = doc else {
            return Err(ModelError::UnknownAlgorithm {
                found: spec.algorithm.clone(),
                expected: names().join(", "),
            });
        };
        let keys = Keys::of(spec, doc.keys)?;
        let kernel = Kernel::read(doc.name, &keys)?;
        let links: u32 = keys.number("chain", 1, 1..=4096)?;
        if u64::from(links) * u64::from(kernel.signature().products) > MOST_PRODUCTS {
            let expected = format!("K * chain of at most {MOST_PRODUCTS}");
            return Err(bad_value("chain", &links.to_string(), &expected));
        }
        if let Some(scales) = kernel.signature().scales
            && links > 1
        {
            let (products, block) = (kernel.signature().products, scales.block);
            if !products.is_multiple_of(block) && !block.is_multiple_of(products) {
                let expected = format!("in a chain, a multiple or a divisor of K={products}");
                return Err(bad_value("block", &block.to_string(), &expected));
            }
        }
        let next = kernel.next();
        Ok(Chain::new(kernel, next, links))
    }

    /// The name, and all keys with the one that tells the number of products first.
    fn texts(&self) -> (&'static str, Vec<Text>) {
        let (name, mut texts) = self.first().texts();
        let chain = Text {
            key: "chain",
            value: self.links().to_string(),
            default: "1".into(),
        };
        texts.insert(1, chain);
        (name, texts)
    }

    /// The name, and all keys with their values, those at their defaults too.
    pub fn parameters(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let (name, texts) = self.texts();
        let parameters = texts.into_iter().map(|text| (text.key, text.value));
        (name, parameters.collect())
    }

    /// The operations of a chain, each by itself: the first, and those after it, which take `c` in the
    /// format of the result.
    pub(super) fn operations(&self) -> [Algorithm; 2] {
        [self.first(), self.rest()].map(|kernel| Chain::new(kernel.clone(), kernel.next(), 1))
    }

    /// Name and keys, those at their defaults left out.
    pub fn canonical(&self) -> String {
        let (name, texts) = self.texts();
        let keys = texts.iter().filter(|text| text.value != text.default);
        let keys: Vec<_> = keys
            .map(|text| format!("{}={}", text.key, text.value))
            .collect();
        if keys.is_empty() {
            return name.into();
        }
        format!("{name}:{}", keys.join(","))
    }
}

impl Kernel {
    fn read(name: &str, keys: &Keys<'_>) -> Result<Kernel, ModelError> {
        Ok(match name {
            "hmma8" => Kernel::Hmma8(Box::new(keys::hmma8::read(keys)?)),
            "sfma" => Kernel::Sfma(keys::sfma::read(keys)?),
            "gps" => Kernel::Gps(keys::gps::read(keys)?),
            "gdfs" => Kernel::Gdfs(Box::new(keys::gdfs::read(keys)?)),
            "fdrda" => Kernel::Fdrda(Box::new(keys::late::read_fdrda(keys)?)),
            "gfdrda" => Kernel::Gfdrda(Box::new(keys::late::read_gfdrda(keys)?)),
            "exact" => Kernel::Exact(keys::references::read_exact(keys)?),
            "ieee" => Kernel::Ieee(keys::references::read_ieee(keys)?),
            _ => Kernel::Fda(Box::new(keys::fda::read(keys)?)),
        })
    }

    /// The name, and all keys with the one that tells the number of products first.
    fn texts(&self) -> (&'static str, Vec<Text>) {
        match self {
            Kernel::Fda(fda) => ("fda", keys::fda::texts(fda)),
            Kernel::Hmma8(hmma8) => ("hmma8", keys::hmma8::texts(hmma8)),
            Kernel::Sfma(sfma) => ("sfma", keys::sfma::texts(sfma)),
            Kernel::Gps(gps) => ("gps", keys::gps::texts(gps)),
            Kernel::Gdfs(gdfs) => ("gdfs", keys::gdfs::texts(gdfs)),
            Kernel::Fdrda(fdrda) => ("fdrda", keys::late::texts(fdrda.params(), "8")),
            Kernel::Gfdrda(gfdrda) => ("gfdrda", keys::late::texts(gfdrda.params(), "16")),
            Kernel::Exact(exact) => ("exact", keys::references::exact_texts(exact)),
            Kernel::Ieee(ieee) => ("ieee", keys::references::ieee_texts(ieee)),
        }
    }

    /// The same operation with its own result as accumulator in.
    fn next(&self) -> Kernel {
        match self {
            Kernel::Fda(fda) => {
                let params = *fda.params();
                let c = params.out;
                Kernel::Fda(Box::new(Fda::new(Params { c, ..params })))
            }
            Kernel::Exact(exact) => Kernel::Exact(Exact {
                c: exact.out,
                ..*exact
            }),
            other => other.clone(),
        }
    }
}

impl DotAdd for Kernel {
    fn signature(&self) -> Signature {
        match self {
            Kernel::Fda(fda) => fda.signature(),
            Kernel::Hmma8(hmma8) => hmma8.signature(),
            Kernel::Sfma(sfma) => sfma.signature(),
            Kernel::Gps(gps) => gps.signature(),
            Kernel::Gdfs(gdfs) => gdfs.signature(),
            Kernel::Fdrda(fdrda) => fdrda.signature(),
            Kernel::Gfdrda(gfdrda) => gfdrda.signature(),
            Kernel::Exact(exact) => exact.signature(),
            Kernel::Ieee(ieee) => ieee.signature(),
        }
    }

    fn nan(&self) -> NanCode {
        match self {
            Kernel::Fda(fda) => fda.nan(),
            Kernel::Hmma8(hmma8) => hmma8.nan(),
            Kernel::Sfma(sfma) => sfma.nan(),
            Kernel::Gps(gps) => gps.nan(),
            Kernel::Gdfs(gdfs) => gdfs.nan(),
            Kernel::Fdrda(fdrda) => fdrda.nan(),
            Kernel::Gfdrda(gfdrda) => gfdrda.nan(),
            Kernel::Exact(exact) => exact.nan(),
            Kernel::Ieee(ieee) => ieee.nan(),
        }
    }

    #[inline]
    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        match self {
            Kernel::Fda(fda) => fda.dot_add(operands, stages),
            Kernel::Hmma8(hmma8) => hmma8.dot_add(operands, stages),
            Kernel::Sfma(sfma) => sfma.dot_add(operands, stages),
            Kernel::Gps(gps) => gps.dot_add(operands, stages),
            Kernel::Gdfs(gdfs) => gdfs.dot_add(operands, stages),
            Kernel::Fdrda(fdrda) => fdrda.dot_add(operands, stages),
            Kernel::Gfdrda(gfdrda) => gfdrda.dot_add(operands, stages),
            Kernel::Exact(exact) => exact.dot_add(operands, stages),
            Kernel::Ieee(ieee) => ieee.dot_add(operands, stages),
        }
    }
}
