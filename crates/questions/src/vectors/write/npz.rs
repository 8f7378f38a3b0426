//! NumPy's `.npz`: a zip archive with an array for each kind of operand.

use super::{MetadataDraw, Origin, VectorWriter};
use crate::vectors::metadata::{CODE, most};
use crate::vectors::npy::{bytes_of, header, unsigned};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Operand, OperandRow, Signature};
use mmasmt_numbers::base::whole_file::WholeFile;
use mmasmt_numbers::float::Format;
use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Seek, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Writes arrays of unsigned integers, which are the bits of the registers: `c` of shape (vectors),
/// `a` and `b` of shape (vectors, products), `sa` and `sb` of shape (vectors, blocks) where there
/// are block scales, `e` of shape (vectors, groups) where there are codes of a sparse instruction,
/// and `d` of shape (vectors, models). The string `about` is the JSON object that begins a file of
/// JSON Lines.
///
/// An archive holds one array after the other. Until the writer is finished, each array is
/// therefore an anonymous file beside the archive. Writing takes twice the archive's size on the
/// disk.
pub struct NpzWriter {
    archive: WholeFile,
    about: String,
    columns: Vec<ColumnWriter>,
    count: u64,
    written: MetadataDraw,
}

/// An array under construction.
struct ColumnWriter {
    name: &'static str,
    bytes: usize,
    /// The number of elements that each vector has in the array; `None` if the array has one
    /// dimension, and one element for each vector.
    elements: Option<u64>,
    spool: BufWriter<File>,
}

impl NpzWriter {
    /// A writer to a new file at `path`, with the results of the models of `origin`.
    ///
    /// # Errors
    /// If the files cannot be created there.
    pub fn create(signature: &Signature, origin: &Origin, path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let archive = WholeFile::create(path)?;
        let column = |name, format: &Format, elements| {
            io::Result::Ok(ColumnWriter {
                name,
                bytes: bytes_of(format),
                elements,
                spool: BufWriter::new(tempfile::tempfile_in(folder)?),
            })
        };
        let products = signature.products as usize;
        let codes = origin.metadata.map(|metadata| most(metadata, products));
        let of_row = |row: OperandRow| {
            let length = match (row.operand, codes) {
                (Operand::C, _) => None,
                (Operand::B, Some([all, _])) => Some(all as u64),
                _ => Some(row.length as u64),
            };
            column(row.operand.name(), &row.format, length)
        };
        let columns = signature.rows_in_line().map(of_row);
        let mut columns = columns.collect::<io::Result<Vec<_>>>()?;
        if let Some([_, codes]) = codes {
            columns.push(column("e", &CODE, Some(codes as u64))?);
        }
        let models = Some(origin.models.len() as u64);
        columns.push(column("d", &signature.d, models)?);
        Ok(NpzWriter {
            archive,
            about: origin.to_json().to_string(),
            columns,
            count: 0,
            written: MetadataDraw::new(signature, origin),
        })
    }
}

/// Options that store members uncompressed, as `numpy.savez` does: most bits are random and would
/// not shrink.
pub fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true)
}

impl ColumnWriter {
    fn write(&mut self, registers: &[u64]) -> io::Result<()> {
        registers
            .iter()
            .try_for_each(|register| self.spool.write_all(&register.to_le_bytes()[..self.bytes]))
    }
}

impl VectorWriter for NpzWriter {
    fn write(&mut self, inputs: &Inputs, results: &[u64]) -> io::Result<()> {
        self.count += 1;
        let (inputs, codes) = self.written.of(inputs);
        for column in &mut self.columns {
            column.write(match (column.name, Operand::named(column.name)) {
                (_, Some(operand)) => inputs.row(operand),
                ("e", None) => &codes,
                (_, None) => results,
            })?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let options = stored();
        let mut archive = ZipWriter::new(BufWriter::new(self.archive));
        let text: Vec<u8> = self
            .about
            .chars()
            .flat_map(|character| u32::from(character).to_le_bytes())
            .collect();
        archive.start_file("about.npy", options)?;
        archive.write_all(&header(&format!("<U{}", text.len() / 4), &[]))?;
        archive.write_all(&text)?;
        for column in self.columns {
            let mut shape = vec![self.count];
            shape.extend(column.elements);
            archive.start_file(format!("{}.npy", column.name), options)?;
            archive.write_all(&header(&unsigned(column.bytes), &shape))?;
            let mut spool = column.spool.into_inner()?;
            spool.rewind()?;
            io::copy(&mut spool, &mut archive)?;
        }
        let archive = archive.finish()?.into_inner();
        archive.map_err(IntoInnerError::into_error)?.finish()
    }
}
