//! Results of silicon that come with the program, by card and instruction.
#![allow(dead_code, reason = "each test program uses its own part")]

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_questions::vectors::{Vector, parse_line, recorded};

/// The lines that a card gave for an instruction, such as `V100` and `wmma.m16n16k16.f32.f16.f16.f32`.
pub fn lines_of(card: &str, instruction: &str) -> String {
    let all = recorded().unwrap().into_iter();
    let wanted = |section: &str| {
        section
            .split_once('/')
            .is_some_and(|(_, name)| name == instruction)
    };
    let mut found = all.filter(|section| section.card == card && wanted(&section.model));
    let Some(section) = found.next() else {
        panic!("no recorded results of {instruction} on {card}");
    };
    section.lines
}

/// The same, read for a signature that may have other names than the row of the tables.
pub fn vectors_of(card: &str, instruction: &str, signature: &Signature) -> Vec<Vector> {
    let text = lines_of(card, instruction);
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|(number, line)| parse_line(line, number, signature).unwrap())
        .collect()
}
