//! Memory that is limited: whatever is asked, a command answers, refuses, or says that the limit is reached; it is never aborted.

use crate::setting::by_day;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// An address space of a gigabyte, in KiB, and seconds of processor time.
const LIMITS: &str = "ulimit -v 1000000; ulimit -t 60; exec \"$0\" \"$@\"";

fn limited(folder: &Path, args: &[&str]) -> Output {
    Command::new("/bin/sh")
        .args(["-c", LIMITS, env!("CARGO_BIN_EXE_mmasmt")])
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// What every command is asked that takes a model, each with a size that has no room.
const LARGE: &str = "promote(fda):K=1048576,every=1";
const WIDE: &str = "ozaki2:K=4096";

/// Lines of arguments for every command; `~` stands for a space within one.
const HOSTILE: &[&str] = &[
    "distinguish fda:K=65536 fda:K=65536,F=25 --time 0.3",
    "diff H100 MI300X --all --samples 1000000000000 --time 0.3",
    "agree fda:K=4096 fda:K=4096,F=25 --time 0.05",
    "atlas fda fda --from /dev/zero",
    "prove no-negative-zero LARGE --time 0.3",
    "prove no-negative-zero LARGE --where factors=-a[0] --time 0.3",
    "prove no-negative-zero LARGE --where b=-a,a[1..]=a[0] --time 0.3",
    "eval exact:K=4096,round=sr32+0 --any-bits --a ~1.1 --b 1",
    "prove no-negative-zero LARGE --sample 100000000 --time 0.3",
    "least exp finite-results LARGE --time 0.3",
    "least F order-independent fda:K=256 --time 0.05",
    "worst LARGE --time 0.3",
    "worst WIDE --time 0.3",
    "tolerance LARGE --k 1048576 --time 0.3",
    "tolerance fda --k 4294967295 --time 0.3",
    "tolerance fda --k 16 --samples 10000000 --out /dev/full.npz --time 0.3",
    "tolerance fda --k 16 --draw bomb.npz",
    "compare LARGE --time 0.3",
    "compare LARGE --bias --time 0.3",
    "compare fda --bias --draw bomb.npy",
    "compare fda --bias --draw bomb.npz",
    "eval LARGE --a 1 --b 1",
    "eval LARGE --vectors /dev/zero",
    "explain promote(fda):K=65536,every=1 --a 1 --b 1",
    "check LARGE /dev/zero",
    "check fda bomb.npz",
    "check --index /dev/zero",
    "check fda /dev/zero --shard 0/1 --resume /dev/full",
    "probe fda:K=4096 --tests fttn",
    "probe fda --results /dev/zero",
    "gen LARGE --count 100000000000 --time 0.3 --out vectors.txt",
    "separate --family full --base fda:K=1024 --time 0.3",
    "mutants LARGE --time 0.3",
    "mutants fda --score /dev/zero",
    "identify /dev/zero --model fda",
    "identify model:fda:K=4096 --family nvidia --base fda:K=4096 --time 0.3",
    "learn model:LARGE --time 0.3",
    "learn model:fda:K=256 --time 0.3",
    "run model:LARGE /dev/zero",
    "run --instruction fda --runner cat~/dev/zero vectors.jsonl",
    "matmul bomb.npy bomb.npy --on fda:F=25,K=16 -o out.npy",
    "matmul bomb.npz bomb.npz --on fda:F=25,K=16 -o out.npy",
    "plan h100-fp8 1 1 1 --decisions bomb.npz",
    "merge /dev/zero",
    "merge /dev/zero --out merged.jsonl",
    "export --to c LARGE --out large.c",
    "export --to verilog fda:K=4096 --out large.v",
    "check-proof /dev/zero /dev/zero",
    "check-proof --lrat /dev/zero /dev/zero",
    "models show LARGE",
    "models show splitk(fda):K=1048576,S=4096",
    "models variant paper hopper --time 0.3",
    "eval @/dev/zero --a 1 --b 1",
    "bench LARGE --each 10ms --time 0.3",
    "bench WIDE --each 10ms --time 0.3",
    "engines",
    "formats",
    "completions bash",
    "distinguish rtl:/dev/zero.btor2@fda fda --time 0.3",
];

/// An array of NumPy without its elements.
fn header(shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{text:width$}\n", width = length - 1).into_bytes());
    bytes
}

/// Files of a few bytes that say they are gigabytes, or unpack to that.
fn write_files(folder: &Path) {
    use std::io::Write;
    // It is sparse: it takes no room on the disk.
    let mut file = std::fs::File::create(folder.join("bomb.npy")).unwrap();
    file.write_all(&header("20000, 20000")).unwrap();
    file.set_len(1_600_000_000 + 128).unwrap();
    let mut archive = zip::ZipWriter::new(std::fs::File::create(folder.join("bomb.npz")).unwrap());
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("a.npy", stored).unwrap();
    archive.write_all(&header("20000, 20000")).unwrap();
    archive.write_all(&[0; 4096]).unwrap();
    archive.finish().unwrap();
    std::fs::write(folder.join("vectors.jsonl"), "00000000 3c00 3c00\n").unwrap();
}

#[test]
fn no_command_is_aborted_in_a_gigabyte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_files(folder);
    for name in super::arguments::commands(folder) {
        let first = format!("{name} ");
        let is_named = |line: &&&str| **line == name || line.starts_with(&first);
        let is_there = HOSTILE.iter().any(|line| is_named(&line));
        assert!(is_there, "no line for {name}");
    }
    let mut wrong = Vec::new();
    for line in by_day(HOSTILE, 4) {
        let words = line.split(' ').map(|word| {
            let word = word.replace("LARGE", LARGE).replace("WIDE", WIDE);
            word.replace('~', " ")
        });
        let words: Vec<String> = words.collect();
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = limited(folder, &args);
        let error = String::from_utf8_lossy(&output.stderr);
        let is_answer = matches!(output.status.code(), Some(0..=3));
        let is_said = !error.contains("panicked") && !error.contains("memory allocation");
        if !is_answer || !is_said {
            let signal = output.status.signal();
            wrong.push(format!(
                "{line}: {:?} {signal:?}: {error}",
                output.status.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The limit of this program holds for whatever it keeps, and so in one that has no other.
#[test]
fn a_memory_limit_holds_for_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_files(folder);
    for args in [
        &[
            "matmul",
            "bomb.npy",
            "bomb.npy",
            "--on",
            "fda:F=25,K=16",
            "-o",
            "out.npy",
            "--memory",
            "16M",
        ][..],
        &[
            "matmul",
            "bomb.npy",
            "bomb.npy",
            "--on",
            "fda:F=25,K=16",
            "-o",
            "out.npy",
            "--memory",
            "16M",
            "--json",
        ],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(args)
            .current_dir(folder)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{text}{error}");
        if args.contains(&"--json") {
            let object: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!(object["reason"], "memory limit reached");
        } else {
            assert_eq!(text, "unknown: memory limit reached\n");
        }
    }
}
