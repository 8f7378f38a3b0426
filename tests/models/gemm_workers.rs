//! The ways to compute the elements of a product: programs, batches, or one by one.

use mmasmt_core::batch::Columns;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::matrices::{Worker, pays, worker};

/// For 512 elements of a scheme of 1,024 products, making programs took a minute, and
/// evaluation without programs a second or two.
#[test]
fn programs_of_many_products_are_made_where_they_pay() {
    let scheme = Model::parse("markidis(volta/HMMA.884.F32.F32):K=1024").unwrap();
    assert!(matches!(worker(&scheme, 512), Worker::Batch(_)));
    let unit = Model::parse("hopper/HMMA.16816.F32").unwrap();
    assert!(matches!(worker(&unit, 1 << 24), Worker::Hoisted(_)));
    // With more threads, simulation takes less time.
    assert!(pays(100_000, 2) && !pays(100_000, 16) && !pays(512, 1));
}

/// Each product is too small for programs of its own; together they are not.
#[test]
fn many_small_products_make_programs_once() {
    let model = Model::parse("fda:K=8,F=17,in=bf16").unwrap();
    let is_program = |worker: &Worker<'_>| matches!(worker, Worker::Hoisted(_));
    assert!(!is_program(&worker(&model, 256)));
    let threads = rayon::current_num_threads();
    let made = (0..32 * threads).position(|_| is_program(&worker(&model, 256)));
    assert!(made.is_some_and(|place| place > 16), "{made:?}");
    // Another name of the same arithmetic finds them.
    let other = Model::parse("fda:F=17,K=8,in=bf16,align=trunc").unwrap();
    assert!(is_program(&worker(&other, 1)));
}

#[test]
fn a_batch_of_few_long_sums_makes_no_program() {
    let scheme = Model::parse("markidis(volta/HMMA.884.F32.F32):K=256").unwrap();
    let signature = scheme.signature();
    let (mut sampler, mut columns) = (Sampler::new(signature, 1), Columns::new(&signature));
    (0..900).for_each(|_| columns.push(&sampler.sample()).unwrap());
    let mut batch = scheme.batch();
    let results = batch.evaluate(&columns).unwrap();
    assert_eq!((results.len(), batch.instance()), (900, "u64"));
}
