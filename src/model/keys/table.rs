//! A table of keys: how it is written, and what is made of it.

use super::field::{Choice, Factors, Field, Formats, LeastExponent, Number, OneFormat, Own, Place};
use super::values::{Candidates, Values};
use super::{AlgorithmDoc, KeyDoc, Keyed, Text, bad_value};
use crate::algorithms::Operation;
use crate::float::Format;
use crate::model::ModelError;

/// An algorithm whose parameters are `P`, with its keys.
pub(super) struct Table<P> {
    pub name: &'static str,
    pub summary: &'static str,
    pub source: &'static str,
    /// Parameters where no key is given.
    pub base: P,
    pub keys: Keys<P>,
    /// What the keys must be together.
    pub check: fn(&P) -> Result<(), ModelError>,
    pub make: fn(P) -> Operation,
    pub params: fn(&Operation) -> Option<P>,
}

/// Keys in the order of the documentation; the first one tells the number of products.
pub(super) struct Keys<P>(Vec<Key<P>>);

struct Key<P> {
    name: &'static str,
    field: Box<dyn Field<P>>,
    meaning: &'static str,
    /// The values, where the documentation says them otherwise than by their type.
    values: Option<&'static str>,
    candidates: Option<Candidates>,
    /// What the documentation says of its default, where it is not a value.
    default: Option<&'static str>,
    /// Whether its default follows from other keys, whose fields set it.
    follows: bool,
    /// Whether a printed model shows it where it has its default.
    is_shown: bool,
}

/// Each method adds a key; [`means`](Keys::means) and those after it say more of the last one.
impl<P: Copy + 'static> Keys<P> {
    /// The first key, `K`.
    pub(super) fn products(least: u32, most: u32, place: Place<P, u32>) -> Self {
        Keys(Vec::new())
            .number("K", least, most, place)
            .means("number of products")
            .counts_products()
    }

    fn key(mut self, name: &'static str, field: impl Field<P> + 'static) -> Self {
        self.0.push(Key {
            name,
            field: Box::new(field),
            meaning: "",
            values: None,
            candidates: None,
            default: None,
            follows: false,
            is_shown: false,
        });
        self
    }

    pub(super) fn number(
        self,
        name: &'static str,
        least: u32,
        most: u32,
        place: Place<P, u32>,
    ) -> Self {
        self.key(name, Number(least, most, place))
    }

    pub(super) fn choice<T: Copy + PartialEq + Sync>(
        self,
        name: &'static str,
        words: &'static [(&'static str, T)],
        place: Place<P, T>,
    ) -> Self {
        self.key(name, Choice(words, place))
    }

    pub(super) fn format(
        self,
        name: &'static str,
        formats: Formats,
        place: Place<P, Format>,
    ) -> Self {
        self.key(name, OneFormat(formats, place))
    }

    /// `in`, `a` and `b`.
    pub(super) fn factors(
        self,
        formats: Formats,
        a: Place<P, Format>,
        b: Place<P, Format>,
    ) -> Self {
        let factors = |about| Factors {
            formats,
            places: [a, b],
            about,
        };
        self.key("in", factors(&[0, 1]))
            .means("format of a and b")
            .key("a", factors(&[0]))
            .means("format of a")
            .default_is("in")
            .key("b", factors(&[1]))
            .means("format of b")
            .default_is("in")
    }

    pub(super) fn least_exponent(self, place: Place<P, Option<i32>>) -> Self {
        self.key("emin", LeastExponent(place))
            .means("lower limit of the alignment exponent")
    }

    pub(super) fn own(
        self,
        name: &'static str,
        values: fn(&P) -> Values,
        get: fn(&P) -> String,
        set: fn(&mut P, &str) -> Option<()>,
    ) -> Self {
        self.key(name, Own(values, get, set))
    }

    /// Changes the last key.
    fn last(mut self, change: impl Fn(&mut Key<P>)) -> Self {
        self.0.last_mut().into_iter().for_each(change);
        self
    }

    pub(super) fn means(self, meaning: &'static str) -> Self {
        self.last(|key| key.meaning = meaning)
    }

    /// What the documentation says of the values.
    pub(super) fn values_are(self, text: &'static str) -> Self {
        self.last(|key| key.values = Some(text))
    }

    /// It is a number of products: a search tries those that divide the model's.
    pub(super) fn counts_products(self) -> Self {
        self.last(|key| key.candidates = Some(Candidates::Divisors))
    }

    /// It is a number of factors that share a scale.
    pub(super) fn counts_factors(self) -> Self {
        self.last(|key| key.candidates = Some(Candidates::Blocks))
    }

    fn default_is(self, text: &'static str) -> Self {
        self.last(|key| key.default = Some(text))
    }

    /// Its default follows from other keys, as `text` says.
    pub(super) fn follows(self, text: &'static str) -> Self {
        self.default_is(text).last(|key| key.follows = true)
    }

    /// A printed model shows it always.
    pub(super) fn shown(self) -> Self {
        self.last(|key| key.is_shown = true)
    }

    /// A printed model shows the formats of the factors always.
    pub(super) fn factors_shown(mut self) -> Self {
        let factors = self
            .0
            .iter_mut()
            .filter(|key| matches!(key.name, "in" | "a" | "b"));
        factors.for_each(|key| key.is_shown = true);
        self
    }
}

impl<P: Copy> Key<P> {
    fn doc(&self, base: &P) -> KeyDoc {
        let values = self.field.values(base);
        let default = self.default.map(str::to_owned);
        KeyDoc {
            name: self.name,
            values: self.values.map_or(values.text, str::to_owned),
            default: default.unwrap_or_else(|| self.field.get(base)),
            meaning: self.meaning,
            candidates: self.candidates.clone().unwrap_or(values.candidates),
        }
    }
}

impl<P: Copy + Send + Sync> Keyed for Table<P> {
    fn doc(&self) -> AlgorithmDoc {
        let keys = self.keys.0.iter().map(|key| key.doc(&self.base));
        AlgorithmDoc {
            name: self.name,
            summary: self.summary,
            source: self.source,
            keys: keys.collect(),
        }
    }

    fn read(&self, given: &[(String, String)]) -> Result<Operation, ModelError> {
        let mut params = self.base;
        for follows in [false, true] {
            for (name, value) in given {
                let key = self.keys.0.iter().find(|key| key.name == name);
                let Some(key) = key.filter(|key| key.follows == follows) else {
                    continue;
                };
                let set = key.field.set(&mut params, value);
                let expected = || key.field.values(&params).expected;
                set.ok_or_else(|| bad_value(name, value, &expected()))?;
            }
        }
        (self.check)(&params)?;
        Ok((self.make)(params))
    }

    fn texts(&self, operation: &Operation) -> Option<Vec<Text>> {
        let params = (self.params)(operation)?;
        // What the keys that follow from others would be if they were not given.
        let mut implied = self.base;
        for key in self.keys.0.iter().filter(|key| !key.follows) {
            // Its own text is a value that it can have.
            let _ = key.field.set(&mut implied, &key.field.get(&params));
        }
        let said = self.keys.0.iter().filter(|key| key.field.is_said(&params));
        let text = |key: &Key<P>| Text {
            key: key.name,
            value: key.field.get(&params),
            default: match (key.is_shown, key.follows) {
                (true, _) => String::new(),
                (false, false) => key.field.get(&self.base),
                (false, true) => key.field.get(&implied),
            },
        };
        Some(said.map(text).collect())
    }
}
