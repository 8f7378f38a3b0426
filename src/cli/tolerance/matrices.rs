//! `tolerance --matrices`: the bound that is proved for each element of a product, and what is outside of it.

use super::length::of_length;
use super::matrices_report::MatricesReport;
use super::report::TestTolerance;
use super::words::{about, above};
use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::matmul::{of_file, read, scales, shape};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::errors::tolerance::{ElementError, ElementTolerance, MatrixTolerance};
use mmasmt_questions::matrices::{
    ArrayError, GemmError, Matrix, MatrixProduct, Stack, write_archive,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is asked of matrices.
pub(super) struct MatricesRequest<'x> {
    pub(super) model: &'x str,
    /// A, B, and C if there is one.
    pub(super) matrices: &'x [PathBuf],
    pub(super) scales: Option<(&'x Path, &'x Path)>,
    pub(super) result: Option<&'x Path>,
    pub(super) own: Option<&'x TestTolerance>,
    pub(super) out: Option<&'x Path>,
    pub(super) start: Instant,
}

impl MatricesRequest<'_> {
    pub(super) fn run(
        &self,
        limits: &Limits,
        json: bool,
        out: &mut dyn Write,
    ) -> Result<Status, Error> {
        let (a, b, c) = match self.matrices {
            [a, b] => (a, b, None),
            [a, b, c] => (a, b, Some(c)),
            others => {
                let found = others.len();
                return Err(Error::Usage(format!(
                    "--matrices: expected A,B or A,B,C, found {found} files"
                )));
            }
        };
        let [_, depth] = shape(a, &["a", "A"])?;
        let depth = u32::try_from(depth).unwrap_or(u32::MAX).max(1);
        let model = of_length(self.model, depth)?;
        let signature = model.signature();
        let scales = scales(self.scales.map(<[&Path; 2]>::from), &model)?;
        let a = one(a, &["a", "A"], signature.a)?;
        let b = one(b, &["b", "B"], signature.b)?;
        let c = c.map(|c| one(c, &["c", "C"], signature.c)).transpose()?;
        let scales = match &scales {
            None => None,
            Some([a, b]) => Some([matrix(a, "--scale-a")?, matrix(b, "--scale-b")?]),
        };
        let product = MatrixProduct::new(&a, &b).plus(c.as_ref()).scaled(scales);
        let found = MatrixTolerance::of(&model, &product, limits);
        let found = found.map_err(|error| match (error, limits.stopped()) {
            (ElementError::Product(GemmError::Stopped), Some(stopped)) => {
                Error::Query(QueryError::Stopped(stopped))
            }
            (error, _) => Error::Usage(error.to_string()),
        })?;
        let result = self.result.map(|path| self.result(path, &found));
        let result = result.transpose()?;
        if let Some(path) = self.out {
            write(path, &found).map_err(|error| of_file(path, error))?;
        }
        let report = MatricesReport::new(&model, &found, self.own, result, self.start);
        match json {
            true => write_json(out, &report.answer())?,
            false => report.write(out)?,
        }
        Ok(report.status())
    }

    /// The result that is judged, which has the shape of the product.
    fn result(&self, path: &Path, found: &MatrixTolerance) -> Result<(String, Matrix), Error> {
        let matrix = one(path, &["d", "D"], found.format)?;
        let ([rows, columns], shape) = (found.shape, matrix.shape());
        if shape != found.shape {
            let [other, more] = shape;
            return Err(Error::Usage(format!(
                "--result: expected a matrix of {rows} x {columns}, found {other} x {more}"
            )));
        }
        Ok((path.display().to_string(), matrix))
    }
}

/// The only matrix of a file.
fn one(path: &Path, names: &[&str], format: Format) -> Result<Matrix, Error> {
    let stack = read(path, names, format)?;
    matrix(&stack, &path.display().to_string()).cloned()
}

fn matrix<'x>(stack: &'x Stack, name: &str) -> Result<&'x Matrix, Error> {
    match stack.matrices() {
        [one] => Ok(one),
        all => {
            let found = all.len();
            Err(Error::Usage(format!(
                "{name}: expected one matrix, found a batch of {found}: give one at a time"
            )))
        }
    }
}

/// Writes the arrays `exact` and `bound` in f64, of which the bound is rounded up and infinite where none is known, and the
/// model's results `d`.
fn write(path: &Path, found: &MatrixTolerance) -> Result<(), ArrayError> {
    let numbers = |of: &dyn Fn(&ElementTolerance) -> f64| {
        let registers = found.elements.iter().map(|element| of(element).to_bits());
        Matrix::new(Format::F64, found.shape, registers).map(Stack::from)
    };
    let exact = numbers(&|element| about(&element.exact.value));
    let bound = numbers(&|element| element.bound.as_ref().map_or(f64::INFINITY, above));
    let d = found.right().map(Stack::from);
    let all = [("exact", &exact), ("bound", &bound), ("d", &d)];
    let all: Vec<(&str, &Stack)> = all
        .into_iter()
        .filter_map(|(name, stack)| Some((name, stack.as_ref()?)))
        .collect();
    write_archive(path, &all)
}
