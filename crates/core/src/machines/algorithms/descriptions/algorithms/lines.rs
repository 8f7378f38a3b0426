//! The lines of a description, and the words that several algorithms have in common.

use crate::machines::algorithms::Signature;
use crate::machines::algorithms::descriptions::tree::Tree;
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::numbers::float::{Format, NanCode, Rounding, Stochastic};
use std::sync::Arc;

/// A text with what it says about the operands, line by line.
pub(super) struct Lines {
    all: Vec<String>,
}

impl Lines {
    /// Declarations of the operands and the result.
    pub(super) fn of(signature: &Signature) -> Lines {
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

    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.all.push(line.into());
    }

    /// The description with this name and these parameters.
    pub(super) fn description(
        self,
        name: &str,
        parameters: &str,
    ) -> Result<Description, DescriptionError> {
        let text = format!("unit {name}({parameters}) {{\n{}\n}}", self.all.join("\n"));
        let tree = Tree::parse(&text)?;
        let settings = tree.defaults();
        Description::new(Arc::new(tree), settings)
    }
}

/// The words for a rounding.
pub(super) fn by(rounding: Rounding) -> String {
    match rounding {
        Rounding::Sr(Stochastic { bits, random }) => format!("sr bits {bits} random {random}"),
        other => other.to_string(),
    }
}

/// The word for the code of a NaN.
pub(super) fn code(nan: NanCode) -> &'static str {
    match nan {
        NanCode::Ones => "ones",
        NanCode::Quiet => "quiet",
        NanCode::Any => "any",
    }
}

/// `round(OF) to FORMAT` with the fraction bits that the format has.
pub(super) fn rounded(of: &str, format: &Format) -> String {
    let whole =
        Format::named(format.name()).map_or(format.fraction_bits, |whole| whole.fraction_bits);
    match format.fraction_bits {
        fraction if fraction == whole => format!("round({of}) to {format}"),
        fraction => format!("round({of}) to {format} fraction {fraction}"),
    }
}
