//! Operands on the command line.

use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::{Inputs, Metadata, Operand, OperandRow};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Format, ValueError, parse_value, taken_for};
use mmasmt_questions::vectors::parse_inputs;

/// Options that give operands: a line of a vector file, or `--a`, `--b`, `--c`, `--e`, `--sa` and
/// `--sb`.
#[derive(Debug, clap::Args)]
pub(super) struct TypedOperands {
    /// All operands as one line of a vector file, `c a0,a1,… b0,b1,…` in hexadecimal bits, in
    /// quotes or not. Answers print such a line after `as a line`. A result at the end of the line
    /// is ignored
    line: Vec<String>,
    /// Left factors, with commas between them: bits (0x3c00), C99 hex floats (0x1.8p-3), decimals,
    /// inf or nan. ~ before a number takes the nearest number of the format (~0.3744, as reports
    /// print it). Missing factors are +0
    #[arg(
        long,
        value_name = "X,Y,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    a: Vec<String>,
    /// Right factors, written in the same way
    #[arg(
        long,
        value_name = "X,Y,...",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    b: Vec<String>,
    /// The number c that the products are added to
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    c: Option<String>,
    /// For a sparse instruction: a code of four bits for each group, which says which elements of b
    /// meet those that a keeps; 0x4 selects the first half of the group. b then has twice as many
    /// elements as a
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    e: Vec<String>,
    /// Block scales of a, if the model has them; missing scales are 1
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    sa: Vec<String>,
    /// Block scales of b
    #[arg(long, value_name = "X,Y,...", value_delimiter = ',')]
    sb: Vec<String>,
    /// If a format does not have a number, take the nearest number that it has, as if ~ stood
    /// before it
    #[arg(long)]
    nearest: bool,
}

/// A sparse instruction that error messages name as an example.
pub(super) const SPARSE: &str = "ampere/mma.sp.m16n8k32.f32.f16.f16.f32";

impl TypedOperands {
    /// For each operand whose format lacks its number, a sentence that says which number was taken
    /// in its place.
    pub(super) fn replaced(&self, model: &Model) -> Vec<String> {
        let signature = &model.signature();
        let sentence = |option: &str, format: &Format, text: &String| {
            let taken = taken_for(format, text)?;
            Some(format!("{option}: {taken}"))
        };
        let all = OPTIONS.iter().flat_map(|(operand, option)| {
            let format = signature.row(*operand).map(|row| row.format);
            let texts = self.texts(*operand).iter();
            texts.filter_map(move |text| sentence(option, &format?, text))
        });
        all.collect()
    }

    /// Whether no operand was given.
    pub(super) fn is_empty(&self) -> bool {
        let options = OPTIONS
            .iter()
            .all(|(operand, _)| self.texts(*operand).is_empty());
        options && self.line.is_empty() && self.e.is_empty()
    }

    /// These operands as inputs of `model`. The inputs of a sparse instruction have only the
    /// selected elements of b.
    pub(super) fn inputs(&self, model: &Model) -> Result<Inputs, Error> {
        let signature = &model.signature();
        if let Some(c) = &self.c
            && signature.has_c()
            && model.ignores(self.value("--c", &signature.c, c)?)
        {
            return Err(Error::Usage(format!(
                "--c: expected none, as `{}` does not read c, found {}",
                excerpt(&model.to_string()),
                excerpt(c)
            )));
        }
        if !self.line.is_empty() {
            return self.in_line(model);
        }
        let mut inputs = Inputs::zero(signature);
        if !self.e.is_empty() {
            return self.sparse(model, inputs);
        }
        for (operand, option) in OPTIONS {
            let texts = self.texts(operand);
            let values = self.row(option, signature.row(operand), texts)?;
            let registers = inputs.row_mut(operand).iter_mut();
            registers.zip(values).for_each(|(x, value)| *x = value);
            let is_pair = operand == Operand::B && !signature.is_conversion();
            if is_pair && self.a.len() != self.b.len() {
                let (left, right) = (self.a.len(), self.b.len());
                return Err(Error::Usage(format!(
                    "--b: expected as many values as --a ({left}), found {right}"
                )));
            }
        }
        Ok(inputs)
    }

    fn sparse(&self, model: &Model, mut inputs: Inputs) -> Result<Inputs, Error> {
        let signature = model.signature();
        let Some(Metadata { sparsity, ordered }) = model.metadata() else {
            return Err(Error::Usage(format!(
                "--e: expected a sparse instruction, such as {SPARSE}, found {model}"
            )));
        };
        let kept = self.row("--a", signature.row(Operand::A), &self.a)?;
        let numbers = |option, format: &Format, texts: &[String]| -> Result<Vec<u64>, Error> {
            let values = texts.iter().map(|text| self.value(option, format, text));
            values.collect()
        };
        let b = numbers("--b", &signature.b, &self.b)?;
        let codes = numbers("--e", &Format::U4, &self.e)?;
        let selected = sparsity.select(kept.len(), &codes, &b, ordered);
        let selected = selected.map_err(|error| Error::Usage(format!("--e: {error}")))?;
        inputs.a[..kept.len()].copy_from_slice(&kept);
        inputs.b[..kept.len()].copy_from_slice(&selected);
        inputs.c = match &self.c {
            Some(text) => self.value("--c", &signature.c, text)?,
            None => 0,
        };
        Ok(inputs)
    }

    /// The inputs that the line of a vector file gives.
    fn in_line(&self, model: &Model) -> Result<Inputs, Error> {
        if OPTIONS
            .iter()
            .any(|(operand, _)| !self.texts(*operand).is_empty())
        {
            return Err(Error::Usage(
                "expected operands as a line or by --a, --b and --c, found both".into(),
            ));
        }
        let words = self.line.iter().flat_map(|word| word.split_whitespace());
        let line = words.collect::<Vec<_>>().join(" ");
        parse_inputs(&line, 1, model).map_err(Error::Line)
    }

    fn row(
        &self,
        option: &'static str,
        row: Option<OperandRow>,
        texts: &[String],
    ) -> Result<Vec<u64>, Error> {
        let Some(row) = row else {
            let none = match option {
                "--b" => "is a conversion and has no b",
                "--c" => "is a conversion and has no c",
                _ => "has no block scales",
            };
            return match texts.is_empty() {
                true => Ok(Vec::new()),
                false => Err(Error::Usage(format!(
                    "{option}: expected none, the model {none}"
                ))),
            };
        };
        let most = row.length;
        if texts.len() > most {
            let found = texts.len();
            return Err(Error::Usage(format!(
                "{option}: expected at most {most} values, found {found}"
            )));
        }
        let values = texts.iter();
        let values = values.map(|text| self.value(option, &row.format, text));
        values.collect()
    }

    fn value(&self, option: &'static str, format: &Format, text: &str) -> Result<u64, Error> {
        value(format, text, self.nearest).map_err(|error| Error::Value { option, error })
    }

    fn texts(&self, operand: Operand) -> &[String] {
        match operand {
            Operand::A => &self.a,
            Operand::B => &self.b,
            Operand::C => self.c.as_slice(),
            Operand::AScales => &self.sa,
            Operand::BScales => &self.sb,
        }
    }
}

const OPTIONS: [(Operand, &str); 5] = [
    (Operand::A, "--a"),
    (Operand::B, "--b"),
    (Operand::C, "--c"),
    (Operand::AScales, "--sa"),
    (Operand::BScales, "--sb"),
];

/// The register of a number. If `nearest` is set, a number that the format lacks is replaced by the
/// nearest number of the format.
fn value(format: &Format, text: &str, nearest: bool) -> Result<u64, ValueError> {
    let text = text.trim();
    match parse_value(format, text) {
        Err(error) if nearest && is_between(&error) => parse_value(format, &format!("~{text}")),
        found => found,
    }
}

/// Whether the error says that the format lacks the number itself, but has one near it.
fn is_between(error: &ValueError) -> bool {
    matches!(
        error,
        ValueError::Inexact { .. } | ValueError::OutOfRange { .. }
    )
}
