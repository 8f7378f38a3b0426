//! One format on the unit of another: elements are brought into the format of the unit's factors, and their block
//! scales are given to the unit, multiplied into the elements, or applied to sums.

use crate::machines::algorithms::{BlockScales, Core, DotAdd, Operands, Signature};
use crate::machines::sums::RegisterSums;
use mmasmt_numbers::bits::Bv;
use mmasmt_numbers::float::{Arithmetic, Format, Rounding, convert, ieee_multiply};

/// Elements `a` and `b` with block scales, on a unit that has others. An element that the unit's
/// format does not have is rounded to nearest even, and saturated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adapt {
    /// Number of products.
    pub products: u32,
    /// Format of the elements of A.
    pub a: Format,
    /// Format of the elements of B.
    pub b: Format,
    /// Format of the scales, if there are any.
    pub scale: Option<Format>,
    /// Number of elements that share a scale.
    pub block: u32,
    /// The place where scales are applied.
    pub place: ScalePlace,
}

/// The place where block scales are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalePlace {
    /// In the unit, whose blocks are as long or shorter: a scale is repeated for each of these. A scale
    /// that the unit's format does not have is rounded to nearest even, and saturated.
    Unit,
    /// In the elements: their products with the scale are rounded to the unit's format.
    Elements,
    /// After the unit: the sum of each block begins at +0, and is multiplied by the product of both
    /// scales and added in f32, by one operation.
    Sums,
}

impl Adapt {
    /// The scales of the adapted operands.
    fn scales(&self) -> Option<BlockScales> {
        let block = self.block;
        self.scale.map(|format| BlockScales { format, block })
    }

    /// The most products of one run of the unit.
    pub(super) fn most_of_a_run(&self) -> u32 {
        match self.place {
            ScalePlace::Sums => self.block.min(self.products),
            ScalePlace::Unit | ScalePlace::Elements => self.products,
        }
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        let scales = self.scales();
        if self.a.is_integer() || self.b.is_integer() {
            let (a, b) = (self.a, self.b);
            return Err(format!("floating-point elements, found {a} and {b}"));
        }
        if let Some(own) = unit.scales
            && !unit.products.is_multiple_of(own.block)
        {
            return Err(format!("a unit of whole blocks of scales, found {unit}"));
        }
        match (self.place, scales, unit.scales) {
            (ScalePlace::Unit, Some(scales), Some(own)) => {
                if !scales.block.is_multiple_of(own.block) {
                    let block = scales.block;
                    return Err(format!(
                        "a unit whose blocks of scales divide {block}, found {unit}"
                    ));
                }
                if scales.format != own.format && !own.format.has_zero() {
                    let format = scales.format;
                    return Err(format!("a unit with scales in {format}, found {unit}"));
                }
            }
            (ScalePlace::Unit, Some(_), None) => {
                return Err(format!(
                    "a unit with scales, or `scales=elements` or `scales=sums`, found {unit}"
                ));
            }
            (ScalePlace::Unit, None, _) => {}
            (_, None, _) => return Err("a format of scales, such as `scale=ue8m0`".into()),
            (ScalePlace::Sums, ..) if unit.d != Format::F32 => {
                return Err(format!("a unit with f32 results, found {unit}"));
            }
            _ => {}
        }
        Ok(Signature {
            a: self.a,
            b: self.b,
            products: self.products,
            scales,
            ..*unit
        })
    }

    pub(super) fn dot_add<A: DotAdd, B: Bv>(&self, on: &mut RegisterSums<'_, A, B>) -> B {
        let unit = on.unit.signature();
        let Operands {
            a,
            b,
            c,
            a_scales,
            b_scales,
        } = on.operands;
        let a = self.elements(on, "element of a", [self.a, unit.a], a, a_scales);
        let b = self.elements(on, "element of b", [self.b, unit.b], b, b_scales);
        if self.place == ScalePlace::Sums {
            return self.scaled_sums(on, [&a, &b]);
        }
        let a_scales = self.unit_scales(on, "scale of a", &unit, a_scales);
        let b_scales = self.unit_scales(on, "scale of b", &unit, b_scales);
        let operands = Operands {
            a: &a,
            b: &b,
            c,
            a_scales: &a_scales,
            b_scales: &b_scales,
        };
        on.unit.run(operands, on.stages)
    }

    /// The factors of the unit.
    fn elements<A: DotAdd, B: Bv>(
        &self,
        on: &mut RegisterSums<'_, A, B>,
        what: &'static str,
        [from, to]: [Format; 2],
        row: &[B],
        scales: &[B],
    ) -> Vec<B> {
        let mut core = on.core(Format::F32);
        let is_folded = self.place == ScalePlace::Elements;
        let folded = self.scale.filter(|_| is_folded);
        let each = row.iter().enumerate().map(|(k, x)| match folded {
            None => stored(&mut core, (what, Some(k)), [from, to], x),
            Some(scale) => {
                let arithmetic = nearest(&core);
                let scale_of = &scales[k / self.block as usize];
                let product = ieee_multiply(&arithmetic, [&from, &scale], x, scale_of);
                stored(&mut core, (what, Some(k)), [Format::F32, to], &product)
            }
        });
        each.collect()
    }

    /// The scales of the unit: 1 where they are applied elsewhere.
    fn unit_scales<A: DotAdd, B: Bv>(
        &self,
        on: &mut RegisterSums<'_, A, B>,
        what: &'static str,
        unit: &Signature,
        scales: &[B],
    ) -> Vec<B> {
        let Some(own) = unit.scales else {
            return Vec::new();
        };
        let count = self.products.div_ceil(own.block) as usize;
        let Some(from) = self.scale.filter(|_| self.place == ScalePlace::Unit) else {
            return vec![B::lit(own.format.width(), own.format.one()); count];
        };
        let mut core = on.core(Format::F32);
        let each = scales.iter().enumerate();
        let kept: Vec<B> = each
            .map(|(index, x)| stored(&mut core, (what, Some(index)), [from, own.format], x))
            .collect();
        let times = (self.block / own.block) as usize;
        (0..count)
            .map(|index| kept[index / times].clone())
            .collect()
    }

    fn scaled_sums<A: DotAdd, B: Bv>(
        &self,
        on: &mut RegisterSums<'_, A, B>,
        [a, b]: [&[B]; 2],
    ) -> B {
        let unit = on.unit.signature();
        let (count, block) = (a.len(), self.block as usize);
        let scale = self.scale.unwrap_or(Format::F32);
        let mut d = on.operands.c.clone();
        for (index, start) in (0..count).step_by(block).enumerate() {
            let part = start..count.min(start + block);
            let ones: Vec<B> = unit.scales.map_or(Vec::new(), |own| {
                let scales = part.len().div_ceil(own.block as usize);
                vec![B::lit(own.format.width(), own.format.one()); scales]
            });
            let operands = Operands {
                a: &a[part.clone()],
                b: &b[part],
                c: &on.unit.zero(),
                a_scales: &ones,
                b_scales: &ones,
            };
            let sum = on.unit.run(operands, on.stages);
            let [x, y] = [on.operands.a_scales, on.operands.b_scales].map(|all| &all[index]);
            let mut core = on.core(Format::F32);
            let both = ieee_multiply(&nearest(&core), [&scale, &scale], x, y);
            core.note(("product of scales", Some(index)), Format::F32, &both);
            let what = ("sum outside after block", Some(index));
            d = core.fma(what, Rounding::Rne, [&sum, &both, &d]);
        }
        d
    }
}

fn nearest<B: Bv>(core: &Core<'_, B>) -> Arithmetic {
    Arithmetic {
        format: core.format,
        rounding: Rounding::Rne,
        nan: core.nan,
    }
}

/// A register of one format in another: exact if that has all its numbers, else rounded to nearest even
/// and saturated.
fn stored<B: Bv>(
    core: &mut Core<'_, B>,
    what: (&'static str, Option<usize>),
    [from, to]: [Format; 2],
    x: &B,
) -> B {
    if from == to {
        return x.clone();
    }
    if to.has_all_of(&from) {
        let same = convert(&from, &to, Rounding::Rne, core.nan, x);
        core.note(what, to, &same);
        return same;
    }
    let wide = match from == core.format {
        true => x.clone(),
        false => convert(&from, &core.format, Rounding::Rne, core.nan, x),
    };
    match to == core.format {
        true => wide,
        false => core.saturate(what, to, &wide),
    }
}
