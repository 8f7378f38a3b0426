//! Faults of rules: of each kind the shortest unit that shows it.

use std::collections::BTreeMap;

/// The faults that a test found.
#[derive(Default)]
pub struct Faults {
    all: BTreeMap<String, (u64, String)>,
}

impl Faults {
    pub fn note(&mut self, kind: String, example: impl FnOnce() -> String) {
        let found = self.all.entry(kind).or_default();
        found.0 += 1;
        let example = example();
        if found.1.is_empty() || example.len() < found.1.len() {
            found.1 = example;
        }
    }

    pub fn assert_none(&self) {
        let all = self.all.iter();
        let lines: Vec<String> = all
            .map(|(kind, (count, example))| format!("{kind} ({count} times):\n    {example}"))
            .collect();
        assert!(
            lines.is_empty(),
            "{} kinds of faults\n{}",
            lines.len(),
            lines.join("\n")
        );
    }
}
