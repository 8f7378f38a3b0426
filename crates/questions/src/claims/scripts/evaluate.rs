//! Evaluates a script over an instance of the bit-vectors, node by node.

use super::divide::{signed, unsigned};
use super::graph::{FormatFunction, Id, ScriptNode, ScriptOperation};
use super::kind::ScriptSort;
use super::script::Script;
use mmasmt_core::machines::algorithms::{Inputs, Registers};
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::circuit::literal;
use mmasmt_numbers::bits::{Bv, Concrete, Prop, mux};
use mmasmt_numbers::float::unpack;

/// A value: a word or a truth value.
#[derive(Clone)]
pub(super) enum ScriptValue<B: Bv> {
    Word(B),
    Truth(B::Bool),
}

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

/// The values of the nodes that the assertions need, as far as they are words and truth values
/// that depend on nothing else.
pub(super) struct Evaluation<B: Instance> {
    values: Vec<Option<ScriptValue<B>>>,
    /// The applications of models, each with its node.
    pub applications: Vec<(Id, Application<B>)>,
}

impl<B: Instance> Evaluation<B> {
    /// Evaluates with these constants; `observed` are values of nodes that are not evaluated here.
    pub fn of(script: &Script, constants: &[B], observed: &dyn Fn(Id) -> Option<u64>) -> Self {
        let needed = script.graph.needed(&script.assertions);
        let mut evaluation = Evaluation {
            values: vec![None; needed.last().map_or(0, |last| last + 1)],
            applications: Vec::new(),
        };
        for id in needed {
            work(1);
            let node = script.graph.node(id);
            let value = evaluation.node(script, id, node, constants);
            evaluation.values[id] = value.or_else(|| {
                let ScriptSort::Word(width) = node.kind else {
                    return None;
                };
                observed(id).map(|bits| ScriptValue::Word(B::lit(width, bits)))
            });
        }
        evaluation
    }

    /// Whether all assertions hold; `None` if one has no value here.
    pub fn assertions(&self, script: &Script) -> Option<B::Bool> {
        let all = script.assertions.iter().map(|id| self.truth(*id));
        Some(B::Bool::all(all.collect::<Option<Vec<_>>>()?))
    }

    /// Whether the node has a value here.
    pub fn has_value(&self, id: Id) -> bool {
        self.values[id].is_some()
    }

    fn word(&self, id: Id) -> Option<B> {
        match self.values[id].as_ref()? {
            ScriptValue::Word(word) => Some(word.clone()),
            ScriptValue::Truth(_) => None,
        }
    }

    fn truth(&self, id: Id) -> Option<B::Bool> {
        match self.values[id].as_ref()? {
            ScriptValue::Truth(truth) => Some(truth.clone()),
            ScriptValue::Word(_) => None,
        }
    }

    fn node(
        &mut self,
        script: &Script,
        id: Id,
        node: &ScriptNode,
        constants: &[B],
    ) -> Option<ScriptValue<B>> {
        match (&node.operation, node.kind) {
            (ScriptOperation::Constant(index), ScriptSort::Word(_)) => {
                Some(ScriptValue::Word(constants[*index].clone()))
            }
            (ScriptOperation::Constant(index), ScriptSort::Truth) => {
                Some(ScriptValue::Truth(constants[*index].bit(0)))
            }
            (ScriptOperation::Truth(truth), _) => {
                Some(ScriptValue::Truth(B::Bool::constant(*truth)))
            }
            (ScriptOperation::Word(word), ScriptSort::Word(width)) => {
                Some(ScriptValue::Word(literal(width, word)))
            }
            (ScriptOperation::Model(number), _) => {
                let words = node.operands.iter().map(|one| self.word(*one));
                let registers = words.collect::<Option<Vec<_>>>()?;
                let model = &script.models[*number].1;
                let result = model.result(&as_registers(model, &registers));
                let application = Application {
                    model: *number,
                    registers,
                    result: result.clone(),
                };
                self.applications.push((id, application));
                Some(ScriptValue::Word(result))
            }
            (ScriptOperation::OfFormat(FormatFunction::Finite, format), _) => {
                let register = self.word(node.operands[0])?;
                let parts = unpack(&script.formats[*format], &register);
                Some(ScriptValue::Truth(parts.finite()))
            }
            (ScriptOperation::Applied(name, indices), _) => {
                let operands = node.operands.iter().map(|one| self.values[*one].clone());
                applied(name, indices, &operands.collect::<Option<Vec<_>>>()?)
            }
            _ => None,
        }
    }
}

impl<B: Concrete + Instance> Evaluation<B> {
    /// The applications of models, each with its node.
    pub fn as_words(&self) -> Vec<(Id, Application<u64>)> {
        let as_words = |(id, one): &(Id, Application<B>)| {
            let application = Application {
                model: one.model,
                registers: one.registers.iter().map(B::to_u64).collect(),
                result: one.result.to_u64(),
            };
            (*id, application)
        };
        self.applications.iter().map(as_words).collect()
    }
}

/// The value of an operator of words and truth values.
fn applied<B: Bv>(
    name: &str,
    indices: &[u32],
    operands: &[ScriptValue<B>],
) -> Option<ScriptValue<B>> {
    match operands {
        [ScriptValue::Truth(x)] => (name == "not").then(|| ScriptValue::Truth(x.not())),
        [ScriptValue::Word(x)] => of_one(name, indices, x).map(ScriptValue::Word),
        [ScriptValue::Truth(x), ScriptValue::Truth(y)] => {
            let held = match name {
                "and" => x.and(y),
                "or" => x.or(y),
                "xor" | "distinct" => x.xor(y),
                "=" => x.xor(y).not(),
                _ => return None,
            };
            Some(ScriptValue::Truth(held))
        }
        [ScriptValue::Word(x), ScriptValue::Word(y)] => {
            let relation = related(name, x, y).map(ScriptValue::Truth);
            relation.or_else(|| of_two(name, x, y).map(ScriptValue::Word))
        }
        [
            ScriptValue::Truth(c),
            ScriptValue::Word(x),
            ScriptValue::Word(y),
        ] => Some(ScriptValue::Word(mux(c, x, y))),
        [
            ScriptValue::Truth(c),
            ScriptValue::Truth(x),
            ScriptValue::Truth(y),
        ] => Some(ScriptValue::Truth(mux(c, x, y))),
        _ => None,
    }
}

fn of_one<B: Bv>(name: &str, indices: &[u32], x: &B) -> Option<B> {
    let width = x.width();
    Some(match (name, indices) {
        ("bvnot", []) => x.not(),
        ("bvneg", []) => x.neg(),
        ("extract", [high, low]) => x.extract(*high, *low),
        ("zero_extend", [more]) => x.zext(width + more),
        ("sign_extend", [more]) => x.sext(width + more),
        ("repeat", [times]) => (1..*times).fold(x.clone(), |joined, _| joined.concat(x)),
        ("rotate_left" | "rotate_right", [by]) => {
            let by = by % width;
            let left = if name == "rotate_left" {
                by
            } else {
                (width - by) % width
            };
            match left {
                0 => x.clone(),
                _ => {
                    let low = x.extract(width - 1, width - left);
                    x.extract(width - left - 1, 0).concat(&low)
                }
            }
        }
        _ => return None,
    })
}

fn related<B: Bv>(name: &str, x: &B, y: &B) -> Option<B::Bool> {
    Some(match name {
        "=" => x.equals(y),
        "distinct" => x.equals(y).not(),
        "bvult" => x.ult(y),
        "bvugt" => y.ult(x),
        "bvule" => y.ult(x).not(),
        "bvuge" => x.ult(y).not(),
        "bvslt" => x.slt(y),
        "bvsgt" => y.slt(x),
        "bvsle" => y.slt(x).not(),
        "bvsge" => x.slt(y).not(),
        _ => return None,
    })
}

fn of_two<B: Bv>(name: &str, x: &B, y: &B) -> Option<B> {
    Some(match name {
        "bvadd" => x.add(y),
        "bvsub" => x.sub(y),
        "bvmul" => x.mul(y),
        "bvand" => x.and(y),
        "bvor" => x.or(y),
        "bvxor" => x.xor(y),
        "bvnand" => x.and(y).not(),
        "bvnor" => x.or(y).not(),
        "bvxnor" => x.xor(y).not(),
        "bvshl" => x.shl(y),
        "bvlshr" => x.lshr(y),
        "bvashr" => x.ashr(y),
        "concat" => x.concat(y),
        "bvcomp" => B::from_prop(1, &x.equals(y)),
        "bvudiv" => unsigned(x, y).0,
        "bvurem" => unsigned(x, y).1,
        "bvsdiv" => signed(x, y).quotient,
        "bvsrem" => signed(x, y).remainder,
        "bvsmod" => signed(x, y).modulus,
        _ => return None,
    })
}

/// The operands whose registers, in the order of the model's function, are `words`.
pub(super) fn as_registers<B: Clone>(model: &Model, words: &[B]) -> Registers<B> {
    let signature = model.signature();
    let mut rest = words.iter();
    // There are as many words as registers.
    Inputs::zero(&signature).map(&signature, |_, _| rest.next().unwrap_or(&words[0]).clone())
}
