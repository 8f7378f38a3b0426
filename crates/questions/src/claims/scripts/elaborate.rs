//! Makes nodes of expressions: names are looked up, definitions and `let` are put in.

use super::apply::{Apply, Result, too_many};
use super::floats::{constant, rounding};
use super::graph::{FormatFunction, Id, ScriptOperation};
use super::kind::{ScriptSort, WIDEST};
use super::operators::{indexed, operator};
use super::read::{ScriptContent, ScriptExpression};
use super::reals::number;
use super::script::{Script, ScriptDefinition};
use super::theory::has_meaning;
use mmasmt_core::machines::model::Model;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The nodes of one expression of a script.
pub(super) struct Elaboration<'s, 'x> {
    script: &'s mut Script,
    /// Names of parameters and those that `let` binds, the innermost last.
    locals: Vec<(&'x str, Id)>,
}

impl<'s, 'x> Elaboration<'s, 'x> {
    pub fn new(script: &'s mut Script, parameters: Vec<(&'x str, Id)>) -> Self {
        Elaboration {
            script,
            locals: parameters,
        }
    }

    /// The node of an expression.
    ///
    /// # Errors
    /// If a name or a sort is wrong.
    pub fn value(&mut self, expression: &'x ScriptExpression) -> Result<Id> {
        let id = self.node(expression)?;
        let kind = self.script.graph.kind(id);
        let beyond = &mut self.script.beyond;
        if !kind.is_of_bits() && beyond.iter().all(|(known, ..)| *known != kind) {
            beyond.push((kind, expression.at, expression.shown()));
        }
        Ok(id)
    }

    fn node(&mut self, expression: &'x ScriptExpression) -> Result<Id> {
        let list = match &expression.content {
            ScriptContent::Word(word) => return self.named(word, expression),
            ScriptContent::List(list) => list,
        };
        let Some((head, operands)) = list.split_first() else {
            return Err(expression.expected("an expression"));
        };
        match (head.word(), operands) {
            (Some("_"), _) => self.literal(expression),
            (Some("!"), [annotated, ..]) => self.value(annotated),
            (Some("let"), [bindings, body]) => {
                let before = self.locals.len();
                let mut bound = Vec::new();
                for binding in bindings.list().unwrap_or_default() {
                    match binding.list() {
                        Some([name, _]) if name.word().is_some_and(has_meaning) => {
                            return Err(name.expected("a name that stands for nothing else"));
                        }
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
            (name, _) => {
                let ids = operands.iter().map(|operand| self.value(operand));
                let ids = ids.collect::<Result<Vec<_>>>()?;
                match name {
                    Some(name) => self.applied(name, expression, operands, &ids),
                    None => {
                        let mut of = Apply {
                            graph: &mut self.script.graph,
                            whole: expression,
                            operands,
                            ids: &ids,
                        };
                        indexed(&head.words().unwrap_or_default(), &mut of)
                    }
                }
            }
        }
    }

    /// The node of an operator, a definition or a model.
    fn applied(
        &mut self,
        name: &str,
        expression: &'x ScriptExpression,
        operands: &'x [ScriptExpression],
        ids: &[Id],
    ) -> Result<Id> {
        let script = &mut *self.script;
        let mut of = Apply {
            graph: &mut script.graph,
            whole: expression,
            operands,
            ids,
        };
        let mut definitions = script.definitions.iter();
        if let Some(definition) = definitions.find(|one| one.name == name) {
            return defined(definition, &mut of, name);
        }
        if let Some(number) = script.models.iter().position(|(known, _)| known == name) {
            return applied_model(number, &script.models[number], &mut of);
        }
        let functions = [
            ("finite.", FormatFunction::Finite, ScriptSort::Truth),
            ("value.", FormatFunction::Value, ScriptSort::Float(11, 53)),
            ("real.", FormatFunction::Real, ScriptSort::Real),
        ];
        // An exported file calls them by the name of its first function: `f.finite.f16`.
        let mut models = script.models.iter();
        let bare = models.find_map(|(model, _)| name.strip_prefix(&**model)?.strip_prefix('.'));
        for (prefix, function, kind) in functions {
            let Some(format) = bare.unwrap_or(name).strip_prefix(prefix) else {
                continue;
            };
            let formats = &script.formats;
            let found = formats.iter().position(|known| known.name() == format);
            let Some(number) = found else {
                return Err(expression.expected("a format of one of the models"));
            };
            let [_] = ids else {
                return Err(expression.expected("one register"));
            };
            let width = formats[number].width();
            if of.width(0)? != width {
                return Err(operands[0].expected(format!("{width} bits")));
            }
            return of.add(
                ScriptOperation::OfFormat(function, number),
                ids.to_vec(),
                kind,
            );
        }
        operator(name, &mut of)
    }

    fn named(&mut self, word: &str, expression: &'x ScriptExpression) -> Result<Id> {
        let mut locals = self.locals.iter().rev();
        if let Some((_, id)) = locals.find(|(name, _)| *name == word) {
            return Ok(*id);
        }
        let script = &mut *self.script;
        let mut definitions = script.definitions.iter();
        let is_it = |one: &&ScriptDefinition| one.name == word && one.parameters.is_empty();
        if let Some(definition) = definitions.find(is_it) {
            return Ok(definition.root);
        }
        let bits = |digits: &str, base: u32, width: usize| {
            let number = BigUint::parse_bytes(digits.as_bytes(), base)?;
            let width = u32::try_from(width).ok()?;
            (1..=WIDEST)
                .contains(&width)
                .then_some((ScriptOperation::Word(number), ScriptSort::Word(width)))
        };
        let mut constants = script.constants.iter().enumerate();
        let constant = constants.find(|(_, (name, _))| name == word);
        let constant =
            constant.map(|(number, (_, kind))| (ScriptOperation::Constant(number), *kind));
        let found = constant.or_else(|| match word {
            "true" | "false" => Some((ScriptOperation::Truth(word == "true"), ScriptSort::Truth)),
            _ if word.starts_with("#b") => bits(&word[2..], 2, word.len() - 2),
            _ if word.starts_with("#x") => bits(&word[2..], 16, 4 * (word.len() - 2)),
            _ => {
                let mode = rounding(word).map(|mode| (mode, ScriptSort::RoundingMode));
                mode.or_else(|| number(word).map(|number| (number, ScriptSort::Real)))
            }
        });
        let (operation, kind) =
            found.ok_or_else(|| expression.expected("a declared name or a literal"))?;
        let id = script.graph.add(operation, Vec::new(), kind);
        id.ok_or_else(|| too_many(expression))
    }

    /// The literal `(_ bvN WIDTH)`, or a constant such as `(_ +oo 8 24)`.
    fn literal(&mut self, whole: &'x ScriptExpression) -> Result<Id> {
        let words = whole.words().unwrap_or_default();
        let word = || {
            let ["_", number, width] = words[..] else {
                return None;
            };
            let number = BigUint::parse_bytes(number.strip_prefix("bv")?.as_bytes(), 10)?;
            let width = width.parse().ok();
            let width = width.filter(|width| (1..=WIDEST).contains(width))?;
            let fits = number.bits() <= u64::from(width);
            fits.then_some((ScriptOperation::Word(number), ScriptSort::Word(width)))
        };
        let found = word().or_else(|| constant(&words));
        let (operation, kind) = found.ok_or_else(|| {
            whole.expected("(_ bvN WIDTH), or (_ +oo E S), -oo, +zero, -zero or NaN")
        })?;
        let id = self.script.graph.add(operation, Vec::new(), kind);
        id.ok_or_else(|| too_many(whole))
    }
}

/// The value of a definition for operands.
fn defined(definition: &ScriptDefinition, of: &mut Apply<'_, '_>, name: &str) -> Result<Id> {
    let parameters = &definition.parameters;
    if parameters.len() != of.ids.len() {
        return of.wrong(format!("{} operands of {name}", parameters.len()));
    }
    for (operand, parameter) in parameters.iter().enumerate() {
        of.is(operand, of.graph.kind(*parameter))?;
    }
    let counted = of.graph.count(definition.open.len());
    counted.ok_or_else(|| too_many(of.whole))?;
    let mut put_in: FxHashMap<Id, Id> = FxHashMap::default();
    put_in.extend(parameters.iter().copied().zip(of.ids.iter().copied()));
    let now = |put_in: &FxHashMap<Id, Id>, id: Id| put_in.get(&id).copied().unwrap_or(id);
    for id in &definition.open {
        if put_in.contains_key(id) {
            continue;
        }
        let node = of.graph.node(*id).clone();
        let operands = node.operands.iter().map(|one| now(&put_in, *one)).collect();
        put_in.insert(*id, of.add(node.operation, operands, node.kind)?);
    }
    Ok(now(&put_in, definition.root))
}

fn applied_model(
    number: usize,
    (name, model): &(String, Model),
    of: &mut Apply<'_, '_>,
) -> Result<Id> {
    let widths = widths(model);
    if widths.len() != of.ids.len() {
        let (count, signature) = (widths.len(), model.signature());
        return of.wrong(format!("{count} registers of {name} ({signature})"));
    }
    for (operand, width) in widths.into_iter().enumerate() {
        if of.width(operand)? != width {
            return Err(of.operands[operand].expected(format!("{width} bits")));
        }
    }
    let result = model.signature().d.width();
    let ids = of.ids.to_vec();
    of.add(
        ScriptOperation::Model(number),
        ids,
        ScriptSort::Word(result),
    )
}

/// The widths of the registers of a model, in the order of its function.
pub(super) fn widths(model: &Model) -> Vec<u32> {
    let signature = model.signature();
    let rows = signature.rows();
    rows.flat_map(|row| std::iter::repeat_n(row.format.width(), row.length))
        .collect()
}
