//! Whether a row has a text in its names, or a format by any of its names; how a list spells its
//! model.

use crate::cli::error::Error;
use mmasmt_core::machines::model::{Model, Row, UnknownArithmetic};
use mmasmt_numbers::float::Format;

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

/// The model of a row with all keys that are no defaults. A composition takes sums of any length
/// unless its row gives one, so it has no `K` then: the text can be pasted for any matrix.
pub(super) fn open_spelling(row: &Row) -> Result<String, Error> {
    let canonical = Model::parse(&row.model)?.canonical();
    let is_length = |key: &str| key.starts_with("K=");
    let gives_length = {
        let mut given = row.spec(None)?.keys.into_iter();
        given.any(|(key, _)| key.eq_ignore_ascii_case("K"))
    };
    let Some((inside, keys)) = canonical.rsplit_once(')').filter(|_| !gives_length) else {
        return Ok(canonical);
    };
    let keys = keys.trim_start_matches(':').split(',');
    let keys: Vec<_> = keys.filter(|key| !is_length(key)).collect();
    Ok(match keys.join(",") {
        keys if keys.is_empty() => format!("{inside})"),
        keys => format!("{inside}):{keys}"),
    })
}

/// Whether one of the texts in `said` contains `text`, in upper or lower case.
fn says<'t>(mut said: impl Iterator<Item = &'t String>, text: &str) -> bool {
    let text = text.to_lowercase();
    said.any(|said| said.to_lowercase().contains(&text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::open_spelling;
    use mmasmt_core::machines::model::{Model, architectures, libraries};

    #[test]
    fn a_row_of_a_library_has_any_length() {
        let all = architectures().unwrap().iter().chain(libraries().unwrap());
        let mut open = 0;
        for row in all.flat_map(|machine| &machine.rows) {
            let spelling = open_spelling(row).unwrap();
            let [of_row, of_spelling] = [&row.model, &spelling].map(|text| {
                let model = Model::parse(text).unwrap();
                [64, 256].map(|depth| model.along(depth).unwrap().canonical())
            });
            assert_eq!(of_row, of_spelling, "{}", row.name);
            open += usize::from(spelling.ends_with(')'));
        }
        assert!(open > 0);
    }
}
