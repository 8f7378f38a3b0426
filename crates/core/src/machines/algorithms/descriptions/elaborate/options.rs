//! The options of a call.

use super::{Elaborated, Elaborator, wrong};
use crate::base::excerpt::excerpt;
use crate::machines::algorithms::descriptions::program::Cutting;
use crate::machines::algorithms::descriptions::tree::{Call, Choice, Index, Keyword, Place};

/// The options of a call, each of which it takes and has once.
pub(super) struct Options<'t> {
    pub at: Place,
    given: &'t [(Keyword, Choice)],
}

impl<'t> Options<'t> {
    /// The options of `call`.
    ///
    /// # Errors
    /// If an option is not one of the function, or given twice.
    pub(super) fn of(call: &'t Call) -> Elaborated<Options<'t>> {
        let known = call.function.keywords();
        for (number, (keyword, _)) in call.options.iter().enumerate() {
            if !known.contains(keyword) {
                let names: Vec<_> = known.iter().map(|one| one.word()).collect();
                let names = if names.is_empty() {
                    "no option".into()
                } else {
                    names.join(" or ")
                };
                let function = call.function.word();
                return wrong(
                    call.place,
                    format!("{names} of `{function}`, found `{}`", keyword.word()),
                );
            }
            if call.options[..number]
                .iter()
                .any(|(other, _)| other == keyword)
            {
                return wrong(call.place, format!("`{}` once", keyword.word()));
            }
        }
        Ok(Options {
            at: call.place,
            given: &call.options,
        })
    }

    pub(super) fn get(&self, keyword: Keyword) -> Option<&'t Choice> {
        self.given
            .iter()
            .find_map(|(known, choice)| (*known == keyword).then_some(choice))
    }

    /// The number or word of an option.
    pub(super) fn value(&self, keyword: Keyword) -> Elaborated<Option<&'t Index>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Choice::Value(index)) => Ok(Some(index)),
            Some(_) => wrong(
                self.at,
                format!("a number or a word for `{}`", keyword.word()),
            ),
        }
    }

    /// The number or word of an option that has to be given.
    pub(super) fn needed(&self, keyword: Keyword) -> Elaborated<&'t Index> {
        self.value(keyword)?.map_or_else(
            || wrong(self.at, format!("the option `{}`", keyword.word())),
            Ok,
        )
    }
}

impl Elaborator<'_> {
    /// The number of an option within its limits, if it is given.
    pub(super) fn number_of(
        &self,
        options: &Options<'_>,
        keyword: Keyword,
        least: i64,
        most: i64,
    ) -> Elaborated<Option<i64>> {
        let index = options.value(keyword)?;
        index
            .map(|index| self.number_within(options.at, index, least, most))
            .transpose()
    }

    /// The meaning of an option's word; the first meaning if the option is not given.
    pub(super) fn meaning<T: Copy>(
        &self,
        options: &Options<'_>,
        keyword: Keyword,
        words: &[(&str, T)],
    ) -> Elaborated<T> {
        let Some(index) = options.value(keyword)? else {
            return Ok(words[0].1);
        };
        let word = self.word(index);
        let known = words.iter().find(|(known, _)| Some(*known) == word);
        known.map_or_else(
            || {
                let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                wrong(
                    options.at,
                    format!(
                        "`{}` {}, found `{}`",
                        keyword.word(),
                        names.join(" or "),
                        excerpt(&index.to_string())
                    ),
                )
            },
            |(_, meaning)| Ok(*meaning),
        )
    }

    pub(super) fn cutting(&self, options: &Options<'_>) -> Elaborated<Cutting> {
        let words = [
            ("rz", Cutting::Zero),
            ("rd", Cutting::Down),
            ("rne", Cutting::Nearest),
            ("rna", Cutting::Away),
            ("rnu", Cutting::Up),
            ("odd", Cutting::Odd),
        ];
        self.meaning(options, Keyword::By, &words)
    }
}
