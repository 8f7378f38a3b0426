//! The specifications of drawn operations: every key, as a person would write it.

use super::drawn::Operation;
use super::parameters::{
    DotOrder, FlushedOperands, FmaNan, Infinities, LateAdd, LateParams, Order, Pairing,
    ProductForm, Subnormals,
};
use mmasmt_core::machines::algorithms::{FlushedResults, SumOverflow};
use mmasmt_numbers::float::Rounding;

fn lower(value: impl std::fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

impl Operation {
    /// The specification of one operation.
    pub fn spec(&self) -> String {
        match self {
            Operation::Sfma(p) => {
                let nan = match p.nan {
                    FmaNan::Code(code) => lower(code),
                    FmaNan::Dmma => "dmma".into(),
                };
                format!("sfma:K={},fmt={},nan={nan}", p.products, p.format)
            }
            Operation::Gps(p) => {
                let subnormals = match p.subnormals {
                    Subnormals::Flush => "flush",
                    Subnormals::FlushBelowF32 => "f32",
                    Subnormals::Keep => "keep",
                };
                let products = match p.product_form {
                    ProductForm::Multiply => "mul",
                    ProductForm::FmaZero => "fma",
                };
                format!(
                    "gps:K={},G={},in={},subnormals={subnormals},products={products},nan={}",
                    p.products,
                    p.group,
                    p.factors,
                    lower(p.nan)
                )
            }
            Operation::Ieee(p) => {
                let order = match p.order {
                    Order::Sequential => "seq",
                    Order::SequentialFma => "fma",
                    Order::FmaThenAccumulator => "late",
                    Order::Pairwise => "pairwise",
                };
                let (round, nan) = (lower(p.rounding), lower(p.nan));
                format!(
                    "ieee:K={},a={},b={},acc={},order={order},round={round},nan={nan}",
                    p.products, p.a, p.b, p.accumulator
                )
            }
            Operation::Integer(p) => {
                let pairing = match p.pairing {
                    Pairing::Product => "times",
                    Pairing::Xor => "xor",
                };
                let overflow = match p.overflow {
                    SumOverflow::Wrap => "wrap",
                    SumOverflow::Saturate => "saturate",
                };
                format!(
                    "int:K={},a={},b={},acc={},pair={pairing},overflow={overflow}",
                    p.products, p.a, p.b, p.accumulator
                )
            }
            Operation::Cpu(p) => {
                let order = match p.order {
                    DotOrder::LastFirst => "last-first",
                    DotOrder::FirstFirst => "first-first",
                    DotOrder::Late => "late",
                    DotOrder::EvenOdd => "even-odd",
                    DotOrder::Pairwise => "pairwise",
                    DotOrder::Fused => "fused",
                };
                let operands = match p.operands {
                    FlushedOperands::Neither => "keep",
                    FlushedOperands::Addend => "c",
                    FlushedOperands::All => "all",
                };
                let results = match p.results {
                    FlushedResults::Kept => "keep",
                    FlushedResults::BeforeRounding => "before",
                    FlushedResults::AfterRounding => "after",
                    FlushedResults::Register => "register",
                };
                let (round, nan) = (lower(p.rounding), lower(p.nan));
                format!(
                    "cpu:K={},a={},b={},order={order},round={round},operands={operands},results={results},nan={nan}",
                    p.products, p.a, p.b
                )
            }
            Operation::Rdna(p) => {
                let (unit, order) = (lower(p.generation), lower(p.order));
                format!(
                    "rdna:K={},a={},b={},out={},unit={unit},step={},order={order}",
                    p.products, p.a, p.b, p.out, p.step
                )
            }
            Operation::Gaudi(p) => {
                let unit = lower(p.generation);
                format!("gaudi:K={},a={},b={},unit={unit}", p.products, p.a, p.b)
            }
            Operation::Exact(p) => {
                let (round, nan) = (lower(p.rounding), lower(p.nan));
                format!(
                    "exact:K={},a={},b={},c={},out={},round={round},nan={nan}",
                    p.products, p.a, p.b, p.c, p.out
                )
            }
            Operation::Gdfs(p) => {
                let emin = p
                    .min_exponent
                    .map_or("none".into(), |limit| limit.to_string());
                let (scale, block) = (p.scales.format, p.scales.block);
                let cancelled = lower(p.cancelled);
                format!(
                    "gdfs:K={},F={},a={},b={},scale={scale},block={block},zero={},cancelled={cancelled},emin={emin},nan={}",
                    p.products,
                    p.fraction_bits,
                    p.a,
                    p.b,
                    lower(p.zero),
                    lower(p.nan)
                )
            }
            Operation::Fdrda(p) => format!("fdrda:{}", late_keys(p)),
            Operation::Gfdrda(p) => format!("gfdrda:{}", late_keys(p)),
        }
    }
}

fn late_keys(p: &LateParams) -> String {
    let late = match p.late {
        LateAdd::Cut32Normalise31 => "amd",
        LateAdd::Cut31 => "paper",
    };
    let overflow = match p.infinities {
        Infinities::Together => "together",
        Infinities::OperandsFirst => "after",
    };
    format!(
        "K={},F={},a={},b={},late={late},align={},overflow={overflow},zero={},nan={}",
        p.products,
        p.fraction_bits,
        p.a,
        p.b,
        if p.align == Rounding::Rd {
            "floor"
        } else {
            "trunc"
        },
        lower(p.zero),
        lower(p.nan)
    )
}
