//! `--json` of every command against `docs/mmasmt.schema.json`, which is made of the types of the answers.
//! `SCHEMA=overwrite cargo test --test cli schema` writes the file anew.

mod text;
mod validator;

use serde_json::Value;
use std::process::Command;
use text::text;
use validator::wrong;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mmasmt.schema.json");

fn schema() -> Value {
    serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap()
}

#[test]
fn the_file_is_what_the_types_say() {
    let made = text(&mmasmt::cli::schema());
    if std::env::var("SCHEMA").as_deref() == Ok("overwrite") {
        std::fs::write(FILE, &made).unwrap();
    }
    let file = std::fs::read_to_string(FILE).unwrap();
    let differing = made
        .lines()
        .zip(file.lines())
        .find(|(made, file)| made != file);
    assert!(
        made == file,
        "expected {differing:?} alike: SCHEMA=overwrite writes docs/mmasmt.schema.json anew"
    );
}

fn output(line: &str, folder: &std::path::Path) -> String {
    let arguments = line.split(' ').map(|word| word.replace('~', " "));
    let program = env!("CARGO_BIN_EXE_mmasmt");
    let is_lines = line.starts_with("gen ") && !line.contains("--out") || line.contains("--shard");
    let json = (!is_lines).then_some("--json");
    let mut command = Command::new(program);
    command.args(arguments).args(json).current_dir(folder);
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// A definition of the schema, and a command whose output follows it; `~` is a space. The files that `check-proof`
/// reads come from the command before it.
const COMMANDS: &[(&str, &str)] = &[
    ("distinguish", "distinguish fda:F=24 fda:F=25"),
    ("distinguish", "distinguish fda:carry=4 fda:carry=full"),
    (
        "distinguish",
        "distinguish gdfs:in=nvfp4,F=20 gdfs:in=nvfp4 --no-minimize",
    ),
    ("diff", "diff V100 A100 --samples 100"),
    ("agree", "agree fda:F=24 fda:F=25 --time 200ms"),
    ("prove", "prove order-independent fda:K=16"),
    ("prove", "prove faithful fda:F=10 --no-minimize"),
    ("prove", "prove no-negative-zero fda:K=1 --proof zero.drat"),
    (
        "prove-sample",
        "prove faithful fda:F=10 --sample 50 --draw normal",
    ),
    ("prove-queries", "prove canonical-nan"),
    ("prove-list", "prove --list"),
    (
        "prove-claim",
        "prove --claim claim.smt2 --function f=fda:K=1",
    ),
    ("check-proof", "check-proof zero.drat.cnf zero.drat"),
    ("prove", "prove no-negative-zero fda:K=1 --proof zero.lrat"),
    ("check-proof", "check-proof zero.lrat.cnf zero.lrat --lrat"),
    (
        "prove",
        "prove order-independent fda:K=16 --proof order.json",
    ),
    ("check-certificate", "check-proof order.json"),
    ("least", "least F faithful fda:K=32,in=e4m3 --where c~=~0"),
    (
        "least",
        "least exp finite-results fda:K=2,in=e4m3,out=f16 --where c~=~0",
    ),
    ("worst", "worst fda:K=2 --time 500ms"),
    ("worst-drop", "worst fda:K=2 --drop c --time 500ms"),
    (
        "tolerance",
        "tolerance promote(fda:K=4,F=20):every=2 --k 24 --samples 20 --range 2,1 --draw-c uniform --wrong fda:K=4",
    ),
    ("tolerance", "tolerance ozaki2 --k 8 --samples 20"),
    (
        "compare",
        "compare _ --on fda:K=4 --lengths 4 --samples 5 --exponents -3..3",
    ),
    (
        "compare",
        "compare markidis _ --on fda:K=4,F=25 --lengths 4 --samples 5",
    ),
    (
        "compare-bias",
        "compare _ 3xtf32 --on fda:K=4 --lengths 1,8 --samples 20 --bias --draw normal,2*uniform --draw-c normal",
    ),
    (
        "compare-bias",
        "compare _ 3xtf32 --on fda:K=4 --lengths 1,8 --samples 20 --bias --where b=a",
    ),
    (
        "atlas",
        "atlas fda:K=1,in=e2m1,F=4 fda:K=1,in=e2m1,F=5 --lengths 1,2",
    ),
    ("eval", "eval fda --a 1 --b 1"),
    ("eval", "eval gdfs --a 1 --b 1"),
    (
        "eval-any-bits",
        "eval exact:K=1,out=e5m2,round=sr8+0 --a 1.3125 --b 1 --any-bits",
    ),
    ("explain", "explain fda --a 1,0x1p-12 --b 1,0x1p-13 --error"),
    ("explain", "explain gps --a 1,0x1p-12 --b 1,0x1p-13"),
    ("explain", "explain fda --a inf --b 0 --error"),
    ("check", "check fda:K=1 some.txt --show 1"),
    ("check", "check fda:K=1 wrong.txt --show 1"),
    ("check", "check --index index.tsv"),
    ("check-runner", "check fda:K=1 --runner eval.sh --count 10"),
    (
        "distinguish-asked",
        "distinguish fda:K=1,F=3 run:eval.sh --samples 100",
    ),
    (
        "check-runner",
        "check fda:K=1,F=3 --runner eval.sh --count 10 --show 2",
    ),
    ("check-recorded", "check --recorded"),
    ("probe", "probe fda --tests fttn"),
    ("probe-inputs", "probe fda --tests fttn --inputs"),
    ("probe-tree", "probe fda --tree text"),
    ("probe-tree", "probe sfma --tree svg"),
    ("probe-table", "probe --table fttn"),
    ("gen", "gen fda --count 3 --out drawn.txt"),
    (
        "gen",
        "gen fda:F=23 fda:F=24 --kind discriminating --count 3 --out apart.txt",
    ),
    ("separate", "separate fda:F=23 fda:F=24"),
    (
        "learn",
        "learn model:fda:K=1,in=e2m1,F=4 --questions 3000 --confirm 200",
    ),
    ("learn", "learn model:fda:K=1 --questions 10"),
    ("learn", "learn drawn.txt --confirm 1"),
    (
        "prove-domains",
        "prove order-independent ieee:K=2,in=e2m1 --domains --time 2",
    ),
    ("mutants-faults", "mutants int:K=1,in=b1 --faults"),
    ("mutants", "mutants fda:K=1,in=e2m1,F=4 --time 2"),
    ("export", "export fda:K=1 --to c -o one.c"),
    (
        "mutants",
        "mutants fda:K=1,in=e2m1,F=4 --score of-mutants.txt --time 1",
    ),
    (
        "identify",
        "identify some.txt --model fda:K=1 --model fda:K=1,F=23",
    ),
    (
        "identify",
        "identify wrong.txt --model fda:K=1 --model fda:K=1,F=23",
    ),
    (
        "identify",
        "identify --runner eval.sh --model fda:K=1 --model fda:K=1,F=23",
    ),
    ("models", "models list UTCOMMA"),
    ("models-show", "models show H100/HMMA.16816.F32"),
    ("models-show", "models show fda:K=3"),
    ("models", "models list gfx950"),
    ("models-show", "models show cdna4/v_mfma_f32_16x16x32_f16"),
    ("models-unit", "models show fda:K=3 --unit"),
    ("models-variant", "models variant paper volta"),
    ("algorithms", "models --algorithms"),
    ("engines", "engines"),
    ("formats", "formats fp8 i2f6 s8 ue8m0"),
    ("plan", "plan cublaslt 100 2560 9728 algo=66 stages=35 S=3"),
    ("run-list", "run --list --capability 9.0"),
    (
        "run-emit-ptx",
        "run --emit-ptx --instruction hopper/mma.m16n8k16.f32.f16.f16.f32",
    ),
    (
        "bench",
        "bench fda:K=4 exact:K=4,in=f64,out=f64 --each 10ms",
    ),
    ("matmul", "matmul A.npy B.npy --on fda:K=4 --against exact"),
    ("matmul", "matmul A.npy B.npy --on fda:K=4 -o D.npy"),
    (
        "tolerance-matrices",
        "tolerance fda:K=4 --matrices A.npy,B.npy --result D.npy --atol 1",
    ),
    ("unknown", "mutants fda:K=1,in=e2m1,F=4 --time 0"),
    ("error", "eval fdb --a 1 --b 1"),
    ("error", "eval fda --nonsense"),
];

/// Commands that print no JSON, or none but JSON Lines.
const OTHERS: [&str; 4] = ["completions", "help", "man", "merge"];

/// Rows of f32 numbers as an array of NumPy.
fn array(rows: &[&[f32]]) -> Vec<u8> {
    let shape = format!("({}, {})", rows.len(), rows[0].len());
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    let numbers = rows.iter().flat_map(|row| row.iter());
    bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
    bytes
}

#[test]
fn every_command_follows_the_schema() {
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("some.txt", "00000000 3c00 3c00 3f800000\n"),
        ("wrong.txt", "00000000 3c00 3c00 3f800001\n"),
        ("of-mutants.txt", "00000000 2 2\n"),
        (
            "claim.smt2",
            "(declare-const x (_ BitVec 16))(assert (= (f x #x3c00 #x00000000) #x3f800000))",
        ),
        (
            "index.tsv",
            "file\tarch\tunit\tqualifier\nsome.txt\tnowhere\tmma\tnone\n",
        ),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let row: &[f32] = &[1.0, 0.5, 0.25, 3.0];
    std::fs::write(folder.path().join("A.npy"), array(&[row, row])).unwrap();
    std::fs::write(
        folder.path().join("B.npy"),
        array(&[&row[..3], &row[..3], &row[..3], &row[..3]]),
    )
    .unwrap();
    let runner = format!("{}~eval~fda:K=1~--vectors~-", env!("CARGO_BIN_EXE_mmasmt"));
    let mut all = Vec::new();
    for (name, line) in COMMANDS {
        let text = output(&line.replace("eval.sh", &runner), folder.path());
        let value: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}: {text}"));
        let definition = &root["$defs"][name];
        assert!(definition.is_object(), "no definition of {name}");
        all.extend(wrong(&root, definition, &value, line));
        assert_eq!(value["schema"], 1, "{line}");
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// No command is left out, and no definition.
#[test]
fn every_command_and_every_definition_has_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let help = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .arg("--help")
        .current_dir(folder.path())
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split("\nOptions:\n").next().unwrap().lines();
    let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut count = 0;
    for name in names.map(|line| line.split_whitespace().next().unwrap()) {
        let first = format!("{name} ");
        let is_named = |line: &str| line == name || line.starts_with(&first);
        let known = COMMANDS.iter().any(|(_, line)| is_named(line)) || OTHERS.contains(&name);
        assert!(known, "no line for {name}");
        count += 1;
    }
    assert!(count > 15, "{help}");
    let root = schema();
    for one in root["anyOf"].as_array().unwrap() {
        let name = one["$ref"].as_str().unwrap().trim_start_matches("#/$defs/");
        let known = COMMANDS.iter().any(|(known, _)| *known == name);
        assert!(known, "no command is held to {name}");
    }
}

#[test]
fn json_lines_follow_the_schema() {
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("some.txt"),
        "00000000 3c00 3c00\n3f800000 3c00 3c00\n",
    )
    .unwrap();
    for line in [
        "eval fda:K=1 --vectors some.txt",
        "run model:fda:K=1 some.txt",
        "gen fda:K=1 --count 2 --format jsonl",
        "gen gdfs --count 2 --format jsonl",
        "gen ampere/mma.sp.m16n8k8.f32.tf32.tf32.f32 --metadata --count 2 --format jsonl",
    ] {
        let text = output(line, folder.path());
        let mut values = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = values.next().unwrap();
        assert_eq!(wrong(&root, &root["$defs"]["head"], &head, line), [""; 0]);
        assert_eq!(head["schema"], 1, "{line}");
        let mut count = 0;
        for vector in values {
            assert_eq!(wrong(&root, &root["$defs"]["line"], &vector, line), [""; 0]);
            count += 1;
        }
        assert_eq!(count, 2, "{line}");
    }
}

#[test]
fn shares_follow_the_schema() {
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "gen fda:K=1 --count 3 --shard 0/1",
        "mutants fda:K=1,in=e2m1,F=4 --shard 1/20",
        "compare _ --on fda:K=4 --lengths 4 --samples 20 --exponents -3..3 --shard 0/1",
    ] {
        let text = output(line, folder.path());
        let mut values = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = values.next().unwrap();
        assert_eq!(wrong(&root, &root["$defs"]["share"], &head, line), [""; 0]);
        let items: Vec<u64> = values
            .map(|value| value["item"].as_u64().unwrap())
            .collect();
        assert!(!items.is_empty() && items.is_sorted(), "{line}: {items:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_solver_that_does_not_tell_its_version_follows_the_schema() {
    use std::os::unix::fs::PermissionsExt;
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bitwuzla");
    std::fs::write(&path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["engines", "--json"])
        .env("PATH", folder.path())
        .output()
        .unwrap();
    let value: Value = serde_json::from_slice(&run.stdout).unwrap();
    let definition = &root["$defs"]["engines"];
    assert_eq!(wrong(&root, definition, &value, "engines"), [""; 0]);
    let engines = value["engines"].as_array().unwrap();
    let silent = engines.iter().find(|engine| engine["name"] == "bitwuzla");
    assert!(silent.unwrap()["version"].is_null());
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let root = schema();
    let error = &root["$defs"]["error"];
    for (text, fine) in [
        (
            r#"{"schema":1,"error":"no","status":2,"version":"x"}"#,
            true,
        ),
        (
            r#"{"schema":2,"error":"no","status":2,"version":"x"}"#,
            false,
        ),
        (r#"{"schema":1,"error":7,"status":2,"version":"x"}"#, false),
        (r#"{"schema":1,"status":2,"version":"x"}"#, false),
        (
            r#"{"schema":1,"error":"no","status":2,"version":"x","more":1}"#,
            false,
        ),
    ] {
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(wrong(&root, error, &value, "").is_empty(), fine, "{text}");
    }
}
