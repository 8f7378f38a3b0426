//! What names of numbers and words stand for: parameters, names of `let`, and counters of loops.

use super::outcome::{ElaborationResult, wrong};
use crate::machines::algorithms::descriptions::evaluate::{evaluate, holds, number};
use crate::machines::algorithms::descriptions::tree::{Condition, Index, Place, Setting, Tree};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::Format;
use rustc_hash::FxHashMap;

/// The numbers and words with a name.
pub(crate) struct Scope<'t> {
    settings: FxHashMap<&'t str, Setting>,
    /// The counters of loops around the statement.
    pub(super) counters: Vec<(String, i64)>,
    /// The numbers and words with a name of `let`.
    pub(super) lets: FxHashMap<String, Setting>,
    /// The turns of loops so far.
    pub(super) turns: usize,
    /// Formats beside those that have a name everywhere.
    formats: &'t [(&'t str, Format)],
}

impl<'t> Scope<'t> {
    /// The parameters of a description with these values, in their order.
    pub(crate) fn of(
        tree: &'t Tree,
        settings: &[Setting],
        formats: &'t [(&'t str, Format)],
    ) -> Scope<'t> {
        let names = tree.parameters.iter().map(|one| one.name.as_str());
        Scope {
            settings: names.zip(settings.iter().cloned()).collect(),
            counters: Vec::new(),
            lets: FxHashMap::default(),
            turns: 0,
            formats,
        }
    }

    /// Gives a name to a number.
    pub(crate) fn define(&mut self, name: &'t str, number: i64) {
        self.settings.insert(name, Setting::Number(number));
    }

    /// What a name stands for: the counter of a loop, a name of `let`, or a parameter.
    fn setting_of(&self, name: &str) -> Option<Setting> {
        let mut counters = self.counters.iter().rev();
        let counter = counters.find(|(counter, _)| counter == name);
        let counter = counter.map(|(_, value)| Setting::Number(*value));
        counter
            .or_else(|| self.lets.get(name).cloned())
            .or_else(|| self.settings.get(name).cloned())
    }

    /// The number or the word of an index.
    pub(crate) fn setting(&self, at: Place, index: &Index) -> ElaborationResult<Setting> {
        let mut names = |name: &str| Ok(self.setting_of(name));
        evaluate(index, &mut names).or_else(|expected| wrong(at, expected))
    }

    pub(crate) fn number(&self, at: Place, index: &Index) -> ElaborationResult<i64> {
        let mut names = |name: &str| Ok(self.setting_of(name));
        number(index, &mut names).or_else(|expected| wrong(at, expected))
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, at: Place, condition: &Condition) -> ElaborationResult<bool> {
        let mut names = |name: &str| Ok(self.setting_of(name));
        holds(condition, &mut names).or_else(|expected| wrong(at, expected))
    }

    /// A whole number from `least` to `most`.
    pub(crate) fn number_within(
        &self,
        at: Place,
        index: &Index,
        least: i64,
        most: i64,
    ) -> ElaborationResult<i64> {
        let number = self.number(at, index)?;
        match (least..=most).contains(&number) {
            true => Ok(number),
            false => wrong(
                at,
                format!("a whole number from {least} to {most}, found {number}"),
            ),
        }
    }

    /// The word of an option, which may be that of a parameter; `None` for a number.
    pub(crate) fn word(&self, index: &Index) -> Option<String> {
        let mut names = |name: &str| Ok(self.setting_of(name));
        match evaluate(index, &mut names) {
            Ok(Setting::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The format with this name, or the one that a parameter of this name holds.
    pub(crate) fn format(&self, at: Place, name: &str) -> ElaborationResult<Format> {
        let held = self.setting_of(name);
        let name = match &held {
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
