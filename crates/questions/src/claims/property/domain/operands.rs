//! What operands are called, in the order of `Registers::each`.

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use std::ops::Range;

/// What operands are called.
pub(super) const ROWS: [&str; 7] = ["a", "b", "c", "sa", "sb", "factors", "all"];

/// The operand as the grammar of domains names it.
pub(super) fn name(signature: &Signature, mut operand: usize) -> String {
    for (row, count) in rows(signature) {
        if operand < count {
            return match row {
                "c" => row.into(),
                _ => format!("{row}[{operand}]"),
            };
        }
        operand -= count;
    }
    "?".into()
}

/// The name of each row of operands and how many operands it has, in the order of `Registers::each`.
pub(super) fn rows(signature: &Signature) -> Vec<(&'static str, usize)> {
    let rows = signature.rows();
    rows.map(|row| (row.operand.name(), row.length)).collect()
}

/// The names of the rows.
pub(super) fn names(signature: &Signature) -> Vec<&'static str> {
    let rows = rows(signature).into_iter();
    rows.map(|(name, _)| name).collect()
}

/// The format of each operand, in the order of `Registers::each`.
pub(super) fn formats(signature: &Signature) -> Vec<Format> {
    let rows = signature.rows();
    rows.flat_map(|row| std::iter::repeat_n(row.format, row.length))
        .collect()
}

/// For each operand, whether `text` names it.
pub(super) fn parse_operands(text: &str, signature: &Signature) -> Result<Vec<bool>, String> {
    let (name, index) = match text.split_once('[') {
        Some((name, index)) => (name, Some(index)),
        None => (text, None),
    };
    let wanted: &[&str] = match name {
        "factors" => &["a", "b"],
        "all" => &["a", "b", "c", "sa", "sb"],
        row if ROWS.contains(&row) => &[row],
        _ => {
            return Err(format!(
                "{}, factors or all, found `{}`",
                names(signature).join(", "),
                excerpt(text)
            ));
        }
    };
    let mut chosen = Vec::new();
    for (row, count) in rows(signature) {
        let range = match index {
            Some(index) if wanted.contains(&row) => parse_range(index, count)?,
            _ => 0..count,
        };
        let is_wanted = wanted.contains(&row);
        chosen.extend((0..count).map(|k| is_wanted && range.contains(&k)));
    }
    if !chosen.contains(&true) {
        return Err(format!(
            "operands that the model has, found `{}`",
            excerpt(text)
        ));
    }
    Ok(chosen)
}

/// The indices that a text such as `3]`, `3..]` or `3..5]` names; the index after `..` is excluded.
/// All indices must be below `count`.
fn parse_range(text: &str, count: usize) -> Result<Range<usize>, String> {
    let read = |text: &str| text.parse::<usize>().ok();
    let range = text
        .strip_suffix(']')
        .and_then(|text| match text.split_once("..") {
            None => read(text).map(|k| k..k + 1),
            Some((low, "")) => read(low).map(|low| low..count),
            Some((low, high)) => read(low).zip(read(high)).map(|(low, high)| low..high),
        });
    let fits = |range: &Range<usize>| range.start <= range.end && range.end <= count;
    range.filter(fits).ok_or_else(|| {
        let found = excerpt(text);
        format!("an index below {count}, as in [0], [1..] or [0..2], found `[{found}`")
    })
}
