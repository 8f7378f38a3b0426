//! The options of every function with a value of every kind, and units that differ in one option.

use super::{Call, Text, Value};
use mmasmt_numbers::float::Rounding;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// The options of each function, without those that have to be there.
const OPTIONS: [(&str, &[&str]); 10] = [
    ("term", &["zeros", "widen", "shift", "fraction", "specials"]),
    ("flush", &["sign"]),
    ("part", &["low", "bits", "by"]),
    ("sum", &["zeros"]),
    (
        "fuse",
        &["by", "least", "carry", "beyond", "sticky", "negate"],
    ),
    ("align", &["keep", "by", "far", "again", "vanish"]),
    ("cut", &["by", "least"]),
    (
        "round",
        &[
            "by", "fraction", "tiny", "overflow", "sign", "nan", "specials",
        ],
    ),
    ("cap", &[]),
    ("drop", &[]),
];

/// The options that a function has to have.
fn needed(function: &str) -> &'static [&'static str] {
    match function {
        "fuse" => &["keep"],
        "cut" | "miscount" => &["bits"],
        "cap" | "drop" => &["exponent"],
        "round" | "zero" => &["to"],
        _ => &[],
    }
}

fn optional(function: &str) -> &'static [&'static str] {
    let found = OPTIONS.iter().find(|(name, _)| *name == function);
    found.map_or(&[], |(_, options)| options)
}

pub fn any<T: Clone>(rng: &mut ChaCha8Rng, values: &[T]) -> T {
    values.choose(rng).unwrap().clone()
}

/// Formats that a result can have.
pub const FLOATS: [&str; 14] = [
    "e2m1", "e2m1", "e2m3", "e2m3", "e3m2", "e3m2", "e3m4", "e4m3", "e5m2", "e4m3ieee", "f16",
    "bf16", "f32", "f32",
];
pub const INTEGERS: [&str; 7] = ["s4", "u4", "s8", "u8", "s16", "s32", "u32"];

/// A value of an option of a function. Most numbers are small, as those of formats of few bits are.
fn value(rng: &mut ChaCha8Rng, function: &str, word: &str) -> String {
    let number =
        |rng: &mut ChaCha8Rng, low: i64, high: i64| rng.random_range(low..=high).to_string();
    match (function, word) {
        ("round" | "zero", "to") if rng.random_ratio(1, 4) => any(rng, &INTEGERS).into(),
        ("round" | "zero", "to") => any(rng, &FLOATS).into(),
        ("round", "by") => match rng.random_range(0..16) {
            0..6 => any(rng, &["rz", "rne", "rd", "ru", "ra", "odd"]).into(),
            6..11 => any(rng, &["rna", "rnz", "rnu", "rnd", "rno"]).into(),
            11 => {
                let bits = rng.random_range(1..=4);
                format!("sr bits {bits} random {}", rng.random_range(0..1 << bits))
            }
            _ => "rz".into(),
        },
        (_, "by") => any(rng, &Rounding::NAMES).0.into(),
        ("round", "fraction") => number(rng, 1, 4),
        ("term", "fraction") => number(rng, 1, 8),
        ("term", "zeros") if rng.random_ratio(1, 3) => number(rng, -6, 6),
        ("term", "zeros") => any(rng, &["none", "field"]).into(),
        ("sum", "zeros") => any(rng, &["none", "terms", "field"]).into(),
        (_, "keep") => match rng.random_ratio(1, 3) {
            true => any(rng, &["12", "16", "24", "30", "40"]).into(),
            false => number(rng, 0, 10),
        },
        (_, "least") => number(rng, -20, 6),
        (_, "carry") => number(rng, 0, 3),
        (_, "beyond") => any(rng, &["wrap", "saturate"]).into(),
        (_, "negate") => any(rng, &["twos", "ones", "ones_of_nonzero", "against_last"]).into(),
        (_, "far") => number(rng, 0, 8),
        (_, "again") => number(rng, 0, 8),
        (_, "vanish") => number(rng, -20, 6),
        (_, "shift") => number(rng, -4, 4),
        ("part", "low") => number(rng, 0, 5),
        ("miscount", _) => number(rng, 1, 5),
        (_, "bits") => number(rng, 1, 12),
        (_, "exponent") => number(rng, -8, 10),
        (_, "tiny") => any(rng, &["kept", "before", "after", "register"]).into(),
        (_, "overflow") => any(
            rng,
            &[
                "ieee",
                "infinity",
                "wrap",
                "saturate",
                "saturate",
                "symmetric",
            ],
        )
        .into(),
        ("flush", "sign") => any(rng, &["same", "plus"]).into(),
        (_, "sign") => any(rng, &["ieee", "plus", "shared", "total"]).into(),
        (_, "nan") => any(rng, &["quiet", "ones", "any", "first(c) else 0x5"]).into(),
        (_, "specials") => any(rng, &["format", "none"]).into(),
        _ => String::new(),
    }
}

/// A function of these values with drawn options.
pub fn with_options(
    rng: &mut ChaCha8Rng,
    function: &'static str,
    arguments: Vec<Value>,
    one_in: u32,
) -> Value {
    let mut options = Vec::new();
    for word in needed(function) {
        options.push((*word, value(rng, function, word)));
    }
    for word in optional(function) {
        if rng.random_ratio(1, one_in) {
            options.push((*word, value(rng, function, word)));
        }
    }
    Value::Call(Call {
        function,
        arguments,
        options,
    })
}

impl Text {
    /// The same unit with one option more, less or of another value, or with the arguments of one step in another order.
    pub fn changed(&self, rng: &mut ChaCha8Rng) -> Text {
        let mut changed = self.clone();
        let mut calls = 0;
        changed.each(&mut |value| calls += u32::from(matches!(value, Value::Call(_))));
        if calls == 0 {
            return changed;
        }
        let chosen = rng.random_range(0..calls);
        let mut seen = 0;
        changed.each(&mut |value| {
            let Value::Call(call) = value else { return };
            if seen == chosen {
                call.change(rng);
            }
            seen += 1;
        });
        changed
    }
}

impl Call {
    fn change(&mut self, rng: &mut ChaCha8Rng) {
        let all = [optional(self.function), needed(self.function)].concat();
        if all.is_empty() || rng.random_ratio(1, 12) {
            self.arguments.reverse();
            return;
        }
        let word = any(rng, &all);
        // The format of a result stays, so that the unit keeps its signature.
        if word == "to" {
            return;
        }
        let new = value(rng, self.function, word);
        let place = self.options.iter().position(|(known, _)| *known == word);
        match place {
            Some(place) if optional(self.function).contains(&word) && rng.random_ratio(1, 3) => {
                self.options.remove(place);
            }
            Some(place) => self.options[place].1 = new,
            None => self.options.push((word, new)),
        }
    }
}
