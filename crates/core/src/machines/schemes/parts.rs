//! Splitting of numbers into parts, and multiplication of parts.

use crate::machines::algorithms::{Core, DotAdd, Operands, Stages, Unit};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, Rounding, convert, unpack};

/// How a number is rounded to the format of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRounding {
    /// To nearest even; a number beyond the greatest one becomes infinity.
    Rne,
    /// To nearest, ties away from zero, as PTX's `cvt.rna` does: half a unit in the last place of
    /// the part is added to the register of a finite number, and the low bits are dropped. Only for
    /// bf16 and tf32.
    Rna,
    /// Toward zero. For bf16 and tf32, a mask drops the low bits, those of NaNs too.
    Rz,
    /// To nearest even; a number beyond the greatest one becomes the greatest one.
    RneFinite,
    /// No rounding: the unit gets the f32 register, and ignores the bits that tf32 does not have.
    None,
}

impl PartRounding {
    /// Whether numbers can be rounded to `format` in this way.
    pub(super) fn is_known(self, format: &Format) -> bool {
        match self {
            PartRounding::Rne | PartRounding::Rz => true,
            PartRounding::RneFinite => format.has_infinity(),
            PartRounding::Rna => [Format::BF16, Format::TF32].contains(format),
            PartRounding::None => *format == Format::TF32,
        }
    }
}

/// The splitting of a number into parts. Each part is what the previous parts leave, rounded.
pub(super) struct Splitting<'x> {
    /// Format of all parts.
    pub format: Format,
    /// The name and the rounding of each part; the largest comes first.
    pub parts: &'x [(&'static str, PartRounding)],
    /// The exponent of the power of two that each remainder is multiplied by before it is rounded.
    pub scale: i32,
}

/// A description of a value for a person, and its index among several such values.
type What = (&'static str, Option<usize>);

/// A row of numbers, each split into two parts.
pub(super) struct Pair<B> {
    pub big: Vec<B>,
    pub small: Vec<B>,
}

/// A matrix unit with the f32 core beside it.
pub(super) struct Processor<'s, A, B: Bv> {
    pub unit: &'s Unit<A>,
    pub stages: &'s mut Stages<B>,
}

impl<A: DotAdd, B: Bv> Processor<'_, A, B> {
    /// The f32 core.
    pub(super) fn core(&mut self) -> Core<'_, B> {
        Core {
            format: Format::F32,
            nan: self.unit.nan(),
            stages: self.stages,
        }
    }

    /// Splits f32 numbers into parts, and returns a row for each part.
    pub(super) fn split(&mut self, splitting: &Splitting<'_>, row: &[B]) -> Vec<Vec<B>> {
        let mut core = self.core();
        let mut parts = vec![Vec::with_capacity(row.len()); splitting.parts.len()];
        for (k, x) in row.iter().enumerate() {
            let mut rest = x.clone();
            for (index, &(what, rounding)) in splitting.parts.iter().enumerate() {
                let part = rounded(&core, splitting.format, rounding, &rest);
                core.note((what, Some(k)), splitting.format, &part);
                if index + 1 < splitting.parts.len() {
                    let taken = core.extend(splitting.format, &part);
                    rest = core.subtract(("rest of", Some(k)), &rest, &taken);
                    if splitting.scale != 0 {
                        rest = core.scale(("rest scaled", Some(k)), &rest, splitting.scale);
                    }
                }
                parts[index].push(part);
            }
        }
        parts
    }

    /// Splits f32 numbers into two parts.
    pub(super) fn split_in_two(
        &mut self,
        format: Format,
        parts: [(&'static str, PartRounding); 2],
        scale: i32,
        row: &[B],
    ) -> Pair<B> {
        let splitting = Splitting {
            format,
            parts: &parts,
            scale,
        };
        let mut rows = self.split(&splitting, row).into_iter();
        Pair {
            big: rows.next().unwrap_or_default(),
            small: rows.next().unwrap_or_default(),
        }
    }

    /// The sum of `d` and of the products of `a` and `b`, as the unit computes it.
    pub(super) fn chained(&mut self, what: What, [a, b]: [&[B]; 2], d: &B) -> B {
        let sum = self.unit.run(Operands::plain(a, b, d), self.stages);
        self.core().note(what, Format::F32, &sum);
        sum
    }

    /// The sum of +0 and of the products of the two rows of `factors`, as the unit computes it.
    pub(super) fn dot(&mut self, what: What, factors: [&[B]; 2]) -> B {
        let zero = self.unit.zero();
        self.chained(what, factors, &zero)
    }

    /// `x + y`, as the core computes it, rounded to nearest even.
    pub(super) fn add(&mut self, what: What, x: &B, y: &B) -> B {
        self.core().add(what, Rounding::Rne, x, y)
    }
}

/// The f32 number `x`, rounded to the format `format` as `rounding` says.
fn rounded<B: Bv>(core: &Core<'_, B>, format: Format, rounding: PartRounding, x: &B) -> B {
    let nearest = |x: &B| convert(&core.format, &format, Rounding::Rne, core.nan, x);
    let f32 = core.format.width();
    // Numbers of bf16 and tf32 are the high bits of f32 registers.
    let dropped = core.format.fraction_bits - format.fraction_bits;
    let is_cut = [Format::BF16, Format::TF32].contains(&format);
    let cut = |x: &B| {
        let kept = x.extract(f32 - 1, dropped);
        kept.widen_low(format.dropped_bits)
    };
    match rounding {
        PartRounding::Rz if is_cut => cut(x),
        PartRounding::Rz => convert(&core.format, &format, Rounding::Rz, core.nan, x),
        PartRounding::Rna if is_cut => {
            let half = B::lit(f32, 1 << (dropped - 1));
            cut(&core.where_finite(x, &x.add(&half)))
        }
        PartRounding::Rne | PartRounding::Rna => nearest(x),
        PartRounding::RneFinite => {
            let greatest = B::lit(format.width() - 1, format.max_finite());
            let rounded = nearest(x);
            let finite = B::from_prop(1, &rounded.msb()).concat(&greatest);
            crate::numbers::bits::mux(&unpack(&format, &rounded).infinite, &finite, &rounded)
        }
        PartRounding::None => x.clone(),
    }
}

/// Divides `0..count` into ranges of `step` numbers; the last range may be shorter.
pub(super) fn runs(count: usize, step: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let step = step.max(1);
    let starts = (0..count).step_by(step);
    starts.map(move |start| start..(start + step).min(count))
}
