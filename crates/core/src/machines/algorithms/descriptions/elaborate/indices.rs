//! Whole numbers and words, whose names are parameters and counters of loops.

use super::{Elaborated, Elaborator, wrong};
use crate::base::excerpt::excerpt;
use crate::base::near::did_you_mean;
use crate::machines::algorithms::descriptions::tree::{Index, IndexOperation, Place, Setting};
use crate::numbers::float::Format;

impl Elaborator<'_> {
    pub(super) fn number(&self, at: Place, index: &Index) -> Elaborated<i64> {
        match index {
            Index::Number(number) => Ok(*number),
            Index::Name(name) => {
                let counter = self
                    .counters
                    .iter()
                    .rev()
                    .find(|(counter, _)| counter == name);
                match (counter, self.settings.get(name.as_str())) {
                    (Some((_, value)), _) => Ok(*value),
                    (None, Some(Setting::Number(number))) => Ok(*number),
                    _ => wrong(
                        at,
                        format!("a whole number, a parameter or a counter, found `{name}`"),
                    ),
                }
            }
            Index::Operation(operation, sides) => {
                let [left, right] = [self.number(at, &sides[0])?, self.number(at, &sides[1])?];
                let result = match operation {
                    IndexOperation::Plus => left.checked_add(right),
                    IndexOperation::Minus => left.checked_sub(right),
                    IndexOperation::Times => left.checked_mul(right),
                    IndexOperation::Over => left.checked_div_euclid(right),
                    IndexOperation::Modulo => left.checked_rem_euclid(right),
                };
                result.map_or_else(
                    || {
                        wrong(
                            at,
                            format!(
                                "a number that 64 bits hold, found `{}`",
                                excerpt(&index.to_string())
                            ),
                        )
                    },
                    Ok,
                )
            }
        }
    }

    /// A whole number from `least` to `most`.
    pub(super) fn number_within(
        &self,
        at: Place,
        index: &Index,
        least: i64,
        most: i64,
    ) -> Elaborated<i64> {
        let number = self.number(at, index)?;
        match (least..=most).contains(&number) {
            true => Ok(number),
            false => wrong(
                at,
                format!("a whole number from {least} to {most}, found {number}"),
            ),
        }
    }

    /// The word of an option, which may be that of a parameter.
    pub(super) fn word<'x>(&'x self, index: &'x Index) -> Option<&'x str> {
        let Index::Name(name) = index else {
            return None;
        };
        match self.settings.get(name.as_str()) {
            Some(Setting::Word(word)) => Some(word),
            _ => Some(name),
        }
    }

    /// The format with this name, or the one that a parameter of this name holds.
    pub(super) fn format(&self, at: Place, name: &str) -> Elaborated<Format> {
        let name = match self.settings.get(name) {
            Some(Setting::Word(word)) => word,
            _ => name,
        };
        if let Some((elements, scales, block)) = Format::scaled_known_as(name) {
            let (elements, scales) = (elements.name(), scales.name());
            let found = excerpt(name);
            return wrong(
                at,
                format!(
                    "a format, found `{found}`, whose elements are `{elements}` with scales `sa, sb: {scales} of {block}`"
                ),
            );
        }
        let own = self.formats.iter().find(|(known, _)| *known == name);
        let known = Format::named(name)
            .or_else(|| Format::scale_named(name))
            .or(own.map(|(_, format)| *format));
        known.map_or_else(
            || {
                let near = match Format::known_as(name) {
                    Some(format) => format!(", did you mean `{}`?", format.name()),
                    None => {
                        let all = Format::ALL.iter().chain(&Format::INTEGERS);
                        did_you_mean(
                            name,
                            all.chain(&Format::ELEMENTS).map(|format| format.name()),
                        )
                    }
                };
                wrong(at, format!("a format, found `{name}`{near}"))
            },
            Ok,
        )
    }
}
