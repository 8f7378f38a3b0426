//! Commands that answer vectors: those that write too much, that die, that take finite operands alone, that fail.

use crate::vector_files::mmasmt;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::parse_inputs;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// This program as a command of the shell that answers each line as it arrives.
fn eval(model: &str) -> String {
    format!("{} eval {model} --vectors -", env!("CARGO_BIN_EXE_mmasmt"))
}

/// A program with a runner that stays alive.
fn alive(folder: &Path, command: &str, runner: &str) -> Output {
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(["--alive", "--runner", runner]);
    mmasmt(folder, &arguments)
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What asks a runner that stays.
const ASKING: [&str; 4] = [
    "check fda:K=1 --count 40",
    "probe fda:K=1 --tests T_rnd_dir",
    "run --instruction arm/bfdot.ebf0 vectors.txt",
    "identify --model fda:K=1 --model fda:K=1,F=10 --confirm 40",
];

/// Whatever is written beside one line for each input would be taken for the answer to another one.
#[test]
fn a_living_runner_that_writes_more_than_it_was_asked_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let vector = "3f800000 3f80,4000 3f80,3f80\n".repeat(8);
    std::fs::write(folder.path().join("vectors.txt"), vector).unwrap();
    for command in ASKING {
        let model = if command.starts_with("run") {
            "arm/bfdot.ebf0"
        } else {
            "fda:K=1"
        };
        // The results alone: operands beside them would tell that they are those of other inputs.
        let right = format!("{} | sed -u '/^#/!s/.* //'", eval(model));
        // Two lines for every input, a line more behind the third, a line before the first, a line behind the last.
        for runner in [
            format!("{right} | sed -u p"),
            format!("{right} | sed -u 4p"),
            format!("echo 3f800000; {right}"),
            format!("{right}; echo 3f800000"),
        ] {
            let output = alive(folder.path(), command, &runner);
            let error = errors(&output);
            assert_eq!(output.status.code(), Some(2), "{command} {runner}: {error}");
            let says_why = error.contains("expected one line for each input, found one more");
            assert!(says_why, "{command} {runner}: {error}");
        }
        // Comments are no answers.
        let chatty = format!("echo '# ready'; {right} | sed -u 's/^/# next\\n/'; echo '# done'");
        let output = alive(folder.path(), command, &chatty);
        assert_ne!(
            output.status.code(),
            Some(2),
            "{command}: {}",
            errors(&output)
        );
    }
}

/// What a runner says before it dies is what a person needs to know.
#[test]
fn a_runner_that_dies_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let noise = "i=0; while [ $i -lt 2000 ]; do echo \"warning $i\" >&2; i=$((i+1)); done; ";
    for (runner, words) in [
        (
            "echo no GPU here >&2; exit 7",
            ["exit status: 7", "no GPU here"],
        ),
        (
            "read line; echo 00000000; echo device lost >&2; exit 7",
            ["exit status: 7", "device lost"],
        ),
        (
            &format!("{noise} echo out of memory >&2; exit 7"),
            ["exit status: 7", "out of memory"],
        ),
        (
            "read line; printf 'error 700'; exit 7",
            ["exit status: 7", "error 700"],
        ),
        ("echo gone >&2; kill -9 $$", ["signal: 9", "gone"]),
    ] {
        for command in &ASKING[..2] {
            let output = alive(folder.path(), command, runner);
            let error = errors(&output);
            assert_eq!(output.status.code(), Some(2), "{command} {runner}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
            for word in words {
                assert!(error.contains(word), "{command} {runner}: {error}");
            }
        }
    }
}

/// Whether all operands of the vectors that a runner was given, or that were recorded, are finite.
fn are_finite(path: &Path, model: &Model) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let inputs: Vec<_> = lines
        .map(|line| parse_inputs(line, 1, model).unwrap())
        .collect();
    assert!(inputs.len() >= 100, "{}", inputs.len());
    inputs
        .iter()
        .all(|inputs| inputs.is_finite(&model.signature()))
}

/// A design for finite operands is asked for nothing else, unless that is wanted.
#[test]
fn operands_are_finite_unless_specials_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["fda:K=4", "fda:K=32,in=e4m3", "gdfs", "ieee:in=f32,K=2"] {
        let model = Model::parse(name).unwrap();
        let runner = format!("tee seen | {}", eval(name));
        for specials in [false, true] {
            let option: &[&str] = if specials { &["--specials"] } else { &[] };
            let check = ["check", name, "--count", "600", "--runner", &runner];
            let output = mmasmt(folder.path(), &[&check, option].concat());
            assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
            let seen = folder.path().join("seen");
            assert_eq!(are_finite(&seen, &model), !specials, "check {name}");

            let identify = [
                "identify",
                &format!("model:{name}"),
                "--model",
                name,
                "--confirm",
                "600",
                "--record",
                "asked.txt",
            ];
            let output = mmasmt(folder.path(), &[&identify, option].concat());
            assert_eq!(output.status.code(), Some(0), "{}", errors(&output));
            let asked = folder.path().join("asked.txt");
            assert_eq!(are_finite(&asked, &model), !specials, "identify {name}");
            let confirmed = if specials {
                " inputs of all kinds"
            } else {
                " finite inputs of all kinds"
            };
            assert!(printed(&output).contains(confirmed), "{}", printed(&output));
        }
    }
}

/// The first failures are shown with their operands, and of which kind the inputs are that fail.
#[test]
fn failures_are_shown_without_being_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let runner = eval("fda:F=22");
    let arguments = ["check", "fda:F=24", "--count", "1000", "--runner", &runner];
    let output = mmasmt(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    let text = printed(&output);
    let json = mmasmt(folder.path(), &[&arguments[..], &["--json"]].concat());
    let value: Value = serde_json::from_slice(&json.stdout).unwrap();
    let failed = value["failed"].as_u64().unwrap();
    assert!(failed > 20);
    assert_eq!(text.matches("  as a line: ").count(), 3, "{text}");
    assert_eq!(value["failures"].as_array().unwrap().len(), 3);
    assert!(text.contains(&format!("and {} more", failed - 3)), "{text}");
    // Kinds take turns.
    let kinds = value["kinds"].as_array().unwrap();
    let sum = |key: &str| {
        kinds
            .iter()
            .map(|kind| kind[key].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!([sum("failed"), sum("passed")], [failed, 1000 - failed]);
    let names: Vec<_> = kinds
        .iter()
        .map(|kind| kind["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["finite", "close", "cancel", "edge", "feature", "random"]
    );
    for kind in kinds {
        let of = kind["failed"].as_u64().unwrap() + kind["passed"].as_u64().unwrap();
        assert!([166, 167].contains(&of), "{kind}");
        let said = format!(
            "{} of {of} {}",
            kind["failed"],
            kind["kind"].as_str().unwrap()
        );
        assert!(text.contains(&said), "{said}: {text}");
    }
}

/// A machine that answers is an argument, and its operands need not be given where the tables know them.
#[test]
fn a_machine_is_an_argument() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("v.txt"), "00000000 3c00 3c00\n").unwrap();
    let command = format!("run:{}", eval("fda:K=1"));
    let machines = [command.as_str(), "model:fda:K=1"];
    for machine in machines {
        let asked: [&[&str]; 4] = [
            &["check", "fda:K=1", machine, "--count", "60"],
            &["run", machine, "--instruction", "fda:K=1", "v.txt"],
            &["probe", "fda:K=1", machine, "--tests", "T_rnd_dir"],
            &[
                "identify",
                machine,
                "--model",
                "fda:K=1",
                "--model",
                "fda:K=1,F=10",
                "--confirm",
                "40",
            ],
        ];
        for arguments in asked {
            let output = mmasmt(folder, arguments);
            assert!(
                output.status.success(),
                "{arguments:?}: {}",
                errors(&output)
            );
        }
    }
    // Nothing else says what the operands are.
    let learned = [
        "learn",
        "model:fda:K=1,in=bf16",
        "--questions",
        "20",
        "--time",
        "5s",
    ];
    let learned = mmasmt(folder, &learned);
    assert_eq!(learned.status.code(), Some(3), "{}", errors(&learned));
    let probed = mmasmt(
        folder,
        &["probe", "model:fda:K=1,in=bf16", "--tests", "T_rnd_dir"],
    );
    assert!(probed.status.success(), "{}", errors(&probed));
    for (line, expected) in [
        (
            "check fda:K=2 model:fda:K=1",
            "`model:fda:K=1`: expected a machine of 2 products",
        ),
        (
            "check fda:K=1 gpu:fda",
            "expected gpu:NUMBER:ARCH/INSTRUCTION",
        ),
        ("check fda:K=1 cpu:nosuch", "expected ARCH/INSTRUCTION"),
        (
            "check fda:K=1 model:fda:K=1 --alive",
            "--alive is for a command",
        ),
        ("learn run:cat", "expected --signature"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = mmasmt(folder, &words);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(
            errors(&output).contains(expected),
            "{line}: {}",
            errors(&output)
        );
    }
}

/// A machine that answers is compared by drawn inputs; equality stays unknown, and what differs is made simple.
#[test]
fn a_machine_is_distinguished_from_a_model_and_from_a_machine() {
    let folder = tempfile::tempdir().unwrap();
    let machine = format!("run:{}", eval("fda:K=2,F=24"));
    let asked = |others: &[&str]| {
        let arguments = ["distinguish", "--json"].iter().chain(others);
        let arguments: Vec<&str> = arguments.copied().collect();
        let output = mmasmt(folder.path(), &arguments);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), answer)
    };
    let few = ["--samples", "600"];
    let (status, equal) = asked(&[&[&machine[..], "fda:K=2,F=24"][..], &few].concat());
    assert_eq!((status, &equal["verdict"]), (Some(3), &"unknown".into()));
    assert_eq!(
        (&equal["asked"], &equal["differing"]),
        (&600.into(), &0.into())
    );

    let finite = ["--where", "c = 0", "--count", "2"];
    let models = [&machine[..], "fda:K=2,F=10"];
    let (status, apart) = asked(&[&models[..], &few, &finite].concat());
    assert_eq!((status, &apart["verdict"]), (Some(0), &"different".into()));
    let witnesses = apart["witnesses"].as_array().unwrap();
    assert_eq!(witnesses.len(), 2);
    for witness in witnesses {
        let line = witness["line"].as_str().unwrap();
        for (text, found) in ["fda:K=2,F=24", "fda:K=2,F=10"]
            .iter()
            .zip(witness["d"].as_array().unwrap())
        {
            let model = Model::parse(text).unwrap();
            let inputs = parse_inputs(line, 1, &model.signature()).unwrap();
            assert_eq!(inputs.c, 0, "{line}");
            let d = format!("{:08x}", model.simulator().run(&inputs));
            assert_eq!(found, &d, "{text} {line}");
        }
    }

    let other = format!("run:{}", eval("fda:K=2,F=10"));
    let operands = ["--signature", "2 products f16 x f16, c f32, result f32"];
    let (status, _) = asked(&[&[&machine[..], &other][..], &operands, &few].concat());
    assert_eq!(status, Some(0));
    for (wrong, text) in [
        (
            vec![&machine[..], &other],
            "expected --signature with the operands of two commands",
        ),
        (
            vec![&machine[..], "fda:K=2", "--largest"],
            "--largest has no use in",
        ),
        (vec!["run:false", "fda:K=2"], "failed"),
        (vec!["cpu:none", "fda:K=2"], "none"),
    ] {
        let arguments: Vec<&str> = std::iter::once("distinguish").chain(wrong).collect();
        let output = mmasmt(folder.path(), &arguments);
        let error = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.contains(text) && error.trim().lines().count() == 1,
            "{error}"
        );
    }
}
