//! Keys of models: set, printed and read again.

use mmasmt_core::machines::model::{AlgorithmDoc, Model, Spec, algorithms, compositions};

#[test]
fn a_key_that_is_changed_is_said_once() {
    for (text, changes, expected) in [
        ("fda", "K=16", "fda:K=16"),
        ("fda:K=4", "K=16", "fda:K=16"),
        ("fda:K=4,F=13", "K=16", "fda:F=13,K=16"),
        (
            "fda:F=13, K=4",
            "K=16,carry=full",
            "fda:F=13,K=16,carry=full",
        ),
        (
            "hopper/HMMA.16816.F32@paper:zero=raw",
            "F=9",
            "hopper/HMMA.16816.F32@paper:zero=raw,F=9",
        ),
        // Keys of the unit inside the parentheses are kept.
        (
            "promote(fda:K=4, every=2):K=1024",
            "K=16",
            "promote(fda:K=4, every=2):K=16",
        ),
        ("splitk(fda:K=4)", "K=16", "splitk(fda:K=4):K=16"),
    ] {
        let changed = Spec::parse(text).unwrap().with(changes).unwrap();
        assert_eq!(changed.to_string(), expected);
    }
}

/// For every key, and for at most `most_values` of its values: sets the key in the model that
/// `text` names, and checks that the printed text of the changed model is read again as the
/// same model.
fn is_read_again(doc: &AlgorithmDoc, text: &str, most_values: usize) {
    let model = Model::parse(text).unwrap();
    for key in &doc.keys {
        // If a default is a value and not a sentence, setting the key to it changes nothing.
        if let Ok(same) = model.with(&format!("{}={}", key.name, key.default)) {
            assert_eq!(same.canonical(), model.canonical(), "{}", key.name);
        }
        let mut values = key.candidates(&model.signature());
        values.truncate(most_values);
        if values.is_empty() {
            values.push("0x1p-3".into());
        }
        let mut taken = 0;
        for value in values {
            // Some values exclude values of other keys.
            let Ok(changed) = model.with(&format!("{}={value}", key.name)) else {
                continue;
            };
            taken += 1;
            let again = Model::parse(&changed.canonical()).unwrap();
            assert_eq!(again.algorithm(), changed.algorithm(), "{changed}");
        }
        assert!(taken > 0, "no value of {} of {}", key.name, doc.name);
    }
}

#[test]
fn what_is_printed_is_read_again() {
    for doc in algorithms() {
        is_read_again(doc, doc.name, usize::MAX);
    }
}

#[test]
fn what_is_printed_of_compositions_is_read_again() {
    for doc in compositions() {
        let units = ["f16", "tf32", "bf16", "e4m3"].map(|format| format!("fda:K=2,in={format}"));
        let texts = units.map(|unit| format!("{}({unit})", doc.name));
        let mut made = texts.iter().filter(|text| Model::parse(text).is_ok());
        // Lengths and intervals have a million values.
        is_read_again(doc, made.next().unwrap(), 40);
    }
}

#[test]
fn a_composition_may_have_another_name() {
    let model = Model::parse("3xtf32(fda:K=8,in=tf32)").unwrap();
    let other = Model::parse("cutlass-3xtf32(fda:K=8,in=tf32)").unwrap();
    assert_eq!(model.algorithm(), other.algorithm());
}
