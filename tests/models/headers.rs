//! The line of a file of vectors that says of what signature they are.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{check_comment, signature_of};

#[test]
fn a_signature_is_read_as_files_say_it_and_as_models_are_shown() {
    let signature = Model::parse("hopper/HMMA.16816.F32").unwrap().signature();
    let reads = |text: &str| check_comment(text.as_bytes(), 1, &signature).is_ok();
    for text in [
        "# 16 products f16 x f16, c f32, result f32",
        "# 16 products f16 x f16, c f32, d f32",
        "# 16 products f16 x f16, d f32",
        "# results of that morning, d f16",
    ] {
        assert!(reads(text), "{text}");
    }
    for text in [
        "# 16 products f16 x f16, c f32, result f16",
        "# 16 products f16 x f16, c f32, d f16",
        "# 16 products f16 x f16, c f32, f32",
    ] {
        assert!(!reads(text), "{text}");
    }
}

#[test]
fn a_signature_is_read_as_it_is_written() {
    for name in [
        "fda:K=4",
        "fda:K=8,in=bf16",
        "gdfs",
        "int:K=32",
        "hopper/HMMA.16816.F32",
    ] {
        let signature = Model::parse(name).unwrap().signature();
        assert_eq!(signature_of(&signature.to_string()), Some(signature));
    }
    for text in [
        "4 products f16 x f16, c f32",
        "0 products f16 x f16, c f32, result f32",
        "99999999 products f16 x f16, c f32, result f32",
        "4 products f16 x f15, c f32, result f32",
        "4 products f16 x f16, c f32, result f32, more",
    ] {
        assert_eq!(signature_of(text), None, "{text}");
    }
}
