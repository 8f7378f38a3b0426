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
    SHORT.iter().for_each(is_as_listed);
}

#[test]
#[ignore = "minutes without optimisation"]
fn mutants_of_long_rows_are_shown_or_equal() {
    LONG.iter().for_each(is_as_listed);
}

/// Changes of how Tenstorrent's phases are written. No inputs are known that show one, and the solver does not prove them equal in
/// a second: a sum of two parts is not below the normal numbers of Dst, but for what is dropped before.
const OPEN_IN_PHASES: &[&str] = &[];

const SHORT: [Row; 5] = [
    Row {
        name: "psp/vdot.q",
        mutants: 48,
        shown: 37,
        open: &[],
    },
    // The format of the operands has the codes of overflow as it is.
    Row {
        name: "tpu/dot.f32.default",
        mutants: 56,
        shown: 35,
        open: &[
            "line 6: overflow=infinity",
            "line 6: specials=none",
            "line 7: overflow=infinity",
            "line 7: specials=none",
        ],
    },
    Row {
        name: "cvfpu/mxdotp.f32.e4m3",
        mutants: 24,
        shown: 15,
        open: &[],
    },
    Row {
        name: "x86/vpmaddubsw",
        mutants: 20,
        shown: 4,
        open: &[],
    },
    Row {
        name: "x86/vpmaddwd",
        mutants: 20,
        shown: 2,
        open: &[],
    },
];

const LONG: [Row; 4] = [
    Row {
        name: "wormhole/elwmul.f32.bf16.lofi",
        mutants: 439,
        shown: 396,
        open: OPEN_IN_PHASES,
    },
    Row {
        name: "wormhole/mvmul.f32.bf16.phase0",
        mutants: 450,
        shown: 406,
        open: OPEN_IN_PHASES,
    },
    Row {
        name: "blackhole/mvmul.f32.bf16.phase0",
        mutants: 450,
        shown: 406,
        open: OPEN_IN_PHASES,
    },
    Row {
        name: "amx-fp8/TDPBF8PS",
        mutants: 48,
        shown: 20,
        open: &[],
    },
];
