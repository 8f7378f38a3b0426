//! What a command claims is what it has looked at: values that are not tried, inputs that are few, files
//! that say two things, texts that stand for something else.

use super::products::run;
use std::fs;
use std::path::Path;

fn out(folder: &Path, arguments: &[&str], status: i32) -> String {
    let (found, out, err) = run(folder, arguments);
    assert_eq!(found, Some(status), "{arguments:?}: {out}{err}");
    format!("{out}{err}")
}

/// The values that a search tries are not all that a key takes.
#[test]
fn the_least_value_is_the_least_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let model = "fda:in=e2m1,K=2,c=e2m1,out=bf16,F=9,emin=-3";
    let assume = "finite, c = 0, factors exp 0..4";
    let least = ["least", "emin", "exact-sums", model, "--where", assume];
    let found = out(folder.path(), &least, 0);
    assert!(found.starts_with("least: emin=-4096 "), "{found}");
    // Three products are no divisor of eight.
    let text =
        "unit u(F = 9 in 1..9) { a, b: e2m1[2] c, d: f32 d = round(fuse(a * b, c) keep F) to f32 }";
    fs::write(folder.path().join("u.unit"), text).unwrap();
    let least = [
        "least",
        "F",
        "exact-sums",
        "unit:u.unit",
        "--where",
        "c = 0",
    ];
    let found = out(folder.path(), &least, 0);
    assert!(found.starts_with("least: F="), "{found}");
}

/// A domain of few inputs is tried as a whole, and that is a proof.
#[test]
fn few_inputs_are_all_tried() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let worst = [
        "worst",
        "fda:K=1,in=e4m3,out=f16,F=3",
        "--where",
        "c = 1, b = a, finite",
    ];
    let found = out(folder, &worst, 0);
    assert!(
        found.contains("nothing is worse: proved by trying all 254 inputs"),
        "{found}"
    );
    let unit = |option: &str| {
        format!(
            "unit:{{unit u {{ a, b: e2m1[2] c, d: f32 d = round(fuse(miscount(a * b) bits {option}, c) keep 20) to f32 }}}}"
        )
    };
    let texts = [unit("30"), unit("31")];
    let asked = [
        "distinguish",
        &texts[0],
        &texts[1],
        "--where",
        "c from -2..2",
    ];
    let (status, out, err) = run(folder, &asked);
    assert!(matches!(status, Some(0 | 1)), "{out}{err}");
}

#[test]
fn two_answers_to_one_input_are_no_function() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lines =
        "00000000 3c00 3c00 3f800000\n00000000 3c00 4000 40000000\n00000000 3c00 3c00 3f800001\n";
    fs::write(folder.join("r.txt"), lines).unwrap();
    let asked = [
        "identify", "r.txt", "--family", "F=20..24", "--base", "fda:K=1",
    ];
    let found = out(folder, &asked, 1);
    assert!(found.contains("not a function"), "{found}");
    assert!(
        found.contains("r.txt:1: ") && found.contains("r.txt:3: "),
        "{found}"
    );
    let found = out(folder, &[&asked[..], &["--json"]].concat(), 1);
    assert!(
        found.contains("\"verdict\":\"not a function\"")
            || found.contains("\"verdict\": \"not a function\""),
        "{found}"
    );
}

#[test]
fn an_overflow_on_the_way_is_counted_beside_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let asked = [
        "compare",
        "markidis",
        "--on",
        "volta/HMMA.884.F32.F32",
        "--exponents",
        "14..17",
        "--samples",
        "200",
        "--lengths",
        "4",
    ];
    let found = out(folder.path(), &asked, 0);
    assert!(found.contains("overflows for "), "{found}");
    assert!(found.contains("the bound holds for the others"), "{found}");
}

#[test]
fn a_text_stands_for_the_whole_model() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for model in ["splitk(fda:K=4):K=8,S=2", "fda:K=4,chain=2"] {
        let found = out(
            folder,
            &["export", model, "--to", "unit", "-o", "x.unit"],
            2,
        );
        assert!(found.contains("expected a model of one unit"), "{found}");
    }
    fs::create_dir(folder.join("dir")).unwrap();
    out(
        folder,
        &["export", "fda:K=4", "--to", "unit", "-o", "dir/f.unit"],
        0,
    );
    let found = out(folder, &["models", "show", "unit:dir/f.unit"], 0);
    assert!(found.contains("4 products f16 x f16"), "{found}");
}

#[test]
fn the_forms_of_an_instruction_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let found = out(
        folder.path(),
        &["distinguish", "x86/vdpbf16ps", "arm/bfdot"],
        2,
    );
    assert!(
        found.contains("arm/bfdot.ebf0 and arm/bfdot.ebf1"),
        "{found}"
    );
}

/// A line of a share that was edited is not merged, nor gone on with.
#[test]
fn an_edited_line_of_a_share_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let request = [
        "mutants",
        "fda:K=1,in=e2m1,F=4,out=f32",
        "--pair-timeout",
        "1s",
    ];
    let share = out(folder, &[&request[..], &["--shard", "0/30"]].concat(), 0);
    fs::write(folder.join("0.jsonl"), &share).unwrap();
    let edited = share
        .replace("\"equal\"", "\"shown\"")
        .replace("\"unknown\"", "\"equal\"");
    let edited = match edited == share {
        true => share.replace("\"shown\"", "\"equal\""),
        false => edited,
    };
    fs::write(folder.join("e.jsonl"), edited).unwrap();
    let found = out(folder, &["merge", "e.jsonl"], 2);
    assert!(
        found.contains("it was changed after it was written"),
        "{found}"
    );
    let resume = ["--shard", "0/30", "--resume", "e.jsonl"];
    out(folder, &[&request[..], &resume].concat(), 2);
    out(folder, &["merge", "0.jsonl"], 3);
}

/// Names of tables stand for one thing, and what is no file is not read.
#[test]
fn tables_with_names_that_are_taken_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("lab")).unwrap();
    let row = |name: &str| {
        format!(
            "[[row]]\nname = ['{name}']\nmodel = 'fda:K=4,in=f16'\nevidence = ['recorded: us']\n"
        )
    };
    let head = "arch = 'lab'\ntitle = 'Core of our lab'\n";
    let table =
        |text: &str| fs::write(folder.join("lab/lab.toml"), format!("{head}{text}")).unwrap();
    let models = ["--tables", "lab", "models", "lab"];
    table(&row("A"));
    out(folder, &models, 0);
    for (text, said) in [
        (row("A") + &row("a"), "twice"),
        (row("A") + &row("B") + "alias = ['A']\n", "twice"),
        (row(""), "an empty one"),
        (
            format!("gpus = ['H100']\n{}", row("A")),
            "which stands for hopper",
        ),
    ] {
        table(&text);
        let found = out(folder, &models, 2);
        assert!(found.contains(said), "{text}: {found}");
    }
    table(&row("A"));
    #[cfg(unix)]
    {
        let made = std::process::Command::new("mkfifo")
            .arg(folder.join("lab/x.toml"))
            .status();
        if made.is_ok_and(|status| status.success()) {
            let found = out(folder, &models, 2);
            assert!(found.contains("expected a file"), "{found}");
        }
    }
}
