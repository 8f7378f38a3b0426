//! Keys of the dot instructions of processors.

use super::formats::Formats;
use super::key::Keys;
use super::table::Table;
use crate::machines::algorithms::{
    CpuDot, DotOrder, FlushedOperands, FlushedResults, NanRule, Parameters,
};
use crate::numbers::float::{Format, Rounding};

const ROUND: &[(&str, Rounding)] = &[
    ("rne", Rounding::Rne),
    ("rz", Rounding::Rz),
    ("rd", Rounding::Rd),
    ("ru", Rounding::Ru),
    ("odd", Rounding::Odd),
];
const ORDER: &[(&str, DotOrder)] = &[
    ("last-first", DotOrder::LastFirst),
    ("first-first", DotOrder::FirstFirst),
    ("late", DotOrder::Late),
    ("even-odd", DotOrder::EvenOdd),
    ("pairwise", DotOrder::Pairwise),
    ("fused", DotOrder::Fused),
];
const OPERANDS: &[(&str, FlushedOperands)] = &[
    ("keep", FlushedOperands::Neither),
    ("c", FlushedOperands::Addend),
    ("all", FlushedOperands::All),
];
pub(super) const RESULTS: &[(&str, FlushedResults)] = &[
    ("keep", FlushedResults::Kept),
    ("before", FlushedResults::BeforeRounding),
    ("after", FlushedResults::AfterRounding),
    ("register", FlushedResults::Register),
];
const NAN: &[(&str, NanRule)] = &[
    ("default", NanRule::Default),
    ("x86", NanRule::X86),
    ("power", NanRule::Power),
];
/// The formats of factors. f32 holds all numbers of these formats, so that the payloads of their
/// NaNs fit in f32.
const FACTORS: Formats = Formats::Of(&[Format::F16, Format::BF16, Format::TF32, Format::F32]);

pub(super) fn cpu() -> Table<CpuDot, Parameters> {
    Table {
        name: "cpu",
        summary: "dot instructions of processors: IEEE 754 operations in f32 in a stated order, with their \
             rules for subnormal numbers and NaNs",
        source: "manuals of AVX512_BF16, AMX, Arm BFDOT, POWER10, RISC-V; recorded Zen 4",
        base: CpuDot {
            a: Format::BF16,
            b: Format::BF16,
            products: 2,
            order: DotOrder::LastFirst,
            rounding: Rounding::Rne,
            operands: FlushedOperands::All,
            results: FlushedResults::AfterRounding,
            nan: NanRule::X86,
        },
        keys: Keys::products(1, 4096, |p: &mut CpuDot| &mut p.products)
            .factors(FACTORS, |p| &mut p.a, |p| &mut p.b)
            .factors_shown()
            .choice("order", ORDER, |p| &mut p.order)
            .means(
                "fused multiply-adds from c, last or first product first; from +0, then c; even and odd ones from +0, their \
             sum, then c; rounded products pairwise, then c; the exact sum of products, rounded, then c",
            )
            .shown()
            .choice("round", ROUND, |p| &mut p.rounding)
            .means("rounding of every operation; odd: the neighbour whose last bit is 1")
            .choice("operands", OPERANDS, |p| &mut p.operands)
            .means("subnormal operands that are zeros: none, c alone, or factors and c")
            .choice("results", RESULTS, |p| &mut p.results)
            .means(
                "tiny results that become zeros: none; those tiny before rounding, after it with unlimited exponents, or \
             in the register",
            )
            .choice("nan", NAN, |p| &mut p.nan)
            .means(
                "7fc00000; or the first NaN among the operands of an operation, made quiet, and else ffc00000 (x86) or 7fc00000 (power)",
            ),
        check: |_| Ok(()),
        make: Parameters::CpuDot,
        params: |parameters| match parameters {
            Parameters::CpuDot(cpu) => Some(*cpu),
            _ => None,
        },
    }
}
