//! Errors in a model specification, in one line each.

use super::spec::SpecError;
use crate::base::excerpt::excerpt;
use crate::numbers::float::ValueError;
use thiserror::Error;

/// An error in a model specification.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The algorithm has no such name.
    #[error(
        "unknown algorithm `{}`: expected {expected}, or ARCH/INSTRUCTION (`mmasmt models` lists them){hint}",
        excerpt(.found)
    )]
    UnknownAlgorithm {
        /// The text that was found.
        found: String,
        /// The algorithms there are.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// The name in the place of an algorithm is that of something else.
    #[error("`{}` is {what}", excerpt(.found))]
    NoAlgorithm {
        /// The text that was found.
        found: String,
        /// The kind of thing that it is, and the expected text.
        what: String,
    },
    /// The composition has no such name.
    #[error("unknown composition `{}`: expected {expected} (`mmasmt models` lists them){hint}", excerpt(.found))]
    UnknownComposition {
        /// The text that was found.
        found: String,
        /// The compositions there are.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// The architecture has no such name.
    #[error("unknown architecture `{}`: expected one of {expected}, or a product such as H100{hint}", excerpt(.found))]
    UnknownArchitecture {
        /// The text that was found.
        found: String,
        /// The architectures there are.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// The architecture has no such instruction.
    #[error(
        "no row for `{}` on {architecture}: {hint}; `mmasmt models {architecture}` lists its instructions",
        excerpt(.found)
    )]
    UnknownInstruction {
        /// The text that was found.
        found: String,
        /// The architecture that was searched.
        architecture: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// Only the formats of the instruction are known.
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
        /// The text that was found.
        found: String,
        /// The row.
        row: String,
        /// The variants there are.
        expected: String,
    },
    /// The algorithm has no such key.
    #[error("unknown key `{}` for `{algorithm}`: expected one of {expected}{hint}", excerpt(.key))]
    UnknownKey {
        /// The text that was found.
        key: String,
        /// The algorithm.
        algorithm: String,
        /// The keys there are.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// Several layers of a composition have the key.
    #[error("key `{}` is of several layers: expected {expected}", excerpt(.key))]
    SeveralLayers {
        /// The text that was found.
        key: String,
        /// The spelling of the key for each layer.
        expected: String,
    },
    /// The model is a design, which has no keys.
    #[error("`{}` has no keys: expected a model of an algorithm or a composition", excerpt(.model))]
    NoKeys {
        /// The model.
        model: String,
    },
    /// The composition does not take its unit.
    #[error("`{composition}`: expected {expected}")]
    Unit {
        /// The composition.
        composition: String,
        /// The unit that it needs, and the unit that it got.
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
    /// A word that is not a value of any key.
    #[error("`{composition}`: expected KEY=VALUE, or a value of one of its keys {expected}, found `{}`", excerpt(.found))]
    UnknownWord {
        /// The composition.
        composition: String,
        /// The text that was found.
        found: String,
        /// Its keys.
        expected: String,
    },
    /// A key has no such value.
    #[error("`{}`: expected {expected}", excerpt(&format!("{key}={value}")))]
    BadValue {
        /// The key.
        key: String,
        /// The text that was found.
        value: String,
        /// The values that it can have.
        expected: String,
    },
    /// A key has a number that its format does not have.
    #[error("`{}`: {error}", excerpt(&format!("{key}={value}")))]
    NotInFormat {
        /// The key.
        key: String,
        /// The text that was found.
        value: String,
        /// The numbers near it.
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
        /// The error in it.
        what: String,
    },
}
