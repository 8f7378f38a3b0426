//! The options of a call.

use super::outcome::{ElaborationResult, wrong};
use super::scope::Scope;
use crate::machines::algorithms::descriptions::tree::{
    Call, CallOption, Choice, Index, Keyword, Place,
};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::{Rounding, Stochastic};

/// The options of a call, each of which it takes and has once.
pub(crate) struct CallOptions<'t> {
    pub at: Place,
    given: &'t [CallOption],
}

impl<'t> CallOptions<'t> {
    /// The options of `call`.
    ///
    /// # Errors
    /// If an option is not one of the function, or given twice.
    pub(crate) fn of(call: &'t Call) -> ElaborationResult<CallOptions<'t>> {
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
        Ok(CallOptions {
            at: call.place,
            given: &call.options,
        })
    }

    pub(crate) fn get(&self, keyword: Keyword) -> Option<&'t Choice> {
        self.find(keyword).map(|given| &given.choice)
    }

    fn find(&self, keyword: Keyword) -> Option<&'t CallOption> {
        self.given.iter().find(|given| given.keyword == keyword)
    }

    /// Where the option begins; where the call does if it is not given.
    pub(crate) fn place(&self, keyword: Keyword) -> Place {
        self.find(keyword).map_or(self.at, |given| given.place)
    }

    /// The number or word of an option.
    pub(crate) fn value(&self, keyword: Keyword) -> ElaborationResult<Option<&'t Index>> {
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
    pub(crate) fn needed(&self, keyword: Keyword) -> ElaborationResult<&'t Index> {
        self.value(keyword)?.map_or_else(
            || wrong(self.at, format!("the option `{}`", keyword.word())),
            Ok,
        )
    }
}

impl Scope<'_> {
    /// The number of an option within its limits, if it is given and not the word for an option that is not.
    pub(crate) fn number_of(
        &self,
        options: &CallOptions<'_>,
        keyword: Keyword,
        least: i64,
        most: i64,
    ) -> ElaborationResult<Option<i64>> {
        let index = options.value(keyword)?;
        let absent = match keyword {
            Keyword::Carry => "full",
            _ => "none",
        };
        let index = index.filter(|index| self.word(index).as_deref() != Some(absent));
        index
            .map(|index| self.number_within(options.place(keyword), index, least, most))
            .transpose()
    }

    /// The number of an option that has to be given, within its limits.
    pub(crate) fn needed_number(
        &self,
        options: &CallOptions<'_>,
        keyword: Keyword,
        least: i64,
        most: i64,
    ) -> ElaborationResult<i64> {
        let index = options.needed(keyword)?;
        self.number_within(options.place(keyword), index, least, most)
    }

    /// Whether an option without a value is given.
    pub(crate) fn is_given(
        &self,
        options: &CallOptions<'_>,
        keyword: Keyword,
    ) -> ElaborationResult<bool> {
        match options.get(keyword) {
            Some(Choice::If(condition)) => self.holds(options.place(keyword), condition),
            other => Ok(other.is_some()),
        }
    }

    /// The meaning of an option's word; the first meaning if the option is not given.
    pub(crate) fn meaning<T: Copy>(
        &self,
        options: &CallOptions<'_>,
        keyword: Keyword,
        words: &[(&str, T)],
    ) -> ElaborationResult<T> {
        let Some(index) = options.value(keyword)? else {
            return Ok(words[0].1);
        };
        let word = self.word(index);
        let known = words
            .iter()
            .find(|(known, _)| Some(*known) == word.as_deref());
        known.map_or_else(
            || {
                let names: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                let found = word.unwrap_or_else(|| index.to_string());
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
    pub(crate) fn cutting(&self, options: &CallOptions<'_>) -> ElaborationResult<Rounding> {
        let mut words = Rounding::NAMES;
        // The first word is the default: `rz` in place of `rne`.
        words.swap(0, 1);
        self.meaning(options, Keyword::By, &words)
    }

    /// The rounding of a result; to nearest even if the option is not given.
    pub(crate) fn rounding(&self, options: &CallOptions<'_>) -> ElaborationResult<Rounding> {
        let mut words = Rounding::NAMES
            .map(|(name, rounding)| (name, Some(rounding)))
            .to_vec();
        words.push(("sr", None));
        let word = options
            .value(Keyword::By)?
            .and_then(|index| self.word(index));
        // A parameter may have a stochastic rounding as its value.
        if let Some(Ok(stochastic @ Rounding::Sr(_))) = word.map(|word| word.parse()) {
            return Ok(stochastic);
        }
        if let Some(rounding) = self.meaning(options, Keyword::By, &words)? {
            let given = [Keyword::Bits, Keyword::Random].map(|keyword| options.get(keyword));
            return match given {
                [None, None] => Ok(rounding),
                _ => wrong(options.at, "`by sr` where `bits` and `random` are given"),
            };
        }
        let most = i64::from(Stochastic::MOST_BITS);
        let bits = self.needed_number(options, Keyword::Bits, 1, most)?;
        let greatest = (1 << bits) - 1;
        let random = self.needed_number(options, Keyword::Random, 0, greatest)?;
        Ok(Rounding::Sr(Stochastic {
            bits: bits as u32,
            random: random as u64,
        }))
    }
}
