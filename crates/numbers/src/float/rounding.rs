//! Rounding modes, and what they are called.

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Toward zero.
    Rz,
    /// To nearest, ties to even.
    Rne,
    /// Down, toward negative infinity.
    Rd,
    /// Up, toward positive infinity.
    Ru,
    /// Away from zero.
    Ra,
    /// To odd: an inexact result is the neighbour whose last bit is 1 (Arm BFDOT).
    Odd,
    /// To nearest, ties away from zero.
    Rna,
    /// To nearest, ties toward zero.
    Rnz,
    /// To nearest, ties up.
    Rnu,
    /// To nearest, ties down.
    Rnd,
    /// To nearest, ties to odd.
    Rno,
    /// Stochastic, with given random bits.
    Sr(Stochastic),
}

/// Stochastic rounding as hardware has it: a random number is added below the last place of the
/// magnitude, and the sum is cut. Bits below those of the random number do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stochastic {
    /// The number of random bits, from 1 to [`Stochastic::MOST_BITS`].
    pub bits: u32,
    /// The random number, below `2^bits`.
    pub random: u64,
}

impl Stochastic {
    /// The greatest number of random bits.
    pub const MOST_BITS: u32 = 32;

    /// The rounding with these bits, if they are as many as there may be.
    pub fn new(bits: u32, random: u64) -> Option<Stochastic> {
        let is_some = (1..=Self::MOST_BITS).contains(&bits) && random >> bits == 0;
        is_some.then_some(Stochastic { bits, random })
    }

    /// The greatest random number.
    pub fn greatest(self) -> u64 {
        (1 << self.bits) - 1
    }
}

impl Rounding {
    /// The names of all rounding modes but the stochastic ones.
    pub const NAMES: [(&'static str, Rounding); 11] = [
        ("rne", Rounding::Rne),
        ("rz", Rounding::Rz),
        ("rd", Rounding::Rd),
        ("ru", Rounding::Ru),
        ("ra", Rounding::Ra),
        ("odd", Rounding::Odd),
        ("rna", Rounding::Rna),
        ("rnz", Rounding::Rnz),
        ("rnu", Rounding::Rnu),
        ("rnd", Rounding::Rnd),
        ("rno", Rounding::Rno),
    ];

    /// Whether the result is a number nearest to the exact one, whatever becomes of ties.
    pub fn is_to_nearest(self) -> bool {
        matches!(
            self,
            Rounding::Rne
                | Rounding::Rna
                | Rounding::Rnz
                | Rounding::Rnu
                | Rounding::Rnd
                | Rounding::Rno
        )
    }

    /// Whether a magnitude may be rounded to the next power of two.
    pub fn carries(self) -> bool {
        !matches!(self, Rounding::Rz | Rounding::Odd)
    }

    /// Whether a number beyond the greatest one of a format is rounded to infinity by the rule of IEEE 754, whatever its
    /// sign.
    pub fn gives_infinities(self) -> bool {
        !matches!(self, Rounding::Rz | Rounding::Rd | Rounding::Ru)
    }

    /// Whether the first bit below the last place, and whether there is any bit below that one,
    /// decide the result. Operations of IEEE 754 keep no more of an exact sum or product.
    pub fn reads_two_bits(self) -> bool {
        !matches!(self, Rounding::Sr(_))
    }

    /// The rounding mode in words that follow "rounded".
    pub fn describe(self) -> String {
        match self {
            Rounding::Rz => "towards zero".into(),
            Rounding::Rne => "to nearest".into(),
            Rounding::Rd => "down".into(),
            Rounding::Ru => "up".into(),
            Rounding::Ra => "away from zero".into(),
            Rounding::Odd => "to odd".into(),
            Rounding::Rna => "to nearest, ties away from zero".into(),
            Rounding::Rnz => "to nearest, ties towards zero".into(),
            Rounding::Rnu => "to nearest, ties up".into(),
            Rounding::Rnd => "to nearest, ties down".into(),
            Rounding::Rno => "to nearest, ties to odd".into(),
            Rounding::Sr(Stochastic { bits, random }) => {
                format!("stochastically, with {random} of {bits} random bits")
            }
        }
    }
}

/// The name: `rne`, or `sr8+0x5a` with 8 random bits that are 0x5a.
impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Rounding::Sr(Stochastic { bits, random }) = self {
            return write!(f, "sr{bits}+{random:#x}");
        }
        let name = Rounding::NAMES
            .iter()
            .find(|(_, rounding)| rounding == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// Reads a name. Random bits may be decimal, or hexadecimal after `0x`.
impl FromStr for Rounding {
    type Err = ();

    fn from_str(text: &str) -> Result<Rounding, ()> {
        if let Some((_, rounding)) = Rounding::NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(*rounding);
        }
        let (bits, random) = text
            .strip_prefix("sr")
            .and_then(|text| text.split_once('+'))
            .ok_or(())?;
        let number = |digits: &str, base| match digits.starts_with('+') {
            false => u64::from_str_radix(digits, base).map_err(|_| ()),
            true => Err(()),
        };
        let random = match random.strip_prefix("0x") {
            Some(digits) => number(digits, 16)?,
            None => number(random, 10)?,
        };
        let bits = number(bits, 10)?.try_into().map_err(|_| ())?;
        Stochastic::new(bits, random).map(Rounding::Sr).ok_or(())
    }
}

/// Written as its name.
impl Serialize for Rounding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
