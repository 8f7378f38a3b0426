//! Reads NumPy's `.npz`: an archive with an array for each kind of operand, as
//! [`NpzWriter`](crate::vectors::write::NpzWriter) and `numpy.savez` write it.

use super::section::SectionMember;
use crate::vectors::error::LONGEST;
use crate::vectors::header::FileHeader;
use crate::vectors::metadata::{CODE, MetadataLayout, most, select};
use crate::vectors::npy::{NpyHeader, read_header};
use crate::vectors::source::is_stdin;
use crate::vectors::{Vector, VectorError};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Operand, OperandRow};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::rc::Rc;
use zip::ZipArchive;

/// A reader of the vectors of an archive, one after the other.
pub(super) struct Arrays {
    layout: MetadataLayout,
    columns: Vec<ColumnReader>,
    /// The position, in a row of `d`, of the result that is read; `None` if no result is read.
    result: Option<usize>,
    count: u64,
    at: u64,
}

/// A reader of one array, row by row.
struct ColumnReader {
    name: &'static str,
    format: Format,
    member: SectionMember,
    big_endian: bool,
    /// The bytes of one row. The field `bytes` is the number of bytes of one register.
    row: Vec<u8>,
    bytes: usize,
}

fn wrong(array: &str, expected: impl Into<String>, found: impl AsRef<str>) -> VectorError {
    VectorError::Archive {
        array: match array {
            "" => "archive".into(),
            _ => format!("array `{array}`"),
        },
        expected: expected.into(),
        found: excerpt(found.as_ref()),
    }
}

type Archive = ZipArchive<BufReader<File>>;

impl Arrays {
    /// Opens the archive in `file`. `results` says which results are read: none (`None`), those of
    /// a model (`Some(Some(name))`), or those of the only model in the archive (`Some(None)`).
    pub fn open(
        file: File,
        layout: MetadataLayout,
        results: Option<Option<&str>>,
    ) -> Result<Arrays, VectorError> {
        let damaged = |error: String| wrong("", "a zip archive", error);
        let copy = file.try_clone().map_err(VectorError::Closed)?;
        let mut archive =
            ZipArchive::new(BufReader::new(copy)).map_err(|error| damaged(error.to_string()))?;
        let shared = Rc::new(RefCell::new(file));
        let about = about(&mut archive, &shared)?;
        let signature = &layout.signature;
        about.check(1, signature)?;
        let column = |model| about.column(1, signature, model);
        let result = results.map(column).transpose()?;
        let of_row = |row: OperandRow| {
            let length = (row.operand != Operand::C).then_some(row.length);
            (row.operand.name(), row.format, length)
        };
        let mut wanted: Vec<_> = signature.rows_in_line().map(of_row).collect();
        // If the archive has codes of a sparse instruction, its array b is the whole dense b, from
        // which the codes select elements.
        let has_codes = archive.index_for_name("e.npy").is_some();
        let layout = MetadataLayout {
            metadata: layout.metadata.filter(|_| has_codes),
            ..layout
        };
        if let Some(metadata) = layout.metadata {
            let [all, codes] = most(metadata, signature.products as usize);
            wanted
                .iter_mut()
                .filter(|(name, ..)| *name == "b")
                .for_each(|b| b.2 = Some(all));
            wanted.push(("e", CODE, Some(codes)));
        }
        if result.is_some() {
            wanted.push(("d", signature.d, None));
        }
        let mut columns = Vec::new();
        let mut counts = Vec::new();
        for (name, format, most) in wanted {
            let (count, column) = ColumnReader::open(&mut archive, &shared, name, format, most)?;
            columns.push(column);
            counts.push((name, count));
        }
        let count = counts[0].1;
        if let Some((name, other)) = counts.iter().find(|(_, other)| *other != count) {
            return Err(wrong(
                name,
                format!("{count} rows, as {} has", counts[0].0),
                other.to_string(),
            ));
        }
        let length = |name| {
            let column = columns.iter().find(|column| column.name == name);
            column.map(ColumnReader::length)
        };
        if let (Some(a), Some(b)) = (length("a"), length("b"))
            && layout.metadata.is_none()
            && a != b
        {
            return Err(wrong("b", format!("{a} products, as a has"), b.to_string()));
        }
        if let (Some(result), Some(column)) = (result, columns.iter().find(|c| c.name == "d")) {
            let there = column.length();
            if result >= there || (about.models.is_empty() && there != 1) {
                let expected = format!("the results of {} models", about.models.len().max(1));
                return Err(wrong("d", expected, there.to_string()));
            }
        }
        Ok(Arrays {
            layout,
            columns,
            result,
            count,
            at: 0,
        })
    }

    /// Reads the next vector into `vector` and returns its number, from 1; `None` at the end.
    pub fn next(&mut self, vector: &mut Vector) -> Result<Option<usize>, VectorError> {
        if self.at == self.count {
            for column in &mut self.columns {
                let whole = column.member.finish();
                if !whole.map_err(|error| damaged_array(column.name, &error))? {
                    return Err(wrong(column.name, "what was written", "damaged data"));
                }
            }
            return Ok(None);
        }
        self.at += 1;
        let at = self.at;
        let MetadataLayout {
            signature,
            metadata,
            ..
        } = &self.layout;
        vector.inputs = Inputs::zero(signature);
        let inputs = &mut vector.inputs;
        let (mut all, mut codes) = (Vec::new(), Vec::new());
        for column in &mut self.columns {
            let result = self.result.unwrap_or(0);
            match (column.name, Operand::named(column.name)) {
                ("b", _) if metadata.is_some() => all = column.registers(at)?,
                ("e", _) => codes = column.registers(at)?,
                (_, Some(operand)) => column.read(at, inputs.row_mut(operand), 0)?,
                (_, None) => column.read(at, std::slice::from_mut(&mut vector.d), result)?,
            }
        }
        if let Some([expected, found]) = self.layout.unread(inputs.c) {
            return Err(wrong("c", format!("{expected}, in row {at}"), found));
        }
        if let Some(metadata) = metadata {
            let kept = self.columns[1].length();
            let selected = select(*metadata, kept, &codes, &all);
            let selected = selected.map_err(|[expected, found]| {
                wrong("e", format!("{expected}, in row {at}"), found)
            })?;
            inputs.b[..kept].copy_from_slice(&selected);
        }
        Ok(Some(usize::try_from(at).unwrap_or(usize::MAX)))
    }
}

fn damaged_array(name: &str, error: &std::io::Error) -> VectorError {
    wrong(name, "a whole array", error.to_string())
}

/// The array `name` of the archive, its header, and its size in bytes; `None` if the archive has no
/// such array.
fn member(
    archive: &mut Archive,
    file: &Rc<RefCell<File>>,
    name: &str,
) -> Result<Option<(SectionMember, NpyHeader, u64)>, VectorError> {
    let Some(index) = archive.index_for_name(&format!("{name}.npy")) else {
        return Ok(None);
    };
    let entry = archive.by_index_raw(index);
    let entry = entry.map_err(|error| wrong(name, "a zip entry", error.to_string()))?;
    let mut member = SectionMember::new(&entry, file)
        .ok_or_else(|| wrong(name, "stored or deflated data", "other data"))?;
    let header = read_header(&mut member).map_err(|error| damaged_array(name, &error))?;
    let header = header.map_err(|[expected, found]| wrong(name, expected, found))?;
    Ok(Some((member, header, entry.size())))
}

/// Whether the file at `path` is an archive that does not state its operands, so that nothing tells whether
/// they are those of a model.
pub fn is_unstated_archive(path: &Path) -> bool {
    let states = || {
        let file = File::open(path).ok()?;
        let mut archive = ZipArchive::new(BufReader::new(file.try_clone().ok()?)).ok()?;
        let about = about(&mut archive, &Rc::new(RefCell::new(file))).ok()?;
        Some(about.signature.is_some())
    };
    !is_stdin(path) && states() == Some(false)
}

/// The file header in the array `about`; a default header if the archive has no such array.
fn about(archive: &mut Archive, file: &Rc<RefCell<File>>) -> Result<FileHeader, VectorError> {
    let Some((mut member, header, size)) = member(archive, file, "about")? else {
        return Ok(FileHeader::default());
    };
    let length = size.saturating_sub(header.length);
    let is_text = header.element.starts_with("<U") && header.shape.is_empty();
    if !is_text || length > LONGEST as u64 || length % 4 != 0 {
        return Err(wrong(
            "about",
            "a string of at most a million characters",
            header.element,
        ));
    }
    let mut bytes = Vec::new();
    let read = member.by_ref().take(length).read_to_end(&mut bytes);
    read.map_err(|error| damaged_array("about", &error))?;
    let is_whole = member.finish();
    if !is_whole.map_err(|error| damaged_array("about", &error))? {
        return Err(wrong("about", "the bytes of its checksum", "others"));
    }
    let characters = bytes.chunks_exact(4).map(|code| {
        let code = code
            .iter()
            .rev()
            .fold(0, |code, &byte| code << 8 | u32::from(byte));
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    });
    let text: String = characters.collect();
    serde_json::from_str(text.trim_end_matches('\0'))
        .map_err(|error| wrong("about", "a JSON object", error.to_string()))
}

impl ColumnReader {
    /// Opens the array `name` of unsigned integers, and counts its rows. A row has at most `most`
    /// registers; if `most` is `None`, at most `LONGEST`.
    fn open(
        archive: &mut Archive,
        file: &Rc<RefCell<File>>,
        name: &'static str,
        format: Format,
        most: Option<usize>,
    ) -> Result<(u64, ColumnReader), VectorError> {
        let Some((member, header, size)) = member(archive, file, name)? else {
            return Err(wrong(name, "an array of that name", "none"));
        };
        let (order, bytes) = match header.element.split_at_checked(1) {
            Some((order @ ("<" | ">" | "|"), kind)) => (order, kind),
            _ => ("", ""),
        };
        let bytes = match bytes {
            "u1" => 1,
            "u2" => 2,
            "u4" => 4,
            "u8" => 8,
            _ => {
                return Err(wrong(
                    name,
                    "registers as unsigned integers, such as `<u4` (NumPy's `c.view(\"u4\")`; results of matrices are compared by `mmasmt matmul A B C --on MODEL --against D.npy`)",
                    header.element,
                ));
            }
        };
        let (count, registers) = match header.shape[..] {
            [count] => (count, 1),
            [count, registers] => (count, registers),
            _ => {
                return Err(wrong(
                    name,
                    "one dimension or two",
                    header.shape.len().to_string(),
                ));
            }
        };
        if header.first_runs_fastest && header.shape.len() > 1 {
            return Err(wrong(
                name,
                "rows one after the other, as numpy.ascontiguousarray makes them",
                "columns (fortran_order True)",
            ));
        }
        let registers = usize::try_from(registers).unwrap_or(usize::MAX);
        let limit = most.unwrap_or(LONGEST);
        if registers == 0 || registers > limit {
            return Err(wrong(
                name,
                format!(
                    "1 to {limit} values in a row (an instruction is chained by `repeat(MODEL):K={registers}`, a composition takes `K={registers}`)"
                ),
                registers.to_string(),
            ));
        }
        if name.starts_with('s') && registers != limit {
            return Err(wrong(
                name,
                format!("{limit} values in a row"),
                registers.to_string(),
            ));
        }
        let length = u128::from(count) * (registers * bytes) as u128;
        if length + u128::from(header.length) != u128::from(size) {
            let expected = format!("{length} bytes, as its shape says");
            return Err(wrong(
                name,
                expected,
                size.saturating_sub(header.length).to_string(),
            ));
        }
        let column = ColumnReader {
            name,
            format,
            member,
            big_endian: order == ">",
            row: vec![0; registers * bytes],
            bytes,
        };
        Ok((count, column))
    }

    /// The number of registers in a row.
    fn length(&self) -> usize {
        self.row.len() / self.bytes
    }

    /// Reads the next row, and returns its registers. `at` is the number of the row, from 1.
    fn registers(&mut self, at: u64) -> Result<Vec<u64>, VectorError> {
        let mut registers = vec![0; self.length()];
        self.read(at, &mut registers, 0)?;
        Ok(registers)
    }

    /// Reads the next row, and copies its registers, from number `from` on, into `registers`. `at`
    /// is the number of the row, from 1.
    fn read(&mut self, at: u64, registers: &mut [u64], from: usize) -> Result<(), VectorError> {
        let read = self.member.read_exact(&mut self.row);
        read.map_err(|error| damaged_array(self.name, &error))?;
        let elements = self.row.chunks_exact(self.bytes).skip(from);
        for (register, element) in registers.iter_mut().zip(elements) {
            let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
            *register = if self.big_endian {
                element.iter().fold(0, add)
            } else {
                element.iter().rev().fold(0, add)
            };
            let width = self.format.width();
            if width < 64 && *register >> width != 0 {
                let expected = format!("values of {width} bits in row {at}");
                return Err(wrong(self.name, expected, format!("0x{register:x}")));
            }
        }
        Ok(())
    }
}
