//! A description with all names, numbers and loops resolved: a list of steps, each of
//! which makes one value from earlier ones. Everything here is known before any operand is.

use crate::machines::algorithms::{FlushedResults, Operand, Signature};
use mmasmt_numbers::float::{FlushedZero, Format, NanCode, Overflow, Rounding, unsigned_width};

/// The number of a step, and of the value that it makes.
pub type Slot = u32;

/// A list of steps, with the kind of value that each makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The operands and the result.
    pub signature: Signature,
    /// The steps, each after those whose values it takes.
    pub nodes: Vec<ProgramNode>,
    /// The register of the result.
    pub result: Slot,
}

/// A step: a node of the graph of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramNode {
    /// The name that its value has in the description.
    pub name: &'static str,
    /// The number of its value among those of the name.
    pub index: Option<usize>,
    /// The operation of the step.
    pub action: Action,
    /// The kind of its value.
    pub kind: ValueKind,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A register of a format.
    Register(Format),
    /// A number that was not rounded.
    Number(Extent),
}

/// The form of a number that was not rounded:
/// `(-1)^sign * significand * 2^(exponent - fraction)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The width of the significand.
    pub width: u32,
    /// The number of fraction bits of the significand; negative if its last place is above 1.
    pub fraction: i64,
    /// The least exponent.
    pub lowest: i64,
    /// The greatest exponent.
    pub highest: i64,
}

impl Extent {
    /// The form of the numbers of a format.
    pub fn of_format(format: &Format) -> Extent {
        if format.is_integer() {
            return Extent {
                width: format.precision(),
                fraction: 0,
                lowest: 0,
                highest: 0,
            };
        }
        Extent {
            width: format.precision(),
            fraction: format.fraction_bits.into(),
            lowest: format.min_exponent().into(),
            highest: i64::from((1i32 << format.exponent_bits) - 1 - format.bias()),
        }
    }

    /// The form of the exact product of numbers of two forms.
    #[must_use]
    pub fn times(&self, other: &Extent) -> Extent {
        Extent {
            width: self.width + other.width,
            fraction: self.fraction + other.fraction,
            lowest: self.lowest + other.lowest,
            highest: self.highest + other.highest,
        }
    }

    /// True for integers: in fixed point, without a fraction.
    pub fn is_integer(&self) -> bool {
        (self.fraction, self.lowest, self.highest) == (0, 0, 0)
    }

    /// The number of bits of the significand from the place of 1 on.
    pub fn integer_bits(&self) -> i64 {
        i64::from(self.width) - self.fraction
    }
}

/// The operation of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads a register.
    Operand(Operand, usize),
    /// The register with this code.
    Constant(u64),
    /// A subnormal register becomes zero.
    Flush(Slot, FlushedZero),
    /// A negative register becomes +0; a NaN stays. Conversions and compositions have this step.
    Positive(Slot),
    /// The greatest magnitude of registers, with a plus sign: a NaN where one of them is a NaN. Conversions alone have this
    /// step and the next two.
    Greatest(Vec<Slot>),
    /// The reciprocal of a scale of `ue8m0`; a NaN stays.
    Inverse(Slot),
    /// A number times `2^exponent`.
    Scaled {
        /// The number.
        of: Slot,
        /// The exponent.
        exponent: i64,
    },
    /// A register becomes a number.
    Term(TermStep),
    /// The exact product of two numbers.
    Product([Slot; 2]),
    /// The number 1 where two registers of one bit differ, else 0.
    Differ([Slot; 2]),
    /// The highest bit of the significand becomes the leading one.
    Normalise(Slot),
    /// `bits` bits of a significand, of which the lowest is bit `low`.
    Part {
        /// The number.
        of: Slot,
        /// The lowest bit.
        low: u32,
        /// The number of bits.
        bits: u32,
        /// The rounding of what lies below.
        by: Rounding,
    },
    /// A number of at least `2^exponent` becomes infinite.
    Cap {
        /// The number.
        of: Slot,
        /// The exponent.
        exponent: i64,
    },
    /// A number whose exponent is less than `exponent` becomes zero.
    Drop {
        /// The number.
        of: Slot,
        /// The exponent.
        exponent: i64,
    },
    /// Minus one in the last place becomes `-2^bits` there.
    Miscount {
        /// The number.
        of: Slot,
        /// The exponent of the power of two, in last places.
        bits: u32,
    },
    /// The exact sum, in fixed point.
    Sum {
        /// The terms.
        terms: Vec<Slot>,
        /// When the sum has no exponent.
        zeros: SumZeros,
    },
    /// A fused sum.
    Fuse(Fuse),
    /// Fewer significant bits.
    Cut(Cut),
    /// The number `of`, with the infinities and NaNs of others, which come before its own.
    Special {
        /// The number.
        of: Slot,
        /// The others.
        from: Vec<Slot>,
    },
    /// A register from a number, or from an operation of IEEE 754.
    Round(Round),
    /// The register `of`, or another one where a value of `from` is a NaN.
    Replace {
        /// The register.
        of: Slot,
        /// Registers and numbers.
        from: Vec<Slot>,
        /// The other register.
        register: u64,
    },
}

/// The number of a register, or a number that is compared by another exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermStep {
    /// The register or the number.
    pub of: Slot,
    /// The exponent of zero.
    pub zeros: Zeros,
    /// Whether a subnormal number has the exponent of its leading bit.
    pub widen: bool,
    /// A number that is added to the exponent; the value stays the same.
    pub shift: i64,
    /// The zeros below the significand.
    pub room: u32,
    /// The codes of infinities and NaNs.
    pub specials: Specials,
    /// True if a subnormal register is read as a zero of its sign. Elaboration makes steps of their own
    /// for that; a program for the result alone has it here.
    pub flushed: bool,
    /// True if the significand is shifted by the exponent, so that all numbers have one exponent. A program
    /// for the result alone has it.
    pub fixed: bool,
}

impl TermStep {
    /// The number of a register, with the defaults of all options.
    pub fn plain(of: Slot) -> TermStep {
        TermStep {
            of,
            zeros: Zeros::None,
            widen: false,
            shift: 0,
            room: 0,
            specials: Specials::Format,
            flushed: false,
            fixed: false,
        }
    }
}

/// The codes of infinities and NaNs in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Specials {
    /// Those of the format.
    Format,
    /// None: every code is a finite number.
    None,
}

impl Specials {
    /// The format whose codes mean what they mean here.
    pub fn of(self, format: &Format) -> Format {
        match self {
            Specials::Format => *format,
            Specials::None => format.without_specials(),
        }
    }
}

/// The exponent of a zero in the search for the greatest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// None: it takes no part.
    None,
    /// The exponent of its field, which is that of subnormal numbers.
    Field,
    /// This exponent.
    At(i64),
}

/// When an exact sum takes no part in the search for the greatest exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumZeros {
    /// When it is zero.
    None,
    /// When no term takes part.
    Terms,
    /// Never.
    Field,
}

/// A term of a fused sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FusedTerm {
    /// The number.
    pub of: Slot,
    /// Fraction bits that it keeps below the greatest exponent.
    pub keep: u32,
    /// Its rounding.
    pub by: Rounding,
    /// The distance from the greatest exponent beyond which it is cut toward zero.
    pub far: Option<u32>,
    /// The fraction bits to which it is rounded once more.
    pub again: Option<u32>,
    /// The exponent of the last place beyond which a term of less than one last place is zero, whatever its rounding.
    pub vanish: Option<i64>,
    /// Whether it has the least exponent of the sum wherever it takes no part. A program for the result alone has
    /// that.
    pub is_least_if_absent: bool,
}

impl FusedTerm {
    /// The fraction bits that stay in the end.
    pub fn kept(&self) -> u32 {
        self.again.unwrap_or(self.keep)
    }
}

/// The form of negative terms of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NegativeForm {
    /// Two's complement.
    Twos,
    /// One's complement: one less in the last place.
    Ones,
    /// One's complement, except that zeros stay.
    OnesOfNonzero,
    /// One's complement of terms that have another sign than the last one, as magnitudes are added beside that one.
    AgainstLast,
}

/// Treatment of a sum that its bits do not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumOverflow {
    /// The low bits of the sum are kept.
    Wrap,
    /// The nearest integer that they hold (`.satfinite`, `clamp`, VPDPBUSDS).
    Saturate,
}

/// A fused sum: terms are aligned to their greatest exponent, cut, and summed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fuse {
    /// The terms.
    pub terms: Vec<FusedTerm>,
    /// A lower limit of the exponent.
    pub least: Option<i64>,
    /// The width of the sum, if it does not keep all bits, and what becomes of greater sums.
    pub width: Option<(u32, SumOverflow)>,
    /// Whether a bit below the sum says that alignment lost something.
    pub sticky: bool,
    /// The form of negative terms.
    pub negate: NegativeForm,
}

impl Fuse {
    /// The fraction bits with which a sum of terms of these forms cuts nothing.
    pub fn all_bits(terms: &[Extent]) -> u32 {
        let highest = terms.iter().map(|own| own.highest).max().unwrap_or(0);
        let places = terms.iter().map(|own| highest - own.lowest + own.fraction);
        places.max().unwrap_or(0).max(0) as u32
    }

    /// The least exponent of terms of these forms.
    pub fn lowest(&self, terms: &[Extent]) -> i64 {
        terms.iter().map(|own| own.lowest).min().unwrap_or(0)
    }

    /// The form of the sum of terms of these forms.
    pub fn extent(&self, terms: &[Extent]) -> Extent {
        let least = self.least.unwrap_or(i64::MIN);
        let integers = terms
            .iter()
            .map(Extent::integer_bits)
            .max()
            .unwrap_or(1)
            .max(1);
        let carries = i64::from(unsigned_width(terms.len().saturating_sub(1) as u64));
        // Rounding up at alignment may reach the next power of two; a complement adds to a term.
        let plain =
            |term: &FusedTerm| matches!(term.by, Rounding::Rz | Rounding::Rd | Rounding::Odd);
        let grows = !self.terms.iter().all(plain) || self.negate != NegativeForm::Twos;
        let carries = carries + i64::from(grows);
        let fraction = i64::from(self.fraction());
        let width = match self.width {
            Some((width, _)) => i64::from(width),
            None => integers + carries + fraction,
        };
        let lowest = self.lowest(terms);
        let highest = terms.iter().map(|one| one.highest).max().unwrap_or(0);
        Extent {
            width: width.clamp(1, 1 << 20) as u32,
            fraction,
            // Without a term that takes part, the exponent is the least of any term.
            lowest: lowest.max(least),
            highest: highest.max(least),
        }
    }

    /// Fraction bits of the sum.
    pub fn fraction(&self) -> u32 {
        self.terms.iter().map(|term| term.keep).max().unwrap_or(0)
    }
}

/// A number with fewer significant bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The number.
    pub of: Slot,
    /// The significant bits that stay.
    pub bits: u32,
    /// Its rounding.
    pub by: Rounding,
    /// The exponent of the highest bit that stays is at least this.
    pub least: Option<i64>,
}

/// A register, rounded once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The operand of the rounding.
    pub of: RoundSource,
    /// The rounding.
    pub by: Rounding,
    /// The fraction bits of the result; the others are zero.
    pub fraction: u32,
    /// Results below the normal numbers.
    pub tiny: FlushedResults,
    /// Results beyond the greatest number.
    pub overflow: Overflow,
    /// Integers beyond those of the format.
    pub integers: Integers,
    /// The sign of a result of zero.
    pub zero: ZeroSign,
    /// The code of a NaN.
    pub nan: Nan,
    /// The codes of infinities and NaNs.
    pub specials: Specials,
    /// The register with the random bits of a stochastic rounding, if they are an operand. Conversions have it.
    pub random: Option<Slot>,
    /// The register whose NaN decides the code of the result's, and how. Conversions have it.
    pub kept_nan: Option<(Slot, KeptNan)>,
}

/// The code that a NaN becomes in another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeptNan {
    /// A quiet NaN with the sign and the high bits of the payload.
    Payload,
    /// This NaN with the sign.
    Sign(NanCode),
    /// In a format without NaNs a zero of the opposite sign.
    OppositeZero,
}

/// The result where an integer format does not have the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integers {
    /// The sum modulo `2^width`.
    Wrap,
    /// The end of the format.
    Saturate,
    /// The greatest magnitude that the format has of both signs.
    Symmetric,
}

/// The operand of a rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundSource {
    /// A number.
    Number(Slot),
    /// A register of another format.
    Register(Slot),
    /// The product of two registers.
    Multiply([Slot; 2]),
    /// The sum of two registers.
    Add([Slot; 2]),
    /// The product of two registers, and a third one.
    Fma([Slot; 3]),
}

/// The sign of a result of zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZeroSign {
    /// The rule of IEEE 754 §6.3, applied to all terms.
    Ieee,
    /// Plus.
    Plus,
    /// Minus where every term is -0, else plus.
    Shared,
    /// Plus for a sum of zero; a sum that is rounded to zero keeps its sign.
    Total,
}

/// The NaN of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nan {
    /// A code.
    Code(NanCode),
    /// The first NaN among these registers, made quiet; else a register.
    First(Vec<Slot>, u64),
}

impl Action {
    /// Calls `visit` for each value that the step takes.
    pub fn each_slot(&self, mut visit: impl FnMut(Slot)) {
        self.clone().each_slot_mut(|slot| visit(*slot));
    }

    /// Calls `visit` for the number of each value that the step takes.
    pub fn each_slot_mut(&mut self, mut visit: impl FnMut(&mut Slot)) {
        match self {
            Action::Operand(..) | Action::Constant(_) => {}
            Action::Flush(of, _) | Action::Positive(of) | Action::Normalise(of) => visit(of),
            Action::Part { of, .. } | Action::Cap { of, .. } => visit(of),
            Action::Drop { of, .. } | Action::Miscount { of, .. } => visit(of),
            Action::Inverse(of) | Action::Scaled { of, .. } => visit(of),
            Action::Greatest(terms) => terms.iter_mut().for_each(visit),
            Action::Term(term) => visit(&mut term.of),
            Action::Cut(cut) => visit(&mut cut.of),
            Action::Product(pair) | Action::Differ(pair) => pair.iter_mut().for_each(visit),
            Action::Sum { terms, .. } => terms.iter_mut().for_each(visit),
            Action::Fuse(fuse) => fuse.terms.iter_mut().for_each(|term| visit(&mut term.of)),
            Action::Special { of, from } | Action::Replace { of, from, .. } => {
                [of].into_iter().chain(from).for_each(visit);
            }
            Action::Round(round) => {
                match &mut round.of {
                    RoundSource::Number(slot) | RoundSource::Register(slot) => visit(slot),
                    RoundSource::Multiply(slots) | RoundSource::Add(slots) => {
                        slots.iter_mut().for_each(&mut visit);
                    }
                    RoundSource::Fma(slots) => slots.iter_mut().for_each(&mut visit),
                }
                if let Nan::First(slots, _) = &mut round.nan {
                    slots.iter_mut().for_each(&mut visit);
                }
                round.random.iter_mut().for_each(&mut visit);
                round.kept_nan.iter_mut().for_each(|(slot, _)| visit(slot));
            }
        }
    }
}

impl Program {
    /// For each value, the last step that takes it, or its own step if none does; the result is taken
    /// after all steps.
    pub fn last_uses(&self) -> Vec<Slot> {
        let mut last: Vec<Slot> = (0..self.nodes.len() as Slot).collect();
        for (number, node) in self.nodes.iter().enumerate() {
            node.action
                .each_slot(|slot| last[slot as usize] = number as Slot);
        }
        last[self.result as usize] = Slot::MAX;
        last
    }

    /// The kind of a value.
    pub fn kind(&self, slot: Slot) -> ValueKind {
        self.nodes[slot as usize].kind
    }

    /// The form of a number. Elaboration gives numbers alone to steps that take numbers.
    pub fn extent(&self, slot: Slot) -> Extent {
        match self.kind(slot) {
            ValueKind::Number(extent) => extent,
            ValueKind::Register(format) => Extent {
                width: format.precision(),
                fraction: format.fraction_bits.into(),
                lowest: format.min_exponent().into(),
                highest: format.min_exponent().into(),
            },
        }
    }

    /// The format of a register.
    pub fn format(&self, slot: Slot) -> Option<Format> {
        match self.kind(slot) {
            ValueKind::Register(format) => Some(format),
            ValueKind::Number(_) => None,
        }
    }

    /// The code of a NaN result.
    pub fn nan(&self) -> NanCode {
        match &self.nodes[self.result as usize].action {
            Action::Round(Round {
                nan: Nan::Code(code),
                ..
            }) => *code,
            _ => NanCode::Quiet,
        }
    }

    /// Whether a step multiplies, or compares bits as products of bits do.
    pub fn multiplies(&self) -> bool {
        self.nodes.iter().any(|node| match &node.action {
            Action::Product(_) | Action::Differ(_) => true,
            Action::Round(round) => {
                matches!(round.of, RoundSource::Multiply(_) | RoundSource::Fma(_))
            }
            _ => false,
        })
    }

    /// Whether the result depends on `c`.
    pub fn reads_c(&self) -> bool {
        self.nodes
            .iter()
            .any(|node| matches!(node.action, Action::Operand(Operand::C, _)))
    }
}
