//! Truth values of a tape that are known where some of its numbers of binary32 are finite, and the
//! choices that they make.

use super::element::Type;
use super::instruction::{Code, Value};
use super::lower::Tape;

/// The exponent field of infinities and NaNs.
const SPECIAL: u128 = 0x7f80_0000;
/// The mask of a register's bits without the sign.
const MAGNITUDE: u128 = 0x7fff_ffff;

pub(super) struct Truths<'t> {
    tape: &'t Tape,
    /// For each value, whether it holds, if that is known.
    known: Vec<Option<bool>>,
}

impl<'t> Truths<'t> {
    /// The truth values where these values, in ascending order, are registers of finite numbers.
    pub(super) fn where_finite(tape: &'t Tape, finite: &[Value]) -> Self {
        let mut known: Vec<Option<bool>> = Vec::new();
        for instruction in &tape.instructions {
            let args = &instruction.args[..];
            let [k, l] = instruction.constants;
            let finite = Numbers {
                tape,
                known: &known,
                finite,
            };
            // The truth value of an operand, negated if this byte is ff.
            let part = |place: usize, byte: u8| known[args[place]].map(|truth| truth ^ (byte != 0));
            let bytes = k.to_le_bytes();
            known.push(match instruction.code {
                Code::FieldEqual if [k, l] == [MAGNITUDE, SPECIAL] => {
                    finite.is_finite(args[0]).then_some(false)
                }
                Code::FieldMore if [k, l] == [MAGNITUDE, SPECIAL] => {
                    finite.is_number(args[0]).then_some(false)
                }
                Code::MoreConst if k == SPECIAL => {
                    let of = &tape.instructions[args[0]];
                    let is_magnitude = of.code == Code::Extract
                        && [of.from, of.to] == [Type::U32; 2]
                        && (of.shifts[0], of.constants[0]) == (0, MAGNITUDE);
                    (is_magnitude && finite.is_number(of.args[0])).then_some(false)
                }
                Code::All => {
                    let parts = (0..args.len()).map(|place| part(place, bytes[place]));
                    let parts: Vec<_> = parts.collect();
                    match parts.contains(&Some(false)) {
                        true => Some(false),
                        false => parts.iter().all(Option::is_some).then_some(true),
                    }
                }
                Code::ChooseTruth => match part(0, 0) {
                    Some(true) => part(1, bytes[1]),
                    Some(false) => part(2, bytes[2]),
                    None => None,
                },
                _ => None,
            });
        }
        Truths { tape, known }
    }

    /// The value that a choice gives, if the truth value that makes the choice is known; else the
    /// value itself.
    pub(super) fn resolved(&self, value: Value) -> Value {
        resolved(self.tape, &self.known, value)
    }
}

/// Which values are registers of finite numbers, where some truth values are known.
struct Numbers<'t> {
    tape: &'t Tape,
    known: &'t [Option<bool>],
    finite: &'t [Value],
}

impl Numbers<'_> {
    fn is_finite(&self, value: Value) -> bool {
        self.are_all(value, |value| self.finite.binary_search(&value).is_ok())
    }

    /// True if the value is no NaN. A rounding gives none.
    fn is_number(&self, value: Value) -> bool {
        let is_round =
            |value: Value| matches!(self.tape.instructions[value].code, Code::Round { .. });
        self.are_all(value, |value| {
            is_round(value) || self.finite.binary_search(&value).is_ok()
        })
    }

    /// True if all registers that choices may give are of finite constants or such values.
    fn are_all(&self, value: Value, is_such: impl Fn(Value) -> bool) -> bool {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            let value = resolved(self.tape, self.known, value);
            let of = &self.tape.instructions[value];
            let are_small = |count: usize| {
                let mut constants = of.constants[..count].iter();
                constants.all(|constant| constant & MAGNITUDE < SPECIAL)
            };
            match of.code {
                _ if is_such(value) => {}
                Code::Choose => open.extend(&of.args[1..]),
                Code::ChooseThen | Code::ChooseElse if are_small(1) => open.push(of.args[1]),
                Code::Select if are_small(2) => {}
                _ => return false,
            }
        }
        true
    }
}

fn resolved(tape: &Tape, known: &[Option<bool>], value: Value) -> Value {
    let instruction = &tape.instructions[value];
    let first = instruction.args.first();
    let holds = first.and_then(|first| known[*first]);
    match (instruction.code, &instruction.args[..], holds) {
        (Code::Choose, &[_, chosen, _], Some(true))
        | (Code::Choose, &[_, _, chosen], Some(false))
        | (Code::ChooseElse, &[_, chosen], Some(true))
        | (Code::ChooseThen, &[_, chosen], Some(false)) => resolved(tape, known, chosen),
        _ => value,
    }
}
