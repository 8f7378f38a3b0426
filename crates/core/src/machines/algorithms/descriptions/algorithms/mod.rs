//! The descriptions of the algorithms beside this folder: each text says once more, in another way,
//! what the algorithm computes, and tests compare both.

mod fused;
mod gaudi;
mod groups;
mod late;
mod processors;
mod sequences;

use super::tree::Tree;
use super::{Description, DescriptionError};
use crate::machines::algorithms::{DotAdd, Operation};
use crate::numbers::float::{Format, NanCode, Rounding};
use std::sync::Arc;
use thiserror::Error;

/// An operation that the language cannot say.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unsaid {
    /// A step has no words.
    #[error("expected a unit that a description can say, found one with {0}")]
    Step(&'static str),
    /// The text is wrong, which tests rule out.
    #[error("{0}")]
    Text(#[from] DescriptionError),
}

/// A text with what it says about the operands, line by line.
struct Lines {
    all: Vec<String>,
}

impl Lines {
    /// Declarations of the operands and the result of an operation.
    fn of(operation: &impl DotAdd) -> Lines {
        let signature = operation.signature();
        let mut lines = Lines { all: Vec::new() };
        lines.say(format!("a: {}[K]", signature.a));
        lines.say(format!("b: {}[K]", signature.b));
        if let Some(scales) = signature.scales {
            lines.say(format!("sa, sb: {} of {}", scales.format, scales.block));
        }
        lines.say(format!("c: {}", signature.c));
        lines.say(format!("d: {}", signature.d));
        lines
    }

    fn say(&mut self, line: impl Into<String>) {
        self.all.push(line.into());
    }

    /// The description with this name and these parameters.
    fn description(self, name: &str, parameters: &str) -> Result<Description, Unsaid> {
        let text = format!("unit {name}({parameters}) {{\n{}\n}}", self.all.join("\n"));
        let tree = Tree::parse(&text)?;
        let settings = tree.defaults();
        Ok(Description::new(Arc::new(tree), settings)?)
    }
}

/// The word for a rounding.
fn by(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Rz => "rz",
        Rounding::Rne => "rne",
        Rounding::Rd => "rd",
        Rounding::Ru => "ru",
        Rounding::Ra => "ra",
        Rounding::Odd => "odd",
    }
}

/// The word for the code of a NaN.
fn code(nan: NanCode) -> &'static str {
    match nan {
        NanCode::Ones => "ones",
        NanCode::Quiet => "quiet",
        NanCode::Any => "any",
    }
}

/// `round(OF) to FORMAT` with the fraction bits that the format has.
fn rounded(of: &str, format: &Format) -> String {
    let whole =
        Format::named(format.name()).map_or(format.fraction_bits, |whole| whole.fraction_bits);
    match format.fraction_bits {
        fraction if fraction == whole => format!("round({of}) to {format}"),
        fraction => format!("round({of}) to {format} fraction {fraction}"),
    }
}

impl Operation {
    /// What the operation computes, as a description.
    ///
    /// # Errors
    /// If the language has no words for a step of it.
    pub fn description(&self) -> Result<Description, Unsaid> {
        match self {
            Operation::Fda(fda) => fused::fda(fda),
            Operation::Hmma8(hmma8) => fused::hmma8(hmma8),
            Operation::Sfma(sfma) => sequences::sfma(sfma),
            Operation::Gps(gps) => sequences::gps(gps),
            Operation::Ieee(ieee) => sequences::ieee(ieee),
            Operation::Exact(exact) => groups::exact(exact),
            Operation::Gdfs(gdfs) => groups::gdfs(gdfs),
            Operation::Integer(dot) => groups::integer(dot),
            Operation::Fdrda(fdrda) => late::fdrda(fdrda),
            Operation::Gfdrda(gfdrda) => late::gfdrda(gfdrda),
            Operation::CpuDot(cpu) => processors::cpu(cpu),
            Operation::Gaudi(gaudi) => gaudi::gaudi(gaudi),
            Operation::Rdna(_) => Err(Unsaid::Step(
                "the order of infinities and NaNs of RDNA, and terms that are complemented against c",
            )),
            Operation::OzakiSlices(_) => Err(Unsaid::Step(
                "slices of significands that depend on the whole row",
            )),
            Operation::OzakiResidues(_) => Err(Unsaid::Step("residues modulo several numbers")),
            Operation::Description(description) => Ok((**description).clone()),
        }
    }
}
