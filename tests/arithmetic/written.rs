//! Formats and ranges of exponents as they are written.

use mmasmt_numbers::float::{Exponents, Format, OTHER_NAMES};

#[test]
fn what_is_no_range_is_an_error() {
    for text in ["", "1", "1..", "2..1", "a..b", "0..99999999999"] {
        assert!(Exponents::parse(text).is_err(), "{text}");
    }
    let read = Exponents::parse("-15..14").map(|read| read.to_string());
    assert_eq!(read.as_deref(), Ok("-15..14"));
}

#[test]
fn names_in_use_are_known_in_any_case() {
    for (name, format) in [
        ("FP16", Format::F16),
        ("float8_e4m3fn", Format::E4M3),
        ("Float8_E5M2FNUZ", Format::E5M2FNUZ),
        ("float4_e2m1fn_x2", Format::E2M1),
        ("BF16", Format::BF16),
        ("float8_e8m0fnu", Format::UE8M0),
    ] {
        assert_eq!(Format::known_as(name), Some(format), "{name}");
    }
    // FP8 is E4M3 or E5M2, and FP6 is E2M3 or E3M2.
    for name in ["fp8", "bf8", "fp6", "f17", ""] {
        assert_eq!(Format::known_as(name), None, "{name}");
    }
}

#[test]
fn no_other_name_is_that_of_a_format() {
    for (name, _) in OTHER_NAMES {
        let is_bare = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        assert!(name.chars().all(is_bare), "{name}");
        assert!(Format::ALL.iter().all(|format| format.name() != *name));
    }
}
