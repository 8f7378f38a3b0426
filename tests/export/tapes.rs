//! Printed tapes, compiled by the compilers of this machine: many dot-adds at once, against the simulators. What is printed in CUDA
//! is compiled as C++ with a header in place of CUDA.

use crate::common::setting::by_day;
use crate::compiled::{answered_bytes, folder};
use mmasmt_core::machines::algorithms::{Inputs, Operand, OperandRow};
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_questions::circuits::export::{
    ExportError, ExportFormat, ExportOptions, PortShape, Subject,
};
use mmasmt_questions::inputs::{Draw, Kind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// The most products of a model here: its text takes the compiler long.
const MOST_PRODUCTS: u32 = 32;

/// Of each algorithm, and of each pair of formats that it multiplies, a row of the tables with the fewest products.
fn of_each_algorithm_and_format() -> Vec<Model> {
    let mut least: BTreeMap<(String, String, String), Model> = BTreeMap::new();
    for architecture in architectures().unwrap() {
        for row in &architecture.rows {
            let Ok(model) = Model::parse(&format!("{}/{}", architecture.name, row.name)) else {
                continue;
            };
            let canonical = model.canonical();
            let name = canonical.split([':', '(']).next().unwrap().to_owned();
            let signature = model.signature();
            let known = least
                .entry((name, signature.a.to_string(), signature.d.to_string()))
                .or_insert_with(|| model.clone());
            if signature.products < known.signature().products {
                *known = model;
            }
        }
    }
    let mut models: Vec<Model> = least.into_values().collect();
    models.retain(|model| model.signature().products <= MOST_PRODUCTS);
    models
}

/// The text of the model's tape; `None` if it has words that are too wide for a tape.
fn printed(model: &Model, format: ExportFormat, name: &str) -> Option<String> {
    let options = ExportOptions {
        name: name.into(),
        shape: PortShape::Scalar,
        latency: 0,
        stem: name.into(),
    };
    match Subject::Model(model.clone()).export(format, &options) {
        Ok(files) => Some(files[0].text.clone()),
        Err(ExportError::NoTape { bits, .. }) => {
            assert!(bits > 116, "{model}: {bits} bits");
            None
        }
        Err(error) => panic!("{model}: {error}"),
    }
}

/// A program that computes dot-adds of some models, whose functions are `tape0`, `tape1`, ….
struct Tapes<'m> {
    models: Vec<&'m Model>,
    folder: tempfile::TempDir,
    source: String,
    cases: String,
    format: ExportFormat,
}

/// The bytes of an integer that holds a register.
fn bytes(row: &OperandRow) -> usize {
    row.format.width().next_power_of_two().clamp(8, 64) as usize / 8
}

impl<'m> Tapes<'m> {
    fn new(format: ExportFormat) -> Self {
        Tapes {
            models: Vec::new(),
            folder: folder("tapes"),
            source: "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n".into(),
            cases: String::new(),
            format,
        }
    }

    /// Adds the function of a model, if it has a tape.
    fn add(&mut self, model: &'m Model) {
        let number = self.models.len();
        let name = format!("tape{number}");
        let Some(text) = printed(model, self.format, &name) else {
            return;
        };
        fs::write(self.folder.path().join(&name), text).unwrap();
        writeln!(self.source, "#include \"{name}\"").unwrap();
        let signature = model.signature();
        let reads = signature.rows().map(|row| {
            let (bits, length) = (8 * bytes(&row), row.length);
            format!("(const u{bits} *)taken({length} * sizeof(u{bits}))")
        });
        // The order in which arguments are evaluated is open: they are taken before.
        let mut takes = String::new();
        let mut names = String::new();
        for (index, read) in reads.enumerate() {
            let kind = read.split_once(')').unwrap().0.trim_start_matches('(');
            write!(takes, "{kind} x{index} = {read}; ").unwrap();
            write!(names, "x{index}, ").unwrap();
        }
        let bits = signature.d.width().next_power_of_two().clamp(8, 64);
        let call = match self.format {
            ExportFormat::TapeCuda => format!(
                "blockDim.x = 128; for (blockIdx.x = 0; blockIdx.x <= n / 128; blockIdx.x++) \
                 for (threadIdx.x = 0; threadIdx.x < 128; threadIdx.x++) {name}(n, {names}d);"
            ),
            _ => format!("{name}(n, {names}d);"),
        };
        writeln!(
            self.cases,
            "    case {number}: {{ {takes}u{bits} *d = (u{bits} *)calloc(n + 1, sizeof *d); {call} \
             for (size_t i = 0; i < n; i++) {{ const uint64_t word = d[i]; fwrite(&word, 8, 1, stdout); }} return d[n] != 0; }}"
        )
        .unwrap();
        self.models.push(model);
    }

    /// Compiles with these options; warnings are errors.
    fn compile(&self, options: &[&str]) {
        let main = "static size_t n;\n\
            static void *taken(size_t each)\n{\n    void *all = malloc(n * each + 1);\n    \
            if (!all || fread(all, each, n, stdin) != n) exit(1);\n    return all;\n}\n\
            int main(void)\n{\n    uint64_t head[2];\n    \
            if (fread(head, sizeof *head, 2, stdin) != 2) return 1;\n    \
            n = (size_t)head[1];\n    switch (head[0]) {\n";
        let text = format!(
            "{}{main}{}    }}\n    return 1;\n}}\n",
            self.source, self.cases
        );
        let (compiler, file, standard) = match self.format {
            ExportFormat::TapeCuda => ("c++", "main.cpp", "-std=c++17"),
            _ => ("cc", "main.c", "-std=c99"),
        };
        fs::write(self.folder.path().join(file), text).unwrap();
        let mut command = Command::new(compiler);
        command.current_dir(self.folder.path());
        command.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
        if self.format == ExportFormat::TapeCuda {
            let shim = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/shim.h");
            command.args(["-include", shim, "-ffp-contract=off"]);
        }
        command.args(options).args([file, "-o", "program", "-lm"]);
        assert!(command.status().unwrap().success(), "{compiler}");
    }

    /// Compares the model with this number with its simulator, on inputs of all kinds.
    fn compare(&self, number: usize, count: usize) {
        let model = self.models[number];
        let signature = model.signature();
        let mut draws = Kind::ALL.map(|kind| Draw::new(signature, kind, number as u64));
        let inputs: Vec<Inputs> = (0..count)
            .map(|index| draws[index % draws.len()].draw())
            .collect();
        let mut input = Vec::new();
        for word in [number as u64, count as u64] {
            input.extend(word.to_ne_bytes());
        }
        for row in signature.rows() {
            for inputs in &inputs {
                let registers = match row.operand {
                    Operand::A => &inputs.a[..],
                    Operand::B => &inputs.b,
                    Operand::C => std::slice::from_ref(&inputs.c),
                    Operand::AScales => &inputs.a_scales,
                    Operand::BScales => &inputs.b_scales,
                };
                for register in registers {
                    // What is above the register is not read.
                    let above = match row.format.width() {
                        64 => 0,
                        width => u64::MAX << width,
                    };
                    let word = (register | above).to_le_bytes();
                    input.extend(&word[..bytes(&row)]);
                }
            }
        }
        let output = answered_bytes(&self.folder.path().join("program"), input);
        let results = output.chunks_exact(8);
        assert_eq!(results.len(), count, "{model}");
        let mut simulator = model.simulator();
        for (result, inputs) in results.zip(&inputs) {
            let found = u64::from_ne_bytes(result.try_into().unwrap());
            let expected = simulator.evaluate(inputs).unwrap();
            let line = inputs.to_line(&signature);
            assert_eq!(found, expected, "{model}: {line}");
        }
    }
}

/// Compiles the tapes of the models, in two parts side by side, and compares each with its simulator; how many had a tape.
fn compare(models: &[Model], format: ExportFormat, count: usize, options: &[&str]) -> usize {
    let part = |start: usize| {
        let mut tapes = Tapes::new(format);
        let models = models.iter().skip(start).step_by(2);
        models.for_each(|model| tapes.add(model));
        tapes.compile(options);
        (0..tapes.models.len()).for_each(|number| tapes.compare(number, count));
        tapes.models.len()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| part(1));
        part(0) + other.join().unwrap()
    })
}

#[test]
fn tapes_in_c_are_the_simulators_without_undefined_behaviour() {
    let models: Vec<Model> = by_day(of_each_algorithm_and_format(), 2).collect();
    let options = [
        "-O1",
        "-fsanitize=undefined,float-cast-overflow",
        "-fno-sanitize-recover",
    ];
    let compared = compare(&models, ExportFormat::TapeC, 20_000, &options);
    println!("{compared} of {} models have a tape", models.len());
    assert!(compared >= 15 && 10 * compared > 9 * models.len());
}

#[test]
fn tapes_in_vector_instructions_are_the_simulators() {
    let models = crate::models::parsed(&[
        "hopper/HMMA.16816.F32",
        "fda:F=13,K=32,in=e4m3",
        "gfdrda:K=16",
        "ieee:K=4",
    ]);
    let compared = compare(
        &models,
        ExportFormat::TapeC,
        20_000,
        &["-O3", "-march=native"],
    );
    assert_eq!(compared, models.len());
}

#[test]
fn tapes_in_cuda_are_the_simulators() {
    let models = of_each_algorithm_and_format();
    let some: Vec<Model> = models
        .iter()
        .step_by(models.len().div_ceil(12))
        .cloned()
        .collect();
    let compared = compare(&some, ExportFormat::TapeCuda, 20_000, &["-O1"]);
    assert!(compared >= 10, "{compared}");
}
