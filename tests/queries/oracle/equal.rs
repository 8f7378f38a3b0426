//! Equalities between operands as data: their text for the program, and what they say of each pair
//! of operands.

use super::domain::{Clause, Place, Predicate, places};
use crate::common::exact::ones;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Format, SignBit, SpecialCodes};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;

/// Operands of a row, all of them or those of a range.
#[derive(Clone, Debug)]
pub struct Operands {
    pub row: &'static str,
    pub range: Option<(usize, usize)>,
}

/// The operands on the left are those on the right, or their negatives.
#[derive(Clone, Debug)]
pub struct Equality {
    pub left: Operands,
    pub right: Operands,
    pub is_negative: bool,
}

impl Operands {
    fn places(&self, signature: &Signature) -> Vec<(Place, Format)> {
        let all = places(signature).into_iter();
        let speaks = |(row, index): Place| {
            let rows: &[&str] = match self.row {
                "factors" => &["a", "b"],
                row => &[row],
            };
            let mut range = self.range.into_iter();
            rows.contains(&row) && range.all(|(from, to)| from <= index && index < to)
        };
        all.filter(|(place, _)| speaks(*place)).collect()
    }
}

impl Equality {
    /// The pairs of operands that it speaks of, and their format.
    fn pairs(&self, signature: &Signature) -> Vec<([Place; 2], Format)> {
        let [left, right] = [&self.left, &self.right].map(|of| of.places(signature));
        let mut pairs = Vec::new();
        for (index, (place, format)) in left.iter().enumerate() {
            let (other, _) = right[index % right.len()];
            pairs.push(([*place, other], *format));
        }
        pairs
    }

    pub fn holds(&self, signature: &Signature, inputs: &Inputs) -> bool {
        let all: Vec<(Place, u64)> = registers(signature, inputs);
        let of = |place: Place| all.iter().find(|(other, _)| *other == place).unwrap().1;
        let mut pairs = self.pairs(signature).into_iter();
        pairs.all(|([left, right], format)| of(left) == self.given(&format, of(right)))
    }

    /// The register that equals this one, or its negative.
    fn given(&self, format: &Format, bits: u64) -> u64 {
        match self.is_negative {
            false => bits,
            true => negative(format, bits),
        }
    }
}

/// Whether an operand is one of those that some others equal.
pub fn is_bound(equalities: &[Equality], signature: &Signature, place: Place) -> bool {
    let pairs = equalities
        .iter()
        .flat_map(|equality| equality.pairs(signature));
    pairs
        .into_iter()
        .any(|([left, right], _)| left != right && (left == place || right == place))
}

/// The inputs where later operands take the registers of the earlier ones that they equal.
pub fn put(equalities: &[Equality], signature: &Signature, inputs: &Inputs) -> Inputs {
    let all = places(signature);
    let position = |place: Place| all.iter().position(|(other, _)| *other == place).unwrap();
    let mut registers: Vec<u64> = inputs.each(signature).map(|(_, bits)| *bits).collect();
    // As often as operands can follow each other.
    for _ in 0..all.len() {
        for equality in equalities {
            for ([left, right], format) in equality.pairs(signature) {
                let (left, right) = (position(left), position(right));
                let (from, to) = (left.min(right), left.max(right));
                registers[to] = equality.given(&format, registers[from]);
            }
        }
    }
    let mut registers = registers.into_iter();
    inputs.map(signature, |_, _| registers.next().unwrap())
}

/// Whether an operand takes the register of an earlier one.
pub fn follows(equalities: &[Equality], signature: &Signature, place: Place) -> bool {
    let all = places(signature);
    let position = |place: Place| all.iter().position(|(other, _)| *other == place).unwrap();
    let pairs = equalities
        .iter()
        .flat_map(|equality| equality.pairs(signature));
    pairs.into_iter().any(|([left, right], _)| {
        let later = if position(left) > position(right) {
            left
        } else {
            right
        };
        left != right && later == place
    })
}

fn registers(signature: &Signature, inputs: &Inputs) -> Vec<(Place, u64)> {
    let places = places(signature).into_iter().map(|(place, _)| place);
    places
        .zip(inputs.each(signature).map(|(_, bits)| *bits))
        .collect()
}

/// The register of the negative: where the format has no -0, its zero and its NaN are their own.
fn negative(format: &Format, bits: u64) -> u64 {
    let sign = 1 << (format.width() - 1);
    match format.specials == SpecialCodes::NegativeZero && bits & ones(format.width() - 1) == 0 {
        true => bits,
        false => bits ^ sign,
    }
}

/// Some equalities at random that the formats allow.
pub fn draw(rng: &mut ChaCha8Rng, signature: &Signature) -> Vec<Equality> {
    let count = signature.products as usize;
    let mut all = Vec::new();
    for _ in 0..rng.random_range(1..=2) {
        let row = *["a", "a", "b"].choose(rng).unwrap();
        let (from, to) = (rng.random_range(0..count), rng.random_range(0..count));
        let one = |row, at| Operands {
            row,
            range: Some((at, at + 1)),
        };
        let whole = |row| Operands { row, range: None };
        let (left, right) = match rng.random_range(0..6) {
            0 => (whole("b"), whole("a")),
            1 => (one("b", from), one("a", to)),
            2 => (whole("factors"), one("a", from)),
            3 => {
                let range = Some((from, count));
                (Operands { row, range }, one(row, from))
            }
            _ => (one(row, from), one(row, to)),
        };
        let has_one_format = left.row == right.row || signature.a == signature.b;
        let is_signed = signature.a.sign == SignBit::Signed && signature.b.sign == SignBit::Signed;
        all.extend(has_one_format.then(|| Equality {
            left,
            right,
            is_negative: is_signed && rng.random_ratio(1, 4),
        }));
    }
    all
}

impl fmt::Display for Equality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        write!(f, "{} = {sign}{}", self.left, self.right)
    }
}

impl fmt::Display for Operands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.row)?;
        match self.range {
            None => Ok(()),
            Some((from, to)) if to == from + 1 => write!(f, "[{from}]"),
            Some((from, to)) => write!(f, "[{from}..{to}]"),
        }
    }
}

/// A domain with equalities admits the inputs that all clauses and all equalities admit, register by
/// register, and all that draws and puts is in it.
#[test]
fn a_domain_with_equalities_holds_what_its_clauses_and_equalities_say() {
    use mmasmt_core::machines::model::Model;
    use mmasmt_numbers::bits::W64;
    use mmasmt_questions::claims::property::Domain as Assumed;
    use mmasmt_questions::inputs::Sampler;
    use rand::SeedableRng;

    let (mut inside, mut drawn) = (0, 0);
    for (seed, spec) in (0..12).flat_map(|seed| {
        let specs = [
            "fda:K=2,in=e2m1",
            "fda:K=2,in=e2m3",
            "exact:K=2,in=e4m3fnuz",
            "fda:K=3,in=e2m1",
        ];
        specs.map(|spec| (seed, spec))
    }) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let signature = Model::parse(spec).unwrap().signature();
        let mut domain = super::domain::draw(&mut rng, &signature);
        domain.equalities = draw(&mut rng, &signature);
        domain.clauses.push(Clause {
            row: "c",
            range: None,
            predicate: Predicate::Is(0x3f80_0000),
        });
        let Ok(assumed) = Assumed::parse(&domain.to_string(), &signature) else {
            continue;
        };
        let mut sampler = Sampler::new(signature, seed);
        for number in 0..30 {
            let sample = sampler.sample();
            // As drawn, with its operands put, and with one of them changed again.
            let put = put(&domain.equalities, &signature, &sample);
            let mut changed = put.clone();
            changed.a[number % 2] ^= 1;
            for inputs in [&sample, &put, &changed, &assumed.fixed_bits(&sample)] {
                let expected = domain.contains(&signature, inputs);
                let text = format!("{spec} where {domain}: {}", inputs.to_line(&signature));
                assert_eq!(assumed.contains(inputs), expected, "{text}");
                let words = inputs.lifted::<W64>(&signature);
                assert_eq!(assumed.holds(&words), expected, "{text}");
                if expected {
                    assert_eq!(assumed.fixed_bits(inputs), *inputs, "{text}");
                    inside += 1;
                }
            }
            match assumed.place(sample.clone(), &mut rng) {
                Ok(placed) => {
                    assert!(
                        domain.contains(&signature, &placed),
                        "{spec} where {domain}"
                    );
                    drawn += 1;
                }
                Err(_) => {
                    assert!(!assumed.has_finite_inputs(), "{spec} where {domain}");
                }
            }
            let draws = assumed.drawn(100, |_, format| rng.random::<u64>() & ones(format.width()));
            if let Some(draws) = draws {
                assert!(domain.contains(&signature, &draws), "{spec} where {domain}");
            }
        }
        // Whether anything is in it is told by all inputs that follow from those of the free operands.
        if assumed.has_finite_inputs() {
            let all = super::attack::attack(&signature, &domain, seed, [1 << 14, 10]);
            assert!(
                !all.complete || !all.inputs.is_empty(),
                "{spec} where {domain}"
            );
        }
    }
    assert!(inside > 500 && drawn > 500, "{inside} {drawn}");
}
