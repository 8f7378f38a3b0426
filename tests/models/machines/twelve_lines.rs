//! The twelve lines of the vendor's simulator on which Wormhole and Blackhole differ: each is found by the question
//! of `distinguish`, and explained by the stages that `explain` shows.

use super::tenstorrent::vendor;
use mmasmt_core::machines::algorithms::{Inputs, Stages, Step};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::{Bv, Concrete, W128};
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::{Options, Question, answer};

/// The rows of an f32 Dst that the vendor's files have.
const ROWS: [&str; 13] = [
    "f32.bf16.phase0",
    "f32.bf16.phase1",
    "f32.bf16.phase2",
    "f32.bf16.phase3",
    "f32.bf16.hifi4",
    "f32.fp16.phase0",
    "f32.fp16.phase1",
    "f32.fp16.phase2",
    "f32.fp16.phase3",
    "f32.tf32.phase0",
    "f32.tf32.phase1",
    "f32.tf32.phase2",
    "f32.tf32.phase3",
];

/// The numbers of the steps whose sum of three aligned terms is minus one in the last place.
fn minus_ones(stages: &Stages<W128>) -> Vec<usize> {
    let steps = stages.steps().iter().enumerate();
    let fused = steps.filter_map(|(number, step)| match step {
        Step::Fused(fused) if fused.terms.len() == 3 => Some((number, fused)),
        Step::Fused(_) | Step::Rounded { .. } => None,
    });
    fused
        .filter(|(_, fused)| fused.sum.not().to_u64() == 0)
        .map(|(number, _)| number)
        .collect()
}

/// The operands of one line as a domain.
fn domain(inputs: &Inputs) -> String {
    let row = |name: &str, row: &[u64]| -> Vec<String> {
        let each = row.iter().enumerate();
        each.map(|(k, bits)| format!("{name}[{k}] = {bits:#x}"))
            .collect()
    };
    let mut all = [row("a", &inputs.a), row("b", &inputs.b)].concat();
    all.push(format!("c = {:#x}", inputs.c));
    all.join(", ")
}

#[test]
#[ignore = "vectors beside the checkout"]
fn the_twelve_lines_of_shared_vectors_are_found_and_explained() {
    let (mut differ, mut same) = (0, 0);
    for row in ROWS {
        let lines = vendor("wormhole", row);
        let other = vendor("blackhole", row);
        let models = ["wormhole", "blackhole"].map(|machine| {
            let name = format!("{machine}/mvmul.{row}");
            Model::parse(&name).unwrap_or_else(|error| panic!("{name}: {error}"))
        });
        for ((inputs, built), (others, designed)) in lines.into_iter().zip(other) {
            let line = inputs.to_line(&models[0].signature());
            let stages = models
                .each_ref()
                .map(|model| model.stages::<W128>(&inputs).unwrap().1);
            let struck = stages.each_ref().map(minus_ones);
            if inputs != others || built == designed {
                // A carried Dst may leave the same sum on one of the two machines alone.
                assert!(
                    struck[0].is_empty() || row.ends_with("hifi4"),
                    "{row}: {line}"
                );
                same += 1;
                continue;
            }
            // The sum is minus one in the last place in one phase, and that phase is the first in which
            // results differ.
            assert_eq!(struck[0].len(), 1, "{row}: {line}");
            let first = stages[0].steps().iter().zip(stages[1].steps());
            let first = first.take_while(|(x, y)| result(x) == result(y)).count();
            // The register of a sum that is cut is the result of its step; another is a step of its own.
            let step = struck[0][0];
            assert!((step..=step + 1).contains(&first), "{row}: {line}");
            // -2^(e + 4) in place of -2^(e - 23), which is zero below the normal numbers, as the
            // former is the greatest exponent beyond them.
            if !row.ends_with("hifi4") {
                let fields = [built, designed].map(|d| Format::F32.field(d) as i64);
                let is_beyond = fields[0] == 255 && fields[1] >= 255 - 27;
                let is_27_more = fields[1] == (fields[0] - 27).max(0);
                assert!(is_beyond || is_27_more, "{row}: {line}");
                let fractions = [built, designed].map(|d| d & 0x807f_ffff);
                let sign = if fields[1] == 0 { 0 } else { 0x8000_0000 };
                assert_eq!(fractions, [0x8000_0000, sign], "{row}: {line}");
            }
            let signature = models[0].signature();
            let domain = Domain::parse(&domain(&inputs), &signature).unwrap();
            let question = Question::difference(&models[0], &models[1], Some(&domain)).unwrap();
            let found = answer(&question, &Options::default(), &Limits::default()).unwrap();
            let witness = found.witness().unwrap_or_else(|| panic!("{row}: {line}"));
            assert_eq!(witness.inputs, inputs, "{row}");
            let results = models
                .each_ref()
                .map(|model| model.evaluate_big(&inputs).unwrap());
            assert_eq!(results, [built, designed], "{row}: {line}");
            differ += 1;
        }
    }
    assert_eq!(differ, 12, "{same} other lines");
}

/// The register that a step gives, if it gives one.
fn result(step: &Step<W128>) -> Option<u64> {
    match step {
        Step::Fused(fused) => fused.grid.result.is_some().then(|| fused.result.to_u64()),
        Step::Rounded { value, .. } => Some(value.to_u64()),
    }
}
