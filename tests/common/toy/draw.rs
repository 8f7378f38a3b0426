//! Units at random: a sum of products in one of the usual forms with anything in between, or any steps at all.

use super::options::{FLOATS, INTEGERS, any, with_options};
use super::{Header, Step, Text, Value};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Formats of factors, those of few bits more often.
const FACTORS: [&str; 12] = [
    "e2m1", "e2m1", "e2m1", "e2m3", "e3m2", "e1m2", "e1m0", "e4m3", "e5m2", "e4m3fnuz", "i2f6",
    "e3m4",
];
const INTEGER_FACTORS: [&str; 6] = ["s4", "s4", "u4", "u4", "s8", "u8"];
const ADDENDS: [&str; 9] = [
    "e2m1", "e2m1", "e2m3", "e3m2", "e4m3", "e5m2", "f16", "bf16", "f32",
];
const INTEGER_ADDENDS: [&str; 6] = ["s4", "u4", "s8", "u8", "s16", "s32"];

/// What a name holds.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    /// The format, if it is a register.
    format: Option<&'static str>,
    is_integer: bool,
    length: Option<usize>,
}

/// A unit so far.
struct Draft<'r> {
    rng: &'r mut ChaCha8Rng,
    header: Header,
    known: Vec<Known>,
    steps: Vec<Step>,
    /// One option in so many is given.
    one_in: u32,
}

impl Header {
    pub fn draw(rng: &mut ChaCha8Rng) -> Header {
        let is_integer = rng.random_ratio(1, 4);
        let is_mixed = rng.random_ratio(1, 8);
        let of = |rng: &mut ChaCha8Rng, is_integer: bool| match is_integer
            != (is_mixed && rng.random())
        {
            true => (
                any(rng, &INTEGER_FACTORS),
                any(rng, &INTEGER_ADDENDS),
                any(rng, &INTEGERS),
            ),
            false => (any(rng, &FACTORS), any(rng, &ADDENDS), any(rng, &FLOATS)),
        };
        let (a, ..) = of(rng, is_integer);
        let (b, ..) = of(rng, is_integer);
        let (_, c, _) = of(rng, is_integer);
        let (.., d) = of(rng, is_integer);
        let products = any(rng, &[1, 1, 1, 2, 2, 3]);
        let has_scales = !is_integer && rng.random_ratio(1, 8);
        let format = any(rng, &["ue8m0", "ue8m0", "ue4m3"]);
        let block = rng.random_range(1..=products);
        Header {
            a,
            b: match rng.random() {
                true => a,
                false => b,
            },
            c: rng.random_ratio(5, 6).then_some(c),
            d,
            products,
            scales: has_scales.then_some((format, block)),
        }
    }
}

impl Text {
    /// A unit with these operands that the language does not refuse.
    pub fn draw(rng: &mut ChaCha8Rng, header: &Header) -> Text {
        loop {
            let text = Text::attempt(rng, header);
            if !matches!(text.built(), Ok(None)) {
                return text;
            }
        }
    }

    /// A unit with these operands, which the language may refuse.
    pub fn attempt(rng: &mut ChaCha8Rng, header: &Header) -> Text {
        let one_in = any(rng, &[3, 5, 8, 16]);
        let mut draft = Draft {
            rng,
            header: header.clone(),
            known: Vec::new(),
            steps: Vec::new(),
            one_in,
        };
        draft.operands();
        match draft.rng.random_ratio(3, 4) {
            true => draft.usual(),
            false => draft.anything(),
        }
        Text {
            header: draft.header,
            steps: draft.steps,
        }
    }
}

fn is_integer(format: &str) -> bool {
    INTEGERS.contains(&format)
}

fn at(of: &str, index: impl ToString) -> Value {
    Value::At(of.into(), index.to_string())
}

fn name(of: &str) -> Value {
    Value::Name(of.into())
}

impl Draft<'_> {
    fn operands(&mut self) {
        let Header {
            a,
            b,
            c,
            products,
            scales,
            ..
        } = self.header.clone();
        let mut row = |name: &str, format: &'static str, length| {
            self.known.push(Known {
                name: name.into(),
                format: Some(format),
                is_integer: is_integer(format),
                length,
            });
        };
        row("a", a, Some(products));
        row("b", b, Some(products));
        if let Some((format, block)) = scales {
            row("sa", format, Some(products.div_ceil(block)));
            row("sb", format, Some(products.div_ceil(block)));
        }
        if let Some(c) = c {
            row("c", c, None);
        }
    }

    /// Gives a new or an old name a value, for one element or for all of a row.
    fn assign(
        &mut self,
        name: &str,
        value: Value,
        kind: (Option<&'static str>, bool),
        length: Option<usize>,
    ) {
        self.steps.push(Step {
            name: name.into(),
            element: None,
            value,
            turns: None,
        });
        self.known.retain(|known| known.name != name);
        self.known.push(Known {
            name: name.into(),
            format: kind.0,
            is_integer: kind.1,
            length,
        });
    }

    /// The products with their scales, some steps, and a sum of all.
    fn usual(&mut self) {
        let Header {
            a,
            b,
            c,
            d,
            products,
            scales,
        } = self.header.clone();
        let integers = is_integer(a) && is_integer(b);
        let factor = |this: &mut Self, side: &'static str| match this.rng.random_ratio(1, 4) {
            false => name(side),
            true => this.prepared(name(side)),
        };
        let [left, right] = ["a", "b"].map(|side| factor(self, side));
        self.assign(
            "p",
            Value::product(left, right),
            (None, integers),
            Some(products),
        );
        if let Some((_, block)) = scales {
            let scaled = Value::product(
                Value::product(at("p", "k"), at("sa", format!("k / {block}"))),
                at("sb", format!("k / {block}")),
            );
            self.steps.push(Step {
                name: "q".into(),
                element: Some("k".into()),
                value: scaled,
                turns: Some(products),
            });
            let known = self
                .known
                .iter()
                .find(|known| known.name == "p")
                .cloned()
                .unwrap();
            self.known.push(Known {
                name: "q".into(),
                ..known
            });
        }
        for _ in 0..any(self.rng, &[0, 0, 1, 1, 2, 3]) {
            self.step();
        }
        let last = self
            .known
            .iter()
            .rev()
            .find(|known| known.length == Some(products));
        let row = match scales {
            Some(_) => "q".to_owned(),
            None if self.rng.random_ratio(2, 3) => "p".into(),
            None => last.map_or("p".into(), |known| known.name.clone()),
        };
        let mut terms = vec![name(&row)];
        if c.is_some() && self.rng.random_ratio(7, 8) {
            let c = match self.rng.random_ratio(1, 5) {
                false => name("c"),
                true => self.prepared(name("c")),
            };
            terms.push(c);
        }
        if self.rng.random_ratio(1, 6) {
            let (extra, _) = self.element();
            terms.push(extra);
        }
        if self.rng.random_ratio(1, 4) {
            terms.reverse();
        }
        let value = match self.rng.random_range(0..8) {
            // A chain of roundings.
            0 if c.is_some() => {
                self.chain(&row, products);
                at("s", products)
            }
            // Two sums, one after the other.
            1 if terms.len() > 1 => {
                let rest = terms.pop().unwrap();
                let inner = self.sum_of(terms);
                self.sum_of(vec![inner, rest])
            }
            _ => self.sum_of(terms),
        };
        self.result(value, d);
    }

    /// Each product is added to the sum before it, which is rounded.
    fn chain(&mut self, row: &str, products: usize) {
        let format = match self.rng.random_ratio(2, 3) {
            true => self.header.d,
            false => any(self.rng, &FLOATS),
        };
        self.steps.push(Step {
            name: "s".into(),
            element: Some("0".into()),
            value: name("c"),
            turns: None,
        });
        let sum = self.sum_of(vec![at("s", "k"), at(row, "k")]);
        let rounded = self.rounded(sum, format);
        self.steps.push(Step {
            name: "s".into(),
            element: Some("k + 1".into()),
            value: rounded,
            turns: Some(products),
        });
    }

    fn sum_of(&mut self, mut terms: Vec<Value>) -> Value {
        let function = any(self.rng, &["sum", "fuse", "fuse"]);
        if function == "fuse" && self.rng.random_ratio(1, 6) {
            let chosen = self.rng.random_range(0..terms.len());
            let term = terms[chosen].clone();
            terms[chosen] = with_options(self.rng, "align", vec![term], 2);
        }
        let one_in = match function {
            "sum" => 2 * self.one_in,
            _ => self.one_in,
        };
        with_options(self.rng, function, terms, one_in)
    }

    fn rounded(&mut self, value: Value, format: &str) -> Value {
        let mut rounded = with_options(self.rng, "round", vec![value], self.one_in);
        if let Value::Call(call) = &mut rounded {
            for (word, value) in &mut call.options {
                if *word == "to" {
                    *value = format.into();
                }
            }
        }
        rounded
    }

    fn result(&mut self, value: Value, format: &'static str) {
        let value = self.rounded(value, format);
        self.steps.push(Step {
            name: "d".into(),
            element: None,
            value,
            turns: None,
        });
    }

    /// A function of one value or row.
    fn prepared(&mut self, value: Value) -> Value {
        let function = any(
            self.rng,
            &[
                "flush",
                "term",
                "term",
                "normalise",
                "round",
                "cut",
                "part",
                "cap",
                "drop",
                "miscount",
            ],
        );
        let value = with_options(self.rng, function, vec![value], self.one_in);
        match function {
            "round" if self.rng.random_ratio(2, 3) => {
                let format = match is_integer(self.header.a) {
                    true => any(self.rng, &INTEGERS),
                    false => any(self.rng, &FLOATS),
                };
                self.reformatted(value, format)
            }
            _ => value,
        }
    }

    fn reformatted(&mut self, mut value: Value, format: &str) -> Value {
        if let Value::Call(call) = &mut value {
            for (word, value) in &mut call.options {
                if *word == "to" {
                    *value = format.into();
                }
            }
        }
        value
    }

    /// One value: an element of a row, or a name.
    fn element(&mut self) -> (Value, Known) {
        let recent = self.known.len().saturating_sub(3);
        let index = match self.rng.random_ratio(1, 3) {
            true => self.rng.random_range(recent..self.known.len()),
            false => self.rng.random_range(0..self.known.len()),
        };
        let known = self.known[index].clone();
        let value = match known.length {
            Some(length) => at(&known.name, self.rng.random_range(0..length)),
            None => name(&known.name),
        };
        (value, known)
    }

    /// A name, a row or a value with a function of one value around it.
    fn operand(&mut self, depth: u32) -> Value {
        let index = self.rng.random_range(0..self.known.len());
        let known = self.known[index].clone();
        match self.rng.random_range(0..10) {
            0..2 => name(&known.name),
            2..4 if depth > 0 => self.number(depth - 1),
            4 if known.length.is_some_and(|length| length > 1) => Value::Part(
                known.name,
                any(self.rng, &["0..1", "1..", "0.. step 2"]).into(),
            ),
            _ => self.element().0,
        }
    }

    fn number(&mut self, depth: u32) -> Value {
        match self.rng.random_range(0..16) {
            0..4 => Value::product(self.element().0, self.element().0),
            4..7 => {
                let count = self.rng.random_range(1..=3);
                let terms = (0..count).map(|_| self.operand(depth)).collect();
                self.sum_of(terms)
            }
            7 => {
                let count = self.rng.random_range(1..=3);
                let terms = (0..count).map(|_| self.operand(depth)).collect();
                Value::call(any(self.rng, &["special", "row"]), terms)
            }
            8 => with_options(self.rng, "zero", Vec::new(), self.one_in),
            _ => {
                let value = self.operand(depth);
                self.prepared(value)
            }
        }
    }

    /// A step whose value later steps may use: under a new name, in the place of an old one, or in a loop.
    fn step(&mut self) {
        let products = self.header.products;
        let new = format!("v{}", self.steps.len());
        let old: Vec<String> = self.known.iter().map(|known| known.name.clone()).collect();
        let old: Vec<&String> = old
            .iter()
            .filter(|name| name.starts_with(['p', 'q', 'v']))
            .collect();
        let target = match self.rng.random_ratio(1, 4) && !old.is_empty() {
            true => any(self.rng, &old).clone(),
            false => new.clone(),
        };
        match self.rng.random_range(0..6) {
            // All elements of a row.
            0 | 1 => {
                let row = any(self.rng, &["a", "b", "p"]);
                let row = match self.known.iter().any(|known| known.name == row) {
                    true => row,
                    false => "a",
                };
                let value = self.prepared(name(row));
                self.assign(&target, value, (None, false), Some(products));
            }
            // The same in a loop.
            2 => {
                let of = any(self.rng, &["a", "b"]);
                let value = match self.rng.random() {
                    true => self.prepared(at(of, "k")),
                    false => Value::product(at("a", "k"), at("b", "k")),
                };
                self.steps.push(Step {
                    name: new.clone(),
                    element: Some("k".into()),
                    value,
                    turns: Some(products),
                });
                self.known.push(Known {
                    name: new,
                    format: None,
                    is_integer: false,
                    length: Some(products),
                });
            }
            // An element of the products is written over.
            3 => {
                let value = self.number(1);
                self.steps.push(Step {
                    name: "p".into(),
                    element: Some("0".into()),
                    value,
                    turns: None,
                });
            }
            _ => {
                let value = self.number(2);
                self.assign(&new, value, (None, false), None);
            }
        }
    }

    /// Steps of any kind, and a result of the last or of any.
    fn anything(&mut self) {
        for _ in 0..self.rng.random_range(1..=5) {
            self.step();
        }
        let count = self.rng.random_range(1..=3);
        let value = match self.rng.random_ratio(1, 3) {
            true => self.number(2),
            false => {
                let terms = (0..count).map(|_| self.operand(2)).collect();
                self.sum_of(terms)
            }
        };
        let format = self.header.d;
        self.result(value, format);
    }
}
