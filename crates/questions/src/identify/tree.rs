//! Decision trees: the class of models for each sequence of answers.

use super::answers::together;
use mmasmt_numbers::base::limits::work;
use std::collections::BTreeMap;

/// A decision tree over numbered inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionTree {
    /// The classes that are left after the answers on the path to this leaf.
    Leaf(Vec<usize>),
    /// The next input to ask; each answer leads to a subtree.
    Ask {
        /// The number of the input.
        input: usize,
        /// Each answer (a result register, or all ones for any NaN), and the subtree for it.
        branches: Vec<(u64, DecisionTree)>,
    },
}

impl DecisionTree {
    /// Builds the tree. Each node asks the input that leaves the fewest pairs of classes together.
    /// `columns` has, for each input, the answers of all classes.
    pub fn grow(classes: Vec<usize>, columns: &[Vec<u64>]) -> DecisionTree {
        let left = |input: &usize| {
            work(8 * classes.len() as u64);
            let answers = classes.iter().map(|&class| columns[*input][class]);
            together(&mut answers.collect::<Vec<_>>())
        };
        let now = (classes.len() as u64).pow(2);
        let best = (0..columns.len())
            .min_by_key(left)
            .filter(|input| left(input) < now);
        let Some(input) = best else {
            return DecisionTree::Leaf(classes);
        };
        let mut branches: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for class in classes {
            branches
                .entry(columns[input][class])
                .or_default()
                .push(class);
        }
        let grow = |(answer, classes)| (answer, DecisionTree::grow(classes, columns));
        DecisionTree::Ask {
            input,
            branches: branches.into_iter().map(grow).collect(),
        }
    }

    /// The most inputs that are asked on a path to a leaf.
    pub fn depth(&self) -> usize {
        match self {
            DecisionTree::Leaf(_) => 0,
            DecisionTree::Ask { branches, .. } => {
                let below = branches.iter().map(|(_, tree)| tree.depth()).max();
                1 + below.unwrap_or(0)
            }
        }
    }
}
