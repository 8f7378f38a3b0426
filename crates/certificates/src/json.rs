//! Reading: objects with known keys, integers and lists; and the reason where something fails.

use crate::dyadic::Dyadic;
use num_bigint::BigInt;
use serde_json::{Map, Value};

/// A value, or the reason that there is none.
pub(crate) type CheckResult<T> = Result<T, String>;

/// Fails with a reason, which is made only then.
pub(crate) fn need(holds: bool, reason: impl FnOnce() -> String) -> CheckResult<()> {
    if holds { Ok(()) } else { Err(reason()) }
}

/// Exponents and counts of a certificate are at most this.
pub(crate) const LIMIT: i64 = 1 << 20;

/// An object.
#[derive(Clone, Copy)]
pub(crate) struct Object<'j> {
    map: &'j Map<String, Value>,
    what: &'j str,
}

impl<'j> Object<'j> {
    /// An object that may have keys that are not read.
    pub(crate) fn open(thing: &'j Value, what: &'j str) -> CheckResult<Object<'j>> {
        let map = thing.as_object();
        let map = map.ok_or_else(|| format!("expected an object for {what}"))?;
        Ok(Object { map, what })
    }

    /// An object that has no other keys than these.
    pub(crate) fn of(thing: &'j Value, known: &[&str], what: &'j str) -> CheckResult<Object<'j>> {
        let object = Object::open(thing, what)?;
        for key in object.map.keys() {
            need(known.contains(&key.as_str()), || {
                format!("unknown key `{key}` in {what}")
            })?;
        }
        Ok(object)
    }

    /// The one key of an object, and its value.
    pub(crate) fn single(thing: &'j Value, what: &str) -> CheckResult<(&'j str, &'j Value)> {
        let map = thing.as_object().filter(|map| map.len() == 1);
        let pair = map.and_then(|map| map.iter().next());
        pair.map(|(key, value)| (key.as_str(), value))
            .ok_or_else(|| format!("expected one key in {what}"))
    }

    pub(crate) fn get(&self, key: &str) -> CheckResult<&'j Value> {
        let value = self.map.get(key);
        value.ok_or_else(|| format!("missing key `{key}` in {}", self.what))
    }

    /// A value that may be null or missing.
    pub(crate) fn maybe(&self, key: &str) -> Option<&'j Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn integer(&self, key: &str, low: i64) -> CheckResult<i64> {
        integer(self.get(key)?, key, low)
    }

    pub(crate) fn maybe_integer(&self, key: &str, low: i64) -> CheckResult<Option<i64>> {
        let value = self.maybe(key).map(|value| integer(value, key, low));
        value.transpose()
    }

    pub(crate) fn flag(&self, key: &str) -> CheckResult<bool> {
        flag(self.get(key)?, key)
    }

    /// True or false, which has a default.
    pub(crate) fn flag_or(&self, key: &str, default: bool) -> CheckResult<bool> {
        let value = self.map.get(key);
        value.map_or(Ok(default), |value| flag(value, key))
    }

    pub(crate) fn list(&self, key: &str) -> CheckResult<&'j [Value]> {
        list(self.get(key)?, key)
    }

    pub(crate) fn dyadic(&self, key: &str) -> CheckResult<Dyadic> {
        dyadic(self.get(key)?, key)
    }
}

pub(crate) fn integer(value: &Value, what: &str, low: i64) -> CheckResult<i64> {
    let found = value.as_i64().filter(|x| (low..=LIMIT).contains(x));
    found.ok_or_else(|| format!("expected an integer for {what}, found {value}"))
}

pub(crate) fn flag(value: &Value, what: &str) -> CheckResult<bool> {
    let found = value.as_bool();
    found.ok_or_else(|| format!("expected true or false for {what}, found {value}"))
}

pub(crate) fn list<'j>(value: &'j Value, what: &str) -> CheckResult<&'j [Value]> {
    let found = value.as_array().map(Vec::as_slice);
    found.ok_or_else(|| format!("expected a list for {what}"))
}

/// Decimal digits.
pub(crate) fn natural(value: &Value, what: &str) -> CheckResult<BigInt> {
    let digits = value.as_str().filter(|text| {
        (1..=4_000).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    });
    let number = digits.and_then(|text| text.parse().ok());
    number.ok_or_else(|| format!("expected decimal digits for {what}"))
}

/// `[digits, exponent]`.
pub(crate) fn dyadic(value: &Value, what: &str) -> CheckResult<Dyadic> {
    match list(value, what)? {
        [n, e] => Ok(Dyadic::new(natural(n, what)?, integer(e, what, -LIMIT)?)),
        _ => Err(format!("expected [digits, exponent] for {what}")),
    }
}
