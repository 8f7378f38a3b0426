//! Batches against the simulator, bit for bit: every distinct row of the tables, drawn models, compositions.

use crate::common::drawn::{FAMILIES, INTEGERS};
use crate::common::inputs;
use crate::common::setting::{one_in, part_of, setting};
use mmasmt_columns::tape::{Features, LANES};
use mmasmt_core::batch::{Batch, Columns};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_questions::inputs::{Draw, Kind, Sampler};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Inputs of a model that is not gone through.
const FEW: usize = 256;

/// Inputs of every kind that is drawn anywhere.
fn drawn(signature: &Signature, count: usize, seed: u64) -> Vec<Inputs> {
    use Kind::{Cancel, Close, Edge, Feature, Finite, Random};
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let kinds = [Random, Close, Cancel, Edge, Feature, Finite];
    let mut draws = kinds.map(|kind| Draw::new(*signature, kind, seed));
    let mut sampler = Sampler::new(*signature, seed);
    let of_kind = |index| match index % 9 {
        kind @ 0..6 => draws[kind].draw(),
        6 => sampler.sample(),
        7 => sampler.rare(),
        _ => inputs::draw(&mut rng, signature),
    };
    (0..count).map(of_kind).collect()
}

/// Inputs, and the order in which batches get them: blocks of finite ones lie first and last, since programs are chosen by block.
struct Drawn {
    rows: Vec<Inputs>,
    order: Vec<usize>,
    columns: Columns,
}

impl Drawn {
    fn new(signature: &Signature, count: usize, seed: u64) -> Drawn {
        let rows = drawn(signature, count, seed);
        let mut any: Vec<_> = (0..count).collect();
        let mut finite = any.clone();
        finite.retain(|row| rows[*row].is_finite(signature));
        any.rotate_left(count / 2);
        let order = [&finite[..], &any, &finite].concat();
        let mut columns = Columns::new(signature);
        order
            .iter()
            .for_each(|row| columns.push(&rows[*row]).unwrap());
        Drawn {
            rows,
            order,
            columns,
        }
    }
}

/// A model with a batch for each set of features.
struct Checked<'m> {
    model: &'m Model,
    batches: Vec<(Features, Batch<'m>)>,
    /// Features of processors that had a program: none where the model is too wide for one.
    programs: usize,
    inputs: usize,
}

impl<'m> Checked<'m> {
    fn new(model: &'m Model, features: &[Features]) -> Checked<'m> {
        let mut batches: Vec<_> = features.iter().map(|set| (*set, model.batch())).collect();
        let prepared = batches.iter_mut().map(|(features, batch)| {
            let prepared = batch.prepare_for(*features, features.host_operations());
            assert_eq!(prepared, batch.instance() == "tape");
            prepared
        });
        let programs = prepared.filter(|prepared| *prepared).count();
        Checked {
            model,
            batches,
            programs,
            inputs: 0,
        }
    }

    /// Compares with the simulator.
    fn check(&mut self, drawn: &Drawn) {
        let model = self.model;
        let mut simulator = model.simulator();
        let simulated = drawn
            .rows
            .iter()
            .map(|row| simulator.evaluate(row).unwrap());
        let simulated: Vec<u64> = simulated.collect();
        for (features, batch) in &mut self.batches {
            let found = batch.evaluate(&drawn.columns).unwrap();
            assert_eq!(found.len(), drawn.order.len());
            for (row, found) in drawn.order.iter().zip(found) {
                let line = || drawn.rows[*row].to_line(&model.signature());
                assert_eq!(found, simulated[*row], "{model}, {features:?}: {}", line());
            }
        }
        self.inputs += drawn.rows.len();
    }
}

/// Compares models of one signature on the same inputs, some thousands at a time so that millions of them need no memory.
fn check_all<'m>(
    models: &'m [Model],
    count: usize,
    seed: u64,
    features: &[Features],
) -> Vec<Checked<'m>> {
    const AT_ONCE: usize = 1 << 15;
    let signature = models[0].signature();
    let made = models.par_iter().map(|model| Checked::new(model, features));
    let mut checked: Vec<_> = made.collect();
    // Without a program it is the simulator that answers: a few inputs are enough.
    let few = Drawn::new(&signature, count.min(FEW), seed);
    let wide = checked
        .par_iter_mut()
        .filter(|checked| checked.programs == 0);
    wide.for_each(|checked| checked.check(&few));
    for first in (0..count).step_by(AT_ONCE) {
        let count = AT_ONCE.min(count - first);
        let drawn = Drawn::new(&signature, count, seed ^ (first as u64) << 16);
        let narrow = checked
            .par_iter_mut()
            .filter(|checked| checked.programs > 0);
        narrow.for_each(|checked| checked.check(&drawn));
    }
    checked
}

/// How many programs the model had.
pub(crate) fn check(model: &Model, count: usize, seed: u64, features: &[Features]) -> usize {
    check_all(std::slice::from_ref(model), count, seed, features)[0].programs
}

/// Every model of the tables and of their variants, once each.
pub(crate) fn distinct_rows() -> BTreeSet<String> {
    let mut models = BTreeSet::new();
    for architecture in architectures().unwrap() {
        for row in &architecture.rows {
            let variants = row.variants.keys().map(|variant| format!("@{variant}"));
            for variant in std::iter::once(String::new()).chain(variants) {
                let text = format!("{}/{}{variant}", row.architecture, row.name);
                models.insert(Model::parse(&text).unwrap().canonical());
            }
        }
    }
    models
}

fn check_rows(count: usize, each: usize, features: &[Features]) {
    let rows = distinct_rows().into_iter().enumerate();
    let mut groups: Vec<(Signature, usize, Vec<Model>)> = Vec::new();
    for (row, text) in rows {
        let model = Model::parse(&text).unwrap();
        let signature = model.signature();
        let count = if row % each == 0 { count } else { FEW };
        let same = |group: &&mut (Signature, usize, _)| (group.0, group.1) == (signature, count);
        match groups.iter_mut().find(same) {
            Some((_, _, models)) => models.push(model),
            None => groups.push((signature, count, vec![model])),
        }
    }
    let done = AtomicUsize::new(0);
    let checked = groups.par_iter().enumerate();
    let checked = checked.flat_map(|(seed, (signature, count, models))| {
        let checked = check_all(models, *count, seed as u64, features);
        let done = done.fetch_add(1, Relaxed) + 1;
        println!(
            "{done} of {}: {signature:?}, {} rows",
            groups.len(),
            models.len()
        );
        // Batches of all rows at a time would take gigabytes.
        let told = |checked: Checked| (checked.model.widest(), checked.programs, checked.inputs);
        checked.into_iter().map(told).collect::<Vec<_>>()
    });
    let checked: Vec<_> = checked.collect();
    let inputs: usize = checked.iter().map(|(_, _, inputs)| inputs).sum();
    let wide = checked.iter().filter(|(_, programs, _)| *programs == 0);
    let wide: Vec<_> = wide.map(|(widest, _, _)| *widest).collect();
    println!(
        "{} rows, {inputs} inputs on each of {} sets of features, the same bits; {} rows are too wide for a program",
        checked.len(),
        features.len(),
        wide.len()
    );
    assert!(wide.iter().all(|widest| *widest > 116));
    assert!(wide.len() * 10 < checked.len());
}

/// A build without optimisation makes a program in some 50 ms: few inputs of most rows here, many below.
#[test]
fn batches_give_what_simulators_give_on_every_row_of_the_tables() {
    check_rows(2 * LANES, 8, &[Features::detected()]);
}

/// `MMASMT_BATCH_INPUTS` says how many of each row; the finite ones among them are compared twice more, in blocks of their own.
#[test]
#[ignore = "minutes"]
fn many_inputs_of_every_row_on_all_processor_features() {
    let count = setting("MMASMT_BATCH_INPUTS", 2000);
    check_rows(count, one_in(), &Features::available());
}

#[test]
fn batches_give_what_simulators_give_on_drawn_models() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for (name, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        for seed in 0..3 {
            let model = draw(&mut rng).model();
            println!("{name}: {model}");
            check(&model, 300, seed, &[Features::detected()]);
        }
    }
}

#[test]
#[ignore = "minutes"]
fn batches_give_what_simulators_give_on_many_drawn_models() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for (_, draw) in FAMILIES.into_iter().chain([INTEGERS]) {
        for seed in 0..part_of(100) as u64 {
            check(&draw(&mut rng).model(), 1000, seed, &[Features::detected()]);
        }
    }
}

const COMPOSED: [&str; 12] = [
    "promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=2):K=128",
    "splitk(volta/HMMA.884.F32.F32, 4, pairwise):K=32",
    "epilogue(hopper/HMMA.16816.F32, out=bf16)",
    "repeat(cdna3/v_mfma_f32_32x32x8_f16):K=24",
    "markidis(volta/HMMA.884.F32.F32):K=8",
    "ootomo-yokota(ampere/HMMA.16816.F32):K=32",
    "eq24(volta/HMMA.884.F32.F32)",
    "3xtf32(ampere/HMMA.1688.F32.TF32):K=16",
    "9xbf16(blackwell/mma.m16n8k16.f32.bf16.bf16.f32):K=16",
    "triton-bf16x6(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=16",
    "xla-bf16x9(hopper/mma.m16n8k16.f32.bf16.bf16.f32):K=16",
    "xla-fp8x3(hopper/wgmma.m64nNk32.f32.e4m3.e4m3):K=32",
];

#[test]
fn batches_give_what_simulators_give_on_compositions_and_schemes() {
    for (seed, text) in COMPOSED.iter().enumerate() {
        let model = Model::parse(text).unwrap();
        let programs = check(&model, 600, seed as u64, &[Features::detected()]);
        assert_eq!(programs, 1, "{text}");
    }
}

/// In a format without a sign the magnitude is the whole register.
#[test]
fn one_special_scale_makes_its_block_special() {
    let model = Model::parse("fda:K=4,in=e2m1,scale=ue8m0,block=4").unwrap();
    let signature = model.signature();
    for (operand, register) in [(0, 0xff), (1, 0xff)] {
        let mut inputs = Inputs::zero(&signature);
        inputs.a.fill(2);
        inputs.b.fill(2);
        inputs.a_scales.fill(127);
        inputs.b_scales.fill(127);
        let mut columns = Columns::new(&signature);
        columns.push(&inputs).unwrap();
        match operand {
            0 => inputs.a_scales[0] = register,
            _ => inputs.b_scales[0] = register,
        }
        columns.push(&inputs).unwrap();
        let mut batch = model.batch();
        assert!(batch.prepare());
        let found = batch.evaluate(&columns).unwrap();
        let simulated = [0, 1].map(|row| model.simulator().evaluate(&columns.row(row)).unwrap());
        assert_eq!(found, simulated);
        assert!(signature.d.is_nan(found[1]));
    }
}

/// Tapes are made once they pay; results are those of the simulator before and after.
#[test]
fn a_tape_is_made_when_it_pays() {
    let model = Model::parse("fda:K=4").unwrap();
    let rows = drawn(&model.signature(), 3000, 1);
    let mut columns = Columns::new(&model.signature());
    rows.iter().for_each(|row| columns.push(row).unwrap());
    let mut batch = model.batch();
    assert_eq!(batch.instance(), "u64");
    let first = batch.evaluate(&columns).unwrap();
    assert_eq!(batch.instance(), "u64");
    while batch.instance() != "tape" {
        assert_eq!(batch.evaluate(&columns).unwrap(), first);
    }
    assert_eq!(batch.clone().evaluate(&columns).unwrap(), first);
    columns.clear();
    assert!(batch.evaluate(&columns).unwrap().is_empty());
}

#[test]
fn a_model_that_is_too_wide_for_tapes_says_so() {
    let model = Model::parse("exact:K=4,in=f64,out=f64").unwrap();
    let mut batch = model.batch();
    assert!(!batch.prepare());
    assert_eq!(batch.instance(), "BigUint");
    check(&model, 40, 1, &[Features::detected()]);
}

#[test]
fn columns_of_another_signature_are_refused() {
    let model = Model::parse("fda:K=4").unwrap();
    let other = Model::parse("fda:K=8").unwrap();
    let error = model.batch().evaluate(&Columns::new(&other.signature()));
    assert!(matches!(error, Err(Misfit::Signature { .. })));
    let mut columns = Columns::new(&model.signature());
    let wide = Inputs::new(vec![0x1_0000; 4], vec![0; 4], 0);
    assert!(matches!(columns.push(&wide), Err(Misfit::Width { .. })));
    assert!(columns.is_empty());
}

/// A scale without a fraction: its magnitude is its exponent field, of which finite programs take nothing for granted.
#[test]
fn a_nan_among_scales_is_seen() {
    for spec in [
        "fda:K=32,F=25,a=e2m1,b=e3m2,scale=ue8m0",
        "fda:K=32,F=25,in=e4m3,scale=ue8m0,emin=-133",
    ] {
        let model = Model::parse(spec).unwrap();
        let mut row = Inputs::zero(&model.signature());
        (row.c, row.a_scales[0], row.b_scales[0]) = (0x7f7f_ffff, 0xff, 0xfe);
        let mut columns = Columns::new(&model.signature());
        columns.push(&row).unwrap();
        let mut batch = model.batch();
        batch.prepare();
        assert_eq!(batch.evaluate(&columns).unwrap(), [0x7fff_ffff], "{spec}");
    }
}
