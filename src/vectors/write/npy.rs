//! An array in NumPy's format `.npy`, version 1.0 (numpy.lib.format).

use crate::float::Format;

/// Bytes of the unsigned integer that holds a register.
pub(super) fn bytes_of(format: &Format) -> usize {
    (format.width().div_ceil(8) as usize).next_power_of_two()
}

/// The type of unsigned integers of so many bytes, the lowest byte first.
pub(super) fn unsigned(bytes: usize) -> String {
    match bytes {
        1 => "|u1".into(),
        _ => format!("<u{bytes}"),
    }
}

/// What stands before the elements of an array, which follow row by row.
pub(super) fn header(element: &str, shape: &[u64]) -> Vec<u8> {
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
