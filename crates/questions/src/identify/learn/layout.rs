//! The sums of a unit as a list, each after those that it takes, in classes of sums that do the
//! same.

use crate::identify::probe::SummationTree;
use std::collections::BTreeMap;

/// A term of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// The product with this number.
    Product(usize),
    /// The accumulator operand.
    C,
    /// The result of the sum with this number.
    Sum(usize),
}

/// A sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SumNode {
    pub children: Vec<Child>,
    /// The number of its class.
    pub class: usize,
}

/// All sums of a unit; the last one gives the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitLayout {
    pub products: usize,
    pub sums: Vec<SumNode>,
    /// For each class, its sums in words.
    pub classes: Vec<String>,
}

/// How many sums share a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Those with the same kinds of terms.
    Kinds,
    /// Those with the same kinds of terms that are as far from the products.
    Levels,
}

/// The properties that sums of a class share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    takes_products: bool,
    takes_others: bool,
    is_pair: bool,
    adds_c_late: bool,
    level: Option<usize>,
}

impl UnitLayout {
    /// The sums of a tree over `products` products and `c`.
    pub fn of(tree: &SummationTree, products: usize, sharing: Sharing) -> UnitLayout {
        let mut layout = UnitLayout {
            products,
            sums: Vec::new(),
            classes: Vec::new(),
        };
        layout.add(tree);
        let mut known = BTreeMap::new();
        let mut levels = Vec::new();
        for at in 0..layout.sums.len() {
            let children = &layout.sums[at].children;
            let below = children.iter().map(|child| match child {
                Child::Sum(sum) => levels[*sum],
                _ => 0,
            });
            let level: usize = below.max().unwrap_or(0) + 1;
            levels.push(level);
            let products = children
                .iter()
                .filter(|child| matches!(child, Child::Product(_)));
            let takes_products = products.count() > 0;
            let key = Key {
                takes_products,
                takes_others: children
                    .iter()
                    .any(|child| !matches!(child, Child::Product(_))),
                is_pair: children.len() == 2,
                adds_c_late: children.contains(&Child::C)
                    && !takes_products
                    && at + 1 == layout.sums.len(),
                level: (sharing == Sharing::Levels).then_some(level),
            };
            let next = known.len();
            let class = *known.entry(key.clone()).or_insert(next);
            if class == next {
                layout.classes.push(key.describe());
            }
            layout.sums[at].class = class;
        }
        if let [only] = &mut layout.classes[..] {
            *only = "sums".into();
        }
        layout
    }

    /// Adds the sums of a tree, and returns what its root is as a term.
    fn add(&mut self, tree: &SummationTree) -> Child {
        match tree {
            SummationTree::Leaf(leaf) if *leaf == self.products => Child::C,
            SummationTree::Leaf(leaf) => Child::Product(*leaf),
            SummationTree::Sum { children, .. } => {
                let children = children.iter().map(|child| self.add(child)).collect();
                self.sums.push(SumNode { children, class: 0 });
                Child::Sum(self.sums.len() - 1)
            }
        }
    }
}

impl Key {
    fn describe(&self) -> String {
        let kinds = match (self.takes_products, self.takes_others) {
            _ if self.adds_c_late => "sums with c",
            (true, false) => "sums of products",
            (true, true) => "sums of products and others",
            (false, _) => "sums of sums",
        };
        match self.level {
            Some(level) => format!("{kinds} at level {level}"),
            None => kinds.into(),
        }
    }
}

/// A sum of leaves in this order, two at a time: the second is added to the first, and so on.
pub(super) fn chain(leaves: impl IntoIterator<Item = usize>) -> SummationTree {
    let mut leaves = leaves.into_iter().map(SummationTree::Leaf);
    let first = leaves.next().unwrap_or(SummationTree::Leaf(0));
    leaves.fold(first, |sum, leaf| SummationTree::Sum {
        children: vec![sum, leaf],
        exact: false,
    })
}

/// The trees in which one sum of `tree` is merged with the sum that takes it.
pub(super) fn merged(tree: &SummationTree) -> Vec<SummationTree> {
    let SummationTree::Sum { children, exact } = tree else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for (at, child) in children.iter().enumerate() {
        let with = |others: Vec<SummationTree>| {
            let (before, after) = (&children[..at], &children[at + 1..]);
            SummationTree::Sum {
                children: [before, &others, after].concat(),
                exact: *exact,
            }
        };
        if let SummationTree::Sum { children, .. } = child {
            all.push(with(children.clone()));
        }
        all.extend(merged(child).into_iter().map(|other| with(vec![other])));
    }
    all.truncate(MOST_MERGED);
    all
}

/// The most trees with a merged sum.
const MOST_MERGED: usize = 12;

/// A sum of these terms; one alone is itself.
fn sum(terms: Vec<SummationTree>) -> SummationTree {
    match <[SummationTree; 1]>::try_from(terms) {
        Ok([only]) => only,
        Err(children) => SummationTree::Sum {
            children,
            exact: false,
        },
    }
}

/// Trees over groups of as many products each, neighbours or as far apart as there are groups: the
/// sum so far and a group after it, in a chain; and the sums of all groups, then `c`, in one sum.
pub(super) fn grouped(products: usize) -> Vec<SummationTree> {
    let mut all = Vec::new();
    let sizes = (2..products).filter(|size| products.is_multiple_of(*size));
    for size in sizes {
        let count = products / size;
        let neighbours = |group: usize| (group * size..(group + 1) * size).collect();
        let apart = |group: usize| (group..products).step_by(count).collect();
        let ways: [&dyn Fn(usize) -> Vec<usize>; 2] = [&neighbours, &apart];
        for way in ways {
            let groups = (0..count).map(|group| {
                let leaves = way(group).into_iter().map(SummationTree::Leaf);
                leaves.collect::<Vec<_>>()
            });
            let c = SummationTree::Leaf(products);
            all.push(groups.clone().fold(c.clone(), |so_far, group| {
                sum([vec![so_far], group].concat())
            }));
            let sums = groups.map(sum);
            all.push(sum([c].into_iter().chain(sums).collect()));
        }
    }
    all
}

/// Trees that units are known to have, for a unit whose answers show none: everything in one sum;
/// the products, then `c`; one product after another; neighbours, and halves, in pairs.
pub fn usual(products: usize) -> Vec<SummationTree> {
    let leaves = || (0..products).map(SummationTree::Leaf);
    let c = SummationTree::Leaf(products);
    let with_c = |tree: SummationTree| sum(vec![c.clone(), tree]);
    let neighbours = |mut row: Vec<SummationTree>| {
        while row.len() > 1 {
            row = row.chunks(2).map(|pair| sum(pair.to_vec())).collect();
        }
        sum(row)
    };
    let halves = |mut row: Vec<SummationTree>| {
        while row.len() > 1 {
            let half = row.len().div_ceil(2);
            let pair = |at: usize| row[at..].iter().step_by(half).cloned().collect();
            row = (0..half).map(|at| sum(pair(at))).collect();
        }
        sum(row)
    };
    let mut all = vec![
        sum([c.clone()].into_iter().chain(leaves()).collect()),
        with_c(sum(leaves().collect())),
        chain([products].into_iter().chain(0..products)),
        chain([products].into_iter().chain((0..products).rev())),
        with_c(neighbours(leaves().collect())),
        with_c(halves(leaves().collect())),
    ];
    let mut known = Vec::new();
    all.retain(|tree| {
        let is_new = !known.contains(tree);
        known.push(tree.clone());
        is_new
    });
    all
}
