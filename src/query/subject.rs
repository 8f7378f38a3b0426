//! Subjects: what is asked, as a formula over any bit-vectors, and its clauses.

use super::goal::{Difference, assumed};
use crate::algorithms::{Registers, Signature};
use crate::bits::Bv;
use crate::bits::blast::{Blasted, Netlist, Wire};
use crate::bits::term::scope;
use crate::engine::{Encoder, Literal, Script};
use crate::model::Model;
use crate::proof::{ClauseSink, Cnf, Variables, encode};
use crate::property::{Claim, Domain, SymbolicInputs, input_numbers};
use rustc_hash::FxHashMap;

/// What is asked: whether there are inputs for which a formula holds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Subject<'x> {
    /// Inputs that refute a claim.
    Violation(&'x Claim),
    /// Inputs on which two models of one signature give different results.
    Difference {
        /// The models.
        models: [&'x Model; 2],
        /// Whether operands may be infinities and NaNs.
        specials: bool,
        /// What else is assumed of them.
        domain: Option<&'x Domain>,
    },
}

/// What simplifies the formula before it becomes clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Simplify {
    /// Terms and gates, as for the embedded engine; nothing, if they settle the question.
    UnlessSettled,
    /// Nothing: every operation is the gates that a textbook gives for it.
    Nothing,
}

impl Subject<'_> {
    /// Formats and number of the inputs.
    pub fn signature(&self) -> Signature {
        match self {
            Subject::Violation(claim) => claim.model.signature(),
            Subject::Difference { models, .. } => models[0].signature(),
        }
    }

    /// What is assumed of the operands, but for infinities and NaNs.
    pub(super) fn domain(&self) -> Option<&Domain> {
        match self {
            Subject::Violation(claim) => Some(&claim.domain),
            Subject::Difference { domain, .. } => *domain,
        }
    }

    /// Whether operands may be infinities and NaNs, if the domain lets them.
    pub(super) fn specials(&self) -> bool {
        match self {
            Subject::Violation(_) => true,
            Subject::Difference { specials, .. } => *specials,
        }
    }

    /// Unsatisfiable iff the claim holds, or the models agree.
    pub fn formula<B: Bv>(&self, inputs: &Registers<B>) -> B::Bool {
        match self {
            Subject::Violation(claim) => claim.is_violated(inputs),
            Subject::Difference {
                models,
                specials,
                domain,
            } => {
                let goal = Difference {
                    models: *models,
                    domain: *domain,
                    specials: *specials,
                    known: &[],
                };
                goal.holds_on(inputs)
            }
        }
    }

    /// What is asked, in lines; it tells models by their algorithms, so that it is the same
    /// question wherever it is the same text.
    pub fn about(&self) -> String {
        match self {
            Subject::Violation(claim) => format!(
                "satisfiable iff this claim is refuted\n{} of {}\nassumed: {}",
                claim.property_text(),
                claim.model.canonical(),
                claim.domain,
            ),
            Subject::Difference {
                models,
                specials,
                domain,
            } => format!(
                "satisfiable iff these models give different results on {}\n{}\n{}",
                assumed(*specials, *domain),
                models[0].canonical(),
                models[1].canonical(),
            ),
        }
    }

    /// The simplified formula as an SMT-LIB script.
    pub(super) fn script(&self) -> Script {
        scope(|| {
            let inputs = SymbolicInputs::new(self.signature());
            let formula = self.formula(&inputs.registers);
            Script::new(formula, |index| inputs.name(index), &self.about())
        })
    }

    /// The formula as clauses, satisfiable iff it is, with a comment for every bit of the inputs.
    pub fn cnf(&self, simplify: Simplify) -> Cnf {
        let simplified = match simplify {
            Simplify::UnlessSettled => self.simplified_cnf(),
            Simplify::Nothing => None,
        };
        simplified.unwrap_or_else(|| self.blasted())
    }

    /// The simplified formula as clauses; none if terms and gates settle the question.
    pub(crate) fn simplified_cnf(&self) -> Option<Cnf> {
        scope(|| self.simplified())
    }

    fn simplified(&self) -> Option<Cnf> {
        let inputs = SymbolicInputs::new(self.signature());
        let (mut encoder, mut cnf) = (Encoder::new(0), Cnf::default());
        let formula = self.formula(&inputs.registers);
        let Literal::Variable(root) = encoder.literal(formula, &mut cnf) else {
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
            (wires(&inputs, &signature), self.formula(&inputs).wire())
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

    /// Comments that say what is asked, and which variable is which bit of the inputs.
    pub(super) fn describe(&self, cnf: &mut Cnf, how: &str, literal: impl Fn(u32, usize) -> i32) {
        let signature = self.signature();
        cnf.comment(format!("mmasmt {}: {how}", env!("CARGO_PKG_VERSION")));
        self.about().lines().for_each(|line| cnf.comment(line));
        let numbers = input_numbers(&signature);
        let labels = labels(&signature);
        // What the assumptions fix is constant among free bits.
        let fixed = || wires(&self.fixed(&blasted_inputs(&signature)), &signature);
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

    fn fixed<B: Bv>(&self, inputs: &Registers<B>) -> Registers<B> {
        match self.domain() {
            Some(domain) => domain.fixed(inputs),
            None => inputs.clone(),
        }
    }
}

pub(super) fn blasted_inputs(signature: &Signature) -> Registers<Blasted> {
    input_numbers(signature).map(signature, |format, &number| {
        Blasted::input(number, format.width())
    })
}

/// What every bit of the registers is, in the order of [`Registers::each`].
pub(super) fn wires(registers: &Registers<Blasted>, signature: &Signature) -> Vec<Vec<Wire>> {
    let registers = registers.each(signature).map(|(_, register)| register);
    registers.map(Blasted::wires).collect()
}

/// `a[0]`, …, `b[0]`, …, `c`, `sa[0]`, …, `sb[0]`, …: in the order of [`Registers::each`].
fn labels(signature: &Signature) -> Vec<String> {
    let row = |name: &'static str, count: u32| (0..count).map(move |k| format!("{name}[{k}]"));
    let (products, scales) = (signature.products, signature.scale_count());
    let factors = row("a", products).chain(row("b", products));
    let scales = row("sa", scales).chain(row("sb", scales));
    factors.chain(["c".to_owned()]).chain(scales).collect()
}
