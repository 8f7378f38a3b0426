//! Splitting of numbers into parts.

use crate::machines::algorithms::Core;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Format, Rounding, convert, unpack};

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
    pub fn is_known(self, format: &Format) -> bool {
        match self {
            PartRounding::Rne | PartRounding::Rz => true,
            PartRounding::RneFinite => format.has_infinity(),
            PartRounding::Rna => [Format::BF16, Format::TF32].contains(format),
            PartRounding::None => *format == Format::TF32,
        }
    }
}

/// The splitting of a number into parts. Each part is what the previous parts leave, rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splitting<'x> {
    /// Format of all parts.
    pub format: Format,
    /// The name and the rounding of each part; the largest comes first.
    pub parts: &'x [(&'static str, PartRounding)],
    /// The exponent of the power of two that each remainder is multiplied by before it is rounded.
    pub scale: i32,
}

impl Splitting<'_> {
    /// The parts of the f32 number `x`, which is number `k` of its row.
    pub fn of<B: Bv>(&self, core: &mut Core<'_, B>, k: usize, x: &B) -> Vec<B> {
        let mut rest = x.clone();
        let mut parts = Vec::with_capacity(self.parts.len());
        for (index, &(what, rounding)) in self.parts.iter().enumerate() {
            let part = rounded(core, self.format, rounding, &rest);
            core.note((what, Some(k)), self.format, &part);
            if index + 1 < self.parts.len() {
                let taken = core.extend(self.format, &part);
                rest = core.subtract(("rest of", Some(k)), &rest, &taken);
                if self.scale != 0 {
                    rest = core.scale(("rest scaled", Some(k)), &rest, self.scale);
                }
            }
            parts.push(part);
        }
        parts
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
            mmasmt_numbers::bits::mux(&unpack(&format, &rounded).infinite, &finite, &rounded)
        }
        PartRounding::None => x.clone(),
    }
}
