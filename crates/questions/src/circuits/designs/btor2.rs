//! Parses BTOR2: numbered lines whose operands are earlier lines, with an optional symbol at the
//! end of a line.

use super::error::DesignError;
use mmasmt_numbers::base::excerpt::excerpt;
use rustc_hash::FxHashMap;

/// The most bits of a word: a port of a matrix unit is never wider.
const WIDEST: u32 = 1 << 16;

/// A reference to a line; a negative number in the file means the complement of the line's value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub index: usize,
    pub negated: bool,
}

/// The kind of a line.
#[derive(Clone, Debug)]
pub(super) enum Btor2Kind {
    Input,
    /// A register of the design.
    State,
    /// A constant: digits in a base, or one of 0, 1 and all ones.
    Constant(num_bigint::BigUint),
    /// An operation with its operands, and the plain numbers that follow the operands.
    Operation {
        name: String,
        operands: Vec<Reference>,
        numbers: Vec<u32>,
    },
}

/// A line of the file whose value is a word.
#[derive(Clone, Debug)]
pub(super) struct Btor2Word {
    pub kind: Btor2Kind,
    pub width: u32,
    /// The symbol of the line; empty if it has none.
    pub symbol: String,
    pub line: usize,
}

/// A parsed file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub words: Vec<Btor2Word>,
    pub outputs: Vec<(String, Reference)>,
    /// The next value of each register, by the index of the register.
    pub next: FxHashMap<usize, Reference>,
}

#[derive(Default)]
struct Numbers {
    sorts: FxHashMap<u64, u32>,
    words: FxHashMap<u64, usize>,
}

struct Line<'t> {
    number: usize,
    tokens: Vec<&'t str>,
    text: &'t str,
}

impl Line<'_> {
    fn wrong(&self, expected: &str) -> DesignError {
        DesignError::Line {
            line: self.number,
            expected: expected.into(),
            found: excerpt(self.text).to_string(),
        }
    }

    fn unsupported(&self, what: &'static str) -> DesignError {
        DesignError::Unsupported {
            line: self.number,
            found: excerpt(self.tokens.get(1).copied().unwrap_or_default()).to_string(),
            what,
        }
    }

    fn number<T: std::str::FromStr>(&self, at: usize, what: &str) -> Result<T, DesignError> {
        let token = self.tokens.get(at);
        let read = token.and_then(|token| token.parse().ok());
        read.ok_or_else(|| self.wrong(what))
    }
}

impl Numbers {
    fn sort(&self, line: &Line<'_>) -> Result<u32, DesignError> {
        let number: u64 = line.number(2, "a sort")?;
        let sort = self.sorts.get(&number).copied();
        sort.ok_or_else(|| line.wrong("a sort that an earlier line defines"))
    }

    fn reference(&self, line: &Line<'_>, at: usize) -> Result<Reference, DesignError> {
        let number: i64 = line.number(at, "an operand")?;
        let index = self.words.get(&number.unsigned_abs()).copied();
        let index = index.ok_or_else(|| line.wrong("an operand that stands before it"))?;
        Ok(Reference {
            index,
            negated: number < 0,
        })
    }
}

impl File {
    /// Parses a file.
    pub fn parse(text: &str) -> Result<File, DesignError> {
        let mut file = File::default();
        let mut numbers = Numbers::default();
        for (number, text) in (1..).zip(text.lines()) {
            let code = text.split(';').next().unwrap_or_default();
            let tokens: Vec<&str> = code.split_ascii_whitespace().collect();
            if !tokens.is_empty() {
                let line = Line {
                    number,
                    tokens,
                    text,
                };
                file.read(&line, &mut numbers)?;
            }
        }
        Ok(file)
    }

    fn read(&mut self, line: &Line<'_>, numbers: &mut Numbers) -> Result<(), DesignError> {
        let id: u64 = line.number(0, "a number, an operation and its operands")?;
        let Some(&name) = line.tokens.get(1) else {
            return Err(line.wrong("an operation behind its number"));
        };
        match name {
            "sort" => {
                if line.tokens.get(2) != Some(&"bitvec") {
                    return Err(line.unsupported(
                        "a memory: expected bit-vectors alone; `memory` of yosys makes registers of it",
                    ));
                }
                let width: u32 = line.number(3, "a width")?;
                if !(1..=WIDEST).contains(&width) {
                    return Err(line.wrong("a width from 1 to 65536"));
                }
                numbers.sorts.insert(id, width);
            }
            "output" => {
                let of = numbers.reference(line, 2)?;
                let symbol = line.tokens.get(3).copied().unwrap_or_default();
                self.outputs.push((symbol.into(), of));
            }
            "next" => {
                let [state, of] = [3, 4].map(|at| numbers.reference(line, at));
                self.next.insert(state?.index, of?);
            }
            // The initial state of a pipeline does not matter, and assertions are not results.
            "init" | "bad" => {}
            "constraint" | "fair" | "justice" => {
                return Err(line.unsupported(
                    "an assumption about inputs: expected none; --where says it to a question",
                ));
            }
            "read" | "write" => {
                return Err(line.unsupported(
                    "a memory: expected bit-vectors alone; `memory` of yosys makes registers of it",
                ));
            }
            _ => {
                let word = Self::word(line, name, numbers)?;
                numbers.words.insert(id, self.words.len());
                self.words.push(word);
            }
        }
        Ok(())
    }

    fn word(line: &Line<'_>, name: &str, numbers: &Numbers) -> Result<Btor2Word, DesignError> {
        use num_bigint::BigUint;
        let width = numbers.sort(line)?;
        let all = BigUint::from(1u32) << width;
        let digits = |base: u32| {
            let text = line.tokens.get(3).copied().unwrap_or_default();
            let (negative, digits) = match text.strip_prefix('-') {
                Some(digits) => (true, digits),
                None => (false, text),
            };
            let value = BigUint::parse_bytes(digits.as_bytes(), base);
            let value = value.filter(|value| *value < all);
            let value = value.ok_or_else(|| line.wrong("digits that fit the width"))?;
            Ok(Btor2Kind::Constant(if negative {
                (&all - value) % &all
            } else {
                value
            }))
        };
        // The number of operands and the number of plain numbers that follow the sort.
        let (operands, count) = match name {
            "input" | "state" | "zero" | "one" | "ones" => (0, 0),
            "const" | "constd" | "consth" => (0, 1),
            "slice" => (1, 2),
            "uext" | "sext" => (1, 1),
            "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => (1, 0),
            "ite" => (3, 0),
            "iff" | "implies" | "eq" | "neq" | "ugt" | "ugte" | "ult" | "ulte" | "sgt" | "sgte"
            | "slt" | "slte" | "and" | "nand" | "nor" | "or" | "xnor" | "xor" | "sll" | "sra"
            | "srl" | "add" | "mul" | "sub" | "concat" => (2, 0),
            _ => {
                return Err(line.unsupported(
                    "expected an operation of a matrix unit: no division, no rotation by an operand, no overflow flag",
                ));
            }
        };
        let kind = match name {
            "input" => Btor2Kind::Input,
            "state" => Btor2Kind::State,
            "zero" => Btor2Kind::Constant(BigUint::ZERO),
            "one" => Btor2Kind::Constant(1u32.into()),
            "ones" => Btor2Kind::Constant(&all - 1u32),
            "const" => digits(2)?,
            "constd" => digits(10)?,
            "consth" => digits(16)?,
            _ => {
                let references = (3..3 + operands).map(|at| numbers.reference(line, at));
                let behind = 3 + operands..3 + operands + count;
                let behind = behind.map(|at| line.number(at, "a number of bits"));
                Btor2Kind::Operation {
                    name: name.into(),
                    operands: references.collect::<Result<_, _>>()?,
                    numbers: behind.collect::<Result<_, _>>()?,
                }
            }
        };
        let symbol = line.tokens.get(3 + operands + count);
        Ok(Btor2Word {
            kind,
            width,
            symbol: symbol.copied().unwrap_or_default().into(),
            line: line.number,
        })
    }
}
