//! The tree of questions.

use mmasmt_questions::identify::DecisionTree;

#[test]
fn a_tree_asks_what_tells_most_until_nothing_tells_more() {
    // The first input separates nothing. The second separates class 0 from the other three, and
    // the third separates the first two classes from the last two.
    let columns = [vec![7, 7, 7, 7], vec![1, 0, 0, 0], vec![0, 0, 5, 5]];
    let tree = DecisionTree::grow(vec![0, 1, 2, 3], &columns);
    let pair = DecisionTree::Ask {
        input: 1,
        branches: vec![
            (0, DecisionTree::Leaf(vec![1])),
            (1, DecisionTree::Leaf(vec![0])),
        ],
    };
    let expected = DecisionTree::Ask {
        input: 2,
        branches: vec![(0, pair), (5, DecisionTree::Leaf(vec![2, 3]))],
    };
    assert_eq!(tree, expected);
    assert_eq!(tree.depth(), 2);
    assert_eq!(DecisionTree::Leaf(vec![0]).depth(), 0);
}
