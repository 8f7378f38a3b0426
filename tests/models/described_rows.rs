//! Every row of every table against its description, on many inputs of all kinds that `gen` draws, bit
//! for bit. Both sides run as programs over columns.

use super::descriptions::described;
use crate::common::setting::{one_in, setting};
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_questions::inputs::{Draw, Kind};
use std::collections::BTreeMap;
use std::time::Instant;

/// The number of inputs that are compared at once.
const BLOCK: usize = 4096;

/// The operations of all rows, each once, with the name of a row that has it.
fn operations() -> Vec<(String, Model)> {
    let mut found = BTreeMap::new();
    for architecture in architectures().unwrap() {
        for row in &architecture.rows {
            let name = format!("{}/{}", row.architecture, row.name);
            let model = Model::parse(&name).unwrap();
            let Ok(operations) = model.operations() else {
                continue;
            };
            for operation in operations {
                let known = found.entry(operation.canonical());
                known.or_insert_with(|| (name.clone(), operation));
            }
        }
    }
    found.into_values().collect()
}

/// Compares an operation with its description on `count` inputs; the number of inputs on which they
/// agree, or nothing if a description cannot say what it does.
fn compare(name: &str, operation: &Model, count: usize) -> Option<usize> {
    let unit = described(operation).ok()?;
    let signature = operation.signature();
    let [mut own, mut other] = [operation.batch(), unit.batch()];
    for batch in [&mut own, &mut other] {
        batch.prepare_for_rows(count as u64);
    }
    let mut columns = Columns::new(&signature);
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    let mut compared = 0;
    for (number, kind) in Kind::ALL.into_iter().enumerate() {
        let mut draws = Draw::new(signature, kind, number as u64).specials(true);
        let mut left = count.div_ceil(Kind::ALL.len());
        while left > 0 {
            let rows = left.min(BLOCK);
            left -= rows;
            columns.clear();
            (0..rows).for_each(|_| columns.push_row(&draws.draw()));
            expected.clear();
            found.clear();
            own.run_part(&columns, 0..rows, &mut expected);
            other.run_part(&columns, 0..rows, &mut found);
            for (row, (expected, found)) in expected.iter().zip(&found).enumerate() {
                assert!(
                    operation.accepts(*found, *expected),
                    "{name}: {expected:x}, described {found:x} for {}",
                    columns.row(row).to_line(&signature)
                );
            }
            compared += rows;
        }
    }
    Some(compared)
}

/// Compares every `step`-th operation, for at most so many seconds.
fn assert_described(step: usize, count: usize, seconds: u64) -> usize {
    let (start, all) = (Instant::now(), operations());
    let (mut compared, mut inputs, mut unsaid) = (0, 0, Vec::new());
    for (name, operation) in all.iter().step_by(step) {
        if start.elapsed().as_secs() > seconds {
            break;
        }
        match compare(name, operation, count) {
            Some(count) => (compared, inputs) = (compared + 1, inputs + count),
            None => unsaid.push(name),
        }
    }
    let total = all.len();
    println!(
        "{compared} of {total} operations of rows agree with their descriptions, {inputs} inputs; without one: {unsaid:?}"
    );
    compared
}

#[test]
fn rows_are_their_descriptions_as_programs_over_columns() {
    assert!(assert_described(23, 1_400, u64::MAX) > 4);
}

#[test]
#[ignore = "hours: every row, a million inputs of all kinds"]
fn every_row_is_its_description_on_a_million_inputs() {
    let count = setting("MMASMT_INPUTS", 1_000_000);
    let seconds = setting("MMASMT_MOST_SECONDS", u64::MAX);
    assert!(assert_described(one_in(), count, seconds) > 4);
}
