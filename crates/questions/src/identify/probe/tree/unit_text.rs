//! A summation tree as the text of a description, in which runs of alike sums are loops.
//!
//! The tree says which summands each sum takes. What a sum keeps and how it rounds is not known from
//! it: a sum of two terms, of which one is a sum or `c`, is written as an operation of IEEE 754, and
//! others are aligned and cut to F fraction bits.

use super::SummationTree;
use mmasmt_core::machines::algorithms::Signature;
use std::fmt::Write;

/// The fraction bits that sums of more than two terms keep in the text, unless a key says more.
const KEPT: u32 = 24;

/// The text of a unit whose sums are those of `tree`; `None` if products have block scales.
pub fn as_unit(tree: &SummationTree, signature: &Signature) -> Option<String> {
    let Signature {
        a,
        b,
        c,
        d,
        products,
        scales: None,
    } = *signature
    else {
        return None;
    };
    let sums = sums_of(tree, products as usize);
    let mut body = format!("  a: {a}[{products}]\n  b: {b}[{products}]\n  c: {c}\n  d: {d}\n");
    let is_operation = |sum: &Sum| sum.is_operation();
    if !sums.iter().all(is_operation) {
        body += "  p = a * b\n";
    }
    let mut at = 0;
    while at < sums.len() {
        let run = Run::from(&sums, at);
        let _ = match run.count {
            1 => writeln!(body, "  s[{at}] = {}", run.text(d)),
            count => writeln!(
                body,
                "  for k in 0..{count} {{ s[{}] = {} }}",
                linear(1, at as i64),
                run.text(d)
            ),
        };
        at += run.count;
    }
    let _ = match sums.len() {
        0 => writeln!(body, "  d = round(a[0] * b[0]) to {d}"),
        count => writeln!(body, "  d = s[{}]", count - 1),
    };
    let cuts = sums.iter().any(|sum| !sum.is_operation() && !sum.exact);
    let parameter = match cuts {
        true => format!("(F = {KEPT} in 1..64)"),
        false => String::new(),
    };
    Some(format!(
        "# The order of the sums; what each of them keeps and how it rounds was not asked.\nunit tree{parameter} {{\n{body}}}\n"
    ))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermOrigin {
    Product,
    C,
    Sum,
}

/// Terms of one kind, `step` after each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    of: TermOrigin,
    from: i64,
    count: i64,
    step: i64,
}

#[derive(Clone, Debug)]
struct Sum {
    pieces: Vec<Piece>,
    exact: bool,
}

impl Sum {
    fn terms(&self, of: impl Fn(TermOrigin) -> bool) -> i64 {
        let pieces = self.pieces.iter().filter(|piece| of(piece.of));
        pieces.map(|piece| piece.count).sum()
    }

    /// Whether the sum is written as an operation of IEEE 754.
    fn is_operation(&self) -> bool {
        self.terms(|_| true) == 2 && self.terms(|of| of == TermOrigin::Product) < 2
    }
}

/// The sums, those that take no other first, level by level.
fn sums_of(tree: &SummationTree, products: usize) -> Vec<Sum> {
    let mut levels: Vec<Vec<&SummationTree>> = Vec::new();
    level(tree, &mut levels);
    let mut numbers = rustc_hash::FxHashMap::default();
    let nodes: Vec<&SummationTree> = levels.into_iter().flatten().collect();
    for (number, node) in nodes.iter().enumerate() {
        numbers.insert(std::ptr::from_ref(*node), number);
    }
    let term = |child: &SummationTree| match child {
        SummationTree::Leaf(leaf) if *leaf == products => (TermOrigin::C, 0),
        SummationTree::Leaf(leaf) => (TermOrigin::Product, *leaf as i64),
        SummationTree::Sum { .. } => (TermOrigin::Sum, numbers[&std::ptr::from_ref(child)] as i64),
    };
    let sum = |node: &&SummationTree| match node {
        SummationTree::Sum { children, exact } => Sum {
            pieces: pieces(children.iter().map(term)),
            exact: *exact,
        },
        SummationTree::Leaf(_) => Sum {
            pieces: Vec::new(),
            exact: false,
        },
    };
    nodes.iter().map(sum).collect()
}

/// The height of a node, which is put into its level.
fn level<'t>(node: &'t SummationTree, levels: &mut Vec<Vec<&'t SummationTree>>) -> usize {
    let SummationTree::Sum { children, .. } = node else {
        return 0;
    };
    let below = children.iter().map(|child| level(child, levels));
    let height = below.max().unwrap_or(0);
    if levels.len() <= height {
        levels.resize(height + 1, Vec::new());
    }
    levels[height].push(node);
    height + 1
}

fn pieces(terms: impl Iterator<Item = (TermOrigin, i64)>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (of, number) in terms {
        if let Some(last) = pieces.last_mut().filter(|last| last.of == of) {
            let step = number - (last.from + (last.count - 1) * last.step);
            if step > 0 && (last.count == 1 || last.step == step) {
                (last.step, last.count) = (step, last.count + 1);
                continue;
            }
        }
        pieces.push(Piece {
            of,
            from: number,
            count: 1,
            step: 1,
        });
    }
    pieces
}

/// Sums one after another whose terms advance alike.
struct Run<'s> {
    first: &'s Sum,
    count: usize,
    /// For each piece, how far it advances.
    advance: Vec<i64>,
}

impl<'s> Run<'s> {
    fn from(sums: &'s [Sum], at: usize) -> Run<'s> {
        let first = &sums[at];
        let alone = Run {
            first,
            count: 1,
            advance: vec![0; first.pieces.len()],
        };
        let Some(second) = sums.get(at + 1).filter(|second| are_alike(first, second)) else {
            return alone;
        };
        let pairs = first.pieces.iter().zip(&second.pieces);
        let advance: Vec<i64> = pairs.map(|(x, y)| y.from - x.from).collect();
        if advance.iter().any(|advance| *advance < 0) {
            return alone;
        }
        let follows = |(number, sum): (usize, &Sum)| {
            let pieces = sum.pieces.iter().zip(&first.pieces).zip(&advance);
            are_alike(first, sum)
                && pieces
                    .into_iter()
                    .all(|((one, first), advance)| one.from == first.from + number as i64 * advance)
        };
        let count = sums[at..]
            .iter()
            .enumerate()
            .take_while(|one| follows(*one));
        match count.count() {
            0..3 => alone,
            count => Run {
                first,
                count,
                advance,
            },
        }
    }

    fn text(&self, d: mmasmt_numbers::float::Format) -> String {
        let is_operation = self.first.is_operation();
        let pieces = self.first.pieces.iter().zip(&self.advance);
        let terms = pieces.map(|(piece, advance)| {
            let low = linear(*advance, piece.from);
            let end = linear(*advance, piece.from + (piece.count - 1) * piece.step + 1);
            let name = match piece.of {
                TermOrigin::C => return "c".into(),
                TermOrigin::Product => "p",
                TermOrigin::Sum => "s",
            };
            match (piece.count, piece.step) {
                (1, _) if piece.of == TermOrigin::Product && is_operation => {
                    format!("a[{low}] * b[{low}]")
                }
                (1, _) => format!("{name}[{low}]"),
                (_, 1) => format!("{name}[{low}..{end}]"),
                (_, step) => format!("{name}[{low}..{end} step {step}]"),
            }
        });
        let terms = terms.collect::<Vec<String>>().join(", ");
        match (is_operation, self.first.exact) {
            (true, _) | (_, true) => format!("round(sum({terms})) to {d}"),
            (false, false) => format!("round(fuse({terms}) keep F by rz) to {d} by rz"),
        }
    }
}

fn are_alike(x: &Sum, y: &Sum) -> bool {
    let form = |piece: &Piece| (piece.of, piece.count, piece.step);
    x.exact == y.exact && x.pieces.iter().map(form).eq(y.pieces.iter().map(form))
}

/// The text of `factor * k + from`.
fn linear(factor: i64, from: i64) -> String {
    match (factor, from) {
        (0, _) => from.to_string(),
        (1, 0) => "k".into(),
        (1, _) => format!("k + {from}"),
        (_, 0) => format!("{factor} * k"),
        _ => format!("{factor} * k + {from}"),
    }
}
