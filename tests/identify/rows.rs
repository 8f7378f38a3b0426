//! Mutants of the machines that are descriptions: drawn inputs show them, or they are proved equal; what stays open is listed.

use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{Fate, Options, catch};
use std::time::Duration;

/// A row, how many mutants it has, how many of them inputs show, and those of which neither is known in a second.
struct Row {
    name: &'static str,
    mutants: usize,
    shown: usize,
    open: &'static [&'static str],
}

fn is_as_listed(row: &Row) {
    let base = Model::parse(row.name).unwrap();
    let options = Options::default().budget(Duration::from_secs(1));
    let (inputs, score) = catch(&base, &options, &Limits::default()).unwrap();
    let open = score
        .mutants
        .iter()
        .filter(|mutant| matches!(mutant.fate, Fate::Unknown(_)));
    let open: Vec<&str> = open.map(|mutant| mutant.change.as_str()).collect();
    let shown = score.caught()[0];
    let found = format!(
        "{}: {} mutants, {shown} shown, open {open:?}",
        row.name,
        score.mutants.len()
    );
    assert_eq!(score.mutants.len(), row.mutants, "{found}");
    // A faster machine decides more.
    assert!(shown >= row.shown, "{found}");
    assert!(
        open.iter().all(|change| row.open.contains(change)),
        "{found}"
    );
    // What is shown is a difference of results, and what is equal has none on the inputs of others.
    let mut own = base.simulator();
    for mutant in &score.mutants {
        let mut changed = mutant.model.simulator();
        let differs = inputs
            .iter()
            .map(|inputs| own.run(inputs) != changed.run(inputs));
        let differs: Vec<bool> = differs.collect();
        match mutant.fate {
            Fate::Caught(number) => assert!(differs[number], "{}: {}", row.name, mutant.change),
            _ => assert!(!differs.contains(&true), "{}: {}", row.name, mutant.change),
        }
    }
}

#[test]
fn mutants_of_short_rows_are_shown_or_equal() {
    for row in &SHORT {
        is_as_listed(row);
    }
}

#[test]
#[ignore = "minutes without optimisation"]
fn mutants_of_long_rows_are_shown_or_equal() {
    for row in &LONG {
        is_as_listed(row);
    }
}
const SHORT: [Row; 6] = [
    Row {
        name: "psp/vdot.q",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "tpu/dot.f32.default",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "cvfpu/mxdotp.f32.e4m3",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "x86/vpmaddubsw",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "x86/vpmaddwd",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "wormhole/elwmul.f32.bf16.lofi",
        mutants: 1,
        shown: 0,
        open: &[],
    },
];
const LONG: [Row; 4] = [
    Row {
        name: "wormhole/mvmul.f32.bf16.phase0",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "blackhole/mvmul.f32.bf16.phase0",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "wormhole/mvmul.fp16.fp16.hifi4",
        mutants: 1,
        shown: 0,
        open: &[],
    },
    Row {
        name: "amx-fp8/TDPBF8PS",
        mutants: 1,
        shown: 0,
        open: &[],
    },
];
