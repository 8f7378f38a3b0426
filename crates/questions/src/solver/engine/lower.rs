//! Lowering: turns each node of the term graph into a vector of literals, and each formula into a
//! literal.

use super::circuits::{
    CircuitColumns, LitWord, choose, equal, less_than, maximum, multiply, shift_left, shift_right,
};
use super::gates::{GateGraph, Lit};
use mmasmt_numbers::bits::term::{
    Bitwise, Connective, Formula, Graph, Interval, Node, NodeId, Subterm, Visitor,
};
use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet};

/// The circuits of all nodes and formulas lowered so far.
#[derive(Default)]
pub struct GateLowering {
    /// The gates.
    pub gates: GateGraph,
    words: FxHashMap<NodeId, LitWord>,
    lits: FxHashMap<usize, Lit>,
    inputs: FxHashMap<u32, Vec<Lit>>,
    /// Nodes that are replaced by fresh inputs within their ranges.
    cut_points: FxHashSet<NodeId>,
    /// Range constraints of cut points that `take_ranges` has not returned yet.
    in_ranges: Vec<Lit>,
}

impl Visitor for GateLowering {
    fn is_done(&self, subterm: Subterm) -> bool {
        match subterm {
            Subterm::Node(id) => self.words.contains_key(&id),
            Subterm::Formula(f) => f.index() == 0 || self.lits.contains_key(&f.index()),
        }
    }

    fn operands(&self, graph: &Graph, subterm: Subterm, operands: &mut Vec<Subterm>) {
        match subterm {
            Subterm::Node(id) if self.cut_points.contains(&id) => {}
            Subterm::Node(id) => match graph.node(id) {
                // A sum negates its terms itself, so only the operands of a `NegIf` term are
                // lowered.
                Node::Sum { terms, .. } => {
                    for (term, _) in terms {
                        match graph.node(*term) {
                            Node::NegIf(..) => graph.operands(Subterm::Node(*term), operands),
                            _ => operands.push(Subterm::Node(*term)),
                        }
                    }
                }
                _ => graph.operands(subterm, operands),
            },
            Subterm::Formula(_) => graph.operands(subterm, operands),
        }
        // The last operand is lowered first. Gates get their numbers in this order, and the
        // solver's choices depend on the numbers.
        operands.sort_by_key(|operand| matches!(operand, Subterm::Formula(_)));
    }

    fn visit(&mut self, graph: &Graph, subterm: Subterm) {
        match subterm {
            Subterm::Node(id) => {
                let range = graph.range(id);
                let word = if self.cut_points.contains(&id) {
                    self.cut_point(range)
                } else {
                    self.lower_node(graph, id)
                };
                let word = word.cut(range.bits() as usize, !range.is_unsigned());
                self.words.insert(id, word);
            }
            Subterm::Formula(formula) => {
                let lit = self.lower_formula(graph, formula);
                self.lits.insert(formula.index(), lit);
            }
        }
    }
}

impl GateLowering {
    /// The literal of a formula.
    pub fn formula(&mut self, graph: &Graph, formula: Formula) -> Lit {
        graph.walk(&[Subterm::Formula(formula)], self);
        self.lit(formula)
    }

    /// Makes these nodes cut points, if they are not lowered yet.
    pub fn cut_at(&mut self, nodes: impl IntoIterator<Item = NodeId>) {
        self.cut_points.extend(nodes);
    }

    /// Takes the literals that constrain cut points to their ranges; each is returned once.
    pub fn take_ranges(&mut self) -> Vec<Lit> {
        std::mem::take(&mut self.in_ranges)
    }

    /// The literals of an input, lowest bit first; `None` if the input is not lowered yet.
    pub fn input(&self, index: u32) -> Option<&[Lit]> {
        self.inputs.get(&index).map(Vec::as_slice)
    }

    fn word(&self, id: NodeId) -> &LitWord {
        &self.words[&id]
    }

    fn lit(&self, formula: Formula) -> Lit {
        let lit = match formula.index() {
            0 => Lit::TRUE,
            index => self.lits[&index],
        };
        lit.not_if(formula.is_negated())
    }

    fn cut_point(&mut self, range: &Interval) -> LitWord {
        let width = range.bits() as usize;
        let bits = (0..width).map(|_| self.gates.input()).collect();
        let sign = if range.is_unsigned() {
            Lit::FALSE
        } else {
            self.gates.input()
        };
        let word = LitWord { bits, sign };
        let [lo, hi] = [&range.lo, &range.hi].map(|end| LitWord::constant(end, width));
        self.in_ranges
            .push(less_than(&mut self.gates, &word, &lo).not());
        self.in_ranges
            .push(less_than(&mut self.gates, &hi, &word).not());
        word
    }

    fn lower_node(&mut self, graph: &Graph, id: NodeId) -> LitWord {
        let range = graph.range(id);
        let is_signed = !range.is_unsigned();
        let width = range.bits() as usize;
        // The width with the sign bit.
        let full = width + usize::from(is_signed);
        let from_bits = |bits: Vec<Lit>| {
            let sign = if is_signed {
                bits.last().copied().unwrap_or(Lit::FALSE)
            } else {
                Lit::FALSE
            };
            LitWord { bits, sign }
        };
        match graph.node(id) {
            Node::Const(value) => LitWord::constant(value, width),
            Node::Input { index, width } => {
                let bits: Vec<_> = (0..*width).map(|_| self.gates.input()).collect();
                self.inputs.insert(*index, bits.clone());
                LitWord {
                    bits,
                    sign: Lit::FALSE,
                }
            }
            Node::Bool(formula) => LitWord {
                bits: vec![self.lit(*formula)],
                sign: Lit::FALSE,
            },
            Node::Sum { terms, constant } => {
                let mut columns = CircuitColumns::new(full);
                columns.add_constant(constant);
                for (term, weight) in terms {
                    match *graph.node(*term) {
                        Node::NegIf(formula, of) => {
                            let (negate, word) = (self.lit(formula), &self.words[&of]);
                            columns.add_negated_if(&mut self.gates, word, negate, weight);
                        }
                        _ => columns.add_word(self.word(*term), weight),
                    }
                }
                from_bits(columns.compress(&mut self.gates))
            }
            Node::NegIf(formula, of) => {
                let mut columns = CircuitColumns::new(full);
                let (negate, word) = (self.lit(*formula), &self.words[of]);
                columns.add_negated_if(&mut self.gates, word, negate, &BigInt::one());
                from_bits(columns.compress(&mut self.gates))
            }
            Node::Mul(a, b) => {
                let (a, b) = (&self.words[a], &self.words[b]);
                from_bits(multiply(&mut self.gates, a, b, full))
            }
            Node::Ite(formula, a, b) => {
                let cond = self.lit(*formula);
                choose(&mut self.gates, cond, &self.words[a], &self.words[b])
            }
            Node::Max(operands) => {
                let mut level: Vec<LitWord> =
                    operands.iter().map(|id| self.word(*id).clone()).collect();
                while level.len() > 1 {
                    level = level
                        .chunks(2)
                        .map(|pair| match pair {
                            [a, b] => maximum(&mut self.gates, a, b),
                            _ => pair[0].clone(),
                        })
                        .collect();
                }
                level.remove(0)
            }
            Node::Shl { of, amount, width } => {
                let (of, amount) = (&self.words[of], &self.words[amount]);
                from_bits(shift_left(&mut self.gates, of, amount, *width as usize))
            }
            Node::Shr { of, amount } => {
                shift_right(&mut self.gates, &self.words[of], &self.words[amount])
            }
            Node::ShrConst { of, amount } => {
                let of = self.word(*of);
                let bits = of.bits.iter().skip(*amount as usize).copied().collect();
                LitWord {
                    bits,
                    sign: of.sign,
                }
            }
            Node::Wrap { of, width, signed } => {
                let width = if *signed { width - 1 } else { *width };
                self.word(*of).cut(width as usize, *signed)
            }
            Node::Concat {
                high,
                low,
                low_width,
            } => {
                let (high, low) = (self.word(*high), self.word(*low));
                let mut bits: Vec<_> = (0..*low_width as usize).map(|i| low.bit(i)).collect();
                bits.extend_from_slice(&high.bits);
                LitWord {
                    bits,
                    sign: high.sign,
                }
            }
            Node::Bitwise(op, a, b) => {
                let (a, b) = (&self.words[a], &self.words[b]);
                let gates = &mut self.gates;
                let bits = (0..width).map(|i| match op {
                    Bitwise::And => gates.and(a.bit(i), b.bit(i)),
                    Bitwise::Or => gates.or(a.bit(i), b.bit(i)),
                    Bitwise::Xor => gates.xor(a.bit(i), b.bit(i)),
                });
                LitWord {
                    bits: bits.collect(),
                    sign: Lit::FALSE,
                }
            }
        }
    }

    /// The literal of the connective of `formula`, without the formula's negation.
    fn lower_formula(&mut self, graph: &Graph, formula: Formula) -> Lit {
        match graph.connective(formula) {
            Connective::True => Lit::TRUE,
            Connective::And(parts) => {
                let lits: Vec<_> = parts.iter().map(|part| self.lit(*part)).collect();
                self.gates.all(&lits)
            }
            Connective::Xor(a, b) => {
                let (a, b) = (self.lit(*a), self.lit(*b));
                self.gates.xor(a, b)
            }
            Connective::Ite(cond, a, b) => {
                let (cond, a, b) = (self.lit(*cond), self.lit(*a), self.lit(*b));
                self.gates.mux(cond, a, b)
            }
            Connective::Eq(a, b) => equal(&mut self.gates, &self.words[a], &self.words[b]),
            Connective::Lt(a, b) => less_than(&mut self.gates, &self.words[a], &self.words[b]),
            Connective::Bit(of, index) => self.word(*of).bit(*index as usize),
        }
    }
}
