//! Finds out whether a domain is known to hold finite inputs, and whether it is known to have no
//! subnormal factors. That it holds inputs is known if, for each operand, a finite register is found
//! that the domain admits.

use super::Domain;
use super::numbers::Numbers;
use super::operands::formats;
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

    /// Whether the domain is known to admit no subnormal number as a factor. If this is not known,
    /// it may still admit none.
    pub fn has_no_subnormal_factors(&self) -> bool {
        let operands = formats(&self.signature).into_iter().enumerate();
        let mut factors = operands.take(2 * self.signature.products as usize);
        factors.all(|(operand, format)| {
            let numbers = self.numbers(operand, &format);
            let least = format.min_exponent();
            let least_normal = format.magnitude(format.register(least, 0, false));
            let is_least = |exponent: i64| exponent >= least.into();
            let mut ranges = numbers.finite_codes().into_iter();
            !format.has_subnormals()
                || numbers.range().least.is_some_and(is_least)
                || ranges.all(|(_, range)| *range.end() == 0 || *range.start() >= least_normal)
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
