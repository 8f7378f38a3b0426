//! Evaluates a script over an instance of the bit-vectors.

use super::error::ScriptError;
use super::operators::{apply, indexed};
use super::read::{Content, Expression};
use super::script::{Definition, Script};
use super::value::{Value, WIDEST, literal_in_decimal};
use crate::solver::engine::sort_in_smtlib;
use mmasmt_core::base::limits::work;
use mmasmt_core::machines::algorithms::{Inputs, Registers};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_core::numbers::bits::Prop;
use mmasmt_core::numbers::bits::circuit::{Sort, literal};
use mmasmt_core::numbers::float::{Format, unpack};
use num_bigint::BigUint;

/// A model applied to registers, in the order of evaluation.
#[derive(Clone, Debug)]
pub struct Application<B> {
    /// The number of the model.
    pub model: usize,
    /// The registers, in the order a, b, c, scales of a, scales of b.
    pub registers: Vec<B>,
    /// The register of the result.
    pub result: B,
}

impl Application<u64> {
    /// The operands, for the model that was applied.
    pub fn inputs(&self, model: &Model) -> Inputs {
        as_registers(model, &self.registers)
    }
}

/// One evaluation of a script.
pub(super) struct Evaluation<'x, B: Instance> {
    script: &'x Script,
    constants: Vec<Value<B>>,
    /// Names that `let` binds and parameters, the innermost last.
    locals: Vec<(&'x str, Value<B>)>,
    /// The place in `locals` of the first name of the innermost definition.
    first: usize,
    /// The number of definitions that can be used: those before the one that is evaluated.
    visible: usize,
    /// The values of definitions without parameters that were used.
    defined: Vec<Option<Value<B>>>,
    /// The applications of models so far.
    pub applications: Vec<Application<B>>,
}

impl<'x, B: Instance> Evaluation<'x, B> {
    pub fn new(script: &'x Script, constants: Vec<Value<B>>) -> Self {
        Evaluation {
            script,
            constants,
            locals: Vec::new(),
            first: 0,
            visible: script.definitions.len(),
            defined: vec![None; script.definitions.len()],
            applications: Vec::new(),
        }
    }

    /// Whether all assertions hold.
    ///
    /// # Errors
    /// If a name or a sort is wrong.
    pub fn assertions(&mut self) -> Result<B::Bool, ScriptError> {
        let script = self.script;
        let mut all = Vec::new();
        for assertion in &script.assertions {
            all.push(self.truth(assertion)?);
        }
        Ok(B::Bool::all(all))
    }

    /// Checks the sorts of all assertions and definitions.
    ///
    /// # Errors
    /// If a name or a sort is wrong.
    pub fn check(&mut self) -> Result<(), ScriptError> {
        let script = self.script;
        for (number, definition) in script.definitions.iter().enumerate() {
            let zero = |sort: Sort| match sort {
                Sort::Truth => Value::Truth(B::Bool::constant(false)),
                Sort::Word(width) => Value::Word(B::lit(width, 0)),
            };
            let parameters = definition.parameters.iter();
            let values = parameters.map(|(_, sort)| zero(*sort)).collect();
            self.definition(number, values)?;
        }
        self.assertions()?;
        Ok(())
    }

    /// The value of an expression that has to be true or false.
    pub fn truth(&mut self, expression: &'x Expression) -> Result<B::Bool, ScriptError> {
        match self.value(expression)? {
            Value::Truth(truth) => Ok(truth),
            Value::Word(_) => Err(expression.expected("a value of sort Bool")),
        }
    }

    /// The value of an expression that has to be a word.
    pub fn word(&mut self, expression: &'x Expression) -> Result<B, ScriptError> {
        match self.value(expression)? {
            Value::Word(word) => Ok(word),
            Value::Truth(_) => Err(expression.expected("a bit-vector")),
        }
    }

    pub fn value(&mut self, expression: &'x Expression) -> Result<Value<B>, ScriptError> {
        work(1);
        let list = match &expression.content {
            Content::Word(word) => return self.named(word, expression),
            Content::List(list) => list,
        };
        let Some((head, operands)) = list.split_first() else {
            return Err(expression.expected("an expression"));
        };
        let Some(operation) = head.word() else {
            let [operand] = operands else {
                return Err(expression.expected("one operand"));
            };
            let word = self.word(operand)?;
            return indexed(head, &word);
        };
        match (operation, operands) {
            ("_", _) => literal_in_decimal(expression, operands),
            ("!", [annotated, ..]) => self.value(annotated),
            ("let", [bindings, body]) => {
                let before = self.locals.len();
                let mut bound = Vec::new();
                for binding in bindings.list().unwrap_or_default() {
                    match binding.list() {
                        Some([name, value]) if name.word().is_some() => {
                            bound.push((name.word().unwrap_or_default(), self.value(value)?));
                        }
                        _ => return Err(binding.expected("(NAME VALUE)")),
                    }
                }
                self.locals.extend(bound);
                let value = self.value(body);
                self.locals.truncate(before);
                value
            }
            _ => self.applied(operation, expression, operands),
        }
    }

    /// The value of an operator, a definition or a model.
    fn applied(
        &mut self,
        operation: &str,
        expression: &'x Expression,
        operands: &'x [Expression],
    ) -> Result<Value<B>, ScriptError> {
        let script = self.script;
        let mut definitions = script.definitions[..self.visible].iter();
        if let Some(number) = definitions.position(|definition| definition.name == operation) {
            let Definition { parameters, .. } = &script.definitions[number];
            if parameters.len() != operands.len() {
                return Err(
                    expression.expected(format!("{} operands of {operation}", parameters.len()))
                );
            }
            let mut values = Vec::new();
            for ((_, sort), operand) in parameters.iter().zip(operands) {
                let value = self.value(operand)?;
                if value.sort() != *sort {
                    return Err(
                        operand.expected(format!("a value of sort {}", sort_in_smtlib(*sort)))
                    );
                }
                values.push(value);
            }
            return self.definition(number, values);
        }
        if let Some(number) = script.models.iter().position(|(name, _)| name == operation) {
            return self.model(number, expression, operands);
        }
        if let Some(name) = operation.strip_prefix("finite.") {
            let format = self
                .format(name)
                .ok_or_else(|| expression.expected("a format of one of the models"))?;
            let [operand] = operands else {
                return Err(expression.expected("one register"));
            };
            let word = self.word(operand)?;
            if word.width() != format.width() {
                return Err(operand.expected(format!("{} bits", format.width())));
            }
            return Ok(Value::Truth(unpack(&format, &word).finite()));
        }
        let values = operands.iter().map(|operand| self.value(operand));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        apply(operation, expression, operands, &values)
    }

    /// The format of this name, if one of the models has it.
    fn format(&self, name: &str) -> Option<Format> {
        let signatures = self
            .script
            .models
            .iter()
            .map(|(_, model)| model.signature());
        let mut formats = signatures.flat_map(|signature| {
            let rows: Vec<Format> = signature.rows().map(|row| row.format).collect();
            rows.into_iter().chain([signature.d])
        });
        formats.find(|format| format.name() == name)
    }

    fn named(&mut self, word: &str, expression: &'x Expression) -> Result<Value<B>, ScriptError> {
        let mut locals = self.locals[self.first..].iter().rev();
        if let Some((_, value)) = locals.find(|(name, _)| *name == word) {
            return Ok(value.clone());
        }
        let script = self.script;
        if let Some(number) = script.constants.iter().position(|(name, _)| name == word) {
            return Ok(self.constants[number].clone());
        }
        let mut definitions = script.definitions[..self.visible].iter();
        let is_it =
            |definition: &Definition| definition.name == word && definition.parameters.is_empty();
        if let Some(number) = definitions.position(is_it) {
            if let Some(value) = &self.defined[number] {
                return Ok(value.clone());
            }
            let value = self.definition(number, Vec::new())?;
            self.defined[number] = Some(value.clone());
            return Ok(value);
        }
        let bits = |digits: &str, base: u32, width: usize| {
            let number = BigUint::parse_bytes(digits.as_bytes(), base);
            number
                .filter(|_| width as u32 <= WIDEST)
                .map(|number| literal(width as u32, &number))
        };
        let found = match word {
            "true" | "false" => return Ok(Value::Truth(B::Bool::constant(word == "true"))),
            _ if word.starts_with("#b") => bits(&word[2..], 2, word.len() - 2),
            _ if word.starts_with("#x") => bits(&word[2..], 16, 4 * (word.len() - 2)),
            _ => None,
        };
        found
            .map(Value::Word)
            .ok_or_else(|| expression.expected("a declared name or a literal"))
    }

    /// The value of a definition for these values of its parameters.
    fn definition(
        &mut self,
        number: usize,
        values: Vec<Value<B>>,
    ) -> Result<Value<B>, ScriptError> {
        let definition = &self.script.definitions[number];
        let before = (self.first, self.visible, self.locals.len());
        let names = definition.parameters.iter().map(|(name, _)| name.as_str());
        (self.first, self.visible) = (self.locals.len(), number);
        self.locals.extend(names.zip(values));
        let value = self.value(&definition.body);
        self.locals.truncate(before.2);
        (self.first, self.visible) = (before.0, before.1);
        let value = value?;
        if value.sort() != definition.sort {
            return Err(definition.body.expected(format!(
                "a value of sort {}",
                sort_in_smtlib(definition.sort)
            )));
        }
        Ok(value)
    }

    fn model(
        &mut self,
        number: usize,
        expression: &'x Expression,
        operands: &'x [Expression],
    ) -> Result<Value<B>, ScriptError> {
        let (name, model) = &self.script.models[number];
        let widths = widths(model);
        if widths.len() != operands.len() {
            let what = format!(
                "{} registers of {name} ({})",
                widths.len(),
                model.signature()
            );
            return Err(expression.expected(what));
        }
        let mut registers = Vec::new();
        for (operand, width) in operands.iter().zip(widths) {
            let word = self.word(operand)?;
            if word.width() != width {
                return Err(operand.expected(format!("{width} bits")));
            }
            registers.push(word);
        }
        let result = model.result(&as_registers(model, &registers));
        self.applications.push(Application {
            model: number,
            registers,
            result: result.clone(),
        });
        Ok(Value::Word(result))
    }
}

/// The widths of the registers of a model, in the order of its function.
pub(super) fn widths(model: &Model) -> Vec<u32> {
    let signature = model.signature();
    let rows = signature.rows();
    rows.flat_map(|row| std::iter::repeat_n(row.format.width(), row.length))
        .collect()
}

/// The operands whose registers, in the order of the model's function, are `words`.
pub(super) fn as_registers<B: Clone>(model: &Model, words: &[B]) -> Registers<B> {
    let signature = model.signature();
    let mut rest = words.iter();
    // There are as many words as registers.
    Inputs::zero(&signature).map(&signature, |_, _| rest.next().unwrap_or(&words[0]).clone())
}
