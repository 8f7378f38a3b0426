//! The expressions of a script as a graph: definitions and `let` are put in, every sort is checked,
//! and equal expressions are one node.

use super::kind::ScriptSort;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// The number of a node; operands have lower numbers.
pub(super) type Id = usize;

/// The most nodes of a script.
const MOST: usize = 1 << 20;
/// The most nodes that putting in definitions goes through.
const MOST_STEPS: usize = 1 << 26;

/// The operation of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScriptOperation {
    /// A declared constant.
    Constant(usize),
    /// A parameter of a definition; no two definitions share one.
    Parameter(usize),
    Truth(bool),
    Word(BigUint),
    /// A number of sort Real, or a constant of FloatingPoint or RoundingMode, as SMT-LIB writes it.
    Literal(String),
    /// The model of this number.
    Model(usize),
    /// A function of the format of this number.
    OfFormat(FormatFunction, usize),
    /// An operator of SMT-LIB with its indices.
    Applied(&'static str, Vec<u32>),
}

/// A function of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FormatFunction {
    /// True of a register that holds a number.
    Finite,
    /// The number in a register as `(_ FloatingPoint 11 53)`.
    Value,
    /// The number in a register as a Real.
    Real,
}

/// An operation on nodes before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScriptNode {
    pub operation: ScriptOperation,
    pub operands: Vec<Id>,
    pub kind: ScriptSort,
}

/// All nodes of a script.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptGraph {
    nodes: Vec<ScriptNode>,
    known: FxHashMap<ScriptNode, Id>,
    /// Whether a node depends on a parameter.
    is_open: Vec<bool>,
    /// The nodes that putting in definitions went through.
    steps: usize,
}

impl ScriptGraph {
    /// The node, made if there is none like it; `None` if there are too many nodes.
    pub fn add(
        &mut self,
        operation: ScriptOperation,
        operands: Vec<Id>,
        kind: ScriptSort,
    ) -> Option<Id> {
        let node = ScriptNode {
            operation,
            operands,
            kind,
        };
        if let Some(id) = self.known.get(&node) {
            return Some(*id);
        }
        let id = self.nodes.len();
        if id == MOST {
            return None;
        }
        let open = node.operands.iter().any(|operand| self.is_open[*operand]);
        self.is_open
            .push(open || matches!(node.operation, ScriptOperation::Parameter(_)));
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        Some(id)
    }

    /// Counts nodes of a definition that is put in; `None` if they are too many.
    pub fn count(&mut self, nodes: usize) -> Option<()> {
        self.steps += nodes;
        (self.steps <= MOST_STEPS).then_some(())
    }

    pub fn node(&self, id: Id) -> &ScriptNode {
        &self.nodes[id]
    }

    pub fn kind(&self, id: Id) -> ScriptSort {
        self.nodes[id].kind
    }

    /// The nodes that `roots` need, in an order in which operands come first.
    pub fn needed(&self, roots: &[Id]) -> Vec<Id> {
        self.reached(roots, |_| true)
    }

    /// The nodes that depend on parameters, in an order in which operands come first.
    pub fn open(&self, root: Id) -> Vec<Id> {
        self.reached(&[root], |id| self.is_open[id])
    }

    fn reached(&self, roots: &[Id], is_wanted: impl Fn(Id) -> bool) -> Vec<Id> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut left: Vec<Id> = roots.to_vec();
        while let Some(id) = left.pop() {
            if is_wanted(id) && seen.insert(id) {
                left.extend(&self.nodes[id].operands);
            }
        }
        let mut all: Vec<Id> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
}
