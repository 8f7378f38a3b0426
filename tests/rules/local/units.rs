//! Texts of units over toy formats, with every step and option of the language.

use mmasmt_numbers::float::{Format, SpecialCodes};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

fn toy(of: Format, exponent_bits: u32, fraction_bits: u32, specials: SpecialCodes) -> Format {
    let mut format = of;
    format.exponent_bits = exponent_bits;
    format.fraction_bits = fraction_bits;
    format.specials = specials;
    format
}

const FLOATS: [&str; 8] = [
    "E2M1I", "E2M2I", "E3M1I", "E3M2I", "E2M1N", "E2M2N", "E3M1F", "E2M2F",
];
const INTEGERS: [&str; 6] = ["S2", "U2", "S3", "U3", "S4", "U4"];
const SCALES: [&str; 3] = ["UE2", "UE2M1", "UI2M1"];

/// The toy formats by their names: `E2M1I` has 2 exponent bits, 1 fraction bit, and infinities as in IEEE 754.
pub fn formats() -> Vec<(&'static str, Format)> {
    use SpecialCodes as Codes;
    let float = |exponent, fraction, codes| toy(Format::E5M2, exponent, fraction, codes);
    let integer = |of: Format, bits| toy(of, 0, bits, Codes::None);
    vec![
        ("E2M1I", float(2, 1, Codes::Ieee)),
        ("E2M2I", float(2, 2, Codes::Ieee)),
        ("E3M1I", float(3, 1, Codes::Ieee)),
        ("E3M2I", float(3, 2, Codes::Ieee)),
        ("E2M1N", float(2, 1, Codes::None)),
        ("E2M2N", float(2, 2, Codes::None)),
        ("E3M1F", float(3, 1, Codes::NanOnly)),
        ("E2M2F", float(2, 2, Codes::NanOnly)),
        ("E3M1Z", float(3, 1, Codes::NegativeZero)),
        ("E4M3I", float(4, 3, Codes::Ieee)),
        ("E4M5I", float(4, 5, Codes::Ieee)),
        ("S2", integer(Format::S8, 1)),
        ("U2", integer(Format::U8, 2)),
        ("S3", integer(Format::S8, 2)),
        ("U3", integer(Format::U8, 3)),
        ("S4", integer(Format::S8, 3)),
        ("U4", integer(Format::U8, 4)),
        ("S6", integer(Format::S8, 5)),
        ("U1", integer(Format::B1, 1)),
        ("UE2", toy(Format::UE8M0, 2, 0, Codes::NanOnly)),
        ("UE2M1", toy(Format::UE5M3, 2, 1, Codes::NanOnly)),
        ("UI2M1", toy(Format::UE4M3, 2, 1, Codes::NanOnly)),
        ("I2F1", toy(Format::I2F6, 2, 1, Codes::None)),
    ]
}

/// A text that is being drawn.
struct Text<'r> {
    rng: &'r mut ChaCha8Rng,
    lines: Vec<String>,
    /// Every value so far.
    all: Vec<String>,
    of_integers: bool,
    /// True if `c` is in a term already.
    has_c: bool,
}

/// A text; it may be no valid one.
pub fn drawn(rng: &mut ChaCha8Rng) -> String {
    let of_integers = rng.random_bool(0.15);
    let mut text = Text {
        rng,
        lines: Vec::new(),
        all: Vec::new(),
        of_integers,
        has_c: false,
    };
    text.unit()
}

impl Text<'_> {
    fn any(&mut self, words: &[&str]) -> String {
        words
            .choose(self.rng)
            .map_or(String::new(), |word| (*word).to_owned())
    }

    fn says(&mut self, share: f64) -> bool {
        self.rng.random_bool(share)
    }

    fn number(&mut self, from: i64, to: i64) -> i64 {
        self.rng.random_range(from..=to)
    }

    fn named(&mut self, value: String) -> String {
        let name = format!("v{}", self.lines.len());
        self.lines.push(format!("{name} = {value}"));
        self.all.push(name.clone());
        name
    }

    fn float(&mut self) -> String {
        if self.says(0.15) {
            return self.any(&["E4M3I", "E4M5I"]);
        }
        self.any(&FLOATS)
    }

    fn register_format(&mut self) -> String {
        if self.of_integers && self.says(0.8) {
            return self.any(&["S2", "U2", "S3", "U3", "S4", "U4", "S6"]);
        }
        self.float()
    }

    fn unit(&mut self) -> String {
        if !self.of_integers && self.says(0.12) {
            return self.unit_of_a_vendor();
        }
        let count = if self.says(0.5) { 1 } else { 2 };
        let are_elements = self.says(0.1);
        let (a, b) = match self.of_integers {
            true => (self.any(&INTEGERS), self.any(&INTEGERS)),
            false if are_elements => (self.any(&["e1m2", "I2F1"]), self.any(&["e1m2", "I2F1"])),
            false => (self.float_of_factor(), self.float_of_factor()),
        };
        let b = if self.says(0.6) { a.clone() } else { b };
        let [c, d] = [0; 2].map(|_| self.register_format());
        let c = if self.says(0.4) { d.clone() } else { c };
        let has_scales = !self.of_integers && self.says(0.15);
        let scales = has_scales.then(|| (self.any(&SCALES), self.number(1, count)));
        let mut terms = Vec::new();
        let differs = self.of_integers && self.says(0.05);
        for k in 0..count {
            let one = match differs {
                true => self.named(format!("differ(a[{k}], b[{k}])")),
                false => self.product(k, scales.as_ref().map(|(_, block)| k / block)),
            };
            terms.push(one);
        }
        let (a, b) = if differs {
            ("U1".into(), "U1".into())
        } else {
            (a, b)
        };
        if !self.has_c && self.says(0.95) {
            let own = self.addend();
            terms.push(own);
        }
        let last = self.summed(terms);
        let options = self.rounding(&d);
        self.lines
            .push(format!("d = round({last}) to {d}{options}"));
        let scales = scales.map_or(String::new(), |(format, block)| {
            format!("sa, sb: {format} of {block}; ")
        });
        let lines = self.lines.join("; ");
        format!("unit u {{ a: {a}[{count}]; b: {b}[{count}]; {scales}c: {c}; d: {d}; {lines} }}")
    }

    /// A unit like those of RDNA3, RDNA4 and Gaudi 3, whose rules need several steps of one form.
    fn unit_of_a_vendor(&mut self) -> String {
        let factor = self.any(&["E2M1I", "E3M1I", "E3M2I", "E2M2N"]);
        let addend = self.any(&["E2M1I", "E2M2I", "E3M1I", "E2M1N"]);
        let result = if self.says(0.7) {
            addend.clone()
        } else {
            self.float()
        };
        let (keep, up) = (self.number(2, 9), self.number(0, 2));
        let least = match self.says(0.4) {
            true => format!(" least {}", self.number(-6, 2)),
            false => String::new(),
        };
        let products = || (0..2).map(|k| format!("a[{k}] * b[{k}]"));
        match self.number(0, 2) {
            0 => {
                let flush = self.any(&["flush(c)", "c"]);
                let terms: Vec<String> = products()
                    .map(|product| {
                        let product = self.named(product);
                        self.named(format!("term({product}) shift {up}"))
                    })
                    .collect();
                self.named(format!(
                    "fuse({}, {flush}) keep {keep} by rz{least} negate against_last",
                    terms.join(", ")
                ));
            }
            1 => {
                let all: Vec<String> = products().map(|product| self.named(product)).collect();
                let pairs = match self.says(0.5) {
                    true => self.named(format!("fuse({}) keep {keep} by rd", all.join(", "))),
                    false => all.join(", "),
                };
                let zeros = self.any(&["field", "none"]);
                let c = self.named(format!("term(c) zeros {zeros} shift -{up}"));
                let vanish = self.number(-6, 3);
                self.named(format!(
                    "fuse({pairs}, align({c}) by rd vanish {vanish}) keep {keep} by rd{least}"
                ));
            }
            _ => {
                let precision = if factor.contains("M1") { 2 } else { 3 };
                let cuts = [0; 2].map(|_| self.number(1, precision - 1));
                let mut terms = Vec::new();
                for k in 0..2 {
                    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        if (i, j) == (0, 0) && self.says(0.3) {
                            continue;
                        }
                        let part = |factor: &str, high: i64, cut: i64| match high {
                            0 => format!("part({factor}[{k}]) low 0 bits {cut}"),
                            _ => format!("part({factor}[{k}]) low {cut} bits {}", precision - cut),
                        };
                        let [x, y] = [part("a", i, cuts[0]), part("b", j, cuts[1])];
                        let [x, y] = [x, y].map(|part| self.named(part));
                        terms.push(self.named(format!("{x} * {y}")));
                    }
                }
                self.named(format!(
                    "fuse({}, c) keep {keep} by rz{least}",
                    terms.join(", ")
                ));
            }
        }
        let total = self.all.last().cloned().unwrap_or_default();
        let options = match self.says(0.6) {
            true => {
                let tiny = self.any(&["kept", "after"]);
                format!(" tiny {tiny} sign plus")
            }
            false => self.rounding(&result),
        };
        let lines = self.lines.join("; ");
        format!(
            "unit u {{ a, b: {factor}[2]; c: {addend}; d: {result}; {lines}; d = round({total}) to {result}{options} }}"
        )
    }

    fn float_of_factor(&mut self) -> String {
        if self.says(0.1) {
            return "E3M1Z".into();
        }
        self.any(&FLOATS)
    }

    fn product(&mut self, k: i64, block: Option<i64>) -> String {
        let same = self.says(0.8);
        let x = self.factor(&format!("a[{k}]"), None);
        let y = self.factor(&format!("b[{k}]"), same.then(|| x.1.clone()));
        let (x, y) = (x.0, y.0);
        if block.is_none() && k == 0 && !self.of_integers && self.says(0.1) {
            self.has_c = true;
            let to = self.float();
            let options = self.plain_rounding();
            let z = self.named(format!("round(sum({x} * {y}, c)) to {to}{options}"));
            return self.decorated_register(z);
        }
        if block.is_none() && self.says(0.15) {
            let to = self.register_format();
            let options = self.rounding(&to);
            let z = self.named(format!("round({x} * {y}) to {to}{options}"));
            return self.decorated_register(z);
        }
        let mut p = self.named(format!("{x} * {y}"));
        if let Some(block) = block {
            let option = self.any(&["", "", " zeros field"]);
            for side in ["sa", "sb"] {
                p = self.named(format!("{p} * term({side}[{block}]){option}"));
            }
        }
        self.decorated(p)
    }

    /// A factor, and the step that made it.
    fn factor(&mut self, of: &str, like: Option<String>) -> (String, String) {
        let form = match like {
            Some(form) => form,
            None => match self.number(0, 9) {
                0..=3 => "X".to_owned(),
                4..=5 => {
                    let options = self.options_of_term();
                    format!("term(X){options}")
                }
                6 => {
                    let sign = self.any(&["same", "plus"]);
                    format!("flush(X) sign {sign}")
                }
                7 => {
                    let to = self.float();
                    let options = self.rounding(&to);
                    format!("round(X) to {to}{options}")
                }
                8 => {
                    let (low, bits) = (self.number(0, 1), self.number(1, 3));
                    let by = self.cutting();
                    format!("part(X) low {low} bits {bits} by {by}")
                }
                _ => {
                    let sign = self.any(&["same", "plus"]);
                    let zeros = self.any(&["none", "field", "-1"]);
                    format!("term(flush(X) sign {sign}) zeros {zeros}")
                }
            },
        };
        if form == "X" {
            return (of.to_owned(), form);
        }
        let value = form.replace('X', of);
        (self.named(value), form)
    }

    fn options_of_term(&mut self) -> String {
        let mut options = String::new();
        let zeros = self.any(&["none", "field", "field", "-1", "0", "-3"]);
        if self.says(0.7) {
            options += &format!(" zeros {zeros}");
        }
        if self.says(0.2) {
            options += " widen";
        }
        if self.says(0.1) {
            options += &format!(" shift {}", self.number(-2, 2));
        }
        if self.says(0.1) {
            options += &format!(" fraction {}", self.number(1, 4));
        }
        if self.says(0.1) {
            options += " specials none";
        }
        options
    }

    fn addend(&mut self) -> String {
        match self.number(0, 5) {
            0..=1 => "c".into(),
            2..=3 => {
                let options = self.options_of_term();
                self.named(format!("term(c){options}"))
            }
            4 => {
                let sign = self.any(&["same", "plus"]);
                self.named(format!("flush(c) sign {sign}"))
            }
            _ => self.decorated_register("c".into()),
        }
    }

    fn cutting(&mut self) -> String {
        self.any(&[
            "rz", "rz", "rz", "rd", "rne", "rna", "rnu", "odd", "ru", "ra", "rnz", "rnd", "rno",
        ])
    }

    /// The options of an operation of IEEE 754.
    fn plain_rounding(&mut self) -> String {
        let by = self.any(&["rne", "rne", "rz", "rd", "ru", "ra", "odd", "rna"]);
        let tiny = self.any(&["kept", "before", "after", "register"]);
        format!(" by {by} tiny {tiny}")
    }

    fn rounding(&mut self, to: &str) -> String {
        if !to.starts_with(['S', 'U']) && self.says(0.25) {
            return self.plain_rounding();
        }
        let mut options = String::new();
        if self.says(0.6) {
            let by = self.any(&[
                "rz", "rz", "rd", "ru", "ra", "odd", "rna", "rnz", "rnu", "rnd", "rno", "rne",
            ]);
            options += &format!(" by {by}");
        } else if self.says(0.1) {
            let bits = self.number(1, 3);
            let random = self.number(0, (1 << bits) - 1);
            options += &format!(" by sr bits {bits} random {random}");
        }
        if to.starts_with(['S', 'U']) {
            let beyond = self.any(&["wrap", "saturate", "saturate", "symmetric"]);
            return options + " overflow " + &beyond;
        }
        if self.says(0.1) {
            options += " fraction 1";
        }
        if self.says(0.4) {
            let tiny = self.any(&["before", "after", "register"]);
            options += &format!(" tiny {tiny}");
        }
        if self.says(0.4) {
            let overflow = self.any(&["ieee", "infinity", "infinity", "saturate"]);
            options += &format!(" overflow {overflow}");
        }
        if self.says(0.4) {
            let sign = self.any(&["ieee", "plus", "shared", "total"]);
            options += &format!(" sign {sign}");
        }
        if self.says(0.1) {
            let nan = self.any(&["ones", "first(c) else 0x1"]);
            options += &format!(" nan {nan}");
        }
        if self.says(0.03) {
            options += " specials none";
        }
        options
    }

    /// A number, or a register, after some steps that take one value.
    fn decorated(&mut self, of: String) -> String {
        if !self.says(0.35) {
            return of;
        }
        let value = match self.number(0, 10) {
            0..=1 => format!("normalise({of})"),
            2 => format!("cap({of}) exponent {}", self.number(-2, 5)),
            3 => format!("drop({of}) exponent {}", self.number(-6, 1)),
            4 => format!("miscount({of}) bits {}", self.number(0, 3)),
            5 => {
                let (low, bits) = (self.number(0, 2), self.number(1, 4));
                let by = self.cutting();
                format!("part({of}) low {low} bits {bits} by {by}")
            }
            6..=7 => {
                let mut options = format!(" bits {}", self.number(1, 6));
                let by = self.cutting();
                options += &format!(" by {by}");
                if self.says(0.4) {
                    options += &format!(" least {}", self.number(-5, 2));
                }
                format!("cut({of}){options}")
            }
            8 => {
                let options = self.options_of_term();
                format!("term({of}){options}")
            }
            _ => {
                let all = self.all.clone();
                let other = all.choose(self.rng).cloned().unwrap_or("c".into());
                format!("special({of}, {other})")
            }
        };
        let name = self.named(value);
        self.decorated(name)
    }

    fn decorated_register(&mut self, of: String) -> String {
        if !self.says(0.5) {
            return of;
        }
        let value = match self.number(0, 4) {
            4 => {
                let all = self.all.clone();
                let other = all.choose(self.rng).cloned().unwrap_or("c".into());
                format!("replace({of}, {other}) nan {}", self.number(0, 7))
            }
            0 => {
                let sign = self.any(&["same", "plus"]);
                format!("flush({of}) sign {sign}")
            }
            1..=2 => {
                let to = self.register_format();
                let options = self.rounding(&to);
                format!("round({of}) to {to}{options}")
            }
            _ => {
                let options = self.options_of_term();
                let term = self.named(format!("term({of}){options}"));
                return self.decorated(term);
            }
        };
        let name = self.named(value);
        self.decorated_register(name)
    }

    /// One value of all terms.
    fn summed(&mut self, mut terms: Vec<String>) -> String {
        if self.says(0.04) {
            let to = self.register_format();
            let zero = self.named(format!("zero() to {to}"));
            terms.push(zero);
        }
        loop {
            let count = (self.number(1, 3) as usize).min(terms.len());
            let mut some = Vec::new();
            for _ in 0..count {
                let at = self.rng.random_range(0..terms.len());
                some.push(match self.says(0.04) {
                    true => terms[at].clone(),
                    false => terms.swap_remove(at),
                });
                if terms.is_empty() {
                    break;
                }
            }
            let value = self.sum_of(&some);
            let mut value = self.named(value);
            if !self.lines[self.lines.len() - 1].contains("round(") {
                value = self.decorated(value);
                if self.says(0.4) {
                    let to = self.register_format();
                    let options = self.rounding(&to);
                    value = self.named(format!("round({value}) to {to}{options}"));
                    value = self.decorated_register(value);
                }
            } else {
                value = self.decorated_register(value);
            }
            if terms.is_empty() {
                return value;
            }
            if self.says(0.03) {
                // The sum is lost.
                continue;
            }
            terms.push(value);
        }
    }

    fn sum_of(&mut self, some: &[String]) -> String {
        let all = some.join(", ");
        // Two registers, if they are any.
        if some.len() == 2 && !self.of_integers && self.says(0.15) {
            let to = self.float();
            let options = self.plain_rounding();
            return format!("round(sum({all})) to {to}{options}");
        }
        match self.number(0, 9) {
            0..=1 => {
                let zeros = self.any(&["", " zeros terms", " zeros field"]);
                format!("sum({all}){zeros}")
            }
            2..=4 => {
                let to = self.register_format();
                let options = self.rounding(&to);
                format!("round(sum({all})) to {to}{options}")
            }
            _ => {
                let aligned: Vec<String> = some.iter().map(|one| self.aligned(one)).collect();
                let mut options = format!(" keep {}", self.number(0, 9));
                let by = self.cutting();
                options += &format!(" by {by}");
                if self.says(0.3) {
                    options += &format!(" least {}", self.number(-8, 3));
                }
                if self.says(0.3) {
                    let beyond = self.any(&["wrap", "saturate"]);
                    options += &format!(" carry {} beyond {beyond}", self.number(0, 3));
                }
                if self.says(0.1) {
                    options += " sticky";
                }
                if self.says(0.1) {
                    let negate = self.any(&["ones", "ones_of_nonzero", "against_last"]);
                    options += &format!(" negate {negate}");
                }
                format!("fuse({}){options}", aligned.join(", "))
            }
        }
    }

    fn aligned(&mut self, one: &str) -> String {
        if !self.says(0.2) {
            return one.to_owned();
        }
        let keep = self.number(0, 9);
        let mut options = format!(" keep {keep}");
        if self.says(0.6) {
            let by = self.cutting();
            options += &format!(" by {by}");
        }
        if self.says(0.3) {
            options += &format!(" far {}", self.number(0, 6));
        }
        if self.says(0.3) {
            options += &format!(" again {}", self.number(0, keep));
        }
        if self.says(0.2) {
            options += &format!(" vanish {}", self.number(-8, 4));
        }
        format!("align({one}){options}")
    }
}

/// A random choice of codes, as a domain would have them: a range of magnitudes of one sign or both,
/// without some low bits.
pub fn codes(format: &Format, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let all = 0..1u64 << format.width();
    let is_finite = |code: &u64| {
        let real = super::numbers::decoded(format, *code).map(|(real, _)| real);
        real.and_then(super::numbers::Real::finite).is_some()
    };
    let finite: Vec<u64> = all.filter(is_finite).collect();
    let value = |code: u64| {
        let (real, _) =
            super::numbers::decoded(format, code).unwrap_or((super::numbers::Real::Nan, false));
        real.finite().unwrap_or(0).unsigned_abs()
    };
    let ends = [0; 2].map(|_| *finite.choose(rng).unwrap_or(&0)).map(value);
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let sign = rng.random_range(0..5);
    let kind = rng.random_range(0..6);
    let cleared = rng.random_range(0..3u32);
    let chosen = |code: &&u64| {
        let (_, negative) =
            super::numbers::decoded(format, **code).unwrap_or((super::numbers::Real::Nan, false));
        let has_sign = match sign {
            0 => !negative,
            1 => negative,
            _ => true,
        };
        let of_kind = match kind {
            0 => true,
            1 => (low..=high).contains(&value(**code)),
            2 => value(**code) <= low,
            3 => value(**code) >= low,
            4 => value(**code) == low,
            _ => **code >> cleared << cleared == **code,
        };
        has_sign && of_kind
    };
    let some: Vec<u64> = finite.iter().filter(chosen).copied().collect();
    match some.is_empty() {
        true => finite,
        false => some,
    }
}
