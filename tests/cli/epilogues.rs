//! Matrix products of epilogues: what they are compared with has their factors, and scales of whole tensors are their alpha.

use super::products::run;
use mmasmt_numbers::float::Format;
use mmasmt_questions::matrices::{Matrix, write_array};
use serde_json::Value;
use std::path::Path;

/// Writes a.npy, b.npy and c.npy with small integers, so that no product below is rounded.
fn write_integers(folder: &Path) {
    let halves = [0x0000, 0x3c00, 0xbc00, 0x4000, 0x4200, 0xc000];
    let singles = [0x3f80_0000, 0xc000_0000, 0x4040_0000];
    let of = |format, [rows, columns]: [usize; 2], some: &[u64]| {
        let registers = (0..rows * columns).map(|at| some[(at * at + at / 5) % some.len()]);
        Matrix::new(format, [rows, columns], registers.collect::<Vec<_>>()).unwrap()
    };
    for (name, matrix) in [
        ("a.npy", of(Format::F16, [3, 40], &halves)),
        ("b.npy", of(Format::F16, [40, 2], &halves)),
        ("c.npy", of(Format::F32, [3, 2], &singles)),
    ] {
        write_array(&folder.join(name), "", &matrix.into()).unwrap();
    }
}

#[test]
fn the_exact_product_has_the_factors_of_an_epilogue() {
    let folder = tempfile::tempdir().unwrap();
    write_integers(folder.path());
    for (text, c) in [
        ("fda:F=25", Some("c.npy")),
        ("cublas/gemm.hopper.f32.f16.f16:alpha=0.75", None),
        ("epilogue(fda:F=25):alpha=0.75,beta=-2", Some("c.npy")),
        (
            "epilogue(fda:F=25):alpha=-3,beta=1,scale=0.5",
            Some("c.npy"),
        ),
    ] {
        for against in ["exact", "f64"] {
            let mut line = vec!["matmul", "a.npy", "b.npy"];
            line.extend(c);
            line.extend(["--on", text, "--against", against, "--json"]);
            let (status, out, err) = run(folder.path(), &line);
            assert_eq!(status, Some(0), "{text}: {err}");
            let value: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(
                value["compared"]["not_the_same"], 0,
                "{text} against {against}"
            );
        }
    }
}

#[test]
fn scales_of_tensors_are_the_alpha_of_an_epilogue() {
    let folder = tempfile::tempdir().unwrap();
    write_integers(folder.path());
    let row = "cublas/gemm.hopper.f32.f16.f16";
    let line = [
        "matmul",
        "a.npy",
        "b.npy",
        "--on",
        row,
        "--against",
        "exact",
    ];
    let scales = ["--scale-a", "0.5", "--scale-b", "0.5"];
    let (status, _, err) = run(folder.path(), &[&line[..], &scales].concat());
    assert_eq!(status, Some(2));
    assert!(
        err.ends_with(&format!("is alpha: --on '{row}:alpha=0x1p-2'\n")),
        "{err}"
    );
    let scaled = ["fda:in=e2m1,scale=ue8m0,K=32", "--out", "d.npy"];
    let line = [&line[..4], &scaled, &scales].concat();
    let (status, _, err) = run(folder.path(), &line);
    assert_eq!(status, Some(2));
    assert!(err.contains("found the number 0.5"), "{err}");
}
