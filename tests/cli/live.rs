//! `eval --vectors -` and `run` as co-processes: a line in, a line out, while both ends stay open.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The line after each of `asked`, each asked once the one before is answered.
fn dialogue(arguments: &[&str], head: usize, asked: &[&str]) -> Vec<String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = program.stdin.take().unwrap();
    let from = BufReader::new(program.stdout.take().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || {
        from.lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    let next = || {
        lines
            .recv_timeout(Duration::from_secs(20))
            .expect("an answer at once")
    };
    let mut answers = Vec::new();
    for (number, line) in asked.iter().enumerate() {
        writeln!(to, "{line}").unwrap();
        if number == 0 {
            (0..head).for_each(|_| drop(next()));
        }
        answers.push(next());
    }
    drop(to);
    assert!(program.wait().unwrap().success());
    answers
}

#[test]
fn each_line_is_answered_before_the_next_is_asked() {
    let asked = [
        "00000000 3c00 3c00",
        "3f800000 4000 4000",
        "00000000 0000 3c00",
    ];
    let results = ["3f800000", "40a00000", "00000000"];
    for (arguments, head) in [
        (&["eval", "fda:K=1", "--vectors", "-"][..], 1),
        (&["run", "model:fda:K=1"][..], 3),
    ] {
        let answers = dialogue(arguments, head, &asked);
        let expected = asked
            .iter()
            .zip(results)
            .map(|(line, d)| format!("{line} {d}"));
        assert_eq!(answers, expected.collect::<Vec<_>>(), "{arguments:?}");
    }
}

#[test]
fn json_lines_are_answered_one_by_one_too() {
    let asked = ["{\"c\":\"00000000\",\"a\":[\"3c00\"],\"b\":[\"4000\"]}"];
    let answers = dialogue(&["eval", "fda:K=1", "--vectors", "-", "--json"], 1, &asked);
    let answer: serde_json::Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!(answer["d"][0], "40000000");
}

#[test]
fn a_runner_is_checked_in_one_command() {
    let program = env!("CARGO_BIN_EXE_mmasmt");
    let check = |runner: &str| {
        let arguments = [
            "check", "fda:F=24", "--runner", runner, "--count", "3000", "--show", "1",
        ];
        let output = Command::new(program).args(arguments).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (status, out) = check(&format!("{program} eval fda:F=24 --vectors -"));
    assert_eq!(status, Some(0), "{out}");
    assert!(out.contains("3000 passed, 0 failed"), "{out}");
    let (status, out) = check(&format!("{program} eval fda:F=23 --vectors -"));
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("as a line: "), "{out}");
}
