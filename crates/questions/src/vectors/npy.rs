//! The header of an array in NumPy's format `.npy`: versions 1.0 to 3.0 are read, 1.0 is written
//! (numpy.lib.format).

use mmasmt_numbers::float::Format;
use std::io::{self, Read};

/// The most bytes of a header; plain arrays have about a hundred.
const LONGEST: usize = 1 << 16;

/// The header of an array.
#[derive(Debug, PartialEq, Eq)]
pub struct NpyHeader {
    /// The type of the elements, such as `<u4` or `<U120`.
    pub element: String,
    /// The number of elements in each dimension.
    pub shape: Vec<u64>,
    /// Whether the first dimension runs fastest (Fortran order) instead of the last.
    pub first_runs_fastest: bool,
    /// The length of the header in bytes.
    pub length: u64,
}

/// Reads a header. If the bytes are not a header, the inner error holds the expected and the actual
/// text.
pub fn read_header(reader: &mut impl Read) -> io::Result<Result<NpyHeader, [String; 2]>> {
    let mut magic = [0; 8];
    reader.read_exact(&mut magic)?;
    let size = match magic {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _] => 2,
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _] => 4,
        _ => return Ok(Err(["an array of NumPy".into(), "other bytes".into()])),
    };
    let mut length = [0; 4];
    reader.read_exact(&mut length[..size])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        let expected = format!("a header of at most {LONGEST} bytes");
        return Ok(Err([expected, length.to_string()]));
    }
    let mut text = vec![0; length];
    reader.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let wrong = || {
        let expected = "a header with descr, fortran_order and shape".to_owned();
        [expected, format!("`{}`", text.trim())]
    };
    let length = (8 + size + length) as u64;
    Ok(parse(&text)
        .ok_or_else(wrong)
        .map(|header| NpyHeader { length, ..header }))
}

/// Parses the text of a header, such as `{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4),
/// }`.
fn parse(text: &str) -> Option<NpyHeader> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let value = |key: &str| {
        let rest = inner.split_once(&format!("'{key}':"))?.1;
        Some(rest.trim_start())
    };
    let element = value("descr")?.strip_prefix('\'')?.split_once('\'')?.0;
    let order = value("fortran_order")?;
    let first_runs_fastest = order.starts_with("True");
    if !first_runs_fastest && !order.starts_with("False") {
        return None;
    }
    let shape = value("shape")?.strip_prefix('(')?.split_once(')')?.0;
    let numbers = shape
        .split(',')
        .map(str::trim)
        .filter(|number| !number.is_empty());
    let shape: Result<Vec<u64>, _> = numbers.map(str::parse).collect();
    Some(NpyHeader {
        element: element.to_owned(),
        shape: shape.ok()?,
        first_runs_fastest,
        length: 0,
    })
}

/// The number of bytes of the unsigned integer that holds a register.
pub fn bytes_of(format: &Format) -> usize {
    (format.width().div_ceil(8) as usize).next_power_of_two()
}

/// NumPy's type of unsigned integers of `bytes` bytes, with the lowest byte first.
pub fn unsigned(bytes: usize) -> String {
    match bytes {
        1 => "|u1".into(),
        _ => format!("<u{bytes}"),
    }
}

/// The bytes before the elements of an array; the elements must follow row by row.
pub fn header(element: &str, shape: &[u64]) -> Vec<u8> {
    let shape = match shape {
        [one] => format!("({one},)"),
        _ => {
            let texts: Vec<String> = shape.iter().map(u64::to_string).collect();
            format!("({})", texts.join(", "))
        }
    };
    let mut text = format!("{{'descr': '{element}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take 10 bytes; elements begin at a multiple of 64.
    let before = 10 + text.len() + 1;
    text += &" ".repeat(before.next_multiple_of(64) - before);
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}
