//! A line of a vector file: `c a0,a1,… b0,b1,… d`, with `sa0,… sb0,…` before `d` where there are
//! block scales; of a conversion `a0,… d`, with its `c` first if it has one. Each number is given by its bits, as hexadecimal digits. The digits are written in
//! lower case and read in either case. A line of a sparse instruction may give the dense `b`, and
//! before `d` the codes that select elements of the dense `b`: `c a0,… b0,b1,… e0,… d`.

use super::Vector;
use super::error::VectorError;
use super::metadata::{CODE, MetadataLayout, most, select};
use mmasmt_core::machines::algorithms::line::push_register;
use mmasmt_core::machines::algorithms::{Inputs, Metadata};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;

/// The vector in one line of text; missing products are +0.
///
/// # Errors
/// If the line is not a vector of that layout.
pub fn parse_line(
    text: &str,
    line: usize,
    layout: impl Into<MetadataLayout>,
) -> Result<Vector, VectorError> {
    let layout = layout.into();
    let mut vector = Vector {
        inputs: Inputs::zero(&layout.signature),
        d: 0,
    };
    read_line(text, line, &layout, &mut vector)?;
    Ok(vector)
}

/// Like [`parse_line`], but overwrites an existing vector of the layout.
pub(super) fn read_line(
    text: &str,
    line: usize,
    layout: &MetadataLayout,
    vector: &mut Vector,
) -> Result<(), VectorError> {
    let mut cursor = read_operands(text, line, layout, &mut vector.inputs)?;
    if cursor.at == text.len() {
        let column = text.chars().count() + 1;
        return Err(VectorError::NoResult { line, column });
    }
    cursor.space("d")?;
    vector.d = cursor.register(layout.signature.d.digits(), "d")?;
    if cursor.at < text.len() {
        return Err(cursor.error("the end of the line after d".into()));
    }
    Ok(())
}

/// The operands in one line of text, with or without a result; missing products are +0.
///
/// # Errors
/// If the line does not begin with operands of that layout.
pub fn parse_inputs(
    text: &str,
    line: usize,
    layout: impl Into<MetadataLayout>,
) -> Result<Inputs, VectorError> {
    let layout = layout.into();
    let mut inputs = Inputs::zero(&layout.signature);
    let cursor = read_operands(text, line, &layout, &mut inputs)?;
    if cursor.at == text.len() {
        return Ok(inputs);
    }
    parse_line(text, line, layout).map(|vector| vector.inputs)
}

/// Reads the operands. If they are not those of the layout, and the line is one hexadecimal word,
/// the error says so.
fn read_operands<'t>(
    text: &'t str,
    line: usize,
    layout: &MetadataLayout,
    inputs: &mut Inputs,
) -> Result<Cursor<'t>, VectorError> {
    read_rows(text, line, layout, inputs).map_err(|error| {
        let word = text.trim_end();
        let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_word && word.len() <= LONGEST_REGISTER {
            true => VectorError::OneWord {
                line,
                found: word.into(),
            },
            false => error,
        }
    })
}

/// The hexadecimal digits of the widest register.
const LONGEST_REGISTER: usize = 16;

fn read_rows<'t>(
    text: &'t str,
    line: usize,
    layout: &MetadataLayout,
    inputs: &mut Inputs,
) -> Result<Cursor<'t>, VectorError> {
    let signature = &layout.signature;
    let mut cursor = Cursor { text, line, at: 0 };
    if signature.has_c() {
        inputs.c = cursor.register(signature.c.digits(), "c")?;
        if let Some([expected, found]) = layout.unread(inputs.c) {
            return Err(cursor.error_at(0, expected, found));
        }
        cursor.space("a")?;
    }
    let a_count = cursor.registers(signature.a.digits(), "a", &mut inputs.a)?;
    let mut all = None;
    if !signature.is_conversion() {
        cursor.space("b")?;
        all = read_b(&mut cursor, layout, a_count, &mut inputs.b)?;
    }
    // Products may be missing, but the rows after b must be complete.
    for row in signature.further_rows() {
        let what = row.operand.name();
        cursor.space(what)?;
        let start = cursor.at;
        let registers = inputs.row_mut(row.operand);
        let count = cursor.registers(row.format.digits(), what, registers)?;
        if count != row.length {
            let expected = format!("{} values of {what}", row.length);
            return Err(cursor.error_at(start, expected, count.to_string()));
        }
    }
    if let Some((metadata, all)) = all {
        cursor.space("e")?;
        let start = cursor.at;
        let mut codes = vec![0; most(metadata, a_count)[1]];
        let count = cursor.registers(CODE.digits(), "e", &mut codes)?;
        let selected = select(metadata, a_count, &codes[..count], &all)
            .map_err(|[expected, found]| cursor.error_at(start, expected, found))?;
        inputs.b.fill(0);
        inputs.b[..a_count].copy_from_slice(&selected);
    }
    Ok(cursor)
}

/// Reads the field `b` of a line. If the field has as many elements as `a`, stores the elements in
/// the argument `b` and returns `None`. In a line of a sparse instruction, the field may hold the
/// dense `b`, and codes in a later field select elements of it. In this case, returns the dense `b`
/// and leaves the argument `b` as it is.
fn read_b(
    cursor: &mut Cursor<'_>,
    layout: &MetadataLayout,
    a_count: usize,
    b: &mut [u64],
) -> Result<Option<(Metadata, Vec<u64>)>, VectorError> {
    let digits = layout.signature.b.digits();
    let start = cursor.at;
    let Some(metadata) = layout.metadata else {
        let count = cursor.registers(digits, "b", b)?;
        let expected = || format!("as many b as a ({a_count})");
        return if count == a_count {
            Ok(None)
        } else {
            Err(cursor.error_at(start, expected(), count.to_string()))
        };
    };
    let mut all = vec![0; most(metadata, b.len())[0]];
    let count = cursor.registers(digits, "b", &mut all)?;
    all.truncate(count);
    let whole = most(metadata, a_count)[0];
    if count == a_count {
        b.fill(0);
        b[..count].copy_from_slice(&all);
        return Ok(None);
    }
    if count != whole {
        let expected = format!("as many b as a ({a_count}), or all {whole} and codes behind them");
        return Err(cursor.error_at(start, expected, count.to_string()));
    }
    Ok(Some((metadata, all)))
}

/// The register that `text` spells in exactly the digits of the format; `None` for any other text.
pub(super) fn parse_register(text: &str, format: &Format) -> Option<u64> {
    let (line, at) = (1, 0);
    let mut cursor = Cursor { text, line, at };
    let register = cursor.register(format.digits(), "").ok()?;
    (cursor.at == text.len()).then_some(register)
}

/// Appends a space and the codes of a sparse instruction to `text`; nothing if there are no codes.
pub(super) fn push_codes(text: &mut String, codes: &[u64]) {
    for (index, code) in codes.iter().enumerate() {
        text.push(if index == 0 { ' ' } else { ',' });
        push_register(text, &CODE, *code);
    }
}

/// The value of each byte as a hexadecimal digit; [`NO_DIGIT`] if the byte is not a digit.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        digits[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};
const NO_DIGIT: u8 = 0x10;

struct Cursor<'t> {
    text: &'t str,
    line: usize,
    at: usize,
}

impl Cursor<'_> {
    /// Reads a register of exactly `digits` hexadecimal digits.
    fn register(&mut self, digits: usize, what: &str) -> Result<u64, VectorError> {
        let digit = |byte: &u8| DIGITS[usize::from(*byte)];
        let rest = &self.text.as_bytes()[self.at..];
        let (mut value, mut all) = (0, 0);
        for byte in rest.iter().take(digits) {
            value = value << 4 | u64::from(digit(byte));
            all |= digit(byte);
        }
        let ends = rest.get(digits).is_none_or(|byte| digit(byte) == NO_DIGIT);
        if rest.len() < digits || all >= NO_DIGIT || !ends {
            return Err(self.error(format!("{digits} hexadecimal digits for {what}")));
        }
        self.at += digits;
        Ok(value)
    }

    /// Reads one or more registers separated by commas, at most as many as `row` holds, and returns
    /// their number. The rest of `row` becomes +0.
    fn registers(
        &mut self,
        digits: usize,
        what: &str,
        row: &mut [u64],
    ) -> Result<usize, VectorError> {
        let most = row.len();
        let mut count = 0;
        loop {
            if count == most {
                return Err(self.error(format!("at most {most} values of {what}")));
            }
            row[count] = self.register(digits, what)?;
            count += 1;
            if self.text.as_bytes().get(self.at) != Some(&b',') {
                row[count..].fill(0);
                return Ok(count);
            }
            self.at += 1;
        }
    }

    fn space(&mut self, next: &str) -> Result<(), VectorError> {
        if self.text.as_bytes().get(self.at) != Some(&b' ') {
            return Err(self.error(format!("a space before {next}")));
        }
        self.at += 1;
        Ok(())
    }

    fn error(&self, expected: String) -> VectorError {
        let rest: String = self.text[self.at..].chars().take(20).collect();
        let found = if rest.is_empty() {
            "the end of the line".into()
        } else {
            format!("`{}`", excerpt(&rest))
        };
        self.error_at(self.at, expected, found)
    }

    fn error_at(&self, at: usize, expected: String, found: String) -> VectorError {
        let column = self.text[..at].chars().count() + 1;
        VectorError::Malformed {
            line: self.line,
            column,
            expected,
            found,
        }
    }
}
