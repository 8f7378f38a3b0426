//! The matrices of FINDINGS.md: every instruction with 16-bit factors and an f32 accumulator, of GPUs, accelerators and processors, brought
//! to 16 products; each pair is one model or is told apart by the simplest input found.
//!
//! `MATRIX=overwrite cargo test --release --test queries matrix` makes the sections anew.

use crate::common::inputs::draw;
use mmasmt::engine::Limits;
use mmasmt::float::{Format, hex_float};
use mmasmt::model::{Model, architectures};
use mmasmt::query::{Ended, Options, Question, answer};
use mmasmt::vectors::{Inputs, parse_inputs};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fmt::Write;
use std::time::Duration;

const START: &str = "## The 16-bit instructions of all machines, 16 products each\n";

const PRODUCTS: u32 = 16;

/// Instructions that are one model.
struct Class {
    number: usize,
    names: Vec<String>,
    model: Model,
}

/// What stands in the place of inputs where no inputs tell two classes apart.
const EQUAL: &str = "equal, proved for all inputs";
const UNKNOWN: &str = "not known: no difference found in 20 s";

/// The simplest finite inputs found on which they differ, as a line; where there are none, with infinities and NaNs.
fn apart(left: &Model, right: &Model) -> String {
    let options = Options::default().minimise(Some(Duration::from_secs(5)));
    let finite = Question::difference(left, right, None).unwrap();
    let mut ended = None;
    for question in [finite.clone(), finite.with_specials()] {
        let limits = Limits::default().within(Duration::from_secs(20));
        let found = answer(&question, &options, &limits).unwrap();
        if let Some(witness) = found.witnesses.first() {
            return short_line(left, &witness.inputs);
        }
        ended = Some(found.ended);
    }
    match ended {
        Some(Ended::NoMore { .. }) => EQUAL.into(),
        _ => UNKNOWN.into(),
    }
}

/// The classes of all instructions with factors in `format` whose products go into 16.
fn classes(format: &Format) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for row in architectures()
        .unwrap()
        .iter()
        .flat_map(|table| &table.rows)
    {
        let name = format!("{}/{}", row.architecture, row.name);
        let signature = Model::parse(&name).unwrap().signature();
        let operands = [signature.a, signature.b, signature.c, signature.d];
        let is_meant = operands == [*format, *format, Format::F32, Format::F32]
            && signature.scales.is_none()
            && row.sparsity.is_none();
        if !is_meant || !PRODUCTS.is_multiple_of(signature.products) {
            continue;
        }
        let model = Model::parse(&format!("{name}:repeat={}", PRODUCTS / signature.products));
        let model = model.unwrap();
        let canonical = model.canonical();
        match classes
            .iter_mut()
            .find(|class| class.model.canonical() == canonical)
        {
            Some(class) => class.names.push(name),
            None => classes.push(Class {
                number: classes.len() + 1,
                names: vec![name],
                model,
            }),
        }
    }
    classes
}

fn pairs(classes: &[Class]) -> Vec<(&Class, &Class)> {
    let behind = |i: usize| classes[i + 1..].iter();
    (0..classes.len())
        .flat_map(|i| behind(i).map(move |other| (&classes[i], other)))
        .collect()
}

/// The inputs as a line without the +0 products at its end.
fn short_line(model: &Model, inputs: &Inputs) -> String {
    let used = |row: &[u64]| {
        row.iter()
            .rposition(|bits| *bits != 0)
            .map_or(1, |last| last + 1)
    };
    let kept = used(&inputs.a).max(used(&inputs.b));
    let mut inputs = inputs.clone();
    inputs.a.truncate(kept);
    inputs.b.truncate(kept);
    inputs.to_line(&model.signature())
}

/// What tells a pair apart, as a row of the table.
fn witness_row(number: usize, (left, right): (&Class, &Class), line: &str) -> String {
    let signature = left.model.signature();
    let pair = format!("{}, {}", left.number, right.number);
    if [EQUAL, UNKNOWN].contains(&line) {
        assert_alike(left, right);
        return format!("| {number} | {pair} | {line} | | |");
    }
    let inputs = parse_inputs(line, 1, &signature).unwrap();
    let results = [left, right].map(|class| class.model.simulator().evaluate(&inputs).unwrap());
    assert_ne!(results[0], results[1], "{line}");
    let [x, y] = results.map(|d| hex_float(&signature.d, d));
    format!("| {number} | {pair} | `{line}` | {x} | {y} |")
}

/// What is called equal, or not known, has no difference among drawn inputs.
fn assert_alike(left: &Class, right: &Class) {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let signature = left.model.signature();
    for _ in 0..2000 {
        let inputs = draw(&mut rng, &signature);
        let results = [left, right].map(|class| class.model.simulator().evaluate(&inputs).unwrap());
        assert_eq!(results[0], results[1], "{} and {}", left.model, right.model);
    }
}

fn class_table(classes: &[Class]) -> String {
    let mut text = "| class | instructions | model |\n| --- | --- | --- |\n".to_owned();
    for class in classes {
        let names: Vec<_> = class.names.iter().map(|name| format!("`{name}`")).collect();
        let (number, model) = (class.number, class.model.canonical());
        writeln!(text, "| {number} | {} | `{model}` |", names.join(", ")).unwrap();
    }
    text
}

/// For each two classes `=` or the number of what tells them apart.
fn matrix(classes: &[Class]) -> String {
    let numbers: Vec<_> = classes.iter().map(|class| class.number).collect();
    let pairs: Vec<_> = pairs(classes)
        .iter()
        .map(|(left, right)| (left.number, right.number))
        .collect();
    let cell = |row: usize, column: usize| {
        let is_this = |pair: &&(usize, usize)| **pair == (row.min(column), row.max(column));
        let number = pairs.iter().position(|pair| is_this(&pair));
        number.map_or("=".to_owned(), |number| (number + 1).to_string())
    };
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = numbers.iter().map(usize::to_string);
    let mut text = row([String::new()].into_iter().chain(header).collect());
    text += &row(vec!["---".to_owned(); numbers.len() + 1]);
    for &number in &numbers {
        let cells = numbers.iter().map(|&column| cell(number, column));
        text += &row([number.to_string()].into_iter().chain(cells).collect());
    }
    text
}

/// What stands before the matrices.
fn introduction() -> String {
    format!(
        "{START}\nAccumulator and result f32; an instruction with fewer products is repeated, each result the next `c`. Those with more than 16 are not here.\n\
         Instructions of one class have one model. The number in the matrix is that of the simplest input found that tells two classes apart\n\
         (`c a0,… b0,…` in bits, the other products +0), of finite operands unless none does, and what both give.\n\
         `MATRIX=overwrite cargo test --release --test queries matrix` makes this section anew; the test checks it.\n"
    )
}

fn section(format: &Format, classes: &[Class], lines: &[String]) -> String {
    let mut text = format!("\n{}\n", heading(format));
    text += &class_table(classes);
    text += &format!("\n{}", matrix(classes));
    text += "\n| | pair | input | first | second |\n| --- | --- | --- | --- | --- |\n";
    for (number, (pair, line)) in (1..).zip(pairs(classes).into_iter().zip(lines)) {
        writeln!(text, "{}", witness_row(number, pair, line)).unwrap();
    }
    text
}

fn heading(format: &Format) -> String {
    format!("### Factors {format}\n")
}

/// The inputs of the section of that format, in their order.
fn published(section: &str, format: &Format) -> Vec<String> {
    let found = section.split(&heading(format)).nth(1);
    let found = found
        .and_then(|rest| rest.split("\n### ").next())
        .unwrap_or_default();
    let table = found.split("| | pair | input |").nth(1).unwrap_or_default();
    let cells = table.lines().filter_map(|row| row.split(" | ").nth(2));
    let inputs = cells.filter(|cell| *cell != "---");
    inputs
        .map(|cell| cell.trim_matches('`').to_owned())
        .collect()
}

#[test]
fn the_matrices_of_findings_hold() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/FINDINGS.md");
    let findings = std::fs::read_to_string(path).unwrap();
    let (before, old) = findings
        .split_once(START)
        .expect("FINDINGS.md has the section");
    let overwrites = std::env::var_os("MATRIX").is_some_and(|value| value == "overwrite");
    let mut text = introduction();
    for format in [Format::F16, Format::BF16] {
        let classes = classes(&format);
        let lines = match overwrites {
            true => pairs(&classes)
                .par_iter()
                .map(|(left, right)| {
                    let line = apart(&left.model, &right.model);
                    println!("{} {}: {line}", left.number, right.number);
                    line
                })
                .collect(),
            false => published(old, &format),
        };
        assert_eq!(lines.len(), pairs(&classes).len(), "{format}");
        text += &section(&format, &classes, &lines);
    }
    match overwrites {
        true => std::fs::write(path, format!("{before}{text}")).unwrap(),
        false => assert_eq!(format!("{START}{old}"), text),
    }
}
