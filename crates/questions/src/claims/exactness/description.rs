//! Described units on sets of operands: a rule for each step of a description.

use super::operand::Operand;
use super::rounded::To;
use super::sum::{Sum, ieee_zero};
use super::terms::{Term as OnGrid, addend_term, exponent_of, product_term, uncut_each};
use super::tiny::are_rounded_to_zero;
use super::units::{Product, Units};
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Cut, Cutting, Description, Extent, Fuse, Kind, Negate, Program, Round, Slot, Source,
    SumZeros, Term, ZeroRule as SignOfZero, Zeros,
};
use mmasmt_core::machines::algorithms::{DotAdd, Operand as Row, ZeroRule};
use mmasmt_core::numbers::float::{FlushedTo, Format, Rounding};
use num_bigint::BigUint;

impl Units {
    /// The result of a described unit; `None` if it is not known.
    pub(super) fn description(
        &mut self,
        unit: &Description,
        products: &[Product],
        c: Sum,
    ) -> Option<Sum> {
        let program = unit.program();
        let scales = unit.signature().scales;
        let mut walk = Walk {
            units: self,
            program,
            products,
            block: scales.map_or(1, |scales| scales.block as usize),
            values: Vec::with_capacity(program.nodes.len()),
        };
        // A long row has many values: each is dropped after its last use.
        let last = program.last_uses();
        for (number, node) in (0..).zip(&program.nodes) {
            let value = walk.value(&node.action, &node.kind, &c);
            walk.values.push(value.unwrap_or(Value::Unknown));
            node.action.each_slot(|slot| {
                if last[slot as usize] == number {
                    walk.values[slot as usize] = Value::Unknown;
                }
            });
        }
        match walk.values.swap_remove(program.result as usize) {
            Value::Register(register) => Some(register.sum),
            _ => None,
        }
    }
}

/// What is known of a value.
#[derive(Clone)]
enum Value {
    Factor(Factor),
    Scale(Scale),
    /// Products, each of which still lacks scales; several are the exact sum of a group.
    Products(Products),
    /// A register that is no factor.
    Register(Register),
    /// A number, as a term of a sum on a grid.
    Number(OnGrid),
    /// The number of a register that may be all that is left of a sum.
    Addend(OnGrid, i64),
    /// A fused sum.
    Fused(Option<OnGrid>, Option<Alone>),
    Unknown,
}

#[derive(Clone)]
struct Factor {
    side: usize,
    index: usize,
    operand: Operand,
    format: Format,
    rule: ZeroRule,
    loses_sign: bool,
}

#[derive(Clone, Copy)]
struct Scale {
    side: usize,
    index: usize,
    rule: ZeroRule,
}

#[derive(Clone)]
struct Products {
    all: Vec<Product>,
    formats: [Format; 2],
    rule: ZeroRule,
    /// What normalisation adds to the exponent.
    up: u32,
    loses_sign: bool,
    /// The rule of the scales of each side, once they are there.
    scaled: [Option<ZeroRule>; 2],
    /// When an exact sum of a group has no exponent; `None` for one product.
    group: Option<SumZeros>,
}

#[derive(Clone)]
struct Register {
    sum: Sum,
    /// What was rounded to odd, so that a later rounding to fewer bits is one of it.
    before: Option<Sum>,
}

/// A fused sum of which nothing but one addend is left, if what the other terms add up to, which is
/// below `2^top`, is rounded to zero.
#[derive(Clone)]
struct Alone {
    addend: Sum,
    top: i64,
}

struct Walk<'x> {
    units: &'x mut Units,
    program: &'x Program,
    products: &'x [Product],
    block: usize,
    values: Vec<Value>,
}

fn register(sum: Sum) -> Value {
    Value::Register(Register { sum, before: None })
}

fn rule_of(zeros: Zeros) -> Option<ZeroRule> {
    match zeros {
        Zeros::None => Some(ZeroRule::Skip),
        Zeros::Field => Some(ZeroRule::Raw),
        Zeros::At(-126) => Some(ZeroRule::Min),
        Zeros::At(_) => None,
    }
}

impl Products {
    /// The exact sum, if all scales are there.
    fn exact(&self) -> Option<Sum> {
        let has_scales = self.all.iter().any(|product| product.scales.is_some());
        if has_scales && self.scaled.iter().any(Option::is_none) {
            return None;
        }
        let sum = self.all.iter().map(Product::exact).reduce(Sum::plus)?;
        let is_unknown = self.loses_sign && self.all.iter().any(Product::may_be_zero);
        Some(if is_unknown {
            sum.with_unknown_zero()
        } else {
            sum
        })
    }

    /// The sum as a term on a grid.
    fn on_grid(&self, extent: &Extent) -> Option<OnGrid> {
        let sum = self.exact()?;
        let Some(zeros) = self.group else {
            let [a, b] = &self.formats;
            let term = product_term(self.all.first()?, [a, b], self.rule, self.up);
            return Some(OnGrid { sum, ..term });
        };
        let mut exponent = 0;
        let mut places = None;
        match self.all.first()?.scales.as_ref() {
            None => places = u32::try_from(extent.fraction).ok(),
            Some(scales) => {
                for ((scale, format), rule) in scales.iter().zip(self.scaled) {
                    exponent += exponent_of(scale, format, rule?);
                }
            }
        }
        let takes_part = zeros == SumZeros::Field || !sum.values.is_zero();
        Some(OnGrid {
            sum,
            exponent: takes_part.then_some(exponent),
            fraction: places,
        })
    }
}

impl Walk<'_> {
    fn value(&mut self, action: &Action, kind: &Kind, c: &Sum) -> Option<Value> {
        match action {
            Action::Operand(row, index) => self.operand(*row, *index, kind, c),
            Action::Zero => Some(register(Sum::nothing())),
            Action::Flush(of, to) => self.flush(*of, *to),
            Action::Term(term) => self.term(term),
            Action::Product([x, y]) => self.product(*x, *y),
            Action::Normalise(of) => match &self.values[*of as usize] {
                Value::Products(products) if products.group.is_none() && products.up == 0 => {
                    Some(Value::Products(Products {
                        up: 1,
                        ..products.clone()
                    }))
                }
                _ => None,
            },
            Action::Cap { of, exponent } => {
                let is_below = |sum: &Sum| sum.values.top().is_none_or(|top| top <= *exponent);
                let value = self.values[*of as usize].clone();
                self.exact(*of).filter(is_below).map(|_| value)
            }
            Action::Special { of, .. } => Some(self.values[*of as usize].clone()),
            Action::Sum { terms, zeros } => self.sum(terms, *zeros, kind),
            Action::Fuse(fuse) => self.fuse(fuse),
            Action::Cut(cut) => self.cut(cut),
            Action::Round(round) => self.round(round, kind),
            Action::Part { .. } | Action::Differ(_) => None,
        }
    }

    fn operand(&self, row: Row, index: usize, kind: &Kind, c: &Sum) -> Option<Value> {
        let Kind::Register(format) = *kind else {
            return None;
        };
        let factor = |side: usize| -> Option<Value> {
            let product = self.products.get(index)?;
            let operand = if side == 0 { &product.a } else { &product.b };
            Some(Value::Factor(Factor {
                side,
                index,
                operand: operand.clone(),
                format,
                rule: ZeroRule::Skip,
                loses_sign: false,
            }))
        };
        let scale = |side| {
            Some(Value::Scale(Scale {
                side,
                index,
                rule: ZeroRule::Skip,
            }))
        };
        match row {
            Row::A => factor(0),
            Row::B => factor(1),
            Row::C => Some(register(c.clone())),
            Row::AScales => scale(0),
            Row::BScales => scale(1),
        }
    }

    fn flush(&mut self, of: Slot, to: FlushedTo) -> Option<Value> {
        let format = self.program.format(of)?;
        match self.values[of as usize].clone() {
            Value::Factor(factor) => Some(Value::Factor(Factor {
                operand: factor.operand.flushed(&factor.format),
                loses_sign: factor.loses_sign || to == FlushedTo::Plus,
                ..factor
            })),
            Value::Register(found) => {
                Some(register(self.units.rounded.flush(found.sum, &format, to)))
            }
            _ => None,
        }
    }

    fn term(&self, term: &Term) -> Option<Value> {
        let rule = rule_of(term.zeros)?;
        let format = self.program.format(term.of)?;
        match &self.values[term.of as usize] {
            _ if term.shift != 0 => None,
            Value::Factor(factor) if !term.widen => Some(Value::Factor(Factor {
                rule,
                ..factor.clone()
            })),
            Value::Scale(scale) if !term.widen => Some(Value::Scale(Scale { rule, ..*scale })),
            Value::Register(found) => {
                let least = match term.widen {
                    true => format.least_exponent(),
                    false => format.min_exponent(),
                };
                let on_grid = addend_term(found.sum.clone(), &format, rule);
                Some(Value::Addend(on_grid, least.into()))
            }
            _ => None,
        }
    }

    fn product(&self, x: Slot, y: Slot) -> Option<Value> {
        match (&self.values[x as usize], &self.values[y as usize]) {
            (Value::Factor(left), Value::Factor(right)) => {
                self.of_factors(left, right).map(Value::Products)
            }
            (Value::Products(products), Value::Scale(scale))
            | (Value::Scale(scale), Value::Products(products)) => {
                let own = |product: &Product| {
                    let place = self
                        .products
                        .iter()
                        .position(|known| known.index == product.index);
                    place.is_some_and(|place| place / self.block == scale.index)
                };
                if products.scaled[scale.side].is_some() || !products.all.iter().all(own) {
                    return None;
                }
                let mut scaled = products.clone();
                scaled.scaled[scale.side] = Some(scale.rule);
                Some(Value::Products(scaled))
            }
            _ => None,
        }
    }

    fn of_factors(&self, left: &Factor, right: &Factor) -> Option<Products> {
        let (a, b) = match (left.side, right.side) {
            (0, 1) => (left, right),
            (1, 0) => (right, left),
            _ => return None,
        };
        if a.index != b.index || a.rule != b.rule {
            return None;
        }
        let product = Product {
            a: a.operand.clone(),
            b: b.operand.clone(),
            is_flushed: a.operand.small || b.operand.small,
            ..self.products.get(a.index)?.clone()
        };
        Some(Products {
            all: vec![product],
            formats: [a.format, b.format],
            rule: a.rule,
            up: 0,
            loses_sign: a.loses_sign || b.loses_sign,
            scaled: [None; 2],
            group: None,
        })
    }

    /// The exact value of a number or a register.
    fn exact(&self, slot: Slot) -> Option<Sum> {
        match &self.values[slot as usize] {
            Value::Products(products) => products.exact(),
            Value::Register(found) => Some(found.sum.clone()),
            Value::Number(term) | Value::Addend(term, _) => Some(term.sum.clone()),
            Value::Fused(term, _) => Some(term.as_ref()?.sum.clone()),
            Value::Factor(_) | Value::Scale(_) | Value::Unknown => None,
        }
    }

    fn on_grid(&self, slot: Slot) -> Option<OnGrid> {
        match &self.values[slot as usize] {
            Value::Products(products) => products.on_grid(&self.program.extent(slot)),
            Value::Number(term) | Value::Addend(term, _) => Some(term.clone()),
            Value::Fused(term, _) => term.clone(),
            _ => None,
        }
    }

    fn sum(&self, terms: &[Slot], zeros: SumZeros, kind: &Kind) -> Option<Value> {
        let Kind::Number(extent) = kind else {
            return None;
        };
        let products = terms.iter().map(|slot| match &self.values[*slot as usize] {
            Value::Products(products) if products.group.is_none() && products.up == 0 => {
                Some(products)
            }
            _ => None,
        });
        if let Some(products) = products.collect::<Option<Vec<_>>>()
            && products.iter().all(|one| one.scaled == [None; 2])
        {
            let first = (*products.first()?).clone();
            let all = products.iter().flat_map(|one| one.all.clone()).collect();
            return Some(Value::Products(Products {
                all,
                loses_sign: products.iter().any(|one| one.loses_sign),
                group: Some(zeros),
                ..first
            }));
        }
        let sums = terms.iter().map(|slot| self.exact(*slot));
        let sum = sums
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .reduce(Sum::plus)?;
        let takes_part = zeros == SumZeros::Field || !sum.values.is_zero();
        Some(Value::Number(OnGrid {
            sum,
            exponent: takes_part.then_some(0),
            fraction: u32::try_from(extent.fraction).ok(),
        }))
    }

    fn fuse(&self, fuse: &Fuse) -> Option<Value> {
        if fuse.negate != Negate::Twos || !self.fits(fuse) {
            return None;
        }
        let is_cut = |by: Cutting| by == Cutting::Zero && !fuse.sticky;
        let mut terms = Vec::with_capacity(fuse.terms.len());
        let mut addend = None;
        for (place, aligned) in fuse.terms.iter().enumerate() {
            let mut term = self.on_grid(aligned.of)?;
            match self.values[aligned.of as usize] {
                Value::Addend(_, least) => {
                    addend = match addend {
                        None => Some((place, least)),
                        Some(_) => Some((usize::MAX, least)),
                    };
                }
                _ if is_cut(aligned.by) => term = term.cut(fuse.least, aligned.keep),
                _ => {}
            }
            terms.push((term, aligned.keep));
        }
        let alone = addend.and_then(|(place, least)| self.alone(fuse, &terms, place, least));
        Some(Value::Fused(uncut_each(terms, fuse.least), alone))
    }

    /// The addend at `place`, if alignment to it cuts all bits of the other terms; its exponent is at
    /// least `least` where it is no zero.
    fn alone(
        &self,
        fuse: &Fuse,
        terms: &[(OnGrid, u32)],
        place: usize,
        least: i64,
    ) -> Option<Alone> {
        let (addend, keep) = terms.get(place)?;
        let others = || {
            terms
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place)
                .map(|(_, term)| term)
        };
        let top = others()
            .filter_map(|(term, _)| term.sum.values.top())
            .max()?;
        let is_plain = |by: Cutting| by == Cutting::Zero && !fuse.sticky;
        let are_cut = fuse.terms.iter().all(|term| is_plain(term.by))
            && others().all(|(_, keep)| top <= least - i64::from(*keep));
        let highest = others().filter_map(|(term, _)| term.exponent).max();
        if !are_cut || !addend.is_kept(fuse.least.max(highest), *keep) {
            return None;
        }
        let count = terms.len() - 1;
        Some(Alone {
            addend: addend.sum.clone(),
            top: top + i64::from(count.next_power_of_two().ilog2()),
        })
    }

    /// Whether the sum of the aligned terms stays within the width of the unit.
    fn fits(&self, fuse: &Fuse) -> bool {
        let Some((width, _)) = fuse.width else {
            return true;
        };
        // In units of 2^e and of the last place of any product.
        let places = 128;
        let mut most = BigUint::ZERO;
        for term in &fuse.terms {
            let extent = self.program.extent(term.of);
            let widest = || BigUint::from(1u32) << (places + extent.integer_bits()).max(0) as u64;
            most += match &self.values[term.of as usize] {
                Value::Addend(term, _) if term.sum.values.is_zero() => BigUint::ZERO,
                Value::Products(products) if products.group.is_none() => {
                    let Some(product) = products.all.first() else {
                        return false;
                    };
                    let fraction: u32 = products
                        .formats
                        .iter()
                        .map(|format| format.fraction_bits)
                        .sum();
                    match products.up {
                        _ if product.exact().values.is_zero() => BigUint::ZERO,
                        0 if product.scales.is_none() => {
                            (&product.a.significand * &product.b.significand)
                                << (places as u32 - fraction)
                        }
                        _ => widest(),
                    }
                }
                _ => widest(),
            };
        }
        let kept = i64::from(width) - 1 - i64::from(fuse.fraction());
        most < BigUint::from(1u32) << (places + kept).max(0) as u64
    }

    fn cut(&self, cut: &Cut) -> Option<Value> {
        let term = self.on_grid(cut.of)?;
        let lowest = cut
            .least
            .map_or(i64::MIN / 2, |least| least - i64::from(cut.bits - 1));
        let is_kept = term.sum.values.has_bits(cut.bits.into(), lowest);
        is_kept.then_some(Value::Number(OnGrid {
            exponent: None,
            fraction: None,
            ..term
        }))
    }

    fn round(&mut self, round: &Round, kind: &Kind) -> Option<Value> {
        let Kind::Register(format) = *kind else {
            return None;
        };
        if format.is_integer() {
            let Source::Number(slot) = round.of else {
                return None;
            };
            let sum = self.exact(slot)?;
            let rises = !self.products.iter().any(Product::may_be_negative);
            return self
                .units
                .in_integers(sum, &format, round.integers, rises)
                .map(register);
        }
        let target = format.with_fraction(round.fraction);
        let to = To {
            format: target,
            rounding: round.by,
            overflow: round.overflow,
            signed_underflow: matches!(round.zero, SignOfZero::Ieee | SignOfZero::Total),
        };
        let sum = match round.of {
            Source::Number(slot) => match &self.values[slot as usize] {
                Value::Fused(_, Some(alone))
                    if are_rounded_to_zero(alone.top, &target, round.by) =>
                {
                    alone.addend.clone().with_unknown_zero()
                }
                _ => self.exact(slot)?,
            },
            Source::Register(slot) => match self.values[slot as usize].clone() {
                Value::Factor(factor) if target.has_all_of(&factor.format) => {
                    return Some(Value::Factor(Factor {
                        operand: factor.operand.widened(&target),
                        format: target,
                        ..factor
                    }));
                }
                Value::Register(found) => {
                    let from = self.program.format(slot)?;
                    let is_finer = from.precision() >= target.precision() + 2
                        && from.exponent_bits > target.exponent_bits;
                    found.before.filter(|_| is_finer).unwrap_or(found.sum)
                }
                _ => return None,
            },
            Source::Multiply([x, y]) => self.multiplied(x, y)?,
            Source::Add([x, y]) => {
                let (x, y) = (self.exact(x)?, self.exact(y)?);
                return self.added(x, y, round, &to);
            }
            Source::Fma([x, y, z]) => {
                let (z, product) = (self.exact(z)?, self.multiplied(x, y)?);
                return self.added(z, product, round, &to);
            }
        };
        let sum = match round.zero {
            SignOfZero::Ieee => ieee_zero(sum, round.by),
            SignOfZero::Plus | SignOfZero::Total => sum.with_plus_zero(),
            SignOfZero::Shared => sum,
        };
        let before = (round.by == Rounding::Odd).then(|| sum.clone());
        let sum = self.units.rounded.round_flushed(sum, &to, round.tiny)?;
        Some(Value::Register(Register { sum, before }))
    }

    fn multiplied(&self, x: Slot, y: Slot) -> Option<Sum> {
        match (&self.values[x as usize], &self.values[y as usize]) {
            (Value::Factor(left), Value::Factor(right)) => self.of_factors(left, right)?.exact(),
            _ => None,
        }
    }

    fn added(&mut self, x: Sum, y: Sum, round: &Round, to: &To) -> Option<Value> {
        let is_odd = round.by == Rounding::Odd;
        let before = is_odd.then(|| ieee_zero(x.clone().plus(y.clone()), round.by));
        let sum = self.units.rounded.add(x, y, to, round.tiny)?;
        let sum = ieee_zero(sum, round.by);
        Some(Value::Register(Register { sum, before }))
    }
}
