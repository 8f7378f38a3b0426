//! Operands on the command line.

use crate::algorithms::Signature;
use crate::error::Error;
use crate::float::{Format, parse_value};
use crate::vectors::Inputs;

/// `--a`, `--b` and `--c`.
#[derive(Debug, clap::Args)]
pub(super) struct Operands {
    /// Left factors: bits (0x3c00), C99 hex floats (0x1.8p-3), decimals, inf, nan; the missing
    /// ones are +0
    #[arg(
        long,
        value_name = "X,Y,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    a: Vec<String>,
    /// Right factors, as many
    #[arg(
        long,
        value_name = "X,Y,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    b: Vec<String>,
    /// The accumulator in
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    c: Option<String>,
}

impl Operands {
    /// Whether none was given.
    pub(super) fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty() && self.c.is_none()
    }

    /// The inputs that they are in the formats of `signature`.
    pub(super) fn inputs(&self, signature: &Signature) -> Result<Inputs, Error> {
        let most = signature.products as usize;
        let row = |option, format: &Format, texts: &[String]| {
            if texts.len() > most {
                let found = texts.len();
                return Err(Error::Usage(format!(
                    "{option}: expected at most {most} values, found {found}"
                )));
            }
            texts
                .iter()
                .map(|text| value(option, format, text))
                .collect::<Result<Vec<_>, _>>()
        };
        let (mut a, mut b) = (
            row("--a", &signature.a, &self.a)?,
            row("--b", &signature.b, &self.b)?,
        );
        if a.len() != b.len() {
            let (left, right) = (a.len(), b.len());
            return Err(Error::Usage(format!(
                "--b: expected as many values as --a ({left}), found {right}"
            )));
        }
        a.resize(most, 0);
        b.resize(most, 0);
        let c = self
            .c
            .as_deref()
            .map_or(Ok(0), |text| value("--c", &signature.c, text))?;
        Ok(Inputs { a, b, c })
    }
}

fn value(option: &'static str, format: &Format, text: &str) -> Result<u64, Error> {
    parse_value(format, text.trim()).map_err(|error| Error::Value { option, error })
}
