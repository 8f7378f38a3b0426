//! A link of a chain as one operation: the instructions of a tape that find the greatest exponent of
//! the products and of `c`, align and sum them, and round the sum to binary32.
//!
//! A link is recognised in the tape of the rest of a product of matrices, and computes what these
//! instructions compute where every power of two is a normal number of binary32; elsewhere, and for
//! infinities and NaNs, it gives up, and the tape itself has to run.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::lower::Tape;
use super::truths::Truths;

/// The exponent fields that the least and the greatest power of two of a link may have.
const LEAST_FIELD: i64 = 1;
const MOST_FIELD: i64 = 254;
/// The bias of binary32.
const BIAS: i64 = 127;
/// What an exponent field of binary64 exceeds that of binary32 by.
const FIELDS_APART: i64 = 1023 - BIAS;
/// The mask of a register's bits without the sign.
const MAGNITUDE: u128 = 0x7fff_ffff;
/// The bits of binary64 that binary32 lacks.
const DROPPED_BITS: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;

/// A link: its columns, and the constants of its operation.
#[derive(Clone, Debug)]
pub struct Link {
    /// The type of exponents.
    pub(super) of: Type,
    /// The exponents whose greatest sum is looked for: the inputs of the left and the right side.
    pub(super) exponents: Vec<[usize; 2]>,
    /// The factors of the products, likewise, in groups whose sums fit 32 bits.
    pub(super) products: Vec<Vec<[usize; 2]>>,
    pub(super) rule: Rule,
}

/// The constants of a link. Exponents are those of the field of `c`; a number "below" an exponent is
/// how far another one is below `most`, in the place of an exponent of `f32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    /// The greatest sum of exponents that counts for no product.
    pub(super) none: u32,
    /// A greatest sum that exceeds the first number counts, as its sum with the second number.
    pub(super) counted: [u32; 2],
    /// The greatest exponent that a link may have.
    pub(super) most: u32,
    /// How far below it the least one is.
    pub(super) span: u32,
    /// The register of the power of two that aligns products, of an exponent that is 0 below.
    pub(super) power: u32,
    /// The register of the power of two that aligns `c`.
    pub(super) own_power: u32,
    /// The register of the power of two that multiplies the rounded sum.
    pub(super) scale: u32,
    /// Whether the sum is rounded to nearest; it is cut otherwise.
    pub(super) is_nearest: bool,
    /// The bits that are kept of a sum that is cut.
    pub(super) kept: u32,
}

/// The greatest exponent in a link, and what is known of it.
struct Top {
    /// The instruction that makes it.
    value: Value,
    /// The greatest sum of pairs.
    pairs: Value,
    /// The exponent is this number plus the exponent field of `c`, if `c` is normal and has the
    /// greatest exponent.
    offset: i64,
    /// The greatest exponent where no product counts and `c` is zero or subnormal.
    of_small: i64,
}

impl Link {
    /// The links that a tape consists of, each of which takes the result of the one before in place
    /// of `c`; `None` if the tape does anything else. `c` is the number of an input; inputs from
    /// `first` on are values of the sides, the first `lefts` of them of the left side.
    pub fn all(tape: &Tape, c: usize, [first, lefts]: [usize; 2]) -> Option<Vec<Link>> {
        let values = 0..tape.instructions.len();
        let is_round = |value: &Value| matches!(tape.instructions[*value].code, Code::Round { .. });
        let rounds: Vec<Value> = values.filter(is_round).collect();
        let [result] = tape.results[..] else {
            return None;
        };
        // A link gives up if the result of the one before is no finite number.
        let truths = Truths::where_finite(tape, &rounds);
        if truths.resolved(result) != *rounds.last()? {
            return None;
        }
        let finder = Finder { tape, first, lefts };
        let mut register = finder.input(c)?;
        let mut links = Vec::new();
        for round in rounds {
            links.push(finder.link(round, register)?);
            register = round;
        }
        Some(links)
    }
}

struct Finder<'t> {
    tape: &'t Tape,
    first: usize,
    lefts: usize,
}

impl Finder<'_> {
    fn at(&self, value: Value) -> &Instruction {
        &self.tape.instructions[value]
    }

    /// The value of an input of the tape.
    fn input(&self, number: usize) -> Option<Value> {
        let is_it = |one: &Instruction| {
            one.code == Code::Input && one.constants[0] == number as u128 && one.to == Type::U32
        };
        self.tape.instructions.iter().position(is_it)
    }

    /// The value that conversions to wider types and constants were applied to, and the sum of these
    /// constants.
    fn shifted(&self, value: Value) -> (Value, i64) {
        let one = self.at(value);
        match one.code {
            Code::Convert if one.from <= one.to => self.shifted(one.args[0]),
            Code::Scale if one.shifts[0] == 0 => {
                let (value, sum) = self.shifted(one.args[0]);
                (value, sum + signed(one.constants[0], one.to))
            }
            _ => (value, 0),
        }
    }

    /// The link whose result is `round` and whose `c` is `register`.
    fn link(&self, round: Value, register: Value) -> Option<Link> {
        let last = self.at(round);
        let is_whole = matches!(last.code, Code::Round { is_cut: false, .. });
        let (exponent, parts) = last.args.split_first()?;
        let mut terms = Vec::new();
        parts.iter().for_each(|part| self.terms(*part, &mut terms));
        let (own, sums): (Vec<Value>, Vec<Value>) =
            (terms.into_iter()).partition(|term| self.at(*term).code == Code::RealPart);
        let (value, offset) = self.shifted(*exponent);
        let top = self.top(value, register)?;
        let [own] = own[..] else {
            return None;
        };
        let own = self.at(own);
        let aligned = *self.at(*sums.first()?).args.first()?;
        let power = self.at(aligned);
        let is_top = |value: Value| self.shifted(value) == (top.value, 0);
        let is_sum = |value: &Value| {
            self.at(*value).code == Code::SumOfReals && self.at(*value).args[0] == aligned
        };
        let is_alike = power.code == Code::Power
            && is_top(power.args[0])
            && own.args[0] == register
            && is_top(own.args[1])
            && sums.iter().all(is_sum);
        if !is_whole || !is_alike {
            return None;
        }
        let pairs = self.at(top.pairs);
        let fields = Fields {
            power: power.constants[0] as i64 - top.offset,
            own_power: i64::from(own.constants[0] as i32) + BIAS - top.offset,
            scale: i64::from(last.shifts[0]) - FIELDS_APART + offset + top.offset,
        };
        let products = sums.iter().map(|sum| self.pairs(&self.at(*sum).args[1..]));
        Some(Link {
            of: pairs.to,
            exponents: self.pairs(&pairs.args)?,
            products: products.collect::<Option<_>>()?,
            rule: fields.rule(&top, pairs, last)?,
        })
    }

    /// Appends the numbers whose exact sum the value is, if its type holds it.
    fn terms(&self, value: Value, terms: &mut Vec<Value>) {
        let one = self.at(value);
        match one.code {
            Code::Add if one.shifts == [0; 2] && one.constants[0] == 0 => {
                one.args.iter().for_each(|arg| self.terms(*arg, terms));
            }
            Code::ConvertSigned => self.terms(one.args[0], terms),
            _ => terms.push(value),
        }
    }

    /// The greatest exponent of pairs and of a register, which may have a lower limit.
    fn top(&self, value: Value, register: Value) -> Option<Top> {
        let greatest = self.at(value);
        if greatest.code != Code::Maximum {
            return None;
        }
        let (mut pairs, mut own, mut limit) = (None, None, 0);
        for arg in &greatest.args {
            let (inner, offset) = self.shifted(*arg);
            match self.at(inner).code {
                Code::MaximumOfPairs if offset == 0 && pairs.is_none() => pairs = Some(inner),
                Code::Constant => limit = limit.max(self.at(inner).constants[0] as i64 + offset),
                _ if own.is_none() => own = Some(self.exponent(*arg, register)?),
                _ => return None,
            }
        }
        let (offset, of_small) = own?;
        Some(Top {
            value,
            pairs: pairs?,
            offset,
            of_small: of_small.max(limit),
        })
    }

    /// If the value is the exponent of a register: what it adds to the exponent field of a normal
    /// number, and the greatest exponent of a zero or a subnormal number.
    fn exponent(&self, value: Value, register: Value) -> Option<(i64, i64)> {
        let one = self.at(value);
        let [k, l] = one.constants;
        match (one.code, &one.args[..]) {
            (Code::ExtractOr, &[of]) => {
                let is_field = of == register && one.shifts[0] == 23 && k == 0xff;
                is_field.then_some((0, l as i64))
            }
            (Code::Convert, &[of]) if one.from <= one.to => self.exponent(of, register),
            (Code::Scale, &[of]) if one.shifts[0] == 0 => {
                let (offset, of_small) = self.exponent(of, register)?;
                let k = signed(k, one.to);
                // No exponent leaves the type.
                let ends = [1, MOST_FIELD].map(|field| field + offset + k);
                let fits = ends[0] >= 0 && ends[1] <= one.to.mask() as i64 && of_small + k >= 0;
                fits.then_some((offset + k, of_small + k))
            }
            (Code::ChooseThen, &[zero, of]) => {
                let (offset, of_small) = self.exponent(of, register)?;
                let test = self.at(zero);
                let is_zero = test.code == Code::FieldEqual
                    && test.args == [register]
                    && test.constants == [MAGNITUDE, 0];
                is_zero.then_some((offset, of_small.max(k as i64)))
            }
            _ => None,
        }
    }

    /// The inputs of pairs, those of the left side first.
    fn pairs(&self, args: &[Value]) -> Option<Vec<[usize; 2]>> {
        let input = |value: Value| {
            let one = self.at(value);
            let number = one.constants[0] as usize;
            (one.code == Code::Input && number >= self.first).then(|| number - self.first)
        };
        let pair = |pair: &[Value; 2]| match [input(pair[0])?, input(pair[1])?] {
            [one, other] if one < self.lefts && other >= self.lefts => Some([one, other]),
            [one, other] if other < self.lefts && one >= self.lefts => Some([other, one]),
            _ => None,
        };
        args.as_chunks().0.iter().map(pair).collect()
    }
}

/// The number that a constant of this type adds, if it is not more than half of the type's numbers.
fn signed(constant: u128, of: Type) -> i64 {
    let half = (of.mask() >> 1) as i64;
    let constant = constant as i64;
    if constant > half {
        constant - 2 * half - 2
    } else {
        constant
    }
}

/// The exponent fields of powers of two, of an exponent of zero. The first two are that much less for
/// a greater exponent, the last one more.
struct Fields {
    power: i64,
    own_power: i64,
    scale: i64,
}

impl Fields {
    /// The constants of the operation; `None` if no exponent suits it.
    fn rule(&self, top: &Top, pairs: &Instruction, round: &Instruction) -> Option<Rule> {
        let least = [
            self.power - MOST_FIELD,
            self.own_power - MOST_FIELD,
            LEAST_FIELD - self.scale,
        ];
        let most = [
            self.power - LEAST_FIELD,
            self.own_power - LEAST_FIELD,
            MOST_FIELD - self.scale,
        ];
        let least = least.into_iter().max()?.max(LEAST_FIELD);
        let most = most.into_iter().min()?.min(MOST_FIELD);
        let [none, more, otherwise] = [0, 32, 64].map(|by| pairs.constants[1] >> by & 0xffff_ffff);
        let none = none as i64;
        // The greatest sum of two raised numbers is at most twice the greatest one of a number.
        let more = signed(more, pairs.to);
        let ends = [none + 1 + more, 2 * none + more];
        let limit = pairs.to.mask() as i64;
        let fits = ends[0] >= 0 && ends[1] <= limit;
        let more = more - top.offset;
        // A column of bytes has no room for more; one of 16 bits is limited to a field.
        let has_room = pairs.to == Type::U16 || pairs.to == Type::U8 && 2 * none + more <= limit;
        // What counts for nothing, and small numbers, have exponents that a link gives up at.
        let is_small = (otherwise as i64).max(top.of_small) - top.offset < least;
        if !fits || !has_room || !is_small || least > most {
            return None;
        }
        let place = |field: i64| (field as u32) << (f32::MANTISSA_DIGITS - 1);
        let is_nearest = round.shifts[1] & 1 == 0;
        let before = round.constants[0] as u64;
        let dropped = before.trailing_zeros().checked_sub(DROPPED_BITS);
        let kept = match (is_nearest, dropped) {
            (true, _) if before == u64::MAX => u32::MAX,
            (false, Some(dropped)) if dropped < f32::MANTISSA_DIGITS => u32::MAX << dropped,
            _ => return None,
        };
        Some(Rule {
            none: none as u32,
            counted: [none.max(-more) as u32, more as u32],
            most: place(most),
            span: place(most - least),
            power: place(self.power - most),
            own_power: place(self.own_power - most),
            scale: place(self.scale + most),
            is_nearest,
            kept,
        })
    }
}
