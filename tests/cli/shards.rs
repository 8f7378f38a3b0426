//! Work in shares: put together it is the same bytes, whatever the number of shares was and wherever one was ended.

use crate::setting::by_day;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Requests of every command with shares; each takes a second or so.
const REQUESTS: [&[&str]; 6] = [
    &["prove", "canonical-nan"],
    &[
        "gen", "fda:F=24", "fda:F=25", "--kind", "close", "--count", "20000", "--where", "finite",
    ],
    &["mutants", "fda:K=2,in=e2m1,F=6"],
    &[
        "check",
        "fda:F=23,K=4",
        "one.txt",
        "two.txt",
        "three.txt",
        "four.txt",
    ],
    &[
        "compare",
        "_",
        "markidis",
        "--on",
        "volta",
        "--lengths",
        "4",
        "--samples",
        "50",
    ],
    &[
        "atlas",
        "fda:K=1,in=e2m1,F=4",
        "fda:K=1,in=e2m1,F=5",
        "--lengths",
        "1,2",
        "--turns",
        "0",
    ],
];

/// Requests of many parts that take long.
const LONG: [&[&str]; 3] = [
    &["prove", "exact-multiplication"],
    &["mutants", "fda:F=25,K=4"],
    &[
        "atlas",
        "--formats",
        "f64",
        "--lengths",
        "16",
        "--turns",
        "0",
    ],
];

fn program(folder: &Path, arguments: &[&str], more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    command.args(arguments).args(more).current_dir(folder);
    command
}

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}

/// A folder with the vector files of the requests.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (seed, name) in ["one.txt", "two.txt", "three.txt", "four.txt"]
        .iter()
        .enumerate()
    {
        let seed = seed.to_string();
        let more = ["--count", "50", "--seed", &seed, "--out", name];
        succeeds(&mut program(folder.path(), &["gen", "fda:F=23,K=4"], &more));
    }
    folder
}

/// What the shares are together, each in a file of its own.
fn merged(folder: &Path, request: &[&str], shares: u32) -> Vec<u8> {
    // The last share first: the order of the files makes no difference.
    let names = (0..shares).rev().map(|index| {
        let name = format!("{index}-of-{shares}.jsonl");
        let shard = format!("{index}/{shares}");
        let output = succeeds(&mut program(folder, request, &["--shard", &shard]));
        std::fs::write(folder.join(&name), output.stdout).unwrap();
        name
    });
    let names: Vec<String> = names.collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    succeeds(&mut program(folder, &["merge"], &names)).stdout
}

#[test]
fn any_number_of_shares_gives_the_same_bytes() {
    let some: Vec<_> = by_day(REQUESTS.into_iter().skip(1), 2).collect();
    are_the_same_bytes(&some);
}

#[test]
#[ignore = "two minutes"]
fn any_number_of_long_shares_gives_the_same_bytes() {
    are_the_same_bytes(&LONG);
}

fn are_the_same_bytes(requests: &[&[&str]]) {
    let folder = folder();
    for request in requests {
        let whole = succeeds(&mut program(folder.path(), request, &["--shard", "0/1"])).stdout;
        assert!(whole.ends_with(b"\n"), "{request:?}");
        let merged = merged(folder.path(), request, 3);
        assert!(merged == whole, "{request:?}");
    }
}

#[test]
fn vectors_of_shares_are_read_by_check() {
    let folder = folder();
    let whole = merged(folder.path(), REQUESTS[1], 3);
    std::fs::write(folder.path().join("all.jsonl"), whole).unwrap();
    for (model, line) in [("fda:F=24", 0), ("fda:F=25", 0), ("fda:F=23", 1)] {
        let output = program(folder.path(), &["check", model, "all.jsonl"], &[])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // The results of another model are refused, or fail.
        assert_eq!(
            output.status.code() == Some(0),
            line == 0,
            "{model}: {text}"
        );
        assert!(
            line == 1 || text.contains("20000 passed, 0 failed"),
            "{text}"
        );
    }
}

/// Killed at random, twenty times, at whatever place: what is there is gone on with, and nothing is lost.
#[test]
fn killed_shares_are_gone_on_with() {
    let folder = folder();
    let request = [
        "gen", "fda:F=24", "fda:F=25", "--kind", "edge", "--count", "60000",
    ];
    let whole = succeeds(&mut program(folder.path(), &request, &["--shard", "0/1"])).stdout;
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut killed = 0;
    let mut done = [false; 2];
    while killed < 10 || done.contains(&false) {
        for (index, done) in done.iter_mut().enumerate() {
            let (shard, name) = (format!("{index}/2"), format!("part-{index}.jsonl"));
            let more = ["--shard", &shard, "--resume", &name];
            let mut command = program(folder.path(), &request, &more);
            let mut running = command.stderr(Stdio::null()).spawn().unwrap();
            if killed < 10 {
                std::thread::sleep(Duration::from_millis(rng.random_range(0..60)));
                running.kill().unwrap();
                killed += 1;
            }
            *done = running.wait().unwrap().success();
        }
    }
    let parts = ["part-0.jsonl", "part-1.jsonl"];
    let merged = succeeds(&mut program(folder.path(), &["merge"], &parts)).stdout;
    assert!(merged == whole);
}

#[test]
fn sigterm_ends_whole_lines_and_says_what_is_open() {
    let folder = folder();
    let request = ["gen", "fda:F=25,K=16", "--count", "50000000"];
    let more = ["--shard", "1/2", "--resume", "part.jsonl"];
    let mut command = program(folder.path(), &request, &more);
    let running = command.stderr(Stdio::piped()).spawn().unwrap();
    let part = folder.path().join("part.jsonl");
    while part.metadata().map_or(0, |part| part.len()) < 10_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(running.id() as i32), Signal::SIGTERM).unwrap();
    let output = running.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(
        error.contains("interrupted: ") && error.contains("of share 1/2 are open: "),
        "{error}"
    );
    assert!(std::fs::read(part).unwrap().ends_with(b"}\n"));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = folder();
    let path = folder.path();
    let share = |name: &str, request: &[&str], shard: &str| {
        let output = succeeds(&mut program(path, request, &["--shard", shard]));
        std::fs::write(path.join(name), output.stdout).unwrap();
    };
    let seed = ["mutants", "fda:K=2,in=e2m1,F=6", "--seed", "1"];
    share("0.jsonl", REQUESTS[2], "0/3");
    share("1.jsonl", REQUESTS[2], "1/3");
    share("2.jsonl", REQUESTS[2], "2/3");
    share("other.jsonl", &seed, "2/3");
    let text = std::fs::read_to_string(path.join("2.jsonl")).unwrap();
    let later = text.replacen(
        concat!("mmasmt ", env!("CARGO_PKG_VERSION")),
        "mmasmt 99.0.0",
        1,
    );
    std::fs::write(path.join("later.jsonl"), later).unwrap();
    std::fs::write(path.join("cut.jsonl"), &text[..text.len() - 5]).unwrap();
    std::fs::write(path.join("none.jsonl"), "c a b d\n").unwrap();
    for (files, status, said) in [
        (&["0.jsonl", "1.jsonl", "2.jsonl"][..], 0, ""),
        (&["0.jsonl", "1.jsonl"], 3, "are missing: 2, 5, 8"),
        (&["0.jsonl", "1.jsonl", "cut.jsonl"], 3, "1 are missing: "),
        (
            &["0.jsonl", "1.jsonl", "2.jsonl", "1.jsonl"],
            2,
            "item 1 is in 1.jsonl and again in 1.jsonl",
        ),
        (
            &["0.jsonl", "1.jsonl", "other.jsonl"],
            2,
            "other.jsonl: expected seed 0, found 1, unlike 0.jsonl",
        ),
        (
            &["0.jsonl", "1.jsonl", "later.jsonl"],
            2,
            "found mmasmt 99.0.0, unlike 0.jsonl",
        ),
        (
            &["0.jsonl", "none.jsonl"],
            2,
            "none.jsonl: line 1: expected the first line of a share",
        ),
        (&["0.jsonl", "absent.jsonl"], 2, "absent.jsonl"),
    ] {
        let output = program(path, &["merge"], files).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{files:?}: {error}");
        assert!(error.contains(said), "{files:?}: {error}");
        assert_eq!(error.lines().count(), usize::from(status != 0), "{error}");
        assert_eq!(output.stdout.is_empty(), status != 0, "{files:?}");
    }
    for (more, said) in [
        (
            &["--shard", "1/3", "--resume", "0.jsonl"][..],
            "0.jsonl: line 1: expected shard 1/3, found 0/3",
        ),
        (
            &["--shard", "0/3", "--seed", "2", "--resume", "0.jsonl"],
            "0.jsonl: line 1: expected seed 2, found 0",
        ),
        (
            &["--shard", "3/3"],
            "expected a share I/N with I from 0 to N - 1",
        ),
        (
            &["--shard", "0/1", "--out", "x"],
            "--out has no use in `mutants --shard`",
        ),
    ] {
        let output = program(path, REQUESTS[2], more).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}: {error}");
        assert!(error.contains(said), "{more:?}: {error}");
    }
}

/// Two processes that write to one file, as a job that is queued again while it runs, would leave items twice.
#[test]
fn a_file_that_another_process_writes_to_is_refused() {
    let folder = folder();
    let request = ["gen", "fda:F=25,K=16", "--count", "50000000"];
    let more = ["--shard", "1/2", "--resume", "part.jsonl"];
    let mut running = program(folder.path(), &request, &more).spawn().unwrap();
    let part = folder.path().join("part.jsonl");
    while part.metadata().map_or(0, |part| part.len()) < 10_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = program(folder.path(), &request, &more).output().unwrap();
    running.kill().unwrap();
    running.wait().unwrap();
    let error = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(2), "{error}");
    assert!(
        error.contains("part.jsonl: another process writes to it"),
        "{error}"
    );
}

/// A share ends with 0 when it is done; `merge` ends as the whole command does.
#[test]
fn merge_ends_with_what_the_answers_mean() {
    let folder = folder();
    let path = folder.path();
    let vectors = [
        ("right.txt", "00000000 3c00 3c00 3f800000\n"),
        ("wrong.txt", "00000000 3c00 3c00 3f800001\n"),
    ];
    for (name, text) in vectors {
        std::fs::write(path.join(name), text).unwrap();
    }
    let query = |name: &str, expect: &str| {
        format!(
            "[[query]]\nname = '{name}'\nsource = 'this test'\nclaim = 'exact-products'\nmodels = ['fda:K=1,in=e2m1']\n\
             assume = 'finite'\nexpect = '{expect}'\ntwin = {{ claim = 'exact-products', model = 'ieee:acc=f16', assume = 'finite' }}\n"
        )
    };
    std::fs::write(
        path.join("own.toml"),
        query("one", "proved") + &query("two", "proved"),
    )
    .unwrap();
    for (request, expected) in [
        (&["check", "fda:K=1", "right.txt", "right.txt"][..], 0),
        (&["check", "fda:K=1", "right.txt", "wrong.txt"], 1),
        (&["prove", "--queries", "own.toml"], 0),
    ] {
        let names = ["0.jsonl", "1.jsonl"];
        for (index, name) in names.iter().enumerate() {
            let shard = format!("{index}/2");
            let output = succeeds(&mut program(path, request, &["--shard", &shard]));
            std::fs::write(path.join(name), output.stdout).unwrap();
        }
        let alone = program(path, request, &[]).output().unwrap();
        let merged = program(path, &["merge"], &names).output().unwrap();
        let error = String::from_utf8_lossy(&merged.stderr);
        assert_eq!(merged.status.code(), Some(expected), "{request:?}: {error}");
        assert_eq!(alone.status.code(), Some(expected), "{request:?}");
        assert_eq!(merged.stdout.split(|byte| *byte == b'\n').count(), 4);
    }
}
