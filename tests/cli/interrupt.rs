//! Ctrl-C ends a running command with exit status 3; what it has by then is good.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Ctrl-C, and the time that a program may take to end.
fn interrupt(program: &mut Child) {
    let id = program.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
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
        .args(["run", "--software", "fda:F=25"])
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
