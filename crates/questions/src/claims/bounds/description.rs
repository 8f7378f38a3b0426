//! Bounds of described units: a rule for each step of a description.
//!
//! Every number and register that is made of products and of `c` stands for the exact sum of these.
//! It has two amounts, each with a multiple of |c|, a multiple of the sum P of the magnitudes of its
//! own products, and an absolute part:
//!
//! - its *error*: the distance from the exact sum;
//! - its *reach*: a bound of 2^e, where e is the exponent by which it is compared and aligned. For a
//!   normal number, 2^e is at most its magnitude. Subnormal numbers, and zeros under some rules, have
//!   an exponent that is greater than that of their value: it is at most some floor, or it exceeds the
//!   exponent of the value by at most some distance.
//!
//! *Two sums of different products* together have the greater multiple of P, and the sum of the
//! absolute parts of their errors. The greatest exponent has the greater absolute part of the reaches.
//!
//! *Alignment.* A term that keeps F bits below the greatest exponent e loses less than 2^(e-F), or
//! half of that if it is rounded to nearest. The term with the exponent e loses nothing if it has at
//! most F fraction bits. So each term may be the one that sets e; the others then lose in proportion
//! to its reach.
//!
//! *Sums in one format, to nearest.* Let x be a register of the format of the result with an error of at
//! most α times the magnitudes T of its terms, and y another one with β and U, or an exact product with
//! β = 0. The error of their rounded sum is at most (α + β + u)(T + U), u half a last place of 1: the
//! rounding is off by at most u times the sum and by at most |y| (and |x|), as x (and y) could be the
//! result. If U ≤ u T, it is at most |y| ≤ (1 + β) U, or, where u α ≤ β (1 - u), u times the sum is
//! enough; if neither U ≤ u T nor T ≤ u U, then u α T ≤ α U and u β U ≤ β T. So n additions have an error of at most n u, in any order (Jeannerod and Rump 2013).
//!
//! *Rounding.* A result differs from what is rounded by at most one last place, or half of one to
//! nearest; below the normal numbers the last place is that of the least normal number. A product
//! whose significand fits is exact unless it underflows. A sum of two numbers of one format never
//! underflows: it is a multiple of the format's least number. A flushed result was below the least
//! normal number.
//!
//! Each product and `c` may count once: a description that uses a sum twice has no bound.

use super::bound::{ErrorBound, rounded_up, scaled};
use super::factors::{Factor, Factors, Underflow, low_products};
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Aligned, Cut, Cutting, Description, Extent, Fuse, Kind, Negate, Program, Round, Slot,
    Source, SumZeros, Term, Zeros,
};
use mmasmt_core::machines::algorithms::{DotAdd, FlushedResults, Operand};
use mmasmt_core::numbers::float::{Dyadic, Format, Rounding};

/// The bound of the error of a unit; `None` if a step has no rule.
pub(super) fn of_description(description: &Description, factors: Factors) -> Option<ErrorBound> {
    let program = description.program();
    let signature = description.signature();
    let mut walk = Walk {
        program,
        factors,
        block: signature.scales.map_or(1, |scales| scales.block as usize),
        values: Vec::with_capacity(program.nodes.len()),
        is_used: vec![false; program.nodes.len()],
        pairs: vec![false; signature.products as usize],
    };
    for node in &program.nodes {
        let value = walk.value(&node.action, &node.kind);
        walk.values.push(value.unwrap_or(Value::Unknown));
    }
    let result = walk.sum(program.result)?;
    let scales = signature.scales.is_some();
    let is_whole = result.has_c && walk.pairs.iter().all(|is_used| *is_used);
    (is_whole && result.scaled == [scales; 2]).then(|| result.bound())
}

/// A bound: at most `of_c |c| + of_products P + absolute`.
#[derive(Clone)]
struct Amount {
    of_c: Dyadic,
    of_products: Dyadic,
    absolute: Dyadic,
}

fn greater(x: &Dyadic, y: &Dyadic) -> Dyadic {
    if y.magnitude_exceeds(x) {
        y.clone()
    } else {
        x.clone()
    }
}

impl Amount {
    fn of(of_c: u64, of_products: u64) -> Amount {
        Amount {
            of_c: scaled(of_c, 0),
            of_products: scaled(of_products, 0),
            absolute: scaled(0, 0),
        }
    }

    fn none() -> Amount {
        Amount::of(0, 0)
    }

    fn plus(&self, other: &Amount) -> Amount {
        Amount {
            of_c: self.of_c.plus(&other.of_c),
            of_products: self.of_products.plus(&other.of_products),
            absolute: self.absolute.plus(&other.absolute),
        }
    }

    fn times(&self, factor: &Dyadic) -> Amount {
        Amount {
            of_c: self.of_c.times(factor),
            of_products: self.of_products.times(factor),
            absolute: self.absolute.times(factor),
        }
    }

    /// The amount of two sums of different products, whose absolute parts are joined by `absolute`.
    fn joined(&self, other: &Amount, absolute: fn(&Dyadic, &Dyadic) -> Dyadic) -> Amount {
        Amount {
            of_c: greater(&self.of_c, &other.of_c),
            of_products: greater(&self.of_products, &other.of_products),
            absolute: absolute(&self.absolute, &other.absolute),
        }
    }

    /// The amount with an absolute part that is at least `floor`.
    fn at_least(self, floor: &Dyadic) -> Amount {
        Amount {
            absolute: greater(&self.absolute, floor),
            ..self
        }
    }

    fn rounded_up(&self) -> Amount {
        Amount {
            of_c: rounded_up(&self.of_c),
            of_products: rounded_up(&self.of_products),
            absolute: rounded_up(&self.absolute),
        }
    }

    /// The greater multiple.
    fn greatest(&self) -> Dyadic {
        greater(&self.of_c, &self.of_products)
    }

    fn with_absolute(self, more: &Dyadic) -> Amount {
        Amount {
            absolute: self.absolute.plus(more),
            ..self
        }
    }

    fn bound(&self) -> ErrorBound {
        let of_products = match self.of_products.magnitude_exceeds(&self.of_c) {
            true => self.of_products.minus(&self.of_c),
            false => scaled(0, 0),
        };
        let bound = ErrorBound {
            of_all: self.of_c.clone(),
            of_products,
            absolute: self.absolute.clone(),
        };
        bound.rounded_up()
    }
}

/// What is known of a value.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "most values are sums")]
enum Value {
    /// A factor, or its number.
    Factor(Number),
    /// A block scale, or its number.
    Scale(Number),
    /// A sum of products and of `c`.
    Sum(Sum),
    /// Nothing.
    Unknown,
}

/// A factor or a scale: the side and the index of its row, and the format in which it is.
#[derive(Clone, Copy)]
struct Number {
    side: usize,
    index: usize,
    format: Format,
    is_flushed: bool,
    /// The exponent of zero, if zeros have one.
    zero: Option<i64>,
}

/// A bound of an error: at most `of_all (|c| + P) + absolute`.
#[derive(Clone)]
struct Linear {
    of_all: Dyadic,
    absolute: Dyadic,
}

impl Linear {
    fn none() -> Linear {
        Linear {
            of_all: scaled(0, 0),
            absolute: scaled(0, 0),
        }
    }

    /// The bound of the sum of two registers, rounded to nearest in their format, `u` half of the last
    /// place of 1.
    fn added(&self, other: &Linear, u: &Dyadic, absolute: &Dyadic) -> Linear {
        let growth = scaled(1, 0).plus(u);
        let of_both = self.absolute.plus(&other.absolute);
        let mut absolute = of_both.times(&growth).plus(absolute);
        // Where u times the sum does not bound the rounding, the summand that is small does, with
        // the absolute part of its error.
        let less = scaled(1, 0).minus(u);
        for (x, y) in [(self, other), (other, self)] {
            if y.of_all.times(u).magnitude_exceeds(&x.of_all.times(&less)) {
                absolute = absolute.plus(&x.absolute);
            }
        }
        Linear {
            of_all: rounded_up(&self.of_all.plus(&other.of_all).plus(u)),
            absolute: rounded_up(&absolute),
        }
    }
}

#[derive(Clone)]
struct Sum {
    has_c: bool,
    /// The first and the last of the products.
    products: Option<[usize; 2]>,
    /// The factors, if the sum is one product alone.
    pair: Option<[Number; 2]>,
    /// Whether the products were multiplied by their scales, for both sides.
    scaled: [bool; 2],
    error: Amount,
    /// Another bound of the error.
    linear: Linear,
    reach: Amount,
    /// Whether a bit below the sum says that something was cut.
    is_sticky: bool,
}

impl Sum {
    /// `c`, or nothing: without an error.
    fn exact(has_c: bool) -> Sum {
        Sum {
            has_c,
            products: None,
            pair: None,
            scaled: [false; 2],
            error: Amount::none(),
            linear: Linear::none(),
            reach: Amount::none(),
            is_sticky: false,
        }
    }

    /// The bound of the error: of two, the linear one if it is at most half.
    fn bound(&self) -> ErrorBound {
        let linear = &self.linear.of_all;
        let is_half = !linear.shifted(1).magnitude_exceeds(&self.error.greatest());
        let error = match is_half || !linear.magnitude_exceeds(&self.error.of_c) {
            true => Amount {
                of_c: linear.clone(),
                of_products: linear.clone(),
                absolute: self.linear.absolute.clone(),
            },
            false => self.error.clone(),
        };
        error.bound()
    }

    fn size(&self) -> Amount {
        Amount::of(self.has_c.into(), self.products.is_some().into())
    }

    fn magnitude(&self) -> Amount {
        self.size().plus(&self.error)
    }

    /// The sum of two sums, each of which has products and `c` of its own.
    fn joined(&self, other: &Sum) -> Option<Sum> {
        let both = [self.products, other.products];
        let scaled = match both {
            [Some(_), Some(_)] if self.scaled != other.scaled => return None,
            [Some(_), _] => self.scaled,
            _ => other.scaled,
        };
        let ends = both.iter().flatten();
        let first = ends.clone().map(|ends| ends[0]).min();
        let last = ends.map(|ends| ends[1]).max();
        (!(self.has_c && other.has_c)).then(|| Sum {
            has_c: self.has_c || other.has_c,
            products: first.zip(last).map(|(first, last)| [first, last]),
            pair: None,
            scaled,
            error: self.error.joined(&other.error, Dyadic::plus),
            linear: Linear {
                of_all: greater(&self.linear.of_all, &other.linear.of_all),
                absolute: self.linear.absolute.plus(&other.linear.absolute),
            },
            reach: self.reach.joined(&other.reach, greater),
            is_sticky: self.is_sticky || other.is_sticky,
        })
    }

    fn with(self, error: Amount, reach: Amount) -> Sum {
        let [error, reach] = [error, reach].map(|amount| amount.rounded_up());
        Sum {
            linear: Linear {
                of_all: error.greatest(),
                absolute: error.absolute.clone(),
            },
            error,
            reach,
            ..self
        }
    }
}

struct Walk<'p> {
    program: &'p Program,
    factors: Factors,
    block: usize,
    values: Vec<Value>,
    is_used: Vec<bool>,
    pairs: Vec<bool>,
}

impl Walk<'_> {
    /// The sum in a slot, which no other step takes.
    fn sum(&mut self, slot: Slot) -> Option<Sum> {
        let Value::Sum(sum) = &self.values[slot as usize] else {
            return None;
        };
        let sum = sum.clone();
        let is_nothing = !sum.has_c && sum.products.is_none();
        if std::mem::replace(&mut self.is_used[slot as usize], true) && !is_nothing {
            return None;
        }
        if let (Some([left, _]), Action::Product(_)) =
            (sum.pair, &self.program.nodes[slot as usize].action)
            && sum.scaled == [false; 2]
            && std::mem::replace(&mut self.pairs[left.index], true)
        {
            return None;
        }
        Some(sum)
    }

    fn sums(&mut self, slots: impl Iterator<Item = Slot>) -> Option<Vec<Sum>> {
        slots.map(|slot| self.sum(slot)).collect()
    }

    fn value(&mut self, action: &Action, kind: &Kind) -> Option<Value> {
        let sum = match action {
            Action::Operand(row, index) => return self.operand(*row, *index, kind),
            Action::Flush(of, _) => return self.flush(*of),
            Action::Term(term) => return self.term(term),
            Action::Normalise(of) => self.normalised(*of),
            Action::Product([x, y]) => self.product(*x, *y),
            Action::Zero => Some(Sum::exact(false)),
            Action::Cap { of, .. } => self.sum(*of),
            Action::Special { of, .. } => self.sum(*of),
            Action::Sum { terms, zeros } => self.exact(terms, *zeros, self.extent(kind)?),
            Action::Fuse(fuse) => self.fuse(fuse),
            Action::Cut(cut) => self.cut(cut),
            Action::Round(round) => return self.round(round, kind),
            Action::Part { .. } | Action::Differ(_) => None,
        };
        sum.map(Value::Sum)
    }

    fn extent(&self, kind: &Kind) -> Option<Extent> {
        match kind {
            Kind::Number(extent) => Some(*extent),
            Kind::Register(_) => None,
        }
    }

    fn operand(&self, row: Operand, index: usize, kind: &Kind) -> Option<Value> {
        let Kind::Register(format) = *kind else {
            return None;
        };
        if format.is_integer() {
            return None;
        }
        let number = |side| Number {
            side,
            index,
            format,
            is_flushed: false,
            zero: None,
        };
        Some(match row {
            Operand::A => Value::Factor(number(0)),
            Operand::B => Value::Factor(number(1)),
            Operand::AScales => Value::Scale(number(0)),
            Operand::BScales => Value::Scale(number(1)),
            Operand::C => Value::Sum(Sum::exact(true)),
        })
    }

    fn flush(&mut self, of: Slot) -> Option<Value> {
        if let Value::Factor(number) = self.values[of as usize] {
            return Some(Value::Factor(Number {
                is_flushed: true,
                ..number
            }));
        }
        let format = self.program.format(of)?;
        let sum = self.sum(of)?;
        let lost = scaled(1, format.min_exponent().into());
        let error = sum.error.clone().with_absolute(&lost);
        Some(Value::Sum(sum.with(error, Amount::none())))
    }

    fn term(&mut self, term: &Term) -> Option<Value> {
        let format = self.program.format(term.of)?;
        let least = i64::from(format.min_exponent());
        let zero = match term.zeros {
            Zeros::None => None,
            Zeros::Field => Some(least),
            Zeros::At(exponent) => Some(exponent),
        };
        let number = |number: Number| Number { zero, ..number };
        match self.values[term.of as usize] {
            // The exponents of factors are compared as they are.
            Value::Factor(factor) => {
                return (!term.widen && term.shift == 0).then(|| Value::Factor(number(factor)));
            }
            Value::Scale(scale) => {
                return (!term.widen && term.shift == 0).then(|| Value::Scale(number(scale)));
            }
            Value::Sum(_) | Value::Unknown => {}
        }
        let sum = self.sum(term.of)?;
        let mut reach = sum.magnitude();
        if !term.widen {
            reach = reach.at_least(&scaled(1, least));
        }
        if let Some(zero) = zero {
            reach = reach.at_least(&scaled(1, zero));
        }
        let error = sum.error.clone();
        Some(Value::Sum(
            sum.with(error, reach.times(&scaled(1, term.shift))),
        ))
    }

    /// The number that a step takes: a register that is not made one before is so without options.
    fn number(&self, slot: Slot) -> Value {
        self.values[slot as usize].clone()
    }

    fn product(&mut self, x: Slot, y: Slot) -> Option<Sum> {
        match (self.number(x), self.number(y)) {
            (Value::Factor(left), Value::Factor(right)) => self.product_of_factors([left, right]),
            (Value::Sum(_), Value::Scale(scale)) => self.scaled(x, scale),
            (Value::Scale(scale), Value::Sum(_)) => self.scaled(y, scale),
            _ => None,
        }
    }

    fn product_of_factors(&self, factors: [Number; 2]) -> Option<Sum> {
        let factors = match factors {
            [left, right] if left.side == 0 && right.side == 1 => [left, right],
            [left, right] if left.side == 1 && right.side == 0 => [right, left],
            _ => return None,
        };
        let [left, right] = factors;
        if left.index != right.index {
            return None;
        }
        Some(Sum {
            products: Some([left.index; 2]),
            pair: Some(factors),
            error: self.lost(factors),
            reach: self.reach_of(factors, self.factors),
            ..Sum::exact(false)
        })
    }

    /// The error of a product of flushed factors.
    fn lost(&self, factors: [Number; 2]) -> Amount {
        let mut lost = Amount::none();
        if factors.iter().any(|factor| factor.is_flushed) {
            let absolute = Factors {
                underflow: Underflow::Absolute,
                ..self.factors
            };
            let low = low_products(factors.map(|factor| (factor.format, None)), absolute);
            if let Some(exponent) = low.exponent {
                // A product with a flushed factor is below 2 to the power of `exponent + 1`.
                lost = lost.with_absolute(&scaled(1, exponent + 1));
            }
        }
        lost
    }

    fn reach_of(&self, numbers: [Number; 2], factors: Factors) -> Amount {
        let of = |number: Number| -> Factor { (number.format, number.zero) };
        let low = low_products(numbers.map(of), factors);
        let excess = low.excess.unwrap_or(0);
        let mut reach = Amount::of(0, 1).times(&scaled(1, excess));
        if let Some(exponent) = low.exponent {
            reach = reach.at_least(&scaled(1, exponent));
        }
        reach
    }

    /// A sum of products of one block, times their scale.
    fn scaled(&mut self, slot: Slot, scale: Number) -> Option<Sum> {
        let highest = self.program.extent(slot).highest;
        let sum = self.sum(slot)?;
        let [first, last] = sum.products?;
        let is_theirs = first / self.block == scale.index && last / self.block == scale.index;
        if !is_theirs || sum.has_c || sum.scaled[scale.side] {
            return None;
        }
        let format = &scale.format;
        let greatest = i64::from(format.max_exponent());
        let beyond = i64::from(format.fraction_bits > 0);
        let error = Amount {
            absolute: sum.error.absolute.shifted(greatest + beyond),
            ..sum.error.clone()
        };
        // The exponent of a subnormal scale exceeds that of its value.
        let excess = if format.has_zero() {
            format.fraction_bits
        } else {
            0
        };
        let mut reach = sum.reach.times(&scaled(1, excess.into()));
        reach.absolute = sum.reach.absolute.shifted(greatest);
        if let Some(zero) = scale.zero.filter(|_| format.has_zero()) {
            reach = reach.at_least(&scaled(1, highest + zero));
        }
        let mut scaled = sum.scaled;
        scaled[scale.side] = true;
        Some(Sum { scaled, ..sum }.with(error, reach))
    }

    fn normalised(&mut self, of: Slot) -> Option<Sum> {
        let sum = self.sum(of)?;
        let pair = sum.pair?;
        // The exponent of a normalised product is that of its leading one.
        let factors = self.factors.as_normal(pair.map(|factor| factor.format));
        let reach = self.reach_of(pair, factors);
        let error = sum.error.clone();
        Some(sum.with(error, reach))
    }

    fn all(&mut self, slots: impl Iterator<Item = Slot>) -> Option<Sum> {
        let sums = self.sums(slots)?;
        let (first, rest) = sums.split_first()?;
        rest.iter()
            .try_fold(first.clone(), |all, one| all.joined(one))
    }

    fn exact(&mut self, terms: &[Slot], zeros: SumZeros, extent: Extent) -> Option<Sum> {
        let sum = self.all(terms.iter().copied())?;
        // A sum, or a term, that is not zero is at least its last place; its exponent is 0.
        let mut reach = sum.magnitude().times(&scaled(1, extent.fraction));
        if zeros == SumZeros::Field {
            reach = reach.at_least(&scaled(1, 0));
        }
        let error = sum.error.clone();
        Some(sum.with(error, reach))
    }

    fn fuse(&mut self, fuse: &Fuse) -> Option<Sum> {
        let extents: Vec<Extent> = fuse
            .terms
            .iter()
            .map(|term| self.program.extent(term.of))
            .collect();
        if !has_room(fuse, &extents) {
            return None;
        }
        let sums = self.sums(fuse.terms.iter().map(|term| term.of))?;
        let mut all = scaled(0, 0);
        for term in &fuse.terms {
            all = all.plus(&loss(term, fuse.negate));
        }
        // The greatest exponent is that of some term, or the limit; a term that has it loses
        // nothing if it has no finer bits.
        let least = fuse
            .least
            .map_or_else(|| scaled(0, 0), |least| scaled(1, least));
        let limit = Amount::none().at_least(&least);
        let mut lost = limit.times(&all);
        for ((term, extent), sum) in fuse.terms.iter().zip(&extents).zip(&sums) {
            let is_whole = fuse.negate == Negate::Twos && extent.fraction <= term.keep.into();
            let others = match is_whole {
                true => all.minus(&loss(term, fuse.negate)),
                false => all.clone(),
            };
            lost = lost.joined(&sum.reach.times(&others), greater);
        }
        let (first, rest) = sums.split_first()?;
        let sum = rest
            .iter()
            .try_fold(first.clone(), |all, one| all.joined(one))?;
        let reach = sum.reach.clone().at_least(&least);
        let error = sum.error.plus(&lost);
        let is_sticky = fuse.sticky;
        Some(Sum { is_sticky, ..sum }.with(error, reach))
    }

    fn cut(&mut self, cut: &Cut) -> Option<Sum> {
        let sum = self.sum(cut.of)?;
        let last = -i64::from(cut.bits - 1) - i64::from(is_to_nearest(cut.by));
        let mut error = sum.error.plus(&sum.magnitude().times(&scaled(1, last)));
        if let Some(least) = cut.least {
            error = error.with_absolute(&scaled(1, least + last));
        }
        let reach = sum.magnitude().at_least(
            &cut.least
                .map_or_else(|| scaled(0, 0), |least| scaled(1, least)),
        );
        Some(sum.with(error, reach))
    }

    fn round(&mut self, round: &Round, kind: &Kind) -> Option<Value> {
        let Kind::Register(format) = *kind else {
            return None;
        };
        if format.is_integer() {
            return None;
        }
        let target = format.with_fraction(round.fraction);
        let rounding =
            ErrorBound::of_rounding(round.by, round.fraction, format.min_exponent().into());
        let (mut relative, mut absolute) = (rounding.of_all, rounding.absolute);
        let is_nearest = round.by == Rounding::Rne && round.tiny == FlushedResults::Kept;
        let mut linear = None;
        let sum = match round.of {
            Source::Number(slot) => self.sum(slot)?,
            Source::Register(slot) => {
                if let Value::Factor(number) = self.values[slot as usize] {
                    let value = Value::Factor(Number {
                        format: target,
                        ..number
                    });
                    return target.has_all_of(&number.format).then_some(value);
                }
                let from = self.program.format(slot)?;
                if target.has_all_of(&from) {
                    (relative, absolute) = (scaled(0, 0), scaled(0, 0));
                }
                self.sum(slot)?
            }
            Source::Multiply(slots) => {
                let product = self.multiplied(slots)?;
                let bits = product
                    .pair
                    .iter()
                    .flatten()
                    .map(|factor| factor.format.precision())
                    .sum::<u32>();
                if bits <= round.fraction + 1 {
                    relative = scaled(0, 0);
                }
                product
            }
            Source::Add([x, y]) => {
                let formats = [self.program.format(x)?, self.program.format(y)?];
                let [x, y] = [self.sum(x)?, self.sum(y)?];
                if formats == [target; 2] {
                    absolute = scaled(0, 0);
                    linear = is_nearest.then(|| [x.linear.clone(), y.linear.clone()]);
                }
                x.joined(&y)?
            }
            Source::Fma([x, y, z]) => {
                let is_register = self.program.format(z)? == target;
                let (product, z) = (self.multiplied([x, y])?, self.sum(z)?);
                let error = product.error.greatest().plus(&product.error.absolute);
                linear = (is_nearest && is_register && error == scaled(0, 0))
                    .then(|| [z.linear.clone(), Linear::none()]);
                z.joined(&product)?
            }
        };
        // With a sticky bit, a sum that is exact on the grid may still be rounded away from zero.
        if sum.is_sticky && !matches!(round.by, Rounding::Rz | Rounding::Rne) {
            return None;
        }
        if round.tiny != FlushedResults::Kept {
            absolute = absolute.plus(&scaled(1, format.min_exponent().into()));
        }
        let error = sum.error.plus(&sum.magnitude().times(&relative));
        let error = error.with_absolute(&absolute);
        let sum = Sum {
            pair: None,
            is_sticky: false,
            ..sum
        };
        let mut sum = sum.with(error, Amount::none());
        if let Some([x, y]) = linear {
            sum.linear = x.added(&y, &relative, &absolute);
        }
        Some(Value::Sum(sum))
    }

    /// The product of two registers, which counts once.
    fn multiplied(&mut self, [x, y]: [Slot; 2]) -> Option<Sum> {
        let (Value::Factor(left), Value::Factor(right)) = (self.number(x), self.number(y)) else {
            return None;
        };
        let product = self.product_of_factors([left, right])?;
        (!std::mem::replace(&mut self.pairs[left.index], true)).then_some(product)
    }
}

fn is_to_nearest(by: Cutting) -> bool {
    matches!(by, Cutting::Nearest | Cutting::Away)
}

/// The most that a term loses at alignment, for an exponent of 0.
fn loss(term: &Aligned, negate: Negate) -> Dyadic {
    // Beyond the distance `far` a term is cut, where it may have been rounded to nearest.
    let half = i64::from(is_to_nearest(term.by) && term.far.is_none());
    let cut = scaled(1, -i64::from(term.keep) - half);
    match negate {
        Negate::Twos => cut,
        Negate::Ones | Negate::OnesOfNonzero => cut.plus(&scaled(1, -i64::from(term.keep))),
    }
}

/// Whether the sum never exceeds its width.
fn has_room(fuse: &Fuse, extents: &[Extent]) -> bool {
    let Some((width, _)) = fuse.width else {
        return true;
    };
    if fuse.negate != Negate::Twos || fuse.terms.iter().any(|term| is_to_nearest(term.by)) {
        return false;
    }
    // In units of 2^e, a term is below 2 to the power of its integer bits.
    let sizes = extents
        .iter()
        .map(|extent| scaled(1, extent.integer_bits()));
    let all = sizes.fold(scaled(0, 0), |all, one| all.plus(&one));
    let most = scaled(1, i64::from(width) - 1 - i64::from(fuse.fraction()));
    !all.magnitude_exceeds(&most)
}
