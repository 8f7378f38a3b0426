//! Reads and writes matrices as NumPy arrays (`.npy`, or in an archive `.npz`).
//!
//! Elements are numbers (`float16`, `float32`, `float64`), which the wanted format must represent
//! exactly, or raw registers of the width of the format: unsigned integers, or the bytes that
//! `ml_dtypes` saves for `bfloat16`, `float8_e4m3fn` and others. Either byte order is read, and
//! either C or Fortran order.

use super::archive::ArrayLocation;
use super::array_error::{ArrayError, unexpected};
use super::matrix::Matrix;
use super::stack::{Stack, index};
use crate::vectors::npy;
use crate::vectors::write::stored;
use mmasmt_core::batch::ColumnData;
use mmasmt_numbers::base::limits::{Limits, Stopped, stop, work};
use mmasmt_numbers::base::whole_file::WholeFile;
use mmasmt_numbers::float::{Dyadic, Format, NanCode, decimal};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use zip::ZipWriter;

/// The most matrices without elements that are read from a file: each takes memory, but no bytes of
/// the file.
const MOST_EMPTY: usize = 1 << 20;

/// The cost of reading an element. The unit of `work` is a byte of graph nodes: this many bytes of
/// nodes could be created in the time that it takes to read an element.
const ELEMENT_WORK: u64 = 64;

/// How the elements of an array are encoded.
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

/// Reads the array at `path` as matrices of `format`. The last two dimensions are rows and columns;
/// a one-dimensional array is one row.
///
/// In an archive (`.npz`), `path` may name the array, as in `both.npz:a`; otherwise the only array
/// is read, or, if there are several, the first of `names` that exists.
///
/// # Errors
/// If there is no such array, or an element is not a number of the format.
pub fn read_array(path: &Path, names: &[&str], format: Format) -> Result<Stack, ArrayError> {
    match ArrayLocation::of(path) {
        None => read(&mut BufReader::new(File::open(path)?), format),
        Some(archived) => archived.with(names, |member| read(member, format)),
    }
}

/// The rows and columns of the array that [`read_array`] would read, without its elements.
///
/// # Errors
/// If there is no such array.
pub fn read_shape(path: &Path, names: &[&str]) -> Result<[usize; 2], ArrayError> {
    let of = |file: &mut dyn Read| {
        let mut file = file;
        let header = npy::read_header(&mut file)?.map_err(unexpected)?;
        let extent = |from_end: usize| {
            let place = header.shape.len().checked_sub(from_end);
            let extent = place.map_or(1, |place| header.shape[place]);
            usize::try_from(extent).unwrap_or(usize::MAX)
        };
        let found = [extent(2), extent(1)];
        // A member of an archive is read to its end, where its checksum is.
        io::copy(&mut file, &mut io::sink())?;
        Ok(found)
    };
    match ArrayLocation::of(path) {
        None => of(&mut BufReader::new(File::open(path)?)),
        Some(archived) => archived.with(names, of),
    }
}

/// Reads whole numbers in one dimension: signed or unsigned, of 1, 2, 4 or 8 bytes.
///
/// # Errors
/// If there is no such array, or it has other elements or more dimensions.
pub fn read_numbers(path: &Path) -> Result<Vec<i64>, ArrayError> {
    match ArrayLocation::of(path) {
        None => numbers(&mut BufReader::new(File::open(path)?)),
        Some(archived) => archived.with(&[], |member| numbers(member)),
    }
}

fn numbers(file: &mut dyn Read) -> Result<Vec<i64>, ArrayError> {
    let mut file = file;
    let header = npy::read_header(&mut file)?.map_err(unexpected)?;
    let (order, kind) = header.element.split_at_checked(1).unwrap_or_default();
    let (sign, bytes) = kind.split_at_checked(1).unwrap_or_default();
    let bytes = bytes
        .parse()
        .ok()
        .filter(|bytes| [1, 2, 4, 8].contains(bytes));
    let ([length], Some(bytes), true, true) = (
        &header.shape[..],
        bytes,
        order != ">",
        ["i", "u"].contains(&sign),
    ) else {
        let expected = "whole numbers in one dimension, lowest byte first".into();
        let found = format!("`{}` of shape {:?}", header.element, header.shape);
        return Err(unexpected([expected, found]));
    };
    let mut all = Vec::new();
    let mut buffer = vec![0; bytes];
    for _ in 0..*length {
        work(ELEMENT_WORK);
        file.read_exact(&mut buffer)?;
        let is_negative = sign == "i" && buffer.last().is_some_and(|top| *top >= 0x80);
        let mut wide = if is_negative { [0xff; 8] } else { [0; 8] };
        wide[..bytes].copy_from_slice(&buffer);
        all.push(i64::from_le_bytes(wide));
    }
    Ok(all)
}

fn read(file: &mut dyn Read, format: Format) -> Result<Stack, ArrayError> {
    let mut file = file;
    let header = npy::read_header(&mut file)?.map_err(unexpected)?;
    let lengths = header.shape.iter();
    let lengths = lengths.map(|length| usize::try_from(*length).unwrap_or(usize::MAX));
    let lengths: Vec<usize> = lengths.collect();
    let (batch, shape) = match lengths[..] {
        [] => return Err(unexpected(["a matrix".into(), "one number".into()])),
        [columns] => (&[][..], [1, columns]),
        [ref batch @ .., rows, columns] => (batch, [rows, columns]),
    };
    let raw = npy::bytes_of(&format);
    let (order, kind) = header.element.split_at_checked(1).unwrap_or_default();
    let element = match (order, kind) {
        ("<" | ">", "f2") => Element::Number(Format::F16),
        ("<" | ">", "f4") => Element::Number(Format::F32),
        ("<" | ">", "f8") => Element::Number(Format::F64),
        ("<" | ">" | "|", kind) if kind == format!("u{raw}") => Element::Register(raw),
        // The type of raw bytes (`V`) does not give their order; they are read lowest byte first.
        ("<" | "|", kind) if kind == format!("V{raw}") => Element::Register(raw),
        _ => {
            let expected =
                format!("elements float16, float32, float64, or registers of {raw} bytes");
            let found = format!("`{}`", header.element);
            return Err(unexpected([expected, found]));
        }
    };
    let count = lengths.iter().copied().fold(1, usize::saturating_mul);
    let mut elements = Elements::new(file, element.bytes(), order == ">", count);
    let mut one = |place: usize| {
        work(ELEMENT_WORK);
        let register = elements.next()?;
        let held = match element {
            Element::Register(_) => {
                (register <= u64::MAX >> (64 - format.width())).then_some(register)
            }
            Element::Number(from) => held(&from, &format, register),
        };
        held.ok_or_else(|| {
            let index = if header.first_runs_fastest {
                let reversed: Vec<usize> = lengths.iter().rev().copied().collect();
                index(&reversed, place).into_iter().rev().collect()
            } else {
                index(&lengths, place)
            };
            match element {
                Element::Register(_) => ArrayError::TooWide {
                    index,
                    register,
                    format,
                },
                Element::Number(from) => not_held(index, &from, register, format),
            }
        })
    };
    let [rows, columns] = shape;
    let size = rows.saturating_mul(columns);
    let count = batch.iter().copied().fold(1, usize::saturating_mul);
    if size == 0 && count > MOST_EMPTY {
        let expected = format!("at most {MOST_EMPTY} matrices without elements");
        return Err(unexpected([expected, count.to_string()]));
    }
    // All matrices are kept in memory, so reading does not start without room for them.
    let bytes = (size as u64).saturating_mul(count as u64);
    if !Limits::active().have_room_for(bytes.saturating_mul(raw as u64)) {
        stop(Stopped::MemoryLimit);
    }
    let mut matrices = Vec::new();
    if header.first_runs_fastest {
        let mut all = ColumnData::new(&format);
        for place in 0..size.saturating_mul(count) {
            all.push(one(place)?);
        }
        // For each dimension, the distance in the file between neighbouring elements.
        let steps: Vec<usize> = lengths
            .iter()
            .scan(1, |step: &mut usize, length| {
                Some(std::mem::replace(step, step.saturating_mul(*length)))
            })
            .collect();
        let place = |number: usize| -> usize {
            let index = index(&lengths, number).into_iter();
            index.zip(&steps).map(|(at, step)| at * step).sum()
        };
        for number in 0..count {
            let places = (number * size..(number + 1) * size).map(place);
            let mut registers = ColumnData::new(&format);
            registers.extend(places.map(|place| all.get(place)));
            matrices.extend(Matrix::of(format, shape, registers));
        }
    } else {
        for number in 0..count {
            let mut registers = ColumnData::new(&format);
            for place in 0..size {
                registers.push(one(number * size + place)?);
            }
            matrices.extend(Matrix::of(format, shape, registers));
        }
    }
    let found = matrices.len().to_string();
    Stack::new(batch, format, shape, matrices)
        .ok_or_else(|| unexpected(["as many elements as the shape says".into(), found]))
}

/// The elements of an array in their order, read many at a time.
struct Elements<'x> {
    file: &'x mut dyn Read,
    /// The bytes of an element.
    size: usize,
    /// True if the highest byte of an element is the first.
    is_reversed: bool,
    /// The number of elements that are not read yet.
    left: usize,
    chunk: Vec<u8>,
    /// The place in the chunk.
    at: usize,
}

impl<'x> Elements<'x> {
    /// The most elements that are read at once.
    const MOST: usize = 8192;

    fn new(file: &'x mut dyn Read, size: usize, is_reversed: bool, count: usize) -> Elements<'x> {
        Elements {
            file,
            size,
            is_reversed,
            left: count,
            chunk: Vec::new(),
            at: 0,
        }
    }

    fn next(&mut self) -> io::Result<u64> {
        if self.at == self.chunk.len() {
            let count = self.left.min(Self::MOST);
            self.chunk.resize(count * self.size, 0);
            self.file.read_exact(&mut self.chunk)?;
            (self.left, self.at) = (self.left - count, 0);
        }
        let bytes = self.chunk.get(self.at..self.at + self.size);
        let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut wide = [0; 8];
        wide[..self.size].copy_from_slice(bytes);
        if self.is_reversed {
            wide[..self.size].reverse();
        }
        self.at += self.size;
        Ok(u64::from_le_bytes(wide))
    }
}

/// The error for a number that the format cannot represent.
fn not_held(index: Vec<usize>, from: &Format, register: u64, to: Format) -> ArrayError {
    let is_finite = from.is_finite(register);
    ArrayError::NotHeld {
        index,
        value: decimal(from, register),
        format: to,
        advice: if is_finite {
            "round it first"
        } else {
            "take a number in its place"
        },
    }
}

impl Stack {
    /// The same matrices, with their numbers in the format `to`.
    ///
    /// # Errors
    /// If the format cannot represent one of the numbers.
    pub fn widened(&self, to: Format) -> Result<Stack, ArrayError> {
        let from = self.format();
        let mut matrices = Vec::new();
        for (number, matrix) in self.matrices().iter().enumerate() {
            let mut registers = ColumnData::new(&to);
            for (place, register) in matrix.registers().enumerate() {
                let columns = matrix.shape()[1];
                let index = || self.index(number, [place / columns, place % columns]);
                let held = held(&from, &to, register)
                    .ok_or_else(|| not_held(index(), &from, register, to))?;
                registers.push(held);
            }
            matrices.extend(Matrix::of(to, matrix.shape(), registers));
        }
        let found = matrices.len().to_string();
        Stack::new(self.batch(), to, self.matrix_shape(), matrices)
            .ok_or_else(|| unexpected(["as many elements as before".into(), found]))
    }
}

/// The register of the same number, infinity or NaN in the format `to`; `None` if `to` does not
/// have it. A NaN of another format becomes the quiet NaN.
fn held(from: &Format, to: &Format, register: u64) -> Option<u64> {
    // All formats that have +0 encode it as zero bits.
    if register == 0 && from.has_zero() && to.has_zero() {
        return Some(0);
    }
    let is_wider = [Format::F32, Format::TF32].contains(to) && *from == Format::F32;
    if from == to || is_wider && *to == Format::F32 {
        return Some(register);
    }
    if register == from.sign_mask() && to.is_signed() {
        return Some(to.sign_mask());
    }
    if from.is_nan(register) {
        return to.has_nan().then(|| to.nan(NanCode::Quiet));
    }
    if !from.is_finite(register) {
        let infinity = to.signed(from.is_negative(register), to.beyond_finite());
        return to.has_infinity().then_some(infinity);
    }
    Dyadic::of(from, register)?.register(to)
}

/// Writes matrices as a NumPy array, or, if `path` ends in `.npz`, as the array `name` of an
/// archive. The elements are numbers if NumPy has the format, else registers. Without batch
/// dimensions the array has two dimensions.
///
/// # Errors
/// If the file cannot be written.
pub fn write_array(path: &Path, name: &str, stack: &Stack) -> Result<(), ArrayError> {
    let mut whole = WholeFile::create(path)?;
    match path.extension().is_some_and(|end| end == "npz") {
        false => write(&mut BufWriter::new(&mut whole), stack)?,
        true => write_members(&mut whole, &[(name, stack)])?,
    }
    whole.finish()?;
    Ok(())
}

/// Writes an archive `.npz` with these arrays, each under its name.
///
/// # Errors
/// If the file cannot be written.
pub fn write_archive(path: &Path, arrays: &[(&str, &Stack)]) -> Result<(), ArrayError> {
    let mut whole = WholeFile::create(path)?;
    write_members(&mut whole, arrays)?;
    whole.finish()?;
    Ok(())
}

fn write_members(whole: &mut WholeFile, arrays: &[(&str, &Stack)]) -> io::Result<()> {
    let mut archive = ZipWriter::new(BufWriter::new(whole));
    for (name, stack) in arrays {
        let member = format!("{name}.npy");
        archive
            .start_file(member, stored())
            .map_err(io::Error::from)?;
        write(&mut archive, stack)?;
    }
    archive.finish().map_err(io::Error::from)?.flush()
}

fn write(out: &mut dyn Write, stack: &Stack) -> io::Result<()> {
    let format = stack.format();
    let bytes = npy::bytes_of(&format);
    let element = match format {
        Format::F16 => "<f2".into(),
        Format::F32 => "<f4".into(),
        Format::F64 => "<f8".into(),
        _ => npy::unsigned(bytes),
    };
    let shape: Vec<u64> = stack.shape().iter().map(|length| *length as u64).collect();
    out.write_all(&npy::header(&element, &shape))?;
    let registers = stack.matrices().iter().flat_map(Matrix::registers);
    for register in registers {
        out.write_all(&register.to_le_bytes()[..bytes])?;
    }
    out.flush()
}
