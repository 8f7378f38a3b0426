//! Reads the commands of a script; a script that was read is a goal for every engine.

use super::apply::too_many;
use super::elaborate::Elaboration;
use super::error::{ScriptError, ScriptPlace};
use super::evaluate::Evaluation;
use super::graph::{ScriptGraph, ScriptOperation};
use super::kind::{ScriptSort, kind_of};
use super::read::{ScriptExpression, read};
use super::script::{Script, ScriptDefinition};
use super::theory::has_meaning;
use crate::solver::engine::Goal;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Input, Prop};

/// The widest constant that a script declares: values of inputs are machine words.
const WIDEST_INPUT: u32 = 64;
const MOST_PARAMETERS: usize = 1 << 12;
/// What the names of functions of a format begin with.
const OF_FORMATS: [&str; 3] = ["finite.", "value.", "real."];

impl Script {
    /// The claim of a text, in which each of `models` is a function of its registers, in the order
    /// a0, a1, …, b0, b1, …, c, sa0, …, sb0, …. Of the register of one of their formats,
    /// `finite.FORMAT` tells whether it holds a number, `value.FORMAT` is that number as a
    /// FloatingPoint, and `real.FORMAT` as a Real.
    ///
    /// What stands behind the first `check-sat` or `exit` does not count.
    ///
    /// # Errors
    /// If the text is no such script, a name or a sort is wrong, or a model or anything else is named as
    /// something that has a meaning already.
    pub fn parse(text: &str, models: Vec<(String, Model)>) -> Result<Script, ScriptError> {
        for (index, (name, _)) in models.iter().enumerate() {
            if has_meaning(name) || models[..index].iter().any(|(other, _)| other == name) {
                return Err(ScriptError {
                    at: ScriptPlace { line: 1, column: 1 },
                    expected: "functions of models by names that stand for nothing else".into(),
                    found: name.clone(),
                });
            }
        }
        let mut formats = Vec::new();
        for (_, model) in &models {
            let signature = model.signature();
            let rows = signature.rows().map(|row| row.format);
            for format in rows.chain([signature.d]) {
                if !formats.contains(&format) {
                    formats.push(format);
                }
            }
        }
        let mut script = Script {
            graph: ScriptGraph::default(),
            constants: Vec::new(),
            definitions: Vec::new(),
            assertions: Vec::new(),
            models,
            formats,
            status: None,
            beyond: Vec::new(),
            unread: 0,
        };
        let commands = read(text)?;
        let is_last = |command: &ScriptExpression| {
            let first = command.list().and_then(|list| list.first()?.word());
            matches!(first, Some("check-sat" | "exit"))
        };
        let last = commands.iter().position(is_last);
        let (counted, behind) = commands.split_at(last.map_or(commands.len(), |last| last + 1));
        for command in counted {
            script.add(command)?;
        }
        script.unread = behind
            .iter()
            .filter(|command| says_something(command))
            .count();
        Ok(script)
    }

    fn add(&mut self, command: &ScriptExpression) -> Result<(), ScriptError> {
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
                let all = parameters.list();
                let all = all.ok_or_else(|| parameters.expected("(NAME SORT) ..."))?;
                self.define(name, all, sort, body)
            }
            ("define-const", [name, sort, body]) => self.define(name, &[], sort, body),
            ("assert", [body]) => {
                let id = Elaboration::new(self, Vec::new()).value(body)?;
                if self.graph.kind(id) != ScriptSort::Truth {
                    return Err(body.expected("a value of sort Bool"));
                }
                self.assertions.push(id);
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

    fn declare(
        &mut self,
        name: &ScriptExpression,
        sort: &ScriptExpression,
    ) -> Result<(), ScriptError> {
        let word = self.new_name(name)?;
        let is = kind_of(sort)?;
        match is.bits() {
            None => Err(sort.expected(
                "a constant of sort Bool, (_ BitVec N) or (_ FloatingPoint E S); others can be defined",
            )),
            Some(bits) if bits > WIDEST_INPUT => {
                Err(sort.expected(format!("a constant of at most {WIDEST_INPUT} bits")))
            }
            Some(_) => {
                self.constants.push((word, is));
                Ok(())
            }
        }
    }

    fn define(
        &mut self,
        name: &ScriptExpression,
        all: &[ScriptExpression],
        sort: &ScriptExpression,
        body: &ScriptExpression,
    ) -> Result<(), ScriptError> {
        let word = self.new_name(name)?;
        let kind = kind_of(sort)?;
        let (mut parameters, mut named) = (Vec::new(), Vec::new());
        for parameter in all {
            let [name, sort] = parameter.list().unwrap_or_default() else {
                return Err(parameter.expected("(NAME SORT)"));
            };
            self.new_name(name)?;
            let number = self.definitions.len() * MOST_PARAMETERS + parameters.len();
            if parameters.len() == MOST_PARAMETERS {
                return Err(parameter.expected(format!("at most {MOST_PARAMETERS} parameters")));
            }
            let node = ScriptOperation::Parameter(number);
            let id = self.graph.add(node, Vec::new(), kind_of(sort)?);
            let id = id.ok_or_else(|| too_many(parameter))?;
            parameters.push(id);
            named.push((name.word().unwrap_or_default(), id));
        }
        let root = Elaboration::new(self, named).value(body)?;
        if self.graph.kind(root) != kind {
            return Err(body.expected(format!("a value of sort {}", kind.text())));
        }
        let open = self.graph.open(root);
        self.definitions.push(ScriptDefinition {
            name: word,
            parameters,
            root,
            open,
        });
        Ok(())
    }

    /// The word, if it is the name of nothing yet.
    fn new_name(&self, name: &ScriptExpression) -> Result<String, ScriptError> {
        let word = name.word().ok_or_else(|| name.expected("a name"))?;
        let constants = self.constants.iter().map(|(known, _)| known);
        let definitions = self.definitions.iter().map(|definition| &definition.name);
        let models = self.models.iter().map(|(known, _)| known);
        let is_of_format = |prefix: &&str| {
            let format = word.strip_prefix(prefix);
            format.is_some_and(|format| self.formats.iter().any(|one| one.name() == format))
        };
        let is_known = constants
            .chain(definitions)
            .chain(models)
            .any(|known| known == word);
        if is_known || has_meaning(word) || OF_FORMATS.iter().any(is_of_format) {
            return Err(name.expected("a name that stands for nothing else"));
        }
        Ok(word.to_owned())
    }
}

/// Whether a command would change the question if it stood before it.
fn says_something(command: &ScriptExpression) -> bool {
    let first = command.list().and_then(|list| list.first()?.word());
    !matches!(
        first,
        Some("check-sat" | "get-model" | "get-value" | "set-option" | "exit")
    )
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

    /// Of a script that is not of bits alone, this is false.
    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool {
        let held = Evaluation::of(self, inputs, &|_| None).assertions(self);
        held.unwrap_or_else(|| B::Bool::constant(false))
    }
}
