//! Which domain is a part of which: each assumption of the larger one follows from one of the
//! smaller one.

use super::Domain;
use super::operands::formats;
use super::predicate::Predicate;
use mmasmt_core::numbers::float::{Dyadic, Format};

/// The widest format of which every number is looked up in another one.
const SMALL: u32 = 8;

impl Domain {
    /// Whether each assumption of `larger` on an operand follows from one of this domain on the same
    /// operand: then `larger` has all inputs of this domain. If it is false, nothing is known.
    pub fn is_part_of(&self, larger: &Domain) -> bool {
        let has_equalities = larger.equalities.is_empty() || self.equalities == larger.equalities;
        if self.signature != larger.signature || !has_equalities {
            return false;
        }
        let mut formats = formats(&self.signature).into_iter().enumerate();
        formats.all(|(operand, format)| {
            let mut assumed = larger.clauses_of(operand);
            assumed.all(|(clause, place)| {
                let mut own = self.clauses_of(operand);
                own.any(|(own, number)| {
                    let [own, other] = [&own.predicate, &clause.predicate];
                    own.implies(number, (other, place), &format)
                })
            })
        })
    }
}

impl Predicate {
    /// True only if each register of `format` that satisfies this predicate satisfies the other
    /// one; the numbers are places among the operands of the two clauses.
    fn implies(&self, number: usize, (other, place): (&Predicate, usize), format: &Format) -> bool {
        use Predicate::*;
        match (self, other) {
            (Values(values), _) => other.admits(format, place, values[number]),
            (_, Finite) => self.is_finite(format, number),
            (Exponent(low, high), Exponent(least, most))
            | (Between(low, high), Between(least, most)) => least <= low && high <= most,
            (Bits(few), Bits(more)) => few <= more,
            (In(small), In(large)) => small == large || has_all_of(large, small),
            (Normal, ZeroOrNormal | Nonzero) | (Zero, ZeroOrNormal) | (Subnormal, Nonzero) => true,
            _ => self == other,
        }
    }
}

/// Whether a format has every finite number of a small one.
fn has_all_of(large: &Format, small: &Format) -> bool {
    small.width() <= SMALL
        && (0..1u64 << small.width())
            .filter_map(|register| Dyadic::of(small, register))
            .all(|number| number.register(large).is_some())
}
