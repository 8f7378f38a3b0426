//! What a formula needs of the graph, operands first: a copy that may leave this thread.

use crate::bits::term::{Connective, Formula, Graph, Node, NodeId, Range, with_graph};
use rustc_hash::FxHashSet;

/// The nodes and connectives that a formula depends on, each once, after its operands.
#[derive(Clone, Debug)]
pub struct Slice {
    pub(super) steps: Vec<Step>,
    pub(super) root: Formula,
}

/// A node or a connective, as the graph has it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Node(NodeId, Node, Range),
    Connective(usize, Connective),
}

/// What a node or a connective is made of.
#[derive(Clone, Copy)]
enum Part {
    Node(NodeId),
    Formula(Formula),
}

impl Slice {
    /// What `formula` of this thread's graph needs.
    pub fn of(formula: Formula) -> Self {
        with_graph(|graph| Slice {
            steps: collect(graph, formula),
            root: formula,
        })
    }

    /// The inputs that occur, as number and width, by number.
    pub fn inputs(&self) -> Vec<(u32, u32)> {
        let input = |step: &Step| match step {
            Step::Node(_, Node::Input { index, width }, _) => Some((*index, *width)),
            _ => None,
        };
        let mut inputs: Vec<_> = self.steps.iter().filter_map(input).collect();
        inputs.sort_unstable();
        inputs
    }
}

/// A stack instead of recursion, as graphs are deep.
fn collect(graph: &Graph, root: Formula) -> Vec<Step> {
    let (mut nodes, mut formulas) = (FxHashSet::default(), FxHashSet::default());
    let mut steps = Vec::new();
    let mut stack = vec![Part::Formula(root)];
    let mut missing = Vec::new();
    while let Some(&part) = stack.last() {
        missing.clear();
        let is_missing = |part: &Part| match part {
            Part::Node(id) => !nodes.contains(id),
            Part::Formula(formula) => !formulas.contains(&formula.index()),
        };
        if is_missing(&part) {
            operands(graph, part, &mut missing);
            missing.retain(is_missing);
        }
        if !missing.is_empty() {
            stack.append(&mut missing);
            continue;
        }
        stack.pop();
        match part {
            Part::Node(id) if nodes.insert(id) => {
                let (node, range) = (graph.node(id).clone(), graph.range(id).clone());
                steps.push(Step::Node(id, node, range));
            }
            Part::Formula(formula) if formulas.insert(formula.index()) => {
                let connective = graph.connective(formula).clone();
                steps.push(Step::Connective(formula.index(), connective));
            }
            _ => {}
        }
    }
    steps
}

fn operands(graph: &Graph, part: Part, parts: &mut Vec<Part>) {
    use Part::Formula as F;
    use Part::Node as N;
    match part {
        N(id) => match graph.node(id) {
            Node::Const(_) | Node::Input { .. } => {}
            Node::Bool(f) => parts.push(F(*f)),
            Node::Sum { terms, .. } => parts.extend(terms.iter().map(|(term, _)| N(*term))),
            Node::Mul(a, b) | Node::Bitwise(_, a, b) => parts.extend([N(*a), N(*b)]),
            Node::Ite(f, a, b) => parts.extend([F(*f), N(*a), N(*b)]),
            Node::NegIf(f, of) => parts.extend([F(*f), N(*of)]),
            Node::Max(operands) => parts.extend(operands.iter().map(|id| N(*id))),
            Node::Shl { of, amount, .. } | Node::Shr { of, amount } => {
                parts.extend([N(*of), N(*amount)]);
            }
            Node::ShrConst { of, .. } | Node::Wrap { of, .. } => parts.push(N(*of)),
            Node::Concat { high, low, .. } => parts.extend([N(*high), N(*low)]),
        },
        F(formula) => match graph.connective(formula) {
            Connective::True => {}
            Connective::And(all) => parts.extend(all.iter().map(|f| F(*f))),
            Connective::Xor(a, b) => parts.extend([F(*a), F(*b)]),
            Connective::Ite(c, a, b) => parts.extend([F(*c), F(*a), F(*b)]),
            Connective::Eq(a, b) | Connective::Lt(a, b) => parts.extend([N(*a), N(*b)]),
            Connective::Bit(of, _) => parts.push(N(*of)),
        },
    }
}
