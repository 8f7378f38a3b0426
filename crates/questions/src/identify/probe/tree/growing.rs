//! A summation tree that grows by answers: which summands each operation takes, from the number of
//! summands that are lost beside pairs.

use super::SummationTree;
use super::build::no_order;
use crate::identify::probe::unread::ReadingFailure;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A summand, or an operation on parts.
#[derive(Clone)]
pub(super) struct TreePart {
    leaf: Option<usize>,
    children: Vec<usize>,
    pub exact: bool,
}

/// Summands that belong to one operation, of which the terms are not known yet. Two of them are in
/// one term if fewer than `apart` summands are lost beside them.
struct OpenOperation {
    node: usize,
    summands: Vec<usize>,
    apart: usize,
}

/// A tree that grows by answers.
pub(super) struct PartialTree {
    parts: Vec<TreePart>,
    pub root: usize,
    open: Vec<OpenOperation>,
    rng: ChaCha8Rng,
}

impl PartialTree {
    /// A tree of which nothing is known.
    pub fn new(summands: usize) -> PartialTree {
        let all = TreePart {
            leaf: None,
            children: Vec::new(),
            exact: false,
        };
        let mut growing = PartialTree {
            parts: vec![all],
            root: 0,
            open: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(1),
        };
        growing.leave(0, (0..summands).collect(), usize::MAX);
        growing
    }

    /// True once every term of every operation is known.
    pub fn is_grown(&self) -> bool {
        self.open.is_empty()
    }

    /// Leaves the terms of an operation open, with the summand first that is asked with the others.
    fn leave(&mut self, node: usize, mut summands: Vec<usize>, apart: usize) {
        if let [only] = summands[..] {
            let leaf = self.leaf(only);
            self.parts[node].children.push(leaf);
        } else if !summands.is_empty() {
            summands.shuffle(&mut self.rng);
            self.open.push(OpenOperation {
                node,
                summands,
                apart,
            });
        }
    }

    fn leaf(&mut self, leaf: usize) -> usize {
        self.part(Some(leaf), Vec::new(), false)
    }

    fn part(&mut self, leaf: Option<usize>, children: Vec<usize>, exact: bool) -> usize {
        self.parts.push(TreePart {
            leaf,
            children,
            exact,
        });
        self.parts.len() - 1
    }

    /// The first summand of each open operation, with each of the others.
    pub fn questions(&self) -> Vec<[usize; 2]> {
        let of_one = |open: &OpenOperation| {
            let first = open.summands[0];
            let others = open.summands[1..].iter();
            others
                .map(|&other| [first.max(other), first.min(other)])
                .collect::<Vec<_>>()
        };
        self.open.iter().flat_map(of_one).collect()
    }

    /// Takes the answers to the questions: the number of summands that are lost beside each pair.
    pub fn answer(&mut self, lost: &[usize]) -> Result<(), ReadingFailure> {
        let mut lost = lost.iter().copied();
        for OpenOperation {
            node,
            summands,
            apart,
        } in std::mem::take(&mut self.open)
        {
            let (mut same, mut others) = (Vec::new(), Vec::new());
            for &summand in &summands[1..] {
                match lost.next() {
                    Some(count) if count < apart => same.push((count, summand)),
                    _ => others.push(summand),
                }
            }
            let term = self.above(summands[0], same)?;
            self.parts[node].children.push(term);
            self.leave(node, others, apart);
        }
        Ok(())
    }

    /// The operations above a summand, from the summands that are lost beside it and each other one.
    fn above(
        &mut self,
        first: usize,
        mut lost: Vec<(usize, usize)>,
    ) -> Result<usize, ReadingFailure> {
        lost.sort_unstable();
        let mut below = self.leaf(first);
        let mut size = 1;
        for group in lost.chunk_by(|x, y| x.0 == y.0) {
            let count = group[0].0;
            let whole = size + group.len();
            // Fewer are lost than belong to the operation: small summands survive in it.
            let exact = count < whole;
            if count > whole || count <= size {
                return Err(ReadingFailure::Inconsistent(no_order().0));
            }
            let apart = if exact { count - size + 1 } else { count };
            below = self.part(None, vec![below], exact);
            let summands = group.iter().map(|(_, summand)| *summand).collect();
            self.leave(below, summands, apart);
            size = whole;
        }
        Ok(below)
    }

    /// The parts; the root is that of all summands.
    pub fn parts(&mut self) -> Vec<TreePart> {
        if let [only] = self.parts[self.root].children[..] {
            self.root = only;
        }
        std::mem::take(&mut self.parts)
    }
}

/// The tree below a part, in the order of its products.
pub(super) fn tree_of(parts: &[TreePart], root: usize, count: usize) -> SummationTree {
    // Without recursion: a sum of thousands, one after another, is that deep.
    let mut made: Vec<Option<(SummationTree, usize, bool)>> = vec![None; parts.len()];
    for at in children_first(parts, root) {
        let part = &parts[at];
        made[at] = Some(match part.leaf {
            Some(leaf) => (SummationTree::Leaf(leaf), leaf, leaf + 1 == count),
            None => {
                let children = part.children.iter();
                let mut children: Vec<_> =
                    children.filter_map(|child| made[*child].take()).collect();
                // The child with `c` comes first, the others in the order of their first products.
                children.sort_by_key(|(_, least, has_last)| (!has_last, *least));
                let least = children.iter().map(|(_, least, _)| *least).min();
                let has_last = children.iter().any(|(_, _, has_last)| *has_last);
                let children = children.into_iter().map(|(tree, ..)| tree).collect();
                let exact = part.exact;
                let sum = SummationTree::Sum { children, exact };
                (sum, least.unwrap_or(0), has_last)
            }
        });
    }
    let root = made[root].take();
    root.map_or(SummationTree::Leaf(0), |(tree, ..)| tree)
}

fn children_first(parts: &[TreePart], root: usize) -> Vec<usize> {
    let mut order = vec![root];
    let mut at = 0;
    while at < order.len() {
        order.extend(parts[order[at]].children.iter().copied());
        at += 1;
    }
    order.reverse();
    order
}

/// What a tree says of pairs.
pub(super) struct PairPrediction<'p> {
    parts: &'p [TreePart],
    /// For each part, the part that takes it, its depth, and the number of its summands.
    above: Vec<(usize, usize, usize)>,
    /// The part of each summand.
    leaves: Vec<usize>,
}

impl<'p> PairPrediction<'p> {
    /// What the tree below `root` says, which has `count` summands.
    pub fn of(parts: &'p [TreePart], root: usize, count: usize) -> PairPrediction<'p> {
        let order = children_first(parts, root);
        let mut above = vec![(root, 0, 0); parts.len()];
        let mut leaves = vec![root; count];
        for &at in order.iter().rev() {
            for &child in &parts[at].children {
                (above[child].0, above[child].1) = (at, above[at].1 + 1);
            }
            if let Some(leaf) = parts[at].leaf {
                leaves[leaf] = at;
            }
        }
        for &at in &order {
            let own = usize::from(parts[at].leaf.is_some());
            let children = parts[at].children.iter();
            above[at].2 = own + children.map(|child| above[*child].2).sum::<usize>();
        }
        PairPrediction {
            parts,
            above,
            leaves,
        }
    }

    /// The number of summands that are lost beside a pair, the pair included.
    pub fn lost(&self, pair: [usize; 2]) -> usize {
        let [mut x, mut y] = pair.map(|leaf| self.leaves[leaf]);
        let (mut from_x, mut from_y) = (x, y);
        while x != y {
            if self.above[x].1 >= self.above[y].1 {
                (from_x, x) = (x, self.above[x].0);
            } else {
                (from_y, y) = (y, self.above[y].0);
            }
        }
        match self.parts[x].exact {
            true => self.above[from_x].2 + self.above[from_y].2,
            false => self.above[x].2,
        }
    }
}
