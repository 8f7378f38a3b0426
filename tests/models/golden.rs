//! Golden vectors: forty for every row of the tables, so that a clone without the recordings still
//! tests every instruction. They are our own models' results, made after those had passed the
//! recordings; `GOLDEN=overwrite cargo test --test models golden` computes them anew: the inputs that are
//! there stay, and a row that has none gets some.

use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Architecture, Model, architectures, conversions, described};
use mmasmt_questions::inputs::Sampler;
use mmasmt_questions::vectors::parse_line;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::path::PathBuf;

/// Finite inputs on which models are apart, and inputs of all kinds, infinities and NaNs included.
const DIRECTED: usize = 26;
const ANY: usize = 14;

fn path(architecture: &Architecture) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(format!("{}.txt", architecture.name))
}

/// The seed of a row, the same whatever other rows there are.
fn seed(name: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    name.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The inputs without the +0 products at their end.
fn shortened(mut inputs: Inputs) -> Inputs {
    let is_zero = |(a, b): (&u64, &u64)| *a == 0 && *b == 0;
    let zeros = inputs
        .a
        .iter()
        .zip(&inputs.b)
        .rev()
        .take_while(|&(a, b)| is_zero((a, b)));
    let kept = (inputs.a.len() - zeros.count()).max(1);
    inputs.a.truncate(kept);
    inputs.b.truncate(kept);
    inputs
}

/// The inputs of a row: those that it has in `known`, or new ones.
fn inputs_of(name: &str, model: &Model, known: &str) -> Vec<Inputs> {
    let signature = &model.signature();
    let mut sections = known.split("\n\n# ").skip(1);
    let section = sections.find_map(|section| section.strip_prefix(&format!("{name}\n")));
    if let Some(section) = section {
        let lines = (1..).zip(section.lines());
        let inputs =
            lines.map(|(number, line)| parse_line(line, number, signature).unwrap().inputs);
        return inputs.collect();
    }
    let mut sampler = Sampler::new(*signature, seed(name));
    let mut rng = ChaCha8Rng::seed_from_u64(seed(name));
    let directed = (0..DIRECTED).map(|_| sampler.sample());
    let any = (0..ANY).map(|_| draw(&mut rng, signature));
    let all = directed.chain(any).map(|inputs| match model.reads_c() {
        true => inputs,
        false => Inputs { c: 0, ..inputs },
    });
    all.collect()
}

fn rows_as_text(architecture: &Architecture, known: &str) -> String {
    let mut text = format!("# {}, made by tests/models/golden.rs\n", architecture.title);
    for row in &architecture.rows {
        let name = format!("{}/{}", row.architecture, row.name);
        let model = Model::parse(&name).unwrap();
        let signature = model.signature();
        let all = inputs_of(&name, &model, known);
        writeln!(text, "\n# {name}").unwrap();
        let mut simulator = model.simulator();
        for inputs in all {
            let d = simulator.evaluate(&inputs).unwrap();
            let line = shortened(inputs).to_line(&signature);
            writeln!(text, "{line} {d:0digits$x}", digits = signature.d.digits()).unwrap();
        }
    }
    text
}

#[test]
fn every_row_gives_its_golden_results() {
    let overwrite = std::env::var_os("GOLDEN").is_some_and(|value| value == "overwrite");
    let mut checked = 0;
    let all = architectures().unwrap().iter();
    for architecture in all
        .chain(described().unwrap())
        .chain(conversions().unwrap())
    {
        let path = path(architecture);
        if overwrite {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let known = std::fs::read_to_string(&path).unwrap_or_default();
            std::fs::write(&path, rows_as_text(architecture, &known)).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut sections = text.split("\n\n# ").skip(1);
        for row in &architecture.rows {
            let name = format!("{}/{}", row.architecture, row.name);
            let section = sections
                .next()
                .unwrap_or_else(|| panic!("{name}: no vectors"));
            let (title, lines) = section.split_once('\n').unwrap();
            assert_eq!(title, name, "rows in the order of the table");
            let model = Model::parse(&name).unwrap();
            let mut simulator = model.simulator();
            let mut count = 0;
            for (number, line) in lines.lines().enumerate() {
                let vector = parse_line(line, number + 1, &model.signature()).unwrap();
                let computed = simulator.evaluate(&vector.inputs).unwrap();
                assert_eq!(computed, vector.d, "{name}: {line}");
                count += 1;
            }
            assert!(count >= 40, "{name} has {count} vectors");
            checked += count;
        }
        assert_eq!(sections.next(), None, "{}", architecture.name);
    }
    assert!(checked > 10_000, "{checked}");
}
