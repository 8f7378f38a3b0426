//! Summation trees of every algorithm, and their drawings.

use super::{answer, is};
use mmasmt_questions::identify::probe::{SummationTree, as_dot, as_svg, as_text, build_tree};
use proptest::prelude::*;

#[test]
fn trees_are_those_of_the_algorithms() {
    for (model, tree) in [
        // Xie et al. Figure 1.
        ("ampere/DMMA.884", "sequential"),
        (
            "cdna2/v_mfma_f32_32x32x8f16",
            "((c ((#0 #1) (#2 #3))) ((#4 #5) (#6 #7)))",
        ),
        ("ampere/HMMA.1684.F32.TF32", "fused 5"),
        ("ampere/HMMA.1688.F32.TF32", "fused 5, then 5"),
        // The others.
        (
            "volta/wmma.m16n16k16.f32.f16.f16.f32",
            "fused 5, then 5, then 5, then 5",
        ),
        ("fda:K=2,chain=5", "fused 3, 5 times"),
        ("fda:out=f16,K=8", "fused 9"),
        ("fda:in=e4m3,K=32", "fused 33"),
        ("gps:K=4,G=2", "((c (#0 #1)) (#2 #3))"),
        ("sfma:fmt=f32", "sequential"),
        ("ieee:order=pairwise", "(c ((#0 #1) (#2 #3)))"),
        ("ieee:order=late", "(c (((#0 #1) #2) #3))"),
        // c is cut by the exponent that the products had before they cancelled.
        ("fdrda:K=4", "fused 5"),
        ("fdrda:K=4,chain=2", "fused 5, then 5"),
        ("gfdrda:K=4", "fused 5"),
        // Two dot products in sequence from +0, then c.
        ("hmma8:K=4", "(c ((#0 #1 #4 #5) #2 #3 #6 #7))"),
        // Exact sums lose nothing of their own.
        ("exact:K=4,chain=2", "exact 5, then 5"),
        ("exact:K=2,chain=3", "exact 3, then 3, then 3"),
        ("exact:K=4", "undecided"),
        // FP4 products are too near each other.
        ("gdfs", "not applicable"),
    ] {
        is(model, "summation-tree", tree);
    }
}

#[test]
fn drawings() {
    let lost = |i: usize, j: usize| match (i, j) {
        (4, 0..=1) | (1, 0) => 3,
        _ => 5,
    };
    let tree = build_tree(5, lost).unwrap();
    assert_eq!(tree.to_string(), "((c #0 #1) #2 #3)");
    insta::assert_snapshot!(as_text(&tree, 4), @r"
    + 3 fused
    ├─ + 3 fused
    │  ├─ c
    │  └─ #0 #1
    └─ #2 #3
    ");
    let dot = as_dot(&tree, 4);
    assert_eq!(dot.matches("->").count(), 6);
    assert!(dot.starts_with("digraph") && dot.ends_with("}\n"));
    let svg = as_svg(&tree, 4);
    assert_eq!(svg.matches("<line").count(), 6);
    assert_eq!(svg.matches("<text").count(), 7);
}

#[test]
fn counts_of_no_tree_are_refused() {
    // A pair that is joined before and after a third summand.
    assert!(build_tree(3, |i, j| if (i, j) == (1, 0) { 3 } else { 2 }).is_err());
    assert!(build_tree(4, |i, j| i + j).is_err());
    assert!(answer("fda", "summation-tree").starts_with("fused"));
}

/// A tree over `count` leaves, by joining parts in any order; cut sums only.
fn any_tree(count: usize) -> impl Strategy<Value = SummationTree> {
    proptest::collection::vec((0usize..100, 2usize..5), count).prop_map(move |steps| {
        let mut parts: Vec<SummationTree> = (0..count).map(SummationTree::Leaf).collect();
        for (at, terms) in steps {
            if parts.len() == 1 {
                break;
            }
            let mut children: Vec<SummationTree> = Vec::new();
            for _ in 0..terms.min(parts.len()) {
                children.push(parts.remove(at % parts.len()));
            }
            parts.push(SummationTree::Sum {
                children,
                exact: false,
            });
        }
        match parts.len() {
            1 => parts.remove(0),
            _ => SummationTree::Sum {
                children: parts,
                exact: false,
            },
        }
    })
}

/// How many leaves are below the operation that joins two.
fn joined(tree: &SummationTree, i: usize, j: usize) -> usize {
    if let SummationTree::Sum { children, .. } = tree {
        for child in children {
            let leaves = child.leaves();
            if leaves.contains(&i) && leaves.contains(&j) {
                return joined(child, i, j);
            }
        }
    }
    tree.leaves().len()
}

proptest! {
    #[test]
    fn any_tree_is_found_again(tree in any_tree(9)) {
        let found = build_tree(9, |i, j| joined(&tree, i, j)).unwrap();
        for i in 0..9 {
            for j in 0..i {
                prop_assert_eq!(joined(&found, i, j), joined(&tree, i, j));
            }
        }
    }
}
