//! Files that an answer leaves behind, as a person asks for them: clauses, proofs, kept answers.

use crate::proofs::is_lrat;
use crate::setting::by_day;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A new folder to run in.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs a command with `~` for a space within an argument.
fn run_with(folder: &Path, line: &str, search: Option<&Path>) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    command.args(line.split(' ').map(|word| word.replace('~', " ")));
    command.current_dir(folder);
    if let Some(path) = search {
        command.env("PATH", path);
    }
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn run(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    run_with(folder, line, None)
}

#[test]
fn clauses_tell_every_bit_of_the_inputs() {
    let folder = folder("bits");
    let claim = "prove no-negative-zero fda:K=2,in=e4m3 --no-minimize --dump-cnf m.cnf --where";
    for plain in ["", " --plain"] {
        let line = format!("{claim} c~=~1,~a[0]~positive{plain}");
        let (status, out, err) = run(&folder, &line);
        assert_eq!(status, Some(0), "{err}");
        assert!(out.contains("# m.cnf: "), "{out}");
        let text = fs::read_to_string(folder.join("m.cnf")).unwrap();
        let bits = text
            .lines()
            .filter(|line| line.starts_with("c ") && line.contains(" bit "));
        assert_eq!(bits.count(), 4 * 8 + 32);
        // 1 is 0x3f800000.
        for line in [
            "c c bit 30 is 0, as is assumed",
            "c c bit 29 is 1, as is assumed",
            "c a[0] bit 7 is 0, as is assumed",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}");
        }
        assert!(
            text.lines()
                .any(|line| line.starts_with("c b[1] bit 7 is variable "))
        );
        let header = text.lines().find(|line| line.starts_with('p')).unwrap();
        let counts: Vec<usize> = header
            .split(' ')
            .skip(2)
            .map(|n| n.parse().unwrap())
            .collect();
        let clauses = text
            .lines()
            .filter(|line| line.ends_with(" 0") && !line.starts_with('c'));
        assert_eq!(clauses.count(), counts[1]);
    }
}

#[test]
fn proofs_are_written_and_checked() {
    let folder = folder("proofs");
    let asked = [
        // By the solver, and by construction.
        "prove no-negative-zero fda:K=2,in=e2m1,F=4 --where c~=~0 --proof p.drat",
        "prove equal=:carry=full fda:K=2,in=e2m1,F=4,carry=4 --where c~=~0 --proof p.drat",
        "prove no-negative-zero fda:K=2,in=e2m1,F=4 --where c~=~0 --proof p.drat --plain",
    ];
    for line in asked {
        let (status, out, err) = run(&folder, line);
        assert_eq!(status, Some(0), "{out}{err}");
        assert!(out.contains("# p.drat: proof of "), "{out}");
        let (status, out, _) = run(&folder, "check-proof p.drat.cnf p.drat");
        assert_eq!(status, Some(0), "{out}");
        assert!(
            out.starts_with("verified: p.drat.cnf has no solution\n"),
            "{out}"
        );
    }
    let (status, out, _) = run(&folder, "check-proof p.drat.cnf p.drat --json");
    assert_eq!(status, Some(0));
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["verdict"], "verified");
    let proof = fs::read_to_string(folder.join("p.drat")).unwrap();
    let steps = proof.lines().filter(|line| *line != "0");
    let without_end = steps.collect::<Vec<_>>().join("\n");
    fs::write(folder.join("p.drat"), without_end).unwrap();
    let (status, out, _) = run(&folder, "check-proof p.drat.cnf p.drat");
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("p.drat, it ends before it has derived the empty clause"),
        "{out}"
    );
    fs::write(folder.join("p.drat"), "1 2").unwrap();
    let (status, _, err) = run(&folder, "check-proof p.drat.cnf p.drat");
    assert_eq!(status, Some(2));
    assert!(
        err.starts_with("error: p.drat: line 1: expected literals"),
        "{err}"
    );
}

#[test]
fn certificates_are_written_and_checked() {
    let folder = folder("certificates");
    for line in [
        "prove order-independent fda:K=4 --proof p.json",
        "prove exact-sums fda:K=4,F=24 --where factors~exp~0..1,factors~bits~4,c~=~0 --proof p.json",
        "tolerance fda:K=4 --k 8 --samples 100 --proof p.json",
        "worst fda:K=2 --time 1s --proof p.json",
    ] {
        let (status, out, err) = run(&folder, line);
        assert_eq!(status, Some(0), "{out}{err}");
        assert!(out.contains("# p.json: certificate of "), "{out}");
        let (status, out, _) = run(&folder, "check-proof p.json");
        assert_eq!(status, Some(0), "{out}");
        assert!(out.starts_with("verified: {"), "{out}");
    }
    // A unit that keeps one bit less has no such bound.
    let text = fs::read_to_string(folder.join("p.json")).unwrap();
    let other = text.replace("\"keep\":24", "\"keep\":23");
    fs::write(folder.join("p.json"), other).unwrap();
    let (status, out, _) = run(&folder, "check-proof p.json --json");
    assert_eq!(status, Some(1), "{out}");
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["verdict"], "rejected");
    fs::write(folder.join("p.json"), "{}").unwrap();
    for (line, expected) in [
        ("check-proof p.json", "p.json: missing key"),
        (
            "check-proof p.json --lrat",
            "--lrat is for a proof of clauses",
        ),
        (
            "check-proof p.cnf",
            "clauses and their proof, or a certificate",
        ),
        (
            "worst fda --proof p.txt",
            "expected a name that ends in .json",
        ),
        (
            "prove exact-sums fda --proof p.json --plain",
            "--plain says how a question is written",
        ),
    ] {
        let (status, _, err) = run(&folder, line);
        assert_eq!(status, Some(2), "{line}");
        assert!(err.contains(expected), "{line}: {err}");
    }
    // A claim of a kind that has none: the answer stands, and the status says that the proof is missing.
    let (status, out, _) = run(&folder, "prove no-negative-zero fda:K=1 --proof q.json");
    assert_eq!(status, Some(3), "{out}");
    assert!(
        out.contains("# no certificate: certificates by steps are of "),
        "{out}"
    );
}

#[test]
fn proofs_with_hints_are_written_and_checked() {
    let folder = folder("hints");
    let asked = [
        "prove no-negative-zero fda:K=2,in=e2m1,F=4 --where c~=~0 --proof p.lrat",
        "prove equal=:carry=full fda:K=2,in=e2m1,F=4,carry=4 --where c~=~0 --proof p.lrat",
    ];
    for line in asked {
        let (status, out, err) = run(&folder, line);
        assert_eq!(status, Some(0), "{out}{err}");
        assert!(out.contains("# p.lrat: proof of "), "{out}");
        let (status, out, _) = run(&folder, "check-proof p.lrat.cnf p.lrat");
        assert_eq!(status, Some(0), "{out}");
        let texts = ["p.lrat.cnf", "p.lrat"].map(|name| fs::read_to_string(folder.join(name)));
        let [clauses, proof] = texts.map(Result::unwrap);
        assert!(is_lrat(&clauses, &proof), "{line}");
    }
    // Hints are read as such where the name does not say so, and are no literals of DRAT.
    fs::copy(folder.join("p.lrat"), folder.join("p")).unwrap();
    let (status, out, _) = run(&folder, "check-proof p.lrat.cnf p --lrat");
    assert_eq!(status, Some(0), "{out}");
    let (status, _, err) = run(&folder, "check-proof p.lrat.cnf p");
    assert_eq!(status, Some(2));
    assert!(
        err.starts_with("error: p: line 1: expected literals"),
        "{err}"
    );
    let without_end = fs::read_to_string(folder.join("p")).unwrap();
    let (kept, _) = without_end.trim_end().rsplit_once('\n').unwrap();
    fs::write(folder.join("p.lrat"), kept).unwrap();
    let (status, out, _) = run(&folder, "check-proof p.lrat.cnf p.lrat");
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("before it has derived the empty clause"),
        "{out}"
    );
    // Too little time leaves no file.
    let line = "prove order-independent fda:K=16 --proof q.lrat --proof-timeout 1";
    let (status, out, _) = run(&folder, line);
    assert_eq!(status, Some(3), "{out}");
    assert!(!folder.join("q.lrat").exists());
}

#[test]
fn equal_models_have_a_proof_and_others_have_none() {
    let folder = folder("equal");
    let models = "distinguish fda:K=1,in=e2m1,c=f16,out=f16,F=12 fda:K=1,in=e2m1,c=f16,out=f16,F=";
    let (status, out, err) = run(&folder, &format!("{models}12 --proof p.drat"));
    assert_eq!(status, Some(1), "{out}{err}");
    assert!(
        out.starts_with("equal: ") && out.contains("# p.drat: proof of "),
        "{out}"
    );
    let (status, out, _) = run(&folder, "check-proof p.drat.cnf p.drat");
    assert_eq!(status, Some(0), "{out}");
    let (status, out, _) = run(&folder, &format!("{models}2 --no-minimize --proof q.drat"));
    assert_eq!(status, Some(0));
    assert!(out.contains("# no proof: "), "{out}");
    assert!(!folder.join("q.drat").exists());
}

#[test]
fn a_proof_that_takes_too_long_is_none() {
    let folder = folder("long");
    let line = "prove order-independent fda:K=16 --proof p.drat --proof-timeout 3";
    let (status, out, _) = run(&folder, line);
    assert_eq!(status, Some(3), "{out}");
    assert!(
        out.starts_with("proved: ") && out.contains("time limit reached"),
        "{out}"
    );
    assert!(!folder.join("p.drat").exists());
}

#[test]
fn every_claim_of_a_query_has_its_files() {
    let folder = folder("queries");
    let (status, out, err) = run(&folder, "prove carry-bits-5-terms --dump-cnf carry.cnf");
    assert_eq!(status, Some(0), "{err}");
    for name in ["carry-1.cnf", "carry-twin.cnf"] {
        assert!(out.contains(&format!("# {name}: ")), "{out}");
        assert!(fs::metadata(folder.join(name)).unwrap().len() > 10_000);
    }
}

#[test]
fn options_that_do_not_go_together_are_named() {
    let folder = folder("usage");
    let lines = [
        (
            "prove --all --dump-cnf x.cnf",
            "--dump-cnf has no use in `prove --all`",
        ),
        (
            "prove faithful fda --plain",
            "--plain says how a question is written",
        ),
        ("check-proof no.cnf no.drat", "no.cnf: No such file"),
        (
            "prove no-negative-zero fda:K=1 --dump-cnf no/x.cnf",
            "found no folder `no`",
        ),
    ];
    for (line, expected) in lines {
        let (status, _, err) = run(&folder, line);
        assert_eq!(status, Some(2), "{line}");
        assert!(err.contains(expected), "{err}");
    }
}

/// Where the disk is full (here: no file may have any bytes) there is an error and no part of a file, and what was
/// there before is as it was.
#[test]
fn a_full_disk_leaves_no_part_of_a_file() {
    let folder = folder("full");
    let lines = [
        "prove no-negative-zero fda:K=2,in=e4m3 --no-minimize --dump-cnf FILE",
        "distinguish fda:F=24 fda:F=25 --no-minimize --dump-smt FILE",
        "separate fda:F=23 fda:F=24 --out FILE",
        "mutants fda:K=1,in=e2m1,F=4 --out FILE",
        "identify model:fda:K=1,F=24 --confirm 10 --family F=23..24 --base fda:K=1 --record FILE",
        "prove equal=:carry=full fda:K=2,in=e2m1,F=4,carry=4 --proof FILE",
    ];
    for line in by_day(lines, 2) {
        for before in [None, Some("kept")] {
            for name in ["x", "x.cnf"] {
                let _ = fs::remove_file(folder.join(name));
                if let Some(text) = before {
                    fs::write(folder.join(name), text).unwrap();
                }
            }
            // SIGXFSZ is ignored, so that the write fails as on a full disk.
            let command = line.replace("FILE", "x");
            let script = format!(
                "trap '' XFSZ; ulimit -f 0; exec '{}' {command}",
                env!("CARGO_BIN_EXE_mmasmt"),
            );
            let mut shell = Command::new("sh");
            let output = shell.args(["-c", &script]).current_dir(&folder).output();
            let output = output.unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{line}: {error}");
            assert!(error.starts_with("error: x"), "{line}: {error}");
            let left = fs::read_dir(&folder).unwrap().count();
            assert_eq!(left, if before.is_some() { 2 } else { 0 }, "{line}");
            for name in ["x", "x.cnf"] {
                let text = fs::read_to_string(folder.join(name)).ok();
                assert_eq!(text.as_deref(), before, "{line}");
            }
        }
    }
}

#[test]
fn a_comparison_is_the_same_as_text_values_and_picture() {
    is_the_same("compare markidis 3xtf32 --on volta --samples 50", 2);
}

#[test]
#[ignore = "half a minute"]
fn a_long_comparison_is_the_same_as_text_values_and_picture() {
    is_the_same(
        "compare markidis 3xtf32 exact:K=16,c=f32 --on volta,ampere --samples 300",
        5,
    );
}

/// Four lengths and more make a curve: a line of medians for each row of one length, with a point at each length.
#[test]
fn errors_over_many_lengths_are_a_curve() {
    let folder = folder("compare-curve");
    // A model, and by night a unit of 4 products, which is a chain of another length at each point, and one curve.
    let lines = [
        ("compare fda:K=4", "fda:K=4"),
        ("compare _ --on V100/f16", "V100/f16"),
    ];
    for (line, name) in by_day(lines, 2) {
        let line = format!("{line} --lengths 4..32 --samples 4 --svg curve.svg --json");
        let (status, out, err) = run(&folder, &line);
        assert_eq!(status, Some(0), "{err}");
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["rows"].as_array().unwrap().len(), 4);
        let svg = fs::read_to_string(folder.join("curve.svg")).unwrap();
        assert!(svg.contains("products"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
        assert_eq!(svg.matches(name).count(), 1, "{svg}");
    }
    for wrong in ["0", "16..4", "4..", "x"] {
        let (status, _, err) = run(&folder, &format!("compare fda:K=4 --lengths {wrong}"));
        assert_eq!(status, Some(2), "{wrong}");
        assert!(err.contains("a range such as 16..4096"), "{err}");
    }
}

fn is_the_same(asked: &str, count: usize) {
    let folder = folder(&format!("compare-{count}"));
    let line = format!("{asked} --lengths 16 --exponents -2..2 --csv t.csv --svg t.svg --json");
    let (status, out, err) = run(&folder, &line);
    assert_eq!(status, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), count);

    let csv = fs::read_to_string(folder.join("t.csv")).unwrap();
    let mut lines = csv.lines();
    let head: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(head.len(), 13);
    let svg = fs::read_to_string(folder.join("t.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for (row, line) in rows.iter().zip(lines) {
        // One row has quotes: `needs ..., found ...`.
        let last = line.trim_end_matches(|letter| letter != ',');
        let scheme = row["scheme"].as_str().unwrap();
        match row["why_not"].as_str() {
            Some(why) => {
                assert!(line.contains(why) && !svg.contains(&format!("{scheme} on")));
            }
            None => {
                let worst = row["worst"].as_f64().unwrap();
                assert!(line.contains(&format!(",{worst:e},")), "{line}: {worst:e}");
                assert!(last.ends_with(','), "{line}");
                // A picture has the names as people write them.
                assert!(svg.to_lowercase().contains(&scheme[..5]), "{scheme}");
            }
        }
    }
    let without = rows.iter().filter(|row| row["why_not"].is_string()).count();
    assert_eq!(without, 1);
    // A mark for the largest error of each row, and one beside its meaning; one axis.
    assert_eq!(svg.matches("<circle").count(), count - without + 1);
    assert_eq!(
        svg.matches("1e-").count() + svg.matches("1e0").count(),
        svg.matches("text-anchor=\"middle\"").count()
    );
}

#[test]
fn a_bench_says_how_fast_each_instance_is() {
    let folder = folder("bench");
    let line = "bench fda:K=4 exact:K=4,in=f64,out=f64 --each 10ms --json";
    let (status, out, err) = run(&folder, line);
    assert_eq!(status, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let [narrow, wide] = &json["rows"].as_array().unwrap()[..] else {
        panic!("two rows expected: {out}")
    };
    for key in [
        "dot_adds_per_second",
        "batch_any",
        "batch_finite",
        "operations_any",
    ] {
        assert!(narrow[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert!(wide["batch_any"].is_null() && wide["instance"] == "BigUint");
    let line = "bench fda:K=4 --each 10ms --matrices 20,30,10 --json";
    let (status, out, err) = run(&folder, line);
    assert_eq!(status, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let row = &json["rows"][0];
    assert_eq!(row["matrices_shape"], serde_json::json!([20, 30, 10]));
    assert!(row["native_f32_products_per_second"].as_f64() > Some(0.0));
    let (status, _, err) = run(&folder, "bench fda:K=4 --matrices 20,30");
    assert_eq!(status, Some(2));
    assert!(err.contains("expected M,N,K such as 512,512,512"), "{err}");
    // Dot-adds without c make no chain.
    let (status, out, err) = run(&folder, "bench psp/vdot.q --each 10ms --json");
    assert_eq!(status, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["rows"][0]["matrices_shape"][2], 4);
    let line = "bench psp/vdot.q --each 10ms --matrices 4,4,64";
    let (status, _, err) = run(&folder, line);
    assert_eq!(status, Some(2));
    assert!(err.contains("k of at most 4 expected"), "{err}");
}

#[test]
fn matrices_are_multiplied_and_compared() {
    use mmasmt_numbers::float::Format;
    use mmasmt_questions::matrices::{Matrix, read_array, write_array};

    let folder = folder("matmul");
    // 1, 1 + 2^-10, ...: their products have more bits than f16 sums keep.
    let numbers = |count: u64| (0..count).map(|x| 0x3c00 + x % 7);
    let [a, b] = [[3, 20], [20, 2]]
        .map(|[m, n]| Matrix::new(Format::F16, [m, n], numbers((m * n) as u64)).unwrap());
    write_array(&folder.join("a.npy"), "a", &a.into()).unwrap();
    write_array(&folder.join("b.npy"), "b", &b.into()).unwrap();
    let line = "matmul a.npy b.npy --on hopper/HMMA.16816.F32 -o d.npy --against exact";
    let (status, out, err) = run(&folder, line);
    assert_eq!(status, Some(0), "{err}");
    assert!(
        out.starts_with("hopper/HMMA.16816.F32: 3 x 20 by 20 x 2, result f32\n"),
        "{out}"
    );
    assert!(
        out.contains("against the exact product, in last places of the result"),
        "{out}"
    );
    assert!(
        out.contains("  absolute      ") && out.contains("  relative      "),
        "{out}"
    );
    let footer = out.lines().rfind(|line| line.starts_with('#')).unwrap();
    assert!(footer.ends_with(" s for the comparison"), "{footer}");
    let d = read_array(&folder.join("d.npy"), &[], Format::F32).unwrap();
    assert_eq!(d.shape(), [3, 2]);
    let line = "matmul a.npy b.npy --on hopper/HMMA.16816.F32 --against f64 --svg h.svg";
    let (status, _, err) = run(&folder, line);
    assert_eq!(status, Some(0), "{err}");
    let picture = fs::read_to_string(folder.join("h.svg")).unwrap();
    let bars = picture.matches("fill=\"#1F5AA0\"").count();
    assert!(picture.starts_with("<svg") && bars > 0, "{picture}");

    let line =
        "matmul a.npy b.npy --on hopper/HMMA.16816.F32 --against hopper/HMMA.16816.F32 --json";
    let (status, out, err) = run(&folder, &format!("{line} --threads 1"));
    assert_eq!(status, Some(0), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["compared"]["not_the_same"], 0);
    assert_eq!(json["compared"]["largest_absolute"], 0.0);
    assert_eq!(json["k"], 20);

    // Sums of these numbers are exact in f64.
    let line = "matmul a.npy b.npy --on hopper/HMMA.16816.F32 --json --against";
    let against = |what| run(&folder, &format!("{line} {what}")).1;
    let compared = |what| serde_json::from_str::<serde_json::Value>(&against(what)).unwrap();
    let [exact, f64] = ["exact", "f64"].map(|what| compared(what)["compared"].clone());
    assert!(exact["largest_ulp"].as_f64().unwrap() > 0.0, "{exact}");
    assert_eq!(exact["histogram"], f64["histogram"]);
    // Results are about 20, a last place of them is 2^-19: the same element in three measures.
    let measure = |name: &str| exact[name].as_f64().unwrap();
    let [absolute, relative] = [measure("largest_absolute"), measure("largest_relative")];
    assert!(absolute > 1e-8 && absolute < 1e-4, "{exact}");
    assert!(relative > 0.0 && relative < absolute, "{exact}");
    assert_eq!(exact["largest_relative"], f64["largest_relative"]);

    for (line, expected) in [
        (
            "matmul a.npy b.npy --on fda --against f64 --scale-a a.npy --scale-b b.npy",
            "expected none, as `fda` has no block scales; the product of the scales of two whole tensors is alpha",
        ),
        (
            "matmul a.npy b.npy --on fda",
            "expected --out with a file for D",
        ),
        (
            "matmul b.npy a.npy --on fda -o d.npy",
            "B: expected a matrix of 2 x 20, found 3 x 20",
        ),
        (
            "matmul a.npy b.npy --on fda:in=e4m3 -o d.npy",
            "which e4m3 does not have",
        ),
        ("matmul a.npy no.npy --on fda -o d.npy", "no.npy"),
        (
            "matmul a.npy b.npy --on fda --against fda:out=f16",
            "--against: results in f32 expected",
        ),
        // What it is compared with is read before anything is multiplied.
        (
            "matmul no.npy no.npy --on fda --against nonsense",
            "unknown algorithm `nonsense`",
        ),
        (
            "matmul a.npy b.npy --on fda -o x.txt",
            "--out: expected FILE.npy or FILE.npz, found `x.txt`",
        ),
        (
            "matmul a.npy b.npy --on fda -o x",
            "--out: expected FILE.npy or FILE.npz, found `x`",
        ),
    ] {
        let (status, out, err) = run(&folder, line);
        assert_eq!(status, Some(2), "{line}: {out}");
        assert!(
            err.contains(expected) && err.lines().count() == 1,
            "{line}: {err}"
        );
    }
}

#[test]
fn pages_are_written_beside_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    for (line, parts) in [
        (
            "explain fda --a 1,0x1p-12 --b 1,0x1p-13 --html page.html",
            ["product[1]", "cut: 0x1p-25"],
        ),
        (
            "distinguish fda:F=24 fda:F=25 --no-minimize --html page.html",
            ["Side by side", "First difference: "],
        ),
        (
            "distinguish fda:carry=4 fda:carry=full --html page.html",
            ["equal", "proved for all finite inputs"],
        ),
        (
            "tolerance fda:K=4 --k 8 --range 2 --samples 50 --atol 1e-6 --html page.html",
            ["Kernels outside of each tolerance", "last product lost"],
        ),
    ] {
        let run = |line: &str| {
            let arguments = line.split(' ');
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"));
            let output = command.args(arguments).current_dir(folder.path()).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        // What is printed is the same but for times.
        let lines = |text: String| {
            text.lines()
                .filter(|line| !line.starts_with('#'))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let without = line.split(" --html").next().unwrap();
        assert_eq!(lines(run(line)), lines(run(without)), "{line}");
        let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
        for part in parts {
            assert!(page.contains(part), "{line}: {part}");
        }
    }
    let missing = "explain fda --a 1 --b 1 --html nowhere/page.html";
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    let output = command
        .args(missing.split(' '))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("found no folder `nowhere`"));
}

#[test]
fn tolerances_are_drawn_and_bound_the_elements_of_matrices() {
    use mmasmt_numbers::float::Format;
    use mmasmt_questions::matrices::{Matrix, read_array, write_array};

    let folder = folder("tolerances");
    let line = "tolerance fda:K=4 --k 8 --range 2 --samples 50 --atol 1e-6 --svg t.svg";
    let (status, _, err) = run(&folder, line);
    assert_eq!(status, Some(0), "{err}");
    let picture = fs::read_to_string(folder.join("t.svg")).unwrap();
    for part in [
        "absolute error",
        "last product lost",
        "largest random",
        "yours",
        "proved",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    let numbers = |count: u64| (0..count).map(|x| 0x3c00 + x % 7);
    let [a, b] = [[3, 20], [20, 2]]
        .map(|[m, n]| Matrix::new(Format::F16, [m, n], numbers((m * n) as u64)).unwrap());
    write_array(&folder.join("a.npy"), "a", &a.into()).unwrap();
    write_array(&folder.join("b.npy"), "b", &b.into()).unwrap();
    let model = "hopper/HMMA.16816.F32";
    let (status, _, err) = run(
        &folder,
        &format!("matmul a.npy b.npy --on {model} -o d.npy"),
    );
    assert_eq!(status, Some(0), "{err}");
    let line =
        format!("tolerance {model} --matrices a.npy,b.npy --result d.npy --rtol 1e-3 -o e.npz");
    let (status, out, err) = run(&folder, &line);
    assert_eq!(status, Some(0), "{err}");
    for part in [
        "6 elements, 3 x 2",
        "never fails it on 6 of 6 elements (proved)",
        "  0 are outside of what is proved\n",
        "  0 have other bits than the model's results\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let [bound, exact] = ["e.npz:bound", "e.npz:exact"]
        .map(|name| read_array(&folder.join(name), &[], Format::F64).unwrap());
    assert_eq!(bound.shape(), [3, 2]);
    assert_eq!(exact.shape(), [3, 2]);
    let d = read_array(&folder.join("d.npy"), &[], Format::F32).unwrap();
    let wrong = d.matrices()[0].registers().enumerate();
    let wrong = wrong.map(|(place, d)| if place == 3 { d + 0x1000 } else { d });
    let wrong = Matrix::new(Format::F32, [3, 2], wrong).unwrap();
    write_array(&folder.join("w.npy"), "d", &wrong.into()).unwrap();
    let line = format!("tolerance {model} --matrices a.npy,b.npy --result w.npy");
    let (status, out, _) = run(&folder, &line);
    assert_eq!(status, Some(1), "{out}");
    assert!(
        out.contains("1 are outside of what is proved (16.7 %), first (1, 1)"),
        "{out}"
    );
    for (line, expected) in [
        (
            "--matrices a.npy",
            "--matrices: expected A,B or A,B,C, found 1 files",
        ),
        (
            "--matrices a.npy,b.npy --result a.npy",
            "--result: expected a matrix of 3 x 2, found 3 x 20",
        ),
        (
            "--matrices b.npy,b.npy",
            "B: expected a matrix of 2 x 2, found 20 x 2",
        ),
        (
            "--matrices a.npy,b.npy --samples 9",
            "--samples has no use in `tolerance --matrices`",
        ),
    ] {
        let (status, _, err) = run(&folder, &format!("tolerance {model} {line}"));
        assert_eq!(status, Some(2), "{line}");
        assert!(
            err.contains(expected) && err.lines().count() == 1,
            "{line}: {err}"
        );
    }
}

/// On one domain, `worst` finds at least what the search of `compare` does.
#[test]
#[ignore = "a minute"]
fn worst_finds_what_compare_finds() {
    let folder = folder("worst");
    let answer = |line: &str| -> serde_json::Value {
        let (status, out, err) = run(&folder, line);
        assert_eq!(status, Some(0), "{line}: {err}");
        serde_json::from_str(&out).unwrap()
    };
    let unit = "volta/HMMA.884.F32.F32";
    let compared =
        format!("compare markidis --on {unit} --lengths 4 --samples 50 --exponents -14..8 --json");
    let compared = answer(&compared)["rows"][0]["worst"].as_f64();
    let line = format!("worst markidis({unit}):K=4 --time 60s --json --where");
    let found = answer(&format!("{line} factors~normal,~factors~exp~-14..8,~c~=~0"));
    let found = found["largest_error"]["about"].as_f64().unwrap();
    assert!(
        found >= compared.unwrap() && found > 1e-5,
        "{found:e}, {compared:?}"
    );
}
