//! Mutants of the machines that are descriptions: drawn inputs show them, or they are proved equal; what stays open is listed.

use crate::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{Fate, IdentifyOptions, catch};
use std::time::Duration;

/// A row, how many mutants it has, how many of them inputs show, and those of which neither is known in the time for one.
struct Row {
    name: &'static str,
    mutants: usize,
    shown: usize,
    open: &'static [&'static str],
}

fn is_as_listed(row: &Row, budget: Duration) {
    let base = Model::parse(row.name).unwrap();
    let options = IdentifyOptions::default().budget(budget);
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
    // Each of these takes a fraction of a second here.
    let budget = Duration::from_secs(6);
    by_day(SHORT, 3).for_each(|row| is_as_listed(&row, budget));
}

#[test]
#[ignore = "two minutes, and more without optimisation"]
fn mutants_of_long_rows_are_shown_or_equal() {
    let budget = Duration::from_secs(3);
    LONG.iter().for_each(|row| is_as_listed(row, budget));
}

/// Changes of how a phase of Tenstorrent's is written, for which no inputs are known and which the solver does not prove equal.
const OPEN_IN_MVMUL: &[&str] = &[
    "line 16: widen",
    "line 17: widen",
    "line 22: zeros=none",
    "line 26: zeros=field",
    "line 26: widen",
];

/// The same of an element of ELWMUL, whose zeros lie where its least products do.
const OPEN_IN_ELWMUL: &[&str] = &[
    "ZERO=-126",
    "line 14: widen",
    "line 15: widen",
    "line 20: zeros=none",
    "line 21: zeros=field",
    "line 21: widen",
];

/// The last rounding of AMX-FP8 is one addition as IEEE 754 has it, or the same from an exact sum.
const OPEN_IN_AMX: &[&str] = &[
    "line 7: sign=shared",
    "line 8: tiny=kept",
    "line 8: tiny=before",
    "line 8: tiny=register",
    "line 8: overflow=infinity",
    "line 8: sign=shared",
    "line 8: specials=none",
    "line 8: zeros=terms",
    "line 8: zeros=field",
];

const SHORT: [Row; 5] = [
    Row {
        name: "psp/vdot.q",
        mutants: 56,
        shown: 44,
        open: &[],
    },
    // The format of the operands has the codes of overflow as it is.
    Row {
        name: "tpu/dot.f32.default",
        mutants: 68,
        shown: 50,
        open: &[
            "line 6: overflow=infinity",
            "line 6: specials=none",
            "line 7: overflow=infinity",
            "line 7: specials=none",
        ],
    },
    Row {
        name: "cvfpu/mxdotp.f32.e4m3",
        mutants: 32,
        shown: 20,
        open: &[],
    },
    Row {
        name: "x86/vpmaddubsw",
        mutants: 14,
        shown: 2,
        open: &[],
    },
    Row {
        name: "x86/vpmaddwd",
        mutants: 15,
        shown: 2,
        open: &[],
    },
];

const LONG: [Row; 4] = [
    Row {
        name: "wormhole/elwmul.f32.bf16.lofi",
        mutants: 439,
        shown: 396,
        open: OPEN_IN_ELWMUL,
    },
    Row {
        name: "wormhole/mvmul.f32.bf16.phase0",
        mutants: 450,
        shown: 406,
        open: OPEN_IN_MVMUL,
    },
    Row {
        name: "blackhole/mvmul.f32.bf16.phase0",
        mutants: 450,
        shown: 406,
        open: OPEN_IN_MVMUL,
    },
    Row {
        name: "amx-fp8/TDPBF8PS",
        mutants: 48,
        shown: 21,
        open: OPEN_IN_AMX,
    },
];
