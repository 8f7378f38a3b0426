//! Anything may be typed or stand in a file: it is a model, a value, a vector, or one clear error.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Format, decimal, hex_float, parse_value};
use mmasmt_questions::vectors::{check_file, parse_line};
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
            for text in [hex_float(&format, register), decimal] {
                assert_eq!(parse_value(&format, &text), Ok(register), "{format} {text}");
            }
        }
    }
    // Of the wide formats many of every magnitude, and the ends of each binade.
    for format in [Format::F32, Format::F64, Format::TF32] {
        let mut register = 1u64;
        for turn in 0..4_000u64 {
            register = register
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(turn);
            let ends = [0, format.max_fraction()][turn as usize % 2];
            let fraction = if turn % 5 == 0 {
                ends
            } else {
                register >> 11 & format.max_fraction()
            };
            let exponent = (register >> 54) as i32 % format.max_exponent();
            let number = format.register(exponent, fraction, turn % 3 == 0);
            let text = decimal(&format, number);
            assert_eq!(parse_value(&format, &text), Ok(number), "{format} {text}");
        }
        for code in [
            0,
            1,
            format.max_fraction(),
            format.max_finite() - 1,
            format.max_finite(),
        ] {
            let number = format.register_of(code);
            let text = decimal(&format, number);
            assert_eq!(parse_value(&format, &text), Ok(number), "{format} {text}");
        }
    }
}

/// Of every number half a step, a little less and a little more beside each value of small formats, computed from their
/// values alone: the nearest, of two the one with an even code.
#[test]
fn the_nearest_number_is_taken_where_that_is_asked() {
    let value = |format: &Format, code: u64| {
        let text = hex_float(format, code);
        let (mantissa, exponent) = text.trim_start_matches("0x").split_once('p').unwrap();
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = u64::from_str_radix(&format!("{whole}{fraction}"), 16).unwrap();
        let exponent: i32 = exponent.parse().unwrap();
        // Exact: few bits, small exponents.
        digits as f64 * 2f64.powi(exponent - 4 * fraction.len() as i32)
    };
    for format in [Format::E4M3, Format::E5M2, Format::E2M1, Format::F16] {
        for code in (0..format.max_finite()).step_by(if format == Format::F16 { 37 } else { 1 }) {
            let [low, high] = [code, code + 1].map(|code| value(&format, code));
            let middle = (low + high) / 2.0;
            let even = code + (code & 1);
            for (number, nearest) in [
                (low, code),
                (middle - (high - low) / 1024.0, code),
                (middle, even),
                (middle + (high - low) / 1024.0, code + 1),
                (high, code + 1),
            ] {
                for (sign, mask) in [("", 0), ("-", format.sign_mask())] {
                    let expected = Ok(nearest | mask);
                    // All digits: the shortest that are read back may be on the other side of the middle.
                    for text in [
                        format!("~{sign}{number:.60}"),
                        format!("{sign}~{number:.60}"),
                    ] {
                        assert_eq!(parse_value(&format, &text), expected, "{format} {text}");
                    }
                }
            }
        }
    }
    let nearest = |format: &Format, text: &str| parse_value(format, text).ok();
    assert_eq!(nearest(&Format::F16, "~0.3744"), Some(0x35fe));
    assert_eq!(nearest(&Format::F32, "~0.99999994"), Some(0x3f7f_ffff));
    // Less than half a step beyond the greatest number, and half a step.
    assert_eq!(nearest(&Format::F16, "~65519.9"), Some(0x7bff));
    assert_eq!(nearest(&Format::F16, "~65520"), None);
    assert_eq!(nearest(&Format::S8, "~2.5"), Some(2));
    assert_eq!(nearest(&Format::S8, "~3.5"), Some(4));
    assert_eq!(nearest(&Format::S8, "-~2.6"), Some(0xfd));
    for text in ["~", "~~1", "~-~1", "0~1", "~abc"] {
        assert_eq!(nearest(&Format::F16, text), None, "{text}");
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
                    -0x1.99cp-4 (-0.10003662109375) and -0x1.998p-4 (-0.0999755859375); \
                    `~-0.1` takes the nearest one";
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
            "line 1, column 19: expected a space and the result d, found the end of the line: operands without a result",
        ),
        (
            "40000000\n40400000\n",
            "line 1, column 1: expected operands, found one word, `40000000`, as in a file of results alone",
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

/// Whatever is typed, an error repeats no more of it than a person reads.
#[test]
fn errors_repeat_no_long_argument() {
    let long = "x".repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    for command in [
        "export fda --to c -o x.c --name LONG",
        "export fda --to LONG -o x.c",
        "export fda --to c -o x.c --ports LONG",
        "export fda --to c -o LONG.c",
        "export LONG --to c -o x.c",
        "eval LONG",
        "eval fda:LONG=1",
        "eval fda:F=LONG",
        "eval fda:round=LONG",
        "eval fda:round=sr8+LONG",
        "eval LONG --any-bits",
        "eval hopper/LONG",
        "eval hopper/HMMA.16816.F32@LONG",
        "eval LONG/HMMA.16816.F32",
        "eval LONG(fda)",
        "eval promote(fda,LONG)",
        "eval @LONG",
        "eval rtl:LONG@fda",
        "eval fda --a LONG --b 1",
        "eval fda --c ~LONG",
        "eval fda LONG",
        "eval fda --LONG",
        "eval fda --vectors LONG",
        "explain fda --vectors LONG",
        "explain fda --vectors LONG:1",
        "prove LONG fda",
        "prove --claim LONG --function f=fda",
        "prove --claim /dev/null --function LONG",
        "prove --claim /dev/null --function f=LONG",
        "eval fda --tables LONG",
        "export fda --to smt2 -o /dev/null --function LONG",
        "prove rounds=LONG fda",
        "prove error=LONG fda",
        "prove exact fda --where LONG",
        "prove exact fda --where a=LONG",
        "prove exact fda --engine LONG",
        "prove exact fda --confirm LONG",
        "prove exact fda --time LONG",
        "prove exact fda --sample LONG",
        "prove faithful fda --sample 10 --draw LONG",
        "least exp LONG fda",
        "least exp faithful LONG",
        "prove --query LONG",
        "least LONG exact fda",
        "worst fda --measure LONG",
        "tolerance LONG --k 16",
        "tolerance fda --k LONG",
        "tolerance fda --k 16 --range LONG",
        "tolerance fda --k 16 --draw LONG",
        "tolerance fda --k 16 --draw-c LONG",
        "tolerance fda --k 16 --wrong LONG",
        "tolerance fda --k 16 --out LONG",
        "distinguish fda LONG",
        "compare LONG --on fda",
        "compare _ --on LONG",
        "compare _ --on fda --lengths LONG",
        "compare _ --on fda --exponents LONG",
        "compare fda --bias --draw LONG",
        "compare fda --bias --draw-c LONG",
        "compare fda --bias --where LONG",
        "compare fda --bias --draw LONG.npy",
        "matmul LONG",
        "matmul fda LONG LONG",
        "probe fda --tests LONG",
        "probe --table LONG",
        "probe fda --results LONG",
        "models LONG",
        "models list LONG",
        "models show LONG",
        "models variant LONG",
        "models variant paper LONG",
        "models --algorithm LONG",
        "models --evidence LONG",
        "check fda LONG",
        "check --index LONG",
        "gen fda --kind LONG",
        "gen fda --count LONG",
        "gen fda --where LONG",
        "gen fda --format LONG",
        "separate --family LONG --base fda",
        "separate --family F=LONG --base fda",
        "separate fda LONG",
        "identify LONG",
        "learn model:LONG",
        "learn --runner cat --signature LONG",
        "prove --queries LONG",
        "learn LONG",
        "learn LONG --signature LONG",
        "learn cpu:LONG",
        "identify LONG --model fda",
        "run --instruction LONG --runner cat",
        "run model:LONG",
        "plan LONG 1 2 3",
        "plan cublaslt 1 2 3 LONG",
        "merge LONG",
        "atlas LONG fda",
        "agree LONG fda",
        "bench LONG",
        "mutants LONG",
        "mutants fda LONG",
        "completions LONG",
        "engines LONG",
        "formats LONG",
        "check-proof LONG LONG",
        "check-proof --lrat LONG LONG",
        "--memory LONG eval fda",
        "LONG",
    ] {
        let arguments = command.split(' ').map(|word| word.replace("LONG", &long));
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(arguments)
            .current_dir(folder.path())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let shown: String = error.chars().take(400).collect();
        assert_eq!(output.status.code(), Some(2), "{command}: {shown}");
        assert!(!error.contains(&long[..200]), "{command}: {shown}");
        assert!(
            error.len() < 4000,
            "{command}: {} bytes: {shown}",
            error.len()
        );
    }
}

/// A number that a format does not have is taken for the nearest where that is asked, and that is said.
#[test]
fn the_nearest_number_is_used_and_said() {
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"))
            .args(arguments)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    for command in ["eval", "explain"] {
        let (_, exact, _) = run(&[
            command,
            "fda",
            "--a",
            "0x35fe",
            "--b",
            "0xae66",
            "--c",
            "0x3f7fffff",
        ]);
        for typed in [
            &["--a", "~0.3744", "--b", "-~0.1", "--c", "~0.99999994"][..],
            &[
                "--a",
                "0.3744",
                "--b",
                "-0.1",
                "--c",
                "0.99999994",
                "--nearest",
            ],
            &[
                "--a",
                "0x35fe",
                "--b",
                "~-0.1",
                "--c",
                "0.99999994",
                "--nearest",
            ],
        ] {
            let (status, found, note) = run(&[&[command, "fda"], typed].concat());
            assert_eq!((status, &found), (Some(0), &exact), "{typed:?}");
            let b = "note: --b: -0x1.998p-4 (-0.0999755859375) is taken for -0.1, which f16 does not have\n";
            assert!(note.contains(b), "{note}");
            assert_eq!(
                note.lines().count(),
                if typed[1] == "0x35fe" { 2 } else { 3 },
                "{note}"
            );
        }
    }
    // Nothing is said of what is exact.
    let (status, _, note) = run(&["eval", "fda", "--a", "~0.375", "--b", "1", "--nearest"]);
    assert_eq!((status, note.as_str()), (Some(0), ""));
    let (status, _, error) = run(&["eval", "fda", "--a", "0.3744", "--b", "1"]);
    assert_eq!(status, Some(2));
    let neighbours = "the nearest are 0x1.7f4p-2 (0.374267578125) and 0x1.7f8p-2 (0.37451171875); `~0.3744` takes the nearest one";
    assert!(error.contains(neighbours), "{error}");
    // The same in keys and domains.
    for (arguments, note) in [
        (
            &[
                "eval",
                "epilogue(fda):out=f16,scale=~0.3",
                "--a",
                "1",
                "--b",
                "1",
            ][..],
            "note: `scale=~0.3`: 0x1.333334p-2 (~0.3) is taken for 0.3, which f32 does not have\n",
        ),
        (
            &[
                "prove",
                "error=1ulp",
                "exact:K=1",
                "--where",
                "a = ~0.3, b = ~1, c = 0",
            ],
            "note: assumption `a = ~0.3`: 0x1.334p-2 (0.300048828125) is taken for 0.3, which f16 does not have\n",
        ),
    ] {
        let (status, _, error) = run(arguments);
        assert_eq!((status, error.as_str()), (Some(0), note));
    }
    let (status, _, error) = run(&["eval", "epilogue(fda):out=f16,scale=0.3", "--a", "1"]);
    assert_eq!(status, Some(2));
    let neighbours = "error: `scale=0.3`: `0.3` is not a value of f32: the nearest are 0x1.333332p-2 (~0.29999998) and \
                      0x1.333334p-2 (~0.3); `~0.3` takes the nearest one\n";
    assert_eq!(error, neighbours);
    // A bound is what is claimed, and no number near it.
    assert_eq!(run(&["prove", "error=~0.3ulp", "fda:K=1"]).0, Some(2));
}
