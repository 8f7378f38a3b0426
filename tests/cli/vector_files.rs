//! Vector files as they come: compressed, with CRLF, from standard input, of many blocks, damaged.

use flate2::Compression;
use flate2::write::GzEncoder;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{check_file, unpacked};
use std::fmt::Write as _;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GOOD: &str = "3f800000 3c00,3c00 3c00,3c00 40400000\n";
const WRONG: &str = "3f800000 3c00,3c00 3c00,3c00 40400001\n";

pub(crate) fn mmasmt(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The error that a command ended with, which is all that it printed.
fn error_of(output: &Output, json: bool) -> String {
    if json {
        assert!(output.stderr.is_empty());
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        return object["error"].as_str().unwrap().to_owned();
    }
    assert!(output.stdout.is_empty());
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    let error = error.strip_prefix("error: ").unwrap();
    error.trim_end().to_owned()
}

#[test]
fn a_malformed_file_is_one_error_and_no_counts() {
    let folder = tempfile::tempdir().unwrap();
    let after = |line: &str| [GOOD.as_bytes(), line.as_bytes()].concat();
    let mut cut = gzip(&after(GOOD));
    cut.truncate(cut.len() - 9);
    let mut damaged = gzip(&after(GOOD));
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let cases: [(&str, Vec<u8>, &str); 10] = [
        (
            "short line",
            after("3f800000 3c00,3c00 3c00\n"),
            "line 2, column 20: expected as many b as a (2), found 1",
        ),
        (
            "no result",
            after("3f800000 3c00 3c00\n"),
            "line 2, column 19: expected a space and the result d, found the end of the line: operands without a result; `mmasmt eval MODEL --vectors FILE` adds the results of a model, `mmasmt run --runner COMMAND FILE` those of a machine",
        ),
        (
            "cut in the last line",
            after("3f800000 3c00 3c00 4040"),
            "line 2, column 20: expected 8 hexadecimal digits for d, found `4040`",
        ),
        (
            "wrong width",
            after("3f80 3c00 3c00 40400000\n"),
            "line 2, column 1: expected 8 hexadecimal digits for c, found `3f80 3c00 3c00 40400`",
        ),
        (
            "too wide",
            after("3f800000 3c000 3c00 40400000\n"),
            "line 2, column 10: expected 4 hexadecimal digits for a, found `3c000 3c00 40400000`",
        ),
        (
            "wrong count",
            after("3f800000 0000,0000,0000,0000,0000 3c00 40400000\n"),
            "line 2, column 30: expected at most 4 values of a, found `0000 3c00 40400000`",
        ),
        (
            "bad digits",
            after("3f800000 3c0g 3c00 40400000\n"),
            "line 2, column 10: expected 4 hexadecimal digits for a, found `3c0g 3c00 40400000`",
        ),
        (
            "not UTF-8",
            [GOOD.as_bytes(), b"3f800000 \xff"].concat(),
            "line 2, column 10: expected text, found bytes that are not UTF-8",
        ),
        (
            "control characters",
            after("3f800000\t3c00"),
            "line 2, column 9: expected a space before a, found `\\t3c00`",
        ),
        ("cut gzip", cut, "line 3: the gzip data ends too early"),
    ];
    std::fs::write(folder.path().join("good"), GOOD).unwrap();
    for (name, bytes, expected) in cases {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        for files in [vec![name], vec!["good", name], vec![name, "good"]] {
            for json in [&[][..], &["--json"]] {
                let arguments = [&["check", "fda"], &files[..], json].concat();
                let output = mmasmt(folder.path(), &arguments);
                assert_eq!(output.status.code(), Some(2), "{name}");
                let error = error_of(&output, !json.is_empty());
                assert_eq!(error, format!("{name}, {expected}"));
            }
        }
    }
    std::fs::write(folder.path().join("damaged"), damaged).unwrap();
    let output = mmasmt(folder.path(), &["check", "fda", "good", "damaged"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn an_index_with_a_malformed_file_gives_no_counts() {
    let folder = tempfile::tempdir().unwrap();
    let line = "00000000 3c00 3c00 3f800000";
    let index = "file\tarch\tunit\tqualifier\n\
                 one.txt\tvolta\tmma\tm8n8k4.f32.f16.f16.f32\n\
                 two.txt\tvolta\tmma\tm8n8k4.f32.f16.f16.f32\n";
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("index.tsv"), index).unwrap();
    std::fs::write(path("one.txt"), line).unwrap();
    std::fs::write(path("two.txt"), format!("{line}\n{line}0")).unwrap();
    let output = mmasmt(folder.path(), &["check", "--index", "index.tsv"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: two.txt, line 2, column 20: "),
        "{error}"
    );

    std::fs::write(path("two.txt"), gzip(line.as_bytes())).unwrap();
    let output = mmasmt(folder.path(), &["check", "--index", "index.tsv"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.ends_with(b"\n2 passed, 0 failed\n"));
}

#[test]
fn a_device_runs_compressed_files() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [GOOD, WRONG].concat();
    std::fs::write(folder.path().join("in.txt"), &lines).unwrap();
    std::fs::write(folder.path().join("in.gz"), gzip(lines.as_bytes())).unwrap();
    let run = |file: &str| {
        let output = mmasmt(folder.path(), &["run", "model:fda:K=2", file]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    // A result that a line has is replaced.
    assert!(run("in.gz").ends_with(&[GOOD, GOOD].concat()));
    assert_eq!(run("in.gz"), run("in.txt"));
}

#[test]
fn compressed_files_and_standard_input_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let crlf = GOOD.replace('\n', "\r\n");
    let parts = [
        gzip(crlf.as_bytes()),
        gzip(b"# a second part\n"),
        gzip(WRONG.as_bytes()),
    ];
    std::fs::write(folder.path().join("results"), parts.concat()).unwrap();
    let output = mmasmt(folder.path(), &["check", "fda", "results", "--show", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("results: 1 passed, 1 failed  [fda]\n  line 3:\n"),
        "{text}"
    );

    let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["check", "fda", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    program
        .stdin
        .take()
        .unwrap()
        .write_all(&parts.concat())
        .unwrap();
    let output = program.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("-: 1 passed, 1 failed  [fda]\n  line 3:\n"),
        "{text}"
    );
    assert!(text.ends_with("\n1 passed, 1 failed\n"), "{text}");

    let twice = mmasmt(folder.path(), &["check", "fda", "-", "-"]);
    assert_eq!(twice.status.code(), Some(2));
}

/// Enough for many blocks of a mebibyte.
const LINES: usize = 150_000;

fn long_file(edit: impl Fn(usize) -> Option<&'static str>) -> String {
    let mut text = String::new();
    for line in 1..=LINES {
        text += edit(line).unwrap_or(if line % 7 == 0 { "# a comment\n" } else { GOOD });
    }
    text
}

#[test]
fn blocks_keep_the_order_and_the_numbers_of_lines() {
    let model = Model::parse("fda").unwrap();
    let is_wrong = |line: usize| line % 1000 == 1;
    let text = long_file(|line| is_wrong(line).then_some(WRONG));
    let expected: Vec<usize> = (1..=LINES).filter(|&line| is_wrong(line)).collect();
    for keep in [0, 1, 70, LINES] {
        let checked = check_file(&model, text.as_bytes(), keep).unwrap();
        assert_eq!(checked.failed, expected.len());
        let vectors = (1..=LINES)
            .filter(|&line| line % 7 != 0 || is_wrong(line))
            .count();
        assert_eq!(checked.passed + checked.failed, vectors);
        let lines: Vec<usize> = checked
            .failures
            .iter()
            .map(|failure| failure.line)
            .collect();
        assert_eq!(lines, expected[..keep.min(expected.len())]);
    }
}

#[test]
fn the_first_malformed_line_of_many_blocks_is_named() {
    let model = Model::parse("fda").unwrap();
    for first in [1, 50_000, 99_999, LINES] {
        let text = long_file(|line| match line {
            _ if line == first => Some("3f800000 3c00\n"),
            // Another one in a later block, that is read at the same time.
            _ if line > first && line % 3000 == 0 => Some("nothing\n"),
            _ => None,
        });
        let error = check_file(&model, text.as_bytes(), 1)
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with(&format!("line {first}, column 14: ")),
            "{error}"
        );
    }
}

/// Text that ends with an error of the system.
struct Failing<'t>(&'t [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.is_empty() {
            true => Err(std::io::Error::other("the disk is gone")),
            false => self.0.read(buffer),
        }
    }
}

#[test]
fn a_reader_that_fails_is_an_error_where_it_fails() {
    let model = Model::parse("fda").unwrap();
    let text = long_file(|_| None);
    for lines in [0, 1, 10, LINES] {
        // Whole lines, and some of the next one.
        let end = text
            .match_indices('\n')
            .map(|(at, _)| at + 1)
            .nth(lines.wrapping_sub(1));
        let whole = &text[..end.unwrap_or(0)];
        let part = [whole.as_bytes(), b"3f80"].concat();
        // A long file is read once.
        let both = [&part[..], whole.as_bytes()];
        for bytes in &both[..if lines == LINES { 1 } else { 2 }] {
            let error = check_file(&model, Failing(bytes), 1)
                .unwrap_err()
                .to_string();
            assert_eq!(error, format!("line {}: the disk is gone", lines + 1));
        }
    }
    // A malformed line before it counts for more.
    let error = check_file(&model, Failing(b"3f80\n"), 1)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 1, column 1: "), "{error}");
}

#[test]
#[ignore = "a quarter of a minute"]
fn a_file_without_an_end_of_line_does_not_fill_the_memory() {
    let model = Model::parse("fda").unwrap();
    let error = check_file(&model, std::io::repeat(b'0'), 1)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with(LONG), "{error}");
}

/// What is said of a line that no vector can be.
const LONG: &str = "line 1: expected at most 4194304 bytes, found more";

/// Every command that reads vectors, with `file` in the place of its file.
fn readers(file: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["check", "fda:K=2", file],
        vec!["eval", "fda:K=2", "--vectors", file],
        vec!["run", "model:fda:K=2", file],
        vec![
            "mutants",
            "--pair-timeout",
            "10ms",
            "--score",
            file,
            "fda:K=2",
        ],
        vec![
            "identify",
            file,
            "--model",
            "fda:K=2",
            "--model",
            "fda:K=2,F=10",
        ],
        vec!["probe", "fda:K=2", "--results", file],
    ]
}

/// A run of zeros is a small file of gzip data and a line of a hundred megabytes.
#[test]
fn a_line_that_is_unpacked_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..100 {
        encoder.write_all(&vec![b'0'; 1 << 20]).unwrap();
    }
    std::fs::write(folder.path().join("bomb"), encoder.finish().unwrap()).unwrap();
    for arguments in readers("bomb") {
        // 64 MiB of memory beside the program itself; `ulimit` counts in KiB.
        let command = format!(
            "ulimit -v 600000; exec '{}' {}",
            env!("CARGO_BIN_EXE_mmasmt"),
            arguments.join(" ")
        );
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(
            error.starts_with(&format!("error: bomb, {LONG}")),
            "{error}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// The same vectors in every file format, compressed or not, give every command the same.
#[test]
fn every_command_reads_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["v.txt", "v.jsonl", "v.npz", "v.txt.gz", "v.jsonl.gz"];
    for name in names {
        let arguments = [
            "gen", "fda:K=2", "--kind", "finite", "--count", "40", "--out", name,
        ];
        assert!(mmasmt(folder.path(), &arguments).status.success());
    }
    let packed = gzip(&std::fs::read(folder.path().join("v.npz")).unwrap());
    std::fs::write(folder.path().join("v.npz.gz"), packed).unwrap();
    let outputs = |file: &str| -> Vec<(Option<i32>, String)> {
        let outputs = readers(file).into_iter().map(|arguments| {
            let output = mmasmt(folder.path(), &arguments);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                output.stderr.is_empty(),
                "{:?}",
                String::from_utf8(output.stderr)
            );
            // The name of the file, the numbers of lines, and times are not the same.
            let lines = text.lines().filter(|line| !line.starts_with("# mmasmt"));
            let lines = lines.map(|line| line.replace(file, "FILE"));
            // What is known of mutants that no input shows depends on the time.
            let is_score = arguments[0] == "mutants";
            let text: Vec<_> = lines
                .filter(|line| !is_score || line.starts_with("shown:"))
                .collect();
            (output.status.code(), text.join("\n"))
        });
        outputs.collect()
    };
    // The same vector stands on another line.
    let unnumbered = |text: &str| -> String {
        let parts = text
            .split("FILE:")
            .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        parts.collect()
    };
    let expected = outputs("v.txt");
    assert!(expected[0].1.contains("40 passed, 0 failed"));
    for name in names.into_iter().chain(["v.npz.gz"]).skip(1) {
        for (found, expected) in outputs(name).iter().zip(&expected) {
            assert_eq!(found.0, expected.0, "{name}");
            assert_eq!(unnumbered(&found.1), unnumbered(&expected.1), "{name}");
        }
    }
}

/// What a file says of its formats is believed.
#[test]
fn a_file_for_other_operands_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["v.txt", "v.jsonl", "v.npz", "v.txt.gz"] {
        let arguments = ["gen", "fda:K=2,in=bf16", "--count", "3", "--out", name];
        assert!(mmasmt(folder.path(), &arguments).status.success());
        for arguments in readers(name) {
            let output = mmasmt(folder.path(), &arguments);
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(output.stdout.is_empty());
            let expected = "the file says `2 products bf16 x bf16, c f32, result f32`, \
                            the model has `2 products f16 x f16, c f32, result f32`";
            assert!(error.contains(expected), "{error}");
        }
    }
    // A comment says less, or something else.
    for (comment, code) in [
        ("# 2 products f16 x f16", 0),
        ("# 2 products f16 x f16, c f32", 0),
        ("# 4 products f16 x f16", 2),
        ("#2 products f16 x bf16, result f32", 2),
        ("# 2 products that cancel", 0),
        ("# model: fda:K=2,in=bf16", 0),
    ] {
        std::fs::write(folder.path().join("own"), format!("{comment}\n{GOOD}")).unwrap();
        let output = mmasmt(folder.path(), &["check", "fda:K=2", "own"]);
        assert_eq!(output.status.code(), Some(code), "{comment}");
    }
}

#[test]
fn the_results_of_the_model_are_found_among_those_of_several() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["v.jsonl", "v.npz"] {
        let models = ["fda:F=10,K=2", "fda:F=24,K=2"];
        let arguments = [&["gen"][..], &models, &["--kind", "close", "--out", name]].concat();
        assert!(mmasmt(folder.path(), &arguments).status.success());
        for model in models {
            let output = mmasmt(folder.path(), &["check", model, name]);
            assert_eq!(output.status.code(), Some(0), "{model} {name}");
        }
        let output = mmasmt(folder.path(), &["check", "fda:F=23,K=2", name]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            error.contains("expected the results of one model or of `fda:K=2,F=23`"),
            "{error}"
        );
        // Inputs alone are those of all.
        let output = mmasmt(folder.path(), &["eval", "fda:F=23,K=2", "--vectors", name]);
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Nothing is printed of a file that is not read to its end, however far down the error is.
#[test]
fn no_part_of_a_file_is_evaluated() {
    let folder = tempfile::tempdir().unwrap();
    let text = GOOD.repeat(20_000) + "3f80\n";
    std::fs::write(folder.path().join("v.txt"), text).unwrap();
    for json in [&[][..], &["--json"]] {
        let arguments = [&["eval", "fda", "--vectors", "v.txt"], json].concat();
        let output = mmasmt(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        let error = error_of(&output, !json.is_empty());
        assert!(
            error.starts_with("v.txt, line 20001, column 1: "),
            "{error}"
        );
    }
}

/// An archive whose arrays are not as their headers say.
#[test]
fn a_damaged_archive_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.npz");
    let arguments = ["gen", "fda:K=2", "--count", "300", "--out", "v.npz"];
    assert!(mmasmt(folder.path(), &arguments).status.success());
    let bytes = std::fs::read(&path).unwrap();
    let changed = |from: &[u8], to: &[u8]| {
        let at = bytes
            .windows(from.len())
            .position(|window| window == from)
            .unwrap();
        let mut bytes = bytes.clone();
        bytes.splice(at..at + from.len(), to.iter().copied());
        bytes
    };
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let cases = [
        (
            bytes[..bytes.len() - 30].to_vec(),
            "archive: expected a zip archive",
        ),
        (flipped, "expected what was written, found damaged data"),
        (
            changed(b"(300,)", b"(301,)"),
            "array `c`: expected 1204 bytes, as its shape says, found 1200",
        ),
        (
            changed(b"(300, 2)", b"(150, 4)"),
            "array `a`: expected 1 to 2 values in a row (an instruction is chained by `repeat(MODEL):K=4`, a composition takes `K=4`), found 4",
        ),
        (
            changed(b"'<u4'", b"'<f4'"),
            "array `c`: expected registers as unsigned integers, such as `<u4`",
        ),
        (
            changed(b"False", b"Maybe"),
            "expected a header with descr, fortran_order and shape",
        ),
        (
            changed(b"False, 'shape': (300, 2)", b"True , 'shape': (300, 2)"),
            "array `a`: expected rows one after the other, as numpy.ascontiguousarray makes them, found columns",
        ),
    ];
    for (bytes, expected) in cases {
        std::fs::write(&path, bytes).unwrap();
        let output = mmasmt(folder.path(), &["check", "fda:K=2", "v.npz"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{expected}");
        assert!(
            error.contains(expected) && error.lines().count() == 1,
            "{error}"
        );
    }
}

/// NumPy's own archives, compressed and of another byte order, where there is NumPy.
#[test]
fn archives_of_numpy_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let script = "import numpy as n\n\
                  x = dict(c=n.array([0x3f800000] * 3, '>u4'), d=n.array([[0x40400000]] * 3, '<u4'))\n\
                  x['a'] = x['b'] = n.array([[0x3c00] * 2] * 3, '<u2')\n\
                  n.savez_compressed('v.npz', **x)";
    let output = Command::new("python3")
        .args(["-c", script])
        .current_dir(folder.path())
        .output();
    if !output.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: archives_of_numpy_are_read: no python3 with numpy");
        return;
    }
    let output = mmasmt(folder.path(), &["check", "fda", "v.npz"]);
    assert!(
        output.stdout.ends_with(b"3 passed, 0 failed\n"),
        "{output:?}"
    );
}

#[test]
fn arguments_and_names_are_cut_in_errors() {
    let long = "x".repeat(100_000);
    let key = format!("fda:{long}=1");
    let path = format!("{}/nowhere", "y".repeat(100_000));
    let option = format!("--{long}");
    for arguments in [
        &["eval", &long][..],
        &["eval", &key],
        &["eval", "fda", "--a", &long],
        &["eval", "fda", &option],
        &["eval", "fda", "--vectors", &path],
        &["prove", &long, "fda"],
        &["prove", "order-independent", "fda", "--where", &long],
        &["separate", "--family", &long, "--base", "fda"],
        &["distinguish", "fda", "fda:F=23", "--time", &long],
        &["distinguish", "fda", "fda:F=23", "--engine", &long],
        &["models", &long],
        &["probe", "fda", "--tests", &long],
        &["run", "--instruction", &long],
        &[&long],
    ] {
        let output = mmasmt(Path::new("."), arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", &arguments[0][..4]);
        assert!(
            error.len() < 1000,
            "{} bytes: {}",
            error.len(),
            &error[..1000]
        );
    }
}

/// `mmasmt … | head -1` is no failure of anything.
#[test]
fn a_reader_that_goes_away_ends_a_command_quietly() {
    for arguments in [
        &["completions", "bash"][..],
        &["models"],
        &["models", "hopper"],
        &["prove", "--list"],
        &["run", "--list"],
        &["probe", "fda", "--inputs"],
        &["gen", "fda", "--count", "20000"],
        &["explain", "fda:K=512"],
        &["--help"],
    ] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(program.stdout.take());
        let output = program.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), &*error),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn empty_and_unended_files_are_read() {
    let model = Model::parse("fda").unwrap();
    let counts = |text: &str| {
        let checked = check_file(&model, text.as_bytes(), 1).unwrap();
        (checked.passed, checked.failed)
    };
    assert_eq!(counts(""), (0, 0));
    assert_eq!(counts("\n\r\n# nothing"), (0, 0));
    assert_eq!(counts(GOOD.trim_end()), (1, 0));
    let mut two = GOOD.to_owned();
    write!(two, "{}", WRONG.trim_end()).unwrap();
    assert_eq!(counts(&two), (1, 1));
    for length in 0..3 {
        let bytes = [0x1f, 0x42, 0x43][..length].to_vec();
        let mut read = Vec::new();
        unpacked(Cursor::new(bytes.clone()))
            .unwrap()
            .read_to_end(&mut read)
            .unwrap();
        assert_eq!(read, bytes);
    }
}

/// A file without vectors checks nothing, which is no success.
#[test]
fn a_file_without_vectors_is_no_check() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let contents: [&[u8]; 4] = [b"", b"# nothing\n\n", b"\r\n", &gzip(b"# nothing\n")];
    let lines = [
        "check fda:K=2 none",
        "check fda:K=2 some none",
        "check --index index.tsv",
        "check fda:K=2 none --runner cat",
        "mutants fda:K=2 --score none",
        "identify none",
        "learn none --signature '2 products f16 x f16, c f32, result f32'",
    ];
    let index = "file\tarch\tunit\tqualifier\nnone\tvolta\tmma.m8n8k4\tf32.f16.f16.f32\n";
    std::fs::write(folder.join("index.tsv"), index).unwrap();
    std::fs::write(folder.join("some"), GOOD).unwrap();
    for content in contents {
        std::fs::write(folder.join("none"), content).unwrap();
        for line in lines {
            let words = line.split('\'').enumerate();
            let words: Vec<&str> = words
                .flat_map(|(number, part)| match number % 2 {
                    0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
                    _ => vec![part],
                })
                .collect();
            let output = mmasmt(folder, &words);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{line}: {error}");
            assert!(error.contains("found none"), "{line}: {error}");
            assert!(output.stdout.is_empty(), "{line}");
        }
    }
}
