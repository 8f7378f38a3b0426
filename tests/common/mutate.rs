//! Texts and bytes that are nearly valid: changed at random, the same for the same seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Pieces that parsers trip over.
const PIECES: [&str; 24] = [
    "",
    " ",
    "\n",
    "\t",
    "\0",
    ",",
    ":",
    "=",
    "..",
    "[",
    "]",
    "(",
    ")",
    "-",
    "é",
    "\u{202e}",
    "0x",
    "99999999999999999999",
    "-1",
    "65536",
    "4294967296",
    "2147483647",
    "1e99999999",
    "0x1p-99999",
];

/// Changes what it is given.
pub struct Mutator {
    rng: ChaCha8Rng,
}

impl Mutator {
    /// The same changes for the same seed.
    pub fn new(seed: u64) -> Self {
        Mutator {
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// One of them.
    pub fn pick<'x, T>(&mut self, all: &'x [T]) -> &'x T {
        &all[self.rng.random_range(0..all.len())]
    }

    /// A text of the corpus with one change or a few; one in eight has none.
    pub fn text(&mut self, corpus: &[impl AsRef<str>]) -> String {
        let bytes = self.pick(corpus).as_ref().as_bytes().to_vec();
        let other = self.pick(corpus).as_ref().as_bytes().to_vec();
        String::from_utf8_lossy(&self.changed(bytes, &other)).into_owned()
    }

    /// The bytes with one change or a few, some taken from `other`; one in eight times none.
    pub fn changed(&mut self, mut bytes: Vec<u8>, other: &[u8]) -> Vec<u8> {
        if self.rng.random_range(0..8) == 0 {
            return bytes;
        }
        for _ in 0..self.rng.random_range(1..4) {
            self.change(&mut bytes, other);
            bytes.truncate(1 << 16);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let [from, to] = self.range(bytes.len());
        match self.rng.random_range(0..9) {
            0 if !bytes.is_empty() => {
                let at = from.min(bytes.len() - 1);
                bytes[at] ^= 1 << self.rng.random_range(0..8);
            }
            1 => bytes.truncate(from),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let copy = bytes[from..to].to_vec();
                bytes.splice(to..to, copy);
            }
            4 => {
                let [first, last] = self.range(other.len());
                bytes.splice(from..to, other[first..last].iter().copied());
            }
            // Many times the same: deep nesting, long numbers.
            5 if to > from && to - from < 20 => {
                let count = *self.pick(&[3, 30, 300]);
                let copy = bytes[from..to].repeat(count);
                bytes.splice(from..to, copy);
            }
            6 => {
                // A number becomes another one.
                let is_digit = |byte: &u8| byte.is_ascii_digit();
                if let Some(start) = bytes[from..].iter().position(is_digit) {
                    let start = from + start;
                    let length = bytes[start..]
                        .iter()
                        .take_while(|byte| is_digit(byte))
                        .count();
                    let number = match self.rng.random_range(0..2) {
                        0 => self.rng.random_range(0..100_u32).to_string(),
                        _ => (1_u64 << self.rng.random_range(0..64)).to_string(),
                    };
                    bytes.splice(start..start + length, number.bytes());
                }
            }
            _ => {
                let piece = *self.pick(&PIECES);
                bytes.splice(from..from, piece.bytes());
            }
        }
    }

    /// The ends of a part of so many bytes, short ones more often.
    fn range(&mut self, length: usize) -> [usize; 2] {
        let from = self.rng.random_range(0..=length);
        let most = (length - from).min(*self.pick(&[1, 4, 16, 1000]));
        [from, from + self.rng.random_range(0..=most)]
    }
}
