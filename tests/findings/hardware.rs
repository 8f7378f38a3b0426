//! Our own recordings (`tests/hardware`) against the rows that they are of, and the questions that they answer
//! (`kernels/questions`).

use crate::sections::{comments, sections, texts};
use mmasmt_core::machines::model::{Model, architectures};
use mmasmt_questions::vectors::check_file;
use mmasmt_questions::vectors::device::ptx::Capability;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn recordings_are_reproduced_by_the_rows_that_they_name() {
    for path in texts("tests/hardware") {
        let text = fs::read_to_string(&path).unwrap();
        let sections = sections(&text);
        assert!(!sections.is_empty(), "{}", path.display());
        for section in sections {
            let model = Model::parse(&section.instruction).unwrap();
            let checked = check_file(&model, section.text.as_bytes(), 1).unwrap();
            let (file, failures) = (path.display(), checked.failures);
            assert_eq!(checked.failed, 0, "{file}: {failures:?}");
            assert!(checked.passed > 0, "{file}: {model}");
        }
    }
}

#[test]
fn vectors_of_a_question_tell_its_readings_apart() {
    for path in texts("kernels/questions") {
        let text = fs::read_to_string(&path).unwrap();
        for section in sections(&text) {
            let (readings, name) = (section.readings(), path.display());
            assert!(readings.len() >= 2, "{name}: {}", section.instruction);
            let row = Model::parse(&section.instruction).unwrap();
            assert_eq!(
                row.algorithm(),
                readings[0].algorithm(),
                "{name}: the first reading is the table's"
            );
            let mut together = comments(&section.text, "equal, proved");
            together.extend(comments(
                &section.text,
                "neither told apart nor proved equal",
            ));
            let mut results = vec![Vec::new(); readings.len()];
            for inputs in section.inputs() {
                for (reading, results) in readings.iter().zip(&mut results) {
                    results.push(reading.simulator().evaluate(&inputs).unwrap());
                }
            }
            for (i, left) in results.iter().enumerate() {
                for (j, right) in results.iter().enumerate().skip(i + 1) {
                    let named = [&readings[i], &readings[j]].map(ToString::to_string);
                    let is_known = |both: &&str| {
                        let of = both.split_once(" and ");
                        of.is_some_and(|(a, b)| {
                            [a, b].iter().all(|one| named.iter().any(|n| n == one))
                        })
                    };
                    assert!(
                        left != right || together.iter().any(is_known),
                        "{name}: {named:?}"
                    );
                }
            }
        }
    }
}

/// Every GPU has a folder of its own, by the name of its table, but those that have answered (`tests/hardware`) and left nothing open.
#[test]
fn every_gpu_is_asked() {
    let asked: BTreeSet<String> = texts("kernels/questions")
        .iter()
        .map(|path| path.parent().unwrap().file_name().unwrap())
        .map(|folder| folder.to_str().unwrap().to_owned())
        .collect();
    let gpus = architectures().unwrap().iter().map(|one| one.name.as_str());
    let gpus = gpus.filter(|name| {
        Capability::of_architecture(name).is_some()
            || name.starts_with("cdna")
            || name.starts_with("rdna")
    });
    let recordings = texts("tests/hardware");
    let recorded: String = recordings
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let gpus = gpus.filter(|name| !recorded.contains(&format!("\n# instruction: {name}/")));
    assert_eq!(asked, gpus.map(str::to_owned).collect());
}
