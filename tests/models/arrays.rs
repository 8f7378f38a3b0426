//! Matrices with batch dimensions against one product after the other, and arrays as NumPy writes them.

use crate::matrices::drawn;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Dyadic, Format, hex_float};
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::{
    Matrix, MatrixProduct, ProductStack, Stack, gemm, gemms, read_array, write_array,
};
use std::fs;
use std::path::{Path, PathBuf};

/// A stack of random finite matrices.
fn stack(batch: &[usize], format: Format, shape: [usize; 2], seed: u64) -> Stack {
    let count = batch.iter().product::<usize>() as u64;
    let one = |number| drawn(format, shape, Kind::Finite, 100 * seed + number);
    Stack::new(batch, format, shape, (0..count).map(one).collect()).unwrap()
}

/// NumPy's rule: dimensions are compared from the last one, and those of one or missing are repeated.
#[test]
fn batch_dimensions_are_repeated_as_numpy_does() {
    let model = Model::parse("ampere/HMMA.16816.F32").unwrap();
    let a = stack(&[2, 1], Format::F16, [3, 20], 1);
    let b = stack(&[3], Format::F16, [20, 4], 2);
    let c = stack(&[2, 3], Format::F32, [3, 4], 3);
    let products = ProductStack::new(&a, &b, Some(&c), None).unwrap();
    assert_eq!(products.batch(), [2, 3]);
    let found = gemms(&model, products.each(), &Limits::default()).unwrap();
    for i in 0..2 {
        for j in 0..3 {
            let number = 3 * i + j;
            let [a, b, c] = [&a.matrices()[i], &b.matrices()[j], &c.matrices()[number]];
            let product = MatrixProduct::new(a, b).plus(Some(c));
            let alone = gemm(&model, &product, &Limits::default()).unwrap();
            assert_eq!(found[number], alone, "[{i}, {j}]");
        }
    }
    let wrong = stack(&[2], Format::F16, [20, 4], 4);
    let other = stack(&[5, 3], Format::F16, [3, 20], 5);
    let error = ProductStack::new(&other, &wrong, None, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "B: batch dimensions that go with (5, 3) expected, found (2,)"
    );
}

/// Large enough for programs; the parts of all products are shared among threads.
#[test]
fn many_products_are_those_of_each_alone() {
    let model = Model::parse("hopper/HMMA.16816.F32").unwrap();
    let a = stack(&[40], Format::F16, [33, 48], 1);
    let b = stack(&[40], Format::F16, [48, 17], 2);
    let products = ProductStack::new(&a, &b, None, None).unwrap();
    let found = gemms(&model, products.each(), &Limits::default()).unwrap();
    for (product, found) in products.each().iter().zip(&found) {
        // Alone each is too small for a program.
        assert_eq!(gemm(&model, product, &Limits::default()).unwrap(), *found);
    }
}

#[test]
fn a_batch_of_none_is_no_product() {
    let model = Model::parse("hopper/HMMA.16816.F32").unwrap();
    let a = stack(&[0], Format::F16, [3, 4], 1);
    let b = stack(&[1], Format::F16, [4, 5], 2);
    let products = ProductStack::new(&a, &b, None, None).unwrap();
    assert_eq!(products.batch(), [0]);
    let found = gemms(&model, products.each(), &Limits::default()).unwrap();
    assert!(found.is_empty());
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("arrays");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn read(path: &Path, format: Format) -> Stack {
    read_array(path, &["a"], format).unwrap()
}

#[test]
fn arrays_are_read_as_they_were_written() {
    for format in [
        Format::F16,
        Format::BF16,
        Format::F32,
        Format::E4M3,
        Format::F64,
    ] {
        for batch in [&[][..], &[2, 3]] {
            let stack = stack(batch, format, [3, 5], 1);
            for end in ["npy", "npz"] {
                let path = path(&format!("{format}.{end}"));
                write_array(&path, "a", &stack).unwrap();
                assert_eq!(read(&path, format), stack, "{format}");
            }
        }
    }
}

/// Arrays of other formats whose numbers are held, and of raw bytes as `ml_dtypes` saves them.
#[test]
fn numbers_and_raw_bytes_are_read_for_another_format() {
    let numbers = Matrix::new(Format::F32, [1, 3], [0x3f80_0000, 0x8000_0000, 0xc020_0000]);
    let path = path("numbers.npy");
    write_array(&path, "", &numbers.unwrap().into()).unwrap();
    let halves = read(&path, Format::F16);
    let halves: Vec<u64> = halves.matrices()[0].registers().collect();
    assert_eq!(halves, [0x3c00, 0x8000, 0xc100]);
    let tenth = Matrix::new(Format::F32, [1, 1], [0x3dcc_cccd]).unwrap();
    write_array(&path, "", &tenth.into()).unwrap();
    let error = read_array(&path, &[], Format::F16).unwrap_err().to_string();
    assert!(
        error.contains("(0, 0)") && error.contains("round it first"),
        "{error}"
    );

    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(3).position(|found| found == b"<f4").unwrap();
    bytes[at..at + 3].copy_from_slice(b"|V1");
    fs::write(&path, &bytes).unwrap();
    let raw = read(&path, Format::E4M3);
    assert_eq!(raw.matrices()[0].get(0, 0), 0xcd);
    assert_eq!(hex_float(&Format::E4M3, 0xcd), "-0x1.ap+2");
    assert!(Dyadic::of(&Format::E4M3, 0xcd).is_some());
    fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    assert!(read_array(&path, &[], Format::E4M3).is_err());
}

/// The bytes of an array as NumPy writes them.
fn saved(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let text = format!("{text:117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

/// Elements of Fortran's order, where the first index runs fastest, and of the other byte order, with a batch too.
#[test]
fn arrays_of_either_order_are_read() {
    let path = path("orders.npy");
    let numbers: Vec<u16> = (0..12).map(|number| 0x3c00 + number).collect();
    for (shape, lengths) in [
        ("(3, 4)", vec![3, 4]),
        ("(2, 2, 3)", vec![2, 2, 3]),
        ("(12,)", vec![12]),
    ] {
        // The place in the file of the element with each number in C's order.
        let fortran: Vec<usize> = (0..12)
            .map(|number| {
                let (mut rest, mut index) = (number, Vec::new());
                for length in lengths.iter().rev() {
                    index.insert(0, rest % length);
                    rest /= length;
                }
                let place = index.iter().zip(&lengths).rev();
                place.fold(0, |place, (at, length)| place * length + at)
            })
            .collect();
        for (order, is_fortran) in [("False", false), ("True", true)] {
            for (descr, is_big) in [("<f2", false), (">f2", true), (">u2", true)] {
                let mut in_file = [0; 12];
                for number in 0..12 {
                    let place = if is_fortran { fortran[number] } else { number };
                    in_file[place] = numbers[number];
                }
                let bytes = in_file.iter().flat_map(|number: &u16| match is_big {
                    true => number.to_be_bytes(),
                    false => number.to_le_bytes(),
                });
                let bytes: Vec<u8> = bytes.collect();
                fs::write(&path, saved(descr, order, shape, &bytes)).unwrap();
                let found = read(&path, Format::F16);
                let found: Vec<u64> = found
                    .matrices()
                    .iter()
                    .flat_map(Matrix::registers)
                    .collect();
                let expected: Vec<u64> = numbers.iter().map(|number| u64::from(*number)).collect();
                assert_eq!(found, expected, "{descr} {order} {shape}");
            }
        }
    }
    // The index of what is wrong is that of NumPy.
    let tenth = 0.1f32.to_le_bytes();
    let bytes = [[0; 4], [0; 4], [0; 4], tenth, [0; 4], [0; 4]].concat();
    fs::write(&path, saved("<f4", "True", "(2, 3)", &bytes)).unwrap();
    let error = read_array(&path, &[], Format::F16).unwrap_err().to_string();
    assert!(error.starts_with("element (1, 1) is ~0.1, "), "{error}");
}

/// Infinities and NaNs are taken where a format has them, and refused for what they are where it has not.
#[test]
fn infinities_and_nans_are_read_where_the_format_has_them() {
    let path = path("specials.npy");
    let write = |registers: &[u32]| {
        let bytes: Vec<u8> = registers
            .iter()
            .flat_map(|register| register.to_le_bytes())
            .collect();
        let shape = format!("(1, {})", registers.len());
        fs::write(&path, saved("<f4", "False", &shape, &bytes)).unwrap();
    };
    write(&[
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xff80_0001,
        0x3f80_0000,
    ]);
    for (format, expected) in [
        (Format::F16, [0x7c00, 0xfc00, 0x7e00, 0x7e00, 0x3c00]),
        (Format::BF16, [0x7f80, 0xff80, 0x7fc0, 0x7fc0, 0x3f80]),
        (
            Format::TF32,
            [
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x7fc0_0000,
                0x3f80_0000,
            ],
        ),
        (
            Format::F32,
            [
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0xff80_0001,
                0x3f80_0000,
            ],
        ),
        (Format::E5M2, [0x7c, 0xfc, 0x7e, 0x7e, 0x3c]),
    ] {
        let found: Vec<u64> = read(&path, format).matrices()[0].registers().collect();
        assert_eq!(found, expected, "{format}");
    }
    let error = |format| read_array(&path, &[], format).unwrap_err().to_string();
    assert_eq!(
        error(Format::E4M3),
        "element (0, 0) is inf, which e4m3 does not have: take a number in its place"
    );
    write(&[0x7fc0_0000]);
    assert_eq!(read(&path, Format::E4M3).matrices()[0].get(0, 0), 0x7f);
    assert_eq!(
        error(Format::E2M1),
        "element (0, 0) is nan, which e2m1 does not have: take a number in its place"
    );
}

/// `numpy.savez_compressed(FILE, a=float16[[1, 2], [3, 4]], b=float16[[5, 6]])`, made by NumPy 2.4.
const SAVED: &[u8] = include_bytes!("../data/two-arrays.npz");

#[test]
fn an_array_of_an_archive_is_found_by_its_name() {
    let file = path("two.npz");
    fs::write(&file, SAVED).unwrap();
    let of = |text: &str, names: &[&str]| {
        let stack = read_array(Path::new(text), names, Format::F16);
        stack.map(|stack| stack.matrices()[0].registers().collect::<Vec<_>>())
    };
    let text = file.to_str().unwrap();
    let one = [0x3c00, 0x4000, 0x4200, 0x4400];
    assert_eq!(of(text, &["a", "A"]).unwrap(), one);
    assert_eq!(of(&format!("{text}:b"), &["a"]).unwrap(), [0x4500, 0x4600]);
    let none = of(text, &["scale_a", "sa"]).unwrap_err().to_string();
    assert_eq!(
        none,
        "expected one array, one named scale_a or sa, or FILE.npz:NAME, found a, b"
    );
    let none = of(&format!("{text}:e"), &["a"]).unwrap_err().to_string();
    assert_eq!(none, "expected an array `e`, found a, b");
    // A byte of the data of an array is another.
    for at in 0..SAVED.len() {
        let mut damaged = SAVED.to_vec();
        damaged[at] ^= 1;
        fs::write(&file, &damaged).unwrap();
        // Names and dates in the archive may differ: the numbers may not.
        if let Ok(found) = of(&format!("{text}:a"), &[]) {
            assert_eq!(found, one, "byte {at}");
        }
    }
}
