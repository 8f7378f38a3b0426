//! A table of keys: how it is written, and what is made of it.

use super::doc::{AlgorithmDoc, KeyDoc, Keyed, Text, bad_value};
use super::formats::Formats;
use super::values::{Candidates, Values};
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

/// The field of the parameters that a key tells.
type Place<P, T> = fn(&mut P) -> &mut T;

/// Sets a field, if the text is one of its values.
type Setter<P> = Box<dyn Fn(&mut P, &str) -> Option<()> + Send + Sync>;

struct Key<P> {
    name: &'static str,
    /// The values that it takes beside the others of the parameters.
    values_beside: Box<dyn Fn(&P) -> Values + Send + Sync>,
    /// Its value.
    get: Box<dyn Fn(&P) -> String + Send + Sync>,
    set: Setter<P>,
    /// Whether no other key tells the same.
    is_said: Box<dyn Fn(&P) -> bool + Send + Sync>,
    meaning: &'static str,
    /// The values, where the documentation says them otherwise than by their type.
    values: Option<&'static str>,
    candidates: Option<Candidates>,
    /// What the documentation says of its default, where it is not a value.
    default: Option<&'static str>,
    /// Whether its default follows from other keys, which set it.
    follows: bool,
    /// Whether a printed model shows it where it has its default.
    is_shown: bool,
}

/// The content of a field. A copy is asked, as a place gives leave to change it.
fn content<P: Copy, T: Copy>(place: Place<P, T>, params: &P) -> T {
    let mut copy = *params;
    *place(&mut copy)
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

    /// A key that is like no other: its values, how it is read, how it is set.
    pub(super) fn own(
        mut self,
        name: &'static str,
        values: impl Fn(&P) -> Values + Send + Sync + 'static,
        get: impl Fn(&P) -> String + Send + Sync + 'static,
        set: impl Fn(&mut P, &str) -> Option<()> + Send + Sync + 'static,
    ) -> Self {
        self.0.push(Key {
            name,
            values_beside: Box::new(values),
            get: Box::new(get),
            set: Box::new(set),
            is_said: Box::new(|_| true),
            meaning: "",
            values: None,
            candidates: None,
            default: None,
            follows: false,
            is_shown: false,
        });
        self
    }

    /// A whole number.
    pub(super) fn number(
        self,
        name: &'static str,
        least: u32,
        most: u32,
        place: Place<P, u32>,
    ) -> Self {
        let set = move |params: &mut P, text: &str| {
            let number = text.parse().ok();
            *place(params) = number.filter(|number| (least..=most).contains(number))?;
            Some(())
        };
        let get = move |params: &P| content(place, params).to_string();
        self.own(name, move |_| Values::numbers(least, most), get, set)
    }

    /// One of some words.
    pub(super) fn choice<T: Copy + PartialEq + Sync>(
        self,
        name: &'static str,
        choices: &'static [(&'static str, T)],
        place: Place<P, T>,
    ) -> Self {
        let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
        let get = move |params: &P| {
            let value = content(place, params);
            let found = choices.iter().find(|(_, choice)| *choice == value);
            found.map_or_else(String::new, |(word, _)| (*word).to_owned())
        };
        let set = move |params: &mut P, text: &str| {
            *place(params) = choices.iter().find(|(word, _)| *word == text)?.1;
            Some(())
        };
        self.own(name, move |_| Values::words(&words), get, set)
    }

    /// A format.
    pub(super) fn format(
        self,
        name: &'static str,
        formats: Formats,
        place: Place<P, Format>,
    ) -> Self {
        let get = move |params: &P| content(place, params).name().into();
        let set = move |params: &mut P, text: &str| {
            *place(params) = formats.named(text)?;
            Some(())
        };
        self.own(name, move |_| formats.values(), get, set)
    }

    /// `in`, which tells the format of both factors, and `a` and `b`, which are said where these
    /// differ.
    pub(super) fn factors(
        self,
        formats: Formats,
        a: Place<P, Format>,
        b: Place<P, Format>,
    ) -> Self {
        let same = move |params: &P| content(a, params) == content(b, params);
        let set = move |params: &mut P, text: &str| {
            (*a(params), *b(params)) = (formats.named(text)?, formats.named(text)?);
            Some(())
        };
        let get = move |params: &P| content(a, params).name().into();
        self.own("in", move |_| formats.values(), get, set)
            .means("format of a and b")
            .said_where(same)
            .format("a", formats, a)
            .means("format of a")
            .default_is("in")
            .said_where(move |params| !same(params))
            .format("b", formats, b)
            .means("format of b")
            .default_is("in")
            .said_where(move |params| !same(params))
    }

    /// `emin`.
    pub(super) fn least_exponent(self, place: Place<P, Option<i32>>) -> Self {
        let values = || Values::word_or("none", -4096, 4096);
        let get = move |params: &P| {
            let limit = content(place, params);
            limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
        };
        let set = move |params: &mut P, text: &str| {
            let number = || text.parse().ok().filter(|n| (-4096..=4096).contains(n));
            *place(params) = match text {
                "none" => None,
                _ => Some(number()?),
            };
            Some(())
        };
        self.own(
            "emin",
            move |_| values().tried(Candidates::Exponents("none")),
            get,
            set,
        )
        .means("lower limit of the alignment exponent")
    }

    /// Changes the last key.
    fn last(mut self, change: impl FnOnce(&mut Key<P>)) -> Self {
        if let Some(last) = self.0.last_mut() {
            change(last);
        }
        self
    }

    fn said_where(self, is_said: impl Fn(&P) -> bool + Send + Sync + 'static) -> Self {
        self.last(|key| key.is_said = Box::new(is_said))
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
        let values = (self.values_beside)(base);
        let default = self.default.map(str::to_owned);
        KeyDoc {
            name: self.name,
            values: self.values.map_or(values.text, str::to_owned),
            default: default.unwrap_or_else(|| (self.get)(base)),
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
                let set = (key.set)(&mut params, value);
                let expected = || (key.values_beside)(&params).expected;
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
            let _ = (key.set)(&mut implied, &(key.get)(&params));
        }
        let said = self.keys.0.iter().filter(|key| (key.is_said)(&params));
        let text = |key: &Key<P>| Text {
            key: key.name,
            value: (key.get)(&params),
            default: match (key.is_shown, key.follows) {
                (true, _) => String::new(),
                (false, false) => (key.get)(&self.base),
                (false, true) => (key.get)(&implied),
            },
        };
        Some(said.map(text).collect())
    }
}
