//! Every row of the tables in every format that it fits.

use crate::common::setting::{one_in, setting};
use crate::designs::{btor2, design};
use crate::models::{compare, drawn, packed};
use crate::simulated::Module;
use mmasmt_core::machines::model::{Model, architectures, conversions, libraries};
use mmasmt_numbers::bits::circuit::Port;
use mmasmt_questions::circuits::export::{PortShape, Ports, Subject};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// One model for each algorithm with its keys that a row names.
fn every_row() -> Vec<Model> {
    let tables = [architectures(), libraries(), conversions()];
    let tables = tables
        .into_iter()
        .flat_map(|tables| tables.as_ref().unwrap().iter());
    let mut models = BTreeMap::new();
    for table in tables {
        for row in &table.rows {
            let Ok(model) = Model::parse(&format!("{}/{}", table.name, row.name)) else {
                continue;
            };
            models.insert(model.canonical(), model);
        }
    }
    models.into_values().collect()
}

/// Of each algorithm the row with the fewest products, and the one with the widest words.
pub fn of_each_algorithm() -> Vec<Model> {
    let mut least: BTreeMap<String, [Model; 2]> = BTreeMap::new();
    for model in every_row() {
        let canonical = model.canonical();
        let name = canonical.split([':', '(']).next().unwrap().to_owned();
        let [fewest, widest] = least
            .entry(name)
            .or_insert_with(|| [model.clone(), model.clone()]);
        if model.signature().products < fewest.signature().products {
            *fewest = model.clone();
        }
        if model.widest() > widest.widest() && model.signature().products <= 64 {
            *widest = model;
        }
    }
    let mut seen = BTreeSet::new();
    let mut models: Vec<Model> = least.into_values().flatten().collect();
    models.retain(|model| seen.insert(model.canonical()));
    models
}

/// Of all rows, those that this run takes.
fn part_of_rows() -> Vec<Model> {
    every_row().into_iter().step_by(one_in()).collect()
}

/// How many inputs each row is asked in C: `MMASMT_EXPORTED`, or 300.
fn inputs_of_each() -> usize {
    setting("MMASMT_EXPORTED", 300)
}

#[test]
#[ignore = "minutes: the C of every row is compiled"]
fn every_row_in_c() {
    let (models, each) = (part_of_rows(), inputs_of_each());
    let widest = models.iter().map(Model::widest).max();
    println!("{} models, words of up to {widest:?} bits", models.len());
    // What is asked more is asked of one model after the other, as inputs take memory.
    let together = (100_000 / each).clamp(1, 40);
    let mut all = 0;
    for part in models.chunks(together) {
        all += compare("rows", part, each, &["-O0"]);
    }
    assert_eq!(all, models.len() * each);
}

#[test]
#[ignore = "a minute: every row is written as BTOR2 and read back"]
fn every_row_in_btor2_is_what_it_was() {
    for model in part_of_rows() {
        let signature = model.signature();
        let text = btor2(&Subject::Model(model.clone()), PortShape::Packed);
        let read = design(&text, &model, "").unwrap();
        let (mut left, mut right) = (model.simulator(), read.simulator());
        for inputs in drawn(&signature, 20) {
            let expected = left.evaluate(&inputs).unwrap();
            let line = inputs.to_line(&signature);
            assert_eq!(
                right.evaluate(&inputs).unwrap(),
                expected,
                "{model}: {line}"
            );
        }
    }
}

/// The module of a model in Verilog, with a port for each row of operands.
pub fn module(model: &Model) -> Module {
    let signature = model.signature();
    let shape = PortShape::Packed;
    let ports = Ports { signature, shape };
    let subject = Subject::Model(model.clone());
    let output = Port::new("d", signature.d.width());
    Module::new("row", &subject, shape, ports.inputs(), vec![output])
}

#[test]
#[ignore = "needs verilator; minutes"]
fn verilator_finds_nothing_to_say_about_any_row() {
    let models = part_of_rows();
    println!("{} models", models.len());
    // It is the start of a program each time: four side by side.
    std::thread::scope(|scope| {
        for part in models.chunks(models.len().div_ceil(4)) {
            scope.spawn(move || part.iter().for_each(|model| module(model).lint()));
        }
    });
}

#[test]
#[ignore = "needs iverilog and verilator; a minute"]
fn rows_of_each_algorithm_in_verilog() {
    for model in of_each_algorithm() {
        let signature = model.signature();
        let inputs = drawn(&signature, 500);
        let rows: Vec<_> = inputs.iter().map(|one| packed(&signature, one)).collect();
        let found = module(&model).iverilog(&rows);
        let mut simulator = model.simulator();
        for (found, inputs) in found.iter().zip(&inputs) {
            let expected = BigUint::from(simulator.evaluate(inputs).unwrap());
            let line = inputs.to_line(&signature);
            assert_eq!(found[0], expected, "{model}: {line}");
        }
    }
}
