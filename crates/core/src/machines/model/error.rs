//! Errors in a model specification; each is one line of text.

use super::spec::SpecError;
use crate::machines::algorithms::descriptions::DescriptionError;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::ValueError;
use thiserror::Error;

/// An error in a model specification.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// No algorithm has this name.
    #[error(
        "unknown algorithm `{}`: expected {expected}, or ARCH/INSTRUCTION (`mmasmt models` lists them){hint}",
        excerpt(.found)
    )]
    UnknownAlgorithm {
        /// The text that was found.
        found: String,
        /// The names of all algorithms.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// The name stands where an algorithm is expected, but it names something else.
    #[error("`{}` is {what}", excerpt(.found))]
    NoAlgorithm {
        /// The text that was found.
        found: String,
        /// A description of what has that name, and the text that is expected instead.
        what: String,
    },
    /// No composition has this name.
    #[error("unknown composition `{}`: expected {expected} (`mmasmt models` lists them){hint}", excerpt(.found))]
    UnknownComposition {
        /// The text that was found.
        found: String,
        /// The names of all compositions.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// No architecture has this name.
    #[error("unknown architecture `{}`: expected one of {expected}, or a product such as H100{hint}", excerpt(.found))]
    UnknownArchitecture {
        /// The text that was found.
        found: String,
        /// The names of all architectures.
        expected: String,
        /// A suggestion of similar names.
        hint: String,
    },
    /// The architecture has no instruction with this name.
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
    /// Only the formats of the instruction are known, not its arithmetic.
    #[error(
        "the arithmetic of `{instruction}` is not known ({formats}): expected an instruction that has a model (`mmasmt models` \
         lists them), or an algorithm to be tried, such as fda:K=16"
    )]
    ArithmeticNotKnown {
        /// The instruction.
        instruction: String,
        /// The formats of its operands.
        formats: String,
    },
    /// The row has no variant with this name.
    #[error("`{row}` has no variant `{}`: expected {expected}", excerpt(.found))]
    UnknownVariant {
        /// The text that was found.
        found: String,
        /// The row.
        row: String,
        /// The names of the variants of the row.
        expected: String,
    },
    /// The algorithm has no key with this name.
    #[error("unknown key `{}` for `{algorithm}`: expected one of {expected}{hint}", excerpt(.key))]
    UnknownKey {
        /// The text that was found.
        key: String,
        /// The algorithm.
        algorithm: String,
        /// The names of the keys of the algorithm.
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
    /// The composition does not take the unit that it is given.
    #[error("`{composition}`: expected {expected}")]
    Unit {
        /// The composition.
        composition: String,
        /// The unit that the composition needs, and the unit that it got.
        expected: String,
    },
    /// A key of a composition stands among the keys of its unit.
    #[error(
        "`{key}` is a key of `{composition}`, not of `{algorithm}`: write `{composition}(MODEL, {key}=...)`, with a space after the comma, \
         or `{composition}(MODEL):{key}=...`"
    )]
    KeyOutside {
        /// The key.
        key: String,
        /// The algorithm that the key was given to.
        algorithm: String,
        /// The composition that has the key.
        composition: String,
    },
    /// A word without a key is not a value of any key of the composition.
    #[error("`{composition}`: expected KEY=VALUE, or a value of one of its keys {expected}, found `{}`", excerpt(.found))]
    UnknownWord {
        /// The composition.
        composition: String,
        /// The text that was found.
        found: String,
        /// The names of the keys of the composition.
        expected: String,
    },
    /// A key is given a value that it cannot have.
    #[error("`{}`: expected {expected}", excerpt(&format!("{key}={value}")))]
    BadValue {
        /// The key.
        key: String,
        /// The text that was found.
        value: String,
        /// The values that the key can have.
        expected: String,
    },
    /// A key is given a number that the format of its values does not have.
    #[error("`{}`: {error}", excerpt(&format!("{key}={value}")))]
    NotInFormat {
        /// The key.
        key: String,
        /// The text that was found.
        value: String,
        /// The error, which names the nearest numbers of the format.
        error: Box<ValueError>,
    },
    /// A description of a unit or of a composition is wrong.
    #[error("`{}`: {error}", excerpt(.from))]
    Description {
        /// The name: of an algorithm, or `unit:` or `compose:` and the file, or the text in braces.
        from: String,
        /// The place, what was expected there and what was found.
        error: Box<DescriptionError>,
    },
    /// A file with a description cannot be read.
    #[error("`unit:{}`: expected a file with a description, the name of a description in a folder of tables, or `unit:{{unit NAME(...) {{ ... }}}}`: {what}", excerpt(.path))]
    DescriptionFile {
        /// The file.
        path: String,
        /// The error of the system.
        what: String,
    },
    /// A file with a description has a name that `unit:NAME` cannot have.
    #[error("`{}.unit`: expected {expected}", excerpt(.found))]
    UnitName {
        /// The name of the file without its ending.
        found: String,
        /// The name that was expected.
        expected: &'static str,
    },
    /// More descriptions than a process keeps.
    #[error("expected at most {most} descriptions in one process")]
    Descriptions {
        /// The number that is kept.
        most: usize,
    },
    /// A row of a table names a row that names a row, and so on; perhaps it names itself.
    #[error(
        "expected at most {most} rows that name one another, found more: a row may not name itself"
    )]
    Rows {
        /// The number of rows that may follow one another.
        most: u32,
    },
    /// The text does not follow the grammar.
    #[error(transparent)]
    Syntax(#[from] SpecError),
    /// A table is wrong: one that is part of the program, or a file of an added folder.
    #[error("table `{}`: {what}", excerpt(.table))]
    Table {
        /// The table.
        table: String,
        /// The error in the table.
        what: String,
    },
}
