//! Arrays of NumPy (`.npy`) as matrices.
//!
//! Elements are numbers (`float16`, `float32`, `float64`), which the wanted format has to hold, or raw registers: unsigned integers, or the bytes
//! that `ml_dtypes` saves for `bfloat16`, `float8_e4m3fn` and the others, of the width of the format.

use super::matrix::Matrix;
use crate::float::{Dyadic, Format, decimal};
use crate::vectors::npy;
use crate::whole_file::WholeFile;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use thiserror::Error;

/// What is wrong with an array.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not what is wanted.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What would do.
        expected: String,
        /// What is there.
        found: String,
    },
    /// An element is no number of the format.
    #[error("element [{row}, {column}] is {value}, which {format} does not have: round it first")]
    NotHeld {
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
        /// What it is.
        value: String,
        /// What was wanted.
        format: Format,
    },
}

/// What elements are.
enum Element {
    Number(Format),
    Register(usize),
}

impl Element {
    fn bytes(&self) -> usize {
        match self {
            Element::Number(format) => format.width() as usize / 8,
            Element::Register(bytes) => *bytes,
        }
    }
}

/// Reads the array at `path` as a matrix of `format`; one dimension is one row.
///
/// # Errors
/// If it is no such array, or an element is no number of the format.
pub fn read_array(path: &Path, format: Format) -> Result<Matrix, ArrayError> {
    let mut file = BufReader::new(File::open(path)?);
    let unexpected = |[expected, found]: [String; 2]| ArrayError::Unexpected { expected, found };
    let header = npy::read_header(&mut file)?.map_err(unexpected)?;
    let shape = match header.shape[..] {
        [columns] => [1, columns],
        [rows, columns] => [rows, columns],
        _ => {
            let found = format!("{} dimensions", header.shape.len());
            return Err(unexpected(["one or two dimensions".into(), found]));
        }
    };
    let [rows, columns] = shape.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    let raw = npy::bytes_of(&format);
    let element = match header.element.as_str() {
        "<f2" => Element::Number(Format::F16),
        "<f4" => Element::Number(Format::F32),
        "<f8" => Element::Number(Format::F64),
        other if is_raw(other, raw) => Element::Register(raw),
        other => {
            let expected =
                format!("elements float16, float32, float64, or registers of {raw} bytes");
            return Err(unexpected([expected, format!("`{other}`")]));
        }
    };
    let size = rows.saturating_mul(columns);
    let mut registers = Vec::new();
    let mut buffer = vec![0; element.bytes()];
    for index in 0..size {
        file.read_exact(&mut buffer)?;
        let mut wide = [0; 8];
        wide[..buffer.len()].copy_from_slice(&buffer);
        let register = u64::from_le_bytes(wide);
        let held = match element {
            Element::Register(_) => {
                (register <= u64::MAX >> (64 - format.width())).then_some(register)
            }
            Element::Number(from) => held(&from, &format, register),
        };
        let held = held.ok_or_else(|| ArrayError::NotHeld {
            row: index / columns,
            column: index % columns,
            value: match element {
                Element::Register(_) => format!("0x{register:x}"),
                Element::Number(from) => decimal(&from, register),
            },
            format,
        })?;
        registers.push(held);
    }
    let found = registers.len().to_string();
    Matrix::new(format, [rows, columns], registers)
        .ok_or_else(|| unexpected(["as many elements as the shape says".into(), found]))
}

impl Matrix {
    /// The same numbers in another format.
    ///
    /// # Errors
    /// If the format lacks one of them.
    pub fn widened(&self, to: Format) -> Result<Matrix, ArrayError> {
        let from = self.format();
        let columns = self.shape()[1].max(1);
        let one = |(index, register)| {
            held(&from, &to, register).ok_or_else(|| ArrayError::NotHeld {
                row: index / columns,
                column: index % columns,
                value: decimal(&from, register),
                format: to,
            })
        };
        let registers = self.registers().enumerate().map(one);
        let registers = registers.collect::<Result<Vec<_>, _>>()?;
        let found = registers.len().to_string();
        let expected = "as many elements as before".into();
        Matrix::new(to, self.shape(), registers).ok_or(ArrayError::Unexpected { expected, found })
    }
}

/// Whether elements are unsigned integers or plain bytes of that width.
fn is_raw(element: &str, bytes: usize) -> bool {
    let kind = element.trim_start_matches(['<', '|']);
    kind == format!("u{bytes}") || kind == format!("V{bytes}")
}

/// The same number in another format.
fn held(from: &Format, to: &Format, register: u64) -> Option<u64> {
    let is_wider = [Format::F32, Format::TF32].contains(to) && *from == Format::F32;
    if from == to || is_wider && *to == Format::F32 {
        return Some(register);
    }
    if register == from.sign_mask() && to.is_signed() {
        return Some(to.sign_mask());
    }
    Dyadic::of(from, register)?.register(to)
}

/// Writes a matrix as an array: as numbers where NumPy has the format, else as registers.
///
/// # Errors
/// If the file cannot be written.
pub fn write_array(path: &Path, matrix: &Matrix) -> Result<(), ArrayError> {
    let format = matrix.format();
    let bytes = npy::bytes_of(&format);
    let element = match format {
        Format::F16 => "<f2".into(),
        Format::F32 => "<f4".into(),
        Format::F64 => "<f8".into(),
        _ => npy::unsigned(bytes),
    };
    let mut out = BufWriter::new(WholeFile::create(path)?);
    let shape = matrix.shape().map(|length| length as u64);
    out.write_all(&npy::header(&element, &shape))?;
    for register in matrix.registers() {
        out.write_all(&register.to_le_bytes()[..bytes])?;
    }
    out.into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .finish()?;
    Ok(())
}
