//! Questions as SMT-LIB scripts and as clauses for other programs. Their formula is simplified, or
//! is the formula that the model gives.

use super::question::Question;
use crate::claims::property::{SymbolicInputs, input_numbers};
use crate::solver::engine::{Encoder, GateLiteral, Goal, SmtlibScript, plain_script};
use crate::solver::proof::{ClauseSink, Cnf, Variables, encode};
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_numbers::bits::blast::{Netlist, SignalBits, Wire};
use mmasmt_numbers::bits::term::scope;
use rustc_hash::FxHashMap;

/// The simplification of the formula before it becomes clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simplification {
    /// If terms and gates settle the question, the formula is not simplified. Otherwise, terms and
    /// gates simplify it, as for the embedded engine.
    UnlessSettled,
    /// Not simplified: every operation becomes the gates that a textbook gives for it.
    Nothing,
}

impl Question {
    /// The question as an SMT-LIB script that is satisfiable iff there are inputs that answer the
    /// question. With `plain`, the formula is not simplified.
    pub fn script(&self, plain: bool) -> String {
        let about = format!(
            "mmasmt {}: {}\n\
             inputs are registers in native bits; one that is not declared does not matter",
            env!("CARGO_PKG_VERSION"),
            self.about(),
        );
        if plain {
            return plain_script(self, &about);
        }
        scope(|| {
            let inputs = SymbolicInputs::new(self.signature());
            let whole = self.formula(&inputs.by_number());
            let script = SmtlibScript::new(whole, |index| inputs.name(index), &about);
            script.text().to_owned()
        })
    }

    /// The formula as clauses, which are satisfiable iff the formula is, with a comment for every
    /// bit of the inputs.
    pub fn cnf(&self, simplify: Simplification) -> Cnf {
        let simplified = match simplify {
            Simplification::UnlessSettled => self.simplified_cnf(),
            Simplification::Nothing => None,
        };
        simplified.unwrap_or_else(|| self.blasted())
    }

    /// The simplified formula as clauses; `None` if terms and gates settle the question.
    pub fn simplified_cnf(&self) -> Option<Cnf> {
        scope(|| self.simplified())
    }

    fn simplified(&self) -> Option<Cnf> {
        let inputs = SymbolicInputs::new(self.signature());
        let (mut encoder, mut cnf) = (Encoder::new(0), Cnf::default());
        let formula = self.is_met(&inputs.registers);
        let GateLiteral::Variable(root) = encoder.literal(formula, &mut cnf) else {
            return None;
        };
        cnf.add_clause(&[root]);
        self.describe(
            &mut cnf,
            "simplified as for the embedded engine",
            |number, bit| encoder.input(number).get(bit).copied().unwrap_or(0),
        );
        Some(cnf)
    }

    fn blasted(&self) -> Cnf {
        let signature = self.signature();
        let (netlist, (registers, root)) = Netlist::of(|| {
            let inputs = blasted_inputs(&signature);
            (wires(&inputs, &signature), self.is_met(&inputs).wire())
        });
        let mut cnf = Cnf::default();
        let variables: Variables = encode(&netlist, root, &mut cnf);
        let numbers = input_numbers(&signature);
        let numbers = numbers.each(&signature).map(|(_, number)| *number);
        let registers: FxHashMap<u32, Vec<Wire>> = numbers.zip(registers).collect();
        self.describe(
            &mut cnf,
            "nothing simplified but constants",
            |number, bit| {
                let wire = registers.get(&number).and_then(|wires| wires.get(bit));
                wire.map_or(0, |wire| variables.literal(*wire))
            },
        );
        cnf
    }

    /// Adds comments to `cnf` that say what is asked, and which variable each bit of the inputs is.
    pub fn describe(&self, cnf: &mut Cnf, how: &str, literal: impl Fn(u32, usize) -> i32) {
        let signature = self.signature();
        cnf.comment(format!("mmasmt {}: {how}", env!("CARGO_PKG_VERSION")));
        self.about().lines().for_each(|line| cnf.comment(line));
        let numbers = input_numbers(&signature);
        let labels = labels(&signature);
        // Bits that the assumptions fix are constants in these wires; the other bits are not.
        let fixed = || {
            wires(
                &self.domain().fixed(&blasted_inputs(&signature)),
                &signature,
            )
        };
        let (_, fixed) = Netlist::of(fixed);
        let inputs = numbers.each(&signature).zip(labels).zip(fixed);
        for (((_, number), label), register) in inputs {
            for (bit, wire) in register.iter().enumerate() {
                let variable = literal(*number, bit);
                let what = match (wire.as_constant(), variable) {
                    (Some(value), _) => format!("is {}, as is assumed", u8::from(value)),
                    (None, 0) => "does not matter".into(),
                    (None, _) => format!("is variable {variable}"),
                };
                cnf.comment(format!("{label} bit {bit} {what}"));
            }
        }
    }
}

pub fn blasted_inputs(signature: &Signature) -> Registers<SignalBits> {
    input_numbers(signature).map(signature, |format, &number| {
        SignalBits::input(number, format.width())
    })
}

/// The wire of every bit of the registers, in the order of [`Registers::each`].
pub fn wires(registers: &Registers<SignalBits>, signature: &Signature) -> Vec<Vec<Wire>> {
    let registers = registers.each(signature).map(|(_, register)| register);
    registers.map(SignalBits::wires).collect()
}

/// The operands' names, `a[0]`, …, `b[0]`, …, `c`, `sa[0]`, …, `sb[0]`, …, in the order of
/// [`Registers::each`].
fn labels(signature: &Signature) -> Vec<String> {
    let row = |name: &'static str, count: u32| (0..count).map(move |k| format!("{name}[{k}]"));
    let (products, scales) = (signature.products, signature.scale_count());
    let factors = row("a", products).chain(row("b", products));
    let scales = row("sa", scales).chain(row("sb", scales));
    factors.chain(["c".to_owned()]).chain(scales).collect()
}
