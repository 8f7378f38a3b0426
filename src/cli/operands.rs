//! Operands on the command line.

use crate::algorithms::Signature;
use crate::cli::error::Error;
use crate::float::{Format, parse_value};
use crate::vectors::Inputs;

/// `--a`, `--b`, `--c`, `--sa` and `--sb`.
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
    /// Block scales of a, where the model has them; the missing ones are 1
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    sa: Vec<String>,
    /// Block scales of b
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    sb: Vec<String>,
}

impl Operands {
    /// Whether none was given.
    pub(super) fn is_empty(&self) -> bool {
        let rows = [&self.a, &self.b, &self.sa, &self.sb];
        rows.iter().all(|row| row.is_empty()) && self.c.is_none()
    }

    /// The inputs that they are in the formats of `signature`.
    pub(super) fn inputs(&self, signature: &Signature) -> Result<Inputs, Error> {
        let (most, scales) = (signature.products, signature.scale_count());
        let mut inputs = Inputs::new(
            row("--a", &signature.a, &self.a, most)?,
            row("--b", &signature.b, &self.b, most)?,
            self.c
                .as_deref()
                .map_or(Ok(0), |text| value("--c", &signature.c, text))?,
        );
        if inputs.a.len() != inputs.b.len() {
            let (left, right) = (inputs.a.len(), inputs.b.len());
            return Err(Error::Usage(format!(
                "--b: expected as many values as --a ({left}), found {right}"
            )));
        }
        inputs.a.resize(most as usize, 0);
        inputs.b.resize(most as usize, 0);
        let (format, one) = match signature.scales {
            Some(scales) => (scales.format, scales.format.one()),
            None => (Format::UE8M0, 0),
        };
        inputs.a_scales = row("--sa", &format, &self.sa, scales)?;
        inputs.b_scales = row("--sb", &format, &self.sb, scales)?;
        inputs.a_scales.resize(scales as usize, one);
        inputs.b_scales.resize(scales as usize, one);
        Ok(inputs)
    }
}

fn row(
    option: &'static str,
    format: &Format,
    texts: &[String],
    most: u32,
) -> Result<Vec<u64>, Error> {
    if most == 0 && !texts.is_empty() {
        return Err(Error::Usage(format!(
            "{option}: expected none, the model has no block scales"
        )));
    }
    if texts.len() > most as usize {
        let found = texts.len();
        return Err(Error::Usage(format!(
            "{option}: expected at most {most} values, found {found}"
        )));
    }
    let values = texts.iter().map(|text| value(option, format, text));
    values.collect()
}

fn value(option: &'static str, format: &Format, text: &str) -> Result<u64, Error> {
    parse_value(format, text.trim()).map_err(|error| Error::Value { option, error })
}
