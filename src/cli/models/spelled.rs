//! Whether a row has a text in its names, or a format by any of its names.

use mmasmt_core::machines::model::{Row, UnknownArithmetic};
use mmasmt_core::numbers::float::Format;

/// Whether a row has the text in one of its names or in its note, in upper or lower case. Any name
/// of a format finds the rows with that format; a name such as `nvfp4` stands for a format of
/// factors and a format of scales.
pub(super) fn is_spelled(row: &Row, text: &str) -> bool {
    let contains = |text: &str| says(row.names().chain(&row.note), text);
    let is_part = |format: Format| {
        let parts = |name: &String| {
            name.split(['.', '_', 'x'])
                .any(|part| part == format.name())
        };
        row.names().any(parts)
    };
    match Format::scaled_known_as(text) {
        Some((factors, scale, block)) => {
            let block = format!("block{block}");
            let is_block = |name: &String| !name.contains("block") || name.contains(&block);
            is_part(factors) && is_part(scale) && row.names().any(is_block)
        }
        None => contains(text) || Format::all_known_as(text).into_iter().any(is_part),
    }
}

/// Whether an instruction of unknown arithmetic has the text in its name, formats or note.
pub(super) fn unknown_is_spelled(unknown: &UnknownArithmetic, text: &str) -> bool {
    says(
        [&unknown.name, &unknown.formats]
            .into_iter()
            .chain(&unknown.note),
        text,
    )
}

/// Whether one of the texts in `said` contains `text`, in upper or lower case.
fn says<'t>(mut said: impl Iterator<Item = &'t String>, text: &str) -> bool {
    let text = text.to_lowercase();
    said.any(|said| said.to_lowercase().contains(&text))
}
