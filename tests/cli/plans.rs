//! Plans: the composition that a library runs for a shape.

use super::products::run;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::matrices::{Matrix, write_array};
use mmasmt_questions::plans::{LibraryTable, PlanCase};
use serde_json::Value;
use std::path::Path;

fn asked(line: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (status, out, err) = run(folder.path(), &[&["plan"], line, &["--json"]].concat());
    assert_eq!(status, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

/// cuBLASLt's algorithms by the fields of its heuristic.
#[test]
fn fields_of_the_heuristic_give_a_plan() {
    let unit = "hopper/wgmma.m64nNk16.f32.bf16.bf16";
    let mma = "hopper/mma.m16n8k16.f32.bf16.bf16.f32";
    for (line, plan) in [
        (
            "100 2560 9728 algo=66 stages=35 S=3",
            format!("splitk({unit}):S=3,tile=64"),
        ),
        ("100 2560 9728 algo=66 stages=35 S=1", unit.to_owned()),
        (
            "100 2560 9728 algo=66 stages=36 S=2",
            format!("splitk({unit}):S=2,tile=128"),
        ),
        // 8648 = 135 * 64 + 8.
        (
            "1 8 8648 algo=66 stages=35 S=9",
            format!("splitk({unit}):S=9,tile=64,lost=64"),
        ),
        (
            "1 8 8648 algo=66 stages=35 S=8",
            format!("splitk({unit}):S=8,tile=64"),
        ),
        (
            "1 8 8704 algo=66 stages=35 S=9",
            format!("splitk({unit}):S=9,tile=64"),
        ),
        (
            "7 9 100 algo=21 stages=0",
            format!("splitk({mma}):S=1,first=32"),
        ),
        (
            "7 9 1000 algo=12 stages=13 S=4 reduction=2",
            format!("splitk({mma}):S=4,tile=8,first=64"),
        ),
        (
            "7 9 1024 algo=24 stages=6 S=4 reduction=4",
            format!("splitk({mma}):S=4,tile=64,first=16,part=bf16"),
        ),
        (
            "7 9 1024 algo=23 stages=24 S=4 reduction=1",
            format!("splitk({mma}):S=4,tile=64,first=128,sum=bf16"),
        ),
        (
            "4 9 1024 algo=11 custom=1",
            "splitk(promote(sfma:fmt=f32,K=128):every=1):S=4".to_owned(),
        ),
    ] {
        let words: Vec<&str> = ["cublaslt"].into_iter().chain(line.split(' ')).collect();
        let found = asked(&words);
        assert_eq!(
            found["plan"],
            format!("epilogue({plan}):out=bf16"),
            "{line}"
        );
        assert_eq!(found["status"], "reported");
    }
}

#[test]
fn what_no_rule_fits_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (line, part) in [
        (
            "plan cublaslt 1 2 3",
            "no rule of H100, B200, GB300, cuBLASLt 13.1.1 fits: each asks for algo, which is not known; say algo=VALUE\n",
        ),
        (
            "plan h100-fp8 4096 4096 4096 fats=false nonsense=7",
            "one of S, a, alpha, b, epilogue, fast, out, scale, workspace, found `fats`",
        ),
        (
            "plan h100-fp8 1 2 3 fast=false nonsense=7",
            "found `nonsense`",
        ),
        ("plan cublaslt 1 2 3 algo=66 tile=5", "found `tile`"),
        ("plan cublaslt 1 2 3 algo=99", "fits K=3 M=1 N=2"),
        ("eval plan:h100-fp8@1,2,3,fats=true --a 1", "found `fats`"),
        (
            "plan cublaslt 1 2 3 algo",
            "expected NAME=VALUE, found `algo`",
        ),
        (
            "plan nothing 1 2 3",
            "expected a table of plans, FILE.toml or one of h100-fp8",
        ),
        ("plan nothing.toml 1 2 3", "nothing.toml: No such file"),
        ("eval plan:cublaslt --a 1 --b 1 --c 0", "no rule of"),
        (
            "plan h100-fp8 1 2 3 --decisions no.npz",
            "no.json: No such file",
        ),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (status, _, err) = run(folder.path(), &words);
        assert_eq!(status, Some(2), "{line}");
        assert!(err.contains(part), "{line}: {err}");
    }
}

/// A file of one's own: conditions, definitions and defaults; the first rule that fits wins.
#[test]
fn a_table_may_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.toml");
    let text = r#"
        format = "mmasmt-plans/1"
        machine = "a machine"
        source = "a recording"
        [defaults]
        unit = "fda:K=8,F=24"
        [[define]]
        name = "parts"
        value = "2"
        M = [1, 16]
        [[rule]]
        K = [64, 128, 256]
        parts = 2
        plan = "splitk({unit}):S={parts}"
        status = "recorded"
        [[rule]]
        K = [1, 1000]
        "K mod 8" = 0
        plan = "repeat({unit})"
        [[rule]]
        layout = ["tn", "nn", "nt"]
        deterministic = true
        plan = "promote({unit}):every=2"
    "#;
    std::fs::write(&path, text).unwrap();
    let table = LibraryTable::open(path.to_str().unwrap()).unwrap();
    let plan = |shape, known: &[(&str, &str)]| {
        let case = PlanCase::of_shape(shape);
        let case = known
            .iter()
            .fold(case, |case, (name, value)| case.with(name, value));
        table
            .answer(&case)
            .map(|answer| (answer.plan, answer.status))
            .ok()
    };
    let of = |text: &str, status: &str| Some((text.to_owned(), status.to_owned()));
    let split = of("splitk(fda:K=8,F=24):S=2", "recorded");
    assert_eq!(plan([16, 8, 128], &[]), split);
    assert_eq!(
        plan([17, 8, 128], &[]),
        of("repeat(fda:K=8,F=24)", "assumed")
    );
    assert_eq!(plan([16, 8, 127], &[]), None);
    let promoted = of("promote(fda:K=8,F=25):every=2", "assumed");
    let known = [
        ("layout", "nn"),
        ("deterministic", "true"),
        ("unit", "fda:K=8,F=25"),
    ];
    assert_eq!(plan([16, 8, 2000], &known), promoted);
    assert_eq!(plan([16, 8, 2000], &known[..1]), None);
}

fn write(folder: &Path, name: &str, [rows, columns]: [usize; 2]) {
    let registers = (0..rows * columns).map(|at| [0x3f80u64, 0xbf81, 0x3e03, 0x4049][at * at % 4]);
    let matrix = Matrix::new(Format::BF16, [rows, columns], registers.collect::<Vec<_>>()).unwrap();
    write_array(&folder.join(name), "", &matrix.into()).unwrap();
}

#[test]
fn a_product_by_plan_is_that_of_its_model() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.npy", [5, 700]);
    write(folder.path(), "b.npy", [700, 9]);
    let by_plan = "matmul a.npy b.npy --plan cublaslt --given algo=66 --given S=3 -o p.npy";
    let (status, _, err) = run(folder.path(), &by_plan.split(' ').collect::<Vec<_>>());
    assert_eq!(status, Some(0), "{err}");
    let plan = "epilogue(splitk(hopper/wgmma.m64nNk16.f32.bf16.bf16):S=3,tile=64):out=bf16";
    assert!(err.contains(&format!("reported plan: '{plan}'")), "{err}");
    let by_model = ["matmul", "a.npy", "b.npy", "--on", plan, "-o", "m.npy"];
    assert_eq!(run(folder.path(), &by_model).0, Some(0));
    let [by_plan, by_model] =
        ["p.npy", "m.npy"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert_eq!(by_plan, by_model);
}

#[test]
fn a_plan_for_a_shape_is_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let line = [
        "models",
        "show",
        "plan:cublaslt@1,8,584,algo=66,S=9,out=f32",
        "--json",
    ];
    let (status, out, err) = run(folder.path(), &line);
    assert_eq!(status, Some(0), "{err}");
    let lost = "splitk(fda:K=16,F=25";
    assert!(
        out.contains(lost) && out.contains("lost=64") && out.contains("K=584"),
        "{out}"
    );
}

/// A composition inside of another one takes all products of a run, unless it says how many.
#[test]
fn a_composition_inside_takes_all_of_a_run() {
    for (text, same) in [
        (
            "epilogue(splitk(fda:K=8):S=2):K=64",
            "epilogue(splitk(fda:K=8):S=2,K=64):K=64",
        ),
        (
            "splitk(splitk(fda:K=8):S=2):S=2,K=64",
            "splitk(splitk(fda:K=8):S=2,K=32):S=2,K=64",
        ),
        (
            "epilogue(splitk(splitk(fda:K=8):S=4):S=3,tile=8):K=100",
            "epilogue(splitk(splitk(fda:K=8):S=4,K=40):S=3,tile=8,K=100):K=100",
        ),
        (
            "epilogue(markidis(volta/HMMA.884.F32.F32)):K=12",
            "epilogue(markidis(volta/HMMA.884.F32.F32):K=12):K=12",
        ),
        // Promoted sums continue from each other, however long the runs are.
        (
            "epilogue(promote(fda:K=8):every=2):K=64",
            "epilogue(promote(fda:K=8):every=2,K=16):K=64",
        ),
        (
            "promote(splitk(fda:K=8):S=2):every=2,K=64",
            "promote(splitk(fda:K=8):S=2,K=16):every=2,K=64",
        ),
    ] {
        let [found, expected] = [text, same].map(|text| Model::parse(text).unwrap().canonical());
        assert_eq!(found, expected, "{text}");
    }
}
