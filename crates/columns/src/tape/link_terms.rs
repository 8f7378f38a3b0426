//! The terms of a sum that a link rounds: numbers, and ones that hardware adds, or not, where it negates
//! products that have another sign than `c`.

use super::element::Type;
use super::find_links::Finder;
use super::instruction::{Code, Value};
use super::link_results::SIGN;

/// The most pairs of signs: the negated number of those that differ fits a byte.
const MOST_SIGNS: usize = 128;

/// Numbers whose sum a value is, if its type holds it.
#[derive(Default)]
pub(super) struct LinkTerms {
    pub(super) numbers: Vec<Value>,
    /// The truth values that add one where they hold, and those that subtract one.
    ones: [Vec<Value>; 2],
}

impl Finder<'_> {
    /// The terms of the sum of these values.
    pub(super) fn terms_of(&self, parts: &[Value]) -> LinkTerms {
        let mut terms = LinkTerms::default();
        parts.iter().for_each(|part| self.terms(*part, &mut terms));
        terms
    }

    fn terms(&self, value: Value, terms: &mut LinkTerms) {
        let one = self.at(value);
        match (one.code, &one.args[..]) {
            (Code::Add, args) if one.shifts == [0; 2] && one.constants[0] == 0 => {
                args.iter().for_each(|arg| self.terms(*arg, terms));
            }
            (Code::ConvertSigned, &[of]) => self.terms(of, terms),
            (Code::AddSelect, &[of, truth])
                if one.constants == [1, 0] || one.constants == [one.to.mask(), 0] =>
            {
                terms.ones[usize::from(one.constants[0] != 1)].push(truth);
                self.terms(of, terms);
            }
            _ => terms.numbers.push(value),
        }
    }

    /// The pairs of signs, one of each side, for which one is added where `c` is negative and they are
    /// alike, and subtracted where `c` is not negative and they differ; `None` if ones are added for
    /// other reasons.
    pub(super) fn signs(&self, terms: &LinkTerms, register: Value) -> Option<Vec<[usize; 2]>> {
        let [more, less] = [true, false].map(|is_more| {
            let truths = &terms.ones[usize::from(!is_more)];
            let found = truths
                .iter()
                .map(|truth| self.sign(*truth, is_more, register));
            let mut found: Vec<Value> = found.collect::<Option<_>>()?;
            found.sort_unstable();
            Some(found)
        });
        let (more, less) = (more?, less?);
        let pair = |value: &Value| {
            let apart = self.at(*value);
            let is_xor = (apart.code, apart.to) == (Code::Xor, Type::U8);
            self.pairs(&apart.args)
                .filter(|pairs| is_xor && pairs.len() == 1)
        };
        let pairs: Vec<_> = more.iter().map(pair).collect::<Option<_>>()?;
        (more == less && more.len() <= MOST_SIGNS).then(|| pairs.concat())
    }

    /// The truth value that makes a conjunction with the sign of the register, which has to be set and the
    /// other false if `is_more`, and the other way round if not.
    fn sign(&self, truth: Value, is_more: bool, register: Value) -> Option<Value> {
        let all = self.at(truth);
        let (Code::All, &[one, other]) = (all.code, &all.args[..]) else {
            return None;
        };
        let negated = [0, 8].map(|by| all.constants[0] >> by & 0xff != 0);
        let is_sign = |value: Value| {
            let bit = self.at(value);
            (bit.code, bit.constants[0]) == (Code::Bit, SIGN) && self.is(bit.args[0], register)
        };
        let (apart, negated) = match [one, other].map(is_sign) {
            [true, false] => (other, negated),
            [false, true] => (one, [negated[1], negated[0]]),
            _ => return None,
        };
        (negated == [!is_more, is_more]).then_some(apart)
    }
}
