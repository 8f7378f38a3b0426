//! Builds the summation tree that explains, for each pair of summands that cancel, how many
//! summands are lost beside the pair.
//!
//! The construction follows Xie et al. §III-C and FPRev for multiway trees, with one further kind
//! of node: an exact sum, in which small summands survive beside large ones.

use super::SummationTree;

/// The reason that there is no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTree(pub String);

/// Builds the tree over `count` summands that explains `lost`. If summands i and j cancel,
/// `lost(i, j)` of all summands do not count in the result; i and j are among them.
///
/// # Errors
/// If there is no such tree.
pub fn build_tree(
    count: usize,
    lost: impl Fn(usize, usize) -> usize,
) -> Result<SummationTree, NoTree> {
    let mut parts: Vec<Part> = (0..count).map(Part::leaf).collect();
    while parts.len() > 1 {
        parts = join(parts, &lost)?;
    }
    let part = parts.pop().ok_or_else(|| NoTree("no summands".into()))?;
    if part.contradiction(&lost).is_some() {
        return Err(no_order());
    }
    Ok(part.tree(count - 1))
}

/// A subtree, with the numbers of its summands.
#[derive(Clone)]
struct Part {
    leaves: Vec<usize>,
    children: Vec<Part>,
    exact: bool,
}

impl Part {
    fn leaf(leaf: usize) -> Part {
        Part {
            leaves: vec![leaf],
            children: Vec::new(),
            exact: false,
        }
    }

    fn of(children: Vec<Part>, exact: bool) -> Part {
        Part {
            leaves: children
                .iter()
                .flat_map(|child| child.leaves.clone())
                .collect(),
            children,
            exact,
        }
    }

    /// The child that contains the leaf.
    fn child(&self, leaf: usize) -> Option<&Part> {
        self.children
            .iter()
            .find(|child| child.leaves.contains(&leaf))
    }

    /// The number of summands that do not count if i and j cancel. These are all summands under the
    /// operation that adds i and j; if that operation is exact, they are only i, j and the summands
    /// that were added to i or to j before.
    fn lost(&self, i: usize, j: usize) -> usize {
        match (self.child(i), self.child(j)) {
            (Some(x), Some(y)) if x.leaves == y.leaves => x.lost(i, j),
            (Some(x), Some(y)) if self.exact => x.leaves.len() + y.leaves.len(),
            _ => self.leaves.len(),
        }
    }

    /// Two summands i > j for which `lost(i, j)` is not the number that this part implies; `None`
    /// if there are none.
    fn contradiction(&self, lost: &impl Fn(usize, usize) -> usize) -> Option<(usize, usize)> {
        let leaves = self.leaves.iter();
        let mut pairs = leaves.flat_map(|&i| self.leaves.iter().map(move |&j| (i, j)));
        pairs.find(|&(i, j)| i > j && self.lost(i, j) != lost(i, j))
    }

    fn tree(&self, c: usize) -> SummationTree {
        if self.children.is_empty() {
            return SummationTree::Leaf(self.leaves[0]);
        }
        let mut children: Vec<&Part> = self.children.iter().collect();
        // The child with `c` comes first; the other children are ordered by their first product.
        children.sort_by_key(|child| {
            let least = child.leaves.iter().min().copied();
            (!child.leaves.contains(&c), least)
        });
        SummationTree::Sum {
            children: children.into_iter().map(|child| child.tree(c)).collect(),
            exact: self.exact,
        }
    }
}

/// Joins the parts for which the fewest summands are lost if a summand of one part cancels a
/// summand of another.
fn join(parts: Vec<Part>, lost: &impl Fn(usize, usize) -> usize) -> Result<Vec<Part>, NoTree> {
    let between = |x: &Part, y: &Part| {
        let pairs = x
            .leaves
            .iter()
            .flat_map(|&i| y.leaves.iter().map(move |&j| (i, j)));
        pairs
            .map(|(i, j)| lost(i.max(j), i.min(j)))
            .min()
            .unwrap_or(0)
    };
    let mut nearest: Vec<(usize, usize, usize)> = Vec::new();
    for x in 0..parts.len() {
        for y in 0..x {
            nearest.push((between(&parts[x], &parts[y]), y, x));
        }
    }
    let least = nearest.iter().map(|(lost, ..)| *lost).min().unwrap_or(0);
    // The groups of parts that are joined, directly or through other parts.
    let mut group: Vec<usize> = (0..parts.len()).collect();
    for &(lost, y, x) in &nearest {
        if lost == least {
            let (from, to) = (group[x], group[y]);
            group
                .iter_mut()
                .for_each(|g| *g = if *g == from { to } else { *g });
        }
    }
    let mut joined = Vec::new();
    for root in 0..parts.len() {
        let members = (0..parts.len()).filter(|&part| group[part] == root);
        let members: Vec<Part> = members.map(|part| parts[part].clone()).collect();
        match members.len() {
            0 => {}
            1 => joined.extend(members),
            _ => joined.push(operation(&members, lost).ok_or_else(no_order)?),
        }
    }
    if joined.len() < parts.len() {
        Ok(joined)
    } else {
        Err(no_order())
    }
}

/// The counts belong to no tree.
pub(super) fn no_order() -> NoTree {
    NoTree("the counts of summands that are lost are those of no order of summation".into())
}

/// The operation over `members` that agrees with `lost`, if there is one: a fused sum or an exact
/// sum. In an exact sum, some members may be replaced by their children, which then belong to the
/// same operation.
fn operation(members: &[Part], lost: &impl Fn(usize, usize) -> usize) -> Option<Part> {
    let fused = Part::of(members.to_vec(), false);
    let open: Vec<usize> = (0..members.len())
        .filter(|&at| members[at].exact || members[at].children.len() == 2)
        .take(MOST_OPEN)
        .collect();
    let exact = (0..1usize << open.len()).map(|opened| {
        let is_open = |at: usize| {
            let place = open.iter().position(|known| *known == at);
            place.is_some_and(|place| opened >> place & 1 == 1)
        };
        let children = members.iter().enumerate().flat_map(|(at, part)| {
            if is_open(at) {
                part.children.clone()
            } else {
                vec![part.clone()]
            }
        });
        Part::of(children.collect(), true)
    });
    let mut candidates = std::iter::once(fused).chain(exact);
    candidates.find(|part| part.contradiction(lost).is_none())
}

/// The most members that are replaced by their children in the search for an exact sum.
const MOST_OPEN: usize = 8;
