//! Domains as data: their text for the program, and what they admit by their definition.

use super::equal::{self, Equality};
use super::number::{BigRational, has, value};
use crate::common::exact::{Datum, bias, decode, greatest_code, ones, register};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Format, SignBit};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt;

#[derive(Clone, Debug)]
pub enum Predicate {
    Finite,
    Normal,
    ZeroOrNormal,
    Subnormal,
    Zero,
    Nonzero,
    Positive,
    Negative,
    Exponent(i64, i64),
    Bits(u32),
    In(Format),
    /// An integer from the first up to the second.
    From(i64, i64),
    Is(u64),
}

/// A predicate on the operands of a row (`a`, `b`, `c`, or `all`) from one index up to another.
#[derive(Clone, Debug)]
pub struct Clause {
    pub row: &'static str,
    pub range: Option<(usize, usize)>,
    pub predicate: Predicate,
}

#[derive(Clone, Debug, Default)]
pub struct Domain {
    pub clauses: Vec<Clause>,
    pub equalities: Vec<Equality>,
}

/// An operand: its row and its index there.
pub type Place = (&'static str, usize);

impl Predicate {
    pub fn admits(&self, format: &Format, bits: u64) -> bool {
        let datum = decode(format, bits);
        let finite = match datum {
            Datum::Finite(x) => Some(x),
            _ => None,
        };
        let negative = is_signed(format) && bits >> (format.width() - 1) == 1;
        let normal = finite.map(|x| x.significand >> format.fraction_bits >= 1);
        let zero = finite.is_some_and(|x| x.significand == 0);
        match *self {
            Predicate::Finite => finite.is_some(),
            Predicate::Normal => normal == Some(true),
            Predicate::ZeroOrNormal => normal == Some(true) || zero,
            Predicate::Subnormal => normal == Some(false) && !zero,
            Predicate::Zero => zero && (bits == 0 || bits == sign_alone(format)),
            Predicate::Nonzero => !zero,
            Predicate::Positive => !negative,
            Predicate::Negative => negative || !is_signed(format),
            Predicate::Exponent(low, high) => {
                finite.is_some_and(|x| (low..=high).contains(&x.exponent))
            }
            Predicate::Bits(count) => {
                let kept = (count - 1).min(format.fraction_bits);
                let low = format.fraction_bits - kept + format.dropped_bits;
                bits & ones(low) == 0
            }
            Predicate::In(other) => value(format, bits).is_some_and(|value| has(&other, &value)),
            Predicate::From(low, high) => value(format, bits).is_some_and(|value| {
                value.is_integer() && value >= integer(low) && value <= integer(high)
            }),
            Predicate::Is(value) => bits == value,
        }
    }
}

/// The register with nothing but the sign bit; 0 where there is none.
fn sign_alone(format: &Format) -> u64 {
    match format.sign {
        SignBit::Signed => 1 << (format.width() - 1),
        _ => 0,
    }
}

fn is_signed(format: &Format) -> bool {
    matches!(format.sign, SignBit::Signed | SignBit::TwosComplement)
}

fn integer(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

impl Clause {
    pub fn speaks_of(&self, (row, index): Place) -> bool {
        let inside = self
            .range
            .is_none_or(|(from, to)| (from..to).contains(&index));
        self.row == "all" || self.row == row && inside
    }
}

impl Domain {
    /// Where all of these hold, and no operand has to equal another one.
    pub fn of(clauses: Vec<Clause>) -> Domain {
        Domain {
            clauses,
            equalities: Vec::new(),
        }
    }

    /// All operands are finite.
    pub fn finite() -> Domain {
        let clause = Clause {
            row: "all",
            range: None,
            predicate: Predicate::Finite,
        };
        Domain::of(vec![clause])
    }

    pub fn admits(&self, place: Place, format: &Format, bits: u64) -> bool {
        let about = self.clauses.iter().filter(|clause| clause.speaks_of(place));
        about
            .into_iter()
            .all(|clause| clause.predicate.admits(format, bits))
    }

    pub fn contains(&self, signature: &Signature, inputs: &Inputs) -> bool {
        let places = places(signature).into_iter();
        let mut each = places.zip(inputs.each(signature));
        each.all(|((place, _), (format, bits))| self.admits(place, &format, *bits))
            && self
                .equalities
                .iter()
                .all(|equality| equality.holds(signature, inputs))
    }

    /// Whether an operand equals others, so that it cannot change alone.
    pub fn is_bound(&self, signature: &Signature, place: Place) -> bool {
        equal::is_bound(&self.equalities, signature, place)
    }

    /// Everything that is admitted for an operand, if it takes no long search.
    pub fn all_of(&self, place: Place, format: &Format) -> Option<Vec<u64>> {
        let about = self.clauses.iter();
        let mut few = about
            .filter(|clause| clause.speaks_of(place))
            .filter_map(|clause| match clause.predicate {
                Predicate::Is(value) => Some(vec![value]),
                Predicate::Zero if sign_alone(format) == 0 => Some(vec![0]),
                Predicate::Zero => Some(vec![0, sign_alone(format)]),
                _ => None,
            });
        let registers = match few.next() {
            Some(few) => few,
            None if format.width() <= 8 => (0..=ones(format.width())).collect(),
            None => return None,
        };
        let admitted = registers.into_iter();
        Some(
            admitted
                .filter(|bits| self.admits(place, format, *bits))
                .collect(),
        )
    }

    /// The next greater number that is admitted after a number, -0 being below +0.
    pub fn next(&self, place: Place, format: &Format, bits: u64) -> Option<u64> {
        let from = rank(format, bits)?;
        let wanted = |bits: &u64| {
            rank(format, *bits).is_some_and(|rank| rank > from) && self.admits(place, format, *bits)
        };
        let candidates = match format.width() <= 8 {
            true => (0..=ones(format.width())).collect(),
            false => self.candidates(place, format, bits),
        };
        let admitted = candidates.into_iter().filter(wanted);
        admitted.min_by_key(|bits| rank(format, *bits))
    }

    /// Registers of which one is the next after `bits`: what is admitted has the same gaps all over
    /// a binade, so that it is next to `bits`, or at an end of a binade.
    fn candidates(&self, place: Place, format: &Format, bits: u64) -> Vec<u64> {
        let mut step = 1;
        let mut found = Vec::new();
        for clause in self.clauses.iter().filter(|clause| clause.speaks_of(place)) {
            match clause.predicate {
                Predicate::Bits(count) => {
                    let kept = (count - 1).min(format.fraction_bits);
                    step = step.max(1 << (format.fraction_bits - kept));
                }
                Predicate::Is(value) => found.push(value),
                _ => {}
            }
        }
        let binade = 1 << format.fraction_bits;
        let code = bits >> format.dropped_bits & ones(format.magnitude_bits());
        let mut codes = vec![code + step, code.saturating_sub(step)];
        for field in 0..1 << format.exponent_bits {
            let base = field * binade;
            codes.extend([base, base + step, (base + binade).saturating_sub(step)]);
        }
        let greatest = greatest_code(format) + 1;
        codes.retain(|code| *code <= greatest);
        found.extend(codes.iter().map(|code| register(format, false, *code)));
        found.extend(codes.iter().map(|code| register(format, true, *code)));
        found
    }

    /// An input in the domain near one that was drawn; none if it takes too long to find.
    pub fn placed(
        &self,
        rng: &mut ChaCha8Rng,
        signature: &Signature,
        drawn: &Inputs,
    ) -> Option<Inputs> {
        if self.equalities.is_empty() {
            return self.placed_alone(rng, signature, drawn);
        }
        (0..16).find_map(|_| {
            let placed = self.placed_alone(rng, signature, drawn)?;
            let put = equal::put(&self.equalities, signature, &placed);
            self.contains(signature, &put).then_some(put)
        })
    }

    /// Each operand alone put where the clauses admit it.
    fn placed_alone(
        &self,
        rng: &mut ChaCha8Rng,
        signature: &Signature,
        drawn: &Inputs,
    ) -> Option<Inputs> {
        let mut places = places(signature).into_iter();
        let mut failed = false;
        let placed = drawn.map(signature, |format, bits| {
            let (place, _) = places.next().unwrap();
            let found = self.one(rng, place, format, *bits);
            failed |= found.is_none();
            found.unwrap_or(0)
        });
        (!failed).then_some(placed)
    }

    fn one(&self, rng: &mut ChaCha8Rng, place: Place, format: &Format, bits: u64) -> Option<u64> {
        if self.admits(place, format, bits) {
            return Some(bits);
        }
        if let Some(all) = self.all_of(place, format) {
            return all.choose(rng).copied();
        }
        let fields: Vec<u64> = self.fields(place, format);
        let (mut low, mut sign) = (0, 0);
        for clause in self.clauses.iter().filter(|clause| clause.speaks_of(place)) {
            match clause.predicate {
                Predicate::Bits(count) => {
                    low = low.max(format.fraction_bits - (count - 1).min(format.fraction_bits));
                }
                Predicate::Positive => sign = 1,
                Predicate::Negative => sign = 2,
                _ => {}
            }
        }
        (0..64).find_map(|_| {
            let field = *fields.choose(rng)?;
            let fraction = rng.random::<u64>() & ones(format.fraction_bits);
            let code = (field << format.fraction_bits | fraction) >> low << low;
            let negative = match sign {
                0 => rng.random(),
                other => other == 2,
            };
            let bits = register(format, negative, code);
            self.admits(place, format, bits).then_some(bits)
        })
    }

    /// Exponent fields that may be admitted.
    fn fields(&self, place: Place, format: &Format) -> Vec<u64> {
        let top = ones(format.exponent_bits);
        let mut fields: Vec<u64> = (0..=top).collect();
        for clause in self.clauses.iter().filter(|clause| clause.speaks_of(place)) {
            let keep: Box<dyn Fn(&u64) -> bool> = match clause.predicate {
                Predicate::Exponent(low, high) => {
                    let bias = bias(format);
                    Box::new(move |field| (low..=high).contains(&((*field).max(1) as i64 - bias)))
                }
                Predicate::Subnormal => Box::new(|field| *field == 0),
                _ => continue,
            };
            fields.retain(|field| keep(field));
        }
        fields
    }
}

/// Where a number or an infinity lies in order, -0 being below +0; none for a NaN.
pub fn rank(format: &Format, bits: u64) -> Option<i128> {
    let code = i128::from(bits >> format.dropped_bits & ones(format.magnitude_bits()));
    let negative = is_signed(format) && bits >> (format.width() - 1) == 1;
    match decode(format, bits) {
        Datum::Nan => None,
        _ if negative => Some(-code - 1),
        _ => Some(code),
    }
}

/// All operands, in the order of `Registers::each`, with their formats.
pub fn places(signature: &Signature) -> Vec<(Place, Format)> {
    let count = signature.products as usize;
    let row = |name: &'static str, format: Format, count: usize| {
        (0..count).map(move |k| ((name, k), format))
    };
    let scales = signature.scale_count() as usize;
    let scale = signature
        .scales
        .map_or(Format::UE8M0, |scales| scales.format);
    row("a", signature.a, count)
        .chain(row("b", signature.b, count))
        .chain(row("c", signature.c, 1))
        .chain(row("sa", scale, scales))
        .chain(row("sb", scale, scales))
        .collect()
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, clause) in self.clauses.iter().enumerate() {
            if index > 0 {
                write!(f, ", ")?;
            }
            write!(f, "{clause}")?;
        }
        for (index, equality) in self.equalities.iter().enumerate() {
            let comma = if index + self.clauses.len() > 0 {
                ", "
            } else {
                ""
            };
            write!(f, "{comma}{equality}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.row)?;
        match self.range {
            None => {}
            Some((from, to)) if to == from + 1 => write!(f, "[{from}]")?,
            Some((from, to)) => write!(f, "[{from}..{to}]")?,
        }
        match self.predicate {
            Predicate::Finite => write!(f, " finite"),
            Predicate::Normal => write!(f, " normal"),
            Predicate::ZeroOrNormal => write!(f, " zero-or-normal"),
            Predicate::Subnormal => write!(f, " subnormal"),
            Predicate::Zero => write!(f, " zero"),
            Predicate::Nonzero => write!(f, " nonzero"),
            Predicate::Positive => write!(f, " positive"),
            Predicate::Negative => write!(f, " negative"),
            Predicate::Exponent(low, high) => write!(f, " exp {low}..{high}"),
            Predicate::Bits(count) => write!(f, " bits {count}"),
            Predicate::In(other) => write!(f, " in {other}"),
            Predicate::From(low, high) => write!(f, " from {low}..{high}"),
            Predicate::Is(value) => write!(f, " = 0x{value:x}"),
        }
    }
}

/// A domain at random: mostly finite operands, of which some are bound further.
pub fn draw(rng: &mut ChaCha8Rng, signature: &Signature) -> Domain {
    let Domain { mut clauses, .. } = match rng.random_ratio(4, 5) {
        true => Domain::finite(),
        false => Domain::default(),
    };
    let count = signature.products as usize;
    for _ in 0..*[0, 0, 1, 1, 2, 2, 3, 4].choose(rng).unwrap() {
        let row = *["a", "a", "b", "b", "c", "c", "all"].choose(rng).unwrap();
        let from = rng.random_range(0..count);
        let range = match rng.random_range(0..4) {
            0 if row == "a" || row == "b" => Some((from, from + 1)),
            1 if row == "a" || row == "b" => Some((from, count)),
            _ => None,
        };
        let format = match row {
            "a" => signature.a,
            "b" => signature.b,
            _ => signature.c,
        };
        let predicate = predicate(rng, &format, row != "all");
        clauses.push(Clause {
            row,
            range,
            predicate,
        });
    }
    if signature.scales.is_some() && rng.random() {
        let low = rng.random_range(-4..=3);
        let predicate = Predicate::Exponent(low, low + rng.random_range(0..4));
        clauses.extend(["sa", "sb"].map(|row| Clause {
            row,
            range: None,
            predicate: predicate.clone(),
        }));
    }
    Domain::of(clauses)
}

fn predicate(rng: &mut ChaCha8Rng, format: &Format, single: bool) -> Predicate {
    let low = rng.random_range(1 - bias(format)..=bias(format));
    match rng.random_range(0..14) {
        0 => Predicate::Normal,
        1 => Predicate::Subnormal,
        2 | 3 => Predicate::Zero,
        4 => Predicate::Nonzero,
        5 | 6 => Predicate::Positive,
        7 => Predicate::Negative,
        8 | 9 => Predicate::Exponent(low, low + rng.random_range(0..6)),
        10 => Predicate::Bits(rng.random_range(1..=format.precision())),
        11 if single => Predicate::In(*Format::ALL.choose(rng).unwrap()),
        _ if single => Predicate::Is(rng.random::<u64>() & ones(format.width())),
        _ => Predicate::Finite,
    }
}
