//! SMT-LIB text of a circuit: one definition for each operation of the model, which has the meaning
//! that the standard gives it. Nothing is folded and the term layer is not used, so a proof of this
//! text does not rest on that layer.

use super::text::Text;
use crate::solver::engine::goal::Goal;
use mmasmt_numbers::base::limits::work;
use mmasmt_numbers::bits::circuit::{
    Binary, Circuit, CircuitNodeId, CircuitOperation, CircuitSort, Port,
};
use std::fmt::Write;

/// The goal as a script, unsimplified: the script is satisfiable iff the goal is. Every line of
/// `about` becomes a comment.
pub(in crate::solver::engine) fn plain_text(goal: &impl Goal, about: &str) -> Text {
    let inputs = goal.inputs();
    let ports = inputs.iter();
    let ports = ports.map(|input| Port::new(input.name.clone(), input.width));
    let circuit = Circuit::record(ports.collect(), |inputs| {
        vec![("goal".into(), goal.formula(inputs).id())]
    });
    let (_, root) = &circuit.outputs()[0];
    let root = name(&circuit, *root);
    Text::new(inputs, &definitions(&circuit), &[root], about)
}

/// The script of `goal`, unsimplified, for any solver; it ends with `(check-sat)`.
pub fn plain_script(goal: &impl Goal, about: &str) -> String {
    plain_text(goal, about).text
}

/// The SMT-LIB expression of a node in [`definitions`]: its name, or a literal.
pub fn name(circuit: &Circuit, id: CircuitNodeId) -> String {
    let node = circuit.node(id);
    match (&node.operation, node.sort) {
        (CircuitOperation::Input(index), _) => circuit.inputs()[*index as usize].name.clone(),
        (CircuitOperation::Const(value), CircuitSort::Word(width)) => {
            format!("(_ bv{value} {width})")
        }
        (CircuitOperation::Const(value), CircuitSort::Truth) => (value.bit(0)).to_string(),
        (_, CircuitSort::Word(_)) => format!("n{}", id.index()),
        (_, CircuitSort::Truth) => format!("p{}", id.index()),
    }
}

/// The expression of the node `root` over the inputs of the circuit, without other names: operations
/// are bound by `let`, those of the same depth together.
pub fn expression(circuit: &Circuit, root: CircuitNodeId) -> String {
    let mut needed = vec![false; root.index() + 1];
    needed[root.index()] = true;
    let mut depths = vec![0usize; root.index() + 1];
    for (id, node) in circuit.nodes().take(root.index() + 1) {
        if !is_leaf(&node.operation) {
            let below = node.operation.operands().map(|one| depths[one.index()]);
            depths[id.index()] = 1 + below.max().unwrap_or(0);
        }
    }
    let mut levels = vec![Vec::new(); depths[root.index()]];
    let until_root = circuit.nodes().take(root.index() + 1);
    for (id, node) in until_root.collect::<Vec<_>>().into_iter().rev() {
        if needed[id.index()] && !is_leaf(&node.operation) {
            let operands = node.operation.operands();
            operands.for_each(|operand| needed[operand.index()] = true);
            levels[depths[id.index()] - 1].push(id);
        }
    }
    let mut text = String::new();
    for level in &levels {
        let before = text.len();
        text += "(let (";
        for (number, id) in level.iter().rev().enumerate() {
            let node = circuit.node(*id);
            let space = if number == 0 { "" } else { " " };
            let body = body(circuit, &node.operation, node.sort);
            // Writing to a string does not fail.
            let _ = write!(text, "{space}({} {body})", name(circuit, *id));
        }
        text += ")\n";
        work((text.len() - before) as u64);
    }
    text += &name(circuit, root);
    text.extend(std::iter::repeat_n(')', levels.len()));
    text
}

/// The text of a sort.
pub fn sort(sort: CircuitSort) -> String {
    match sort {
        CircuitSort::Truth => "Bool".into(),
        CircuitSort::Word(width) => format!("(_ BitVec {width})"),
    }
}

/// True of an input or a constant, which need no definition.
fn is_leaf(operation: &CircuitOperation) -> bool {
    matches!(
        operation,
        CircuitOperation::Input(_) | CircuitOperation::Const(_)
    )
}

/// A definition for every operation of the circuit, over its inputs.
pub fn definitions(circuit: &Circuit) -> String {
    let mut text = String::new();
    for (id, node) in circuit.nodes() {
        if is_leaf(&node.operation) {
            continue;
        }
        let before = text.len();
        let sort = sort(node.sort);
        let body = body(circuit, &node.operation, node.sort);
        // Writing to a string does not fail.
        let _ = writeln!(text, "(define-fun {} () {sort} {body})", name(circuit, id));
        work((text.len() - before) as u64);
    }
    text
}

/// A function for each output of the circuit, over its inputs.
pub fn functions(circuit: &Circuit) -> String {
    let inputs = circuit.inputs().iter();
    let inputs = inputs.map(|port| format!("({} (_ BitVec {}))", port.name, port.width));
    let inputs = inputs.collect::<Vec<_>>().join(" ");
    let mut text = String::new();
    for (name, id) in circuit.outputs() {
        let sort = sort(circuit.node(*id).sort);
        let body = expression(circuit, *id);
        // Writing to a string does not fail.
        let _ = writeln!(text, "(define-fun {name} ({inputs}) {sort}\n{body})");
    }
    text
}

fn body(circuit: &Circuit, operation: &CircuitOperation, sort: CircuitSort) -> String {
    let of = |id: &CircuitNodeId| name(circuit, *id);
    match operation {
        CircuitOperation::Input(_) | CircuitOperation::Const(_) => String::new(),
        CircuitOperation::Not(x) if sort == CircuitSort::Truth => format!("(not {})", of(x)),
        CircuitOperation::Not(x) => format!("(bvnot {})", of(x)),
        CircuitOperation::Mux(c, x, y) => format!("(ite {} {} {})", of(c), of(x), of(y)),
        CircuitOperation::Extract(x, low) => extract(&of(x), *low, sort.width()),
        CircuitOperation::Extend(x, signed) => extend(circuit, *x, sort.width(), *signed),
        CircuitOperation::Binary(Binary::Shl, x, amount) => shift(circuit, "bvshl", *x, *amount),
        CircuitOperation::Binary(Binary::Lshr, x, amount) => shift(circuit, "bvlshr", *x, *amount),
        CircuitOperation::Binary(Binary::Ashr, x, amount) => shift(circuit, "bvashr", *x, *amount),
        CircuitOperation::Binary(binary, x, y) => {
            let name = match (binary, sort) {
                (Binary::And, CircuitSort::Truth) => "and",
                (Binary::Or, CircuitSort::Truth) => "or",
                (Binary::Xor, CircuitSort::Truth) => "xor",
                (Binary::And, _) => "bvand",
                (Binary::Or, _) => "bvor",
                (Binary::Xor, _) => "bvxor",
                (Binary::Sub, _) => "bvsub",
                (Binary::Mul, _) => "bvmul",
                (Binary::Concat, _) => "concat",
                (Binary::Equals, _) => "=",
                (Binary::Less, _) => "bvult",
                (Binary::SignedLess, _) => "bvslt",
                // The outer match handles the shifts.
                (Binary::Add | Binary::Shl | Binary::Lshr | Binary::Ashr, _) => "bvadd",
            };
            format!("({name} {} {})", of(x), of(y))
        }
    }
}

fn extract(text: &str, low: u32, width: u32) -> String {
    format!("((_ extract {} {low}) {text})", low + width - 1)
}

fn extend(circuit: &Circuit, id: CircuitNodeId, width: u32, signed: bool) -> String {
    let kind = if signed { "sign" } else { "zero" };
    let added = width - circuit.width(id);
    format!("((_ {kind}_extend {added}) {})", name(circuit, id))
}

/// A shift in the width of the wider operand, since the standard requires equal widths.
fn shift(circuit: &Circuit, operation: &str, x: CircuitNodeId, amount: CircuitNodeId) -> String {
    let [width, wide] = [x, amount].map(|id| circuit.width(id));
    if wide > width {
        let x = extend(circuit, x, wide, operation == "bvashr");
        let shifted = format!("({operation} {x} {})", name(circuit, amount));
        extract(&shifted, 0, width)
    } else {
        let amount = extend(circuit, amount, width, false);
        format!("({operation} {} {amount})", name(circuit, x))
    }
}
