//! What `identify` was asked, for the commands that its report proposes.

use crate::cli::formats::{as_base, as_options};
use crate::cli::output::shell_word;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{ZERO_SIGN, with_other_zero_sign};
use std::path::PathBuf;

/// The machine, the files and the candidates as the command line names them.
pub(super) struct IdentifyRequest<'x> {
    pub files: &'x [PathBuf],
    pub machine: Machine<'x>,
    /// The model of `--base`, as it is given.
    pub base: Option<&'x str>,
    /// Whether the candidates are those of the family `full`.
    pub is_full: bool,
}

/// What is asked.
#[derive(Clone, Copy)]
pub(super) enum Machine<'x> {
    /// A command of the shell, or a GPU.
    Runner(&'x str),
    /// A model that plays a machine.
    Model(&'x str),
    /// This processor, which has the instruction with this name.
    Processor(&'x str),
    /// Nothing is asked: there are only files of results.
    Files,
}

impl<'x> Machine<'x> {
    /// The machine of `--runner`; files, without one.
    pub fn of(runner: Option<&'x str>) -> Machine<'x> {
        let Some(text) = runner else {
            return Machine::Files;
        };
        match text.split_once(':') {
            Some(("model", model)) => Machine::Model(model),
            Some(("cpu", instruction)) => Machine::Processor(instruction),
            _ => Machine::Runner(text),
        }
    }
}

impl IdentifyRequest<'_> {
    /// What can be done if none of the candidates is left and `model` is the nearest one.
    pub fn next_steps(&self, model: &Model) -> Vec<String> {
        let mut steps = vec![self.probe(model)];
        if !self.is_full {
            let base = self.base.map(str::to_owned);
            let base = base.or_else(|| as_base(&model.signature()));
            let base = base.unwrap_or_else(|| model.canonical());
            let identify = self.identify(&format!("--family full --base {}", shell_word(&base)));
            steps.push(format!("`{identify}` has more candidates"));
        }
        let name = shell_word(&model.canonical());
        steps.push(match self.machine {
            Machine::Runner(command) => format!(
                "a runner that is wrong gives such answers too: `mmasmt check {name} --runner {}` shows where they differ",
                shell_word(command)
            ),
            Machine::Model(model) => format!(
                "`mmasmt distinguish {name} {}` shows where they differ",
                shell_word(model)
            ),
            Machine::Processor(instruction) => format!(
                "`mmasmt distinguish {name} {}` shows where the row of the instruction differs",
                shell_word(instruction)
            ),
            Machine::Files => format!(
                "`mmasmt check {name} {}` shows where they differ",
                self.files()
            ),
        });
        steps
    }

    /// What can be done if `model` differs from the machine only in the signs of zeros.
    pub fn zero_sign_step(&self, model: &Model) -> String {
        let Some(other) = with_other_zero_sign(model) else {
            return format!("{model} differs from the machine in the signs of zeros alone");
        };
        let other = shell_word(&other.canonical());
        let identify = self.identify(&format!("--model {other}"));
        format!(
            "{model} differs from the machine in the signs of zeros alone, which `{ZERO_SIGN}` decides: `{identify}`"
        )
    }

    /// The feature tests, for which only the operands of `model` count.
    fn probe(&self, model: &Model) -> String {
        let what = as_options(&model.signature());
        let what = what.unwrap_or_else(|| shell_word(&model.canonical()));
        let command = match self.machine {
            Machine::Runner(command) => format!("{what} --runner {}", shell_word(command)),
            Machine::Model(model) => shell_word(model),
            Machine::Processor(instruction) => shell_word(&format!("cpu:{instruction}")),
            Machine::Files => {
                return format!(
                    "`mmasmt probe {what} --inputs` writes inputs for the machine that show the order of its sums and the bits that they keep"
                );
            }
        };
        format!("`mmasmt probe {command}` finds the order of its sums and the bits that they keep")
    }

    /// The same command with other candidates.
    fn identify(&self, candidates: &str) -> String {
        let machine = match self.machine {
            Machine::Runner(command) => format!("--runner {}", shell_word(command)),
            Machine::Model(model) => shell_word(&format!("model:{model}")),
            Machine::Processor(instruction) => shell_word(&format!("cpu:{instruction}")),
            Machine::Files => String::new(),
        };
        let words = ["mmasmt identify", &machine, &self.files(), candidates];
        let words = words.into_iter().filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    fn files(&self) -> String {
        let files = self.files.iter().map(|path| path.display().to_string());
        let files = files.map(|path| shell_word(&path));
        files.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{IdentifyRequest, Machine};
    use crate::cli::output::shell_word;
    use mmasmt_core::machines::model::Model;

    #[test]
    fn texts_are_one_word_of_the_shell() {
        for (text, expected) in [
            ("./dev-a", "./dev-a"),
            ("python3 run.py", "'python3 run.py'"),
            ("echo it's", r"'echo it'\''s'"),
            ("promote(fda)", "'promote(fda)'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(text), expected);
        }
    }

    #[test]
    fn steps_are_commands_to_paste() {
        let model = Model::parse("fda:K=4,F=23").unwrap();
        let files = ["out.txt".into()];
        let request = |machine, is_full| IdentifyRequest {
            files: &files,
            machine,
            base: None,
            is_full,
        };
        let steps = |machine, is_full| request(machine, is_full).next_steps(&model).join("\n");
        let found = steps(Machine::Runner("./dev-a x"), false);
        for step in [
            "`mmasmt probe --formats f16 --products 4 --runner './dev-a x'`",
            "`mmasmt identify --runner './dev-a x' out.txt --family full --base fda:K=4`",
            "`mmasmt check fda:F=23 --runner './dev-a x'`",
        ] {
            assert!(found.contains(step), "{step}: {found}");
        }
        assert!(!steps(Machine::Runner("./dev-a"), true).contains("--family"));
        let found = steps(Machine::Files, false);
        for step in [
            "`mmasmt probe --formats f16 --products 4 --inputs`",
            "`mmasmt identify out.txt --family full --base fda:K=4`",
            "`mmasmt check fda:F=23 out.txt`",
        ] {
            assert!(found.contains(step), "{step}: {found}");
        }
        let step = request(Machine::Files, true).zero_sign_step(&model);
        assert!(
            step.ends_with("`mmasmt identify out.txt --model fda:F=23,negzero=minus`"),
            "{step}"
        );
    }
}
