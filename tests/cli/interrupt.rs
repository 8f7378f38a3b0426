//! Ctrl-C ends a running command with exit status 3; what it has by then is good.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ctrl-C, and the time that a program may take to end.
fn interrupt(program: &mut Child) {
    end_by("INT", program);
}

fn end_by(signal: &str, program: &mut Child) {
    let id = program.id().to_string();
    assert!(
        Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status()
            .unwrap()
            .success()
    );
    let start = Instant::now();
    while program.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            program.kill().unwrap();
            panic!("still running a minute after the interrupt");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupt_ends_a_search_with_an_unknown() {
    // Takes minutes if it is left alone.
    let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["distinguish", "exact:in=f32,K=1", "sfma:fmt=f32,K=1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&mut program);
    let output = program.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("unknown: ") && text.contains("\ninterrupted\n"),
        "{text}"
    );
}

/// Waits until something is in a file of the folder, whatever it is called until it is whole.
fn wait_for_content(folder: &Path) {
    let start = Instant::now();
    let is_written = || {
        let mut files = std::fs::read_dir(folder).unwrap();
        files.any(|file| file.unwrap().metadata().is_ok_and(|about| about.len() > 0))
    };
    while !is_written() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing written");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A file that is cut short is valid up to its last line, and says how long it is.
#[test]
fn an_interrupt_ends_a_generated_file_at_a_whole_line() {
    for name in ["vectors.txt", "vectors.txt.gz"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(["gen", "fda:K=16", "--kind", "close", "--json"])
            .args(["--count", "1000000000", "--out", path.to_str().unwrap()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_content(folder.path());
        interrupt(&mut program);
        let output = program.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["reason"], "interrupted");
        let count = said["count"].as_u64().unwrap();
        assert!(count > 0);
        let check = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(["check", "fda:K=16", path.to_str().unwrap()])
            .output()
            .unwrap();
        let text = String::from_utf8(check.stdout).unwrap();
        let end = format!("\n{count} passed, 0 failed\n");
        assert!(text.ends_with(&end), "{text}");
    }
}

/// Vectors without end run until the interrupt; what has been written passes a check.
#[test]
fn an_interrupt_ends_a_run_at_a_whole_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.txt");
    let mut source = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["gen", "fda:F=24", "--count", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["run", "model:fda:F=25"])
        .stdin(source.stdout.take().unwrap())
        .stdout(std::fs::File::create(&path).unwrap())
        .spawn()
        .unwrap();
    wait_for_content(folder.path());
    interrupt(&mut program);
    source.wait().unwrap();
    assert_eq!(program.wait().unwrap().code(), Some(3));
    let text = std::fs::read_to_string(&path).unwrap();
    let count = text.lines().filter(|line| !line.starts_with('#')).count();
    assert!(count > 0);
    assert!(text.ends_with(&format!("\n# {count} vectors: interrupted\n")));
    let check = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["check", "fda:F=25", path.to_str().unwrap()])
        .output()
        .unwrap();
    let text = String::from_utf8(check.stdout).unwrap();
    assert!(
        text.ends_with(&format!("\n{count} passed, 0 failed\n")),
        "{text}"
    );
}

/// What a program that is started does: it tells its number, and never answers.
const SILENT: &str = "echo $$ > started; exec sleep 1000";

/// A silent program that is called as a solver, in a folder of programs.
fn silent_solver(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("z3");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Z3 version 5.0.0' && exit 0\n{SILENT}\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The number of the program that was started, once it is there.
fn started(folder: &Path) -> String {
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(folder.join("started")).unwrap_or_default();
        if text.ends_with('\n') {
            return text.trim().to_owned();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "nothing started");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn lives(id: &str) -> bool {
    let mut kill = Command::new("kill");
    let kill = kill.args(["-0", id]).stderr(Stdio::null());
    kill.status().unwrap().success()
}

/// Every command that starts programs, ended by every signal that ends it: what it started ends as well, and it says that nothing
/// is known.
#[test]
fn what_was_started_ends_with_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    silent_solver(folder);
    let vectors = folder.join("in.txt");
    std::fs::write(&vectors, "00000000 3c00 3c00\n").unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let hard = ["fda:K=2,F=24", "fda:K=2,F=24,zero=raw"];
    let commands: [&[&str]; 8] = [
        &["check", "fda", "--runner", SILENT],
        &["check", "fda", "--runner", SILENT, "--alive", "--json"],
        &["probe", "fda", "--runner", SILENT],
        &["run", "--instruction", "fda", "--runner", SILENT, "in.txt"],
        &[
            "identify", "--runner", SILENT, "--model", "fda", "--model", "fda:F=9",
        ],
        &[
            "prove",
            "order-independent",
            "fda:K=2,in=e4m3",
            "--confirm",
            "smtlib:z3",
        ],
        &["distinguish", hard[0], hard[1], "--engine", "smtlib:z3"],
        &["distinguish", hard[0], hard[1], "--solver-cmd", "z3"],
    ];
    for (number, args) in commands.iter().enumerate() {
        // All signals with the first two commands, then one after the other.
        let signals = ["INT", "TERM", "HUP"];
        let signals = if number < 2 {
            &signals[..]
        } else {
            &signals[number % 3..][..1]
        };
        for signal in signals {
            let _ = std::fs::remove_file(folder.join("started"));
            let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
                .args(*args)
                .current_dir(folder)
                .env("PATH", &path)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let id = started(folder);
            assert!(lives(&id));
            end_by(signal, &mut program);
            let output = program.wait_with_output().unwrap();
            let [text, error] =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(
                output.status.code(),
                Some(3),
                "{signal} {args:?}: {text}{error}"
            );
            assert!(
                text.contains("interrupted"),
                "{signal} {args:?}: {text}{error}"
            );
            assert!(!lives(&id), "{signal} {args:?}");
        }
    }
}

/// A command that has nothing to keep ends as well, with the same status.
#[test]
fn a_command_that_waits_for_its_input_is_interrupted() {
    for args in [&["check", "fda", "-"][..], &["check", "fda", "-", "--json"]] {
        for signal in ["INT", "TERM", "HUP"] {
            let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
                .args(args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let input = program.stdin.take();
            std::thread::sleep(Duration::from_millis(300));
            end_by(signal, &mut program);
            drop(input);
            let output = program.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(3), "{signal}");
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains("interrupted"), "{signal} {args:?}: {text}");
        }
    }
}

/// One that is silent is given up in the time that it has, and what came before stays.
#[test]
fn a_runner_that_is_silent_is_given_up() {
    let limit = ["--runner-timeout", "0.3"];
    for (args, expected) in [
        (
            &["check", "fda", "--runner", "exec sleep 1000"][..],
            "timed out after 0.",
        ),
        (
            &["check", "fda", "--runner", "exec sleep 1000", "--alive"],
            "timed out after 0.",
        ),
        (
            &["probe", "fda", "--runner", "exec sleep 1000"],
            "timed out after 0.",
        ),
        (
            &["run", "--instruction", "fda", "--runner", "exec sleep 1000"],
            "timed out after 0.",
        ),
        (
            &[
                "identify",
                "--model",
                "fda",
                "--model",
                "fda:F=9",
                "--runner",
                "exec sleep 1000",
            ],
            "time limit reached while the machine was asked",
        ),
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(args)
            .args(limit)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = program.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, b"00000000 3c00 3c00\n").unwrap();
        drop(input);
        let output = program.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}: {text}");
        assert!(text.contains(expected), "{args:?}: {text}");
    }
    // It may take longer for all of them than for one.
    let slow = "while read x; do sleep 0.2; echo 00000000; done";
    let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["check", "fda", "--count", "4", "--runner", slow, "--alive"])
        .args(["--runner-timeout", "0.7"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" passed, "), "{text}");
}
