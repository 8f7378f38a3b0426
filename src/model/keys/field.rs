//! Fields of parameters that keys tell, by the type of their values.

use super::values::{Candidates, Values};
use crate::float::Format;

/// A field of the parameters `P` of an algorithm.
pub(super) trait Field<P>: Send + Sync {
    /// The values that it takes beside the others of `params`.
    fn values(&self, params: &P) -> Values;

    /// Its value, as [`set`](Self::set) takes it.
    fn get(&self, params: &P) -> String;

    /// Sets it, if `text` is one of its values.
    fn set(&self, params: &mut P, text: &str) -> Option<()>;

    /// Whether no other key tells the same.
    fn is_said(&self, _: &P) -> bool {
        true
    }
}

/// The field itself.
pub(super) type Place<P, T> = fn(&mut P) -> &mut T;

/// The content of a field. A copy is asked, as a place gives leave to change it.
fn content<P: Copy, T: Copy>(place: Place<P, T>, params: &P) -> T {
    let mut copy = *params;
    *place(&mut copy)
}

/// A whole number, at least and at most.
pub(super) struct Number<P>(pub u32, pub u32, pub Place<P, u32>);

impl<P: Copy> Field<P> for Number<P> {
    fn values(&self, _: &P) -> Values {
        Values::numbers(self.0, self.1)
    }

    fn get(&self, params: &P) -> String {
        content(self.2, params).to_string()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let range = self.0..=self.1;
        *self.2(params) = text.parse().ok().filter(|n| range.contains(n))?;
        Some(())
    }
}

/// One of some words.
pub(super) struct Choice<P, T: 'static>(pub &'static [(&'static str, T)], pub Place<P, T>);

impl<P: Copy, T: Copy + PartialEq + Sync> Field<P> for Choice<P, T> {
    fn values(&self, _: &P) -> Values {
        let words: Vec<_> = self.0.iter().map(|(word, _)| *word).collect();
        Values::words(&words)
    }

    fn get(&self, params: &P) -> String {
        let value = content(self.1, params);
        let found = self.0.iter().find(|(_, choice)| *choice == value);
        found.map_or_else(String::new, |(word, _)| (*word).to_owned())
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        *self.1(params) = self.0.iter().find(|(word, _)| *word == text)?.1;
        Some(())
    }
}

/// Which formats a field takes.
#[derive(Clone, Copy)]
pub(super) enum Formats {
    Any,
    WithInfinities,
    Of(&'static [Format]),
}

impl Formats {
    fn all(self) -> Vec<Format> {
        let is_infinite = |format: &Format| format.has_infinity();
        match self {
            Formats::Any => Format::ALL.to_vec(),
            Formats::WithInfinities => Format::ALL.into_iter().filter(is_infinite).collect(),
            Formats::Of(formats) => formats.to_vec(),
        }
    }

    /// These, after an abbreviation if there is one.
    pub(super) fn values(self) -> Values {
        let names: Vec<_> = self.all().iter().map(Format::name).collect();
        let values = Values::words(&names);
        match self {
            Formats::Any => {
                let expected = format!("a format: {}", values.expected);
                Values { expected, ..values }.said("format")
            }
            Formats::WithInfinities => values.said("format with infinities"),
            Formats::Of(_) => values,
        }
    }

    pub(super) fn named(self, name: &str) -> Option<Format> {
        self.all().into_iter().find(|format| format.name() == name)
    }
}

/// A format.
pub(super) struct OneFormat<P>(pub Formats, pub Place<P, Format>);

impl<P: Copy> Field<P> for OneFormat<P> {
    fn values(&self, _: &P) -> Values {
        self.0.values()
    }

    fn get(&self, params: &P) -> String {
        content(self.1, params).name().into()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        *self.1(params) = self.0.named(text)?;
        Some(())
    }
}

/// The format of both factors, or of the one that differs from the other.
pub(super) struct Factors<P> {
    pub formats: Formats,
    pub places: [Place<P, Format>; 2],
    /// The factors that the key is about.
    pub about: &'static [usize],
}

impl<P: Copy> Field<P> for Factors<P> {
    fn values(&self, _: &P) -> Values {
        self.formats.values()
    }

    fn get(&self, params: &P) -> String {
        let place = self.places[self.about[0]];
        content(place, params).name().into()
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let format = self.formats.named(text)?;
        for number in self.about {
            *self.places[*number](params) = format;
        }
        Some(())
    }

    fn is_said(&self, params: &P) -> bool {
        let [a, b] = self.places.map(|place| content(place, params));
        (a == b) == (self.about.len() == 2)
    }
}

/// The lower limit of the alignment exponent.
pub(super) struct LeastExponent<P>(pub Place<P, Option<i32>>);

impl<P: Copy> Field<P> for LeastExponent<P> {
    fn values(&self, _: &P) -> Values {
        Values::word_or("none", -4096, 4096).tried(Candidates::Exponents("none"))
    }

    fn get(&self, params: &P) -> String {
        let limit = content(self.0, params);
        limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        let number = || text.parse().ok().filter(|n| (-4096..=4096).contains(n));
        *self.0(params) = match text {
            "none" => None,
            _ => Some(number()?),
        };
        Some(())
    }
}

/// A field that is like no other: its values, how it is read, how it is set.
pub(super) struct Own<P>(
    pub fn(&P) -> Values,
    pub fn(&P) -> String,
    pub fn(&mut P, &str) -> Option<()>,
);

impl<P> Field<P> for Own<P> {
    fn values(&self, params: &P) -> Values {
        self.0(params)
    }

    fn get(&self, params: &P) -> String {
        self.1(params)
    }

    fn set(&self, params: &mut P, text: &str) -> Option<()> {
        self.2(params, text)
    }
}
