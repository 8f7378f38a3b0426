//! What is wrong with a model specification, in one line each.

use super::spec::SpecError;
use crate::base::excerpt::excerpt;
use crate::numbers::float::ValueError;
use thiserror::Error;

/// What is wrong with a model specification.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The algorithm has no such name.
    #[error(
        "unknown algorithm `{}`: expected {expected}, or ARCH/INSTRUCTION (`mmasmt models` lists them){hint}",
        excerpt(.found)
    )]
    UnknownAlgorithm {
        /// What stood there.
        found: String,
        /// The algorithms there are.
        expected: String,
        /// What comes close.
        hint: String,
    },
    /// What stands in the place of an algorithm is something else.
    #[error("`{}` is {what}", excerpt(.found))]
    NoAlgorithm {
        /// What stood there.
        found: String,
        /// What it is, and what is expected.
        what: String,
    },
    /// The composition has no such name.
    #[error("unknown composition `{}`: expected {expected} (`mmasmt models` lists them){hint}", excerpt(.found))]
    UnknownComposition {
        /// What stood there.
        found: String,
        /// The compositions there are.
        expected: String,
        /// What comes close.
        hint: String,
    },
    /// The architecture has no such name.
    #[error("unknown architecture `{}`: expected one of {expected}, or a product such as H100{hint}", excerpt(.found))]
    UnknownArchitecture {
        /// What stood there.
        found: String,
        /// The architectures there are.
        expected: String,
        /// What comes close.
        hint: String,
    },
    /// The architecture has no such instruction.
    #[error(
        "no row for `{}` on {architecture}: {hint}; `mmasmt models {architecture}` lists its instructions",
        excerpt(.found)
    )]
    UnknownInstruction {
        /// What stood there.
        found: String,
        /// Where it was looked for.
        architecture: String,
        /// What comes close.
        hint: String,
    },
    /// Of the instruction no more is known than its formats.
    #[error(
        "the arithmetic of `{instruction}` is not known ({formats}): expected an instruction that has a model (`mmasmt models` \
         lists them), or an algorithm to be tried, such as fda:K=16"
    )]
    ArithmeticNotKnown {
        /// The instruction.
        instruction: String,
        /// Its formats.
        formats: String,
    },
    /// The row has no such variant.
    #[error("`{row}` has no variant `{}`: expected {expected}", excerpt(.found))]
    UnknownVariant {
        /// What stood there.
        found: String,
        /// The row.
        row: String,
        /// The variants there are.
        expected: String,
    },
    /// The algorithm has no such key.
    #[error("unknown key `{}` for `{algorithm}`: expected one of {expected}{hint}", excerpt(.key))]
    UnknownKey {
        /// What stood there.
        key: String,
        /// The algorithm.
        algorithm: String,
        /// The keys there are.
        expected: String,
        /// What comes close.
        hint: String,
    },
    /// Several layers of a composition have the key.
    #[error("key `{}` is of several layers: expected {expected}", excerpt(.key))]
    SeveralLayers {
        /// What stood there.
        key: String,
        /// How the key of each is spelled.
        expected: String,
    },
    /// What has no keys: a design.
    #[error("`{}` has no keys: expected a model of an algorithm or a composition", excerpt(.model))]
    NoKeys {
        /// The model.
        model: String,
    },
    /// A composition cannot be made of its unit.
    #[error("`{composition}`: expected {expected}")]
    Unit {
        /// The composition.
        composition: String,
        /// What it needs, and what it got.
        expected: String,
    },
    /// A key of a composition among those of its unit.
    #[error(
        "`{key}` is a key of `{composition}`, not of `{algorithm}`: put a space before it, `{composition}(MODEL, {key}=...)`, \
         or the keys of `{composition}` behind it, `{composition}(MODEL):{key}=...`"
    )]
    KeyOutside {
        /// The key.
        key: String,
        /// The algorithm that it was given to.
        algorithm: String,
        /// The composition that has it.
        composition: String,
    },
    /// A word that is no value of any key.
    #[error("`{composition}`: expected KEY=VALUE, or a value of one of its keys {expected}, found `{}`", excerpt(.found))]
    UnknownWord {
        /// The composition.
        composition: String,
        /// What stood there.
        found: String,
        /// Its keys.
        expected: String,
    },
    /// A key has no such value.
    #[error("`{}`: expected {expected}", excerpt(&format!("{key}={value}")))]
    BadValue {
        /// The key.
        key: String,
        /// What stood there.
        value: String,
        /// What it can be.
        expected: String,
    },
    /// A key has a number that its format does not have.
    #[error("`{}`: {error}", excerpt(&format!("{key}={value}")))]
    NotInFormat {
        /// The key.
        key: String,
        /// What stood there.
        value: String,
        /// Which numbers are near it.
        error: Box<ValueError>,
    },
    /// The text does not follow the grammar.
    #[error(transparent)]
    Syntax(#[from] SpecError),
    /// A table that is part of the program is wrong.
    #[error("table `{table}`: {what}")]
    Table {
        /// The table.
        table: String,
        /// What is wrong with it.
        what: String,
    },
}
