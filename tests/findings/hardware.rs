//! Our own recordings (`tests/hardware`) against the rows that they are of, and the questions that they answer
//! (`kernels/questions`).

use mmasmt::model::Model;
use mmasmt::vectors::{Lines, check_file, parse_inputs};
use std::fs;
use std::path::{Path, PathBuf};

/// The text files of a folder and of those in it.
fn texts(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "txt") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What stands behind `# key: ` in the comments of a file.
fn comments(text: &str, key: &str) -> Vec<String> {
    let start = format!("# {key}: ");
    text.lines()
        .filter_map(|line| Some(line.strip_prefix(&start)?.to_owned()))
        .collect()
}

#[test]
fn recordings_are_reproduced_by_the_rows_that_they_name() {
    for path in texts("tests/hardware") {
        let text = fs::read_to_string(&path).unwrap();
        let [instruction] = comments(&text, "instruction").try_into().unwrap();
        let model = Model::parse(&instruction).unwrap();
        let checked = check_file(&model, text.as_bytes(), 1).unwrap();
        assert_eq!(
            checked.failed,
            0,
            "{}: {:?}",
            path.display(),
            checked.failures
        );
        assert!(checked.passed > 0, "{}", path.display());
    }
}

#[test]
fn vectors_of_a_question_tell_its_readings_apart() {
    let files = texts("kernels/questions");
    assert!(files.len() >= 30, "{}", files.len());
    for path in files {
        let (text, name) = (fs::read_to_string(&path).unwrap(), path.display());
        let [instruction] = comments(&text, "instruction").try_into().unwrap();
        let readings: Vec<_> = comments(&text, "reading")
            .iter()
            .map(|one| Model::parse(one).unwrap())
            .collect();
        assert!(readings.len() >= 2, "{name}");
        let row = Model::parse(&instruction).unwrap();
        assert_eq!(
            row.algorithm(),
            readings[0].algorithm(),
            "{name}: the first reading is the table's"
        );
        let equal = comments(&text, "equal, proved");
        let mut lines = Lines::new(text.as_bytes());
        let mut results = vec![Vec::new(); readings.len()];
        while let Some((number, line)) = lines.next_line().unwrap() {
            let inputs = parse_inputs(line, number, &row.signature()).unwrap();
            for (reading, results) in readings.iter().zip(&mut results) {
                results.push(reading.simulator().evaluate(&inputs).unwrap());
            }
        }
        for (i, left) in results.iter().enumerate() {
            for (j, right) in results.iter().enumerate().skip(i + 1) {
                let pair = format!("{} and {}", readings[i], readings[j]);
                assert!(left != right || equal.contains(&pair), "{name}: {pair}");
            }
        }
    }
}
