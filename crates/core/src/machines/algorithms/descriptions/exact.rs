//! The exact sum, rounded once, that claims compare results with. It takes the steps of descriptions, so that a formula
//! which compares it with a unit has the same bits for the terms of the sum as for those of the unit, as far as the unit
//! keeps them.

use super::fuse::fuse;
use super::number::ExactNumber;
use super::program::{
    Action, Extent, Fuse, FusedTerm, Integers, Nan, NegativeForm, Program, Round, RoundSource,
    Specials, TermStep, ZeroSign, Zeros,
};
use super::round::{RoundingInput, RoundingOperands, round};
use crate::machines::algorithms::{
    BlockScales, DotAdd, FlushedResults, FusedStages, Grid, Operands, Signature, Stages, Step,
};
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Format, NanCode, Overflow, Rounding};

/// The sum `c + a[0]*b[0] + …`, rounded correctly once. The terms are aligned to the largest exponent, as in FDA, but in a
/// register so wide that nothing is cut. A chain of exact sums, each over a group of products, models the 16-bit MFMA of
/// CDNA1 (reported MI100 rows, arXiv:2609.14845 §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Format of the left factors.
    pub a: Format,
    /// Format of the right factors.
    pub b: Format,
    /// Format of the accumulator operand `c`.
    pub c: Format,
    /// Format of the result.
    pub out: Format,
    /// Number of products.
    pub products: u32,
    /// Block scales of both factors.
    pub scales: Option<BlockScales>,
    /// Rounding of the result.
    pub rounding: Rounding,
    /// Code of a NaN result.
    pub nan: NanCode,
    /// The exponent that the terms are aligned to.
    pub alignment: Alignment,
}

/// The exponent that the terms of an exact sum are aligned to. Nothing is cut, so that it changes no result; where it is
/// that of a unit, a formula which compares both has the same shifts, and is proved in a fraction of the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    /// True if zeros take part, with the exponent of their field.
    zeros: bool,
    /// A lower limit.
    least: Option<i32>,
}

impl Alignment {
    /// The exponent that the only fused sum of a unit aligns its terms to; that of an exact sum by itself if there are
    /// none or several.
    pub fn of(program: &Program) -> Alignment {
        let actions = || program.nodes.iter().map(|node| &node.action);
        let mut fused = actions().filter_map(|action| match action {
            Action::Fuse(fuse) => Some(fuse),
            _ => None,
        });
        let (Some(fuse), None) = (fused.next(), fused.next()) else {
            return Alignment::default();
        };
        let mut terms = actions().filter_map(|action| match action {
            Action::Term(term) => Some(term.zeros),
            _ => None,
        });
        Alignment {
            zeros: terms.all(|zeros| zeros == Zeros::Field),
            least: fuse.least.and_then(|least| i32::try_from(least).ok()),
        }
    }
}

/// The number of a register, and its form.
fn number<B: Bv>(format: &Format, bits: &B, zeros: Zeros) -> (ExactNumber<B>, Extent) {
    let extent = Extent::of_format(format);
    let term = TermStep {
        zeros,
        ..TermStep::plain(0)
    };
    let number = ExactNumber::of_register(format, bits, &term, &extent);
    (number, extent)
}

/// The exact product of two numbers, and its form.
fn times<B: Bv>(
    (x, left): &(ExactNumber<B>, Extent),
    (y, right): &(ExactNumber<B>, Extent),
) -> (ExactNumber<B>, Extent) {
    let extent = left.times(right);
    (x.product(y, [left, right], &extent), extent)
}

impl Exact {
    /// The exclusive upper limit of a product's significand. The significands of factors and of
    /// scales are below 2; a scale that is a power of two has the significand 1.
    pub fn product_limit(&self) -> u32 {
        match self.scales {
            Some(scales) if scales.format.fraction_bits > 0 => 16,
            _ => 4,
        }
    }

    /// Computes the exact sum and its rounding, and returns the stages of both. They are not
    /// recorded in `stages`; the caller may do that.
    pub fn sum<B: Bv>(
        &self,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> Box<FusedStages<B>> {
        let zeros = match self.alignment.zeros {
            true => Zeros::Field,
            false => Zeros::None,
        };
        let number = |format: &Format, bits: &B| number(format, bits, zeros);
        let factors = operands.a.iter().zip(operands.b).enumerate();
        let products = factors.map(|(k, (x, y))| {
            let product = times(&number(&self.a, x), &number(&self.b, y));
            let Some(BlockScales { format, block }) = self.scales else {
                return product;
            };
            let of_block =
                [operands.a_scales, operands.b_scales].map(|row| row.get(k / block as usize));
            let scales = of_block.into_iter().flatten();
            scales.fold(product, |product, scale| {
                times(&product, &number(&format, scale))
            })
        });
        let terms: Vec<(ExactNumber<B>, Extent)> =
            products.chain([number(&self.c, operands.c)]).collect();
        let extents: Vec<Extent> = terms.iter().map(|(_, extent)| *extent).collect();
        let aligned = FusedTerm {
            of: 0,
            keep: Fuse::all_bits(&extents),
            by: Rounding::Rz,
            far: None,
            again: None,
            vanish: None,
            is_least_if_absent: false,
        };
        // Beyond the exponents of all terms, a limit would take room for more bits.
        let highest = extents.iter().map(|own| own.highest).max();
        let least = self.alignment.least.map(i64::from);
        let step = Fuse {
            terms: vec![aligned; terms.len()],
            least: least.filter(|least| Some(*least) <= highest),
            width: None,
            sticky: false,
            negate: NegativeForm::Twos,
        };
        let terms: Vec<(&ExactNumber<B>, Extent)> =
            terms.iter().map(|(term, own)| (term, *own)).collect();
        let extent = step.extent(&extents);
        let mut stage = stages.begin_fused(Grid::NONE);
        let total = fuse(&step, &terms, &extent, ("", None), &mut stage);
        let rule = Round {
            of: RoundSource::Number(0),
            by: self.rounding,
            fraction: self.out.fraction_bits,
            tiny: FlushedResults::Kept,
            overflow: Overflow::Ieee,
            integers: Integers::Wrap,
            zero: ZeroSign::Ieee,
            nan: Nan::Code(self.nan),
            specials: Specials::Format,
            random: None,
            kept_nan: None,
        };
        stage.result = round(
            &rule,
            &RoundingInput::Number(&total, extent, None),
            &self.out,
            &RoundingOperands::nothing(),
        );
        stage.grid.result = Some(self.out);
        stage
    }
}

impl DotAdd for Exact {
    fn signature(&self) -> Signature {
        Signature {
            a: self.a,
            b: self.b,
            c: self.c,
            d: self.out,
            products: self.products,
            scales: self.scales,
        }
    }

    fn nan(&self) -> NanCode {
        self.nan
    }

    fn dot_add<B: Bv>(&self, operands: Operands<'_, B>, stages: &mut Stages<B>) -> B {
        let stage = self.sum(operands, stages);
        let result = stage.result.clone();
        stages.push(Step::Fused(stage));
        result
    }
}
