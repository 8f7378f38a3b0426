//! Writes Verilog: a combinational module, or a module whose registers delay the result by some
//! cycles. It uses only features of IEEE 1364-2005.

use mmasmt_numbers::bits::circuit::{
    Binary, Circuit, CircuitNodeId, CircuitOperation, CircuitSort, Port,
};
use num_bigint::BigUint;
use std::fmt::Write;

/// The Verilog module of a circuit.
///
/// With a `latency` above 0, the module has a clock and `latency` registers behind each output,
/// which a synthesis tool may move.
pub(super) fn module(name: &str, about: &str, circuit: &Circuit, latency: u32) -> String {
    let mut text = String::new();
    for line in about.lines() {
        let _ = writeln!(text, "// {line}");
    }
    let outputs: Vec<Port> = (0..circuit.outputs().len())
        .map(|index| circuit.output_port(index))
        .collect();
    let clock = (latency > 0).then(|| "    input wire clk".to_owned());
    let inputs = circuit.inputs().iter();
    let inputs = inputs.map(|port| format!("    input wire {} {}", bits(port.width), port.name));
    let kind = if latency > 0 { "reg" } else { "wire" };
    let ports = outputs.iter();
    let ports = ports.map(|port| format!("    output {kind} {} {}", bits(port.width), port.name));
    let all: Vec<String> = clock.into_iter().chain(inputs).chain(ports).collect();
    // Suppress two warnings of `verilator -Wall`: about bits that are not read, and about a file
    // that is not named after its module.
    text += "/* verilator lint_off UNUSEDSIGNAL */\n/* verilator lint_off DECLFILENAME */\n";
    let _ = writeln!(text, "module {name} (\n{}\n);", all.join(",\n"));
    for (id, node) in circuit.nodes() {
        if let Some(body) = body(circuit, &node.operation, node.sort) {
            let range = bits(node.sort.width());
            let _ = writeln!(text, "    wire {range} {} = {body};", label(circuit, id));
        }
    }
    for (port, (_, id)) in outputs.iter().zip(circuit.outputs()) {
        let value = operand(circuit, *id);
        text += &match latency {
            0 => format!("    assign {} = {value};\n", port.name),
            _ => delayed(port, &value, latency),
        };
    }
    text += "endmodule\n";
    text
}

/// The text for an output that `latency` registers delay.
fn delayed(port: &Port, value: &str, latency: u32) -> String {
    let (name, range) = (&port.name, bits(port.width));
    let stages: Vec<String> = (1..latency)
        .map(|stage| format!("{name}_{stage}"))
        .collect();
    let mut text = String::new();
    for stage in &stages {
        let _ = writeln!(text, "    reg {range} {stage};");
    }
    text += "    always @(posedge clk) begin\n";
    let mut before = value.to_owned();
    for stage in stages.iter().chain([name]) {
        let _ = writeln!(text, "        {stage} <= {before};");
        before.clone_from(stage);
    }
    text + "    end\n"
}

/// The range of a signal. Every signal is a vector, since bits of a scalar cannot be selected.
fn bits(width: u32) -> String {
    format!("[{}:0]", width - 1)
}

fn label(circuit: &Circuit, id: CircuitNodeId) -> String {
    match circuit.node(id).operation {
        CircuitOperation::Input(index) => circuit.inputs()[index as usize].name.clone(),
        _ => format!("n{}", id.index()),
    }
}

/// The text of a node as an operand: a literal for a constant, else the name of the node.
fn operand(circuit: &Circuit, id: CircuitNodeId) -> String {
    match circuit.constant(id) {
        Some(value) => literal(circuit.width(id), value),
        None => label(circuit, id),
    }
}

fn literal(width: u32, value: &BigUint) -> String {
    format!("{width}'h{value:x}")
}

/// The expression of a node; `None` for inputs, which have names, and for constants, which are
/// written where they are used.
fn body(circuit: &Circuit, operation: &CircuitOperation, sort: CircuitSort) -> Option<String> {
    let width = sort.width();
    let name = |id: &CircuitNodeId| operand(circuit, *id);
    Some(match operation {
        CircuitOperation::Input(_) | CircuitOperation::Const(_) => return None,
        CircuitOperation::Not(x) => format!("~{}", name(x)),
        CircuitOperation::Mux(c, x, y) => format!("{} ? {} : {}", name(c), name(x), name(y)),
        CircuitOperation::Extract(x, low) if width == circuit.width(*x) => {
            debug_assert_eq!(*low, 0);
            name(x)
        }
        // Bits of a literal cannot be selected.
        CircuitOperation::Extract(x, low) => match circuit.constant(*x) {
            Some(value) => {
                let mask = (BigUint::from(1u32) << width) - 1u32;
                literal(width, &((value >> *low) & mask))
            }
            None => format!("{}[{}:{low}]", name(x), low + width - 1),
        },
        CircuitOperation::Extend(x, signed) => {
            let (of, added) = (circuit.width(*x), width - circuit.width(*x));
            match (added, signed, circuit.constant(*x)) {
                (0, ..) => name(x),
                (_, false, _) => format!("{{{}, {}}}", literal(added, &BigUint::ZERO), name(x)),
                (_, true, None) => {
                    let operand = name(x);
                    format!("{{{{{added}{{{operand}[{}]}}}}, {operand}}}", of - 1)
                }
                (_, true, Some(value)) => {
                    let fill = if value.bit(u64::from(of) - 1) {
                        "1"
                    } else {
                        "0"
                    };
                    format!("{{{{{added}{{1'b{fill}}}}}, {}}}", name(x))
                }
            }
        }
        CircuitOperation::Binary(binary, x, y) => {
            let (x, y) = (name(x), name(y));
            match binary {
                Binary::Add => format!("{x} + {y}"),
                Binary::Sub => format!("{x} - {y}"),
                Binary::Mul => format!("{x} * {y}"),
                Binary::And => format!("{x} & {y}"),
                Binary::Or => format!("{x} | {y}"),
                Binary::Xor => format!("{x} ^ {y}"),
                Binary::Shl => format!("{x} << {y}"),
                Binary::Lshr => format!("{x} >> {y}"),
                Binary::Ashr => format!("$signed({x}) >>> {y}"),
                Binary::Concat => format!("{{{x}, {y}}}"),
                Binary::Equals => format!("{x} == {y}"),
                Binary::Less => format!("{x} < {y}"),
                Binary::SignedLess => format!("$signed({x}) < $signed({y})"),
            }
        }
    })
}
