//! Sections of the questions for GPUs (`kernels/questions`) and of their answers (`tests/hardware`): what one instruction is
//! asked, or has answered.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::{Lines, parse_inputs};
use std::fs;
use std::path::{Path, PathBuf};

/// What a section begins with.
const INSTRUCTION: &str = "# instruction: ";

/// One instruction with its lines.
pub struct Section {
    pub instruction: String,
    pub text: String,
}

/// The text files of a folder of this repository and of those in it.
pub fn texts(folder: &str) -> Vec<PathBuf> {
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

/// What stands behind `# key: ` in the comments of a text.
pub fn comments<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let start = format!("# {key}: ");
    text.lines()
        .filter_map(|line| line.strip_prefix(start.as_str()))
        .collect()
}

/// The sections of a file.
pub fn sections(text: &str) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(instruction) = line.strip_prefix(INSTRUCTION) {
            all.push(Section {
                instruction: instruction.into(),
                text: String::new(),
            });
        } else if let Some(section) = all.last_mut() {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
    all
}

impl Section {
    /// Its readings, that of the row first.
    pub fn readings(&self) -> Vec<Model> {
        let named = comments(&self.text, "reading");
        named.iter().map(|one| Model::parse(one).unwrap()).collect()
    }

    /// Its inputs.
    pub fn inputs(&self) -> Vec<Inputs> {
        let signature = Model::parse(&self.instruction).unwrap().signature();
        let mut lines = Lines::new(self.text.as_bytes());
        let mut all = Vec::new();
        while let Some((number, line)) = lines.next_line().unwrap() {
            all.push(parse_inputs(line, number, &signature).unwrap());
        }
        all
    }
}
