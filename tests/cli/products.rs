//! One meaning of a model along k: library, command and runner give the same product for every composition, scheme and row of a library.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, compositions, libraries};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::matrices::{GemmError, Matrix, MatrixProduct, gemm, read_array, write_array};
use std::fs;
use std::path::Path;
use std::process::Command;

/// More than the units and rows have by themselves, and no multiple of what they have.
const DEPTH: usize = 130;

/// Every composition of a unit that it can be made of, and every row of a library, with what stands before its keys.
fn texts() -> Vec<String> {
    let mut all = Vec::new();
    for doc in compositions() {
        let units = ["f16", "tf32", "bf16", "e4m3"].map(|format| format!("fda:K=4,in={format}"));
        let texts = units.map(|unit| format!("{}({unit})", doc.name));
        all.extend(texts.into_iter().find(|text| Model::parse(text).is_ok()));
    }
    all.extend(
        [
            "splitk(fda:K=4,in=f16):S=3",
            "promote(fda:K=4,in=f16):every=3",
        ]
        .map(Into::into),
    );
    let rows = libraries().unwrap().iter().flat_map(|library| {
        let rows = library.rows.iter();
        rows.map(|row| format!("{}/{}", library.name, row.name))
    });
    all.extend(rows);
    all
}

fn with_key(text: &str, key: &str) -> String {
    let separator = if text.contains("):") { "," } else { ":" };
    format!("{text}{separator}{key}")
}

fn drawn(format: Format, shape: [usize; 2], seed: u64) -> Matrix {
    let name = format.name();
    let model = Model::parse(&format!("exact:K=1,in={name},c=f32,out=f32")).unwrap();
    let mut draw = Draw::new(model.signature(), Kind::Close, seed);
    let registers: Vec<u64> = (0..shape[0] * shape[1]).map(|_| draw.draw().a[0]).collect();
    Matrix::new(format, shape, registers).unwrap()
}

/// The operands of one element, with no scales.
fn operands(signature: &Signature, [a, b]: [&Matrix; 2], at: [usize; 2]) -> Inputs {
    let mut inputs = Inputs::zero(signature);
    for k in 0..DEPTH {
        inputs.a[k] = a.get(at[0], k);
        inputs.b[k] = b.get(k, at[1]);
    }
    inputs
}

/// The exit status, standard output and standard error of a command.
pub(super) fn run(folder: &Path, line: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    let output = command.args(line).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn every_door_gives_the_same_product() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for text in texts() {
        // What is meant, said in full.
        let whole = Model::parse(&with_key(&text, &format!("K={DEPTH}"))).unwrap();
        let signature = whole.signature();
        assert_eq!(signature.products as usize, DEPTH, "{text}");
        let [a, b] = [
            drawn(signature.a, [2, DEPTH], 1),
            drawn(signature.b, [DEPTH, 3], 2),
        ];
        let mut simulator = whole.simulator();
        let mut inputs = Vec::new();
        for element in 0..6 {
            inputs.push(operands(&signature, [&a, &b], [element / 3, element % 3]));
        }
        let expected: Vec<u64> = inputs
            .iter()
            .map(|inputs| simulator.evaluate(inputs).unwrap())
            .collect();

        let model = Model::parse(&text).unwrap();
        assert!((model.signature().products as usize) < DEPTH, "{text}");
        let found = gemm(&model, &MatrixProduct::new(&a, &b), &Limits::default()).unwrap();
        assert_eq!(
            found.registers().collect::<Vec<_>>(),
            expected,
            "library: {text}"
        );

        write_array(&folder.join("a.npy"), "a", &a.into()).unwrap();
        write_array(&folder.join("b.npy"), "b", &b.into()).unwrap();
        let line = ["matmul", "a.npy", "b.npy", "--on", &text, "-o", "d.npy"];
        let (status, _, err) = run(folder, &line);
        assert_eq!(status, Some(0), "{text}: {err}");
        let found = read_array(&folder.join("d.npy"), &[], signature.d).unwrap();
        assert_eq!(
            found.matrices()[0].registers().collect::<Vec<_>>(),
            expected,
            "matmul: {text}"
        );

        let lines: String = inputs
            .iter()
            .map(|inputs| inputs.to_line(&signature) + "\n")
            .collect();
        fs::write(folder.join("in.txt"), lines).unwrap();
        let whole = whole.to_string();
        let (status, out, err) = run(folder, &["eval", &whole, "--vectors", "in.txt"]);
        assert_eq!(status, Some(0), "{text}: {err}");
        let results = out.lines().filter(|line| !line.starts_with('#'));
        let results =
            results.map(|line| u64::from_str_radix(line.rsplit(' ').next().unwrap(), 16).unwrap());
        assert_eq!(results.collect::<Vec<_>>(), expected, "eval: {text}");
    }
}

/// A machine behind a command, which is asked the element as one dot product.
#[cfg(unix)]
#[test]
fn a_runner_gives_the_product_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_mmasmt");
    for text in [
        "cublas/gemm.hopper.f32.f16.f16:K=70",
        "xla-bf16x3(fda:K=4,in=bf16):K=70,c=none",
        "splitk(fda:K=4):S=3,K=70",
    ] {
        let runner = format!("{program} eval '{text}' --vectors -");
        let line = ["check", text, "--runner", &runner, "--count", "12"];
        let (status, out, err) = run(folder.path(), &line);
        assert_eq!(status, Some(0), "{text}: {out} {err}");
        assert!(out.contains("12 passed, 0 failed"), "{out}");
    }
}

/// A K that the text gives is kept: instructions of so many products, one after the other.
#[test]
fn a_length_that_is_given_is_kept() {
    let a = drawn(Format::F16, [1, DEPTH], 1);
    let b = drawn(Format::F16, [DEPTH, 1], 2);
    let product = MatrixProduct::new(&a, &b);
    let of = |text: &str| {
        let model = Model::parse(text).unwrap();
        gemm(&model, &product, &Limits::default()).map(|found| found.get(0, 0))
    };
    let chained = of("splitk(fda:K=4):S=2,K=16").unwrap();
    let alone = of("repeat(splitk(fda:K=4):S=2,K=16):K=144").unwrap();
    assert_eq!(chained, alone);
    assert_eq!(
        of("splitk(fda:K=4):S=2").unwrap(),
        of("splitk(fda:K=4):S=2,K=130").unwrap()
    );
    for (text, products) in [
        ("cublas/gemm.hopper.f32.f16.f16:K=32", 32),
        ("epilogue(fda:K=4,repeat=3):K=12", 12),
    ] {
        let error = of(text).unwrap_err();
        assert_eq!(
            error,
            GemmError::Apart {
                products,
                depth: DEPTH
            },
            "{text}"
        );
    }
}

/// Wherever a unit stands that does not read its c, it is not asked to go on from it.
#[test]
fn what_does_not_read_its_c_is_not_chained() {
    for text in [
        "repeat(cublas/gemm.hopper.f32.f16.f16):K=32",
        "cublas/gemm.hopper.f32.f16.f16:repeat=2",
        "promote(cublas/gemm.hopper.f32.f16.f16, every=2):K=64",
        "markidis(cublas/gemm.hopper.f32.f16.f16)",
        "3xtf32(cublas/gemm.hopper.f32.tf32.tf32)",
        "words(cublas/gemm.hopper.f32.f16.f16):p=2",
        "repeat(promote(xla-bf16x3(fda:K=4,in=bf16):c=none)):K=16",
    ] {
        let error = Model::parse(text).unwrap_err().to_string();
        assert!(
            error.contains("expected a unit that goes on from its c"),
            "{text}: {error}"
        );
    }
    // A model with all products in one run stays as it is; one that says no K takes all of a run.
    for text in [
        "epilogue(cublas/fp8.slow.hopper.f32.e4m3.e4m3:K=1024):out=bf16,K=1024",
        "promote(cublas/gemm.hopper.f32.f16.f16, every=1):K=64",
        "splitk(cublas/gemm.hopper.f32.f16.f16:K=32):S=2,K=64",
        "plain(cublas/gemm.hopper.f32.f16.f16:K=64):K=64",
        "epilogue(cublas/fp8.slow.hopper.f32.e4m3.e4m3):out=bf16,K=1024",
        "splitk(cublas/gemm.hopper.f32.f16.f16):S=2,K=64",
        "plain(cublas/gemm.hopper.f32.f16.f16):K=64",
        "words(cublas/gemm.hopper.f32.f16.f16:K=8):p=2,sum=outside,K=8",
    ] {
        Model::parse(text).unwrap();
    }
}

/// A c that is given and not read is refused by everything that takes one.
#[test]
fn a_c_that_is_not_read_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let row = "cublas/gemm.hopper.f32.f16.f16";
    fs::write(
        folder.join("in.txt"),
        "00000000 3c00 3c00 3f800000\n40a00000 3c00 3c00 3f800000\n",
    )
    .unwrap();
    fs::write(
        folder.join("in.jsonl"),
        "{\"c\":\"40a00000\",\"a\":[\"3c00\"],\"b\":[\"3c00\"],\"d\":[\"3f800000\"]}\n",
    )
    .unwrap();
    let one = drawn(Format::F16, [1, 1], 1);
    let c = Matrix::new(Format::F32, [1, 1], [0x40a0_0000]).unwrap();
    write_array(&folder.join("one.npy"), "", &one.clone().into()).unwrap();
    write_array(&folder.join("c.npy"), "", &c.clone().into()).unwrap();
    for line in [
        &["eval", row, "--a", "1", "--b", "1", "--c", "5"][..],
        &["eval", row, "40a00000", "3c00", "3c00"],
        &["eval", row, "--vectors", "in.txt"],
        &["eval", row, "--vectors", "in.jsonl"],
        &[
            "eval",
            "xla-bf16x3(fda:K=4,in=bf16):c=none",
            "--a",
            "1",
            "--b",
            "1",
            "--c",
            "5",
        ],
        &["explain", row, "--a", "1", "--b", "1", "--c", "5"],
        &["explain", row, "--vectors", "in.txt:2"],
        &["check", row, "in.txt"],
        &["check", row, "in.jsonl"],
        &["check", row, "in.txt", "--runner", "cat"],
        &[
            "matmul", "one.npy", "one.npy", "c.npy", "--on", row, "-o", "d.npy",
        ],
    ] {
        let (status, out, err) = run(folder, line);
        assert_eq!(status, Some(2), "{line:?}: {out}{err}");
        assert!(
            err.contains("not read c") || err.contains("as c, which the model does not read"),
            "{line:?}: {err}"
        );
        assert_eq!(err.lines().count(), 1, "{line:?}: {err}");
    }
    // A zero of either sign is no c that is lost, and other models read theirs.
    for c in ["0", "-0", "0x00000000"] {
        let (status, out, err) = run(folder, &["eval", row, "--a", "1", "--b", "1", "--c", c]);
        assert_eq!(
            (status, &*out),
            (Some(0), "d  0x3f800000  0x1p+0            1\n"),
            "{err}"
        );
    }
    let with_beta = "epilogue(fda:K=4):beta=0x1p0";
    let (status, out, _) = run(
        folder,
        &["eval", with_beta, "--a", "1", "--b", "1", "--c", "5"],
    );
    assert!(status == Some(0) && out.contains("0x1.8p+2"), "{out}");
    // What is generated for such a model can be read for it.
    for assume in [&[][..], &["--where", "finite"], &["--where", "c = 0"]] {
        let line = ["gen", row, "--count", "50", "--out", "drawn.txt"];
        let (status, _, err) = run(folder, &[&line, assume].concat());
        assert_eq!(status, Some(0), "{err}");
        let (status, out, err) = run(folder, &["check", row, "drawn.txt"]);
        assert!(status == Some(0) && out.contains("50 passed"), "{out}{err}");
    }
    let model = Model::parse(row).unwrap();
    let product = MatrixProduct::new(&one, &one).plus(Some(&c));
    assert_eq!(
        gemm(&model, &product, &Limits::default()),
        Err(GemmError::Unread)
    );
}
