//! Arguments that are not text: a path is a path whatever its bytes are, anything else is one error.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A name that is not UTF-8.
const NAME: &[u8] = b"v\xff\xfe.txt";

fn output(folder: &Path, args: &[&OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What a command says of itself.
fn help(folder: &Path, command: &[&str]) -> String {
    let args: Vec<&OsStr> = command.iter().chain(&["--help"]).map(OsStr::new).collect();
    String::from_utf8(output(folder, &args).stdout).unwrap()
}

/// All commands, as the help lists them.
pub(crate) fn commands(folder: &Path) -> Vec<String> {
    let help = help(folder, &[]);
    let lines = help.split("\nOptions:\n").next().unwrap().lines();
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.map(|line| line.split_whitespace().next().unwrap().to_owned());
    let names: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(names.len() > 20, "{help}");
    names
}

/// The options of a command that take a value.
fn options(folder: &Path, command: &str) -> Vec<String> {
    let help = help(folder, &[command]);
    let names = help.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("-h, ");
        let (name, value) = line.split_once(' ')?;
        (name.starts_with("--") && value.starts_with('<')).then(|| name.to_owned())
    });
    names.collect()
}

fn check(args: &[&OsStr], output: &Output) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
    assert!(error.starts_with("error: "), "{args:?}: {error}");
    assert!(!error.contains("panicked"), "{args:?}: {error}");
    if error.contains("UTF-8") {
        assert_eq!(error.lines().count(), 1, "{args:?}: {error}");
        assert!(error.contains("argument "), "{args:?}: {error}");
    }
}

/// In each place of every command, and in the place of the command.
#[test]
fn an_argument_that_is_no_text_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let odd = OsStr::from_bytes(NAME);
    let args = [odd];
    check(&args, &output(folder, &args));
    let commands = commands(folder);
    std::thread::scope(|scope| {
        for some in commands.chunks(commands.len().div_ceil(2)) {
            scope.spawn(move || {
                for command in some {
                    let mut all: Vec<Vec<OsString>> = vec![vec![odd.into()]];
                    let behind = |option: String| vec![option.into(), odd.into(), odd.into()];
                    all.extend(options(folder, command).into_iter().map(behind));
                    for args in &all {
                        let args: Vec<&OsStr> = std::iter::once(OsStr::new(command))
                            .chain(args.iter().map(OsString::as_os_str))
                            .collect();
                        check(&args, &output(folder, &args));
                    }
                }
            });
        }
    });
    // With --json the error is an object.
    let args = [OsStr::new("prove"), odd, OsStr::new("--json")];
    let said = output(folder, &args);
    assert_eq!((said.status.code(), &said.stderr[..]), (Some(2), &b""[..]));
    let object: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    let expected =
        "expected arguments in UTF-8, but for paths, found argument 2, `v\u{fffd}\u{fffd}.txt`";
    assert_eq!(object["error"], expected);
}

/// What is written to such a path is read from it.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_text_is_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let odd = OsStr::from_bytes(NAME);
    let text = OsStr::new;
    let written = output(
        folder,
        &[
            text("gen"),
            text("fda"),
            text("--count"),
            text("5"),
            text("--out"),
            odd,
        ],
    );
    assert_eq!(written.status.code(), Some(0), "{written:?}");
    assert!(folder.join(odd).exists());
    for (args, expected) in [
        (&["check", "fda"][..], "5 passed, 0 failed"),
        (&["check", "fda", "--json"], "\"passed\": 5"),
        (
            &["identify", "--model", "fda", "--model", "fda:F=9"],
            "5 results",
        ),
        (&["eval", "fda", "--vectors"], "3"),
        (
            &["separate", "fda", "fda:F=9", "--out"],
            "1 input tells all of them apart",
        ),
    ] {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).chain([odd]).collect();
        let said = output(folder, &args);
        let shown = String::from_utf8(said.stdout).unwrap();
        assert!(shown.contains(expected), "{args:?}: {shown}");
        assert_eq!(said.stderr, b"", "{args:?}");
    }
}
