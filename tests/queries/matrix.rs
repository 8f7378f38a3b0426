//! All pairs of 16-bit instructions: every instruction with 16-bit factors and an f32 accumulator, of GPUs, accelerators and processors,
//! brought to 16 products; each pair is one model or is told apart by a simple input. `docs/src/pairs.js` has them, `docs/src/pairs.html`
//! shows them, FINDINGS.md counts them.
//!
//! `MATRIX=overwrite cargo test --release --test queries matrix` makes it anew, but for inputs in the data on which finite operands give
//! different numbers.

use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Format, hex_float};
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::{Ended, Options, Question, answer};
use mmasmt_questions::vectors::parse_inputs;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// The section of FINDINGS.md, the last one.
const START: &str = "## The 16-bit instructions of all machines, 16 products each\n";

/// What stands around the data, so that a page can read them without a server.
const FRAME: [&str; 2] = ["const PAIRS = ", ";\n"];

const PRODUCTS: u32 = 16;

/// Instructions that are one model.
struct Class {
    number: usize,
    names: Vec<String>,
    model: Model,
}

/// What is known of two classes.
enum Known {
    /// The line of inputs on which they differ.
    Apart(String),
    Equal,
    /// No difference was found in the time that there is.
    Unknown,
}

/// Domains in which results differ by more than the sign of a zero, if any do.
const DOMAINS: [&str; 4] = ["c nonzero", "factors nonzero", "all normal", ""];

/// The simplest finite inputs found on which their results are different numbers; where there are none, inputs on which results are
/// zeros of different signs; and where there are none, with infinities and NaNs.
fn compared([left, right]: [&Model; 2]) -> Known {
    let options = Options::default().minimise(Some(Duration::from_secs(2)));
    let signature = left.signature();
    let ask = |question: &Question| {
        let limits = Limits::default().within(Duration::from_secs(10));
        answer(question, &options, &limits).unwrap()
    };
    let mut signs_of_zeros = None;
    for text in DOMAINS {
        let domain = Domain::parse(text, &signature).unwrap();
        let question = Question::difference(left, right, Some(&domain)).unwrap();
        let Some(witness) = ask(&question).witnesses.pop() else {
            continue;
        };
        let line = short_line(left, &witness.inputs);
        if !are_zeros([left, right], &witness.inputs) {
            return Known::Apart(line);
        }
        signs_of_zeros.get_or_insert(line);
    }
    if let Some(line) = signs_of_zeros {
        return Known::Apart(line);
    }
    let question = Question::difference(left, right, None).unwrap();
    let found = ask(&question.with_specials());
    match (found.witnesses.first(), found.ended) {
        (Some(witness), _) => Known::Apart(short_line(left, &witness.inputs)),
        (None, Ended::NoMore { .. }) => Known::Equal,
        (None, _) => Known::Unknown,
    }
}

/// Whether both results are zeros.
fn are_zeros(models: [&Model; 2], inputs: &Inputs) -> bool {
    let zero = |model: &Model| model.simulator().evaluate(inputs).unwrap() & !SIGN == 0;
    models.into_iter().all(zero)
}

/// The sign of an f32.
const SIGN: u64 = 1 << 31;

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

/// A pair as data: its verdict, and the inputs that tell it apart with both results.
fn entry((left, right): (&Class, &Class), known: &Known) -> Value {
    let pair = [left.number, right.number];
    let line = match known {
        Known::Apart(line) => line,
        Known::Equal | Known::Unknown => {
            assert_alike(left, right);
            let verdict = if matches!(known, Known::Equal) {
                "equal"
            } else {
                "unknown"
            };
            return json!({ "pair": pair, "verdict": verdict });
        }
    };
    let models = [&left.model, &right.model];
    let signature = left.model.signature();
    let inputs = parse_inputs(line, 1, &signature).unwrap();
    let results = models.map(|model| model.simulator().evaluate(&inputs).unwrap());
    assert_ne!(results[0], results[1], "{line}");
    let verdict = if !inputs.is_finite(&signature) {
        "specials"
    } else if are_zeros(models, &inputs) {
        "sign of a zero"
    } else {
        "different"
    };
    let results = results.map(|d| hex_float(&signature.d, d).to_string());
    json!({ "pair": pair, "verdict": verdict, "line": line, "results": results })
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

/// The data of a format: its classes, then its pairs, a line for each.
fn section(format: &Format, classes: &[Class], known: &[Known]) -> String {
    let class = |class: &Class| {
        json!({ "model": class.model.canonical(), "instructions": class.names }).to_string()
    };
    let entries = pairs(classes).into_iter().zip(known);
    let entries = entries.map(|(pair, known)| entry(pair, known).to_string());
    let lines = |entries: Vec<String>| entries.join(",\n    ");
    let classes = lines(classes.iter().map(class).collect());
    let entries = lines(entries.collect());
    format!(
        "\"{format}\": {{\n  \"classes\": [\n    {classes}\n  ],\n  \"pairs\": [\n    {entries}\n  ]\n}}"
    )
}

/// What the data say of two models.
fn published(data: &Value, format: &Format, models: [&Model; 2]) -> Option<Known> {
    let section = &data[format.to_string()];
    let classes = section["classes"].as_array()?;
    let number = |model: &Model| {
        let text = model.canonical();
        let found = classes.iter().position(|class| class["model"] == text);
        found.map(|index| index + 1)
    };
    let pair = json!([number(models[0])?, number(models[1])?]);
    let mut entries = section["pairs"].as_array()?.iter();
    let entry = entries.find(|entry| entry["pair"] == pair)?;
    Some(match (entry["line"].as_str(), entry["verdict"].as_str()) {
        (Some(line), _) => Known::Apart(line.into()),
        (None, Some("equal")) => Known::Equal,
        (None, _) => Known::Unknown,
    })
}

/// Whether both models give numbers for the inputs that tell them apart, and different ones.
fn is_best([left, right]: [&Model; 2], known: &Known) -> bool {
    let Known::Apart(line) = known else {
        return false;
    };
    let signature = left.signature();
    let inputs = parse_inputs(line, 1, &signature).unwrap();
    let results = [left, right].map(|model| model.simulator().evaluate(&inputs).unwrap());
    results[0] != results[1] && inputs.is_finite(&signature) && !are_zeros([left, right], &inputs)
}

/// The section of FINDINGS.md.
fn summary(data: &Value) -> String {
    let mut text = format!(
        "{START}\nAccumulator and result f32; an instruction with fewer products is repeated, each result the next `c`. Those with more than 16 are not here.\n\
         Instructions of one class have one model. Each pair of classes has an input that tells it apart, found among finite operands unless none does;\n\
         inputs whose results are different numbers come before those on which only the sign of a zero differs.\n\
         [pairs.html](docs/src/pairs.html) shows the matrix, with the input and both results of each pair;\n\
         its data are `docs/src/pairs.js`, JSON but for the first word and the last character.\n\n\
         | factors | instructions | classes | pairs | different numbers | sign of a zero alone | infinities and NaNs alone | equal, proved | not known |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    for format in FORMATS {
        let section = &data[format.to_string()];
        let classes = section["classes"].as_array().unwrap();
        let names = |class: &Value| class["instructions"].as_array().unwrap().len();
        let instructions: usize = classes.iter().map(names).sum();
        let pairs = section["pairs"].as_array().unwrap();
        let counts = VERDICTS.map(|verdict| {
            let same = |entry: &&Value| entry["verdict"] == verdict;
            pairs.iter().filter(same).count().to_string()
        });
        let (classes, pairs) = (classes.len(), pairs.len());
        text += &format!(
            "| {format} | {instructions} | {classes} | {pairs} | {} |\n",
            counts.join(" | ")
        );
    }
    text + "\n`MATRIX=overwrite cargo test --release --test queries matrix` makes this section and the data anew; the test replays each input.\n"
}

const VERDICTS: [&str; 5] = [
    "different",
    "sign of a zero",
    "specials",
    "equal",
    "unknown",
];

const FORMATS: [Format; 2] = [Format::F16, Format::BF16];

/// The file of that name in the repository, and its path.
fn repository_file(name: &str) -> (String, std::path::PathBuf) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    (std::fs::read_to_string(&path).unwrap(), path)
}

#[test]
fn the_matrices_of_findings_hold() {
    let (findings, findings_path) = repository_file("FINDINGS.md");
    let (before, old_summary) = findings
        .split_once(START)
        .expect("FINDINGS.md has the section");
    let (old, path) = repository_file("docs/src/pairs.js");
    let [start, end] = FRAME;
    let old_data = old
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix(end));
    let old_data: Value = serde_json::from_str(old_data.unwrap()).unwrap();
    let overwrites = std::env::var_os("MATRIX").is_some_and(|value| value == "overwrite");
    let sections = FORMATS.map(|format| {
        let classes = classes(&format);
        let known = pairs(&classes).into_par_iter().map(|(left, right)| {
            let models = [&left.model, &right.model];
            let old = published(&old_data, &format, models);
            let Some(old) = old else {
                assert!(overwrites, "expected {models:?} in docs/src/pairs.js");
                return compared(models);
            };
            if !overwrites || is_best(models, &old) {
                return old;
            }
            match compared(models) {
                Known::Unknown => old,
                known => known,
            }
        });
        let known: Vec<Known> = known.collect();
        section(&format, &classes, &known)
    });
    let text = format!("{start}{{\n{}\n}}{end}", sections.join(",\n"));
    let data = text
        .strip_prefix(start)
        .and_then(|rest| rest.strip_suffix(end));
    let summary = summary(&serde_json::from_str(data.unwrap()).unwrap());
    if overwrites {
        std::fs::write(path, &text).unwrap();
        std::fs::write(findings_path, format!("{before}{summary}")).unwrap();
    } else {
        assert_eq!(old, text);
        assert_eq!(format!("{START}{old_summary}"), summary);
    }
}
