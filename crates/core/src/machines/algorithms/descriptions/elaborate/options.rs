//! The options of a call.

use super::{Elaborated, Elaborator, wrong};
use crate::base::excerpt::excerpt;
use crate::base::near::did_you_mean;
use crate::machines::algorithms::descriptions::tree::{Call, Choice, Given, Index, Keyword, Place};
use crate::numbers::float::Rounding;

/// The options of a call, each of which it takes and has once.
pub(super) struct Options<'t> {
    pub at: Place,
    given: &'t [Given],
}

impl<'t> Options<'t> {
    /// The options of `call`.
    ///
    /// # Errors
    /// If an option is not one of the function, or given twice.
    pub(super) fn of(call: &'t Call) -> Elaborated<Options<'t>> {
        let known = call.function.keywords();
        for (number, given) in call.options.iter().enumerate() {
            let keyword = given.keyword;
            if !known.contains(&keyword) {
                let names: Vec<_> = known.iter().map(|one| one.word()).collect();
                let names = if names.is_empty() {
                    "no option".into()
                } else {
                    names.join(" or ")
                };
                let function = call.function.word();
                return wrong(
                    given.place,
                    format!("{names} of `{function}`, found `{}`", keyword.word()),
                );
            }
            let mut earlier = call.options[..number].iter();
            if earlier.any(|other| other.keyword == keyword) {
                return wrong(given.place, format!("`{}` once", keyword.word()));
            }
        }
        Ok(Options {
            at: call.place,
            given: &call.options,
        })
    }

    pub(super) fn get(&self, keyword: Keyword) -> Option<&'t Choice> {
        self.find(keyword).map(|given| &given.choice)
    }

    fn find(&self, keyword: Keyword) -> Option<&'t Given> {
        self.given.iter().find(|given| given.keyword == keyword)
    }

    /// Where the option begins; where the call does if it is not given.
    pub(super) fn place(&self, keyword: Keyword) -> Place {
        self.find(keyword).map_or(self.at, |given| given.place)
    }

    /// The number or word of an option.
    pub(super) fn value(&self, keyword: Keyword) -> Elaborated<Option<&'t Index>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Choice::Value(index)) => Ok(Some(index)),
            Some(_) => wrong(
                self.place(keyword),
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
            .map(|index| self.number_within(options.place(keyword), index, least, most))
            .transpose()
    }

    /// The number of an option that has to be given, within its limits.
    pub(super) fn needed_number(
        &self,
        options: &Options<'_>,
        keyword: Keyword,
        least: i64,
        most: i64,
    ) -> Elaborated<i64> {
        let index = options.needed(keyword)?;
        self.number_within(options.place(keyword), index, least, most)
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
                let found = index.to_string();
                wrong(
                    options.place(keyword),
                    format!(
                        "`{}` {}, found `{}`{}",
                        keyword.word(),
                        names.join(" or "),
                        excerpt(&found),
                        did_you_mean(&found, names)
                    ),
                )
            },
            |(_, meaning)| Ok(*meaning),
        )
    }

    /// The mode in which bits are cut off; toward zero if the option is not given.
    pub(super) fn cutting(&self, options: &Options<'_>) -> Elaborated<Rounding> {
        let mut words = Rounding::NAMES;
        // The first word is the default: `rz` in place of `rne`.
        words.swap(0, 1);
        self.meaning(options, Keyword::By, &words)
    }
}
