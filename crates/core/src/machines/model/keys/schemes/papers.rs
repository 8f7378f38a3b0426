//! Schemes that papers describe.

use super::method::{LOW, PLACE, SchemeMethod, TO_PART, method, table};
use crate::machines::compositions::CompositionKind;
use crate::machines::model::keys::doc::KeySet;
use crate::machines::model::keys::key::Keys;
use crate::machines::schemes::{
    Equation24, Markidis, OotomoYokota, PlainProduct, ProductOrder, SmallProducts, SumPlacement,
    Words,
};
use crate::machines::sums::PartRounding;

const ORDER: &[(&str, ProductOrder)] = &[
    ("large-first", ProductOrder::LargeFirst),
    ("small-first", ProductOrder::SmallFirst),
    ("interleaved", ProductOrder::Interleaved),
];
const TF32: &[(&str, PartRounding)] = &[("rna", PartRounding::Rna), ("rne", PartRounding::Rne)];

pub(super) fn all() -> Vec<Box<dyn KeySet<CompositionKind>>> {
    vec![plain(), markidis(), ootomo_yokota(), equation24(), words()]
}

fn plain() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "plain",
            "f32 rounded to what the unit multiplies; one product",
            "definition; CUTLASS mma_tensor_op.h (tf32: rna), WGMMA (tf32: rz)",
        ],
        PlainProduct {
            round: PartRounding::Rne,
        },
        |keys| {
            keys.choice("round", TO_PART, |p| &mut p.1.round)
                .means("how f32 becomes the unit's format; rna is for bf16 and tf32")
        },
        method!(PlainProduct),
    )
}

fn markidis() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "markidis",
            "f32 in two f16; A B + R_A B + A R_B + R_A R_B in one accumulator",
            "Markidis et al. 2018, arXiv 1803.04014",
        ],
        Markidis {
            order: ProductOrder::LargeFirst,
        },
        |keys| {
            keys.choice("order", ORDER, |p| &mut p.1.order)
                .means("each product over all k before the next, or all four for each instruction")
        },
        method!(Markidis),
    )
}

fn ootomo_yokota() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "ootomo-yokota",
            "f32 in two f16, the second times 2^11, or in two tf32; A B per 16 k (tf32: 8) added outside, \
             A dB + dA B inside",
            "Ootomo and Yokota 2022, arXiv 2203.03341; wmma_extension",
        ],
        OotomoYokota {
            main: SumPlacement::Outside,
            tf32: PartRounding::Rna,
            low: SmallProducts::Dropped,
        },
        |keys| {
            keys.choice("main", PLACE, |p| &mut p.1.main)
                .means("where A B is added up")
                .choice("tf32", TF32, |p| &mut p.1.tf32)
                .means("how f32 becomes tf32; f16 is to nearest even")
                .choice("low", LOW, |p| &mut p.1.low)
                .means("whether dA dB is added, with an accumulator of its own")
        },
        method!(OotomoYokota),
    )
}

fn equation24() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "eq24",
            "f32 in two f16, the second times 2^11; ((A dB + dA B) / 2^11 + A B) + c, every sum rounded",
            "Ootomo and Yokota 2022, equation 24; Valpey et al. [arXiv:2502.15999] §6 (low=kept)",
        ],
        Equation24 {
            low: SmallProducts::Dropped,
        },
        |keys| {
            keys.choice("low", LOW, |p| &mut p.1.low)
                .means("whether dA dB / 2^22 is added")
        },
        method!(Equation24),
    )
}

fn words() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "words",
            "f32 in p words of the unit's format; products of words i + j <= p + 1, the smallest first",
            "Fasi, Higham, Lopez, Mary, Mikaitis 2023, Matrix multiplication in multiword arithmetic",
        ],
        Words {
            words: 2,
            low: SmallProducts::Dropped,
            sum: SumPlacement::Inside,
        },
        |keys: Keys<SchemeMethod<Words>>| {
            keys.number("p", 1, Words::MOST, |p| &mut p.1.words)
                .means("number of words")
                .shown()
                .choice("sum", PLACE, |p| &mut p.1.sum)
                .means("where the products are added up")
                .choice("low", LOW, |p| &mut p.1.low)
                .means("whether the other products are added as well")
        },
        method!(Words),
    )
}
