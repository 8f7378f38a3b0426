//! A script as text for other solvers: models as functions, a definition for each expression.

use super::evaluate::{Application, as_registers};
use super::formats::{finite_of, real_of, value_of};
use super::graph::{FormatFunction, Id, ScriptNode, ScriptOperation};
use super::kind::ScriptSort;
use super::script::Script;
use crate::solver::engine::{Text, functions_in_smtlib};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::circuit::{Circuit, CircuitBits, Port};
use std::fmt::Write;

/// What a text leaves to a solver.
pub(super) enum SolverTask<'x> {
    /// The values of all constants, and of these nodes.
    Values(&'x [Id]),
    /// Nothing: constants have these values, models these results, and nodes these values, which the
    /// text asserts.
    Nothing {
        constants: &'x [u64],
        applications: &'x [(Id, Application<u64>)],
        observed: &'x [(Id, u64)],
    },
}

/// The script as text. Values are asked of constants, then of observed nodes.
pub(super) fn text_of(script: &Script, open: &SolverTask<'_>) -> Text {
    let needed = script.graph.needed(&script.assertions);
    let mut text = functions(script, &needed, open);
    let mut inputs = Vec::new();
    let constants = (0..).zip(script.constants());
    for (index, (_, width)) in constants {
        let name = format!("x{index}");
        match open {
            SolverTask::Values(_) => inputs.push(Input { index, width, name }),
            SolverTask::Nothing { constants, .. } => {
                let value = constants[index as usize];
                // Writing to a string does not fail.
                let _ = writeln!(
                    text,
                    "(define-fun {name} () (_ BitVec {width}) (_ bv{value} {width}))"
                );
            }
        }
    }
    for id in &needed {
        let before = text.len();
        let node = script.graph.node(*id);
        if is_leaf(node) {
            continue;
        }
        let body = body(script, *id, node, open);
        let _ = writeln!(text, "(define-fun n{id} () {} {body})", node.kind.text());
        work((text.len() - before) as u64);
    }
    let name = |id: &Id| name(*id, script.graph.node(*id));
    let mut roots: Vec<String> = script.assertions.iter().map(name).collect();
    match open {
        SolverTask::Values(observed) => {
            for (place, id) in observed.iter().enumerate() {
                let ScriptSort::Word(width) = script.graph.kind(*id) else {
                    continue;
                };
                let input = Input {
                    index: (script.constants.len() + place) as u32,
                    width,
                    name: format!("o{place}"),
                };
                roots.push(format!("(= {} {})", input.name, name(id)));
                inputs.push(input);
            }
        }
        SolverTask::Nothing { observed, .. } => {
            let asserted = observed.iter().map(|(id, value)| {
                let width = script.graph.kind(*id).bits().unwrap_or(1);
                format!("(= {} (_ bv{value} {width}))", name(id))
            });
            roots.extend(asserted);
        }
    }
    let logic = match script.kinds().contains(&ScriptSort::Real) {
        true => "ALL",
        false => "QF_BVFP",
    };
    Text::of_logic(logic, inputs, &text, &roots, "")
}

/// The definitions of models and of functions of formats that are applied.
fn functions(script: &Script, needed: &[Id], open: &SolverTask<'_>) -> String {
    let is_there = |operation: &ScriptOperation| {
        let mut operations = needed.iter().map(|id| &script.graph.node(*id).operation);
        operations.any(|other| other == operation)
    };
    let mut text = String::new();
    for (number, (_, model)) in script.models.iter().enumerate() {
        if matches!(open, SolverTask::Values(_)) && is_there(&ScriptOperation::Model(number)) {
            text += &functions_in_smtlib(&circuit(&format!("m{number}"), model));
        }
    }
    for (number, format) in script.formats.iter().enumerate() {
        let [finite, value, real] = [
            FormatFunction::Finite,
            FormatFunction::Value,
            FormatFunction::Real,
        ]
        .map(|of| is_there(&ScriptOperation::OfFormat(of, number)));
        if finite {
            text += &finite_of(*format);
        }
        if value || real {
            text += &value_of(*format);
        }
        if real {
            text += &real_of(*format);
        }
    }
    text
}

fn circuit(name: &str, model: &Model) -> Circuit {
    let widths = super::elaborate::widths(model).into_iter().enumerate();
    let ports = widths.map(|(index, width)| Port::new(format!("r{index}"), width));
    let circuit = Circuit::record(ports.collect(), |inputs: &[CircuitBits]| {
        let result = model.result(&as_registers(model, inputs));
        vec![(name.to_owned(), result.id())]
    });
    circuit.simplified()
}

/// Whether the node is written where it is used.
fn is_leaf(node: &ScriptNode) -> bool {
    match node.operation {
        ScriptOperation::Constant(_) => matches!(node.kind, ScriptSort::Word(_)),
        ScriptOperation::Truth(_) | ScriptOperation::Word(_) | ScriptOperation::Literal(_) => true,
        _ => false,
    }
}

fn name(id: Id, node: &ScriptNode) -> String {
    match (&node.operation, node.kind) {
        (ScriptOperation::Constant(index), ScriptSort::Word(_)) => format!("x{index}"),
        (ScriptOperation::Truth(truth), _) => truth.to_string(),
        (ScriptOperation::Word(word), ScriptSort::Word(width)) => format!("(_ bv{word} {width})"),
        (ScriptOperation::Literal(text), _) => text.clone(),
        _ => format!("n{id}"),
    }
}

fn body(script: &Script, id: Id, node: &ScriptNode, open: &SolverTask<'_>) -> String {
    let operands = node.operands.iter();
    let operands = operands.map(|one| name(*one, script.graph.node(*one)));
    let operands = operands.collect::<Vec<_>>().join(" ");
    match (&node.operation, node.kind) {
        (ScriptOperation::Constant(index), ScriptSort::Float(exponent, significand)) => {
            format!("((_ to_fp {exponent} {significand}) x{index})")
        }
        (ScriptOperation::Constant(index), _) => format!("(= x{index} #b1)"),
        (ScriptOperation::Model(number), kind) => match open {
            SolverTask::Values(_) => format!("(m{number} {operands})"),
            SolverTask::Nothing { applications, .. } => {
                let known = applications.iter().find(|(node, _)| *node == id);
                let result = known.map_or(0, |(_, application)| application.result);
                format!("(_ bv{result} {})", kind.bits().unwrap_or(1))
            }
        },
        (ScriptOperation::OfFormat(of, number), _) => {
            let prefix = match of {
                FormatFunction::Finite => "finite",
                FormatFunction::Value => "value",
                FormatFunction::Real => "real",
            };
            format!("({prefix}.{} {operands})", script.formats[*number])
        }
        (ScriptOperation::Applied(name, indices), _) => {
            if indices.is_empty() {
                return format!("({name} {operands})");
            }
            let indices: Vec<String> = indices.iter().map(u32::to_string).collect();
            format!("((_ {name} {}) {operands})", indices.join(" "))
        }
        // Leaves, which have no definition; parameters are in no assertion.
        (_, _) => operands,
    }
}
