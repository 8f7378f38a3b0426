//! Every algorithm against its reference over integers, on drawn models and inputs.

use crate::common::drawn::{Draw, Drawn, FAMILIES, INTEGERS, Operation};
use crate::common::inputs;
use crate::common::parameters::{
    Cancelled, CpuDot, DotOrder, FlushedOperands, FmaNan, Gdfs, Gps, Ieee, Infinities, IntegerDot,
    LateAdd, LateParams, NanRule, Order, Pairing, ProductForm, Sfma, Subnormals, ZeroRule,
};
use crate::common::setting::part_of;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{
    Alignment, BlockScales, Exact, FlushedResults, SumOverflow,
};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The first of `count` inputs on which `model` does not give what the reference of `drawn` gives,
/// with both results.
fn difference(
    rng: &mut ChaCha8Rng,
    drawn: &Drawn,
    model: &Model,
    count: usize,
) -> Option<(Inputs, u64, u64)> {
    let signature = model.signature();
    let mut simulator = model.simulator();
    let mut inputs = (0..count).map(|_| inputs::draw(rng, &signature));
    inputs.find_map(|inputs| {
        let (found, expected) = (
            simulator.evaluate(&inputs).unwrap(),
            drawn.evaluate(&inputs),
        );
        (found != expected).then_some((inputs, found, expected))
    })
}

/// `models` drawn models, `each` inputs for each of them.
fn compare(draw: Draw, seed: u64, models: usize, each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..models {
        let drawn = draw(&mut rng);
        let model = drawn.model();
        if let Some((inputs, found, expected)) = difference(&mut rng, &drawn, &model, each) {
            let line = inputs.to_line(&model.signature());
            panic!("{model} on {line}: {found:x}, expected {expected:x}");
        }
    }
}

#[test]
fn drawn_models_of_every_algorithm_agree_with_their_references() {
    for (name, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        println!("{name}");
        compare(draw, 1, 150, 25);
    }
}

#[test]
#[ignore = "a minute in release: a quarter of a million inputs for each algorithm"]
fn many_drawn_models_of_every_algorithm_agree_with_their_references() {
    for (name, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        println!("{name}");
        compare(draw, 2, part_of(5000), 50);
    }
}

// 2^1 and 2^2 scale the first two and the last two factors, whatever the links are.
#[test]
fn blocks_of_scales_are_counted_through_a_chain() {
    let one = 0x3c00;
    let mut inputs = Inputs::new(vec![one; 4], vec![one; 4], 0);
    (inputs.a_scales, inputs.b_scales) = (vec![128, 129], vec![127, 127]);
    for links in ["K=1,chain=4", "K=2,chain=2", "K=4"] {
        let model = Model::parse(&format!("fda:{links},scale=ue8m0,block=2")).unwrap();
        let inputs = inputs.clone().padded(&model.signature()).unwrap();
        assert_eq!(
            model.simulator().evaluate(&inputs).unwrap(),
            0x4140_0000,
            "{links}"
        );
    }
    let error = Model::parse("fda:K=3,chain=2,scale=ue8m0,block=2").unwrap_err();
    let message = "`block=2`: expected in a chain, a multiple or a divisor of K=3";
    assert_eq!(error.to_string(), message);
}

/// Four products of s8, saturated.
const INTEGER: IntegerDot = IntegerDot {
    a: Format::S8,
    b: Format::S8,
    accumulator: Format::S32,
    products: 4,
    pairing: Pairing::Product,
    overflow: SumOverflow::Saturate,
};

const LATE: LateParams = LateParams {
    a: Format::F16,
    b: Format::F16,
    products: 8,
    fraction_bits: 24,
    align: Rounding::Rd,
    late: LateAdd::Cut32Normalise31,
    infinities: Infinities::Together,
    zero: ZeroRule::Skip,
    nan: NanCode::Quiet,
};

/// Operations, and changes of their specifications that must show.
fn faults() -> Vec<(Operation, Vec<&'static str>)> {
    let fp8 = LateParams {
        a: Format::E4M3FNUZ,
        b: Format::E4M3FNUZ,
        products: 16,
        ..LATE
    };
    let sfma = Sfma {
        format: Format::F32,
        products: 4,
        nan: FmaNan::Code(NanCode::Quiet),
    };
    let gps = Gps {
        factors: Format::BF16,
        products: 8,
        group: 4,
        subnormals: Subnormals::Flush,
        product_form: ProductForm::Multiply,
        nan: NanCode::Quiet,
    };
    let kept = Gps {
        subnormals: Subnormals::Keep,
        ..gps
    };
    let ieee = Ieee {
        a: Format::F32,
        b: Format::F32,
        accumulator: Format::F32,
        products: 4,
        order: Order::Sequential,
        rounding: Rounding::Rne,
        nan: NanCode::Quiet,
    };
    let exact = Exact {
        a: Format::F16,
        b: Format::F16,
        c: Format::F32,
        out: Format::F32,
        products: 4,
        scales: None,
        rounding: Rounding::Rne,
        nan: NanCode::Quiet,
        alignment: Alignment::default(),
    };
    let gdfs = Gdfs {
        a: Format::E2M1,
        b: Format::E2M1,
        scales: BlockScales {
            format: Format::UE4M3,
            block: 16,
        },
        products: 64,
        group: 16,
        fraction_bits: 20,
        zero: ZeroRule::Skip,
        cancelled: Cancelled::Zero,
        min_exponent: None,
        nan: NanCode::Ones,
    };
    let cpu = CpuDot {
        a: Format::BF16,
        b: Format::BF16,
        products: 2,
        order: DotOrder::LastFirst,
        rounding: Rounding::Rne,
        operands: FlushedOperands::All,
        results: FlushedResults::AfterRounding,
        nan: NanRule::X86,
    };
    let late = ["F=23", "F=25", "late=paper", "align=trunc", "zero=raw"];
    // In the narrow formats no product has an exponent as low as that of a zero.
    let wide = LateParams {
        a: Format::BF16,
        b: Format::BF16,
        ..LATE
    };
    vec![
        (Operation::Fdrda(LATE), late.to_vec()),
        (Operation::Fdrda(wide), vec!["zero=min", "overflow=after"]),
        (Operation::Gfdrda(wide), vec!["zero=min"]),
        (Operation::Gfdrda(fp8), late.to_vec()),
        (Operation::Sfma(sfma), vec!["nan=ones", "nan=dmma"]),
        (Operation::Gps(gps), vec!["G=2", "G=8", "subnormals=keep"]),
        (Operation::Gps(kept), vec!["subnormals=f32", "products=fma"]),
        (
            Operation::Ieee(ieee),
            vec!["order=fma", "order=pairwise", "round=rz"],
        ),
        (Operation::Exact(exact), vec!["round=rz", "round=ra"]),
        (
            Operation::Integer(INTEGER),
            vec!["overflow=wrap", "a=u8,b=s8", "K=2,chain=2", "acc=u32"],
        ),
        (
            Operation::Gdfs(gdfs),
            vec![
                "F=19",
                "F=21",
                "zero=raw",
                "zero=min",
                "cancelled=scales",
                "emin=-10",
            ],
        ),
        (
            Operation::Cpu(cpu),
            vec![
                "order=first-first",
                "order=late",
                "order=even-odd",
                "order=pairwise",
                "order=fused",
                "round=odd",
                "operands=c",
                "operands=keep",
                "results=before",
                "results=register",
                "results=keep",
                "nan=default",
                "nan=power",
            ],
        ),
    ]
}

#[test]
fn a_wrong_parameter_is_told_from_the_right_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (kernel, changes) in faults() {
        let drawn = Drawn::Chain(kernel, 1);
        let right = drawn.model();
        let found = difference(&mut rng, &drawn, &right, 1000);
        assert_eq!(found, None, "{right}");
        for change in changes {
            let wrong = right.with(change).unwrap();
            let found = difference(&mut rng, &drawn, &wrong, 100_000);
            assert!(found.is_some(), "{right} and {change}");
        }
    }
}

#[test]
fn a_wrong_algorithm_is_told_from_the_right_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (kernel, wrong) in [
        (Operation::Fdrda(LATE), "gfdrda:K=8,in=f16,nan=quiet"),
        (Operation::Gfdrda(LATE), "fdrda:K=8,in=f16,nan=quiet"),
    ] {
        let (drawn, wrong) = (Drawn::Chain(kernel, 1), Model::parse(wrong).unwrap());
        let found = difference(&mut rng, &drawn, &wrong, 100_000);
        assert!(found.is_some(), "{wrong}");
    }
}

// Xie et al. §VI-C: 2048 * 2048 - 2048 * 2048 - 0.000001. The far `c` of GFDRDA is cut to nothing.
#[test]
fn a_small_negative_accumulator_is_rounded_down_as_published() {
    let c = (-0.000_001f32).to_bits().into();
    let inputs = Inputs::new(vec![0x6800, 0x6800], vec![0x6800, 0xe800], c);
    for (spec, d) in [
        ("fdrda", -0.25f32),
        ("fdrda:late=paper", -0.25),
        ("fdrda:align=trunc", 0.0),
        ("gfdrda:in=f16", 0.0),
    ] {
        let model = Model::parse(spec).unwrap();
        let inputs = inputs.clone().padded(&model.signature()).unwrap();
        let found = f32::from_bits(model.simulator().evaluate(&inputs).unwrap() as u32);
        assert_eq!(found, d, "{spec}");
    }
}
