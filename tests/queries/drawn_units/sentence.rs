//! What properties say of a unit, by their sentences, over numbers in fixed point.

use super::fixed::{Held, approximate, has, held, last_place, rounded};
use super::group::{Exact, Group};
use crate::common::exact::{Datum, bias, greatest_code, register};
use crate::common::quiet::caught;
use crate::common::toy::Text;
use mmasmt_core::machines::algorithms::{DotAdd, Inputs};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, Rounding, SignBit};

/// A unit with its results for all inputs of a group.
pub struct Subject {
    pub text: Text,
    pub model: Model,
    pub results: Vec<u64>,
    pub held: Vec<Option<Held>>,
}

/// What an error is counted in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    Ulp,
    Max,
    One,
    Sum,
    Magnitudes,
}

/// A property with what its name says.
#[derive(Clone, Debug)]
pub enum Sentence {
    Exact,
    NoOverflow,
    ExactSums,
    FiniteResults,
    Rounds(Rounding),
    Faithful,
    Error(f64, Unit),
    Recovers(Format),
    AccumulatesIn(Format),
    RoundsPartialSums(Rounding),
    SubnormalInputs,
    SubnormalResults,
    OrderIndependent,
    FactorIndependent,
    MonotoneC,
    MonotoneProducts,
    SignSymmetric,
    NoNegativeZero,
    CanonicalNan,
    /// The claim's own replay says it.
    Replayed,
}

/// An input that violates a sentence, and how.
#[derive(Clone, Debug)]
pub struct Found {
    pub input: usize,
    pub shown: String,
}

impl Subject {
    /// A unit with its results; none if it has other operands, and where it panicked if it did.
    pub fn new(text: Text, group: &Group) -> Result<Option<Subject>, String> {
        let Some(model) = text.built()? else {
            return Ok(None);
        };
        if model.signature() != group.signature {
            return Ok(None);
        }
        let results = caught(|| -> Vec<u64> {
            let mut simulator = model.simulator();
            let inputs = group.inputs.iter();
            inputs.map(|inputs| simulator.run(inputs)).collect()
        })?;
        let d = group.signature.d;
        let held = results.iter().map(|bits| held(&d, *bits)).collect();
        Ok(Some(Subject {
            text,
            model,
            results,
            held,
        }))
    }
}

/// A subject beside the operands that claims are about.
pub struct Judge<'x> {
    pub group: &'x Group,
    pub subject: &'x Subject,
    /// Whether `c` counts: claims on a model that reads no `c` are about inputs whose `c` is +0.
    pub reads_c: bool,
}

impl<'x> Judge<'x> {
    pub fn new(group: &'x Group, subject: &'x Subject) -> Self {
        let reads_c = subject.model.reads_c();
        Judge {
            group,
            subject,
            reads_c,
        }
    }

    /// The inputs that claims are about.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        let inputs = 0..self.group.inputs.len();
        inputs.filter(|index| self.reads_c || self.group.inputs[*index].c == 0)
    }

    fn exact(&self, input: usize) -> Option<Exact> {
        self.group.exact[input]
    }

    fn run(&self, inputs: &Inputs) -> u64 {
        self.subject.model.simulator().run(inputs)
    }

    fn finite(&self, input: usize) -> Option<i128> {
        match self.subject.held[input] {
            Some(Held::Number(x)) => Some(x),
            _ => None,
        }
    }

    /// An input that violates the sentence, if there is one.
    pub fn violation(&self, sentence: &Sentence) -> Option<Found> {
        let mut inputs = self.inputs();
        inputs.find_map(|input| {
            let shown = self.is_violated(sentence, input)?;
            Some(Found { input, shown })
        })
    }

    fn is_violated(&self, sentence: &Sentence, input: usize) -> Option<String> {
        let d = &self.group.signature.d;
        let own = self.subject.held[input]?;
        let sum = || Some(self.exact(input)?.sum);
        let of_sum = |is_wrong: bool, expected: Option<Held>| {
            let sum = approximate(self.exact(input)?.sum);
            is_wrong.then(|| format!("exact sum {sum}, expected {}", shown(expected)))
        };
        match sentence {
            Sentence::Exact => of_sum(own != Held::Number(sum()?), None),
            Sentence::NoOverflow => of_sum(!has(d, sum()?)?, None),
            Sentence::ExactSums => of_sum(has(d, sum()?)? && own != Held::Number(sum()?), None),
            Sentence::FiniteResults => {
                let is_wrong = self.group.is_finite[input] && !matches!(own, Held::Number(_));
                is_wrong.then(|| "not finite".into())
            }
            Sentence::Rounds(rounding) => {
                self.finite(input)?;
                let expected = rounded(d, *rounding, sum()?)?;
                of_sum(own != expected, Some(expected))
            }
            Sentence::Faithful => {
                self.finite(input)?;
                let down = rounded(d, Rounding::Rd, sum()?)?;
                let up = rounded(d, Rounding::Ru, sum()?)?;
                of_sum(own != down && own != up, Some(down))
            }
            Sentence::Recovers(format) => {
                self.finite(input)?;
                let expected = rounded(format, Rounding::Rne, sum()?)?;
                of_sum(own != expected, Some(expected))
            }
            Sentence::Error(bound, unit) => {
                let (error, unit) = self.error(*unit, input)?;
                let is_wrong = error > bound * unit * (1.0 + 1e-12);
                is_wrong.then(|| format!("an error of {error} where {} is allowed", bound * unit))
            }
            Sentence::AccumulatesIn(format) => {
                let fits = self
                    .partial_sums(input)?
                    .into_iter()
                    .all(|sum| has(format, sum) == Some(true));
                of_sum(fits && has(d, sum()?)? && own != Held::Number(sum()?), None)
            }
            Sentence::RoundsPartialSums(rounding) => {
                self.exact(input)?;
                let expected = self.in_order(*rounding, input)?;
                of_sum(own != expected, Some(expected))
            }
            Sentence::NoNegativeZero => {
                let is_wrong = matches!(
                    super::fixed::datum(d, self.subject.results[input]),
                    Datum::Finite(x) if x.negative && x.significand == 0
                );
                is_wrong.then(|| "-0".into())
            }
            Sentence::CanonicalNan => {
                let code = d.nan(self.subject.model.algorithm().nan());
                let is_wrong = own == Held::Nan && self.subject.results[input] != code;
                is_wrong.then(|| format!("the NaN is not {code:#x}"))
            }
            Sentence::OrderIndependent => self.depends_on_order(input),
            Sentence::FactorIndependent => self.depends_on_factors(input),
            Sentence::SignSymmetric => self.is_asymmetric(input),
            Sentence::MonotoneC => {
                let c = self.operand("c", 0)?;
                self.falls(input, c, true)
            }
            Sentence::MonotoneProducts => self.falls_in_products(input),
            Sentence::SubnormalInputs => self.drops_subnormal_inputs(input),
            Sentence::SubnormalResults => self.drops_subnormal_results(input),
            Sentence::Replayed => None,
        }
    }

    /// The error of a finite result for finite operands, and the unit that it is counted in.
    pub fn error(&self, unit: Unit, input: usize) -> Option<(f64, f64)> {
        let exact = self.exact(input)?;
        let error = approximate((self.finite(input)? - exact.sum).abs());
        let unit = match unit {
            Unit::Ulp => last_place(&self.group.signature.d, self.subject.results[input]),
            Unit::Max => exact
                .largest
                .map_or(0.0, |exponent| 2f64.powi(exponent as i32)),
            Unit::One => 1.0,
            Unit::Sum => approximate(exact.sum.abs()),
            Unit::Magnitudes => approximate(exact.magnitudes),
        };
        Some((error, unit))
    }

    /// `c`, and it with the first products.
    fn partial_sums(&self, input: usize) -> Option<Vec<i128>> {
        let mut part = self.group.inputs[input].clone();
        let count = part.a.len();
        let mut sums = Vec::new();
        for kept in (0..=count).rev() {
            for row in [&mut part.a, &mut part.b] {
                row[kept..].fill(0);
            }
            sums.push(self.group.sum_of(&part)?.sum);
        }
        sums.reverse();
        Some(sums)
    }

    /// `c` plus the products in order, each product and each sum rounded.
    fn in_order(&self, rounding: Rounding, input: usize) -> Option<Held> {
        let d = &self.group.signature.d;
        let sums = self.partial_sums(input)?;
        let mut sum = sums[0];
        for pair in sums.windows(2) {
            let product = rounded(d, rounding, pair[1] - pair[0])?;
            let (Held::Number(product), _) = (product, ()) else {
                return Some(Held::Nan);
            };
            match rounded(d, rounding, sum + product)? {
                Held::Number(next) => sum = next,
                other => return Some(other),
            }
        }
        Some(Held::Number(sum))
    }

    fn other(&self, inputs: &Inputs) -> (u64, Option<Held>) {
        let result = self.run(inputs);
        (result, held(&self.group.signature.d, result))
    }

    fn line(&self, inputs: &Inputs, result: u64) -> String {
        format!("{} gives {result:x}", inputs.to_line(&self.group.signature))
    }

    fn depends_on_order(&self, input: usize) -> Option<String> {
        let inputs = &self.group.inputs[input];
        let orders: &[&[usize]] = match inputs.a.len() {
            2 => &[&[1, 0]],
            3 => &[&[1, 0, 2], &[0, 2, 1], &[2, 1, 0], &[1, 2, 0], &[2, 0, 1]],
            _ => &[],
        };
        let own = self.subject.results[input];
        orders.iter().find_map(|order| {
            let row = |row: &[u64]| order.iter().map(|&k| row[k]).collect();
            let other = Inputs {
                a: row(&inputs.a),
                b: row(&inputs.b),
                ..inputs.clone()
            };
            let (result, _) = self.other(&other);
            (!self.subject.model.accepts(own, result)).then(|| self.line(&other, result))
        })
    }

    fn depends_on_factors(&self, input: usize) -> Option<String> {
        self.exact(input)?;
        let signature = &self.group.signature;
        let [a, b] = [&signature.a, &signature.b];
        let mut other = self.group.inputs[input].clone();
        let one = super::fixed::number(b, b.one())?;
        for (x, y) in other.a.iter_mut().zip(&mut other.b) {
            let [of_x, of_y] =
                [(a, *x), (b, *y)].map(|(format, bits)| super::fixed::number(format, bits));
            let product = super::fixed::approximate(of_x?) * super::fixed::approximate(of_y?);
            let codes = 0..=greatest_code(a);
            let wanted = codes.into_iter().find(|code| {
                let bits = register(a, false, *code);
                super::fixed::number(a, bits).map(super::fixed::approximate) == Some(product.abs())
            });
            if let Some(code) = wanted {
                *x = register(a, product < 0.0, code);
                *y = b.one();
            }
        }
        debug_assert!(one > 0);
        let (result, held) = self.other(&other);
        let is_same = held == self.subject.held[input];
        (!is_same).then(|| self.line(&other, result))
    }

    fn is_asymmetric(&self, input: usize) -> Option<String> {
        let signature = &self.group.signature;
        let opposite = |format: &Format, bits: u64| {
            let flipped = bits ^ 1 << (format.width() - 1);
            let is_negated = |held: Held, other: Held| match (held, other) {
                (Held::Number(x), Held::Number(y)) => x == -y,
                (Held::Infinite(x), Held::Infinite(y)) => x != y,
                (one, other) => one == other,
            };
            let [own, other] = [bits, flipped].map(|bits| held(format, bits));
            // A number too small for the grid of this judge has its sign in the first bit.
            match own
                .zip(other)
                .is_none_or(|(own, other)| is_negated(own, other))
            {
                true => flipped,
                false => bits,
            }
        };
        let mut other = self.group.inputs[input].clone();
        other.c = opposite(&signature.c, other.c);
        other
            .a
            .iter_mut()
            .for_each(|a| *a = opposite(&signature.a, *a));
        let (result, held) = self.other(&other);
        let negated = match self.subject.held[input]? {
            Held::Number(x) => Held::Number(-x),
            Held::Infinite(negative) => Held::Infinite(!negative),
            Held::Nan => Held::Nan,
        };
        (held? != negated).then(|| self.line(&other, result))
    }

    fn operand(&self, row: &str, index: usize) -> Option<usize> {
        let operands = &self.group.admitted;
        operands
            .iter()
            .position(|(place, ..)| *place == (row, index))
    }

    /// Whether the result falls, or rises, where an operand steps to the next number of the domain.
    fn falls(&self, input: usize, operand: usize, rises: bool) -> Option<String> {
        if !self.group.is_complete {
            return None;
        }
        let (_, format, row) = &self.group.admitted[operand];
        let digit = self.group.digit(operand, input);
        let next = row.get(digit + 1)?;
        let numbers = [row[digit], *next].map(|bits| held(format, bits));
        if numbers
            .iter()
            .any(|number| matches!(number, None | Some(Held::Nan)))
        {
            return None;
        }
        let other = input + self.group.stride(operand);
        let [before, after] = match rises {
            true => [input, other],
            false => [other, input],
        };
        let is_fall = greater(self.subject.held[before]?, self.subject.held[after]?);
        let line = self.group.inputs[other].to_line(&self.group.signature);
        is_fall.then(|| format!("{line} gives {:x}", self.subject.results[other]))
    }

    fn falls_in_products(&self, input: usize) -> Option<String> {
        let inputs = &self.group.inputs[input];
        let signature = &self.group.signature;
        let sign = |format: &Format, bits: u64| match held(format, bits) {
            Some(Held::Number(x)) if x != 0 => Some(x > 0),
            Some(Held::Infinite(negative)) => Some(!negative),
            _ => None,
        };
        (0..inputs.a.len()).find_map(|k| {
            let of_a = sign(&signature.b, inputs.b[k])
                .and_then(|rises| self.falls(input, self.operand("a", k)?, rises));
            let of_b = || {
                sign(&signature.a, inputs.a[k])
                    .and_then(|rises| self.falls(input, self.operand("b", k)?, rises))
            };
            of_a.or_else(of_b)
        })
    }

    /// The first product alone, or `c` alone.
    fn only(&self, input: usize, has_product: bool) -> Inputs {
        let inputs = &self.group.inputs[input];
        let mut only = inputs.clone();
        let kept = usize::from(has_product);
        only.a[kept..].fill(0);
        only.b[kept..].fill(0);
        if has_product {
            only.c = 0;
        }
        only
    }

    fn drops_subnormal_inputs(&self, input: usize) -> Option<String> {
        let signature = &self.group.signature;
        let inputs = &self.group.inputs[input];
        let factor =
            is_subnormal(&signature.a, inputs.a[0]) || is_subnormal(&signature.b, inputs.b[0]);
        let lost = |only: Inputs| {
            let sum = self.group.sum_of(&only)?.sum;
            let (result, held) = self.other(&only);
            let is_lost = has(&signature.d, sum)? && held? != Held::Number(sum);
            is_lost.then(|| self.line(&only, result))
        };
        let of_product = factor.then(|| lost(self.only(input, true))).flatten();
        let is_addend = is_subnormal(&signature.c, inputs.c);
        of_product.or_else(|| is_addend.then(|| lost(self.only(input, false))).flatten())
    }

    fn drops_subnormal_results(&self, input: usize) -> Option<String> {
        let d = &self.group.signature.d;
        let only = self.only(input, true);
        let sum = self.group.sum_of(&only)?.sum;
        let least = super::fixed::number(d, register(d, false, 1 << d.fraction_bits))?;
        if sum == 0 || sum.abs() >= least {
            return None;
        }
        let (result, held) = self.other(&only);
        let near = [Rounding::Rd, Rounding::Ru].map(|mode| rounded(d, mode, sum));
        let is_near = near.contains(&held);
        (!is_near).then(|| self.line(&only, result))
    }
}

fn shown(held: Option<Held>) -> String {
    match held {
        None => "it".into(),
        Some(Held::Number(x)) => approximate(x).to_string(),
        Some(other) => format!("{other:?}"),
    }
}

fn greater(left: Held, right: Held) -> bool {
    match (left, right) {
        (Held::Nan, _) | (_, Held::Nan) => false,
        (Held::Number(x), Held::Number(y)) => x > y,
        (Held::Infinite(negative), right) => !negative && right != Held::Infinite(false),
        (_, Held::Infinite(negative)) => negative,
    }
}

fn is_subnormal(format: &Format, bits: u64) -> bool {
    if format.exponent_bits == 0 || format.sign != SignBit::Signed {
        return false;
    }
    debug_assert!(bias(format) > 0);
    match super::fixed::datum(format, bits) {
        Datum::Finite(x) => x.significand >> format.fraction_bits == 0 && x.significand != 0,
        _ => false,
    }
}
