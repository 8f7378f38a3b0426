//! Keys of compositions.

use super::doc::bad_value;
use super::formats::KeyFormats;
use super::key::Keys;
use super::table::KeyTable;
use crate::machines::compositions::{
    Activation, Adapt, CombinationOrder, CompositionKind, Epilogue, Promote, Promotion, Remainder,
    ScalePlace, Split, Tiles,
};
use crate::machines::model::ModelError;
use mmasmt_numbers::float::{Format, Rounding};

/// The most products of a composition.
pub(super) const MOST: u32 = 1 << 20;

const ROUND: &[(&str, Rounding)] = &[
    ("rz", Rounding::Rz),
    ("rne", Rounding::Rne),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("ra", Rounding::Ra),
];
const PROMOTION: &[(&str, Promotion)] = &[
    ("none", Promotion::Plain),
    ("product-fma", Promotion::ScalesThenFma),
    ("left-fma", Promotion::ScaleThenFma),
    ("separate", Promotion::Separate),
];
const REMAINDER: &[(&str, Remainder)] =
    &[("added", Remainder::Added), ("dropped", Remainder::Dropped)];
const TILES: &[(&str, Tiles)] = &[
    ("contiguous", Tiles::Contiguous),
    ("strided", Tiles::Strided),
];
const COMBINE: &[(&str, CombinationOrder)] = &[
    ("serial", CombinationOrder::Serial),
    ("pairwise", CombinationOrder::Pairwise),
    ("tree", CombinationOrder::Tree),
    ("butterfly", CombinationOrder::Butterfly),
    ("chain", CombinationOrder::Chain),
];
const ACTIVATION: &[(&str, Activation)] = &[("none", Activation::None), ("relu", Activation::Relu)];
const PLACE: &[(&str, ScalePlace)] = &[
    ("unit", ScalePlace::Unit),
    ("elements", ScalePlace::Elements),
    ("sums", ScalePlace::Sums),
];
const SCALE: &[(&str, Option<Format>)] = &[
    ("none", None),
    ("ue8m0", Some(Format::UE8M0)),
    ("ue4m3", Some(Format::UE4M3)),
    ("ue5m3", Some(Format::UE5M3)),
    ("f32", Some(Format::F32)),
];
const SATURATE: &[(&str, bool)] = &[("no", false), ("yes", true)];

impl<P: Copy + 'static> Keys<P> {
    /// The first key of a composition: `K`, its number of products.
    pub(super) fn composed(place: fn(&mut P) -> &mut u32) -> Self {
        Keys(Vec::new())
            .number("K", 1, MOST, place)
            .means("number of products; the last instruction is filled up with zeros")
            .counts_products()
            .follows("as the unit has")
            .shown()
    }
}

pub(super) fn promote() -> KeyTable<Promote, CompositionKind> {
    KeyTable {
        name: "promote",
        summary: "the unit along k; every so many instructions its sum is added outside, and begins \
             again at +0",
        source: "CUTLASS fp8_accumulation.hpp; cuBLASLt rows of an RTX 4060; DeepSeek-V3 §3.3.2",
        base: Promote {
            products: 0,
            every: None,
            rounding: Rounding::Rne,
            promotion: Promotion::Plain,
            remainder: Remainder::Added,
        },
        keys: Keys::composed(|p: &mut Promote| &mut p.products)
            .number_or_none("every", 1, 65536, |p| &mut p.every)
            .means("instructions of one partial sum; none: one sum, which begins at c")
            .counts_parts(Some("none"))
            .choice("round", ROUND, |p| &mut p.rounding)
            .means("rounding of the operations outside")
            .choice("scales", PROMOTION, |p| &mut p.promotion)
            .means(
                "d + p; fma(p, sa * sb, d); fma(p * sa, sb, d); or d + p * (sa * sb), with f32 scales \
                 of each partial sum p",
            )
            .choice("remainder", REMAINDER, |p| &mut p.remainder)
            .means("a last partial sum of fewer instructions"),
        check: |_| Ok(()),
        make: CompositionKind::Promote,
        params: |kind| match kind {
            CompositionKind::Promote(promote) => Some(*promote),
            _ => None,
        },
    }
}

pub(super) fn split() -> KeyTable<Split, CompositionKind> {
    KeyTable {
        name: "splitk",
        summary: "k in parts, each summed by the unit from +0; their sums combined, then c added",
        source: "cuBLASLt rows of an RTX 4060; cuBLASLt 13.1.1 by bitequiv/cublas_match of \
             facebookexperimental/triton",
        base: Split {
            products: 0,
            splits: 2,
            tiles: Tiles::Contiguous,
            tile: 1,
            combine: CombinationOrder::Serial,
            rounding: Rounding::Rne,
            part_format: None,
            sum_format: None,
            first: None,
            lost: None,
        },
        keys: Keys::composed(|p: &mut Split| &mut p.products)
            .number("S", 1, 4096, |p| &mut p.splits)
            .means("number of parts")
            .counts_parts(None)
            .shown()
            .choice("combine", COMBINE, |p| &mut p.combine)
            .means(
                "one after the other; as cuBLASLt on Ada; neighbours, then neighbours of these; halves, as \
                 lanes do; or each part from the sum before it",
            )
            .choice("tiles", TILES, |p| &mut p.tiles)
            .means("a part has neighbouring tiles, or every S-th")
            .number("tile", 1, 65536, |p| &mut p.tile)
            .means("products of one tile")
            .counts_parts(None)
            .choice("round", ROUND, |p| &mut p.rounding)
            .means("rounding of the additions")
            .format_or_none("part", |p| &mut p.part_format)
            .means("format that the sum of a part is stored in, and read again")
            .format_or_none("sum", |p| &mut p.sum_format)
            .means("format that the sum of the parts so far is stored in after each part")
            .number_or_none("first", 2, 65536, |p| &mut p.first)
            .means(
                "products of a block; those of a part that fill none come first, in instructions of \
                 their own",
            )
            .counts_parts(Some("none"))
            .number_or_none("lost", 2, 65536, |p| &mut p.lost)
            .means("products of a block; those at the end of a part that fill none are not summed")
            .counts_parts(Some("none")),
        check: check_split,
        make: CompositionKind::Split,
        params: |kind| match kind {
            CompositionKind::Split(split) => Some(*split),
            _ => None,
        },
    }
}

/// Refuses what says nothing: formats of sums that are not stored, and two places of a residue.
fn check_split(split: &Split) -> Result<(), ModelError> {
    let stored = [("part", split.part_format), ("sum", split.sum_format)];
    for (key, format) in stored {
        let Some(format) = format else { continue };
        let expected = match key {
            _ if split.combine == CombinationOrder::Chain => {
                "none where parts continue from each other"
            }
            "sum" if split.combine != CombinationOrder::Serial => {
                "none where parts are not added in order"
            }
            _ if format == Format::TF32 => "none, or a format that is stored, such as bf16",
            _ => continue,
        };
        return Err(bad_value(key, format.name(), expected));
    }
    match (split.first, split.lost) {
        (Some(_), Some(lost)) => {
            let expected = "none where the residue is first";
            Err(bad_value("lost", &lost.to_string(), expected))
        }
        _ => Ok(()),
    }
}

pub(super) fn epilogue() -> KeyTable<Epilogue, CompositionKind> {
    KeyTable {
        name: "epilogue",
        summary: "fma(alpha, sum, beta * c) of the unit's sum from +0, then converted",
        source: "cuBLASLt rows of an RTX 4060; CUTLASS LinearCombination",
        base: Epilogue {
            products: 0,
            alpha: Epilogue::ONE,
            beta: 0,
            activation: Activation::None,
            scale: Epilogue::ONE,
            out: Format::F32,
            saturate: false,
        },
        keys: Keys::composed(|p: &mut Epilogue| &mut p.products)
            .format("out", KeyFormats::Any, |p| &mut p.out)
            .means("format of the result, which is rounded to nearest")
            .f32("alpha", |p| &mut p.alpha)
            .means("what the sum is multiplied by")
            .f32("beta", |p| &mut p.beta)
            .means("what c is multiplied by; 0: +0 is added")
            .choice("activation", ACTIVATION, |p| &mut p.activation)
            .means("none, or +0 in place of a negative sum")
            .f32("scale", |p| &mut p.scale)
            .means("what the result is multiplied by before it is converted")
            .choice("saturate", SATURATE, |p| &mut p.saturate)
            .means("whether what is too large becomes the greatest finite number"),
        check: |p| {
            if p.out == Format::TF32 {
                Err(bad_value(
                    "out",
                    "tf32",
                    "a format that is stored, such as f32",
                ))
            } else {
                Ok(())
            }
        },
        make: CompositionKind::Epilogue,
        params: |kind| match kind {
            CompositionKind::Epilogue(epilogue) => Some(*epilogue),
            _ => None,
        },
    }
}

pub(super) fn adapt() -> KeyTable<Adapt, CompositionKind> {
    KeyTable {
        name: "adapt",
        summary: "elements and block scales of one format on a unit with others; what its formats do not have is rounded to nearest, and saturated",
        source: "definition; OCP MX, NVFP4",
        base: Adapt {
            products: 0,
            a: Format::F16,
            b: Format::F16,
            scale: None,
            block: 32,
            place: ScalePlace::Unit,
        },
        keys: Keys::composed(|p: &mut Adapt| &mut p.products)
            .factors(
                KeyFormats::Factors,
                |p: &mut Adapt| &mut p.a,
                |p: &mut Adapt| &mut p.b,
            )
            .factors_shown()
            .choice("scale", SCALE, |p| &mut p.scale)
            .means("format of the block scales")
            .number("block", 1, 65536, |p| &mut p.block)
            .means("elements that share a scale")
            .counts_factors()
            .choice("scales", PLACE, |p| &mut p.place)
            .means(
                "given to the unit, repeated where its blocks are shorter; multiplied into the elements; or applied in f32 to the \
                 sum of each block",
            ),
        check: |_| Ok(()),
        make: CompositionKind::Adapt,
        params: |kind| match kind {
            CompositionKind::Adapt(adapt) => Some(*adapt),
            _ => None,
        },
    }
}
