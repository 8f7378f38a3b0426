//! Whether operands violate a property, as its sentence in `PROPERTIES` says, over exact rationals.
//!
//! Nothing of `mmasmt_questions::claims::property` is used: a model is evaluated, its stages are read where the
//! sentence speaks of them, and all else is from the definitions.

use super::domain::{Domain, Place};
use super::number::{
    BigRational, Held, exponent, greater, has, held, last_place, power, rounded, same, value, whole,
};
use crate::common::exact::{bias, decode, greatest_code, register};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{DotAdd, FusedStages, Signature, Step};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Big, Concrete};
use mmasmt_numbers::float::{Format, Rounding};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

#[derive(Clone, Copy, Debug)]
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
    Equal(Model),
    ExactProducts,
    ExactSums,
    FiniteResults,
    Rounds(Rounding),
    Faithful,
    Error(BigRational, Unit),
    /// The first of the two models is farther from the exact sum, or from that in f64.
    Farther(Box<[Model; 2]>, bool),
    Recovers(Format),
    AccumulatesIn(Format),
    Aligns(Rounding),
    RoundsPartialSums(Rounding),
    CarryBits(Box<[Model; 2]>),
    SubnormalInputs,
    SubnormalResults,
    OrderIndependent,
    FactorIndependent,
    MonotoneC,
    MonotoneProducts,
    SignSymmetric,
    NoNegativeZero,
    CanonicalNan,
    ZeroPadding(Model),
}

/// How many products all orders of which are gone through.
pub const MOST_ORDERED: usize = 5;

/// A model, the domain, and what its operands are.
pub struct Judge<'x> {
    pub model: &'x Model,
    pub domain: &'x Domain,
    pub signature: Signature,
}

impl<'x> Judge<'x> {
    pub fn new(model: &'x Model, domain: &'x Domain) -> Self {
        Judge {
            model,
            domain,
            signature: model.signature(),
        }
    }

    fn run(&self, inputs: &Inputs) -> u64 {
        self.model.simulator().evaluate(inputs).unwrap()
    }

    fn result(&self, inputs: &Inputs) -> Held {
        held(&self.signature.d, self.run(inputs))
    }

    /// Whether inputs in the domain violate the sentence.
    pub fn is_violated(&self, sentence: &Sentence, inputs: &Inputs) -> bool {
        let d = &self.signature.d;
        match sentence {
            Sentence::Equal(other) => is_other(other, self.model, inputs),
            Sentence::CarryBits(models) => is_other(&models[0], &models[1], inputs),
            Sentence::ZeroPadding(shorter) => {
                let count = shorter.signature().products as usize;
                let (mut padded, mut alone) = (inputs.clone(), inputs.clone());
                for row in [&mut padded.a, &mut padded.b] {
                    row[count..].fill(0);
                }
                alone.a.truncate(count);
                alone.b.truncate(count);
                let scales = shorter.signature().scale_count() as usize;
                alone.a_scales.truncate(scales);
                alone.b_scales.truncate(scales);
                let [long, short] = [
                    self.run(&padded),
                    shorter.simulator().evaluate(&alone).unwrap(),
                ];
                !self.model.accepts(long, short)
            }
            Sentence::ExactProducts => self.has_inexact_product(inputs),
            Sentence::Aligns(rounding) => self.is_cut_otherwise(*rounding, inputs),
            Sentence::ExactSums => self.loses_sum(inputs),
            Sentence::FiniteResults => {
                self.sum(inputs).is_some() && !matches!(self.result(inputs), Held::Number { .. })
            }
            Sentence::Rounds(rounding) => {
                let (Some(sum), result) = (self.sum(inputs), self.result(inputs)) else {
                    return false;
                };
                matches!(result, Held::Number { .. })
                    && !same(&result, &rounded(d, *rounding, &sum))
            }
            Sentence::Faithful => {
                let (Some(sum), result) = (self.sum(inputs), self.result(inputs)) else {
                    return false;
                };
                let next_to = [Rounding::Rd, Rounding::Ru].map(|mode| rounded(d, mode, &sum));
                matches!(result, Held::Number { .. })
                    && !next_to.iter().any(|number| same(&result, number))
            }
            Sentence::Error(bound, unit) => self.is_beyond(bound, *unit, inputs),
            Sentence::Farther(models, in_f64) => self.is_farther(models, *in_f64, inputs),
            Sentence::Recovers(format) => {
                let (Some(sum), result) = (self.sum(inputs), self.result(inputs)) else {
                    return false;
                };
                matches!(result, Held::Number { .. })
                    && !same(&result, &rounded(format, Rounding::Rne, &sum))
            }
            Sentence::AccumulatesIn(format) => {
                let fits = (0..=inputs.a.len()).all(|count| {
                    let part = self.first(count, inputs);
                    self.sum(&part).is_some_and(|sum| has(format, &sum))
                });
                fits && self.loses_sum(inputs)
            }
            Sentence::RoundsPartialSums(rounding) => {
                !same(&self.result(inputs), &self.in_order(d, *rounding, inputs))
            }
            Sentence::SubnormalInputs => {
                let Signature { a, b, c, .. } = &self.signature;
                let product = self.only(Some(0), false, inputs);
                let addend = self.only(None, true, inputs);
                let factor = is_subnormal(a, inputs.a[0]) || is_subnormal(b, inputs.b[0]);
                factor && self.loses_sum(&product)
                    || is_subnormal(c, inputs.c) && self.loses_sum(&addend)
            }
            Sentence::SubnormalResults => {
                let product = self.only(Some(0), false, inputs);
                let Some(sum) = self.sum(&product) else {
                    return false;
                };
                let least = value(d, register(d, false, 1 << d.fraction_bits)).unwrap();
                let next_to = [Rounding::Rd, Rounding::Ru].map(|mode| rounded(d, mode, &sum));
                let result = self.result(&product);
                !sum.is_zero()
                    && sum.abs() < least
                    && !next_to.iter().any(|number| same(&result, number))
            }
            Sentence::OrderIndependent => {
                let own = self.run(inputs);
                permutations(inputs.a.len()).any(|order| {
                    let row = |row: &[u64]| order.iter().map(|&k| row[k]).collect();
                    let other = Inputs {
                        a: row(&inputs.a),
                        b: row(&inputs.b),
                        ..inputs.clone()
                    };
                    !self.model.accepts(own, self.run(&other))
                })
            }
            Sentence::FactorIndependent => {
                self.sum(inputs).is_some()
                    && !same(&self.result(inputs), &self.result(&self.times_one(inputs)))
            }
            Sentence::MonotoneC => self
                .raised_c(inputs)
                .is_some_and(|raised| greater(&self.result(inputs), &self.result(&raised))),
            Sentence::MonotoneProducts => {
                let own = self.result(inputs);
                self.raised_products(inputs).iter().any(|(raised, rises)| {
                    let other = self.result(raised);
                    match rises {
                        true => greater(&own, &other),
                        false => greater(&other, &own),
                    }
                })
            }
            Sentence::SignSymmetric => {
                let mut opposite = inputs.clone();
                opposite.c = opposite_register(&self.signature.c, inputs.c);
                for a in &mut opposite.a {
                    *a = opposite_register(&self.signature.a, *a);
                }
                !same(&negated(&self.result(inputs)), &self.result(&opposite))
            }
            Sentence::NoNegativeZero => match self.result(inputs) {
                Held::Number { value, negative } => value.is_zero() && negative,
                _ => false,
            },
            Sentence::CanonicalNan => {
                let result = self.run(inputs);
                let code = d.nan(self.model.algorithm().nan());
                held(d, result) == Held::Nan && result != code
            }
        }
    }

    /// Whether the property compares the result for inputs in the domain with any other one.
    pub fn compares(&self, sentence: &Sentence, inputs: &Inputs) -> bool {
        match sentence {
            Sentence::OrderIndependent => inputs.a.len() > 1,
            Sentence::MonotoneC => self.raised_c(inputs).is_some(),
            Sentence::MonotoneProducts => !self.raised_products(inputs).is_empty(),
            _ => true,
        }
    }

    /// The exact sum of finite operands.
    fn sum(&self, inputs: &Inputs) -> Option<BigRational> {
        let mut sum = value(&self.signature.c, inputs.c)?;
        for k in 0..inputs.a.len() {
            sum += self.product(k, inputs)?;
        }
        Some(sum)
    }

    /// The exact product of finite factors and of their scales.
    fn product(&self, k: usize, inputs: &Inputs) -> Option<BigRational> {
        let Signature { a, b, scales, .. } = &self.signature;
        let product = value(a, inputs.a[k])? * value(b, inputs.b[k])?;
        let Some(scales) = scales else {
            return Some(product);
        };
        let block = k / scales.block as usize;
        let of_block = [inputs.a_scales[block], inputs.b_scales[block]];
        let [one, other] = of_block.map(|scale| value(&scales.format, scale));
        Some(product * one? * other?)
    }

    /// The sum of the exponents of the scales of a product; none where one is a zero or not finite.
    fn scale_exponent(&self, k: usize, inputs: &Inputs) -> Option<i64> {
        let Some(scales) = self.signature.scales else {
            return Some(0);
        };
        let block = k / scales.block as usize;
        let of = |row: &[u64]| exponent(&scales.format, row[block]);
        Some(of(&inputs.a_scales)? + of(&inputs.b_scales)?)
    }

    fn loses_sum(&self, inputs: &Inputs) -> bool {
        let Some(sum) = self.sum(inputs) else {
            return false;
        };
        let result = self.result(inputs);
        let is_sum = matches!(&result, Held::Number { value, .. } if *value == sum);
        has(&self.signature.d, &sum) && !is_sum
    }

    fn is_beyond(&self, bound: &BigRational, unit: Unit, inputs: &Inputs) -> bool {
        let error = self.error(unit, inputs);
        error.is_some_and(|(error, unit)| error > bound * unit)
    }

    /// The error of a finite result, and the unit that it is compared with.
    pub fn error(&self, unit: Unit, inputs: &Inputs) -> Option<(BigRational, BigRational)> {
        let Signature { a, b, c, d, .. } = &self.signature;
        let result = self.run(inputs);
        let (sum, number) = (self.sum(inputs)?, value(d, result)?);
        let products = inputs.a.iter().zip(&inputs.b).enumerate();
        let products = products.filter_map(|(k, (x, y))| {
            Some(exponent(a, *x)? + exponent(b, *y)? + self.scale_exponent(k, inputs)?)
        });
        let largest = products.chain(exponent(c, inputs.c)).max();
        let unit = match unit {
            Unit::Ulp => power(last_place(d, result)),
            // A bound in units of no term says nothing but that the sum of zeros is zero.
            Unit::Max => largest.map_or(BigRational::zero(), power),
            Unit::One => power(0),
            Unit::Sum => sum.abs(),
            Unit::Magnitudes => {
                let mut magnitudes = self.clone_with_magnitudes(inputs);
                magnitudes.c &= !sign_bit(c);
                self.sum(&magnitudes).unwrap()
            }
        };
        Some(((number - sum).abs(), unit))
    }

    fn is_farther(&self, models: &[Model; 2], in_f64: bool, inputs: &Inputs) -> bool {
        let sum = match in_f64 {
            false => self.sum(inputs),
            true => match self.in_order(&Format::F64, Rounding::Rne, inputs) {
                Held::Number { value, .. } => self.sum(inputs).map(|_| value),
                _ => None,
            },
        };
        let error = |model: &Model| {
            let result = model.simulator().evaluate(inputs).unwrap();
            Some((value(&model.signature().d, result)? - sum.as_ref()?).abs())
        };
        match [error(&models[0]), error(&models[1])] {
            [Some(one), Some(other)] => one > other,
            _ => false,
        }
    }

    /// The factors without their signs.
    fn clone_with_magnitudes(&self, inputs: &Inputs) -> Inputs {
        let mut magnitudes = inputs.clone();
        let Signature { a, b, .. } = &self.signature;
        magnitudes.a.iter_mut().for_each(|x| *x &= !sign_bit(a));
        magnitudes.b.iter_mut().for_each(|x| *x &= !sign_bit(b));
        magnitudes
    }

    /// `c` plus the products in order, each product and each sum rounded to `d`.
    fn in_order(&self, d: &Format, rounding: Rounding, inputs: &Inputs) -> Held {
        let Signature {
            a, b, c, scales, ..
        } = &self.signature;
        let mut sum = held(c, inputs.c);
        for (k, (x, y)) in inputs.a.iter().zip(&inputs.b).enumerate() {
            let mut exact = product(&held(a, *x), &held(b, *y));
            if let Some(scales) = scales {
                let block = k / scales.block as usize;
                for scale in [inputs.a_scales[block], inputs.b_scales[block]] {
                    exact = product(&exact, &held(&scales.format, scale));
                }
            }
            let product = round_held(d, rounding, exact);
            sum = round_held(d, rounding, plus(&sum, &product));
        }
        sum
    }

    /// The first products, and +0 for the others.
    fn first(&self, count: usize, inputs: &Inputs) -> Inputs {
        let mut first = inputs.clone();
        for row in [&mut first.a, &mut first.b] {
            row[count..].fill(0);
        }
        first
    }

    /// One product or none, `c` or not, and +0 for all else; scales stay.
    fn only(&self, product: Option<usize>, addend: bool, inputs: &Inputs) -> Inputs {
        let mut only = Inputs {
            a_scales: inputs.a_scales.clone(),
            b_scales: inputs.b_scales.clone(),
            ..Inputs::zero(&self.signature)
        };
        if let Some(k) = product {
            (only.a[k], only.b[k]) = (inputs.a[k], inputs.b[k]);
        }
        if addend {
            only.c = inputs.c;
        }
        only
    }

    /// Each product that the format of a holds as that number times 1.
    fn times_one(&self, inputs: &Inputs) -> Inputs {
        let Signature { a, b, .. } = &self.signature;
        let mut other = inputs.clone();
        for (x, y) in other.a.iter_mut().zip(&mut other.b) {
            let product = value(a, *x).unwrap() * value(b, *y).unwrap();
            if let Some(code) = code_of(a, &product) {
                *x = register(a, product.is_negative(), code);
                *y = register(b, false, (bias(b) as u64) << b.fraction_bits);
            }
        }
        other
    }

    /// The next greater number in the domain; none where the operand cannot change alone.
    fn next(&self, place: Place, format: &Format, bits: u64) -> Option<u64> {
        let is_free = !self.domain.is_bound(&self.signature, place);
        is_free.then(|| self.domain.next(place, format, bits))?
    }

    fn raised_c(&self, inputs: &Inputs) -> Option<Inputs> {
        let c = self.next(("c", 0), &self.signature.c, inputs.c)?;
        Some(Inputs {
            c,
            ..inputs.clone()
        })
    }

    /// With one factor replaced by the next greater one of the domain, and whether its product
    /// rises by that, not falls.
    fn raised_products(&self, inputs: &Inputs) -> Vec<(Inputs, bool)> {
        let Signature { a, b, .. } = &self.signature;
        let sign = |format: &Format, bits: u64| match held(format, bits) {
            Held::Number { value, .. } if value.is_zero() => None,
            Held::Number { negative, .. } | Held::Infinite { negative } => Some(!negative),
            Held::Nan => None,
        };
        let mut raised = Vec::new();
        for k in 0..inputs.a.len() {
            if let Some(rises) = sign(b, inputs.b[k])
                && let Some(next) = self.next(("a", k), a, inputs.a[k])
            {
                let mut other = inputs.clone();
                other.a[k] = next;
                raised.push((other, rises));
            }
            if let Some(rises) = sign(a, inputs.a[k])
                && let Some(next) = self.next(("b", k), b, inputs.b[k])
            {
                let mut other = inputs.clone();
                other.b[k] = next;
                raised.push((other, rises));
            }
        }
        raised
    }

    /// Each step with the number of its first product.
    fn steps(&self, inputs: &Inputs, mut each: impl FnMut(&Step<Big>, usize)) {
        let (_, stages) = self.model.stages::<Big>(inputs).unwrap();
        let of_link = self.model.operations().unwrap()[0].signature().products as usize;
        let mut seen = 0;
        for step in stages.steps() {
            each(step, seen / of_link * of_link);
            seen += match step {
                Step::Fused(fused) => products_of(fused).len(),
                Step::Rounded {
                    what: "product" | "rounded",
                    ..
                } => 1,
                _ => 0,
            };
        }
    }

    fn has_inexact_product(&self, inputs: &Inputs) -> bool {
        let exact = |k: usize| self.product(k, inputs);
        let mut inexact = false;
        self.steps(inputs, |step, start| match step {
            Step::Fused(fused) => {
                for (index, k) in products_of(fused) {
                    let Some(exact) = exact(start + k) else {
                        continue;
                    };
                    inexact |= term(fused, index) != exact;
                }
            }
            Step::Rounded {
                what: "product" | "rounded",
                index: Some(k),
                format,
                value: register,
            } => {
                if let Some(exact) = exact(start + k) {
                    inexact |= value(format, register.to_u64()) != Some(exact);
                }
            }
            _ => {}
        });
        inexact
    }

    fn is_cut_otherwise(&self, rounding: Rounding, inputs: &Inputs) -> bool {
        let mut wrong = false;
        self.steps(inputs, |step, _| {
            let Step::Fused(fused) = step else { return };
            if products_of(fused).is_empty() {
                return;
            }
            let grid = &fused.grid;
            let largest = fused.max_exponent.to_u64() as i64 + i64::from(grid.exponent_offset);
            let place = power(largest - i64::from(grid.fraction_bits));
            for (index, summand) in fused.terms.iter().enumerate() {
                if summand.special.nan || summand.special.infinite || summand.zero {
                    continue;
                }
                let expected = whole(rounding, &(term(fused, index) / &place));
                wrong |= signed(&fused.aligned[index]) != expected;
            }
        });
        wrong
    }
}

fn is_other(left: &Model, right: &Model, inputs: &Inputs) -> bool {
    let results = [left, right].map(|model| model.simulator().evaluate(inputs).unwrap());
    !left.accepts(results[0], results[1]) && !right.accepts(results[0], results[1])
}

/// The highest bit: of all formats of operands that are no scales it is the sign.
fn sign_bit(format: &Format) -> u64 {
    1 << (format.width() - 1)
}

fn is_subnormal(format: &Format, bits: u64) -> bool {
    let least = value(format, register(format, false, 1 << format.fraction_bits)).unwrap();
    value(format, bits).is_some_and(|value| !value.is_zero() && value.abs() < least)
}

/// The register of the negated number, if the format has it, else of the number.
fn opposite_register(format: &Format, bits: u64) -> u64 {
    let flipped = bits ^ 1 << (format.width() - 1);
    let kept = |other: &Held| match (held(format, bits), other) {
        (Held::Nan, other) => *other == Held::Nan,
        (number, other) => same(&negated(&number), other),
    };
    match kept(&held(format, flipped)) {
        true => flipped,
        false => {
            assert!(kept(&held(format, bits)), "{:?}", decode(format, bits));
            bits
        }
    }
}

fn negated(x: &Held) -> Held {
    match x {
        Held::Number { value, negative } => Held::Number {
            value: -value,
            negative: !negative,
        },
        Held::Infinite { negative } => Held::Infinite {
            negative: !negative,
        },
        Held::Nan => Held::Nan,
    }
}

fn product(x: &Held, y: &Held) -> Held {
    let negative = |x: &Held| match x {
        Held::Number { negative, .. } | Held::Infinite { negative } => *negative,
        Held::Nan => false,
    };
    let sign = negative(x) != negative(y);
    match (x, y) {
        (Held::Nan, _) | (_, Held::Nan) => Held::Nan,
        (Held::Number { value: x, .. }, Held::Number { value: y, .. }) => Held::Number {
            value: x * y,
            negative: sign,
        },
        (Held::Number { value, .. }, _) | (_, Held::Number { value, .. }) if value.is_zero() => {
            Held::Nan
        }
        _ => Held::Infinite { negative: sign },
    }
}

/// The sign of a zero does not matter here.
fn plus(x: &Held, y: &Held) -> Held {
    match (x, y) {
        (Held::Nan, _) | (_, Held::Nan) => Held::Nan,
        (Held::Number { value: x, .. }, Held::Number { value: y, .. }) => {
            let value = x + y;
            let negative = value.is_negative();
            Held::Number { value, negative }
        }
        (Held::Infinite { negative: x }, Held::Infinite { negative: y }) if x != y => Held::Nan,
        (infinite @ Held::Infinite { .. }, _) | (_, infinite) => infinite.clone(),
    }
}

fn round_held(format: &Format, rounding: Rounding, x: Held) -> Held {
    match x {
        Held::Number { value, negative } if value.is_zero() => Held::Number { value, negative },
        Held::Number { value, .. } => rounded(format, rounding, &value),
        other => other,
    }
}

/// The exponent field and fraction of the magnitude of a number, if the format has it; by halves.
fn code_of(format: &Format, number: &BigRational) -> Option<u64> {
    let of = |code| value(format, register(format, false, code)).unwrap();
    let (mut low, mut high) = (0, greatest_code(format));
    while low < high {
        let middle = low + (high - low) / 2;
        match of(middle) < number.abs() {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    (of(low) == number.abs()).then_some(low)
}

/// The places of products among the terms of a sum, and their numbers, by the names of the terms.
fn products_of(fused: &FusedStages<Big>) -> Vec<(usize, usize)> {
    let number = |name: &String| {
        let number = name.strip_prefix("product[")?.strip_suffix(']')?;
        number.parse().ok()
    };
    let names = fused.names.iter().enumerate();
    names
        .filter_map(|(place, name)| Some((place, number(name)?)))
        .collect()
}

/// The number that a term is.
fn term(fused: &FusedStages<Big>, index: usize) -> BigRational {
    let (summand, grid) = (&fused.terms[index], &fused.grid);
    let fraction = grid.term_fraction;
    let exponent = fused.exponents[index].to_u64() as i64 + i64::from(grid.exponent_offset);
    let magnitude = BigInt::from(summand.significand.to_big());
    let magnitude = power(exponent - i64::from(fraction)) * magnitude;
    match summand.special.sign {
        true => -magnitude,
        false => magnitude,
    }
}

/// A register in two's complement.
fn signed(word: &Big) -> BigInt {
    use mmasmt_numbers::bits::Bv;
    let magnitude = BigInt::from(word.to_big());
    match word.msb() {
        true => magnitude - (BigInt::from(1) << word.width()),
        false => magnitude,
    }
}

/// All orders of a few things.
fn permutations(count: usize) -> impl Iterator<Item = Vec<usize>> {
    assert!(count <= MOST_ORDERED, "{count} products");
    (0..(1..=count).product::<usize>()).map(move |mut number| {
        let mut left: Vec<usize> = (0..count).collect();
        let mut order = Vec::new();
        for base in (1..=count).rev() {
            order.push(left.remove(number % base));
            number /= base;
        }
        order
    })
}
