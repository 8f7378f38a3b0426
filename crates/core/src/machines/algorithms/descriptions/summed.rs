//! Sums of terms in rows, each made from registers on its way into the sum.

use super::elements::ElementFactor;
use super::fuse::{Form, of_sum, placed};
use super::number::{ExactNumber, Signs, TermSummary, exponent_width};
use super::program::{Action, Extent, Fuse, ProgramNode, SumZeros};
use super::rows::{Rows, SumWidth, TermRow, TermSource, lowest};
use super::tables::DescriptionTable;
use crate::machines::algorithms::{FusedStages, Grid, Operand, Stages, Step};
use mmasmt_numbers::bits::{Bv, Prop, Shape, mux, widest};
use mmasmt_numbers::float::{Format, SpecialTerm, integer};

impl Rows {
    /// Whether words of 64 bits hold all on the way to the sum, or to its halves.
    pub(super) fn fit_words(&self, node: &ProgramNode, extent: &Extent) -> bool {
        let needed = widest(|| {
            self.number(node, extent, &Widths, &mut Stages::for_result());
        });
        needed <= u64::BITS
    }

    /// Calls `take` for each term.
    #[inline(always)]
    fn each<E: Bv>(
        &self,
        source: &impl SumSource<E>,
        mut take: impl FnMut(&TermRow, &ExactNumber<E>),
    ) {
        for row in &self.all {
            row.each(source, |number| take(row, number));
        }
    }

    /// The sum.
    #[inline(always)]
    pub(super) fn number<E: Bv>(
        &self,
        node: &ProgramNode,
        extent: &Extent,
        source: &impl SumSource<E>,
        stages: &mut Stages<E>,
    ) -> SumResult<E> {
        match (&self.form, &node.action) {
            (SumWidth::Fused(form), Action::Fuse(step)) => {
                let mut stage = stages.begin_fused(Grid::NONE);
                let number = self.fused(form, step, source, &mut stage);
                stages.push(Step::Fused(stage));
                SumResult::Number(number)
            }
            (SumWidth::Halves(half), _) => self.halves(*half, extent, source),
            (_, action) => {
                let mut total = E::lit(extent.width + 1, 0);
                let mut terms = TermSummary::none();
                for row in &self.all {
                    match row.integers.filter(|_| lowest(&row.own, extent) == 0) {
                        Some(formats) => row.integers(formats, source, &mut total, &mut terms),
                        None => row.each(source, |term| {
                            total = total.add(&placed(term, &row.own, extent));
                            terms = terms.with(term);
                        }),
                    }
                }
                let zeros = match action {
                    Action::Sum { zeros, .. } => *zeros,
                    _ => SumZeros::None,
                };
                SumResult::Number(of_sum(total, &terms, zeros, extent))
            }
        }
    }

    #[inline(always)]
    fn fused<E: Bv>(
        &self,
        form: &Form,
        step: &Fuse,
        source: &impl SumSource<E>,
        stage: &mut FusedStages<E>,
    ) -> ExactNumber<E> {
        let mut terms = TermSummary::none();
        stage.terms.clear();
        stage.exponents.clear();
        stage.aligned.clear();
        self.each(source, |row, number| {
            terms = terms.with(number);
            let is_least = row
                .aligned
                .is_some_and(|aligned| aligned.is_least_if_absent);
            let (term, exponent) = form.term(number, &row.own, is_least);
            stage.terms.push(term);
            stage.exponents.push(exponent);
        });
        form.find_largest(stage);
        let greatest = stage.max_exponent.clone();
        let last = stage.terms.last().map(|term| term.special.sign.clone());
        let last = last.unwrap_or_else(|| E::Bool::constant(false));
        let mut lost = step.sticky.then(|| E::Bool::constant(false));
        let mut index = 0;
        for row in &self.all {
            let Some(aligned) = &row.aligned else {
                continue;
            };
            for _ in &row.places {
                let term = (&stage.terms[index], &stage.exponents[index]);
                let (value, ones) =
                    form.aligned(step, (aligned, &row.own), term, (&greatest, &last));
                lost = lost.zip(ones).map(|(lost, ones)| lost.or(&ones));
                stage.aligned.push(value);
                index += 1;
            }
        }
        stage.sticky = lost;
        form.total(step, stage, &terms)
    }

    #[inline(always)]
    fn halves<E: Bv>(
        &self,
        half: u32,
        extent: &Extent,
        source: &impl SumSource<E>,
    ) -> SumResult<E> {
        let nothing = E::lit(u64::BITS, 0);
        let (mut low, mut high) = (nothing.clone(), nothing);
        let mut terms = TermSummary::none();
        let none = E::lit(AMOUNT, u64::BITS.into());
        self.each(source, |row, term| {
            let amount = term
                .exponent
                .resize(AMOUNT)
                .add_const(lowest(&row.own, extent));
            let is_low = amount.ult(&E::lit(AMOUNT, half.into()));
            let less = mux(&is_low, &amount, &none);
            let more = mux(&is_low, &none, &amount.add_const(-i64::from(half)));
            let number = term.significand.zext(u64::BITS).neg_if(&term.special.sign);
            low = low.add(&number.shl(&less));
            high = high.add(&number.shl(&more));
            terms = terms.with(term);
        });
        SumResult::Halves([low, high], terms)
    }
}

impl TermRow {
    /// Calls `take` for each term.
    #[inline(always)]
    fn each<E: Bv>(&self, source: &impl SumSource<E>, mut take: impl FnMut(&ExactNumber<E>)) {
        match &self.made {
            TermSource::Number => {
                for [place, _] in &self.places {
                    take(&source.number(*place, &self.own));
                }
            }
            TermSource::Element(element) => {
                for [x, y] in &self.places {
                    let [first, second] = &self.tables;
                    let left = source.factor(&element.left, first, (self.sources[0], *x));
                    let right = |factor: &ElementFactor| {
                        source.factor(factor, second, (self.sources[1], *y))
                    };
                    take(&element.number(left, right));
                }
            }
        }
    }

    /// Adds integers, or products of two, to a sum in two's complement.
    #[inline(always)]
    fn integers<E: Bv>(
        &self,
        (left, right): (Format, Option<Format>),
        source: &impl SumSource<E>,
        total: &mut E,
        terms: &mut TermSummary<E>,
    ) {
        let width = total.width();
        let read = |format: &Format, side: usize, place: usize| {
            let register = source.register(format, (self.sources[side], place));
            let value = integer(format, &register, width.max(format.width() + 1));
            (value.resize(width), value.msb(), register.is_zero())
        };
        for [x, y] in &self.places {
            let (mut value, mut sign, mut zero) = read(&left, 0, *x);
            if let Some(format) = &right {
                let (other, negative, is_zero) = read(format, 1, *y);
                value = value.mul(&other);
                (sign, zero) = (sign.xor(&negative), zero.or(&is_zero));
            }
            *total = total.add(&value);
            terms.add_integer(&sign, &zero);
        }
    }
}

/// The width of shift amounts in a sum of two halves.
const AMOUNT: u32 = 16;

/// A sum, or the two halves of it with what it keeps of its terms.
pub(super) enum SumResult<E: Bv> {
    Number(ExactNumber<E>),
    Halves([E; 2], TermSummary<E>),
}

/// The operands and earlier steps that terms are made of.
pub(super) trait SumSource<E: Bv> {
    /// The number of the register at a position in a row of operands, or of a step.
    fn factor(
        &self,
        factor: &ElementFactor,
        table: &Option<DescriptionTable>,
        place: (Option<Operand>, usize),
    ) -> ExactNumber<E>;
    /// A register of this format.
    fn register(&self, format: &Format, place: (Option<Operand>, usize)) -> E;
    /// The number of a step.
    fn number(&self, place: usize, own: &Extent) -> ExactNumber<E>;
}

/// Terms of which only the widths are known.
struct Widths;

impl SumSource<Shape> for Widths {
    fn factor(
        &self,
        factor: &ElementFactor,
        _: &Option<DescriptionTable>,
        _: (Option<Operand>, usize),
    ) -> ExactNumber<Shape> {
        factor.number(&Shape::lit(factor.register.width(), 0))
    }
    fn register(&self, format: &Format, _: (Option<Operand>, usize)) -> Shape {
        Shape::lit(format.width(), 0)
    }
    fn number(&self, _: usize, own: &Extent) -> ExactNumber<Shape> {
        let no = || Prop::constant(false);
        ExactNumber {
            significand: Shape::lit(own.width, 0),
            exponent: Shape::lit(exponent_width(own), 0),
            zero: no(),
            special: SpecialTerm {
                nan: no(),
                infinite: no(),
                sign: no(),
            },
            absent: no(),
            signs: Signs {
                all: no(),
                any: no(),
                zeros: no(),
            },
            complement: None,
            sticky: None,
        }
    }
}
