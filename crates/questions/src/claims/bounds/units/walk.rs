//! The walk over the steps of a description: each value from those before it.

use super::super::bound::scaled;
use super::super::factors::{Factors, has_zero};
use super::amounts::Amount;
use super::peaks::Peak;
use super::values::{BoundedSum, BoundsValue, OperandNumber, PartPair};
use mmasmt_core::machines::algorithms::Operand;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Extent, Nan, Program, ProgramNode, Slot, Specials, TermStep, ValueKind, Zeros,
};
use mmasmt_numbers::float::{Dyadic, NanCode, Overflow};

pub struct BoundsWalk<'p> {
    pub(super) program: &'p Program,
    pub(super) factors: Factors,
    pub(super) block: usize,
    pub(super) has_scales: bool,
    pub values: Vec<BoundsValue>,
    pub(super) is_used: Vec<bool>,
    pub(super) pairs: Vec<bool>,
    /// The parts of each product that sums have.
    pub(super) cells: Vec<Vec<PartPair>>,
    /// The numbers so far that may overflow.
    pub(super) peaks: Vec<Peak>,
    /// Whether these are all.
    pub(super) knows_peaks: bool,
}

impl<'p> BoundsWalk<'p> {
    /// A walk that begins.
    pub fn of(program: &'p Program, factors: Factors) -> BoundsWalk<'p> {
        let signature = program.signature;
        BoundsWalk {
            program,
            factors,
            has_scales: signature.scales.is_some(),
            block: signature.scales.map_or(1, |scales| scales.block as usize),
            values: Vec::with_capacity(program.nodes.len()),
            is_used: vec![false; program.nodes.len()],
            pairs: vec![false; signature.products as usize],
            cells: vec![Vec::new(); signature.products as usize],
            peaks: Vec::new(),
            knows_peaks: true,
        }
    }

    /// The walk over all steps.
    pub(super) fn along(program: &'p Program, factors: Factors) -> BoundsWalk<'p> {
        let mut walk = BoundsWalk::of(program, factors);
        let counts = counts(program);
        for (node, counts) in program.nodes.iter().zip(counts) {
            let value = match counts {
                true => walk.value(&node.action, &node.kind),
                false => None,
            };
            let may_overflow = matches!(node.action, Action::Round(_) | Action::Cap { .. });
            walk.knows_peaks &= value.is_some() || !may_overflow;
            walk.values.push(value.unwrap_or(BoundsValue::Unknown));
        }
        walk
    }
}

/// For each step, whether its value counts for the result: operands of which bounds speak are no NaNs, so that what is asked
/// for its NaN alone does not.
fn counts(program: &Program) -> Vec<bool> {
    let mut counts = vec![false; program.nodes.len()];
    counts[program.result as usize] = true;
    for (slot, node) in program.nodes.iter().enumerate().rev() {
        if !counts[slot] {
            continue;
        }
        let mut action = node.action.clone();
        match &mut action {
            Action::Round(round) => round.nan = Nan::Code(NanCode::Any),
            Action::Replace { from, .. } => from.clear(),
            _ => {}
        }
        action.each_slot(|of| counts[of as usize] = true);
    }
    counts
}

impl BoundsWalk<'_> {
    /// The sum in a slot, which no other step takes.
    pub(super) fn sum(&mut self, slot: Slot) -> Option<BoundedSum> {
        let BoundsValue::Sum(sum) = &self.values[slot as usize] else {
            return None;
        };
        let sum = sum.clone();
        let is_nothing = sum.is_nothing();
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

    pub(super) fn sums(&mut self, slots: impl Iterator<Item = Slot>) -> Option<Vec<BoundedSum>> {
        slots.map(|slot| self.sum(slot)).collect()
    }

    pub(super) fn all(&mut self, slots: impl Iterator<Item = Slot>) -> Option<BoundedSum> {
        let sums = self.sums(slots)?;
        let (first, rest) = sums.split_first()?;
        rest.iter()
            .try_fold(first.clone(), |all, one| all.joined(one))
    }

    /// The number that a step takes: a register that is not made one before is so without options.
    pub(super) fn number(&self, slot: Slot) -> BoundsValue {
        self.values[slot as usize].clone()
    }

    pub fn value(&mut self, action: &Action, kind: &ValueKind) -> Option<BoundsValue> {
        let sum = match action {
            Action::Operand(row, index) => return self.operand(*row, *index, kind),
            Action::Flush(of, _) => return self.flush(*of),
            Action::Term(term) => return self.term(term),
            Action::Normalise(of) => self.normalised(*of),
            Action::Product([x, y]) => self.product(*x, *y),
            Action::Constant(0) if has_zero(kind) => Some(BoundedSum::exact(false)),
            Action::Constant(code) => return self.constant(*code, kind),
            Action::Cap { of, exponent } => self.cap(*of, *exponent),
            Action::Special { of, .. } => self.sum(*of),
            // Operands of which bounds speak are no NaNs.
            Action::Replace { of, .. } => return Some(self.number(*of)),
            Action::Sum { terms, zeros } => self.exact(terms, *zeros, self.extent(kind)?),
            Action::Fuse(fuse) => self.fuse(fuse),
            Action::Cut(cut) => self.cut(cut, self.extent(kind)?),
            Action::Round(round) => return self.round(round, kind),
            Action::Part { of, low, bits, by } => return self.part(*of, [*low, *bits], *by),
            Action::Drop { of, exponent } => self.dropped(*of, *exponent),
            Action::Miscount { of, bits } => self.miscounted(*of, *bits),
            Action::Positive(_) | Action::Differ(_) => None,
            Action::Greatest(_) | Action::Inverse(_) | Action::Scaled { .. } => None,
        };
        sum.map(BoundsValue::Sum)
    }

    /// An infinity that a later rounding makes a number of has no bound.
    fn cap(&mut self, of: Slot, exponent: i64) -> Option<BoundedSum> {
        let hides = |node: &ProgramNode| match (&node.action, &node.kind) {
            (Action::Round(round), ValueKind::Register(format)) => {
                let shows = format.has_infinity() || format.has_nan();
                !shows || round.overflow == Overflow::Greatest || round.specials == Specials::None
            }
            _ => false,
        };
        if self.program.nodes.iter().any(hides) {
            return None;
        }
        let sum = self.sum(of)?;
        if sum.products.is_some() && sum.scaled != [self.has_scales; 2] {
            return None;
        }
        let most = sum.most_of_terms();
        self.peaks.push(Peak::of_cap(most, exponent));
        Some(sum)
    }

    pub(super) fn extent(&self, kind: &ValueKind) -> Option<Extent> {
        match kind {
            ValueKind::Number(extent) => Some(*extent),
            ValueKind::Register(_) => None,
        }
    }

    fn constant(&self, code: u64, kind: &ValueKind) -> Option<BoundsValue> {
        match kind {
            ValueKind::Register(format) => Dyadic::of(format, code).map(BoundsValue::Constant),
            ValueKind::Number(_) => None,
        }
    }

    pub(super) fn operand(
        &self,
        row: Operand,
        index: usize,
        kind: &ValueKind,
    ) -> Option<BoundsValue> {
        let ValueKind::Register(format) = *kind else {
            return None;
        };
        if format.is_integer() {
            return None;
        }
        let number = |side| OperandNumber {
            side,
            index,
            format,
            flushed: None,
            zero: None,
            rounded: None,
        };
        Some(match row {
            Operand::A => BoundsValue::Factor(number(0)),
            Operand::B => BoundsValue::Factor(number(1)),
            Operand::AScales => BoundsValue::Scale(number(0)),
            Operand::BScales => BoundsValue::Scale(number(1)),
            Operand::C => BoundsValue::Sum(BoundedSum::exact(true)),
        })
    }

    pub(super) fn flush(&mut self, of: Slot) -> Option<BoundsValue> {
        if let BoundsValue::Factor(number) = self.values[of as usize] {
            return Some(BoundsValue::Factor(number.flushed()));
        }
        let format = self.program.format(of)?;
        let sum = self.sum(of)?;
        let lost = scaled(1, format.min_exponent().into());
        let error = sum.error.clone().with_absolute(&lost);
        let most = sum.most.clone();
        Some(BoundsValue::Sum(
            sum.with(error, Amount::none()).within(most),
        ))
    }

    pub(super) fn term(&mut self, term: &TermStep) -> Option<BoundsValue> {
        let Some(format) = self.program.format(term.of) else {
            return match self.values[term.of as usize] {
                BoundsValue::Part(part) => self.compared_part(part, term),
                _ => self.compared(term).map(BoundsValue::Sum),
            };
        };
        let least = i64::from(format.min_exponent());
        let zero = match term.zeros {
            Zeros::None => None,
            Zeros::Field => Some(least),
            Zeros::At(exponent) => Some(exponent),
        };
        let number = |number: OperandNumber| OperandNumber { zero, ..number };
        match self.values[term.of as usize] {
            // The exponents of factors are compared as they are.
            BoundsValue::Factor(factor) => {
                return (!term.widen && term.shift == 0)
                    .then(|| BoundsValue::Factor(number(factor)));
            }
            BoundsValue::Scale(scale) => {
                return (!term.widen && term.shift == 0).then(|| BoundsValue::Scale(number(scale)));
            }
            BoundsValue::Constant(_) | BoundsValue::Part(_) => return None,
            BoundsValue::Sum(_) | BoundsValue::Unknown => {}
        }
        let sum = self.sum(term.of)?;
        let mut reach = sum.magnitude();
        if !term.widen {
            reach = reach.at_least(&scaled(1, least));
        }
        if let Some(zero) = zero {
            reach = reach.at_least(&scaled(1, zero));
        }
        let (error, most) = (sum.error.clone(), sum.most.clone());
        let sum = sum.with(error, reach.times(&scaled(1, term.shift)));
        Some(BoundsValue::Sum(sum.within(most)))
    }

    /// A number that is zero where its exponent is less.
    fn dropped(&mut self, of: Slot, exponent: i64) -> Option<BoundedSum> {
        let below = exponent - 1 + self.program.extent(of).integer_bits();
        let sum = self.sum(of)?;
        let error = sum.error.clone().with_absolute(&scaled(1, below));
        let (reach, most) = (sum.reach.clone(), sum.most.clone());
        Some(sum.apart().with(error, reach).within(most))
    }

    /// A number that is far off where it is minus one in the last place.
    fn miscounted(&mut self, of: Slot, bits: u32) -> Option<BoundedSum> {
        let fraction = self.program.extent(of).fraction;
        let sum = self.sum(of)?;
        if bits == 0 {
            return Some(sum);
        }
        let off = sum.reach.times(&scaled(1, i64::from(bits) - fraction));
        let (error, reach) = (sum.error.plus(&off), sum.reach.clone());
        Some(sum.apart().with(error, reach))
    }

    /// A number that is compared by another exponent.
    fn compared(&mut self, term: &TermStep) -> Option<BoundedSum> {
        let sum = self.sum(term.of)?;
        let reach = match term.zeros {
            Zeros::None => sum.reach.clone(),
            Zeros::At(exponent) => sum.reach.clone().at_least(&scaled(1, exponent)),
            // The exponent of a product with a factor zero may be that of the other factor.
            Zeros::Field => return None,
        };
        let (error, most) = (sum.error.clone(), sum.most.clone());
        let sum = sum.with(error, reach.times(&scaled(1, term.shift)));
        Some(sum.within(most))
    }
}
