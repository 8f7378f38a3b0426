//! Every option that is given is used or refused: with a value that is wrong, no command in any of its ways succeeds.

use std::path::Path;
use std::process::{Command, Stdio};

const MMASMT: &str = env!("CARGO_BIN_EXE_mmasmt");

/// Command lines, one for each way in which a command works; `A` and `B` are models, `V` is a file of vectors.
const LINES: [&str; 51] = [
    "distinguish A B",
    "distinguish A run:cat --samples 10",
    "distinguish V100 A100 --time 1s",
    "diff V100 A100 --samples 10 --time 1s",
    "agree A B --time 2s",
    "agree V100 A100 --time 1s",
    "atlas A B --lengths 1 --solved 1",
    "atlas --from none.jsonl",
    "prove faithful A",
    "prove no-negative-zero",
    "prove --list",
    "prove --all --shard 90/200",
    "prove no-negative-zero A --sample 10",
    "prove no-negative-zero A --domains --time 2s",
    "prove --claim claim.smt2 --function f=A",
    "least F faithful fda:K=1 --time 2s",
    "worst A --time 1s",
    "tolerance fda:K=4 --k 16 --samples 10 --elements 10",
    "tolerance fda:K=4 --matrices a.npy,b.npy",
    "compare A B --samples 10 --lengths 1",
    "compare markidis --on V100 --samples 10 --lengths 4",
    "compare V100 A100 --samples 10 --time 1s",
    "compare A --bias --samples 10",
    "eval A --a 1 --b 1 --c 1",
    "eval A --vectors V",
    "explain A --a 1 --b 1 --c 1",
    "check A V",
    "check --recorded",
    "check --index none.tsv",
    "check A --runner cat",
    "probe A --tests T_sa",
    "probe --table fttn",
    "probe A --inputs",
    "probe A --results V",
    "gen A --count 2",
    "gen A --count 2 --shard 0/2",
    "separate A B",
    "mutants fda:K=1,in=e2m1,F=4 --pair-timeout 1s",
    "identify V --model A",
    "identify model:A --model A --model B",
    "learn model:A --questions 10 --time 1s",
    "learn V --time 1s",
    "run --list",
    "run V model:A",
    "run --emit-ptx --instruction A100/HMMA.16816.F32",
    "export A --to c --out o.c",
    "export A --to smt2 --out o.smt2",
    "export A B --to btor2 --out o.btor2",
    "export A --to verilog --out o.v",
    "models volta",
    "bench A --each 10ms",
];

/// A value that is wrong wherever an option takes such a value; `None` if every value is right somewhere.
fn wrong_value(of: &str) -> Option<&'static str> {
    Some(match of {
        "<DOMAIN>"
        | "<MODEL>"
        | "<NUMBERS>"
        | "<NUMBERS|A,B>"
        | "<VARIANT>"
        | "<KIND>"
        | "<TEXT>"
        | "<DEVICE>"
        | "<exact|f64|MODEL>"
        | "<ARCH/INSTRUCTION|ARCH,...>"
        | "<NAME,...>"
        | "<FORMAT>"
        | "<PAPER>"
        | "<FORMAT[,RESULT]>"
        | "<MEASURE>"
        | "<TREE>"
        | "<VERDICT>"
        | "<FEATURES>"
        | "<PORTS>"
        | "<X,Y,...>"
        | "<X>"
        | "<A,B[,C]>"
        | "<X[,C]>" => "nonsense",
        "<FILE>" | "<FILE.json>" | "<FILE.npz>" | "<FILE.svg>" | "<INDEX>" | "<TABLE>"
        | "<COMMAND>" => "/no/such/folder/file.npz",
        "<FILE:N>" => "/no/such/folder/file:1",
        "<ENGINE>" => "smtlib:nosuch",
        "<NAME=MODEL>" => "f=nonsense",
        "<NAME=VALUE>" => "nonsense=1",
        "<RANGES>" => "nonsense=1..2",
        "<I/N>" => "9/3",
        "<TIME>" => "1 fortnight",
        _ => return None,
    })
}

fn run(folder: &Path, line: &[&str]) -> (Option<i32>, String) {
    let run = Command::new(MMASMT)
        .args(line)
        .current_dir(folder)
        .env("MMASMT_QUIET", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (
        run.status.code(),
        String::from_utf8_lossy(&run.stderr).into_owned(),
    )
}

/// The options of a command with the names of their values, from its help.
fn options(command: &str) -> Vec<(String, String)> {
    let run = Command::new(MMASMT)
        .args([command, "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(run.stdout).unwrap();
    let lines = help.lines().map(str::trim_start);
    let options = lines.filter_map(|line| {
        let at = line
            .find("--")
            .filter(|at| *at <= 4 && line.starts_with('-'))?;
        let mut words = line[at..].split_whitespace();
        let option = words.next()?.to_owned();
        let value = words.next().filter(|word| word.starts_with('<'))?;
        Some((option, value.to_owned()))
    });
    options.collect()
}

#[test]
fn a_wrong_value_of_any_option_is_an_error_in_every_way_of_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let models = ["fda:F=24,K=1", "fda:F=25,K=1"];
    let vectors = "00000000 3c00 3c00 3f800000\n";
    let signature = "# 1 products f16 x f16, c f32, result f32\n";
    std::fs::write(folder.join("v.txt"), format!("{signature}{vectors}")).unwrap();
    std::fs::write(folder.join("claim.smt2"), "(assert false)\n").unwrap();
    let mut taken = Vec::new();
    let mut count = 0;
    for line in LINES {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| match word {
                "A" => models[0].into(),
                "B" => models[1].into(),
                "V" => "v.txt".into(),
                "f=A" => format!("f={}", models[0]),
                other => other.into(),
            })
            .collect();
        for (option, value) in options(&words[0]) {
            let Some(wrong) = wrong_value(&value) else {
                continue;
            };
            if words.contains(&option) {
                continue;
            }
            let mut all: Vec<&str> = words.iter().map(String::as_str).collect();
            all.extend([option.as_str(), wrong]);
            let (status, error) = run(folder, &all);
            count += 1;
            if status != Some(2) || error.is_empty() {
                taken.push(format!("{}: status {status:?}", all.join(" ")));
            }
        }
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
    assert!(count > 300, "{count}");
}

#[test]
fn an_option_of_another_way_is_refused_and_says_whose_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for (line, expected) in [
        (
            "distinguish H100 A100 --proof p.drat",
            "error: --proof has no use in `distinguish MACHINE MACHINE`: it goes with `distinguish MODEL MODEL`",
        ),
        (
            "compare H100 A100 --svg c.svg",
            "error: --svg has no use in `compare MACHINE MACHINE`: it goes with `compare --bias`, `compare SCHEME…`",
        ),
        (
            "prove no-negative-zero --where nonsense",
            "error: --where has no use in `prove QUERY`: it goes with `prove --sample`, `prove --domains`, `prove PROPERTY MODEL`",
        ),
        (
            "export fda:F=24 --to smt2 --out x.smt2 --ports packed",
            "error: --ports has no use in `export --to smt2`",
        ),
        (
            "prove --claim y.smt2 --function f=fda:F=24 --where c=0",
            "error: --where has no use in `prove --claim`",
        ),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let (status, error) = run(folder.path(), &words);
        assert_eq!(status, Some(2), "{line}");
        assert!(error.starts_with(expected), "{line}: {error}");
        assert_eq!(error.lines().count(), 1, "{line}: {error}");
    }
    let (status, _) = run(folder.path(), &["completions", "bash", "--json"]);
    assert_eq!(status, Some(2));
}

/// Former names go on to work, with a note.
#[test]
fn former_names_of_options_mean_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let prove = ["prove", "faithful", "fda:K=1,F=30,in=e2m1"];
    let [(status, error), (as_now, silent)] = [["--assume", "--timeout"], ["--where", "--time"]]
        .map(|[domain, time]| {
            let more = [domain, "c = 0", time, "20s"];
            run(folder.path(), &[&prove[..], &more].concat())
        });
    assert_eq!(status, as_now);
    assert_eq!(silent, "");
    for (former, name) in [("assume", "--where"), ("timeout", "--time")] {
        let note = format!("note: --{former} is {name} now");
        assert!(error.contains(&note), "{error}");
    }
    for (before, now, is_same) in [
        (
            &[
                "learn",
                "--hidden",
                "fda:K=1,in=e2m1,F=4",
                "--questions",
                "10",
            ][..],
            &["learn", "model:fda:K=1,in=e2m1,F=4", "--questions", "10"][..],
            true,
        ),
        (
            &["probe", "x86/vpmaddwd", "--device", "cpu"],
            &["probe", "cpu:x86/vpmaddwd"],
            true,
        ),
        // The product of matrices has an option of this name.
        (
            &["matmul", "a", "b", "--on", "fda", "--device", "cpu"],
            &["matmul", "a", "b", "--on", "fda"],
            false,
        ),
    ] {
        let [(status, error), (as_now, silent)] =
            [before, now].map(|words| run(folder.path(), words));
        assert_eq!(status, as_now, "{before:?}: {error}");
        assert!(!silent.contains("now, and goes with"), "{silent}");
        assert_eq!(error.contains("now, and goes with"), is_same, "{error}");
    }
}
