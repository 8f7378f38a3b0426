//! The clients in `examples/` that are not Rust, as their users run them.

use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Standard output of a command that succeeds, with the program on its PATH.
fn output(command: &mut Command) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_mmasmt")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output = command.env("PATH", path).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_client_in_python_asks_and_evaluates() {
    let out = output(Command::new("python3").arg(format!("{ROOT}/examples/client.py")));
    assert_eq!(
        out,
        "different ['fda:F=24', 'fda:F=25']\nfda:F=24 3f800000\nfda:F=25 3f7fffff\n"
    );
}

#[test]
fn the_client_in_c_plus_plus_is_a_runner_that_passes() {
    let folder = tempfile::tempdir().unwrap();
    let client = folder.path().join("client");
    let mut compiler = Command::new("c++");
    compiler
        .args(["-std=c++20", "-O2", "-ffp-contract=off", "-o"])
        .arg(&client);
    output(compiler.arg(format!("{ROOT}/examples/client.cpp")));
    let check = ["check", "sfma:fmt=f32", "--count", "3000", "--runner"];
    let out = output(
        Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(check)
            .arg(&client),
    );
    assert!(out.contains("3000 passed, 0 failed"), "{out}");
}
