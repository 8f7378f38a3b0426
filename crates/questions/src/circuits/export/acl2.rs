//! Writes ACL2: a function over integers, with the guard that its arguments are registers. It uses
//! only functions that ACL2 has from the start: `logand`, `logior`, `logxor`, `ash`, `+`, `-`, `*`,
//! `=`, `<`.

use mmasmt_numbers::bits::circuit::{Binary, Circuit, CircuitNodeId, CircuitOperation};
use num_bigint::BigUint;
use std::fmt::Write;

/// Names of functions and macros of ACL2 that someone may choose for a model. ACL2 itself rejects a
/// definition of any other one.
const TAKEN: &str = "abs access accumulate append apply array bdd butlast ceiling check class comp complement \
    complex cond cons count debug disjoin exp expt fifth first fix floor fmt force format fourth \
    gcd get guard hide hons identity implies last lcm len length let list log map match max \
    member merge min mod monitor msg nil nth null number pairlis pi pop position print progn \
    push quit quote random read reduce rem remove replace rest reverse rewrite round search \
    second set seventh signum sin sixth sleep some sort space sqrt standard state step subst \
    symbol take tan tenth the theory third time trace translate truncate type union unless value \
    values variable vector verify warning when write";

/// Whether a function of this name can be defined.
pub(super) fn is_free(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    TAKEN.split_whitespace().all(|word| word != lower)
}

/// The ACL2 function of a circuit of one output: a book of one definition.
pub(super) fn function(name: &str, about: &str, circuit: &Circuit) -> String {
    let mut text = String::new();
    for line in about.lines() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "; {line}");
    }
    text += "(in-package \"ACL2\")\n\n";
    let names: Vec<&str> = circuit.inputs().iter().map(|port| &port.name[..]).collect();
    let formals = lines(&names, "            ");
    let guards = circuit.inputs().iter();
    let guards = guards.map(|port| format!("(unsigned-byte-p {} {})", port.width, port.name));
    let guards = guards
        .collect::<Vec<_>>()
        .join("\n                              ");
    let result = circuit.outputs()[0].1;
    let _ = write!(
        text,
        "(defun {name} ({formals})\n  \
         (declare (xargs :guard (and {guards}))\n           \
         (ignorable {formals}))\n  (let* ("
    );
    let mut indent = "";
    let needed = needed(circuit, result);
    for (id, node) in circuit.nodes() {
        if let Some(body) = body(circuit, &node.operation, node.sort.width())
            && needed[id.index()]
        {
            let _ = write!(text, "{indent}({} {body})", label(circuit, id));
            indent = "\n         ";
        }
    }
    let _ = writeln!(text, ")\n    {}))", operand(circuit, result));
    text
}

/// Words in lines of eight.
fn lines(words: &[&str], indent: &str) -> String {
    let lines: Vec<String> = words.chunks(8).map(|line| line.join(" ")).collect();
    lines.join(&format!("\n{indent}"))
}

/// The nodes that a node depends on, and itself: ACL2 rejects variables that are not used.
fn needed(circuit: &Circuit, result: CircuitNodeId) -> Vec<bool> {
    let mut needed = vec![false; circuit.count()];
    needed[result.index()] = true;
    for (id, node) in circuit.nodes().rev() {
        if needed[id.index()] {
            node.operation
                .operands()
                .for_each(|operand| needed[operand.index()] = true);
        }
    }
    needed
}

fn label(circuit: &Circuit, id: CircuitNodeId) -> String {
    match circuit.node(id).operation {
        CircuitOperation::Input(index) => circuit.inputs()[index as usize].name.clone(),
        _ => format!("n{}", id.index()),
    }
}

/// The text of a node as an operand: a number for a constant, else the name of the node. A number
/// stays as it is if its register gets more bits.
fn operand(circuit: &Circuit, id: CircuitNodeId) -> String {
    match &circuit.node(id).operation {
        CircuitOperation::Const(value) => literal(value),
        CircuitOperation::Extend(x, false) => operand(circuit, *x),
        _ => label(circuit, id),
    }
}

fn literal(value: &BigUint) -> String {
    format!("#x{value:x}")
}

fn power(exponent: u32) -> BigUint {
    BigUint::from(1u32) << exponent
}

/// The low bits of an expression.
fn low(expression: &str, width: u32) -> String {
    format!("(logand {expression} {})", literal(&(power(width) - 1u32)))
}

/// The expression of a node, a number from 0 to 2^width - 1; `None` for inputs, which have names,
/// and for what is written where it is used.
fn body(circuit: &Circuit, operation: &CircuitOperation, width: u32) -> Option<String> {
    let name = |id: &CircuitNodeId| operand(circuit, *id);
    Some(match operation {
        CircuitOperation::Input(_)
        | CircuitOperation::Const(_)
        | CircuitOperation::Extend(_, false) => return None,
        CircuitOperation::Not(x) => {
            format!("(logxor {} {})", name(x), literal(&(power(width) - 1u32)))
        }
        CircuitOperation::Mux(c, x, y) => format!("(if (= {} 1) {} {})", name(c), name(x), name(y)),
        CircuitOperation::Extract(x, from) => {
            let shifted = match from {
                0 => name(x),
                from => format!("(ash {} -{from})", name(x)),
            };
            if from + width == circuit.width(*x) {
                shifted
            } else {
                low(&shifted, width)
            }
        }
        CircuitOperation::Extend(x, true) => {
            let of = circuit.width(*x);
            let (x, ones) = (name(x), literal(&(power(width) - power(of))));
            format!("(+ {x} (* {ones} (ash {x} -{})))", of - 1)
        }
        CircuitOperation::Binary(binary, x, y) => {
            let [of, amount] = [x, y].map(|id| circuit.width(*id));
            let (x, y) = (name(x), name(y));
            match binary {
                Binary::Add => low(&format!("(+ {x} {y})"), width),
                Binary::Sub => low(&format!("(- {x} {y})"), width),
                Binary::Mul => low(&format!("(* {x} {y})"), width),
                Binary::And => format!("(logand {x} {y})"),
                Binary::Or => format!("(logior {x} {y})"),
                Binary::Xor => format!("(logxor {x} {y})"),
                // A number is never shifted by more than its width, as that could take all memory.
                Binary::Shl => {
                    let shifted = low(&format!("(ash {x} {y})"), width);
                    format!("(if (< {y} {width}) {shifted} 0)")
                }
                Binary::Lshr => format!("(if (< {y} {width}) (ash {x} (- {y})) 0)"),
                Binary::Ashr => {
                    let signed = format!("(- {x} (ash (ash {x} -{}) {width}))", width - 1);
                    let by = format!("(if (< {y} {width}) (- {y}) -{width})");
                    low(&format!("(ash {signed} {by})"), width)
                }
                Binary::Concat => format!("(+ (ash {x} {amount}) {y})"),
                Binary::Equals => format!("(if (= {x} {y}) 1 0)"),
                Binary::Less => format!("(if (< {x} {y}) 1 0)"),
                Binary::SignedLess => {
                    let sign = literal(&power(of - 1));
                    format!("(if (< (logxor {x} {sign}) (logxor {y} {sign})) 1 0)")
                }
            }
        }
    })
}
