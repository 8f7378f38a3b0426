//! All inputs of a domain, where there are few: the registers that each operand may have, and every
//! combination of them. The registers of a long format are known by their ranges.

use super::Domain;
use super::equalities::opposite_of;
use super::operands::formats;
use mmasmt_core::base::limits::work;
use mmasmt_core::columns::batch::ColumnData;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_core::numbers::float::Format;
use std::ops::{Range, RangeInclusive};

/// Formats of at most so many bits have their registers tried one by one.
const SHORT: u32 = 16;
/// The most bits of a format all of whose registers are listed.
const LONG: u32 = 32;
/// The most registers that are tried for all operands together.
const TRIES: u64 = 1 << 21;
/// The work of trying so many registers, counted as bytes of formula nodes.
const REGISTERS: u64 = 1 << 12;

/// All inputs of a domain.
#[derive(Clone, Debug)]
pub struct Listed {
    signature: Signature,
    operands: Vec<Choices>,
    count: u64,
}

/// The registers that an operand may have, and which of them it has in the input of a number:
/// `number / stride` modulo their number. Operands that are equal have one stride.
#[derive(Clone, Debug)]
struct Choices {
    registers: AdmittedCodes,
    stride: u64,
}

/// The registers that a domain admits for an operand.
#[derive(Clone, Debug)]
enum AdmittedCodes {
    /// Registers, one by one.
    Each(Vec<u64>),
    /// The finite numbers of a format with these signs and magnitudes.
    Finite(Format, Vec<(bool, RangeInclusive<u64>)>),
    /// All of a format with so many bits that are read, above so many that are not.
    All {
        /// Bits that are read.
        read: u32,
        /// Bits that are not.
        unread: u32,
    },
}

impl AdmittedCodes {
    fn len(&self) -> u64 {
        match self {
            AdmittedCodes::Each(registers) => registers.len() as u64,
            AdmittedCodes::Finite(_, ranges) => ranges.iter().map(|(_, range)| length(range)).sum(),
            AdmittedCodes::All { read, .. } => 1 << read,
        }
    }

    fn at(&self, mut index: u64) -> u64 {
        match self {
            AdmittedCodes::Each(registers) => registers[index as usize],
            AdmittedCodes::Finite(format, ranges) => {
                for (negative, range) in ranges {
                    if index < length(range) {
                        return format.signed(*negative, range.start() + index);
                    }
                    index -= length(range);
                }
                0
            }
            AdmittedCodes::All { unread, .. } => index << unread,
        }
    }

    /// The same with the opposite sign.
    fn opposite(&self, format: &Format) -> AdmittedCodes {
        let opposite = |register| opposite_of(format, register);
        AdmittedCodes::Each(
            (0..self.len())
                .map(|index| opposite(self.at(index)))
                .collect(),
        )
    }
}

fn length(range: &RangeInclusive<u64>) -> u64 {
    range.end() - range.start() + 1
}

impl Domain {
    /// All inputs of the domain, or the finite ones, if there are at most `most`; `None` if there are
    /// more or none, or if the registers of an operand are too many to be tried. Registers that differ
    /// only in bits that nothing reads are one.
    pub fn listed(&self, most: u64, finite: bool) -> Option<Listed> {
        let formats = formats(&self.signature);
        let mut operands: Vec<Choices> = Vec::with_capacity(formats.len());
        let (mut count, mut tries): (u64, u64) = (1, TRIES);
        for (operand, format) in formats.iter().enumerate() {
            if let Some(source) = self.equalities.source(operand) {
                let mut choices = operands.get(source.first)?.clone();
                if source.negated {
                    if choices.registers.len() > TRIES {
                        return None;
                    }
                    choices.registers = choices.registers.opposite(format);
                }
                operands.push(choices);
                continue;
            }
            let left = most / count;
            let registers = self.registers(operand, format, left, finite, &mut tries)?;
            let stride = count;
            count = count.checked_mul(registers.len())?;
            if count == 0 || count > most {
                return None;
            }
            operands.push(Choices { registers, stride });
        }
        Some(Listed {
            signature: self.signature,
            operands,
            count,
        })
    }

    /// The registers that the domain admits for an operand, those with other unread bits once; `None`
    /// if there are clearly more than `most`.
    fn registers(
        &self,
        operand: usize,
        format: &Format,
        most: u64,
        finite: bool,
        tries: &mut u64,
    ) -> Option<AdmittedCodes> {
        let unread = format.unread_bits();
        let numbers = self.numbers(operand, format).finite_codes();
        let codes = || numbers.iter().map(|(_, range)| range.end() - range.start());
        let sum = codes().fold(0u64, |sum, more| sum.saturating_add(more).saturating_add(1));
        // Between these codes all are admitted.
        let has_all = !self.has_gaps() && self.numbers(operand, format).range().cleared_bits == 0;
        if has_all && sum > most {
            return None;
        }
        let read = format.width() - unread;
        let mut clauses = self.clauses_of(operand);
        let is_finite = finite
            || !format.has_infinity() && !format.has_nan()
            || clauses.any(|(clause, number)| clause.predicate.is_finite(format, number));
        let tried: Vec<u64> = if is_finite && sum <= 1 << SHORT {
            let registers = numbers.iter().flat_map(|(negative, range)| {
                let codes = range.clone();
                codes.map(|code| format.signed(*negative, code))
            });
            registers.collect()
        } else if is_finite && has_all {
            return Some(AdmittedCodes::Finite(*format, numbers));
        } else if !finite && read <= LONG && self.clauses_of(operand).next().is_none() {
            return Some(AdmittedCodes::All { read, unread });
        } else if read <= SHORT {
            (0..1 << read).map(|bits| bits << unread).collect()
        } else {
            return None;
        };
        *tries = tries.checked_sub(tried.len() as u64)?;
        work(REGISTERS.max(8 * tried.len() as u64));
        let mut known: Vec<u64> = Vec::new();
        for register in tried {
            // A value that is assumed may have bits that nothing reads.
            let choices = [register, self.brought(operand, register)];
            let admitted = choices
                .into_iter()
                .find(|register| self.admits(operand, *register));
            let Some(register) = admitted else { continue };
            if finite && !format.is_finite(register) {
                continue;
            }
            known.push(register);
        }
        known.sort_unstable();
        known.dedup_by_key(|register| format.read_bits(*register));
        Some(AdmittedCodes::Each(known))
    }
}

impl Listed {
    /// The number of inputs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The input of a number below [`count`](Self::count).
    pub fn input(&self, number: u64) -> Inputs {
        let mut operands = self.operands.iter();
        Inputs::zero(&self.signature).map(&self.signature, |_, _| {
            operands.next().map_or(0, |choices| choices.of(number))
        })
    }

    /// Appends the registers of one operand in the inputs of these numbers to `column`.
    pub fn fill(
        &self,
        operand: Operand,
        place: usize,
        numbers: Range<u64>,
        column: &mut ColumnData,
    ) {
        let before = self.signature.rows();
        let before = before.take_while(|row| row.operand != operand);
        let number = before.map(|row| row.length).sum::<usize>() + place;
        match self.operands.get(number) {
            Some(choices) => choices.fill(numbers, column),
            None => column.extend(numbers.map(|_| 0)),
        }
    }
}

impl Choices {
    fn fill(&self, numbers: Range<u64>, column: &mut ColumnData) {
        // The ranges of an operand that changes with each input are written one after the other.
        if let AdmittedCodes::Finite(format, ranges) = &self.registers
            && self.stride == 1
            && numbers.end <= self.registers.len()
        {
            let mut before = 0;
            for (negative, range) in ranges {
                let all = before..before + length(range);
                let [first, end] = [numbers.start, numbers.end]
                    .map(|number| range.start() + number.clamp(all.start, all.end) - all.start);
                column.extend((first..end).map(|code| format.signed(*negative, code)));
                before = all.end;
            }
            return;
        }
        column.extend(numbers.map(|input| self.of(input)));
    }

    fn of(&self, input: u64) -> u64 {
        self.registers
            .at(input / self.stride % self.registers.len())
    }
}
