//! Operands that several units have in common, a domain, all inputs of it, and what is exact of them.

use super::fixed::{datum, number, product};
use crate::common::exact::{Datum, Finite, bias, ones};
use crate::common::toy::{Header, Text};
use crate::oracle::domain::{Clause, Place, Predicate, places, rank};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Format, SignBit};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// The terms of an input, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub sum: i128,
    pub magnitudes: i128,
    /// The greatest exponent of a term that is no zero.
    pub largest: Option<i64>,
}

/// Inputs of one domain.
pub struct Group {
    pub signature: Signature,
    pub domain: String,
    /// The registers that the domain admits for each operand, in order of value.
    pub admitted: Vec<(Place, Format, Vec<u64>)>,
    pub inputs: Vec<Inputs>,
    /// Whether these are all inputs of the domain.
    pub is_complete: bool,
    pub is_finite: Vec<bool>,
    pub exact: Vec<Option<Exact>>,
}

/// Whether a register is admitted, integers as well.
fn admits(predicate: &Predicate, format: &Format, bits: u64) -> bool {
    if format.exponent_bits > 0 {
        return predicate.admits(format, bits);
    }
    let Datum::Finite(x) = datum(format, bits) else {
        return false;
    };
    let value = match x.negative {
        true => -(x.significand as i64),
        false => x.significand as i64,
    };
    match *predicate {
        Predicate::Finite => true,
        Predicate::Zero => value == 0,
        Predicate::Nonzero => value != 0,
        Predicate::Positive => value >= 0,
        Predicate::Negative => value < 0,
        Predicate::From(low, high) => (low..=high).contains(&value),
        Predicate::Is(known) => known == bits,
        _ => panic!("{predicate:?} of integers"),
    }
}

fn text(clauses: &[Clause]) -> String {
    let each: Vec<String> = clauses.iter().map(Clause::to_string).collect();
    each.join(", ")
}

/// Everything that the clauses admit of an operand, if it has few bits.
fn admitted(clauses: &[Clause], place: Place, format: &Format) -> Vec<u64> {
    let about: Vec<&Clause> = clauses
        .iter()
        .filter(|clause| clause.speaks_of(place))
        .collect();
    let is = about.iter().find_map(|clause| match clause.predicate {
        Predicate::Is(bits) => Some(bits),
        _ => None,
    });
    let all: Vec<u64> = match is {
        Some(bits) => vec![bits],
        None if format.width() <= 8 => (0..=ones(format.width())).collect(),
        // Zeros, small and ordinary numbers and specials of wide formats; no domain leaves these.
        None => few(format),
    };
    let holds = |bits: &u64| {
        about
            .iter()
            .all(|clause| admits(&clause.predicate, format, *bits))
    };
    let mut all: Vec<u64> = all.into_iter().filter(holds).collect();
    all.sort_by_key(|bits| order(format, *bits));
    all
}

/// +0, if the clauses admit it.
fn admitted_zero(clauses: &[Clause], place: Place, format: &Format) -> Vec<u64> {
    let mut about = clauses.iter().filter(|clause| clause.speaks_of(place));
    match about.all(|clause| admits(&clause.predicate, format, 0)) {
        true => vec![0],
        false => Vec::new(),
    }
}

/// Where a register stands in order of value; what is no number comes last.
pub fn order(format: &Format, bits: u64) -> i128 {
    match format.sign {
        SignBit::TwosComplement => number(format, bits).unwrap_or(0),
        _ if format.exponent_bits == 0 => bits.into(),
        _ => rank(format, bits).unwrap_or(i128::MAX),
    }
}

/// Some registers of a format of many bits.
fn few(format: &Format) -> Vec<u64> {
    if format.exponent_bits == 0 {
        let top = ones(format.width());
        let half = top / 2;
        return vec![
            0,
            1,
            2,
            3,
            5,
            100,
            half - 1,
            half,
            half + 1,
            half + 2,
            top - 2,
            top - 1,
            top,
        ];
    }
    let one = (bias(format) as u64) << format.fraction_bits;
    let field = 1 << format.fraction_bits;
    let magnitudes = [
        0,
        1,
        one,
        one + 1,
        one + field,
        one + field / 2,
        one - field,
        one - 4 * field,
        one + 3 * field,
    ];
    let sign = 1 << (format.width() - 1);
    magnitudes
        .iter()
        .flat_map(|bits| {
            [
                *bits << format.dropped_bits,
                *bits << format.dropped_bits | sign,
            ]
        })
        .collect()
}

impl Group {
    /// A domain at random for operands of these formats, with at most so many inputs.
    pub fn draw(rng: &mut ChaCha8Rng, header: &Header, most: usize) -> Option<Group> {
        let signature = signature(header)?;
        let mut clauses = Vec::new();
        let everything = rng.random_ratio(1, 6);
        if !everything && rng.random_ratio(4, 5) {
            clauses.push(clause("all", Predicate::Finite));
        }
        if !everything {
            for _ in 0..rng.random_range(0..=3) {
                clauses.extend(assumption(rng, &signature));
            }
        }
        if signature.scales.is_some() {
            for row in ["sa", "sb"] {
                let low = rng.random_range(-2..=1);
                let predicate = Predicate::Exponent(low, low + rng.random_range(0..=1));
                clauses.push(clause(row, predicate));
            }
        }
        // Wide operands have few numbers in a domain that is gone through.
        let is_cut = !everything || rng.random();
        for (place, format) in places(&signature) {
            let is_wide = format.width() > 8 && admitted(&clauses, place, &format).len() > 1;
            if is_wide && is_cut && header.c.is_some() {
                let bits = *few(&format).choose(rng)?;
                clauses.push(of_place(place, Predicate::Is(bits)));
            }
        }
        if is_cut {
            loop {
                let rows = rows(&clauses, &signature, header);
                let lengths = rows.iter().map(|(.., all)| all.len());
                let count = lengths.fold(1, usize::saturating_mul);
                if count <= most {
                    break;
                }
                let (place, format, all) = rows.iter().max_by_key(|(.., all)| all.len())?;
                clauses.push(of_place(*place, narrower(rng, format, all)));
            }
        }
        Group::of(
            rng,
            header,
            text(&clauses),
            rows(&clauses, &signature, header),
            most,
        )
    }

    /// All inputs of a domain for operands of these formats, if it can be a domain of theirs.
    pub fn parse(
        rng: &mut ChaCha8Rng,
        header: &Header,
        domain: &str,
        most: usize,
    ) -> Option<Group> {
        let signature = signature(header)?;
        let clauses = parsed(domain, &signature)?;
        let rows = rows(&clauses, &signature, header);
        Group::of(rng, header, domain.into(), rows, most)
    }

    fn of(
        rng: &mut ChaCha8Rng,
        header: &Header,
        domain: String,
        admitted: Vec<(Place, Format, Vec<u64>)>,
        most: usize,
    ) -> Option<Group> {
        let signature = signature(header)?;
        let count = admitted
            .iter()
            .try_fold(1usize, |all, (.., row)| all.checked_mul(row.len()));
        let count = count.unwrap_or(usize::MAX);
        if count == 0 {
            return None;
        }
        let is_wide =
            |(_, format, row): &(Place, Format, Vec<u64>)| format.width() > 8 && row.len() > 1;
        let is_complete = count <= most && (header.c.is_none() || !admitted.iter().any(is_wide));
        let data: Vec<Vec<Datum>> = admitted
            .iter()
            .map(|(_, format, row)| row.iter().map(|bits| datum(format, *bits)).collect())
            .collect();
        let mut group = Group {
            signature,
            domain,
            admitted,
            inputs: Vec::new(),
            is_complete,
            is_finite: Vec::new(),
            exact: Vec::new(),
        };
        let mut digits = vec![0; data.len()];
        for number in 0..count.min(most) {
            let mut rest = number;
            for (digit, row) in digits.iter_mut().zip(&data) {
                *digit = match count <= most {
                    true => rest % row.len(),
                    false => rng.random_range(0..row.len()),
                };
                rest /= row.len();
            }
            let mut all = group
                .admitted
                .iter()
                .zip(&digits)
                .map(|((.., row), digit)| row[*digit]);
            let inputs: Inputs =
                Inputs::zero(&signature).map(&signature, |_, _| all.next().unwrap());
            let held: Vec<Datum> = data
                .iter()
                .zip(&digits)
                .map(|(row, digit)| row[*digit])
                .collect();
            let finite: Option<Vec<Finite>> = held
                .iter()
                .map(|datum| match datum {
                    Datum::Finite(x) => Some(*x),
                    _ => None,
                })
                .collect();
            group.inputs.push(inputs);
            group.is_finite.push(finite.is_some());
            group
                .exact
                .push(finite.and_then(|finite| exact(&signature, &finite)));
        }
        Some(group)
    }

    /// What is exact of other inputs of the same formats.
    pub fn sum_of(&self, inputs: &Inputs) -> Option<Exact> {
        let all: Option<Vec<Finite>> = inputs
            .each(&self.signature)
            .map(|(format, bits)| match datum(&format, *bits) {
                Datum::Finite(x) => Some(x),
                _ => None,
            })
            .collect();
        exact(&self.signature, &all?)
    }

    /// How far apart in the list inputs are that differ in one operand by one place.
    pub fn stride(&self, operand: usize) -> usize {
        self.admitted[..operand]
            .iter()
            .map(|(.., row)| row.len())
            .product()
    }

    /// The place of an operand's register among those that the domain admits.
    pub fn digit(&self, operand: usize, input: usize) -> usize {
        input / self.stride(operand) % self.admitted[operand].2.len()
    }
}

/// The sum of the terms, from operands in the order of their rows.
fn exact(signature: &Signature, all: &[Finite]) -> Option<Exact> {
    let count = signature.products as usize;
    let c = all[2 * count];
    let own = product(&[c])?;
    let mut exact = Exact {
        sum: own,
        magnitudes: own.abs(),
        largest: (!c.is_zero()).then_some(c.exponent),
    };
    let scales = signature.scale_count() as usize;
    for k in 0..count {
        let mut factors = vec![all[k], all[count + k]];
        if let Some(blocks) = signature.scales {
            let block = k / blocks.block as usize;
            let scales = [0, scales].map(|side| all[2 * count + 1 + side + block]);
            factors.extend(scales);
        }
        let term = product(&factors)?;
        exact.sum = exact.sum.checked_add(term)?;
        exact.magnitudes = exact.magnitudes.checked_add(term.abs())?;
        if term != 0 {
            let exponent = factors.iter().map(|x| x.exponent).sum();
            exact.largest = exact.largest.max(Some(exponent));
        }
    }
    Some(exact)
}

fn clause(row: &'static str, predicate: Predicate) -> Clause {
    Clause {
        row,
        range: None,
        predicate,
    }
}

fn of_place((row, index): Place, predicate: Predicate) -> Clause {
    let range = (row != "c").then_some((index, index + 1));
    Clause {
        row,
        range,
        predicate,
    }
}

fn signature(header: &Header) -> Option<Signature> {
    let text = Text {
        header: header.clone(),
        steps: Vec::new(),
    };
    let probe = text.to_string().replace(
        " }",
        &format!(" d = round(zero() to {0}) to {0} }}", header.d),
    );
    let description =
        mmasmt_core::machines::algorithms::descriptions::Description::parse(&probe).ok()?;
    use mmasmt_core::machines::algorithms::DotAdd;
    Some(description.signature())
}

fn rows(
    clauses: &[Clause],
    signature: &Signature,
    header: &Header,
) -> Vec<(Place, Format, Vec<u64>)> {
    let each = places(signature).into_iter();
    each.map(|(place, format)| {
        let all = match place.0 == "c" && header.c.is_none() {
            // No unit reads it.
            true => admitted_zero(clauses, place, &format),
            false => admitted(clauses, place, &format),
        };
        (place, format, all)
    })
    .collect()
}

/// A clause that admits fewer registers of an operand.
fn narrower(rng: &mut ChaCha8Rng, format: &Format, all: &[u64]) -> Predicate {
    let one = *all.choose(rng).unwrap();
    let chosen = match format.exponent_bits {
        0 => {
            let low = rng.random_range(-4..=0);
            Predicate::From(low, low + rng.random_range(2..=12))
        }
        _ => {
            let low = rng.random_range(-2..=0);
            match rng.random_range(0..4) {
                0 => Predicate::Bits(rng.random_range(1..=2)),
                1 => Predicate::Exponent(low, low + rng.random_range(0..=2)),
                2 => Predicate::Positive,
                _ => Predicate::Is(one),
            }
        }
    };
    let left = all
        .iter()
        .filter(|bits| admits(&chosen, format, **bits))
        .count();
    match left > 0 && left < all.len() {
        true => chosen,
        false => Predicate::Is(one),
    }
}

/// Something that is assumed of operands, of one place or of a row.
fn assumption(rng: &mut ChaCha8Rng, signature: &Signature) -> Option<Clause> {
    let all: Vec<_> = places(signature)
        .into_iter()
        .filter(|((row, _), _)| !row.starts_with('s'))
        .collect();
    let ((row, index), format) = *all.choose(rng)?;
    let low = rng.random_range(1 - bias_of(&format)..=bias_of(&format).min(3));
    let predicate = match (format.exponent_bits, rng.random_range(0..12)) {
        (0, 0) => Predicate::Zero,
        (0, 1) => Predicate::Nonzero,
        (0, 2 | 3) => Predicate::Positive,
        (0, 4) => Predicate::Negative,
        (0, _) => {
            let low = rng.random_range(-8..=4);
            Predicate::From(low, low + rng.random_range(0..=10))
        }
        _ if signature.is_integer() => return None,
        (_, 0 | 1) => Predicate::Normal,
        (_, 2) => Predicate::Subnormal,
        (_, 3 | 4) => Predicate::Zero,
        (_, 5) => Predicate::Nonzero,
        (_, 6 | 7) => Predicate::Positive,
        (_, 8) => Predicate::Negative,
        (_, 9 | 10) => Predicate::Exponent(low, low + rng.random_range(0..=3)),
        (_, _) => Predicate::Bits(rng.random_range(1..=format.precision())),
    };
    if format.sign != SignBit::Signed && format.exponent_bits > 0 {
        return None;
    }
    let range = (row != "c" && rng.random_ratio(1, 3)).then_some((index, index + 1));
    Some(Clause {
        row,
        range,
        predicate,
    })
}

fn bias_of(format: &Format) -> i64 {
    match format.exponent_bits {
        0 => 1,
        _ => bias(format).min(8),
    }
}

/// The clauses of a text as they are written here.
fn parsed(domain: &str, signature: &Signature) -> Option<Vec<Clause>> {
    let count = signature.products as usize;
    let one = |text: &str| -> Option<Clause> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (operand, rest) = words.split_first()?;
        let (row, range) = match operand.split_once('[') {
            None => (*operand, None),
            Some((row, index)) => {
                let index: usize = index.trim_end_matches(']').parse().ok()?;
                if index >= count {
                    return None;
                }
                (row, Some((index, index + 1)))
            }
        };
        let row = ["a", "b", "c", "sa", "sb", "all"]
            .into_iter()
            .find(|known| *known == row)?;
        if row.starts_with('s') && signature.scales.is_none() {
            return None;
        }
        let format = places(signature)
            .into_iter()
            .find(|((other, _), _)| *other == row);
        let predicate = match rest {
            ["finite"] => Predicate::Finite,
            ["normal"] => Predicate::Normal,
            ["subnormal"] => Predicate::Subnormal,
            ["zero"] => Predicate::Zero,
            ["nonzero"] => Predicate::Nonzero,
            ["positive"] => Predicate::Positive,
            ["negative"] => Predicate::Negative,
            ["bits", count] => Predicate::Bits(count.parse().ok()?),
            ["exp" | "from", range] => {
                let (low, high) = range.split_once("..")?;
                let (low, high) = (low.parse().ok()?, high.parse().ok()?);
                match rest[0] {
                    "exp" => Predicate::Exponent(low, high),
                    _ => Predicate::From(low, high),
                }
            }
            ["=", bits] => {
                let bits = u64::from_str_radix(bits.trim_start_matches("0x"), 16).ok()?;
                let (_, format) = format?;
                (bits <= ones(format.width())).then_some(Predicate::Is(bits))?
            }
            _ => return None,
        };
        if let Some((_, format)) = format {
            let of_floats = matches!(
                predicate,
                Predicate::Normal
                    | Predicate::Subnormal
                    | Predicate::Bits(_)
                    | Predicate::Exponent(..)
            );
            if of_floats && format.exponent_bits == 0 {
                return None;
            }
        }
        Some(Clause {
            row,
            range,
            predicate,
        })
    };
    domain
        .split(',')
        .filter(|text| !text.trim().is_empty())
        .map(one)
        .collect()
}
