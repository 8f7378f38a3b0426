//! Finds out whether a domain is known to hold finite inputs. This is known if, for each operand, a
//! finite register is found that the domain admits.

use super::Domain;
use super::numbers::Numbers;
use super::parse::formats;
use mmasmt_core::numbers::float::Format;

impl Domain {
    /// Whether the domain is known to hold finite inputs. If this is not known, the domain may
    /// still hold some.
    pub fn has_finite_inputs(&self) -> bool {
        let mut operands = formats(&self.signature).into_iter().enumerate();
        operands.all(|(operand, format)| {
            let numbers = self.numbers(operand, &format);
            let mut registers = likely(&numbers, &format).into_iter();
            registers.any(|bits| format.is_finite(bits) && self.admits(operand, bits))
        })
    }
}

/// The registers that are tried for an operand: first the ends of the admitted ranges of codes,
/// then the powers of two between these ends.
fn likely(numbers: &Numbers, format: &Format) -> Vec<u64> {
    let ranges = numbers.finite_codes();
    let ends = ranges
        .iter()
        .flat_map(|(negative, range)| [*range.start(), *range.end()].map(|code| (*negative, code)));
    let mut codes: Vec<(bool, u64)> = ends.collect();
    // In an integer format, the domain admits every code between the ends, so that the ends
    // suffice.
    if !format.is_integer() {
        let fields = 0..=format.field_ones();
        let powers = fields.map(|field| field << format.fraction_bits);
        for code in powers {
            let within = ranges.iter().filter(|(_, range)| range.contains(&code));
            codes.extend(within.map(|(negative, _)| (*negative, code)));
        }
    }
    let registers = codes.into_iter();
    registers
        .map(|(negative, code)| format.signed(negative, code))
        .collect()
}
