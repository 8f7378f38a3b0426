//! Integers on x86 before VNNI: VPMADDUBSW, VPMADDWD, and the sequences that libraries make of them.

use super::{compare, seeded, unit};
use crate::common::integer_reference::{draw, register, value};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;

/// The products of the factors, in pairs.
fn pairs(inputs: &Inputs, [a, b]: [Format; 2]) -> Vec<i128> {
    let products = inputs.a.iter().zip(&inputs.b);
    let products: Vec<i128> = products
        .map(|(x, y)| value(&a, *x) * value(&b, *y))
        .collect();
    products.chunks(2).map(|pair| pair.iter().sum()).collect()
}

fn saturated(sum: i128) -> i128 {
    sum.clamp(-32768, 32767)
}

/// An instruction or a sequence, by the name of its row: the registers of its sums, in order.
fn expected(row: &str, inputs: &Inputs) -> u64 {
    let bytes = || pairs(inputs, [Format::U8, Format::S8]);
    let words = || pairs(inputs, [Format::S16, Format::S16]);
    match row {
        "vpmaddubsw" => register(&Format::S16, saturated(bytes()[0])),
        "vpmaddwd" => register(&Format::S32, words()[0]),
        "vpmaddwd.vpaddd" => register(&Format::S32, words()[0] + value(&Format::S32, inputs.c)),
        "vpmaddubsw.vpaddsw" => {
            let sum = saturated(bytes()[0]) + value(&Format::S16, inputs.c);
            register(&Format::S16, saturated(sum))
        }
        "vpmaddubsw.vpmaddwd.vpaddd" => {
            let sum: i128 = bytes().into_iter().map(saturated).sum();
            register(&Format::S32, sum + value(&Format::S32, inputs.c))
        }
        other => panic!("{other}"),
    }
}

const ROWS: [(&str, &str); 5] = [
    ("vpmaddubsw", "x86-vpmaddubsw"),
    ("vpmaddwd", "x86-vpmaddwd"),
    ("vpmaddwd.vpaddd", "x86-vpmaddwd-vpaddd"),
    ("vpmaddubsw.vpaddsw", "x86-vpmaddubsw-vpaddsw"),
    ("vpmaddubsw.vpmaddwd.vpaddd", "x86-int8"),
];

fn compare_rows(seed: u64, count: usize) {
    for (row, file) in ROWS {
        let model = Model::parse(&format!("x86/{row}")).unwrap();
        assert!(model.computes_as(&unit(file, "")), "{row}");
        let signature = model.signature();
        compare(
            &model,
            count,
            &mut seeded(seed),
            |rng| draw(rng, &signature),
            |inputs| expected(row, inputs),
        );
    }
}

#[test]
fn sequences_before_vnni_agree_with_the_reference() {
    compare_rows(1, 4000);
}

#[test]
#[ignore = "250,000 inputs of each"]
fn many_inputs_of_sequences_before_vnni_agree_with_the_reference() {
    compare_rows(2, 250_000);
}

/// 255 * 127 twice is 64770, and 32767 in the register; four factors of -32768 wrap.
#[test]
fn sums_of_pairs_have_the_registers_that_they_have() {
    for (row, line, expected) in [
        ("vpmaddubsw", [[255, 255], [127, 127]], 0x7fff),
        ("vpmaddubsw", [[255, 255], [0x80, 0x80]], 0x8000),
        ("vpmaddwd", [[0x8000; 2], [0x8000; 2]], 0x8000_0000),
    ] {
        let model = Model::parse(&format!("x86/{row}")).unwrap();
        let [a, b] = line.map(|row| row.to_vec());
        let found = model.evaluate_big(&Inputs::new(a, b, 0)).unwrap();
        assert_eq!(found, expected, "{row}");
    }
    let model = Model::parse("x86/vpmaddubsw.vpmaddwd.vpaddd").unwrap();
    let inputs = Inputs::new(vec![255; 4], vec![127; 4], 5);
    assert_eq!(model.evaluate_big(&inputs).unwrap(), 2 * 32767 + 5);
}
