//! Atoms: exact products of operands, and values of roundings.

use std::collections::HashMap;

/// A row of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Row {
    A,
    B,
    C,
    AScales,
    BScales,
}

impl Row {
    pub(crate) const NAMES: [(&'static str, Row); 5] = [
        ("a", Row::A),
        ("b", Row::B),
        ("c", Row::C),
        ("a_scales", Row::AScales),
        ("b_scales", Row::BScales),
    ];

    pub(crate) fn is_factor(self) -> bool {
        matches!(self, Row::A | Row::B)
    }

    pub(crate) fn is_scale(self) -> bool {
        matches!(self, Row::AScales | Row::BScales)
    }

    /// The side of a factor or of its scales.
    pub(crate) fn side(self) -> Side {
        match self {
            Row::A | Row::AScales => Side::A,
            _ => Side::B,
        }
    }
}

/// The side of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    A,
    B,
}

/// A factor of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    Operand(Row, usize),
    /// The value of a rounding.
    Rounded(usize),
    /// The register +0.
    Zero,
}

/// A product of parts, in order.
pub(crate) type Atom = Vec<Part>;

/// The atoms of a sum, in any order.
pub(crate) type Atoms = Vec<Atom>;

/// How often each atom stands in one list more than in the other; empty where both have the same atoms.
pub(crate) fn difference<'a>(
    one: impl Iterator<Item = &'a Atom>,
    other: impl Iterator<Item = &'a Atom>,
) -> HashMap<&'a Atom, i64> {
    let mut counts: HashMap<&Atom, i64> = HashMap::new();
    one.for_each(|atom| *counts.entry(atom).or_default() += 1);
    other.for_each(|atom| *counts.entry(atom).or_default() -= 1);
    counts.retain(|_, count| *count != 0);
    counts
}

/// Each atom of one sum times the one atom of another; roundings, c and zeros are not multiplied.
pub(crate) fn product(x: Option<&Atoms>, y: Option<&Atoms>) -> Option<Atoms> {
    let (x, y) = (x?, y?);
    if x.len() != 1 && y.len() != 1 {
        return None;
    }
    let is_factor = |part: &Part| matches!(part, Part::Operand(row, _) if *row != Row::C);
    if !x.iter().chain(y).flatten().all(is_factor) {
        return None;
    }
    let times = |one: &Atom, other: &Atom| {
        let mut atom: Atom = one.iter().chain(other).copied().collect();
        atom.sort_unstable();
        atom
    };
    Some(
        x.iter()
            .flat_map(|one| y.iter().map(|other| times(one, other)))
            .collect(),
    )
}

/// Whether products have their scales; the number of each is its place in a list of four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scaled {
    No,
    A,
    B,
    Yes,
}

impl Scaled {
    /// Whether such a product has this part.
    pub(crate) fn has(self, part: &Part) -> bool {
        match part {
            Part::Operand(Row::AScales, _) => matches!(self, Scaled::A | Scaled::Yes),
            Part::Operand(Row::BScales, _) => matches!(self, Scaled::B | Scaled::Yes),
            _ => true,
        }
    }
}
