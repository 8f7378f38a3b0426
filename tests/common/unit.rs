//! Models to draw: all keys of specifications, each with every kind of value.

use super::parameters::fda::{Carry, NegativeZeros, Params};
use super::parameters::{Products, SubnormalC, ZeroRule};
use mmasmt_core::machines::algorithms::BlockScales;
use mmasmt_core::machines::algorithms::{FlushedResults, SumOverflow};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a unit does with its fused dot-add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// That many in sequence.
    Chain(u32),
    /// FP8 factors of these formats through two of f16.
    Hmma8(Format, Format),
}

/// A model as data, for the reference, from which its specification is written.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    pub kind: Kind,
    pub fused: Params,
}

/// The pairs of factor formats that the tests go through.
pub const PAIRS: [(Format, Format); 12] = [
    (Format::F16, Format::F16),
    (Format::BF16, Format::BF16),
    (Format::TF32, Format::TF32),
    (Format::F32, Format::F32),
    (Format::E4M3, Format::E4M3),
    (Format::E4M3, Format::E5M2),
    (Format::E5M2, Format::E4M3),
    (Format::E5M2, Format::E5M2),
    (Format::E4M3FNUZ, Format::E5M2FNUZ),
    (Format::E2M3, Format::E4M3),
    (Format::E3M2, Format::E2M1),
    (Format::E2M1, Format::E2M1),
];

/// Whether factors of the format can go through f16.
pub fn is_hmma8(format: &Format) -> bool {
    [Format::E4M3, Format::E5M2].contains(format)
}

/// `default` in half of the cases, else one of `others`.
pub fn or<T: Copy>(rng: &mut ChaCha8Rng, default: T, others: &[T]) -> T {
    if rng.random() {
        default
    } else {
        *others.choose(rng).unwrap()
    }
}

/// `count` drawn units for each pair of formats; the same seed draws the same ones.
pub fn units(seed: u64, count: usize) -> impl Iterator<Item = Unit> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Another stream than that of the inputs, which have the same seed.
    rng.set_stream(1);
    let numbers = PAIRS.map(|pair| (0..count).map(move |number| (pair, number)));
    numbers.into_iter().flatten().map(move |((a, b), number)| {
        if is_hmma8(&a) && is_hmma8(&b) && number % 8 == 0 {
            Unit::draw_hmma8(&mut rng, a, b)
        } else {
            Unit::draw(&mut rng, a, b)
        }
    })
}

/// What designs do and GPUs do not, in some.
fn draw_of_designs(rng: &mut ChaCha8Rng, fused: &mut Params) {
    fused.sticky = or(rng, false, &[false, true]);
    if fused.via.is_none() {
        let flushed = [
            FlushedResults::BeforeRounding,
            FlushedResults::AfterRounding,
            FlushedResults::Register,
        ];
        fused.results = or(rng, FlushedResults::Kept, &flushed);
    }
    if fused.products == Products::Exact && rng.random_ratio(1, 3) {
        let formats = [
            Format::F16,
            Format::BF16,
            Format::TF32,
            Format::F32,
            Format::F64,
        ];
        fused.rounded_products = formats.choose(rng).copied();
    }
}

impl Unit {
    /// A fused dot-add, or a chain, of random parameters.
    pub fn draw(rng: &mut ChaCha8Rng, a: Format, b: Format) -> Unit {
        let out = or(rng, Format::F32, &[Format::F16, Format::F32]);
        let rare = [Format::BF16, Format::TF32, Format::F64, Format::E5M2];
        let out = if rng.random_ratio(1, 8) {
            *rare.choose(rng).unwrap()
        } else {
            out
        };
        let usual_c = if out == Format::F16 {
            Format::F16
        } else {
            Format::F32
        };
        let c = if rng.random_ratio(1, 4) {
            *Format::ALL.choose(rng).unwrap()
        } else {
            usual_c
        };
        let rounding = if out.width() <= 16 {
            Rounding::Rne
        } else {
            Rounding::Rz
        };
        let modes = [
            Rounding::Rz,
            Rounding::Rne,
            Rounding::Rd,
            Rounding::Ru,
            Rounding::Ra,
        ];
        let short = if out == Format::F32 {
            13
        } else {
            rng.random_range(1..=out.fraction_bits)
        };
        let (n, limit) = (rng.random_range(0..8), rng.random_range(-300..60));
        let emin = [None, Some(-133), Some(-20), Some(limit)];
        let any_f = rng.random_range(1..=64);
        let mut fused = Params {
            products_per_sum: or(rng, 4, &[1, 2, 3, 5, 8, 16, 32]),
            fraction_bits: or(rng, 25, &[1, 13, 23, 24, 64, any_f]),
            a,
            b,
            scales: None,
            c,
            out,
            rounding: or(rng, rounding, &modes),
            result_fraction: or(rng, out.fraction_bits, &[short]),
            products: or(rng, Products::Exact, &[Products::Normalised]),
            align: or(rng, Rounding::Rz, &Rounding::NAMES.map(|(_, by)| by)),
            rounded_products: None,
            sticky: false,
            carry: or(rng, Carry::Full, &[Carry::Bits(3), Carry::Bits(n)]),
            overflow: or(rng, SumOverflow::Wrap, &[SumOverflow::Saturate]),
            results: FlushedResults::Kept,
            zero: or(rng, ZeroRule::Skip, &[ZeroRule::Raw, ZeroRule::Min]),
            min_exponent: or(rng, None, &emin),
            subnormal_c: or(rng, SubnormalC::Own, &[SubnormalC::Widened]),
            negative_zeros: or(rng, NegativeZeros::Plus, &[NegativeZeros::Minus]),
            nan: or(rng, NanCode::Ones, &[NanCode::Quiet]),
            via: None,
        };
        if fused.result_fraction < Format::F32.fraction_bits {
            fused.via = or(rng, None, &[Some(Format::F32)]);
        }
        draw_of_designs(rng, &mut fused);
        Unit {
            kind: Kind::Chain(or(rng, 1, &[1, 2, 3])),
            fused,
        }
    }

    /// A fused dot-add of random parameters whose factors have block scales.
    pub fn draw_scaled(rng: &mut ChaCha8Rng, a: Format, b: Format) -> Unit {
        let mut unit = Unit::draw(rng, a, b);
        let (products, block) = (unit.fused.products_per_sum, or(rng, 32, &[1, 2, 3, 4, 8]));
        // In a chain blocks and links are not out of step.
        let in_step = products.is_multiple_of(block) || block.is_multiple_of(products);
        unit.fused.rounded_products = None;
        unit.fused.scales = Some(BlockScales {
            format: Format::UE8M0,
            block: if in_step || unit.kind == Kind::Chain(1) {
                block
            } else {
                products
            },
        });
        unit
    }

    /// FP8 through f16, of random parameters.
    pub fn draw_hmma8(rng: &mut ChaCha8Rng, a: Format, b: Format) -> Unit {
        let out = or(rng, Format::F32, &[Format::F16]);
        let rounding = if out == Format::F16 {
            Rounding::Rne
        } else {
            Rounding::Rz
        };
        let fused = Params {
            products_per_sum: *[2, 4, 6, 16].choose(rng).unwrap(),
            fraction_bits: or(rng, 25, &[1, 13, 24, 64]),
            a: Format::F16,
            b: Format::F16,
            scales: None,
            c: out,
            out,
            rounding,
            result_fraction: out.fraction_bits,
            products: Products::Exact,
            rounded_products: None,
            align: Rounding::Rz,
            sticky: false,
            carry: Carry::Full,
            overflow: SumOverflow::Wrap,
            results: FlushedResults::Kept,
            zero: or(rng, ZeroRule::Skip, &[ZeroRule::Raw, ZeroRule::Min]),
            min_exponent: or(rng, None, &[Some(-133), Some(-10)]),
            subnormal_c: SubnormalC::Own,
            negative_zeros: NegativeZeros::Plus,
            nan: NanCode::Ones,
            via: match out {
                Format::F16 => or(rng, None, &[Some(Format::F32)]),
                _ => None,
            },
        };
        Unit {
            kind: Kind::Hmma8(a, b),
            fused,
        }
    }

    /// The specification that names it.
    pub fn spec(&self) -> String {
        let p = &self.fused;
        let emin = p
            .min_exponent
            .map_or("none".into(), |limit| limit.to_string());
        let zero = format!("{:?}", p.zero).to_lowercase();
        let via = p.via.map_or("none", |format| format.name());
        let (k, f) = (p.products_per_sum, p.fraction_bits);
        let links = match self.kind {
            Kind::Chain(links) => links,
            Kind::Hmma8(a, b) => {
                return format!(
                    "hmma8:K={k},F={f},a={a},b={b},out={},via={via},zero={zero},emin={emin}",
                    p.out
                );
            }
        };
        let out = match (p.out, p.result_fraction) {
            (Format::F32, 13) => "e8m13".to_owned(),
            (out, frac) => format!("{out},frac={frac}"),
        };
        let carry = match p.carry {
            Carry::Full => "full".into(),
            Carry::Bits(n) => n.to_string(),
        };
        let scales = p.scales.map_or(String::new(), |scales| {
            format!("scale={},block={},", scales.format, scales.block)
        });
        let csub = if p.subnormal_c == SubnormalC::Own {
            "own"
        } else {
            "f32"
        };
        let pround = p.rounded_products.map_or("none", |format| format.name());
        let sticky = if p.sticky { "sum" } else { "none" };
        let results = match p.results {
            FlushedResults::Kept => "keep",
            FlushedResults::BeforeRounding => "before",
            FlushedResults::AfterRounding => "after",
            FlushedResults::Register => "register",
        };
        format!(
            "fda:K={k},chain={links},F={f},a={},b={},{scales}c={},out={out},via={via},round={},products={},\
             pround={pround},align={},sticky={sticky},carry={carry},overflow={},results={results},zero={zero},emin={emin},csub={csub},negzero={},nan={}",
            p.a,
            p.b,
            p.c,
            format!("{:?}", p.rounding).to_lowercase(),
            format!("{:?}", p.products).to_lowercase(),
            p.align,
            format!("{:?}", p.overflow).to_lowercase(),
            format!("{:?}", p.negative_zeros).to_lowercase(),
            format!("{:?}", p.nan).to_lowercase(),
        )
    }

    /// The model of that specification.
    pub fn model(&self) -> Model {
        let spec = self.spec();
        Model::parse(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
    }
}
