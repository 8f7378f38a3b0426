//! Links of a chain, recognised in the instructions of a tape.

use super::element::Type;
use super::instruction::{Code, Instruction, Value};
use super::link::Link;
use super::link_results::{FIELD, LinkResults, RoundResult};
use super::link_rule::{BIAS, GreatestExponent, LEAST_FIELD, MOST_FIELD, PowerFields, signed};
use super::lower::Tape;

/// The excess of an exponent field of binary64 over that of binary32.
pub(super) const FIELDS_APART: i64 = 1023 - BIAS;
/// The mask of a register's bits without the sign.
const MAGNITUDE: u128 = 0x7fff_ffff;

impl Link {
    /// The links that a tape consists of, each of which takes the result of the one before in place
    /// of `c`; `None` if the tape does anything else. `c` is the number of an input; inputs from
    /// `first` on are values of the sides, the first `lefts` of them of the left side.
    pub(super) fn all(tape: &Tape, c: usize, [first, lefts]: [usize; 2]) -> Option<Vec<Link>> {
        let [result] = tape.results[..] else {
            return None;
        };
        let results = LinkResults::of(tape)?;
        if results.origin(result) != results.all.last()?.value {
            return None;
        }
        let finder = Finder {
            results: Some(&results),
            ..Finder::new(tape, [first, lefts])
        };
        let mut register = finder.input(c)?;
        let mut links = Vec::new();
        for result in &results.all {
            links.push(finder.link(result, register)?);
            register = result.value;
        }
        Some(links)
    }
}

pub(super) struct Finder<'t> {
    tape: &'t Tape,
    first: usize,
    lefts: usize,
    results: Option<&'t LinkResults<'t>>,
}

impl<'t> Finder<'t> {
    /// Finds links in a tape whose inputs from `first` on are values of the sides, the first `lefts`
    /// of them of the left side.
    pub(super) fn new(tape: &'t Tape, [first, lefts]: [usize; 2]) -> Self {
        Finder {
            tape,
            first,
            lefts,
            results: None,
        }
    }

    /// True if the value is this one, or what choices make of it.
    pub(super) fn is(&self, value: Value, other: Value) -> bool {
        let origin = self.results.map(|results| results.origin(value));
        origin.unwrap_or(value) == other
    }

    pub(super) fn at(&self, value: Value) -> &Instruction {
        &self.tape.instructions[value]
    }

    /// The value of an input of the tape.
    pub(super) fn input(&self, number: usize) -> Option<Value> {
        let is_it = |one: &Instruction| {
            one.code == Code::Input && one.constants[0] == number as u128 && one.to == Type::U32
        };
        self.tape.instructions.iter().position(is_it)
    }

    /// The value that conversions to wider types and constants were applied to, and the sum of these
    /// constants.
    pub(super) fn shifted(&self, value: Value) -> (Value, i64) {
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

    /// The link that gives this result and whose `c` is `register`.
    fn link(&self, result: &RoundResult, register: Value) -> Option<Link> {
        match self.at(result.round).code {
            Code::Round { is_cut: true, .. } => self.late_link(result.round, register),
            _ => self.near_link(result, register),
        }
    }

    /// A link that aligns `c` with the products.
    fn near_link(&self, result: &RoundResult, register: Value) -> Option<Link> {
        let last = self.at(result.round);
        let (exponent, parts) = last.args.split_first()?;
        let terms = self.terms_of(parts);
        let signs = self.signs(&terms, register)?;
        let (own, sums): (Vec<Value>, Vec<Value>) =
            (terms.numbers.into_iter()).partition(|term| self.at(*term).code == Code::RealPart);
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
        let own_power = i64::from(own.constants[0] as i32) + BIAS - top.offset;
        let least = self.least_aligned(own.args[0], register, own_power)?;
        let is_alike = power.code == Code::Power
            && is_top(power.args[0])
            && is_top(own.args[1])
            && sums.iter().all(is_sum);
        let pairs = self.at(top.pairs);
        let scale = i64::from(last.shifts[0]) - FIELDS_APART + offset;
        // One column of 32 bits holds the whole sum.
        let is_one = parts.len() == 1 && last.from == Type::U32;
        // Where only ones are added, the tape gives zero, too: they are less than a normal number.
        let of_zeros = top.of_small.max((pairs.constants[1] >> 64) as i64) + scale;
        let bits = i64::from(usize::BITS - signs.len().leading_zeros());
        let suits_signs = is_one && result.is_flushed && of_zeros + bits < LEAST_FIELD;
        if !is_alike || !signs.is_empty() && !suits_signs {
            return None;
        }
        let scale = scale + top.offset;
        let fields = PowerFields {
            power: power.constants[0] as i64 - top.offset,
            own_power,
            scale,
            least: least.max(result.least_unit - scale),
        };
        let products = sums.iter().map(|sum| self.pairs(&self.at(*sum).args[1..]));
        let products: Vec<_> = products.collect::<Option<_>>()?;
        Some(Link {
            of: pairs.to,
            exponents: self.pairs(&pairs.args)?,
            products: match is_one {
                true => vec![products.concat()],
                false => products,
            },
            signs,
            rule: fields.rule(&top, pairs, last, None)?,
        })
    }

    /// The least exponent to which a register may be aligned instead of the value: the register itself, or
    /// with zeros in place of subnormal numbers, which are cut to zeros then.
    fn least_aligned(&self, value: Value, register: Value, own_power: i64) -> Option<i64> {
        if self.is(value, register) {
            return Some(LEAST_FIELD);
        }
        let choice = self.at(value);
        let (Code::ChooseThen, &[test, of]) = (choice.code, &choice.args[..]) else {
            return None;
        };
        let test = self.at(test);
        let is_flushed = choice.constants[0] == 0
            && self.is(of, register)
            && (test.code, test.constants) == (Code::FieldEqual, [FIELD, 0])
            && self.is(test.args[0], register);
        is_flushed.then_some((own_power + 1 - MOST_FIELD).max(LEAST_FIELD))
    }

    /// The greatest exponent of pairs and of a register, which may have a lower limit.
    pub(super) fn top(&self, value: Value, register: Value) -> Option<GreatestExponent> {
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
        Some(GreatestExponent {
            value,
            pairs: pairs?,
            offset,
            of_small: of_small.max(limit),
        })
    }

    /// If the value is the exponent of a register: what it adds to the exponent field of a normal
    /// number, and the greatest exponent of a zero or a subnormal number.
    pub(super) fn exponent(&self, value: Value, register: Value) -> Option<(i64, i64)> {
        let one = self.at(value);
        let [k, l] = one.constants;
        match (one.code, &one.args[..]) {
            (Code::ExtractOr, &[of]) => {
                let is_field = self.is(of, register) && one.shifts[0] == 23 && k == 0xff;
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
                    && self.is(test.args[0], register)
                    && [[MAGNITUDE, 0], [FIELD, 0]].contains(&test.constants);
                is_zero.then_some((offset, of_small.max(k as i64)))
            }
            _ => None,
        }
    }

    /// The inputs of pairs, those of the left side first.
    pub(super) fn pairs(&self, args: &[Value]) -> Option<Vec<[usize; 2]>> {
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
