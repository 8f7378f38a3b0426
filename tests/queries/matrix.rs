//! The matrix of FINDINGS.md: the 16-product f16 instruction with an f32 accumulator on every
//! architecture, each pair the same function (proved) or told apart by the simplest input found.
//!
//! `MATRIX=overwrite cargo test --release --test queries matrix` makes the section anew.

use mmasmt::engine::Limits;
use mmasmt::float::hex_float;
use mmasmt::model::Model;
use mmasmt::query::{Answer, Basis, Distinguish, distinguish};
use mmasmt::vectors::{Inputs, parse_inputs};
use std::fmt::Write;
use std::time::Duration;

const NAMES: [&str; 12] = [
    "volta/wmma.m16n16k16.f32.f16.f16.f32",
    "turing/wmma.m16n16k16.f32.f16.f16.f32",
    "ampere/mma.m16n8k16.f32.f16.f16.f32",
    "ada/mma.m16n8k16.f32.f16.f16.f32",
    "hopper/mma.m16n8k16.f32.f16.f16.f32",
    "hopper/wgmma.m64nNk16.f32.f16.f16",
    "blackwell/mma.m16n8k16.f32.f16.f16.f32",
    "blackwell/tcgen05.mma.mMnNk16.f32.f16.f16",
    "rtx-blackwell/mma.m16n8k16.f32.f16.f16.f32",
    "cdna1/v_mfma_f32_16x16x16f16",
    "cdna2/v_mfma_f32_16x16x16f16",
    "cdna3/v_mfma_f32_16x16x16_f16",
];

const START: &str = "## The 16-product f16 instruction across architectures\n";

/// Instructions that are one function, each proved equal to the first of them.
struct Class {
    letter: char,
    names: Vec<&'static str>,
    model: Model,
}

fn ask(left: &Model, right: &Model, minimise: Option<Duration>) -> (Option<Inputs>, Answer) {
    let options = Distinguish::default().minimise(minimise);
    let limits = Limits::default().within(Duration::from_secs(60));
    let found = distinguish(left, right, &options, &limits).unwrap();
    let inputs = found.witnesses.into_iter().next();
    (inputs.map(|(witness, _)| witness.inputs), found.answer)
}

fn classes() -> Vec<Class> {
    let by_construction = Answer::NoMore {
        by: Basis::Construction,
    };
    let mut classes: Vec<Class> = Vec::new();
    for name in NAMES {
        let model = Model::parse(name).unwrap();
        let same = classes
            .iter_mut()
            .find(|class| ask(&class.model, &model, None) == (None, by_construction));
        match same {
            Some(class) => class.names.push(name),
            None => classes.push(Class {
                letter: char::from(b'A' + classes.len() as u8),
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
    let inputs = parse_inputs(line, 1, &signature).unwrap();
    let results = [left, right].map(|class| class.model.simulator().evaluate(&inputs).unwrap());
    assert_ne!(results[0], results[1], "{line}");
    let [x, y] = results.map(|d| hex_float(&signature.d, d));
    let pair = format!("{}, {}", left.letter, right.letter);
    format!("| {number} | {pair} | `{line}` | {x} | {y} |")
}

fn class_table(classes: &[Class]) -> String {
    let mut text = "| class | instructions | model |\n| --- | --- | --- |\n".to_owned();
    for class in classes {
        let names: Vec<_> = class.names.iter().map(|name| format!("`{name}`")).collect();
        let (letter, model) = (class.letter, class.model.canonical());
        writeln!(text, "| {letter} | {} | `{model}` |", names.join(", ")).unwrap();
    }
    text
}

/// For each two classes `=` or the number of what tells them apart.
fn matrix(classes: &[Class]) -> String {
    let letters: Vec<_> = classes.iter().map(|class| class.letter).collect();
    let pairs: Vec<_> = pairs(classes)
        .iter()
        .map(|(left, right)| (left.letter, right.letter))
        .collect();
    let cell = |row: char, column: char| {
        let is_this = |pair: &&(char, char)| **pair == (row.min(column), row.max(column));
        let number = pairs.iter().position(|pair| is_this(&pair));
        number.map_or("=".to_owned(), |number| (number + 1).to_string())
    };
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = letters.iter().map(char::to_string);
    let mut text = row([String::new()].into_iter().chain(header).collect());
    text += &row(vec!["---".to_owned(); letters.len() + 1]);
    for &letter in &letters {
        let cells = letters.iter().map(|&column| cell(letter, column));
        text += &row([letter.to_string()].into_iter().chain(cells).collect());
    }
    text
}

fn section(classes: &[Class], lines: &[String]) -> String {
    let mut text = format!(
        "{START}\nFactors f16, accumulator and result f32, finite operands. Instructions of one class are one \
         function:\nproved, by construction. Any two classes differ; the number in the matrix is that of the simplest \
         input found\n(`c a0,… b0,…` in bits, the other products +0) and what both give. \
         `MATRIX=overwrite cargo test --release\n--test queries matrix` makes this section anew; the test checks it.\n\n"
    );
    text += &class_table(classes);
    text += &format!("\n{}", matrix(classes));
    text += "\n| | pair | input | first | second |\n| --- | --- | --- | --- | --- |\n";
    for (number, (pair, line)) in (1..).zip(pairs(classes).into_iter().zip(lines)) {
        writeln!(text, "{}", witness_row(number, pair, line)).unwrap();
    }
    text
}

#[test]
fn the_matrix_of_findings_holds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/FINDINGS.md");
    let findings = std::fs::read_to_string(path).unwrap();
    let classes = classes();
    let (before, old) = findings
        .split_once(START)
        .expect("FINDINGS.md has the section");
    if std::env::var_os("MATRIX").is_some_and(|value| value == "overwrite") {
        let lines = pairs(&classes).into_iter().map(|(left, right)| {
            let budget = Some(Duration::from_secs(5));
            let (inputs, _) = ask(&left.model, &right.model, budget);
            short_line(&left.model, &inputs.expect("they differ"))
        });
        let text = section(&classes, &lines.collect::<Vec<_>>());
        std::fs::write(path, format!("{before}{text}")).unwrap();
        return;
    }
    let is_witness = |row: &&str| row.starts_with('|') && row.contains(", ");
    let witnesses = old
        .lines()
        .filter(is_witness)
        .filter(|row| !row.contains('/'));
    let lines: Vec<String> = witnesses
        .filter_map(|row| row.split('`').nth(1).map(str::to_owned))
        .collect();
    assert_eq!(lines.len(), pairs(&classes).len());
    assert_eq!(format!("{START}{old}"), section(&classes, &lines));
}
