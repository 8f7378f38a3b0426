//! Models of every algorithm to draw, as data from which their specifications are written, and
//! what their references give.

use super::parameters::{
    Cancelled, CpuDot, DotOrder, FlushedOperands, FmaNan, Gaudi, GaudiGeneration, Gdfs, Gps, Ieee,
    Infinities, IntegerDot, LateAdd, LateParams, NanRule, Order, Pairing, ProductForm, Sfma,
    Subnormals, ZeroRule,
};
use super::parameters::{Generation, Rdna, StepOrder};
use super::reference::{self, chain};
use super::unit::{PAIRS, Unit, is_hmma8, or};
use super::{
    cpu_reference, gaudi_reference, group_reference, ieee_reference, integer_reference,
    late_reference, rdna_reference,
};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{
    Alignment, BlockScales, Exact, FlushedResults, SumOverflow,
};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// An operation with its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    Sfma(Sfma),
    Gps(Gps),
    Ieee(Ieee),
    Cpu(CpuDot),
    Rdna(Rdna),
    Gaudi(Gaudi),
    Integer(IntegerDot),
    Exact(Exact),
    Gdfs(Gdfs),
    Fdrda(LateParams),
    Gfdrda(LateParams),
}

/// A model.
#[derive(Clone, Copy, Debug)]
pub enum Drawn {
    /// Fused dot-adds.
    Unit(Unit),
    /// That many of another operation in sequence.
    Chain(Operation, u32),
}

/// Draws a model of one kind.
pub type Draw = fn(&mut ChaCha8Rng) -> Drawn;

/// Models of integers, by name.
pub const INTEGERS: (&str, Draw) = ("int", integer);

/// What models of floating-point numbers are drawn of, by name.
pub const FAMILIES: [(&str, Draw); 13] = [
    ("fda", |rng| {
        let (a, b) = *PAIRS.choose(rng).unwrap();
        Drawn::Unit(Unit::draw(rng, a, b))
    }),
    ("fda with scales", |rng| {
        let (a, b) = *PAIRS.choose(rng).unwrap();
        Drawn::Unit(Unit::draw_scaled(rng, a, b))
    }),
    ("hmma8", |rng| {
        let pairs: Vec<_> = PAIRS.into_iter().filter(|(a, _)| is_hmma8(a)).collect();
        let (a, b) = *pairs.choose(rng).unwrap();
        Drawn::Unit(Unit::draw_hmma8(rng, a, b))
    }),
    ("sfma", sfma),
    ("gps", gps),
    ("ieee", ieee),
    ("cpu", cpu),
    ("rdna", rdna),
    ("gaudi", gaudi),
    ("exact", exact),
    ("gdfs", gdfs),
    ("fdrda", |rng| {
        let odd = [1, 2, 3, 5, 16];
        let params = late(rng, 8, &odd, &PAIRS);
        links(rng, Operation::Fdrda(params))
    }),
    ("gfdrda", |rng| {
        let fp8 = (Format::E4M3FNUZ, Format::E5M2FNUZ);
        let pairs: Vec<_> = PAIRS.into_iter().chain([fp8; 6]).collect();
        let params = late(rng, 16, &[2, 4, 6, 8], &pairs);
        links(rng, Operation::Gfdrda(params))
    }),
];

const ROUNDINGS: [Rounding; 5] = [
    Rounding::Rz,
    Rounding::Rne,
    Rounding::Rd,
    Rounding::Ru,
    Rounding::Ra,
];
const CODES: [NanCode; 3] = [NanCode::Ones, NanCode::Quiet, NanCode::Any];
const ZEROS: [ZeroRule; 3] = [ZeroRule::Skip, ZeroRule::Raw, ZeroRule::Min];
const WITH_INFINITY: [Format; 6] = [
    Format::F16,
    Format::BF16,
    Format::TF32,
    Format::F32,
    Format::F64,
    Format::E5M2,
];

fn any<T: Copy>(rng: &mut ChaCha8Rng, values: &[T]) -> T {
    *values.choose(rng).unwrap()
}

fn links(rng: &mut ChaCha8Rng, operation: Operation) -> Drawn {
    Drawn::Chain(operation, or(rng, 1, &[1, 2, 3]))
}

fn sfma(rng: &mut ChaCha8Rng) -> Drawn {
    let usual = any(rng, &[Format::F32, Format::F64]);
    let sfma = Sfma {
        format: or(rng, usual, &WITH_INFINITY),
        products: any(rng, &[1, 2, 3, 4]),
        nan: or(rng, FmaNan::Dmma, &CODES.map(FmaNan::Code)),
    };
    links(rng, Operation::Sfma(sfma))
}

fn gps(rng: &mut ChaCha8Rng) -> Drawn {
    let group = or(rng, 4, &[1, 2, 8]);
    let narrow = [Format::F32, Format::TF32, Format::E4M3, Format::E5M2FNUZ];
    let forms = [ProductForm::Multiply, ProductForm::FmaZero];
    let usual = any(rng, &[Format::F16, Format::BF16]);
    let gps = Gps {
        factors: or(rng, usual, &narrow),
        products: group * any(rng, &[1, 2, 3]),
        group,
        subnormals: any(
            rng,
            &[
                Subnormals::Flush,
                Subnormals::FlushBelowF32,
                Subnormals::Keep,
            ],
        ),
        product_form: any(rng, &forms),
        nan: any(rng, &CODES),
    };
    links(rng, Operation::Gps(gps))
}

/// Factor formats: a usual pair, or any two.
fn factors(rng: &mut ChaCha8Rng) -> (Format, Format) {
    let any_two = (any(rng, &Format::ALL), any(rng, &Format::ALL));
    let usual = any(rng, &PAIRS);
    or(rng, usual, &[any_two])
}

fn ieee(rng: &mut ChaCha8Rng) -> Drawn {
    let (a, b) = factors(rng);
    let orders = [
        Order::Sequential,
        Order::SequentialFma,
        Order::FmaThenAccumulator,
        Order::Pairwise,
    ];
    let ieee = Ieee {
        a,
        b,
        accumulator: or(rng, Format::F32, &WITH_INFINITY),
        products: any(rng, &[1, 2, 3, 4, 5, 8]),
        order: any(rng, &orders),
        rounding: or(rng, Rounding::Rne, &ROUNDINGS),
        nan: any(rng, &CODES),
    };
    links(rng, Operation::Ieee(ieee))
}

fn cpu(rng: &mut ChaCha8Rng) -> Drawn {
    let formats = [Format::BF16, Format::F16, Format::TF32, Format::F32];
    let usual = any(rng, &[Format::BF16, Format::F16]);
    let a = or(rng, usual, &formats);
    let orders = [
        DotOrder::LastFirst,
        DotOrder::FirstFirst,
        DotOrder::Late,
        DotOrder::EvenOdd,
        DotOrder::Pairwise,
        DotOrder::Fused,
    ];
    let operands = [
        FlushedOperands::Neither,
        FlushedOperands::Addend,
        FlushedOperands::All,
    ];
    let results = [
        FlushedResults::Kept,
        FlushedResults::BeforeRounding,
        FlushedResults::AfterRounding,
        FlushedResults::Register,
    ];
    let roundings = [Rounding::Rz, Rounding::Rd, Rounding::Ru, Rounding::Odd];
    let cpu = CpuDot {
        a,
        b: or(rng, a, &formats),
        products: any(rng, &[1, 2, 3, 4, 8]),
        order: any(rng, &orders),
        rounding: or(rng, Rounding::Rne, &roundings),
        operands: any(rng, &operands),
        results: any(rng, &results),
        nan: any(rng, &[NanRule::X86, NanRule::Default, NanRule::Power]),
    };
    links(rng, Operation::Cpu(cpu))
}

fn rdna(rng: &mut ChaCha8Rng) -> Drawn {
    let format = any(rng, &[Format::F16, Format::BF16]);
    let generation = any(rng, &[Generation::Rdna3, Generation::Rdna4]);
    let step = match generation {
        Generation::Rdna3 => 2,
        Generation::Rdna4 => any(rng, &[2, 4]),
    };
    let steps = any(rng, &[1, 2, 4]);
    let order = match steps {
        1 => StepOrder::Straight,
        _ => any(rng, &[StepOrder::Straight, StepOrder::Halves]),
    };
    let rdna = Rdna {
        generation,
        a: format,
        b: or(rng, format, &[Format::F16, Format::BF16]),
        out: or(rng, Format::F32, &[Format::F16, Format::BF16]),
        products: step * steps,
        step,
        order,
    };
    Drawn::Chain(Operation::Rdna(rdna), 1)
}

fn gaudi(rng: &mut ChaCha8Rng) -> Drawn {
    let generation = any(rng, &[GaudiGeneration::Gaudi2, GaudiGeneration::Gaudi3]);
    let formats = match generation {
        GaudiGeneration::Gaudi2 => [Format::F16, Format::BF16, Format::TF32],
        GaudiGeneration::Gaudi3 => [Format::F16, Format::TF32, Format::F32],
    };
    let a = any(rng, &formats);
    let gaudi = Gaudi {
        generation,
        a,
        b: or(rng, a, &formats),
        products: any(rng, &[1, 2, 3, 4, 8]),
    };
    links(rng, Operation::Gaudi(gaudi))
}

fn integer(rng: &mut ChaCha8Rng) -> Drawn {
    let pairing = or(rng, Pairing::Product, &[Pairing::Xor]);
    let [a, b] = [(); 2].map(|()| match pairing {
        Pairing::Product => any(rng, &Format::INTEGERS[..7]),
        Pairing::Xor => Format::B1,
    });
    let dot = IntegerDot {
        a,
        b,
        accumulator: or(rng, Format::S32, &[Format::U32, Format::S64, Format::S16]),
        products: any(rng, &[1, 2, 3, 4, 8, 32]),
        pairing,
        overflow: any(rng, &[SumOverflow::Wrap, SumOverflow::Saturate]),
    };
    links(rng, Operation::Integer(dot))
}

fn exact(rng: &mut ChaCha8Rng) -> Drawn {
    let (a, b) = factors(rng);
    let out = or(rng, Format::F32, &WITH_INFINITY);
    let exact = Exact {
        a,
        b,
        c: or(rng, out, &Format::ALL),
        out,
        products: any(rng, &[1, 2, 3, 4, 8]),
        scales: None,
        rounding: or(rng, Rounding::Rne, &ROUNDINGS),
        nan: any(rng, &CODES),
        alignment: Alignment::default(),
    };
    links(rng, Operation::Exact(exact))
}

fn gdfs(rng: &mut ChaCha8Rng) -> Drawn {
    let small = [Format::E2M1, Format::E2M3, Format::E3M2];
    let block = any(rng, &[16, 32]);
    let limit = rng.random_range(-300..60);
    let any_f = rng.random_range(1..=64);
    let gdfs = Gdfs {
        a: or(rng, Format::E2M1, &small),
        b: or(rng, Format::E2M1, &small),
        scales: BlockScales {
            format: any(rng, &Format::SCALES),
            block,
        },
        products: block * any(rng, &[1, 2, 4]),
        group: 16,
        fraction_bits: or(rng, 35, &[any_f, 1, 2, 24, 34, 36, 64]),
        zero: any(rng, &ZEROS),
        cancelled: any(rng, &[Cancelled::Zero, Cancelled::Scales]),
        min_exponent: or(rng, None, &[Some(-133), Some(limit), Some(-10)]),
        nan: any(rng, &CODES),
    };
    links(rng, Operation::Gdfs(gdfs))
}

fn late(
    rng: &mut ChaCha8Rng,
    products: u32,
    others: &[u32],
    pairs: &[(Format, Format)],
) -> LateParams {
    let (a, b) = any(rng, pairs);
    let any_f = rng.random_range(1..=31);
    LateParams {
        a,
        b,
        products: or(rng, products, others),
        fraction_bits: or(rng, 24, &[any_f, 1, 23, 30, 31]),
        align: or(rng, Rounding::Rd, &[Rounding::Rz]),
        late: any(rng, &[LateAdd::Cut32Normalise31, LateAdd::Cut31]),
        infinities: any(rng, &[Infinities::Together, Infinities::OperandsFirst]),
        zero: any(rng, &ZEROS),
        nan: any(rng, &CODES),
    }
}

impl Drawn {
    /// The specification that names it.
    pub fn spec(&self) -> String {
        match self {
            Drawn::Unit(unit) => unit.spec(),
            Drawn::Chain(operation, links) => format!("{},chain={links}", operation.spec()),
        }
    }

    /// The model of that specification.
    pub fn model(&self) -> Model {
        let spec = self.spec();
        Model::parse(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
    }

    /// What the reference gives.
    pub fn evaluate(&self, inputs: &Inputs) -> u64 {
        let (operation, links) = match self {
            Drawn::Unit(unit) => return reference::evaluate(unit, inputs),
            Drawn::Chain(operation, links) => (operation, *links as usize),
        };
        let scales = match operation {
            Operation::Gdfs(p) => Some(p.scales),
            _ => None,
        };
        chain(
            inputs,
            inputs.a.len() / links,
            scales,
            |link, part| match operation {
                Operation::Sfma(p) => ieee_reference::sfma(p, part),
                Operation::Gps(p) => ieee_reference::gps(p, part),
                Operation::Ieee(p) => ieee_reference::ieee(p, part),
                Operation::Cpu(p) => cpu_reference::cpu(p, part),
                Operation::Rdna(p) => rdna_reference::rdna(p, part),
                Operation::Gaudi(p) => gaudi_reference::gaudi(p, part),
                Operation::Integer(p) => integer_reference::integer(p, part),
                Operation::Exact(p) => {
                    let c = if link == 0 { &p.c } else { &p.out };
                    ieee_reference::exact(p, c, part)
                }
                Operation::Gdfs(p) => group_reference::gdfs(p, part),
                Operation::Fdrda(p) => late_reference::fdrda(p, part),
                Operation::Gfdrda(p) => late_reference::gfdrda(p, part),
            },
        )
    }
}
