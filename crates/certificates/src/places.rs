//! Sets of products, a bit for each.

use crate::json::{integer, list};
use crate::{Fails, need};
use serde_json::Value;

/// A set of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Places(Vec<u64>);

impl Places {
    pub(crate) fn none() -> Places {
        Places(Vec::new())
    }

    pub(crate) fn one(place: usize) -> Places {
        let mut places = Places::none();
        places.add(place);
        places
    }

    pub(crate) fn add(&mut self, place: usize) {
        let word = place / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(word) {
            *bits |= 1 << (place % 64);
        }
    }

    /// The places from the first one on.
    pub(crate) fn range(first: usize, count: usize) -> Places {
        let mut places = Places::none();
        (first..first.saturating_add(count)).for_each(|place| places.add(place));
        places
    }

    /// The union of sets `[first, last, stride]`.
    pub(crate) fn read(value: &Value, products: usize) -> Fails<Places> {
        let mut places = Places::none();
        for one in list(value, "of")? {
            let parts = list(one, "of")?.iter().map(|x| integer(x, "a place", 0));
            let parts: Vec<i64> = parts.collect::<Fails<_>>()?;
            let [first, last, stride] = parts[..] else {
                return Err("expected [first, last, stride]".into());
            };
            need(first <= last && last < products.max(1) as i64, || {
                "expected places of products".into()
            })?;
            let is_member = if stride == 0 {
                first == last
            } else {
                (last - first) % stride == 0
            };
            need(is_member, || "expected `last` to be a member".into())?;
            for place in (first..=last).step_by(stride.max(1) as usize) {
                places.add(place as usize);
            }
        }
        Ok(places)
    }

    fn word(&self, k: usize) -> u64 {
        self.0.get(k).copied().unwrap_or(0)
    }

    pub(crate) fn join(&mut self, other: &Places) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(own, more)| *own |= more);
    }

    pub(crate) fn is_within(&self, other: &Places) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(k, word)| word & !other.word(k) == 0)
    }

    pub(crate) fn is_apart(&self, other: &Places) -> bool {
        self.0.iter().zip(&other.0).all(|(x, y)| x & y == 0)
    }

    /// Whether both are the same but for places of `but`.
    pub(crate) fn is_same_but(&self, other: &Places, but: &Places) -> bool {
        (0..self.0.len().max(other.0.len()))
            .all(|k| (self.word(k) ^ other.word(k)) & !but.word(k) == 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(crate) fn has(&self, place: usize) -> bool {
        self.word(place / 64) >> (place % 64) & 1 == 1
    }
}
