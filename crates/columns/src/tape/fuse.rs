//! Fusion: fewer instructions for the same results. Several tests of fields of a register, or of
//! truth values, become one operation.
//!
//! A tape is fused after [`split`](super::split), so that fusion does not join what the split has
//! separated.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Tape;

/// The most pairs of truth values in one operation: each pair has a bit in a constant of 128 bits.
const MOST_PAIRS: usize = 128;

/// The fewest pairs of truth values in one operation: smaller conjunctions stay as they are.
const LEAST_PAIRS: usize = 5;

/// A field of a value: the bits `x >> shift & mask`, where `x` is the value with the number `of`,
/// and `from` is the type of `x`.
#[derive(Clone, Copy)]
struct Field {
    of: Value,
    from: Type,
    shift: u32,
    mask: u128,
}

impl Field {
    /// The mask of the field, shifted to the field's place in the value.
    fn bits(self) -> u128 {
        self.mask << self.shift
    }
}

impl Tape {
    /// A tape with the same results and fewer instructions, whose program runs faster.
    pub fn fused(&self) -> Tape {
        let mut fusion = Fusion {
            instructions: self.instructions.clone(),
        };
        let values = 0..self.instructions.len();
        fusion.each(values.clone(), Fusion::fields);
        fusion.each(values, Fusion::pairs_of_fields);
        let tape = fusion.into_tape(self);
        let uses = tape.uses();
        let mut fusion = Fusion {
            instructions: tape.instructions.clone(),
        };
        let values = 0..tape.instructions.len();
        fusion.each(values.clone(), |fusion, value| {
            fusion.compared(value, &uses)
        });
        // The values are taken from the last to the first, so that a whole conjunction is fused
        // before its parts.
        fusion.each(values.clone().rev(), |fusion, value| {
            fusion.conjunctions(value, &uses)
        });
        fusion.each(values.clone(), |fusion, value| {
            fusion.conditional(value, &uses)
        });
        fusion.each(values, |fusion, value| fusion.maximum(value, &uses));
        fusion.into_tape(&tape)
    }

    /// For each value, how often instructions and results use it.
    fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; self.instructions.len()];
        let args = self.instructions.iter().flat_map(|one| &one.args);
        args.chain(&self.results)
            .for_each(|value| uses[*value] += 1);
        uses
    }
}

/// A truth value or its negation.
#[derive(Clone, Copy)]
struct Literal {
    truth: Value,
    is_negated: bool,
}

pub(super) struct Fusion {
    instructions: Vec<Instruction>,
}

impl Fusion {
    fn into_tape(self, of: &Tape) -> Tape {
        let whole = Tape {
            instructions: self.instructions,
            ..of.clone()
        };
        whole.without_dead()
    }

    /// Takes the values in order. If `better` gives another instruction for a value, this
    /// instruction replaces the old one.
    fn each(
        &mut self,
        values: impl Iterator<Item = Value>,
        better: impl Fn(&Fusion, Value) -> Option<Instruction>,
    ) {
        for value in values {
            if let Some(instruction) = better(self, value) {
                self.instructions[value] = instruction;
            }
        }
    }

    pub(super) fn at(&self, value: Value) -> &Instruction {
        &self.instructions[value]
    }

    /// If the value is a field of another value: that field. Otherwise `None`.
    fn field(&self, value: Value) -> Option<Field> {
        let Instruction { code, from, .. } = *self.at(value);
        let field = Field {
            of: *self.at(value).args.first()?,
            from,
            shift: self.at(value).shifts[0],
            mask: self.at(value).constants[0],
        };
        // The mask was cut to the narrower of the two types, but it may still reach beyond the bits
        // that the shift leaves. Such a field is not used.
        let whole = field.shift + field.mask.count_ones() <= from.bits();
        (code == Code::Extract && whole && from <= Type::U64).then_some(field)
    }

    /// If the value is the test whether a field equals a constant: the field, and the constant
    /// shifted to the field's place. Otherwise `None`.
    fn is_equal(&self, value: Value) -> Option<(Field, u128)> {
        let Instruction {
            code,
            from,
            ref args,
            constants: [k, l],
            ..
        } = *self.at(value);
        match code {
            Code::EqualConst => {
                let field = self.field(args[0])?;
                (k & !field.mask == 0).then_some((field, k << field.shift))
            }
            Code::FieldEqual => {
                let field = Field {
                    of: args[0],
                    from,
                    shift: 0,
                    mask: k,
                };
                Some((field, l))
            }
            _ => None,
        }
    }

    /// If the value is the test whether a field is zero: the field. Otherwise `None`.
    fn is_zero(&self, value: Value) -> Option<Field> {
        let (field, value) = self.is_equal(value)?;
        (value == 0).then_some(field)
    }

    /// One operation that replaces several operations on fields of one register: two comparisons,
    /// the test for a NaN, an exponent field that is raised to at least one, or a significand with
    /// its hidden bit. `None` if the value has none of these forms.
    fn fields(&self, value: Value) -> Option<Instruction> {
        let whole = self.at(value);
        let Instruction {
            code,
            to,
            constants: [k, l],
            ..
        } = *whole;
        match (code, &whole.args[..]) {
            (Code::All, &[one, other]) if k == 0 => {
                let [(one, k), (other, l)] = [self.is_equal(one)?, self.is_equal(other)?];
                let apart = one.bits() & other.bits() == 0;
                (one.of == other.of && apart).then(|| {
                    Instruction::new(Code::FieldEqual, to, &[one.of])
                        .from(one.from)
                        .constants(one.bits() | other.bits(), k | l)
                })
            }
            // The pattern of a NaN: all exponent bits are ones, and the bits below them are not all
            // zeros.
            (Code::All, &[one, other]) if [0xff, 0xff00].contains(&k) => {
                let [below, top] = if k == 0xff {
                    [one, other]
                } else {
                    [other, one]
                };
                let (below, (top, l)) = (self.is_zero(below)?, self.is_equal(top)?);
                let is_below = l != 0 && below.bits() >> l.trailing_zeros() == 0;
                (below.of == top.of && l == top.bits() && is_below).then(|| {
                    Instruction::new(Code::FieldMore, to, &[top.of])
                        .from(top.from)
                        .constants(below.bits() | l, l)
                })
            }
            (Code::ChooseThen, &[zero, number]) => {
                let (field, of) = (self.field(number)?, self.is_zero(zero)?);
                (of.of == field.of && of.bits() == field.bits()).then(|| {
                    Instruction::new(Code::ExtractOr, to, &[field.of])
                        .from(field.from)
                        .shifts(field.shift, 0)
                        .constants(field.mask, k)
                })
            }
            (Code::AddSelect, &[number, zero]) => {
                let (field, of) = (self.field(number)?, self.is_zero(zero)?);
                (of.of == field.of).then(|| {
                    Instruction::new(Code::ExtractAdd, to, &[field.of])
                        .from(field.from)
                        .shifts(field.shift, 0)
                        .constants(field.mask | of.bits() << 64, k | l << 64)
                })
            }
            _ => None,
        }
    }

    /// One instruction that replaces a test of one register and the same test of another register.
    /// It tests whether a bit is set in exactly one of the two registers, or whether a field is
    /// nonzero in both registers. `None` if the value has neither form.
    fn pairs_of_fields(&self, value: Value) -> Option<Instruction> {
        let whole = self.at(value);
        let &[one, other] = &whole.args[..] else {
            return None;
        };
        let (code, k) = match (whole.code, whole.constants[0]) {
            (Code::Xor, _) if whole.to == Type::U8 => {
                let bit = |value: Value| {
                    let Instruction { code, from, .. } = *self.at(value);
                    (code == Code::Bit).then_some((from, self.at(value).constants[0]))
                };
                let (one, other) = (bit(one)?, bit(other)?);
                (Code::BitOfXor, (one == other).then_some(one)?)
            }
            (Code::All, 0xffff) => {
                let zero = |value: Value| {
                    let field = self.is_zero(value)?;
                    Some((field.from, field.bits()))
                };
                let (one, other) = (zero(one)?, zero(other)?);
                (Code::BothBits, (one == other).then_some(one)?)
            }
            _ => return None,
        };
        let of = |value: Value| match self.field(self.at(value).args[0]) {
            Some(field) if self.at(value).code == Code::EqualConst => field.of,
            _ => self.at(value).args[0],
        };
        let args = [of(one), of(other)];
        let fused = Instruction::new(code, whole.to, &args);
        Some(fused.from(k.0).constant(k.1))
    }

    /// A comparison that replaces the comparison of a shifted field with a constant, and needs no
    /// shift. `None` if the value is no such comparison, or if the shifted field has another use.
    fn compared(&self, value: Value, uses: &[u32]) -> Option<Instruction> {
        let whole = self.at(value);
        let (field, l) = match whole.code {
            Code::EqualConst => self.is_equal(value)?,
            _ => return None,
        };
        (uses[whole.args[0]] == 1).then(|| {
            Instruction::new(Code::FieldEqual, whole.to, &[field.of])
                .from(field.from)
                .constants(field.bits(), l)
        })
    }

    /// One operation, [`Code::NoPair`], that replaces a conjunction of truth values and of negated
    /// conjunctions of two truth values. `None` if the value is no conjunction, or if the
    /// conjunction has too few or too many parts.
    fn conjunctions(&self, value: Value, uses: &[u32]) -> Option<Instruction> {
        let parts = |all: &Instruction| {
            let negations = all.constants[0].to_le_bytes();
            let parts = all.args.iter().zip(negations);
            let signed = parts.map(|(truth, byte)| Literal {
                truth: *truth,
                is_negated: byte != 0,
            });
            signed.collect::<Vec<_>>()
        };
        let is_all = |value: Value| self.at(value).code == Code::All;
        if !is_all(value) {
            return None;
        }
        // Pairs of literals. The conjunction holds if in no pair both literals hold.
        let mut pairs: Vec<[Literal; 2]> = Vec::new();
        let mut open = vec![value];
        while let Some(all) = open.pop() {
            for part in parts(self.at(all)) {
                let own = if is_all(part.truth) && uses[part.truth] == 1 {
                    parts(self.at(part.truth))
                } else {
                    Vec::new()
                };
                match (part.is_negated, &own[..]) {
                    (false, [_, ..]) => open.push(part.truth),
                    (true, &[one, other]) => pairs.push([one, other]),
                    // If a single literal must hold, both members of its pair are the opposite of
                    // this literal.
                    (is_negated, _) => {
                        let opposite = Literal {
                            is_negated: !is_negated,
                            ..part
                        };
                        pairs.push([opposite; 2]);
                    }
                }
            }
        }
        if !(LEAST_PAIRS..=MOST_PAIRS).contains(&pairs.len()) {
            return None;
        }
        let bits = |place: usize| {
            let bits = pairs.iter().enumerate();
            bits.map(|(index, pair)| u128::from(pair[place].is_negated) << index)
                .sum()
        };
        let args: Vec<Value> = pairs.iter().flatten().map(|one| one.truth).collect();
        let none = Instruction::new(Code::NoPair, Type::U8, &args);
        Some(none.constants(bits(0), bits(1)))
    }
}
