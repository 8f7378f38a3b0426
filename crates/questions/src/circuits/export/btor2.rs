//! Writes BTOR2: a line for every operation. An output has a name; a condition to be refuted is a
//! `bad` line.

use mmasmt_numbers::bits::circuit::{Binary, Circuit, CircuitNodeId, CircuitOperation};
use rustc_hash::FxHashMap;
use std::fmt::{Arguments, Write};

/// The BTOR2 lines of a circuit. Its outputs are `bad` lines if `is_bad`, else `output` lines.
pub(super) fn btor2(about: &str, circuit: &Circuit, is_bad: bool) -> String {
    let mut writer = Writer::default();
    for line in about.lines() {
        // Writing to a string does not fail.
        let _ = writeln!(writer.text, "; {line}");
    }
    // Write all inputs in order, even unused ones.
    let ports = circuit.inputs().iter();
    let ports: Vec<u32> = ports
        .map(|port| {
            let sort = writer.sort(port.width);
            writer.line(format_args!("input {sort} {}", port.name))
        })
        .collect();
    let mut lines: Vec<u32> = Vec::new();
    for (id, node) in circuit.nodes() {
        let line = match node.operation {
            CircuitOperation::Input(index) => ports[index as usize],
            _ => writer.node(circuit, id, &lines),
        };
        lines.push(line);
    }
    let kind = if is_bad { "bad" } else { "output" };
    for (name, id) in circuit.outputs() {
        let line = lines[id.index()];
        writer.line(format_args!("{kind} {line} {name}"));
    }
    writer.text
}

#[derive(Default)]
struct Writer {
    text: String,
    last: u32,
    sorts: FxHashMap<u32, u32>,
}

impl Writer {
    fn line(&mut self, body: Arguments<'_>) -> u32 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {body}", self.last);
        self.last
    }

    fn sort(&mut self, width: u32) -> u32 {
        if let Some(sort) = self.sorts.get(&width) {
            return *sort;
        }
        let sort = self.line(format_args!("sort bitvec {width}"));
        self.sorts.insert(width, sort);
        sort
    }

    fn extended(&mut self, line: u32, from: u32, to: u32, signed: bool) -> u32 {
        let sort = self.sort(to);
        let kind = if signed { "sext" } else { "uext" };
        self.line(format_args!("{kind} {sort} {line} {}", to - from))
    }

    fn node(&mut self, circuit: &Circuit, id: CircuitNodeId, lines: &[u32]) -> u32 {
        let node = circuit.node(id);
        let width = node.sort.width();
        let of = |id: &CircuitNodeId| lines[id.index()];
        let sort = self.sort(width);
        match &node.operation {
            // Inputs are written first.
            CircuitOperation::Input(_) => 0,
            CircuitOperation::Const(value) => self.line(format_args!("constd {sort} {value}")),
            CircuitOperation::Not(x) => self.line(format_args!("not {sort} {}", of(x))),
            CircuitOperation::Mux(c, x, y) => {
                self.line(format_args!("ite {sort} {} {} {}", of(c), of(x), of(y)))
            }
            CircuitOperation::Extract(x, low) => {
                let high = low + width - 1;
                self.line(format_args!("slice {sort} {} {high} {low}", of(x)))
            }
            CircuitOperation::Extend(x, signed) => {
                self.extended(of(x), circuit.width(*x), width, *signed)
            }
            CircuitOperation::Binary(binary, x, y) => {
                let name = match binary {
                    Binary::Add => "add",
                    Binary::Sub => "sub",
                    Binary::Mul => "mul",
                    Binary::And => "and",
                    Binary::Or => "or",
                    Binary::Xor => "xor",
                    Binary::Concat => "concat",
                    Binary::Equals => "eq",
                    Binary::Less => "ult",
                    Binary::SignedLess => "slt",
                    Binary::Shl => return self.shift(circuit, "sll", [*x, *y], lines),
                    Binary::Lshr => return self.shift(circuit, "srl", [*x, *y], lines),
                    Binary::Ashr => return self.shift(circuit, "sra", [*x, *y], lines),
                };
                self.line(format_args!("{name} {sort} {} {}", of(x), of(y)))
            }
        }
    }

    /// A shift in the width of the wider operand: BTOR2 needs equal widths.
    fn shift(
        &mut self,
        circuit: &Circuit,
        name: &str,
        of: [CircuitNodeId; 2],
        lines: &[u32],
    ) -> u32 {
        let [width, wide] = of.map(|id| circuit.width(id));
        let [x, amount] = of.map(|id| lines[id.index()]);
        if wide > width {
            let x = self.extended(x, width, wide, name == "sra");
            let (inner, outer) = (self.sort(wide), self.sort(width));
            let shifted = self.line(format_args!("{name} {inner} {x} {amount}"));
            return self.line(format_args!("slice {outer} {shifted} {} 0", width - 1));
        }
        let amount = if wide < width {
            self.extended(amount, wide, width, false)
        } else {
            amount
        };
        let sort = self.sort(width);
        self.line(format_args!("{name} {sort} {x} {amount}"))
    }
}
