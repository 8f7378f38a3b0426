//! Models in C and Verilog against the simulators, and against what GPUs gave.

use crate::common::evidence::vectors_of;
use crate::common::inputs::draw;
use crate::compiled::{Functions, answered, exported, folder};
use crate::simulated::{Module, run};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Operand, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::circuits::export::{ExportFormat, PortShape, Ports, Subject};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// The registers in the order of the ports.
fn registers(signature: &Signature, inputs: &Inputs) -> Vec<u64> {
    inputs
        .each(signature)
        .map(|(_, register)| *register)
        .collect()
}

/// Arrays of the function in C with packed ports: length and width of each.
fn arrays(signature: &Signature) -> Vec<Option<(u32, u32)>> {
    let rows = signature.rows();
    let array = rows
        .map(|row| (row.operand != Operand::C).then(|| (row.length as u32, row.format.width())));
    array.collect()
}

/// Drawn inputs, specials among them.
pub fn drawn(signature: &Signature, count: usize) -> Vec<Inputs> {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    (0..count).map(|_| draw(&mut rng, signature)).collect()
}

/// Compares C and simulators on drawn inputs; how many there were.
pub fn compare(name: &str, models: &[Model], count: usize, options: &[&str]) -> usize {
    let mut functions = Functions::new(name);
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    for (number, model) in models.iter().enumerate() {
        let signature = model.signature();
        let subject = Subject::Model(model.clone());
        functions.add(
            &subject,
            PortShape::Packed,
            &format!("f{number}"),
            &arrays(&signature),
        );
        let mut simulator = model.simulator();
        for inputs in drawn(&signature, count) {
            expected.push((number, simulator.evaluate(&inputs).unwrap(), inputs.clone()));
            calls.push((number, registers(&signature, &inputs)));
        }
    }
    let results = functions.compile(options).results(&calls);
    assert_eq!(results.len(), expected.len());
    for (found, (number, expected, inputs)) in results.iter().zip(&expected) {
        let model = &models[*number];
        let line = inputs.to_line(&model.signature());
        assert_eq!(found, expected, "{model}: {line}");
    }
    results.len()
}

pub fn parsed(specs: &[&str]) -> Vec<Model> {
    specs
        .iter()
        .map(|spec| Model::parse(spec).unwrap())
        .collect()
}

/// Models of different algorithms, with words of more than 128 bits, block scales, integers and a
/// composition among them.
pub const SOME: [&str; 7] = [
    "hopper/HMMA.16816.F32",
    "fda:K=4,in=e2m1,scale=ue8m0,block=2",
    "ieee:K=2,in=f64,acc=f64",
    "exact:K=2,in=bf16",
    "int:K=4",
    "gps:K=4",
    "promote(fda:K=4,F=13, every=2)",
];

#[test]
fn some_models_in_c_without_undefined_behaviour() {
    let models = parsed(&SOME);
    assert!(models.iter().any(|model| model.widest() > 128));
    let options = ["-O0", "-fsanitize=undefined"];
    assert_eq!(compare("some", &models, 2000, &options), 14_000);
}

/// The recorded results of an H100, each with its inputs.
fn recorded() -> (Model, Vec<(Inputs, u64)>) {
    let model = Model::parse("hopper/HMMA.16816.F32").unwrap();
    let vectors = vectors_of("H100", "wmma.m16n16k16.f32.f16.f16.f32", &model.signature());
    let vectors: Vec<_> = vectors.into_iter().map(|one| (one.inputs, one.d)).collect();
    assert_eq!(vectors.len(), 800);
    (model, vectors)
}

#[test]
fn what_an_h100_gave_is_what_c_gives() {
    let (model, vectors) = recorded();
    let signature = model.signature();
    let mut functions = Functions::new("h100");
    let subject = Subject::Model(model);
    functions.add(&subject, PortShape::Scalar, "scalar", &[None; 33]);
    functions.add(&subject, PortShape::Packed, "packed", &arrays(&signature));
    let program = functions.compile(&["-O2"]);
    for function in [0, 1] {
        let calls = vectors
            .iter()
            .map(|(inputs, _)| (function, registers(&signature, inputs)));
        let results = program.results(&calls.collect::<Vec<_>>());
        let same = results
            .iter()
            .zip(&vectors)
            .filter(|(found, (_, d))| *found == d);
        assert_eq!(same.count(), 800);
    }
}

/// What an export differs in that has another constant, or another operator.
#[test]
fn a_mutated_function_is_caught() {
    let (model, vectors) = recorded();
    let signature = model.signature();
    let mut functions = Functions::new("mutants");
    for (number, spec) in ["fda:K=16,F=24", "fda:K=16,F=26"].iter().enumerate() {
        let subject = Subject::Model(Model::parse(spec).unwrap());
        functions.add(
            &subject,
            PortShape::Packed,
            &format!("f{number}"),
            &arrays(&signature),
        );
    }
    // The first conjunction, sum and comparison behind the inputs, each another operator.
    let swaps = [
        (" & t", " | t"),
        (" + t", " - t"),
        (" >> t", " << t"),
        (" < t", " == t"),
    ];
    let mut mutants = 2;
    for (from, to) in swaps {
        let mut files = exported(
            &Subject::Model(model.clone()),
            ExportFormat::C,
            PortShape::Packed,
            &format!("f{mutants}"),
        );
        let text = &mut files[0].text;
        let half = text.len() / 2;
        let at = text[half..]
            .find(from)
            .map(|at| half + at)
            .unwrap_or_else(|| text.find(from).unwrap());
        text.replace_range(at..at + from.len(), to);
        functions.add_files(&files, &format!("f{mutants}"), &arrays(&signature));
        mutants += 1;
    }
    let program = functions.compile(&["-O0", "-Wno-error"]);
    for function in 0..mutants {
        let calls = vectors
            .iter()
            .map(|(inputs, _)| (function, registers(&signature, inputs)));
        let results = program.results(&calls.collect::<Vec<_>>());
        let differ = results
            .iter()
            .zip(&vectors)
            .filter(|(found, (_, d))| *found != d)
            .count();
        println!("mutant {function}: {differ} of 800 rows differ");
        assert!(differ > 0, "mutant {function}");
    }
}

/// The registers of packed ports as one number each.
pub fn packed(signature: &Signature, inputs: &Inputs) -> Vec<BigUint> {
    let rows = signature.rows().map(|row| {
        let registers = inputs.row(row.operand).iter().rev();
        registers.fold(BigUint::ZERO, |all, register| {
            (all << row.format.width()) + register
        })
    });
    rows.collect()
}

#[test]
#[ignore = "needs verilator"]
fn what_an_h100_gave_is_what_systemverilog_gets_by_dpi() {
    let (model, vectors) = recorded();
    let signature = model.signature();
    let subject = Subject::Model(model);
    for shape in [PortShape::Packed, PortShape::Scalar] {
        let place = folder("dpi");
        for file in exported(&subject, ExportFormat::Dpi, shape, "hmma") {
            let path = place.path().join(format!("hmma.{}", file.extension));
            std::fs::write(path, file.text).unwrap();
        }
        let mut calls = String::new();
        for (inputs, _) in &vectors {
            let given: Vec<String> = match shape {
                PortShape::Packed => packed(&signature, inputs)
                    .iter()
                    .zip([256, 256, 32])
                    .map(|(value, width)| format!("{width}'h{value:x}"))
                    .collect(),
                PortShape::Scalar => inputs
                    .each(&signature)
                    .map(|(format, value)| format!("{}'h{value:x}", format.width()))
                    .collect(),
            };
            let given = given.join(", ");
            writeln!(calls, "    hmma_dpi({given}, d); $display(\"%h\", d);").unwrap();
        }
        let top = format!(
            "module top;\n  import hmma_pkg::*;\n  bit [31:0] d;\n  initial begin\n{calls}    $finish;\n  end\nendmodule\n"
        );
        std::fs::write(place.path().join("top.sv"), top).unwrap();
        let options = [
            "--binary",
            "-O0",
            "-Wno-fatal",
            "hmma.sv",
            "top.sv",
            "hmma.c",
            "--top-module",
            "top",
        ];
        run(place.path(), "verilator", &options);
        let said = answered(&place.path().join("obj_dir/Vtop"), "");
        let results: Vec<u64> = said
            .lines()
            .filter_map(|line| u64::from_str_radix(line, 16).ok())
            .collect();
        let same = results
            .iter()
            .zip(&vectors)
            .filter(|(found, (_, d))| *found == d);
        assert_eq!((results.len(), same.count()), (800, 800));
    }
}

#[test]
#[ignore = "needs iverilog, verilator"]
fn what_an_h100_gave_is_what_verilog_gives() {
    let (model, mut vectors) = recorded();
    let signature = model.signature();
    // And more, by the simulator.
    let mut simulator = model.simulator();
    vectors.extend(drawn(&signature, 100_000).into_iter().map(|inputs| {
        let d = simulator.evaluate(&inputs).unwrap();
        (inputs, d)
    }));
    let ports = Ports {
        signature,
        shape: PortShape::Packed,
    };
    let output = mmasmt_numbers::bits::circuit::Port::new("d", signature.d.width());
    let subject = Subject::Model(model.clone());
    let module = Module::new(
        "h100",
        &subject,
        PortShape::Packed,
        ports.inputs(),
        vec![output],
    );
    let rows: Vec<_> = vectors
        .iter()
        .map(|(inputs, _)| packed(&signature, inputs))
        .collect();
    for found in [module.iverilog(&rows), module.verilator(&rows)] {
        for (found, (inputs, d)) in found.iter().zip(&vectors) {
            assert_eq!(
                found[0],
                BigUint::from(*d),
                "{}",
                inputs.to_line(&signature)
            );
        }
    }
}
