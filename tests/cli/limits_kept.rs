//! Limits hold in everything that a command does, and what is too large is refused at once.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What nobody waits for: far more than a limit of two seconds, far less than these commands took
/// before they knew of limits.
const GENEROUS: Duration = Duration::from_secs(40);

/// Exit status, standard output and standard error, of a command that ends in time.
fn ended(args: &[&str]) -> (Option<i32>, String, String) {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let took = start.elapsed();
    assert!(took < GENEROUS, "{args:?} took {took:?}");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    (output.status.code(), out, err)
}

/// The time limit, however large the models are.
#[test]
fn a_time_limit_holds_while_formulas_are_built() {
    for args in [
        &["distinguish", "fda:K=65536", "fda:K=65536,F=25"][..],
        &["distinguish", "fdrda:K=65536", "fdrda:K=65536,F=25"],
        &["prove", "order-independent", "fda:K=65536"],
        &[
            "prove",
            "error=1000",
            "hopper/HMMA.16816.F32:chain=4096",
            "--no-minimize",
        ],
    ] {
        let (status, out, err) = ended(&[args, &["--time", "1"]].concat());
        assert_eq!(status, Some(3), "{args:?}: {out}{err}");
        assert!(out.starts_with("unknown: "), "{args:?}: {out}");
        assert!(out.contains("time limit reached"), "{args:?}: {out}");
        assert_eq!(err, "", "{args:?}");
    }
}

/// All values and all domains together have the time, and what none was left for is not asked.
#[test]
fn a_time_limit_holds_for_all_that_a_command_asks() {
    let least = ["least", "F", "order-independent", "fda:K=65536"];
    let (status, out, err) = ended(&[&least[..], &["--time", "1"]].concat());
    assert_eq!((status, err.as_str()), (Some(3), ""), "{out}");
    assert!(out.starts_with("unknown: "), "{out}");
    assert!(out.contains("time limit reached"), "{out}");
    let agree = ["agree", "fda:K=4096", "fda:K=4096,F=25", "--time", "1"];
    let (_, out, err) = ended(&agree);
    assert_eq!(err, "");
    assert!(
        out.contains("11 significant bits, exponents 0 to "),
        "{out}"
    );
}

/// A hard value takes half of the time at most, so that others are asked.
#[test]
fn a_hard_value_leaves_time_for_others() {
    let least = ["least", "F", "faithful", "fda:K=16", "--time", "3"];
    let (_, out, err) = ended(&least);
    assert_eq!(err, "");
    assert!(!out.contains(" 1 values asked"), "{out}");
}

#[test]
fn a_time_limit_holds_while_models_are_told_apart() {
    let (status, out, err) = ended(&["mutants", "fda:K=65536", "--time", "1s"]);
    assert_eq!((status, err.as_str()), (Some(3), ""), "{out}");
    let family = ["--family", "F=10..36", "--base", "fda:K=65536"];
    let (status, out, err) = ended(&[&["separate", "--time", "1"][..], &family].concat());
    assert_eq!((status, err.as_str()), (Some(3), ""), "{out}");
}

/// As long as candidates are made, nothing is known of them.
#[test]
fn a_time_limit_holds_while_candidates_are_made() {
    let family = "emin=-200..0,F=10..36,zero=skip|raw";
    for command in ["separate", "identify model:fda:K=65536"] {
        let mut args: Vec<&str> = command.split(' ').collect();
        args.extend(["--family", family, "--base", "fda:K=65536"]);
        args.extend(["--time", "0.5"]);
        let (status, out, err) = ended(&args);
        assert_eq!(status, Some(3), "{out}{err}");
        assert_eq!(out, "unknown: time limit reached\n");
        assert_eq!(err, "");
        let (status, out, err) = ended(&[&args[..], &["--json"]].concat());
        assert_eq!((status, err.as_str()), (Some(3), ""), "{out}");
        let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(answer["reason"], "time limit reached");
    }
}

/// A vector of a large model takes as long as a thousand of a small one.
#[test]
fn a_time_limit_holds_while_vectors_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors.txt");
    let large = ["fda:K=65536", "fda:K=65536,F=25"];
    for kind in ["edge", "discriminating"] {
        let rest = ["--kind", kind, "--count", "100000", "--time", "1"];
        let to = ["--out", path.to_str().unwrap()];
        let (status, out, err) = ended(&[&["gen"][..], &large, &rest, &to].concat());
        assert_eq!((status, err.as_str()), (Some(3), ""), "{kind}: {out}");
    }
}

#[test]
fn a_model_of_too_many_products_is_refused_at_once() {
    for command in ["eval", "prove no-negative-zero", "distinguish fda:K=4"] {
        let mut args: Vec<&str> = command.split(' ').collect();
        args.push("fda:K=65536,chain=4096");
        let (status, out, err) = ended(&args);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{args:?}: {err}");
        assert!(err.contains("K * chain of at most 1048576"), "{err}");
    }
}

/// Candidates that take other inputs are refused when the first of them is made.
#[test]
fn what_does_not_fit_is_refused_at_once() {
    let (status, out, err) = ended(&["separate", "--family", "K=1..65536", "--base", "fda:K=4"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(
        err.starts_with("error: expected models that take the same inputs: `fda:K=4` has "),
        "{err}"
    );
}

#[test]
fn a_memory_limit_holds() {
    for args in [
        &["distinguish", "fda:K=4096", "fda:K=4096,F=25,zero=raw"][..],
        &["prove", "order-independent", "gps:K=1024"],
    ] {
        let (status, out, err) = ended(&[args, &["--memory", "1M", "--time", "30"]].concat());
        assert_eq!((status, err.as_str()), (Some(3), ""), "{args:?}: {out}");
        assert!(out.starts_with("unknown: "), "{out}");
        assert!(out.contains("memory limit reached"), "{out}");
    }
    // As much as it needs.
    let (status, ..) = ended(&["distinguish", "fda:F=24", "fda:F=25", "--memory", "512M"]);
    assert_eq!(status, Some(0));
    let (status, _, err) = ended(&["distinguish", "fda", "fda", "--memory", "much"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("expected bytes, like 512M or 4G, found `much`"));
}

/// What a machine was asked is kept, and is little of small models only.
#[test]
fn a_memory_limit_holds_while_a_machine_is_asked() {
    let family = ["--family", "F=24|25", "--base", "fda:K=256"];
    let asked = ["identify", "model:fda:K=256"];
    let (status, out, err) = ended(&[&asked[..], &family, &["--memory", "16M"]].concat());
    assert_eq!((status, err.as_str()), (Some(3), ""), "{out}");
    assert!(out.contains("memory limit reached"), "{out}");
}

/// The clauses and texts that are written need memory as well.
#[test]
fn a_memory_limit_holds_while_files_are_made() {
    let folder = tempfile::tempdir().unwrap();
    for option in ["--dump-cnf", "--dump-smt"] {
        let path = folder.path().join("question");
        let (status, out, err) = ended(&[
            "prove",
            "no-negative-zero",
            "fda:K=256",
            "--plain",
            option,
            path.to_str().unwrap(),
            "--memory",
            "1M",
        ]);
        assert_eq!((status, err.as_str()), (Some(3), ""), "{option}: {out}");
        assert_eq!(out, "unknown: memory limit reached\n");
    }
}

/// Nothing is drawn where nobody looks.
#[test]
fn there_is_no_progress_line_in_a_pipe() {
    let slow = ["distinguish", "exact:in=f32,K=1", "sfma:fmt=f32,K=1"];
    let (status, _, err) = ended(&[&slow[..], &["--time", "2"]].concat());
    assert_eq!((status, err.as_str()), (Some(3), ""));
}

/// What a command writes to a terminal, which `script` plays; nothing without that program.
#[cfg(target_os = "linux")]
fn on_a_terminal(command: &str) -> Option<String> {
    let typescript = tempfile::NamedTempFile::new().unwrap();
    let whole = format!("{} {command}", env!("CARGO_BIN_EXE_mmasmt"));
    let ran = Command::new("script")
        .args(["-q", "-e", "-c", &whole])
        .arg(typescript.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    if ran.is_err() {
        println!("skipped: no `script` on PATH");
        return None;
    }
    Some(String::from_utf8_lossy(&std::fs::read(typescript.path()).unwrap()).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_on_a_terminal_says_what_is_done_and_goes_away() {
    let slow = "distinguish exact:in=f32,K=1 sfma:fmt=f32,K=1 --time 3";
    let Some(shown) = on_a_terminal(slow) else {
        return;
    };
    let line = shown.find("exact:in=f32,K=1 and sfma:fmt=f32,K=1: ");
    let answer = shown.find("time limit reached");
    assert!(line.is_some() && line < answer, "{shown:?}");
    // It is cleared before the answer.
    let answer = shown.find("unknown: ").unwrap();
    assert!(
        shown[..answer]
            .trim_end_matches('\r')
            .ends_with("\u{1b}[2K"),
        "{shown:?}"
    );
    let quiet = on_a_terminal(&format!("{slow} --quiet")).unwrap();
    assert!(
        !quiet.contains("searching") && !quiet.contains('\u{1b}'),
        "{quiet:?}"
    );
}

/// Draws of ordinary operands are counted, so that a short time hides no difference that they find.
#[test]
fn a_difference_that_is_drawn_is_shown_however_little_time_there_is() {
    for machines in [["V100", "A100"], ["H100", "RTX 4090"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(["diff", machines[0], machines[1], "--time", "1ms", "--json"])
            .output()
            .unwrap();
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let lines = object["lines"].as_array().unwrap();
        assert!(!lines.is_empty());
        for line in lines.iter().filter(|line| !line["drawn"].is_null()) {
            assert_eq!(line["drawn"]["samples"], 2000, "{line}");
            if line["drawn"]["different"] != 0 {
                assert_eq!(line["verdict"], "different", "{line}");
                assert_eq!(line["ordinary"], true, "{line}");
                assert_eq!(line["witnesses"].as_array().unwrap().len(), 1, "{line}");
            }
        }
        assert!(
            lines.iter().any(|line| line["verdict"] == "different"),
            "{machines:?}"
        );
    }
}
