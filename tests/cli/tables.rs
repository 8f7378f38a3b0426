//! Tables that a user brings: machines, variants and descriptions of a folder, in every command.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const UNIT: &str = "unit two_level(F = 27 in 1..40, G = 24 in 1..40) {
  a, b: f16[8]
  c, d: f32
  p = a * b
  for g in 0..2 {
    t[g] = round(fuse(p[4 * g..4 * g + 4]) keep F by rz) to f32 by rz
  }
  d = round(fuse(t, c) keep G by rz) to f32 by rz
}
";

const TABLE: &str = r#"arch = "lab"
title = "The lab's core"
gpus = ["Lab One"]

[variants]
wide = "G=25"
other = "fda:in=f16,K=8,F=24"

[[row]]
name = ["DOT8"]
sass = ["D8"]
model = "unit:two-level:F=26"
evidence = ["reported: our own simulator"]

[[row]]
name = ["mma.m16n8k16.f32.f16.f16.f32"]
model = "fda:F=24"
evidence = ["recorded: our own board"]
variants = {}

[[row]]
name = ["SUM"]
model = "splitk(lab/DOT8):K=32,S=2"
evidence = ["reported: our library"]
variants = {}

[[unknown]]
ptx = ["DOT99"]
formats = "f16, result f32"
evidence = ["documentation: the core's manual"]
"#;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lab.toml"), TABLE).unwrap();
    fs::write(folder.path().join("two-level.unit"), UNIT).unwrap();
    fs::write(folder.path().join("notes.txt"), "no table").unwrap();
    folder
}

/// Runs the program with words between spaces; `variable` is the value of `MMASMT_TABLES`.
fn run_with(variable: Option<&Path>, words: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    command.env_remove("MMASMT_TABLES").env("MMASMT_QUIET", "1");
    if let Some(folder) = variable {
        command.env("MMASMT_TABLES", folder);
    }
    let output = command.args(words.split_whitespace()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

fn run(folder: &Path, words: &str) -> (Option<i32>, String) {
    let (status, said) = run_with(None, &format!("--tables {} {words}", folder.display()));
    let (other, by_variable) = run_with(Some(folder), words);
    // Lines that say how long it took differ, and so do inputs that were made simpler in that time.
    let searches = words.starts_with("diff ") || words.starts_with("distinguish ");
    let count = if searches { 1 } else { usize::MAX };
    let lines = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("# mmasmt"));
        lines.take(count).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        (other, lines(&by_variable)),
        (status, lines(&said)),
        "{words}"
    );
    (status, said)
}

#[test]
fn a_machine_of_a_folder_is_known_to_every_command() {
    let folder = folder();
    for (words, status, part) in [
        ("models list lab", 0, "DOT8"),
        ("models show lab/D8", 0, "reported: our own simulator"),
        (
            "models show lab/DOT8 --unit",
            0,
            "two_level(F = 26 in 1..40, G",
        ),
        ("models lab --json", 0, "\"unit:two-level:F=26\""),
        ("models list DOT99", 0, "DOT99"),
        ("eval LabOne/f16 --a 1 --b 1", 0, "d  0x3f800000"),
        ("eval lab/dot8@wide --a 1 --b 1", 0, "d  0x3f800000"),
        ("eval lab/dot8@other:F=10 --a 1 --b 1", 0, "d  0x3f800000"),
        ("eval lab/SUM --a 1 --b 1", 0, "d  0x3f800000"),
        ("eval unit:two-level:G=3 --a 1 --b 1", 0, "d  0x3f800000"),
        (
            "eval promote(lab/DOT8,every=2):K=32 --a 1 --b 1",
            0,
            "d  0x3f800000",
        ),
        ("explain lab/DOT8 --a 1 --b 1", 0, "26 fraction bits kept"),
        ("distinguish lab/DOT8 lab/DOT8@wide", 0, "different"),
        ("distinguish lab/DOT8 unit:two-level:F=26", 1, "equal"),
        ("prove equal=:F=26 lab/DOT8", 0, "proved"),
        ("export lab/DOT8 --to smt2 -o /dev/null", 0, "wrote"),
        ("diff lab hopper --time 20s", 0, "lab"),
        ("eval lab/DOT9", 2, "no row for `DOT9` on lab"),
        ("eval lab/DOT99", 2, "is not known"),
        ("eval lab/DOT8@narrow", 2, "expected other, wide"),
        ("eval labb/DOT8", 2, "did you mean `lab`"),
        (
            "eval unit:two-levels",
            2,
            "expected a file with a description",
        ),
    ] {
        let (found, said) = run(folder.path(), words);
        assert_eq!(found, Some(status), "{words}: {said}");
        assert!(said.contains(part), "{words}: {said}");
    }
    let (status, said) = run_with(None, "eval lab/DOT8 --a 1 --b 1");
    assert_eq!(status, Some(2), "without the folder: {said}");
}

#[test]
fn answers_of_a_machine_of_a_folder_are_identified_without_a_family() {
    let folder = folder();
    let vectors = folder.path().join("answers.txt");
    let words = format!(
        "gen lab/DOT8 --count 400 --seed 3 --out {}",
        vectors.display()
    );
    let (status, said) = run(folder.path(), &words);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = run(folder.path(), &format!("identify {}", vectors.display()));
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("lab/DOT8"), "{said}");
}

#[test]
fn a_machine_may_have_no_products() {
    let folder = folder();
    let table = TABLE.replace("gpus = [\"Lab One\"]\n", "");
    fs::write(folder.path().join("lab.toml"), table).unwrap();
    let (status, said) = run(folder.path(), "models list lab");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.starts_with("lab (The lab's core)\n"), "{said}");
}

#[test]
fn several_folders_can_be_given() {
    let (lab, other) = (folder(), tempfile::tempdir().unwrap());
    let table = TABLE
        .replace("\"lab\"", "\"shop\"")
        .replace("lab/", "shop/");
    fs::write(
        other.path().join("shop.toml"),
        table
            .replace("Lab One", "Shop One")
            .replace("The lab's", "The shop's"),
    )
    .unwrap();
    let words = format!(
        "--tables {} --tables {} distinguish lab/DOT8 shop/DOT8",
        lab.path().display(),
        other.path().display()
    );
    // The description that the second folder names is in the first.
    let (status, said) = run_with(None, &words);
    assert_eq!(status, Some(1), "{said}");
}

/// An error is one line that names the file, with exit status 2; nothing else is printed.
#[test]
fn a_folder_that_is_wrong_is_one_error() {
    for (file, content, part) in [
        ("lab.toml", "arch = \"lab\"\ntitle = 3\n", "line 2"),
        ("lab.toml", "arch = \"lab\"\n[[row]\n", "line 2"),
        (
            "lab.toml",
            &TABLE.replace("fda:F=24\"", "fda:F=2400\""),
            "F=2400",
        ),
        (
            "lab.toml",
            &TABLE.replace("G=25", "H=25"),
            "unknown key `H`",
        ),
        (
            "lab.toml",
            &TABLE.replace("unit:two-level:", "unit:one-level:"),
            "one-level",
        ),
        (
            "lab.toml",
            &TABLE.replace("unit:two-level:F=26", "unit:two-level.unit"),
            "did you mean `two-level`?",
        ),
        (
            "lab.toml",
            &TABLE.replace("reported: our library", "our library"),
            "`SUM`: expected evidence that begins with one of `recorded:`",
        ),
        (
            "lab.toml",
            &TABLE.replace("documentation: the core", "rumour: the core"),
            "`DOT99`: expected evidence",
        ),
        (
            "lab.toml",
            &TABLE.replace("splitk(lab/DOT8)", "splitk(lab/DOT7)"),
            "DOT7",
        ),
        (
            "lab.toml",
            &TABLE.replace("splitk(lab/DOT8)", "splitk(lab/SUM)"),
            "may not name itself",
        ),
        (
            "lab.toml",
            &TABLE.replace("arch = \"lab\"", "arch = \"hopper\""),
            "hopper",
        ),
        (
            "lab.toml",
            &TABLE.replace("arch = \"lab\"", "arch = \"cublas\""),
            "cublas",
        ),
        (
            "lab.toml",
            &TABLE.replace(
                "DOT8\"",
                "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\"",
            ),
            "names",
        ),
        (
            "two-level.unit",
            &UNIT.replace("keep G", "keep"),
            "line 8, character 29",
        ),
        ("two level.unit", UNIT, "a name of letters"),
        ("two-level.unit", "\u{0}", "line 1"),
    ] {
        let folder = folder();
        fs::write(folder.path().join(file), content).unwrap();
        let (status, said) = run(folder.path(), "eval fda --a 1 --b 1");
        assert_eq!(status, Some(2), "{file}: {said}");
        assert_eq!(said.lines().count(), 1, "{file}: {said}");
        assert!(said.starts_with("error: "), "{said}");
        assert!(
            said.contains(part) && said.contains(file),
            "{file}, {part}: {said}"
        );
    }
    let empty = tempfile::tempdir().unwrap();
    for path in [
        empty.path(),
        &empty.path().join("none"),
        Path::new("/dev/null"),
    ] {
        let (status, said) = run(path, "eval fda --a 1 --b 1");
        assert_eq!((status, said.lines().count()), (Some(2), 1), "{said}");
    }
}
