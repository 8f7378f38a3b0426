//! Ctrl-C ends a running search with exit status 3 and says so.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn an_interrupt_ends_a_search_with_an_unknown() {
    // Takes minutes if it is left alone.
    let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args([
            "distinguish",
            "fda:K=64,F=25,emin=-133,in=bf16",
            "fda:K=64,F=25,in=bf16",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
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
            panic!("still searching a minute after the interrupt");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = program.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("unknown: ") && text.contains("\ninterrupted\n"),
        "{text}"
    );
}
