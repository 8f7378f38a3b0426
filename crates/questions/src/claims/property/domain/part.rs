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

#[cfg(test)]
mod tests {
    use super::Domain;
    use crate::inputs::Sampler;
    use mmasmt_core::machines::model::Model;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const CLAUSES: [&str; 20] = [
        "",
        "finite",
        "normal",
        "zero-or-normal",
        "subnormal",
        "nonzero",
        "positive",
        "factors zero",
        "factors = 0",
        "a = 1",
        "exp -3..2",
        "exp -3..1",
        "bits 2",
        "bits 1",
        "factors in e2m1",
        "factors in e3m2",
        "factors from -3..4",
        "factors from 0..3",
        "b[1..] = 0",
        "a[1] = a[0]",
    ];

    /// Inputs drawn from a part lie in the whole; of the pairs that are no parts, most have inputs
    /// that say so.
    #[test]
    fn inputs_of_a_part_lie_in_the_whole() {
        let signature = Model::parse("fda:K=2,in=e4m3").unwrap().signature();
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut sampler = Sampler::new(signature, 7);
        let mut domains = Vec::new();
        for (number, first) in CLAUSES.into_iter().enumerate() {
            for second in &CLAUSES[number..] {
                let text = format!("{first}, {second}");
                if let Ok(domain) = Domain::parse(&text, &signature) {
                    let drawn = (0..40).map(|_| sampler.sample());
                    let placed = drawn.filter_map(|drawn| domain.place(drawn, &mut rng).ok());
                    let placed: Vec<_> = placed.collect();
                    domains.push((domain, placed));
                }
            }
        }
        let (mut parts, mut left_out) = (0, [0; 2]);
        for (part, inputs) in &domains {
            for (whole, _) in &domains {
                let outside = inputs
                    .iter()
                    .filter(|inputs| !whole.contains(inputs))
                    .count();
                if part.is_part_of(whole) {
                    parts += 1;
                    assert_eq!(outside, 0, "`{part}` in `{whole}`");
                } else {
                    left_out[usize::from(outside > 0 || inputs.is_empty())] += 1;
                }
            }
        }
        assert!(parts > 2000, "{parts}");
        assert!(left_out[1] > 3 * left_out[0], "{left_out:?}");
    }
}
