//! Drawings of a summation tree: as text, for Graphviz, and as SVG.

use super::{Run, SummationTree, leaf_name, runs};
use std::fmt::Write;

/// The tree as indented text; consecutive products share one line.
pub fn as_text(tree: &SummationTree, products: usize) -> String {
    let mut out = format!("{}\n", label(tree, products));
    text_children(tree, products, "", &mut out);
    out
}

fn text_children(tree: &SummationTree, products: usize, indent: &str, out: &mut String) {
    let SummationTree::Sum { children, .. } = tree else {
        return;
    };
    let runs = runs(children, products);
    for (at, run) in runs.iter().enumerate() {
        let is_last = at + 1 == runs.len();
        let (branch, below) = if is_last {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        match run {
            Run::Leaves(text) => {
                let _ = writeln!(out, "{indent}{branch}{text}");
            }
            Run::Tree(child) => {
                let _ = writeln!(out, "{indent}{branch}{}", label(child, products));
                text_children(child, products, &format!("{indent}{below}"), out);
            }
        }
    }
}

/// The label of a node.
fn label(tree: &SummationTree, products: usize) -> String {
    match tree {
        SummationTree::Leaf(leaf) => leaf_name(*leaf, products),
        SummationTree::Sum { children, exact } => match (children.len(), exact) {
            (2, _) => "+".into(),
            (terms, false) => format!("+ {terms} fused"),
            (terms, true) => format!("+ {terms} exact"),
        },
    }
}

/// The tree as a digraph in the language of Graphviz.
pub fn as_dot(tree: &SummationTree, products: usize) -> String {
    let mut out = String::from("digraph summation {\n  rankdir=BT;\n  node [shape=plaintext];\n");
    dot_node(tree, products, &mut 0, &mut out);
    out.push_str("}\n");
    out
}

/// Writes a node and its subtree, and returns the node's number.
fn dot_node(tree: &SummationTree, products: usize, next: &mut usize, out: &mut String) -> usize {
    let number = *next;
    *next += 1;
    let _ = writeln!(out, "  n{number} [label=\"{}\"];", label(tree, products));
    if let SummationTree::Sum { children, .. } = tree {
        for child in children {
            let child = dot_node(child, products, next, out);
            let _ = writeln!(out, "  n{child} -> n{number};");
        }
    }
    number
}

/// The distances, in units of the drawing, between neighbouring leaves and between an operation and
/// its children.
const STEP: [usize; 2] = [36, 44];

/// The tree as a drawing in SVG: the summands in a row at the bottom, the operations above them.
pub fn as_svg(tree: &SummationTree, products: usize) -> String {
    let size = [tree.leaves().len(), height(tree) + 1];
    let [width, high] = [size[0] * STEP[0], size[1] * STEP[1]];
    let mut drawing = TreeDrawing {
        products,
        bottom: height(tree),
        next: 0,
        lines: String::new(),
        labels: String::new(),
    };
    drawing.node(tree);
    let style = "font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\"";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{high}\" {style}>\n<g stroke=\"black\">\n{}</g>\n{}</svg>\n",
        drawing.lines, drawing.labels
    )
}

fn height(tree: &SummationTree) -> usize {
    match tree {
        SummationTree::Leaf(_) => 0,
        SummationTree::Sum { children, .. } => 1 + children.iter().map(height).max().unwrap_or(0),
    }
}

struct TreeDrawing {
    products: usize,
    bottom: usize,
    /// The number of leaves drawn.
    next: usize,
    lines: String,
    labels: String,
}

impl TreeDrawing {
    /// Draws a node above its subtree, and returns the position of the node.
    fn node(&mut self, tree: &SummationTree) -> [usize; 2] {
        let level = |level: usize| level * STEP[1] + STEP[1] / 2;
        let (at, text) = match tree {
            SummationTree::Leaf(leaf) => {
                let x = self.next * STEP[0] + STEP[0] / 2;
                self.next += 1;
                ([x, level(self.bottom)], leaf_name(*leaf, self.products))
            }
            SummationTree::Sum { children, exact } => {
                let below: Vec<_> = children.iter().map(|child| self.node(child)).collect();
                let x = below.iter().map(|[x, _]| x).sum::<usize>() / below.len().max(1);
                let at = [x, level(self.bottom - height(tree))];
                for [x, y] in below {
                    let (top, bottom) = (at[1] + 4, y - 13);
                    let _ = writeln!(
                        self.lines,
                        "<line x1=\"{}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>",
                        at[0]
                    );
                }
                (at, if *exact { "⊕".into() } else { "+".into() })
            }
        };
        let [x, y] = at;
        let _ = writeln!(self.labels, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        at
    }
}
