//! Reads the commands of a script; a script that was read is a goal for every engine.

use super::error::ScriptError;
use super::evaluate::Evaluation;
use super::read::{Expression, read};
use super::script::{Definition, Script};
use super::value::{Value, sort_of};
use crate::solver::engine::Goal;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_core::numbers::bits::circuit::Sort;
use mmasmt_core::numbers::bits::{Big, Bv, Input, Prop};

/// The widest constant that a script declares: values of inputs are machine words.
const WIDEST_INPUT: u32 = 64;

impl Script {
    /// The claim of a text, in which each of `models` is a function of its registers, in the order
    /// a0, a1, …, b0, b1, …, c, sa0, …, sb0, …, and `finite.FORMAT` tells whether a register of one
    /// of their formats holds a number.
    ///
    /// # Errors
    /// If the text is no script over bit-vectors, or a name or a sort is wrong.
    pub fn parse(text: &str, models: Vec<(String, Model)>) -> Result<Script, ScriptError> {
        let mut script = Script {
            constants: Vec::new(),
            definitions: Vec::new(),
            assertions: Vec::new(),
            models,
            status: None,
        };
        for command in &read(text)? {
            script.add(command)?;
        }
        // The sorts of everything show in one evaluation.
        let lifted = |(_, sort): &(String, Sort)| match sort {
            Sort::Truth => Value::Truth(false),
            Sort::Word(width) => Value::Word(Big::lit(*width, 0)),
        };
        let constants = script.constants.iter().map(lifted).collect();
        Evaluation::new(&script, constants).check()?;
        Ok(script)
    }

    fn add(&mut self, command: &Expression) -> Result<(), ScriptError> {
        let list = command.list().unwrap_or_default();
        let Some((name, rest)) = list.split_first() else {
            return Err(command.expected("a command such as (assert ...)"));
        };
        match (name.word().unwrap_or_default(), rest) {
            ("declare-const", [name, sort]) => self.declare(name, sort),
            ("declare-fun", [name, parameters, sort]) => match parameters.list() {
                Some([]) => self.declare(name, sort),
                _ => Err(parameters.expected("no parameters, ()")),
            },
            ("define-fun", [name, parameters, sort, body]) => {
                let word = self.new_name(name)?;
                let mut named = Vec::new();
                for parameter in parameters.list().ok_or_else(|| parameters.expected("(NAME SORT) ..."))? {
                    match parameter.list() {
                        Some([name, sort]) => named.push((self.new_name(name)?, sort_of(sort)?)),
                        _ => return Err(parameter.expected("(NAME SORT)")),
                    }
                }
                self.definitions.push(Definition {
                    name: word,
                    parameters: named,
                    sort: sort_of(sort)?,
                    body: body.clone(),
                });
                Ok(())
            }
            ("define-const", [name, sort, body]) => {
                let word = self.new_name(name)?;
                self.definitions.push(Definition {
                    name: word,
                    parameters: Vec::new(),
                    sort: sort_of(sort)?,
                    body: body.clone(),
                });
                Ok(())
            }
            ("assert", [body]) => {
                self.assertions.push(body.clone());
                Ok(())
            }
            ("set-info", [key, value]) if key.word() == Some(":status") => {
                self.status = match value.word() {
                    Some("sat") => Some(true),
                    Some("unsat") => Some(false),
                    Some("unknown") => None,
                    _ => return Err(value.expected("sat, unsat or unknown")),
                };
                Ok(())
            }
            ("set-logic" | "set-option" | "set-info" | "check-sat" | "get-model" | "get-value" | "exit", _) => Ok(()),
            _ => Err(command.expected(
                "declare-const, declare-fun without parameters, define-fun, define-const, assert, set-info or check-sat",
            )),
        }
    }

    fn declare(&mut self, name: &Expression, sort: &Expression) -> Result<(), ScriptError> {
        let word = self.new_name(name)?;
        let is = sort_of(sort)?;
        if let Sort::Word(width) = is
            && width > WIDEST_INPUT
        {
            return Err(sort.expected(format!("a constant of at most {WIDEST_INPUT} bits")));
        }
        self.constants.push((word, is));
        Ok(())
    }

    /// The word, if it is the name of nothing yet.
    fn new_name(&self, name: &Expression) -> Result<String, ScriptError> {
        let word = name.word().ok_or_else(|| name.expected("a name"))?;
        let constants = self.constants.iter().map(|(known, _)| known);
        let definitions = self.definitions.iter().map(|definition| &definition.name);
        let models = self.models.iter().map(|(known, _)| known);
        if constants
            .chain(definitions)
            .chain(models)
            .any(|known| known == word)
        {
            return Err(name.expected("a name that stands for nothing else"));
        }
        Ok(word.to_owned())
    }
}

impl Goal for Script {
    fn inputs(&self) -> Vec<Input> {
        let constants = (0..).zip(self.constants());
        let input = constants.map(|(index, (_, width))| Input {
            index,
            width,
            name: format!("x{index}"),
        });
        input.collect()
    }

    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool {
        let constants = self.constants.iter().zip(inputs);
        let constants = constants.map(|((_, sort), input)| match sort {
            Sort::Truth => Value::Truth(input.bit(0)),
            Sort::Word(_) => Value::Word(input.clone()),
        });
        let mut evaluation = Evaluation::new(self, constants.collect());
        // `parse` has evaluated the script once, and sorts do not depend on the instance.
        let held = evaluation.assertions();
        held.unwrap_or_else(|_| B::Bool::constant(false))
    }
}
