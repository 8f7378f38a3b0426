//! Formulas of the term graph as a script: one definition for each node and connective.

use super::text::Text;
use super::words::{SmtlibSort, SmtlibWord, fold, literal};
use crate::solver::engine::cone::{Cone, ConeStep, FormulaRef, NodeIndex, freed_number};
use crate::solver::engine::solved::SolverAnswer;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::term::{Bitwise, Connective, Formula, Interval, Node, NodeId};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// One or several formulas as an SMT-LIB 2 script of the logic `QF_BV`; the script is satisfiable
/// iff the formulas are satisfiable together.
#[derive(Clone, Debug)]
pub struct SmtlibScript {
    slice: Cone,
    text: Text,
}

impl SmtlibScript {
    /// The script of `formula` of this thread's graph. `name` gives the name of each input: a
    /// simple symbol other than `n` or `p` followed by a number. Every line of `about` becomes a
    /// comment. Inputs that do not occur in the formula are not declared.
    pub fn new(formula: Formula, name: impl Fn(u32) -> String, about: &str) -> Self {
        SmtlibScript::of_all(&[formula], &[], name, about)
    }

    /// The script of several formulas together. Inputs `free0`, `free1`, … replace the nodes
    /// `free`, each constrained to the node's range.
    pub fn of_all(
        formulas: &[Formula],
        free: &[NodeId],
        name: impl Fn(u32) -> String,
        about: &str,
    ) -> Self {
        let slice = Cone::of_all(formulas, free);
        let declared = |(index, width)| Input {
            index,
            width,
            name: freed_number(index).map_or_else(|| name(index), |number| format!("free{number}")),
        };
        let inputs: Vec<_> = slice.inputs().into_iter().map(declared).collect();
        let definitions = Writer::new(&inputs).definitions(&slice);
        let roots: Vec<_> = slice.roots.iter().map(|root| truth(*root)).collect();
        let text = Text::new(inputs, &definitions, &roots, about);
        SmtlibScript { slice, text }
    }

    /// The text, which ends with `(check-sat)`.
    pub fn text(&self) -> &str {
        &self.text.text
    }

    /// Whether all formulas hold where input number `i` is `input(i)`.
    pub fn holds(&self, input: impl Fn(u32) -> u64) -> bool {
        self.slice.holds(input)
    }

    /// The values of the script's inputs in a solver's answer, as text for a person.
    pub fn values(&self, solved: &SolverAnswer) -> String {
        solved.shown(&self.text.inputs)
    }

    pub(in crate::solver::engine) fn whole(&self) -> &Text {
        &self.text
    }
}

struct Writer {
    out: String,
    words: FxHashMap<NodeIndex, SmtlibWord>,
    /// The names of the inputs, by number.
    names: FxHashMap<u32, String>,
}

impl Writer {
    fn new(inputs: &[Input]) -> Self {
        let name = |input: &Input| (input.index, input.name.clone());
        Writer {
            out: String::new(),
            words: FxHashMap::default(),
            names: inputs.iter().map(name).collect(),
        }
    }

    fn definitions(mut self, slice: &Cone) -> String {
        for step in &slice.steps {
            match step {
                ConeStep::Node(id, node, range) => self.node(*id, node, range),
                ConeStep::Connective(0, _) => {}
                ConeStep::Connective(index, connective) => {
                    let body = self.connective(connective);
                    self.line(format_args!("(define-fun p{index} () Bool {body})"));
                }
            }
        }
        self.out
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{line}");
    }

    fn define(&mut self, name: &str, width: u32, body: &str) {
        self.line(format_args!(
            "(define-fun {name} () (_ BitVec {width}) {body})"
        ));
    }

    fn node(&mut self, id: NodeIndex, node: &Node<NodeIndex, FormulaRef>, range: &Interval) {
        let sort = SmtlibSort::of(range);
        let text = match node {
            Node::Const(value) => literal(value, sort.width),
            Node::Input { index, .. } => self.names[index].clone(),
            _ => {
                let name = format!("n{id}");
                let body = self.body(&name, node, sort);
                self.define(&name, sort.width, &body);
                name
            }
        };
        self.words.insert(id, SmtlibWord { text, sort });
    }

    /// The expression of a node in `sort.width` bits. These bits hold every number of the node's
    /// range, so arithmetic may be done modulo `2^width`.
    fn body(&mut self, name: &str, node: &Node<NodeIndex, FormulaRef>, sort: SmtlibSort) -> String {
        let SmtlibSort { width, .. } = sort;
        let word = |id: &NodeIndex| &self.words[id];
        match node {
            Node::Const(value) => literal(value, width),
            Node::Input { index, .. } => self.names[index].clone(),
            Node::Bool(formula) => {
                format!("(ite {} #b1 #b0)", truth(*formula))
            }
            Node::Sum { terms, constant } => {
                let parts = terms
                    .iter()
                    .filter_map(|(id, factor)| word(id).scaled(factor, width));
                let constant = (!constant.is_zero()).then(|| literal(constant, width));
                fold("bvadd", parts.chain(constant))
                    .unwrap_or_else(|| literal(&BigInt::ZERO, width))
            }
            Node::Mul(a, b) => {
                format!("(bvmul {} {})", word(a).low(width), word(b).low(width))
            }
            Node::Ite(cond, a, b) => {
                let (a, b) = (word(a).low(width), word(b).low(width));
                format!("(ite {} {a} {b})", truth(*cond))
            }
            Node::NegIf(cond, of) => {
                let of = word(of).low(width);
                format!("(ite {} (bvneg {of}) {of})", truth(*cond))
            }
            Node::Max(operands) => self.maximum(name, operands, width),
            Node::Shl {
                of,
                amount,
                width: kept,
            } => {
                let (of, amount) = (word(of), word(amount));
                let common = amount.sort.width.max(*kept);
                let shifted = format!("(bvshl {} {})", of.low(common), amount.low(common));
                let shifted = SmtlibWord::new(shifted, common, false).low(*kept);
                SmtlibWord::new(shifted, *kept, false).low(width)
            }
            Node::Shr { of, amount } => {
                let (of, amount) = (word(of), word(amount));
                let common = of.sort.width.max(amount.sort.width);
                let shift = if of.sort.signed { "bvashr" } else { "bvlshr" };
                let shifted = format!("({shift} {} {})", of.low(common), amount.low(common));
                SmtlibWord::new(shifted, common, of.sort.signed).low(width)
            }
            Node::ShrConst { of, amount } => {
                let of = word(of);
                let top = of.sort.width - 1;
                // If all bits are shifted out, the sign remains.
                let from = if of.sort.signed {
                    (*amount).min(top)
                } else {
                    *amount
                };
                if from > top {
                    return literal(&BigInt::ZERO, width);
                }
                let kept = format!("((_ extract {top} {from}) {})", of.text);
                SmtlibWord::new(kept, top - from + 1, of.sort.signed).low(width)
            }
            Node::Wrap {
                of,
                width: kept,
                signed,
            } => SmtlibWord::new(word(of).low(*kept), *kept, *signed).low(width),
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let (high, low) = (word(high), word(low));
                let both = format!("(concat {} {})", high.text, low.low(*low_width));
                SmtlibWord::new(both, high.sort.width + low_width, high.sort.signed).low(width)
            }
            Node::Bitwise(op, a, b) => {
                let op = match op {
                    Bitwise::And => "bvand",
                    Bitwise::Or => "bvor",
                    Bitwise::Xor => "bvxor",
                };
                format!("({op} {} {})", word(a).low(width), word(b).low(width))
            }
        }
    }

    /// The maximum of the operands, by a chain of pairwise maxima. Each pairwise maximum gets a
    /// name, since the next one uses it twice.
    fn maximum(&mut self, name: &str, operands: &[NodeIndex], width: u32) -> String {
        let words: Vec<SmtlibWord> = operands.iter().map(|id| self.words[id].clone()).collect();
        let sorts = words.iter().map(|word| word.sort);
        let Some(sort) = sorts.reduce(SmtlibSort::union) else {
            return literal(&BigInt::ZERO, width);
        };
        let less = less_than(sort);
        let mut greatest = words[0].low(sort.width);
        for (index, word) in words.iter().enumerate().skip(1) {
            let next = word.low(sort.width);
            let larger = format!("(ite ({less} {greatest} {next}) {next} {greatest})");
            greatest = format!("{name}.{index}");
            self.define(&greatest, sort.width, &larger);
        }
        SmtlibWord {
            text: greatest,
            sort,
        }
        .low(width)
    }

    fn connective(&self, connective: &Connective<NodeIndex, FormulaRef>) -> String {
        match connective {
            Connective::True => "true".into(),
            Connective::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| truth(*part)).collect();
                format!("(and {})", parts.join(" "))
            }
            Connective::Xor(a, b) => format!("(xor {} {})", truth(*a), truth(*b)),
            Connective::Ite(cond, a, b) => {
                format!("(ite {} {} {})", truth(*cond), truth(*a), truth(*b))
            }
            Connective::Eq(a, b) => self.compare(|_| "=", *a, *b),
            Connective::Lt(a, b) => self.compare(less_than, *a, *b),
            Connective::Bit(of, index) => {
                let SmtlibWord { text, sort } = &self.words[of];
                let top = sort.width - 1;
                if *index > top && !sort.signed {
                    return "false".into();
                }
                let index = (*index).min(top);
                format!("(= ((_ extract {index} {index}) {text}) #b1)")
            }
        }
    }

    fn compare(
        &self,
        relation: impl Fn(SmtlibSort) -> &'static str,
        a: NodeIndex,
        b: NodeIndex,
    ) -> String {
        let (a, b) = (&self.words[&a], &self.words[&b]);
        let sort = a.sort.union(b.sort);
        let relation = relation(sort);
        format!("({relation} {} {})", a.low(sort.width), b.low(sort.width))
    }
}

fn less_than(sort: SmtlibSort) -> &'static str {
    if sort.signed { "bvslt" } else { "bvult" }
}

/// The name of a formula's connective (`true` for index 0), negated if the formula is negated.
fn truth(formula: FormulaRef) -> String {
    let name = match formula.index {
        0 => "true".to_owned(),
        index => format!("p{index}"),
    };
    if formula.is_negated {
        format!("(not {name})")
    } else {
        name
    }
}
