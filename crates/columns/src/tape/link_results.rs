//! The values of a tape that are results of links: roundings to binary32, and choices after them that
//! change no result of a link. They make zeros of tiny results, which are zeros already, and one NaN of
//! all NaNs.

use super::instruction::{Code, Value};
use super::link_rule::LEAST_FIELD;
use super::lower::Tape;
use super::truths::Truths;
use rustc_hash::FxHashMap;

pub(super) const FIELD: u128 = 0x7f80_0000;
pub(super) const SIGN: u128 = 0x8000_0000;
const MAGNITUDE: u128 = 0x7fff_ffff;
const FRACTION_BITS: u32 = f32::MANTISSA_DIGITS - 1;

/// A rounding in a tape, and the value that is the result of its link.
#[derive(Clone, Copy)]
pub(super) struct RoundResult {
    pub(super) round: Value,
    pub(super) value: Value,
    /// True if the value is +0 for every number below the normal ones.
    pub(super) is_flushed: bool,
    /// The least exponent field of one unit of the rounded sum for which the choices change nothing.
    pub(super) least_unit: i64,
}

pub(super) struct LinkResults<'t> {
    tape: &'t Tape,
    /// The results, in the order of their roundings.
    pub(super) all: Vec<RoundResult>,
    /// For each rounding and for the value of each result: the place of the result.
    places: FxHashMap<Value, usize>,
    /// For each value, the result that it is, or else the value.
    origins: Vec<Value>,
}

impl<'t> LinkResults<'t> {
    /// The results in a tape of links; `None` if it rounds nothing.
    pub(super) fn of(tape: &'t Tape) -> Option<Self> {
        let values = 0..tape.instructions.len();
        let is_round = |value: &Value| matches!(tape.instructions[*value].code, Code::Round { .. });
        let rounds: Vec<Value> = values.clone().filter(is_round).collect();
        let last = &tape.instructions[*rounds.last()?];
        // A link gives up if the result of the one before is no finite number.
        let finite = rounds.iter().copied();
        let finite = finite.filter(|round| tape.instructions[*round].args != last.args);
        let truths = Truths::where_finite(tape, &finite.collect::<Vec<_>>());
        let result = |round: &Value| RoundResult {
            round: *round,
            value: *round,
            is_flushed: false,
            least_unit: LEAST_FIELD,
        };
        let places = rounds.iter().enumerate();
        let mut results = LinkResults {
            tape,
            all: rounds.iter().map(result).collect(),
            places: places.map(|(place, round)| (*round, place)).collect(),
            origins: Vec::new(),
        };
        let mut tests = Vec::new();
        for value in values {
            let resolved = truths.resolved(value);
            let origin = match resolved == value {
                true => results.chosen(value, &mut tests).unwrap_or(value),
                false => results.origins[resolved],
            };
            results.origins.push(origin);
        }
        let mut all = std::mem::take(&mut results.all);
        all.retain(|result| !tests.contains(&result.round));
        Some(LinkResults { all, ..results })
    }

    /// The result that the value is, or else the value.
    pub(super) fn origin(&self, value: Value) -> Value {
        self.origins[value]
    }

    /// The result that a choice is. `tests` gets another rounding that makes the choice.
    fn chosen(&mut self, value: Value, tests: &mut Vec<Value>) -> Option<Value> {
        let choice = &self.tape.instructions[value];
        let of = self.origins[*choice.args.last()?];
        let place = *self.places.get(&of)?;
        let RoundResult {
            round, is_flushed, ..
        } = self.all[place];
        let code = self.tape.instructions[round].code;
        if !matches!(code, Code::Round { is_cut: false, .. }) {
            return None;
        }
        let test = &self.tape.instructions[choice.args[0]];
        match (choice.code, &choice.args[..]) {
            // A nonzero result is a multiple of one unit, which is a normal number.
            (Code::ChooseThen, _) => {
                let is_test = test.code == Code::FieldEqual
                    && test.constants == [FIELD, 0]
                    && self.origins[test.args[0]] == of;
                if !is_test || choice.constants[0] != 0 {
                    return None;
                }
                if !is_flushed {
                    let result = &mut self.all[place];
                    (result.value, result.is_flushed) = (value, true);
                    self.places.insert(value, place);
                }
                Some(self.all[place].value)
            }
            (Code::Choose, &[_, zero, _]) if !is_flushed => {
                let (other, limit) = self.tiny_test(choice.args[0], zero)?;
                let least = self.least_above(round, other, limit)?;
                self.all[place].least_unit = self.all[place].least_unit.max(least);
                tests.push(other);
                Some(of)
            }
            _ => None,
        }
    }

    /// The number whose magnitude a test compares with a limit, if the other value is the zero with its
    /// sign.
    fn tiny_test(&self, test: Value, zero: Value) -> Option<(Value, u128)> {
        let [test, zero] = [test, zero].map(|value| &self.tape.instructions[value]);
        let magnitude = &self.tape.instructions[*test.args.first()?];
        let sign = &self.tape.instructions[*zero.args.first()?];
        let other = *magnitude.args.first()?;
        let is_test = test.code == Code::LessConst
            && magnitude.code == Code::Extract
            && (magnitude.shifts[0], magnitude.constants[0]) == (0, MAGNITUDE);
        let is_zero = (zero.code, zero.constants) == (Code::Select, [SIGN, 0])
            && (sign.code, sign.constants[0]) == (Code::Bit, SIGN)
            && sign.args == [other];
        (is_test && is_zero).then_some((other, test.constants[0]))
    }

    /// The least exponent field of one unit for which no nonzero sum, rounded in the same way but with
    /// another power of two, has a register below the limit.
    fn least_above(&self, round: Value, other: Value, limit: u128) -> Option<i64> {
        let [one, other] = [round, other].map(|value| &self.tape.instructions[value]);
        let is_alike = matches!(other.code, Code::Round { is_cut: false, .. })
            && (&one.args, one.constants, one.shifts[1])
                == (&other.args, other.constants, other.shifts[1])
            && limit <= FIELD;
        let field = limit.div_ceil(1 << FRACTION_BITS) as i64;
        let more = i64::from(other.shifts[0]) - i64::from(one.shifts[0]);
        is_alike.then_some((field.max(LEAST_FIELD) - more).max(LEAST_FIELD))
    }
}
