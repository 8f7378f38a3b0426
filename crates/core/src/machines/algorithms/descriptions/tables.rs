//! Tables of the numbers that short registers give, so that a program that runs often reads each operand
//! in one step. An entry is made when it is first read.

use super::elements::ElementFactor;
use super::number::{ExactNumber, Signs, exponent_width};
use mmasmt_numbers::bits::{Bv, Concrete, W64};
use mmasmt_numbers::float::SpecialTerm;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The widest registers that have tables: these have 2^16 entries of four bytes.
const MOST_BITS: u32 = 16;

/// An entry: the significand, the exponent above it, and flags.
const SIGNIFICAND_BITS: u32 = 16;
const EXPONENT_BITS: u32 = 9;
const SIGN: u32 = 1 << 25;
const ZERO: u32 = 1 << 26;
const NAN: u32 = 1 << 27;
const INFINITE: u32 = 1 << 28;
const ABSENT: u32 = 1 << 29;
const NEGATIVE_ZERO: u32 = 1 << 30;
const MADE: u32 = 1 << 31;

/// The numbers of one factor by its registers.
#[derive(Default)]
pub(super) struct DescriptionTable(OnceLock<Box<[AtomicU32]>>);

impl fmt::Debug for DescriptionTable {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Table")
    }
}

impl DescriptionTable {
    /// The table of the factor; `None` if its registers are too long for one, or its numbers for an
    /// entry.
    pub(super) fn of(factor: &ElementFactor) -> Option<DescriptionTable> {
        let (register, number) = (&factor.register, &factor.to);
        let fits = register.width() <= MOST_BITS
            && !register.is_integer()
            && number.width <= SIGNIFICAND_BITS
            && exponent_width(number) <= EXPONENT_BITS;
        fits.then(DescriptionTable::default)
    }

    /// The number of the register.
    #[inline(always)]
    pub(super) fn number(&self, factor: &ElementFactor, register: &W64) -> ExactNumber<W64> {
        let entries = self.0.get_or_init(|| {
            let entries = 0..1usize << factor.register.width();
            entries.map(|_| AtomicU32::new(0)).collect()
        });
        let entry = &entries[register.to_u64() as usize];
        // Every thread would store the same entry.
        match entry.load(Ordering::Relaxed) {
            0 => {
                let number = factor.number(register);
                if let Some(packed) = packed(&number, factor) {
                    entry.store(packed, Ordering::Relaxed);
                }
                number
            }
            packed => unpacked(packed, factor),
        }
    }
}

/// The entry of a number; `None` if it has not the form of the factor.
fn packed(number: &ExactNumber<W64>, factor: &ElementFactor) -> Option<u32> {
    let is_plain = number.complement.is_none()
        && number.sticky.is_none()
        && number.significand.width() == factor.to.width
        && number.exponent.width() == exponent_width(&factor.to)
        && [number.signs.all, number.signs.any] == [number.special.sign; 2];
    let flags = [
        (number.special.sign, SIGN),
        (number.zero, ZERO),
        (number.special.nan, NAN),
        (number.special.infinite, INFINITE),
        (number.absent, ABSENT),
        (number.signs.zeros, NEGATIVE_ZERO),
    ];
    let flags = flags.iter().filter(|(holds, _)| *holds);
    let flags = flags.fold(MADE, |all, (_, flag)| all | flag);
    let digits = number.significand.to_u64() | number.exponent.to_u64() << SIGNIFICAND_BITS;
    is_plain.then_some(digits as u32 | flags)
}

#[inline(always)]
fn unpacked(packed: u32, factor: &ElementFactor) -> ExactNumber<W64> {
    let has = |flag: u32| packed & flag != 0;
    let field = |low: u32, bits: u32| u64::from(packed >> low & ((1 << bits) - 1));
    let sign = has(SIGN);
    ExactNumber {
        significand: W64::lit(factor.to.width, field(0, SIGNIFICAND_BITS)),
        exponent: W64::lit(
            exponent_width(&factor.to),
            field(SIGNIFICAND_BITS, EXPONENT_BITS),
        ),
        zero: has(ZERO),
        special: SpecialTerm {
            nan: has(NAN),
            infinite: has(INFINITE),
            sign,
        },
        absent: has(ABSENT),
        signs: Signs {
            all: sign,
            any: sign,
            zeros: has(NEGATIVE_ZERO),
        },
        complement: None,
        sticky: None,
    }
}
