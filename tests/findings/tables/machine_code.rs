//! The tables against the machine code that the compiler makes of every PTX instruction:
//! `kernels/sass/table.tsv`.

use mmasmt_core::machines::model::{Row, find_architecture, find_row};
use std::collections::HashSet;
use std::ptr;

/// A line of the survey.
struct Compiled {
    instruction: String,
    target: String,
    verdict: String,
    machine: String,
}

/// The architecture that a target belongs to.
fn architecture(target: &str) -> &'static str {
    match target {
        "sm_70" => "volta",
        "sm_75" => "turing",
        "sm_80" | "sm_86" => "ampere",
        "sm_89" => "ada",
        "sm_90a" => "hopper",
        "sm_100a" | "sm_103a" => "blackwell",
        "sm_120a" => "rtx-blackwell",
        _ => panic!("{target}"),
    }
}

fn survey() -> Vec<Compiled> {
    let text = include_str!("../../../kernels/sass/table.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
            let [instruction, target, verdict, machine] = fields.try_into().expect("four fields");
            Compiled {
                instruction,
                target,
                verdict,
                machine,
            }
        })
        .collect()
}

fn row_of(compiled: &Compiled) -> Option<&'static Row> {
    let chip = find_architecture(architecture(&compiled.target)).unwrap();
    find_row(chip, &compiled.instruction).ok()
}

/// The opcode without its count and its STEP.
fn opcodes(machine: &str) -> Vec<&str> {
    let words = machine
        .split("; ")
        .filter_map(|part| part.split(' ').nth(1));
    words
        .map(|word| word.split(".STEP").next().unwrap_or(word))
        .collect()
}

#[test]
fn native_instructions_have_the_name_of_their_machine_instruction() {
    let mut seen = 0;
    for compiled in survey().iter().filter(|line| line.verdict == "native") {
        let opcode = opcodes(&compiled.machine)[0].to_owned();
        let Some(row) = row_of(compiled) else {
            panic!("{} on {}: no row", compiled.instruction, compiled.target)
        };
        // The types of the UTC instructions are in a descriptor; their rows name them in a note.
        let named = if opcode.starts_with("UTC") {
            let note = row.note.as_deref().unwrap_or_default();
            let family = opcode.split('.').next().unwrap_or(&opcode);
            note.contains(family)
        } else {
            let chip = find_architecture(&row.architecture).unwrap();
            find_row(chip, &opcode).is_ok_and(|found| found.model == row.model)
        };
        assert!(
            named,
            "{} on {}: {opcode}",
            compiled.instruction, compiled.target
        );
        seen += 1;
    }
    assert_eq!(seen, 857);
}

#[test]
fn what_the_compiler_emulates_or_splits_says_so() {
    let mut seen = [0, 0];
    for compiled in &survey() {
        let (kind, word) = match compiled.verdict.as_str() {
            "emulated" => (0, "emulated"),
            "split" => (1, "split"),
            _ => continue,
        };
        let Some(row) = row_of(compiled) else {
            continue;
        };
        // A wmma of 16 columns is one machine instruction for each half of them.
        if !compiled.instruction.starts_with("wmma") {
            let note = row.note.as_deref().unwrap_or_default();
            assert!(
                note.starts_with(word),
                "{}/{}: {note}",
                row.architecture,
                row.name
            );
        }
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
}

#[test]
fn what_the_compiler_rejects_everywhere_has_no_row_without_a_remark() {
    let survey = survey();
    for compiled in survey.iter().filter(|line| line.verdict == "rejected") {
        let accepted = |line: &&Compiled| {
            line.instruction == compiled.instruction
                && architecture(&line.target) == architecture(&compiled.target)
                && line.verdict != "rejected"
        };
        if survey.iter().any(|line| accepted(&line)) {
            continue;
        }
        if let Some(row) = row_of(compiled) {
            let note = row.note.as_deref().unwrap_or_default();
            assert!(
                note.contains("no such instruction"),
                "{}/{} is rejected for {}: {}",
                row.architecture,
                row.name,
                compiled.target,
                compiled.machine
            );
        }
    }
}

#[test]
fn every_ptx_row_was_compiled() {
    let survey = survey();
    let in_survey: HashSet<*const Row> = survey
        .iter()
        .filter_map(row_of)
        .map(ptr::from_ref)
        .collect();
    for compiled in [
        "volta",
        "turing",
        "ampere",
        "ada",
        "hopper",
        "blackwell",
        "rtx-blackwell",
    ] {
        for row in &find_architecture(compiled).unwrap().rows {
            assert!(
                in_survey.contains(&ptr::from_ref(row)),
                "{compiled}/{} is not in kernels/sass/table.tsv",
                row.name
            );
        }
    }
}
