//! The order of summation as a tree (Xie et al. §III-C). It says which summands are added in one
//! operation.

mod asked;
mod build;
mod draw;
mod growing;
mod unit_text;

pub use asked::ask_tree;
pub use build::build_tree;
pub use draw::{as_dot, as_svg, as_text};
pub use unit_text::as_unit;

use std::fmt;

/// A summation tree over the products and `c`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SummationTree {
    /// A summand: the product with this number, or `c` if this is the number of products.
    Leaf(usize),
    /// An operation that adds several terms.
    Sum {
        /// The terms of the operation, at least two. First comes the term that contains `c`, if one
        /// does; the other terms are in the order of their first products.
        children: Vec<SummationTree>,
        /// Whether small summands survive beside large summands that cancel. In an operation on two
        /// terms this can never be seen.
        exact: bool,
    },
}

impl SummationTree {
    /// The summands of the tree, each once.
    pub fn leaves(&self) -> Vec<usize> {
        match self {
            SummationTree::Leaf(leaf) => vec![*leaf],
            SummationTree::Sum { children, .. } => {
                children.iter().flat_map(SummationTree::leaves).collect()
            }
        }
    }

    /// The name of the tree's shape: `sequential`, `fused 5`, `fused 5, then 5`. `None` if the
    /// shape has no name.
    pub fn shape(&self, products: usize) -> Option<String> {
        let mut terms = Vec::new();
        let (mut node, mut next) = (self, None);
        while let SummationTree::Sum { children, exact } = node {
            let (first, others) = children.split_first()?;
            // In a shape with a name, the products are in order, and the accumulated sum comes
            // first.
            for other in others.iter().rev() {
                let SummationTree::Leaf(leaf) = other else {
                    return None;
                };
                if *leaf + 1 != next.unwrap_or(products) {
                    return None;
                }
                next = Some(*leaf);
            }
            terms.push((children.len(), *exact));
            node = first;
        }
        if *node != SummationTree::Leaf(products) || next != Some(0) {
            return None;
        }
        terms.reverse();
        let (first, exact) = *terms.first()?;
        if terms.iter().any(|term| *term != (first, exact)) {
            return None;
        }
        let word = if exact { "exact" } else { "fused" };
        Some(match (first, terms.len()) {
            (2, _) => "sequential".into(),
            (_, 1) => format!("{word} {first}"),
            (_, links) if links <= 4 => {
                let then = format!(", then {first}").repeat(links - 1);
                format!("{word} {first}{then}")
            }
            (_, links) => format!("{word} {first}, {links} times"),
        })
    }

    /// The tree as a formula, such as `((c #0 #1) #2 #3)`. Exact sums are in square brackets.
    pub fn formula(&self, products: usize) -> String {
        match self {
            SummationTree::Leaf(leaf) => leaf_name(*leaf, products),
            SummationTree::Sum { children, exact } => {
                let (open, close) = if *exact { ("[", "]") } else { ("(", ")") };
                let texts: Vec<_> = runs(children, products)
                    .into_iter()
                    .map(|run| match run {
                        Run::Leaves(text) => text,
                        Run::Tree(tree) => tree.formula(products),
                    })
                    .collect();
                format!("{open}{}{close}", texts.join(" "))
            }
        }
    }
}

/// A piece of the list of a node's children: one or more consecutive leaves, as their text, or one
/// child that is a sum.
enum Run<'t> {
    Leaves(String),
    Tree(&'t SummationTree),
}

/// The children as pieces, in order. Consecutive products become one text, such as `#0..#3`.
fn runs(children: &[SummationTree], products: usize) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < children.len() {
        let SummationTree::Leaf(first) = children[at] else {
            runs.push(Run::Tree(&children[at]));
            at += 1;
            continue;
        };
        let row = children[at..].iter().enumerate();
        let row = row.take_while(|(far, child)| {
            **child == SummationTree::Leaf(first + far) && first + far < products
        });
        let count = row.count().max(1);
        let (first, last) = (
            leaf_name(first, products),
            leaf_name(first + count - 1, products),
        );
        runs.push(Run::Leaves(match count {
            1 => first,
            2 => format!("{first} {last}"),
            _ => format!("{first}..{last}"),
        }));
        at += count;
    }
    runs
}

fn leaf_name(leaf: usize, products: usize) -> String {
    if leaf == products {
        "c".into()
    } else {
        format!("#{leaf}")
    }
}

impl fmt::Display for SummationTree {
    /// Writes the formula of the tree. The leaf with the greatest number is taken for `c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let products = self.leaves().into_iter().max().unwrap_or(0);
        f.write_str(&self.formula(products))
    }
}
