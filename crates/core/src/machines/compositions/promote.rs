//! Promotion: after every `every` instructions, the accumulator of the unit is added to a sum
//! outside of the unit, and begins again at +0 (CUTLASS `mma_promotion_interval`, cuBLASLt without
//! fast accumulation, DeepGEMM).

use crate::machines::algorithms::{BlockScales, Core, DotAdd, Operands, Signature, Stages, Unit};
use crate::numbers::bits::Bv;
use crate::numbers::float::{Format, Rounding};

/// Partial sums of `every` instructions, which are added outside of the unit to a sum that begins
/// at `c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promote {
    /// Number of products.
    pub products: u32,
    /// Number of instructions of one partial sum; `None`: there is one sum of all instructions,
    /// which begins at `c`.
    pub every: Option<u32>,
    /// Rounding of the operations outside of the unit.
    pub rounding: Rounding,
    /// How a partial sum is added.
    pub promotion: Promotion,
    /// Treatment of the instructions at the end if they are fewer than `every`.
    pub remainder: Remainder,
}

/// How a partial sum `p` is added to the sum `d`; `sa` and `sb` are f32 scales of the products of
/// one partial sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// `d + p`; there are no scales.
    Plain,
    /// `fma(p, sa * sb, d)`.
    ScalesThenFma,
    /// `fma(p * sa, sb, d)`.
    ScaleThenFma,
    /// `d + p * (sa * sb)`, where the product with `p` is rounded before it is added.
    Separate,
}

/// Treatment of a last partial sum that has fewer instructions than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// The last partial sum is added like the others.
    Added,
    /// The last partial sum is left out.
    Dropped,
}

impl Promote {
    /// The number of products of one partial sum, over a unit with the signature `unit`.
    fn part(&self, unit: &Signature) -> u32 {
        let whole = self.products.max(1);
        self.every
            .map_or(whole, |every| unit.products.saturating_mul(every))
    }

    /// The most products of one run of a unit with the signature `unit`.
    pub(super) fn most_of_a_run(&self, unit: &Signature) -> u32 {
        self.part(unit).min(self.products)
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        let scales = match self.promotion {
            Promotion::Plain => unit.scales,
            _ if unit.scales.is_some() => {
                return Err(format!("a unit without scales of its own, found {unit}"));
            }
            _ if self.every.is_none() => {
                return Err("an interval `every` where partial sums are scaled, found none".into());
            }
            _ => Some(BlockScales {
                format: Format::F32,
                block: self.part(unit),
            }),
        };
        if let Some(scales) = unit.scales
            && !unit.products.is_multiple_of(scales.block)
        {
            return Err(format!("a unit of whole blocks of scales, found {unit}"));
        }
        if unit.d != Format::F32 && self.promotion != Promotion::Plain {
            return Err(format!("a unit with f32 results, found {unit}"));
        }
        Ok(Signature {
            products: self.products,
            scales,
            ..*unit
        })
    }

    pub(super) fn dot_add<A: DotAdd, B: Bv>(
        &self,
        unit: &Unit<A>,
        operands: Operands<'_, B>,
        stages: &mut Stages<B>,
    ) -> B {
        if self.every.is_none() {
            return unit.run(operands, stages);
        }
        let signature = unit.signature();
        let (part, k) = (self.part(&signature) as usize, operands.a.len());
        let zero = unit.zero();
        let mut d = operands.c.clone();
        for (index, start) in (0..k).step_by(part).enumerate() {
            let end = (start + part).min(k);
            if end - start < part && self.remainder == Remainder::Dropped {
                break;
            }
            let scales = |scales| Self::scales_of(&signature, scales, start, end);
            let products = Operands {
                a: &operands.a[start..end],
                b: &operands.b[start..end],
                c: &zero,
                a_scales: scales(operands.a_scales),
                b_scales: scales(operands.b_scales),
            };
            let sum = unit.run(products, stages);
            let mut core = Core {
                format: signature.d,
                nan: unit.nan(),
                stages,
            };
            let scales = [operands.a_scales, operands.b_scales].map(|scales| scales.get(index));
            d = self.promoted(&mut core, index, [&sum, &d], scales);
        }
        d
    }

    /// The scales that the unit itself takes for the products `start..end`.
    fn scales_of<'x, B>(unit: &Signature, scales: &'x [B], start: usize, end: usize) -> &'x [B] {
        match unit.scales {
            None => &[],
            Some(own) => {
                let block = own.block as usize;
                &scales[start / block..end.div_ceil(block)]
            }
        }
    }

    fn promoted<B: Bv>(
        &self,
        core: &mut Core<'_, B>,
        index: usize,
        [sum, d]: [&B; 2],
        scales: [Option<&B>; 2],
    ) -> B {
        let (to, index) = (self.rounding, Some(index));
        let ([Some(sa), Some(sb)], true) = (scales, self.promotion != Promotion::Plain) else {
            return core.add(("sum outside after part", index), to, d, sum);
        };
        match self.promotion {
            Promotion::ScaleThenFma => {
                let scaled = core.multiply(("part times scale of a", index), to, sum, sa);
                core.fma(("sum outside after part", index), to, [&scaled, sb, d])
            }
            Promotion::ScalesThenFma | Promotion::Separate | Promotion::Plain => {
                let scale = core.multiply(("product of scales", index), to, sa, sb);
                if self.promotion == Promotion::ScalesThenFma {
                    return core.fma(("sum outside after part", index), to, [sum, &scale, d]);
                }
                let scaled = core.multiply(("part times scales", index), to, sum, &scale);
                core.add(("sum outside after part", index), to, d, &scaled)
            }
        }
    }
}
