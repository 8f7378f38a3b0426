//! Metadata in vector files: what is read of a file is what the uncompressed matrices give, in every file format.

use crate::vector_files::mmasmt;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::process::Output;

const INTEGERS: &str = "ampere/mma.sp.m16n8k32.s32.s8.u8.s32";
const FLOATS: &str = "ampere/mma.sp::ordered_metadata.m16n8k32.f32.f16.f16.f32";
const PAIRS: &str = "ampere/mma.sp.m16n8k64.s32.s4.u4.s32";
const HALVES: &str = "ampere/mma.sp.m16n8k16.f32.tf32.tf32.f32";

fn said(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    streams.concat()
}

fn digits<const N: usize>(values: &[u64]) -> String {
    let texts = values.iter().map(|value| format!("{value:0N$x}"));
    texts.collect::<Vec<_>>().join(",")
}

/// A line of `m16n8k32` in s8 and u8, and the result by the whole of A with its zeros, in 64-bit integers.
fn line(rng: &mut ChaCha8Rng) -> String {
    let (mut a, mut e) = (Vec::new(), Vec::new());
    let b: Vec<u64> = (0..32).map(|_| rng.random_range(0..256)).collect();
    let c: i32 = rng.random_range(-1_000_000..1_000_000);
    let mut sum = i64::from(c);
    for group in b.chunks(4) {
        let first = rng.random_range(0..4_usize);
        let second = (first + rng.random_range(1..4_usize)) % 4;
        let mut row = [0_i8; 4];
        for place in [first, second] {
            row[place] = rng.random();
            a.push(u64::from(row[place] as u8));
        }
        e.push((first + 4 * second) as u64);
        sum += row
            .iter()
            .zip(group)
            .map(|(x, y)| i64::from(*x) * *y as i64)
            .sum::<i64>();
    }
    let [a, b, e] = [digits::<2>(&a), digits::<2>(&b), digits::<1>(&e)];
    format!("{c:08x} {a} {b} {e} {:08x}\n", sum as i32)
}

#[test]
fn sums_of_a_file_are_those_of_the_uncompressed_matrices() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let lines: String = (0..500).map(|_| line(&mut rng)).collect();
    std::fs::write(folder.path().join("lines.txt"), &lines).unwrap();
    let output = mmasmt(folder.path(), &["check", INTEGERS, "lines.txt"]);
    assert!(
        said(&output).ends_with("\n500 passed, 0 failed\n"),
        "{}",
        said(&output)
    );

    // Another place of one group, and the sum is another one.
    let (before, d) = lines.lines().next().unwrap().rsplit_once(' ').unwrap();
    let (before, codes) = before.rsplit_once(' ').unwrap();
    let other = if codes.starts_with('4') { 'e' } else { '4' };
    let changed = format!("{before} {other}{} {d}\n", &codes[1..]);
    std::fs::write(folder.path().join("changed.txt"), changed).unwrap();
    let output = mmasmt(folder.path(), &["check", INTEGERS, "changed.txt"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

/// The products of a line with metadata, as the vector has them without: read off the digits.
fn products(line: &str, kept: usize, places: fn(usize) -> Vec<usize>) -> String {
    let fields: Vec<&str> = line.split(' ').collect();
    let [c, a, b, e, d] = fields[..] else {
        panic!("{line}")
    };
    let b: Vec<&str> = b.split(',').collect();
    let codes = e
        .split(',')
        .map(|code| usize::from_str_radix(code, 16).unwrap());
    let selected = codes.zip(b.chunks(2 * kept));
    let selected = selected.flat_map(|(code, group)| places(code).into_iter().map(|at| group[at]));
    format!("{c} {a} {} {d}", selected.collect::<Vec<_>>().join(","))
}

#[test]
fn what_is_drawn_is_around_the_same_products_and_passes() {
    let two: fn(usize) -> Vec<usize> = |code| vec![code % 4, code / 4];
    let pairs: fn(usize) -> Vec<usize> = |code| {
        let [first, second] = [2 * (code % 4), 2 * (code / 4)];
        vec![first, first + 1, second, second + 1]
    };
    let one: fn(usize) -> Vec<usize> = |code| vec![code % 4 / 2];
    for (name, kept, places) in [
        (INTEGERS, 2, two),
        (FLOATS, 2, two),
        (PAIRS, 4, pairs),
        (HALVES, 1, one),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let gen_to = |file: &str, more: &[&str]| {
            let arguments = [
                "gen", name, "--count", "300", "--kind", "edge", "--out", file,
            ];
            let output = mmasmt(folder.path(), &[&arguments, more].concat());
            assert!(output.status.success(), "{}", said(&output));
        };
        let lines = |file: &str| -> Vec<String> {
            let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_owned).collect()
        };
        gen_to("plain.txt", &[]);
        gen_to("sparse.txt", &["--metadata"]);
        let sparse = lines("sparse.txt");
        let read: Vec<String> = sparse
            .iter()
            .map(|line| products(line, kept, places))
            .collect();
        assert_eq!(read, lines("plain.txt"), "{name}");
        // Codes differ from group to group, and ordered ones increase.
        let codes: Vec<&str> = sparse
            .iter()
            .map(|line| line.split(' ').nth(3).unwrap())
            .collect();
        let mut seen: Vec<char> = codes.concat().chars().filter(|c| *c != ',').collect();
        seen.sort_unstable();
        seen.dedup();
        let expected = match name {
            FLOATS => "489cde",
            HALVES => "4e",
            _ => "12346789bcde",
        };
        assert_eq!(seen.iter().collect::<String>(), expected, "{name}");

        for file in ["sparse.txt", "sparse.jsonl", "sparse.npz"] {
            gen_to(file, &["--metadata"]);
            let output = mmasmt(folder.path(), &["check", name, file]);
            assert!(
                said(&output).ends_with("\n300 passed, 0 failed\n"),
                "{file}: {}",
                said(&output)
            );
            // What a model gives of it is written as products.
            let output = mmasmt(folder.path(), &["eval", name, "--vectors", file]);
            let text = String::from_utf8(output.stdout).unwrap();
            let given: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert_eq!(given, read, "{file}");
        }
    }
}

#[test]
fn a_file_with_a_wrong_code_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |name: &str, text: &str| {
        std::fs::write(folder.path().join("wrong.txt"), text).unwrap();
        let output = mmasmt(folder.path(), &["check", name, "wrong.txt"]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        said(&output)
    };
    let b = "0000,3c00,0000,0000";
    for (name, text, error) in [
        (FLOATS, format!("00000000 3c00,3c00 {b} 1 00000000"), "line 1, column 40: expected two increasing indices: 0x4, 0x8, 0x9, 0xc, 0xd or 0xe, found code 0x1 of group 0"),
        (FLOATS, format!("00000000 3c00,3c00 {b} 4,4 00000000"), "line 1, column 42: expected at most 1 values of e, found `4 00000000`"),
        (FLOATS, format!("00000000 3c00,3c00 {b} 00000000"), "line 1, column 40: expected 1 hexadecimal digits for e, found `00000000`"),
        (FLOATS, "00000000 3c00,3c00 0000,3c00,0000 4 00000000".into(), "line 1, column 20: expected as many b as a (2), or all 4 and codes behind them, found 3"),
        ("fda:F=24", format!("00000000 3c00,3c00 {b} 4 00000000"), "line 1, column 20: expected as many b as a (2), found 4"),
        (FLOATS, r#"{"c":"00000000","a":["3c00"],"b":["3c00","3c00","3c00","3c00"],"e":["4","4"],"d":["00000000"]}"#.into(), "line 1, column 1: expected 1 codes for 1 of a, found 2"),
        ("fda:F=24", r#"{"c":"00000000","a":["3c00"],"b":["3c00"],"e":["4"],"d":["00000000"]}"#.into(), "line 1, column 1: expected no codes e, as the model is not that of a sparse instruction, found 1"),
    ] {
        let found = asked(name, &(text + "\n"));
        assert_eq!(found, format!("error: wrong.txt, {error}\n"));
    }
}
