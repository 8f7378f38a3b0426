//! Anything may be typed or stand in a file: it is a model, a value, a vector, or one clear error.

use mmasmt::float::{Format, decimal, hex_float, parse_value};
use mmasmt::model::Model;
use mmasmt::vectors::{check_file, parse_line};
use proptest::prelude::*;

/// Texts made of the pieces that specifications are made of.
fn nearly_a_spec() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("fda"),
        Just("hmma8"),
        Just("hopper/"),
        Just("HMMA.16816.F32"),
        Just("promote("),
        Just("splitk("),
        Just("markidis("),
        Just(")"),
        Just(", "),
        Just("@mma-sim"),
        Just(":"),
        Just(","),
        Just("="),
        Just("K"),
        Just("F"),
        Just("carry"),
        Just("in"),
        Just("out"),
        Just("zero"),
        Just("emin"),
        Just("frac"),
        Just("16"),
        Just("-1"),
        Just("0"),
        Just("65"),
        Just("f16"),
        Just("f32"),
        Just("e4m3"),
        Just("skip"),
        Just("none"),
        Just("99999999999999999999"),
        Just("é"),
        Just(" "),
        Just(""),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn is_one_line(message: &str) -> bool {
    !message.is_empty() && !message.contains('\n')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_specification_is_a_model_or_one_error(text in prop_oneof![nearly_a_spec(), ".*"]) {
        match Model::parse(&text) {
            Ok(model) => prop_assert!(model.widest() > 0),
            Err(error) => prop_assert!(is_one_line(&error.to_string()) || text.contains('\n')),
        }
    }

    #[test]
    fn a_value_is_exact_or_one_error(text in "[-+]?(0x)?[0-9a-f.]{0,12}(p[-+]?[0-9]{1,6})?(e[-+]?[0-9]{1,6})?") {
        for format in Format::ALL {
            if let Ok(register) = parse_value(&format, &text) {
                prop_assert!(format.width() == 64 || register >> format.width() == 0);
            }
        }
    }

    #[test]
    fn a_line_is_a_vector_or_one_error(text in "[0-9a-f ,]{0,60}") {
        let signature = Model::parse("fda").unwrap().signature();
        match parse_line(&text, 7, &signature) {
            Ok(vector) => prop_assert_eq!(vector.inputs.a.len(), 4),
            Err(error) => prop_assert!(error.to_string().starts_with("line 7, column ")),
        }
    }

    #[test]
    fn a_file_is_checked_or_one_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let model = Model::parse("fda").unwrap();
        if let Err(error) = check_file(&model, &bytes[..], 1) {
            prop_assert!(is_one_line(&error.to_string()));
        }
    }
}

/// What is printed of a register can be typed to get it back.
#[test]
fn printed_values_are_read_back() {
    for format in [Format::F16, Format::BF16, Format::E4M3, Format::E5M2] {
        for register in 0..1u64 << format.width() {
            let is_number = format.is_finite(register);
            if !is_number && (format.is_nan(register) || !format.has_infinity()) {
                continue;
            }
            let decimal = decimal(&format, register);
            let texts = [hex_float(&format, register), decimal];
            for text in texts.iter().filter(|text| !text.contains('~')) {
                assert_eq!(parse_value(&format, text), Ok(register), "{format} {text}");
            }
        }
    }
}

#[test]
fn decimals_are_exact_or_marked() {
    let f32 = |register| decimal(&Format::F32, register);
    assert_eq!(f32(0x3f80_0000), "1");
    assert_eq!(f32(0xc120_0000), "-10");
    assert_eq!(f32(0x3e20_0000), "0.15625");
    assert_eq!(f32(0x4b80_0000), "16777216");
    assert_eq!(f32(0x3f7f_ffff), "~0.99999994");
    assert_eq!(f32(0x3400_0000), "1.1920928955078125e-7");
    assert_eq!(decimal(&Format::F16, 1), "5.9604644775390625e-8");
    assert_eq!(decimal(&Format::F16, 0x8000), "-0");
    assert_eq!(decimal(&Format::BF16, 0x7f7f), "~3.3895314e38");
}

#[test]
fn a_value_between_two_numbers_names_both() {
    let error = parse_value(&Format::F16, "-0.1").unwrap_err().to_string();
    let expected = "`-0.1` is not a value of f16: the nearest are \
                    -0x1.99cp-4 (-0.10003662109375) and -0x1.998p-4 (-0.0999755859375)";
    assert_eq!(error, expected);
}

#[test]
fn lines_with_crlf_and_comments_are_read_and_others_named() {
    let model = Model::parse("fda").unwrap();
    let good = "# made by hand\r\n\r\n3f800000 3c00 3c00 40000000\r\n";
    let checked = check_file(&model, good.as_bytes(), 1).unwrap();
    assert_eq!((checked.passed, checked.failed), (1, 0));

    let cases = [
        (
            "3f800000 3c00 3c00\n",
            "line 1, column 19: expected a space before d, found the end of the line",
        ),
        (
            "3f8 3c00 3c00 40000000\n",
            "line 1, column 1: expected 8 hexadecimal digits for c, found `3f8 3c00 3c00 400000`",
        ),
        (
            "00000000 3c00,3c00 3c00 40000000\n",
            "line 1, column 20: expected as many b as a (2), found 1",
        ),
        (
            "00000000 0,0 0 0\n",
            "line 1, column 10: expected 4 hexadecimal digits for a, found `0,0 0 0`",
        ),
        (
            "00000000 3c00 3c00 40000000 1\n",
            "line 1, column 28: expected the end of the line after d, found ` 1`",
        ),
        (
            "00000000 3c00,3c00,3c00,3c00,3c00 3c00 40000000\n",
            "line 1, column 30: expected at most 4 values of a, found `3c00 3c00 40000000`",
        ),
    ];
    for (text, expected) in cases {
        let error = check_file(&model, text.as_bytes(), 1).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
