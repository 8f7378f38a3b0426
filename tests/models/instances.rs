//! All instances of the bit-vector trait give the same bits: words, big integers and terms over
//! constants, on drawn models of every pair of formats and every key.

use crate::common::drawn::{FAMILIES, INTEGERS};
use crate::common::inputs;
use crate::common::installed::is_met;
use crate::common::setting::part_of;
use crate::common::unit::units;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Stages, Step};
use mmasmt_core::machines::model::{Instance, Model, architectures, compositions, libraries};
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::ranged::{CAPACITY, RangedBits, Truth};
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop, W64, W128};
use mmasmt_questions::solver::engine::Goal;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// A fused stage as numbers: largest exponent, sum, then the parts of all terms.
type Numbers = Vec<Vec<Option<u64>>>;

/// The low bits of every bit-vector of the fused stages; nothing where `read` finds no constant.
fn numbers<B: Bv>(
    stages: &Stages<B>,
    read: impl Fn(&B) -> Option<u64>,
    holds: impl Fn(&B::Bool) -> Option<bool>,
) -> Numbers {
    let fused = stages.steps().iter().filter_map(|step| match step {
        Step::Fused(fused) => Some(fused),
        Step::Rounded { .. } => None,
    });
    fused
        .map(|fused| {
            let terms = fused.terms.iter().flat_map(|term| {
                let (sign, zero) = (holds(&term.special.sign), holds(&term.zero));
                let [sign, zero] = [sign, zero].map(|value| value.map(u64::from));
                [sign, zero, read(&term.significand)]
            });
            let whole = [&fused.max_exponent, &fused.sum, &fused.result].map(&read);
            whole
                .into_iter()
                .chain(terms)
                .chain(fused.exponents.iter().chain(&fused.aligned).map(&read))
                .collect()
        })
        .collect()
}

fn concrete<B: Concrete + Instance>(model: &Model, inputs: &Inputs) -> (u64, Numbers) {
    let (result, stages) = model.stages::<B>(inputs).unwrap();
    assert_eq!(result.width(), model.signature().d.width());
    (
        result.to_u64(),
        numbers(&stages, |x| Some(x.to_u64()), |&x| Some(x)),
    )
}

/// The result and stages on terms, all of which fold to constants.
fn symbolic(model: &Model, inputs: &Inputs) -> (u64, Numbers) {
    scope(|| {
        let (result, stages) = model.stages::<Term>(inputs).unwrap();
        let read = |x: &Term| x.as_constant().map(Concrete::to_u64);
        let result = read(&result).expect("constant inputs give a constant result");
        (
            result,
            numbers(&stages, read, |x: &Formula| x.as_constant()),
        )
    })
}

/// Constants of the instance that knows ranges.
fn ranged(model: &Model, inputs: &Inputs) -> (u64, Numbers) {
    let (result, stages) = model.stages::<RangedBits>(inputs).unwrap();
    let read = |x: &RangedBits| x.as_constant().map(|word| word.to_u64());
    let result = read(&result).expect("constant inputs give a constant result");
    (result, numbers(&stages, read, Truth::as_constant))
}

/// Checks that all instances that are wide enough agree, stage for stage.
pub(super) fn check(model: &Model, inputs: &Inputs, found: u64) {
    let line = || inputs.to_line(&model.signature());
    assert_eq!(
        found,
        model.evaluate_big(inputs).unwrap(),
        "{model} on {}: u64 or u128",
        line()
    );
    let reference = concrete::<Big>(model, inputs);
    assert_eq!(found, reference.0, "{model} on {}: BigUint", line());
    if model.widest() <= 64 {
        assert_eq!(
            concrete::<W64>(model, inputs),
            reference,
            "{model} on {}: u64",
            line()
        );
    }
    if model.widest() <= 128 {
        assert_eq!(
            concrete::<W128>(model, inputs),
            reference,
            "{model} on {}: u128",
            line()
        );
    }
    if model.widest() <= CAPACITY {
        assert_eq!(
            ranged(model, inputs),
            reference,
            "{model} on {}: with ranges",
            line()
        );
    }
    assert_eq!(
        symbolic(model, inputs),
        reference,
        "{model} on {}: term",
        line()
    );
}

fn check_drawn(rng: &mut ChaCha8Rng, model: &Model, count: usize) {
    let mut simulator = model.simulator();
    for _ in 0..count {
        let inputs = inputs::draw(rng, &model.signature());
        check(model, &inputs, simulator.evaluate(&inputs).unwrap());
    }
}

/// `count` drawn models for each pair of formats, `each` inputs for each of them.
fn check_pairs(seed: u64, count: usize, each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for unit in units(seed, count) {
        check_drawn(&mut rng, &unit.model(), each);
    }
}

/// `models` drawn models of every algorithm, `each` inputs for each of them.
fn check_families(seed: u64, models: usize, each: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for (name, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        println!("{name}");
        for _ in 0..models {
            let model = draw(&mut rng).model();
            check_drawn(&mut rng, &model, each);
        }
    }
}

#[test]
fn all_instances_agree_on_drawn_models() {
    check_pairs(1, 50, 30);
}

#[test]
fn all_instances_agree_on_drawn_models_of_every_algorithm() {
    check_families(5, 30, 10);
}

/// Compositions of units of every kind, short ones; and what has integers in place of a unit.
fn compositions_of_units() -> Vec<Model> {
    let units = [
        "fda:K=4,F=23",
        "fda:K=2,F=24,in=tf32,chain=2",
        "fda:K=2,F=25,in=bf16",
        "fda:K=2,F=13,in=e4m3,frac=13",
        "gdfs:K=4,G=2,in=e4m3",
        "ieee:in=f32,order=fma,K=2",
    ];
    let mut made = Vec::new();
    for doc in compositions() {
        let before = made.len();
        for unit in units {
            made.extend(Model::parse(&format!("{}({unit}):K=5", doc.name)).ok());
        }
        assert!(made.len() > before, "no unit of {}", doc.name);
    }
    let choices = [
        "promote(fda:K=2,in=e4m3):K=8,every=2,scales=product-fma",
        "promote(fda:K=2,in=e4m3):K=8,every=2,scales=left-fma,round=rz",
        "promote(fda:K=2,in=e4m3):K=9,every=2,scales=separate,remainder=dropped",
        "splitk(fda:K=2,in=e4m3):K=12,S=5,combine=pairwise,tiles=strided,tile=2",
        "splitk(fda:K=2,in=e4m3):K=12,S=5,combine=tree",
        "epilogue(promote(fda:K=2,in=e5m2,frac=13, every=2)):K=9,alpha=0x1.8p-3,beta=-0x1p2,out=e4m3,saturate=yes",
        "markidis(fda:K=2):K=5,order=interleaved",
        "ootomo-yokota(fda:K=4):K=18,low=kept",
        "ootomo-yokota(fda:K=4,in=tf32):K=10,main=inside,tf32=rne",
        "eq24(fda:K=4):K=5,low=kept",
        "words(fda:K=2,in=bf16):K=3,p=3,sum=outside",
        "words(fda:K=2,in=e5m2):K=3,p=4,low=kept",
        "plain(fda:K=2,in=bf16):K=3,round=rna",
        "plain(fda:K=2):K=3,round=rz",
        "3xtf32(fda:K=4,in=tf32):K=9,big=rna,small=rz,order=large-first,low=kept",
        "ozaki1:K=3,s=3",
        "ozaki2:K=2,n=3",
        "cutlass-9xbf16(fda:K=4,in=bf16):K=9,step=4,scaled=whole",
        "cutlass-9xbf16(fda:K=4,in=bf16):K=9,bands=3,scaled=rounded",
        "triton-tf32x3(fda:K=4,in=tf32):K=9,block=4,c=inside,nan=kept",
    ];
    made.extend(choices.map(|text| Model::parse(text).unwrap()));
    made
}

#[test]
fn all_instances_agree_on_compositions() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for model in compositions_of_units() {
        check_drawn(&mut rng, &model, 10);
    }
}

#[test]
#[ignore = "minutes in release: a hundred thousand inputs for each kind of composition"]
fn all_instances_agree_on_compositions_and_many_inputs() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for model in compositions_of_units() {
        println!("{model}");
        check_drawn(&mut rng, &model, part_of(15_000));
    }
}

#[test]
#[ignore = "a minute in release: a hundred thousand inputs for each pair of formats"]
fn all_instances_agree_on_many_drawn_models() {
    check_pairs(2, part_of(2000), 50);
}

#[test]
#[ignore = "two minutes in release: a hundred thousand inputs for each algorithm"]
fn all_instances_agree_on_many_drawn_models_of_every_algorithm() {
    check_families(6, part_of(2000), 50);
}

/// Met iff a model gives something else than was found for one of the inputs.
struct Otherwise(Vec<(Model, Inputs, u64)>);

impl Goal for Otherwise {
    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }
    fn formula<B: Instance>(&self, _: &[B]) -> B::Bool {
        let same = self.0.iter().map(|(model, inputs, found)| {
            let (result, _) = model.stages::<B>(inputs).unwrap();
            result.equals(&B::lit(result.width(), *found))
        });
        B::Bool::all(same.collect::<Vec<_>>()).not()
    }
}

/// Plain SMT-LIB and Z3's own bit-vectors, folded by the solvers.
#[test]
fn instances_that_solvers_read_agree_on_drawn_models() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut drawn = Vec::new();
    for (_, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        let model = draw(&mut rng).model();
        let inputs = inputs::draw(&mut rng, &model.signature());
        let found = model.simulator().evaluate(&inputs).unwrap();
        drawn.push((model, inputs, found));
    }
    let mut wrong = drawn[..1].to_vec();
    wrong[0].2 ^= 1;
    is_met(&Otherwise(drawn), false);
    is_met(&Otherwise(wrong), true);
}

#[test]
fn all_instances_agree_on_every_row_of_the_tables() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for architecture in architectures().unwrap().iter().chain(libraries().unwrap()) {
        for row in &architecture.rows {
            let text = format!("{}/{}", row.architecture, row.name);
            check_drawn(&mut rng, &Model::parse(&text).unwrap(), 10);
        }
    }
}

#[test]
fn the_simulator_takes_the_narrowest_instance_that_is_wide_enough() {
    let mut seen = Vec::new();
    for f in 1..=64 {
        let model = Model::parse(&format!("fda:F={f},round=rne,out=f64,frac=52")).unwrap();
        let expected = match model.widest() {
            ..=64 => "u64",
            65..=128 => "u128",
            _ => "BigUint",
        };
        assert_eq!(model.simulator().instance(), expected, "F={f}");
        seen.push(expected);
    }
    seen.dedup();
    assert_eq!(seen, ["u64", "u128"]);
}

#[test]
fn a_simulator_gives_the_same_result_whatever_it_ran_before() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let model = Model::parse("fda:chain=2,F=13").unwrap();
    let mut simulator = model.simulator();
    let inputs: Vec<_> = (0..1000)
        .map(|_| inputs::draw(&mut rng, &model.signature()))
        .collect();
    let once: Vec<_> = inputs
        .iter()
        .map(|inputs| simulator.evaluate(inputs).unwrap())
        .collect();
    let fresh = inputs
        .iter()
        .map(|inputs| model.simulator().evaluate(inputs).unwrap());
    assert!(fresh.eq(once));
}

#[test]
fn constants_of_terms_are_those_of_truth_values() {
    scope(|| {
        for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
            let (p, q) = (
                <Formula as Prop>::constant(x),
                <Formula as Prop>::constant(y),
            );
            assert_eq!(p.and(&q).as_constant(), Some(x & y));
            assert_eq!(p.or(&q).as_constant(), Some(x | y));
            assert_eq!(p.xor(&q).as_constant(), Some(x ^ y));
            assert_eq!(p.not().as_constant(), Some(!x));
        }
    })
}
