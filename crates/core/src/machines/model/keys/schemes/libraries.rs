//! Schemes of libraries and compilers.

use super::method::{LOW, PLACE, SchemeMethod, TO_PART, method, table};
use crate::machines::compositions::CompositionKind;
use crate::machines::model::keys::compositions::MOST;
use crate::machines::model::keys::doc::KeySet;
use crate::machines::model::keys::key::Keys;
use crate::machines::schemes::{
    AddendRule, CutlassBf16, CutlassTf32, DotAlgorithm, InputPrecision, NanRule, ProductOrder,
    ScaledAccumulator, SmallProducts, SumPlacement, Triton, Xla, XlaFp8,
};
use crate::machines::sums::PartRounding;

const ORDER: &[(&str, ProductOrder)] = &[
    ("small-first", ProductOrder::SmallFirst),
    ("large-first", ProductOrder::LargeFirst),
];
const NAN_RULE: &[(&str, NanRule)] = &[("zero", NanRule::Zero), ("kept", NanRule::Kept)];
const ADDEND: &[(&str, AddendRule)] =
    &[("outside", AddendRule::Outside), ("none", AddendRule::None)];

pub(super) fn all() -> Vec<Box<dyn KeySet<CompositionKind>>> {
    vec![
        cutlass_tf32(),
        cutlass_bf16(),
        tf32x3(),
        bf16x3(),
        bf16x6(),
        xla_bf16x3(),
        xla_bf16x6(),
        xla_bf16x9(),
        xla_tf32x3(),
        xla_fp8x3(),
        xla_fp8x4(),
    ]
}

fn cutlass_tf32() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "cutlass-3xtf32",
            "f32 in two tf32; small big + big small + big big of each k-step in one accumulator",
            "CUTLASS mma_tensor_op_fast_f32.h (OpMultiplyAddFastF32); 3xtf32 is the same name",
        ],
        CutlassTf32 {
            big: PartRounding::Rz,
            small: PartRounding::Rna,
            low: SmallProducts::Dropped,
            order: ProductOrder::SmallFirst,
            step: 8,
        },
        |keys| {
            keys.choice("big", TO_PART, |p| &mut p.1.big)
                .means("how the large part is rounded")
                .choice("small", TO_PART, |p| &mut p.1.small)
                .means("how the small part is rounded")
                .choice("low", LOW, |p| &mut p.1.low)
                .means("whether small small is added last (k4xTF32)")
                .choice("order", ORDER, |p| &mut p.1.order)
                .means("whether big big is the last or the first of a k-step")
                .number("step", 1, 65536, |p| &mut p.1.step)
                .means("products of a k-step")
                .counts_parts(None)
        },
        method!(CutlassTf32),
    )
}

const SCALED: &[(&str, ScaledAccumulator)] = &[
    ("cut", ScaledAccumulator::Cut),
    ("rounded", ScaledAccumulator::Rounded),
    ("whole", ScaledAccumulator::Whole),
];

fn cutlass_bf16() -> Box<dyn KeySet<CompositionKind>> {
    table(
        [
            "cutlass-9xbf16",
            "f32 in three bf16 with 2^8 between; five bands of products in each k-block, the accumulator times \
             2^-8 from band to band; sums of blocks outside",
            "CUTLASS sm100_mma_warpspecialized_emulated.hpp; `scaled` is not documented",
        ],
        CutlassBf16 {
            bands: 5,
            scaled: ScaledAccumulator::Cut,
            step: 16,
            addend: AddendRule::Outside,
        },
        |keys: Keys<SchemeMethod<CutlassBf16>>| {
            keys.number("bands", 3, 5, |p| &mut p.1.bands)
                .means("number of bands: 6, 8 or 9 products")
                .choice("scaled", SCALED, |p| &mut p.1.scaled)
                .means(
                    "the accumulator times 2^-8: aligned and cut as any, rounded first where it is subnormal, \
                     or added whole, to nearest",
                )
                .number("step", 1, 65536, |p| &mut p.1.step)
                .means("products of a k-block")
                .counts_parts(None)
                .choice("c", ADDEND, |p| &mut p.1.addend)
                .means("whether c is added to the result; none: it is not read")
        },
        method!(CutlassBf16),
    )
}

/// The table of one `input_precision` of Triton.
macro_rules! triton {
    ($function:ident, $name:literal, $precision:ident, $summary:literal) => {
        fn $function() -> Box<dyn KeySet<CompositionKind>> {
            table(
                [
                    $name,
                    $summary,
                    "Triton F32DotTC.cpp; recorded: H100, Triton 3.6.0",
                ],
                Triton {
                    precision: InputPrecision::$precision,
                    block: None,
                    addend: SumPlacement::Outside,
                    nan: NanRule::Zero,
                },
                |keys: Keys<SchemeMethod<Triton>>| {
                    keys.number_or_none("block", 1, MOST, |p| &mut p.1.block)
                        .means("products of one tl.dot (BLOCK_K); none: all")
                        .counts_parts(Some("none"))
                        .choice("c", PLACE, |p| &mut p.1.addend)
                        .means(
                            "whether c is added to the sum, or what it begins at (older versions)",
                        )
                        .choice("nan", NAN_RULE, |p| &mut p.1.nan)
                        .means(
                            "what a NaN becomes before the largest product (older versions: kept)",
                        )
                },
                method!(Triton, |triton| triton.precision
                    == InputPrecision::$precision),
            )
        }
    };
}

triton!(
    tf32x3,
    "triton-tf32x3",
    Tf32x3,
    "f32 in a tf32 (rna) and the rest; small large + large small + large large from +0, then c added"
);
triton!(
    bf16x3,
    "triton-bf16x3",
    Bf16x3,
    "f32 in two bf16 (rne); small large + large small + large large from +0, then c added"
);
triton!(
    bf16x6,
    "triton-bf16x6",
    Bf16x6,
    "f32 in three bf16 (rne); six products from +0, the small first, then c added"
);

/// The table of one algorithm of XLA.
macro_rules! xla {
    ($function:ident, $name:literal, $algorithm:ident, $summary:literal) => {
        fn $function() -> Box<dyn KeySet<CompositionKind>> {
            table(
                [
                    $name,
                    $summary,
                    "XLA dot_algorithm_rewriter.cc; on GPUs XLA may take the scheme of Triton instead",
                ],
                Xla {
                    algorithm: DotAlgorithm::$algorithm,
                    addend: AddendRule::Outside,
                },
                |keys: Keys<SchemeMethod<Xla>>| {
                    keys.choice("c", ADDEND, |p| &mut p.1.addend)
                        .means("whether c is added to the result; none: it is not read")
                },
                method!(Xla, |xla| xla.algorithm == DotAlgorithm::$algorithm),
            )
        }
    };
}

xla!(
    xla_bf16x3,
    "xla-bf16x3",
    Bf16X3,
    "f32 in two bf16, the first cut; whole dot products lo hi + hi lo, + hi hi outside"
);
xla!(
    xla_bf16x6,
    "xla-bf16x6",
    Bf16X6,
    "f32 in three bf16, two of them cut; six whole dot products, added outside"
);
xla!(
    xla_bf16x9,
    "xla-bf16x9",
    Bf16X9,
    "f32 in three bf16, two of them cut; nine whole dot products, added outside"
);
xla!(
    xla_tf32x3,
    "xla-tf32x3",
    Tf32X3,
    "f32 in a tf32 (cut) and the rest; whole dot products lo hi + hi lo, + hi hi outside"
);

/// The table of one algorithm of XLA on FP8, with three or with four products.
macro_rules! xla_fp8 {
    ($function:ident, $name:literal, $low:ident, $summary:literal) => {
        fn $function() -> Box<dyn KeySet<CompositionKind>> {
            table(
                [
                    $name,
                    $summary,
                    "XLA algorithm_util.cc (ALG_DOT_BF16_BF16_FP8X3, X4)",
                ],
                XlaFp8 {
                    low: SmallProducts::$low,
                    addend: AddendRule::Outside,
                },
                |keys: Keys<SchemeMethod<XlaFp8>>| {
                    keys.choice("c", ADDEND, |p| &mut p.1.addend)
                        .means("whether c is added to the result; none: it is not read")
                },
                method!(XlaFp8, |xla| xla.low == SmallProducts::$low),
            )
        }
    };
}

xla_fp8!(
    xla_fp8x3,
    "xla-fp8x3",
    Dropped,
    "the row of f32 scaled to [128, 256), in two e4m3 with 2^4 between; (hi hi + (hi lo + lo hi) / 2^4), scaled back"
);
xla_fp8!(xla_fp8x4, "xla-fp8x4", Kept, "the same, and + lo lo / 2^8");
