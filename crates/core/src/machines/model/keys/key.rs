//! The keys of an algorithm, and the methods by which a table lists them.

use super::doc::KeyDoc;
use super::formats::KeyFormats;
use super::values::{Candidates, Values};
use mmasmt_numbers::float::{Format, hex_float, parse_value};

/// Keys in the order of the documentation; the first one is the number of products.
pub(super) struct Keys<P>(pub Vec<Key<P>>);

/// Gives access to the field of the parameters that belongs to a key.
type FieldAccess<P, T> = fn(&mut P) -> &mut T;

/// Sets a field to the value that the text stands for; `None` if the text is not a value of the
/// field.
type Setter<P> = Box<dyn Fn(&mut P, &str) -> Option<()> + Send + Sync>;

pub(super) struct Key<P> {
    pub name: &'static str,
    /// The values that the key takes, given the other parameters.
    pub values_beside: Box<dyn Fn(&P) -> Values + Send + Sync>,
    /// Reads the value of the key as text.
    pub get: Box<dyn Fn(&P) -> String + Send + Sync>,
    pub set: Setter<P>,
    /// Whether a model with these parameters is printed with this key; false where other keys say
    /// the same.
    pub is_said: Box<dyn Fn(&P) -> bool + Send + Sync>,
    meaning: &'static str,
    candidates: Option<Candidates>,
    /// The text for the default in the documentation, if the default is not a value.
    default: Option<&'static str>,
    /// Whether the default of the key follows from other keys: when they are set, they set this key
    /// too.
    pub follows: bool,
    /// Whether a printed model shows the key even at its default.
    pub is_shown: bool,
}

/// The content of a field. It is read from a copy, as `place` gives mutable access.
fn content<P: Copy, T: Copy>(place: FieldAccess<P, T>, params: &P) -> T {
    let mut copy = *params;
    *place(&mut copy)
}

/// Each method adds a key; [`means`](Keys::means) and the methods after it describe the last key.
impl<P: Copy + 'static> Keys<P> {
    /// The first key, `K`.
    pub(super) fn products(least: u32, most: u32, place: FieldAccess<P, u32>) -> Self {
        Keys(Vec::new())
            .number("K", least, most, place)
            .means("number of products")
            .counts_products()
    }

    /// Adds a key that the other methods cannot describe, given its values and the functions that
    /// read and set it.
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
            candidates: None,
            default: None,
            follows: false,
            is_shown: false,
        });
        self
    }

    /// Adds a key for a whole number.
    pub(super) fn number(
        self,
        name: &'static str,
        least: u32,
        most: u32,
        place: FieldAccess<P, u32>,
    ) -> Self {
        let set = move |params: &mut P, text: &str| {
            let number = text.parse().ok();
            *place(params) = number.filter(|number| (least..=most).contains(number))?;
            Some(())
        };
        let get = move |params: &P| content(place, params).to_string();
        self.own(name, move |_| Values::numbers(least, most), get, set)
    }

    /// Adds a key for a whole number or `none`.
    pub(super) fn number_or_none(
        self,
        name: &'static str,
        least: u32,
        most: u32,
        place: FieldAccess<P, Option<u32>>,
    ) -> Self {
        let set = move |params: &mut P, text: &str| {
            let number = || text.parse().ok().filter(|n| (least..=most).contains(n));
            *place(params) = match text {
                "none" => None,
                _ => Some(number()?),
            };
            Some(())
        };
        let get = move |params: &P| {
            let number = content(place, params);
            number.map_or_else(|| "none".to_owned(), |number| number.to_string())
        };
        let values = move || Values::word_or("none", least as i32, most as i32);
        self.own(name, move |_| values(), get, set)
    }

    /// Adds a key for an f32 number; the parameters hold its register.
    pub(super) fn f32(self, name: &'static str, place: FieldAccess<P, u32>) -> Self {
        let f32 = Format::F32;
        let set = move |params: &mut P, text: &str| {
            let register = parse_value(&f32, text).ok()?;
            *place(params) = u32::try_from(register).ok()?;
            Some(())
        };
        let get = move |params: &P| hex_float(&f32, content(place, params).into());
        self.own(name, |_| Values::f32(), get, set)
    }

    /// Adds a key that takes one of the words of `choices`.
    pub(super) fn choice<T: Copy + PartialEq + Sync>(
        self,
        name: &'static str,
        choices: &'static [(&'static str, T)],
        place: FieldAccess<P, T>,
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

    /// Adds a key for a format.
    pub(super) fn format(
        self,
        name: &'static str,
        formats: KeyFormats,
        place: FieldAccess<P, Format>,
    ) -> Self {
        let get = move |params: &P| content(place, params).name().into();
        let set = move |params: &mut P, text: &str| {
            *place(params) = formats.named(text)?;
            Some(())
        };
        self.own(name, move |_| formats.values(), get, set)
    }

    /// Adds a key for a format or `none`.
    pub(super) fn format_or_none(
        self,
        name: &'static str,
        place: FieldAccess<P, Option<Format>>,
    ) -> Self {
        let formats = KeyFormats::Any;
        let get = move |params: &P| {
            let format = content(place, params);
            format.map_or_else(|| "none".to_owned(), |format| format.name().to_string())
        };
        let set = move |params: &mut P, text: &str| {
            *place(params) = match text {
                "none" => None,
                _ => Some(formats.named(text)?),
            };
            Some(())
        };
        self.own(name, move |_| formats.values().or_word("none"), get, set)
    }

    /// Adds three keys: `in`, the format of both factors, and `a` and `b`, the formats of one
    /// factor each. A model is printed with `in` if the two formats are the same, else with `a` and
    /// `b`.
    pub(super) fn factors(
        self,
        formats: KeyFormats,
        a: FieldAccess<P, Format>,
        b: FieldAccess<P, Format>,
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

    /// Marks the last key as a number of products: a search tries the divisors of the model's
    /// number of products.
    pub(super) fn counts_products(self) -> Self {
        self.last(|key| key.candidates = Some(Candidates::Divisors))
    }

    /// Marks the last key as a number of parts of the products, or of the products of a part; `word` is
    /// what it may be beside a number.
    pub(super) fn counts_parts(self, word: Option<&'static str>) -> Self {
        self.last(|key| key.candidates = Some(Candidates::Parts(word)))
    }

    /// Marks the last key as a number of factors that share a scale.
    pub(super) fn counts_factors(self) -> Self {
        self.last(|key| key.candidates = Some(Candidates::Blocks))
    }

    fn default_is(self, text: &'static str) -> Self {
        self.last(|key| key.default = Some(text))
    }

    /// Marks the default of the last key as one that follows from other keys; `text` says how.
    pub(super) fn follows(self, text: &'static str) -> Self {
        self.default_is(text).last(|key| key.follows = true)
    }

    /// Makes a printed model always show the last key.
    pub(super) fn shown(self) -> Self {
        self.last(|key| key.is_shown = true)
    }

    /// Makes a printed model always show the formats of the factors.
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
    /// The documentation of the key; its default is the value in `base`.
    pub(super) fn doc(&self, base: &P) -> KeyDoc {
        let values = (self.values_beside)(base);
        let default = self.default.map(str::to_owned);
        KeyDoc {
            name: self.name,
            values: values.text,
            default: default.unwrap_or_else(|| (self.get)(base)),
            meaning: self.meaning,
            candidates: self.candidates.clone().unwrap_or(values.candidates),
            range: values.range,
        }
    }
}
