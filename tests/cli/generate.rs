//! `gen`: what is drawn is of its kind and in its domain, and what is written is read back.

use half::f16;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::vectors::{Lines, Vector, parse_line};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const KINDS: [(Kind, &str); 6] = [
    (Kind::Random, "random"),
    (Kind::Finite, "finite"),
    (Kind::Close, "close"),
    (Kind::Cancel, "cancel"),
    (Kind::Edge, "edge"),
    (Kind::Feature, "feature"),
];

const MODELS: [&str; 12] = [
    "fda:F=24",
    "fda:F=25,K=16,out=f16",
    "fda:K=5,in=tf32",
    "fda:F=13,K=32,in=e4m3,frac=13",
    "fda:F=25,K=32,in=e5m2,scale=ue8m0",
    "gdfs:F=35",
    "sfma:fmt=f64",
    "fdrda",
    "gfdrda",
    "gps:K=16",
    "cdna3/v_mfma_f32_16x16x32_fp8_fp8",
    "exact:K=4",
];

fn mmasmt(arguments: &[&str]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(arguments)
        .output();
    program.unwrap()
}

fn generated(arguments: &[&str]) -> String {
    let output = mmasmt(&[&["gen"], arguments].concat());
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn vectors(text: &str, model: &Model) -> Vec<Vector> {
    let mut lines = Lines::new(text.as_bytes());
    let mut vectors = Vec::new();
    while let Some((line, text)) = lines.next_line().unwrap() {
        vectors.push(parse_line(text, line, &model.signature()).unwrap());
    }
    vectors
}

fn check(model: &str, path: &Path) -> String {
    let output = mmasmt(&["check", model, path.to_str().unwrap()]);
    String::from_utf8(output.stdout).unwrap()
}

fn drawn(model: &str, kind: Kind, count: usize) -> Vec<Inputs> {
    let mut draw = Draw::new(Model::parse(model).unwrap().signature(), kind, 3);
    (0..count).map(|_| draw.draw()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A generated file passes its model; with one digit of one result changed it fails there.
    #[test]
    fn a_generated_file_passes_and_a_changed_one_fails(
        model in prop::sample::select(&MODELS[..]),
        (_, kind) in prop::sample::select(&KINDS[..]),
        seed: u64,
        changed in 0..50_usize,
        bit in 0..4_u32,
    ) {
        let seed = seed.to_string();
        let text = generated(&[model, "--kind", kind, "--count", "50", "--seed", &seed]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        std::fs::write(&path, &text).unwrap();
        prop_assert!(check(model, &path).ends_with("\n50 passed, 0 failed\n"));

        // The last digit of a NaN that any NaN stands for does not matter; a sign does, but of it.
        let parsed = Model::parse(model).unwrap();
        let vector = vectors(&text, &parsed).swap_remove(changed);
        let other = vector.d ^ 1 << (bit + parsed.signature().d.dropped_bits);
        prop_assume!(!parsed.accepts(vector.d, other));
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let first = lines.iter().position(|line| !line.starts_with('#')).unwrap();
        let line = &mut lines[first + changed];
        let (operands, d) = line.rsplit_once(' ').unwrap();
        *line = format!("{operands} {other:0digits$x}", digits = d.len());
        std::fs::write(&path, lines.join("\n")).unwrap();
        let output = mmasmt(&["check", model, path.to_str().unwrap(), "--json"]);
        prop_assert_eq!(output.status.code(), Some(1));
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        prop_assert_eq!(&found["failed"], &serde_json::json!(1));
    }
}

#[test]
fn the_seed_decides_and_the_model_does_not() {
    for (kind, name) in KINDS {
        assert_eq!(drawn("fda:F=24", kind, 20), drawn("exact:K=4", kind, 20));
        let arguments = |seed| ["fda", "--kind", name, "--count", "20", "--seed", seed];
        assert_eq!(generated(&arguments("7")), generated(&arguments("7")));
        let rows = |seed| {
            generated(&arguments(seed))
                .lines()
                .skip(6)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_ne!(rows("7"), rows("8"));
    }
}

#[test]
fn kinds_that_are_finite_are_and_others_are_not() {
    for model in MODELS {
        let signature = Model::parse(model).unwrap().signature();
        let has_specials = [signature.a, signature.c].iter().any(Format::has_nan);
        for (kind, name) in KINDS {
            let inputs = drawn(model, kind, 500);
            let finite = inputs
                .iter()
                .filter(|inputs| inputs.is_finite(&signature))
                .count();
            let fits = inputs
                .iter()
                .all(|inputs| inputs.clone().padded(&signature).is_some());
            assert!(fits, "{model} {name}");
            match kind {
                Kind::Random | Kind::Edge => {
                    assert!(finite < 500 || !has_specials, "{model} {name}")
                }
                _ => assert_eq!(finite, 500, "{model} {name}"),
            }
        }
    }
}

fn value(bits: u64) -> f64 {
    f16::from_bits(bits as u16).to_f64()
}

/// Terms of a dot-add of f16 onto f32: exact in f64.
fn terms(inputs: &Inputs) -> Vec<f64> {
    let products = inputs
        .a
        .iter()
        .zip(&inputs.b)
        .map(|(a, b)| value(*a) * value(*b));
    let c = f64::from(f32::from_bits(inputs.c as u32));
    products.chain([c]).collect()
}

/// How many of 1000 inputs of a kind have a property, judged in f64.
fn share(kind: Kind, holds: impl Fn(&[f64]) -> bool) -> usize {
    let inputs = drawn("fda:K=8", kind, 1000);
    inputs.iter().filter(|inputs| holds(&terms(inputs))).count()
}

#[test]
fn close_terms_are_close_and_cancelled_ones_cancel() {
    let greatest = |terms: &[f64]| {
        terms
            .iter()
            .fold(0.0, |most: f64, term| most.max(term.abs()))
    };
    let is_close = |terms: &[f64]| {
        let least = terms
            .iter()
            .fold(f64::MAX, |least, term| least.min(term.abs()));
        least > 0.0 && greatest(terms) / least < 2_f64.powi(19)
    };
    assert!(share(Kind::Close, is_close) > 900);
    assert!(share(Kind::Finite, is_close) < 200);
    let cancels = |terms: &[f64]| terms.iter().sum::<f64>().abs() * 256.0 < greatest(terms);
    assert!(share(Kind::Cancel, cancels) > 500);
    assert!(share(Kind::Close, cancels) < 50);
}

#[test]
fn edges_hold_every_kind_of_number_and_ties() {
    let inputs = drawn("fda:K=8", Kind::Edge, 2000);
    let all: BTreeSet<u64> = inputs.iter().flat_map(|inputs| inputs.a.clone()).collect();
    for register in [
        0x0000, 0x8000, 0x0001, 0x03ff, 0x8400, 0x3c01, 0x7bff, 0xfc00, 0x7c01, 0x7e00,
    ] {
        assert!(all.contains(&register), "{register:04x}");
    }
    // Between two neighbours of f32 in the middle: a bit more than f32 has.
    let is_tie = |terms: &[f64]| {
        let sum: f64 = terms.iter().sum();
        let nearest = f64::from(sum as f32);
        let up = f64::from((nearest as f32).next_up()) - nearest;
        let down = nearest - f64::from((nearest as f32).next_down());
        let off = sum - nearest;
        off != 0.0 && (2.0 * off == up || -2.0 * off == down)
    };
    assert!(share(Kind::Edge, is_tie) > 20);
    assert!(share(Kind::Finite, is_tie) < 5);
}

#[test]
fn what_is_drawn_is_in_the_domain() {
    let text = generated(&[
        "fda:F=24",
        "--kind",
        "random",
        "--count",
        "300",
        "--where",
        "a exp -3..4, b[1..] subnormal, b[0] = 0x1.8p+1, c positive, c bits 3, c normal",
    ]);
    let vectors = vectors(&text, &Model::parse("fda:F=24").unwrap());
    assert_eq!(vectors.len(), 300);
    for Vector { inputs, .. } in &vectors {
        assert!(
            inputs
                .a
                .iter()
                .all(|&a| (0.125..32.0).contains(&value(a).abs()))
        );
        assert!(
            inputs.b[1..]
                .iter()
                .all(|&b| (1..0x400).contains(&(b & 0x7fff)))
        );
        assert_eq!(inputs.b[0], 0x4200);
        let c = f32::from_bits(inputs.c as u32);
        assert!(c.is_normal() && c > 0.0 && inputs.c.trailing_zeros() >= 21);
    }
    // Not one number over and over.
    let different: BTreeSet<u64> = vectors.iter().map(|vector| vector.inputs.a[2]).collect();
    assert!(different.len() > 100);
}

/// The domain's own predicate, which is tested elsewhere, for every kind and many formats.
#[test]
fn every_kind_is_put_into_domains() {
    for model in MODELS {
        let signature = Model::parse(model).unwrap().signature();
        for text in [
            "c = 0, a[0] nonzero",
            "finite, factors exp 0..1",
            "factors bits 2, c normal",
            "a subnormal",
        ] {
            let domain = Domain::parse(text, &signature).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            for (kind, _) in KINDS {
                for inputs in drawn(model, kind, 20) {
                    let placed = domain.place(inputs, &mut rng).unwrap();
                    assert!(domain.contains(&placed), "{model} {text}");
                    assert_eq!(domain.place(placed.clone(), &mut rng), Ok(placed));
                }
            }
        }
    }
}

#[test]
fn a_domain_that_nothing_is_drawn_from_is_an_error_and_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none");
    for (domain, operand) in [
        ("c zero, c nonzero", "c"),
        ("a[2] exp 3..4, a[2] subnormal", "a[2]"),
    ] {
        let path = path.to_str().unwrap();
        let output = mmasmt(&["gen", "fda", "--where", domain, "--out", path]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains(&format!("for operand {operand}, found none")),
            "{error}"
        );
        assert!(!Path::new(path).exists());
    }
}

#[test]
fn discriminating_inputs_are_different_and_tell_models_apart() {
    let models = ["fda:F=24", "fda:F=25", "fda:F=26", "fda:F=24,zero=raw"];
    let arguments = [
        &models[..],
        &[
            "--kind",
            "discriminating",
            "--count",
            "40",
            "--format",
            "jsonl",
        ],
    ];
    let text = generated(&arguments.concat());
    let parsed = models.map(|model| Model::parse(model).unwrap());
    let mut told = BTreeSet::new();
    let lines: BTreeSet<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 40);
    for line in lines {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        let bits =
            |value: &serde_json::Value| u64::from_str_radix(value.as_str().unwrap(), 16).unwrap();
        let row = |key: &str| {
            vector[key]
                .as_array()
                .unwrap()
                .iter()
                .map(bits)
                .collect::<Vec<_>>()
        };
        let inputs = Inputs::new(row("a"), row("b"), bits(&vector["c"]));
        assert!(inputs.is_finite(&parsed[0].signature()));
        let results: Vec<u64> = parsed
            .iter()
            .map(|model| model.evaluate_big(&inputs).unwrap())
            .collect();
        assert_eq!(results, row("d"));
        for right in 0..4 {
            told.extend(
                (0..right)
                    .filter(|&left| results[left] != results[right])
                    .map(|left| (left, right)),
            );
        }
    }
    assert_eq!(told.len(), 6);
}

/// `c + 2^-24` with `c` of two bits from 1 to 4: only from -2 downwards does bit 25 matter.
#[test]
fn discriminating_inputs_end_where_there_are_no_more() {
    let domain = "a[1..] = 0, b[1..] = 0, a[0] = 0x1p-12, b[0] = 0x1p-12, c bits 2, c exp 0..1";
    let candidates = [1.0_f32, 1.5, 2.0, 3.0].map(|c| [c, -c]).concat();
    let models = ["fda:F=24", "fda:F=25"].map(|model| Model::parse(model).unwrap());
    let differ = candidates.iter().filter(|c| {
        let row = |first| vec![first, 0, 0, 0];
        let inputs = Inputs::new(row(0x0c00), row(0x0c00), c.to_bits().into());
        models[0].evaluate_big(&inputs).unwrap() != models[1].evaluate_big(&inputs).unwrap()
    });
    let expected = differ.count();
    let output = mmasmt(&[
        "gen",
        "fda:F=24",
        "fda:F=25",
        "--kind",
        "discriminating",
        "--where",
        domain,
        "--count",
        "100",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(expected > 0);
    assert_eq!(vectors(&text, &models[0]).len(), expected);
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(
        note.ends_with("of 100 vectors: there are no others on which the models differ, proved\n"),
        "{note}"
    );
}

#[test]
fn equal_models_are_said_to_be_equal() {
    let output = mmasmt(&[
        "gen",
        "fda:carry=4",
        "fda",
        "--kind",
        "discriminating",
        "--count",
        "2",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(
        note.starts_with("# equal: fda:carry=4 and fda, proved for all operands in `finite`\n"),
        "{note}"
    );
    // One carry bit fewer, and they are not.
    let output = mmasmt(&[
        "gen",
        "fda:carry=3",
        "fda",
        "--kind",
        "discriminating",
        "--count",
        "2",
    ]);
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

#[test]
fn a_file_for_each_model_passes_it() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("close-{}.txt.gz");
    let models = ["fda:F=23", "fda:F=27"];
    let arguments = [
        &models[..],
        &[
            "--kind",
            "close",
            "--count",
            "300",
            "--out",
            out.to_str().unwrap(),
        ],
    ];
    generated(&arguments.concat());
    for (number, model) in models.iter().enumerate() {
        let path = folder.path().join(format!("close-{}.txt.gz", number + 1));
        assert_eq!(std::fs::read(&path).unwrap()[..2], [0x1f, 0x8b]);
        assert!(check(model, &path).ends_with("\n300 passed, 0 failed\n"));
        let other = check(models[1 - number], &path);
        assert!(!other.ends_with(" 0 failed\n"), "{other}");
    }
}

/// The shape and the elements of an array of unsigned integers, read by what numpy.lib.format says.
fn array(archive: &mut zip::ZipArchive<std::fs::File>, name: &str) -> (String, Vec<u64>) {
    let mut bytes = Vec::new();
    archive
        .by_name(name)
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((start % 64, bytes[start - 1]), (0, b'\n'));
    let header = std::str::from_utf8(&bytes[10..start])
        .unwrap()
        .trim()
        .to_owned();
    let between = |from: &str, to: &str| {
        let rest = &header[header.find(from).unwrap() + from.len()..];
        rest[..rest.find(to).unwrap()].to_owned()
    };
    assert!(header.contains("'fortran_order': False"));
    let size: usize = between("'descr': '", "'")[2..].parse().unwrap();
    let elements = bytes[start..].chunks(size).map(|chunk| {
        chunk
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    });
    (between("'shape': ", ", }"), elements.collect())
}

fn npz(folder: &Path, models: &[&str]) -> PathBuf {
    let path = folder.join("vectors.npz");
    let arguments = [
        "--kind",
        "random",
        "--count",
        "70",
        "--out",
        path.to_str().unwrap(),
    ];
    generated(&[models, &arguments].concat());
    path
}

#[test]
fn an_npz_file_has_the_vectors_of_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    for model in ["fda:F=25,K=32,in=e5m2,scale=ue8m0", "sfma:fmt=f64", "fda"] {
        let path = npz(folder.path(), &[model, model]);
        let parsed = Model::parse(model).unwrap();
        let signature = parsed.signature();
        let text = generated(&[model, "--kind", "random", "--count", "70"]);
        let vectors = vectors(&text, &parsed);
        let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
        let mut expect = |name: &str, columns: Option<u32>, row: &dyn Fn(&Vector) -> Vec<u64>| {
            let shape = columns.map_or("(70,)".into(), |columns| format!("(70, {columns})"));
            let elements: Vec<u64> = vectors.iter().flat_map(row).collect();
            assert_eq!(
                array(&mut archive, name),
                (shape, elements),
                "{model} {name}"
            );
        };
        let products = Some(signature.products);
        expect("c.npy", None, &|vector| vec![vector.inputs.c]);
        expect("a.npy", products, &|vector| vector.inputs.a.clone());
        expect("b.npy", products, &|vector| vector.inputs.b.clone());
        expect("d.npy", Some(2), &|vector| vec![vector.d; 2]);
        if signature.scales.is_some() {
            let count = Some(signature.scale_count());
            expect("sa.npy", count, &|vector| vector.inputs.a_scales.clone());
            expect("sb.npy", count, &|vector| vector.inputs.b_scales.clone());
        }
    }
}

/// NumPy itself, where there is one.
#[test]
fn numpy_reads_an_npz_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = npz(folder.path(), &["fda:K=16", "fda:K=16,F=25"]);
    let has_numpy = Command::new("python3")
        .args(["-c", "import numpy"])
        .output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: numpy_reads_an_npz_file: no python3 with numpy");
        return;
    }
    let script = "import json, sys, numpy\n\
                  z = numpy.load(sys.argv[1])\n\
                  print(json.loads(str(z['about']))['models'], z.files)\n\
                  for k in z.files[1:]: print(k, z[k].dtype, z[k].shape)\n\
                  row = lambda x: ','.join('%04x' % v for v in x)\n\
                  print('%08x' % z['c'][9], row(z['a'][9]), row(z['b'][9]), '%08x' % z['d'][9, 0])";
    let output = Command::new("python3")
        .args(["-c", script, path.to_str().unwrap()])
        .output()
        .unwrap();
    let text = generated(&["fda:K=16", "--kind", "random", "--count", "70"]);
    let line = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .nth(9)
        .unwrap();
    let expected = format!(
        "['fda:K=16,F=24', 'fda:K=16,F=25'] ['about', 'c', 'a', 'b', 'd']\n\
         c uint32 (70,)\na uint16 (70, 16)\nb uint16 (70, 16)\nd uint32 (70, 2)\n{line}\n"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

/// A name that promises another format is refused, and nothing is written.
#[test]
fn a_file_is_what_its_name_says() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.npy", "x.csv", "x.json", "x.csv.gz", "x.npz.gz"] {
        let path = folder.path().join(name);
        let output = mmasmt(&[
            "gen",
            "fda",
            "--count",
            "3",
            "--out",
            path.to_str().unwrap(),
        ]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(
            error.starts_with("error: --out: expected") && error.contains(".npz"),
            "{error}"
        );
        assert!(!path.exists());
    }
    let path = folder.path().join("x.csv");
    let arguments = ["gen", "fda", "--count", "3", "--format", "lines", "--out"];
    assert!(
        mmasmt(&[&arguments[..], &[path.to_str().unwrap()]].concat())
            .status
            .success()
    );
    assert!(path.exists());
}

/// Where the disk is full (here: a file may have no more than 8 KiB) there is an error and no file, and
/// what was there before is as it was.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_no_part_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["x.txt", "x.jsonl", "x.npz", "x.txt.gz"] {
        for before in [None, Some("kept")] {
            let path = folder.path().join(name);
            if let Some(text) = before {
                std::fs::write(&path, text).unwrap();
            }
            // SIGXFSZ is ignored, so that the write fails as on a full disk.
            let script = format!(
                "trap '' XFSZ; ulimit -f 8; exec '{}' gen fda --count 20000 --out '{}'",
                env!("CARGO_BIN_EXE_mmasmt"),
                path.display()
            );
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(output.stderr.starts_with(b"error: "));
            let left = std::fs::read_dir(folder.path()).unwrap().count();
            match before {
                None => assert_eq!(left, 0, "{name}"),
                Some(text) => {
                    assert_eq!(
                        (left, std::fs::read_to_string(&path).unwrap()),
                        (1, text.into())
                    );
                    std::fs::remove_file(path).unwrap();
                }
            }
        }
    }
}

/// The formulas of TOSA's test of dot products, step by step in f64, for f16 with 4 products.
mod tosa {
    use super::{f16, generated, vectors};
    use mmasmt_core::machines::model::Model;

    const PRODUCTS: u64 = 4;
    const COLUMNS: u64 = 32;
    /// The greatest f16; its square is no f32 that overflows.
    const B: f64 = 65504.0;

    fn set_data(set: u64, index: u64) -> f64 {
        let m = (8 * set as u32 + 1).wrapping_mul(0x705A_5E75);
        let r = (0..index).fold(m.wrapping_add(1), |r, _| r.wrapping_mul(m).wrapping_add(1));
        let magnitude = f64::from((r & 0x7fff_ffff) as f32 / 0x7fff_ffff as f32);
        if r >> 31 == 0 { magnitude } else { -magnitude }
    }

    fn data(set: u64, p: u64, k: u64, i: u64) -> f64 {
        let count = PRODUCTS as f64;
        let sign = |x: f64, size: f64| if x < 0.0 { -size } else { size };
        let three = 3 * set;
        match (set, p) {
            (0, 0) => {
                if set_data(three, i) < 0.0 {
                    0.0
                } else {
                    set_data(three + 1, i)
                }
            }
            (0, 1) => {
                if set_data(three, i) < 0.0 {
                    set_data(three + 1, i)
                } else {
                    0.0
                }
            }
            (1, 2) => {
                let x =
                    sign(set_data(three + 2, 2 * i), 0.75) + 0.25 * set_data(three + 2, 2 * i + 1);
                B * B / (count + 1.0) * x
            }
            (_, 2) => 0.0,
            (1, _) => {
                let x =
                    sign(set_data(three + p, 2 * i), 0.75) + 0.25 * set_data(three + p, 2 * i + 1);
                B / (count + 1.0).sqrt() * x
            }
            (2, _) => {
                if k == 0 {
                    1.0
                } else {
                    set_data(three + p, i) / count.sqrt()
                }
            }
            (3, _) if k == 0 => sign(set_data(three + p, 2 * i), 16.0),
            (3, _) => (2.0 * set_data(three + p, 2 * i)).exp() * set_data(three + p, 2 * i + 1),
            (4, 0) if k == PRODUCTS / 2 => sign(set_data(three, i), 0.5),
            (4, 1) if k == PRODUCTS / 2 => -sign(set_data(three, i), 0.5),
            (4, 0) => {
                if set_data(three, i) < 0.0 {
                    0.0
                } else {
                    B / count.sqrt() * set_data(three + 1, i)
                }
            }
            (4, 1) => {
                if set_data(three, i) < 0.0 {
                    B / count.sqrt() * set_data(three + 1, i)
                } else {
                    0.0
                }
            }
            _ => B / count.sqrt() * set_data(three + p, i),
        }
    }

    #[test]
    fn data_is_that_of_the_formulas() {
        let model = Model::parse("fda:F=24,K=4").unwrap();
        let text = generated(&["fda:F=24,K=4", "--kind", "tosa", "--count", "900"]);
        let half = |x: f64| u64::from(f16::from_f64(x).to_bits());
        for (number, vector) in (0..).zip(vectors(&text, &model)) {
            let (set, element) = (number % 6, number / 6);
            let (row, column) = (element / COLUMNS, element % COLUMNS);
            for k in 0..PRODUCTS {
                let [a, b] = [vector.inputs.a[k as usize], vector.inputs.b[k as usize]];
                assert_eq!(
                    a,
                    half(data(set, 0, k, row * PRODUCTS + k)),
                    "{number}: a[{k}]"
                );
                assert_eq!(
                    b,
                    half(data(set, 1, k, k * COLUMNS + column)),
                    "{number}: b[{k}]"
                );
            }
            let c = data(set, 2, 0, column) as f32;
            assert_eq!(vector.inputs.c, u64::from(c.to_bits()), "{number}: c");
        }
    }
}
