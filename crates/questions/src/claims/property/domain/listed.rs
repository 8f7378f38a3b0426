//! All inputs of a domain, where there are few: the registers that each operand may have, and every
//! combination of them.

use super::Domain;
use super::code_set::CodeSet;
use super::equalities::opposite_of;
use super::operands::formats;
use mmasmt_core::batch::ColumnData;
use mmasmt_core::machines::algorithms::{Inputs, Operand, Signature};
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::float::Format;
use std::ops::{Range, RangeInclusive};

/// The most registers that are found one by one for all operands together.
const TRIES: u64 = 1 << 21;
/// The work of finding registers, counted as bytes of formula nodes.
const REGISTERS: u64 = 1 << 12;

/// All inputs of a domain.
#[derive(Clone, Debug)]
pub struct DomainInputs {
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
    /// All registers of a format with these signs and codes.
    Ranges(Format, Vec<(bool, RangeInclusive<u64>)>),
}

impl AdmittedCodes {
    fn len(&self) -> u64 {
        match self {
            AdmittedCodes::Each(registers) => registers.len() as u64,
            AdmittedCodes::Ranges(_, ranges) => ranges.iter().map(|(_, range)| length(range)).sum(),
        }
    }

    fn at(&self, mut index: u64) -> u64 {
        match self {
            AdmittedCodes::Each(registers) => registers[index as usize],
            AdmittedCodes::Ranges(format, ranges) => {
                for (negative, range) in ranges {
                    if index < length(range) {
                        return format.signed(*negative, range.start() + index);
                    }
                    index -= length(range);
                }
                0
            }
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
    pub fn listed(&self, most: u64, finite: bool) -> Option<DomainInputs> {
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
            let set = self.sets.get(operand);
            let registers = match finite {
                true => registers(&set.finite(), most / count, &mut tries)?,
                false => registers(set, most / count, &mut tries)?,
            };
            let stride = count;
            count = count.checked_mul(registers.len())?;
            if count == 0 || count > most {
                return None;
            }
            operands.push(Choices { registers, stride });
        }
        Some(DomainInputs {
            signature: self.signature,
            operands,
            count,
        })
    }
}

/// The registers of a set, those with other unread bits once; `None` if there are more than `most`.
fn registers(set: &CodeSet, most: u64, tries: &mut u64) -> Option<AdmittedCodes> {
    if let Some(ranges) = set.whole_ranges() {
        let registers = AdmittedCodes::Ranges(set.format, ranges);
        return (registers.len() <= most).then_some(registers);
    }
    let most = most.min(*tries) as usize;
    let known: Vec<u64> = set.iter().take(most + 1).collect();
    work(REGISTERS.max(8 * known.len() as u64));
    *tries -= known.len().min(most) as u64;
    (known.len() <= most).then_some(AdmittedCodes::Each(known))
}

impl DomainInputs {
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
        if let AdmittedCodes::Ranges(format, ranges) = &self.registers
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
