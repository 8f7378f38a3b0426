//! The schemes and units of a request, and the models that they make.

use crate::cli::error::Error;
use crate::cli::notes::{note, note_keys, note_lengths};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::errors::compare::{needs_unit, on_row};

/// Pairs each scheme with each of the units. A scheme that needs no unit gets one pair, with an
/// empty text in place of the unit.
pub(super) fn pairs<'x>(
    schemes: &'x [String],
    on: &'x [String],
) -> Result<Vec<[&'x str; 2]>, Error> {
    if !on.is_empty() && !schemes.iter().any(|scheme| needs_unit(scheme)) {
        return Err(Error::Usage(
            "--on: expected a scheme that is made of a unit, such as `markidis` or `_`, found models alone; leave it out".into(),
        ));
    }
    let all: Vec<_> = on.iter().flat_map(|on| units(on)).collect();
    let mut pairs = Vec::new();
    for scheme in schemes {
        match (needs_unit(scheme), on.is_empty()) {
            (true, true) => {
                let found = excerpt(scheme);
                return Err(Error::Usage(format!(
                    "expected --on with units or architectures for `{found}`"
                )));
            }
            (true, false) => pairs.extend(all.iter().map(|on| [scheme.as_str(), *on])),
            (false, _) => pairs.push([scheme, ""]),
        }
    }
    Ok(pairs)
}

/// Splits a text at the commas between units. A comma in parentheses, or before a further key of a
/// unit, is part of the unit.
fn units(text: &str) -> Vec<&str> {
    let mut units = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                let next = text[at + 1..].split(',').next().unwrap_or_default();
                let is_key = next.find('=').is_some_and(|end| {
                    let key = &next[..end];
                    key.chars()
                        .all(|letter| letter.is_alphanumeric() || letter == '_')
                });
                if !is_key {
                    units.push(&text[start..at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    units.push(&text[start..]);
    units
}

/// The model with `products` products that a scheme makes of a unit, or why it cannot be made of
/// this unit.
pub(super) fn model(
    [scheme, on]: [&str; 2],
    products: u32,
) -> Result<Result<Model, String>, Error> {
    let (model, row) = match on_row(scheme, on) {
        Ok(found) => found,
        Err(error) if error.is_about_place() => return Ok(Err(error.to_string())),
        Err(error) => return Err(Error::Usage(error.to_string())),
    };
    note_keys(scheme)?;
    note_keys(on)?;
    note(row.map(|row| {
        let on = excerpt(on);
        let (architecture, instruction) = (&row.architecture, &row.name);
        format!("the instruction of `{on}` is {architecture}/{instruction}")
    }))?;
    note_lengths([scheme, on])?;
    let model = model.of_length(products);
    model
        .map(Ok)
        .map_err(|error| Error::Usage(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::units;

    #[test]
    fn commas_of_a_unit_are_its_own() {
        for (text, expected) in [
            ("volta,ampere", &["volta", "ampere"][..]),
            (
                "fda:K=4,in=e4m3,hopper/HMMA.16816.F32",
                &["fda:K=4,in=e4m3", "hopper/HMMA.16816.F32"],
            ),
            (
                "promote(fda:K=4,F=13):every=4,step=2,volta",
                &["promote(fda:K=4,F=13):every=4,step=2", "volta"],
            ),
            ("fda", &["fda"]),
        ] {
            assert_eq!(units(text), expected);
        }
    }
}
