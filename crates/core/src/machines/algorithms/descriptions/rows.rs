//! The terms of a sum in rows: those that are made alike are in one row.

use super::elements::{Leaf, SumElement};
use super::fuse::Form;
use super::program::{
    Action, Extent, FusedTerm, NegativeForm, Program, ProgramNode, Slot, ValueKind,
};
use super::tables::DescriptionTable;
use crate::machines::algorithms::Operand;
use mmasmt_numbers::float::Format;

/// The terms of a sum.
#[derive(Debug)]
pub(super) struct Rows {
    pub all: Vec<TermRow>,
    pub form: SumWidth,
}

/// How a sum is made.
#[derive(Clone, Debug)]
pub(super) enum SumWidth {
    /// A fused sum in 64 bits.
    Fused(Form),
    /// An exact sum in 64 bits.
    Exact,
    /// An exact sum of two sums in 64 bits: exponents from this one on count for the second.
    Halves(u32),
}

/// Terms that are made alike.
#[derive(Debug)]
pub(super) struct TermRow {
    pub made: TermSource,
    pub own: Extent,
    /// Their alignment in a fused sum.
    pub aligned: Option<FusedTerm>,
    /// The rows of operands that the registers are in; none for values of steps.
    pub sources: [Option<Operand>; 2],
    /// The positions of the registers in these.
    pub places: Vec<[usize; 2]>,
    /// The formats of the registers, where terms are integers or products of two.
    pub integers: Option<(Format, Option<Format>)>,
    /// The numbers of registers, for programs that run often.
    pub tables: [Option<DescriptionTable>; 2],
}

/// What terms are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TermSource {
    /// The number of an earlier step.
    Number,
    /// Registers.
    Element(Box<SumElement>),
}

impl TermSource {
    fn tables(&self) -> [Option<DescriptionTable>; 2] {
        match self {
            TermSource::Number => [None, None],
            TermSource::Element(element) => {
                let right = element.right.as_ref();
                [
                    DescriptionTable::of(&element.left),
                    right.and_then(|(right, _)| DescriptionTable::of(right)),
                ]
            }
        }
    }
}

impl Rows {
    /// The terms of the step in rows, if it is a sum.
    pub(super) fn of(program: &Program, slot: Slot) -> Option<Rows> {
        let node = &program.nodes[slot as usize];
        let ValueKind::Number(extent) = node.kind else {
            return None;
        };
        let terms: Vec<(Slot, Option<FusedTerm>)> = match &node.action {
            Action::Fuse(step) => {
                let terms = step.terms.iter();
                let terms = terms.map(|term| (term.of, Some(FusedTerm { of: 0, ..*term })));
                terms.collect()
            }
            Action::Sum { terms, .. } => terms.iter().map(|slot| (*slot, None)).collect(),
            _ => return None,
        };
        let mut all: Vec<TermRow> = Vec::new();
        // Whether the last term is the first one of the last row.
        let mut is_last = false;
        for (of, aligned) in &terms {
            let (made, leaves) = match program.element(*of) {
                Some((element, leaves)) => (TermSource::Element(Box::new(element)), leaves),
                None => (TermSource::Number, [Leaf::Value(*of); 2]),
            };
            let own = program.extent(*of);
            let [(first, x), (second, y)] = leaves.map(|leaf| match leaf {
                Leaf::Operand(row, index) => (Some(row), index),
                Leaf::Value(slot) => (None, slot as usize),
            });
            let sources = [first, second];
            let is_like = |row: &&mut TermRow| {
                (&row.made, row.own, row.aligned, row.sources) == (&made, own, *aligned, sources)
            };
            is_last = false;
            match all.iter_mut().find(is_like) {
                Some(row) => row.places.push([x, y]),
                None => {
                    is_last = true;
                    all.push(TermRow {
                        tables: made.tables(),
                        integers: match &made {
                            TermSource::Element(element) => element.integers(),
                            TermSource::Number => None,
                        },
                        made,
                        own,
                        aligned: *aligned,
                        sources,
                        places: vec![[x, y]],
                    });
                }
            }
        }
        // The last term of the step has to be the last one of the rows, if the others are complemented beside it.
        let is_against =
            matches!(&node.action, Action::Fuse(step) if step.negate == NegativeForm::AgainstLast);
        if is_against && !is_last {
            return None;
        }
        let form = match &node.action {
            Action::Fuse(step) => {
                let extents: Vec<Extent> =
                    terms.iter().map(|(of, _)| program.extent(*of)).collect();
                SumWidth::Fused(Form::of(step, &extents, &extent))
            }
            _ if extent.width < u64::BITS => SumWidth::Exact,
            _ => SumWidth::Halves(half(&all, &extent)?),
        };
        Some(Rows { all, form })
    }
}

/// Calls `visit` for the number of each value that the step takes.
pub(super) fn each_value(
    node: &mut ProgramNode,
    rows: &mut Option<Rows>,
    mut visit: impl FnMut(&mut usize),
) {
    let Some(rows) = rows else {
        node.action.each_slot_mut(|slot| {
            let mut value = *slot as usize;
            visit(&mut value);
            *slot = value as Slot;
        });
        return;
    };
    for row in &mut rows.all {
        for places in &mut row.places {
            for (place, source) in places.iter_mut().zip(row.sources) {
                if source.is_none() {
                    visit(place);
                }
            }
        }
    }
}

/// The shift amount of a term of an exact sum for its lowest exponent.
pub(super) fn lowest(own: &Extent, extent: &Extent) -> i64 {
    own.lowest - own.fraction + extent.fraction
}

/// The shift amount from which on terms count for the second of two sums in 64 bits, if both fit.
fn half(rows: &[TermRow], extent: &Extent) -> Option<u32> {
    let most = |row: &TermRow| lowest(&row.own, extent) + row.own.highest - row.own.lowest;
    let most = rows.iter().map(most).max()?;
    let bits = rows.iter().map(|row| row.own.width).max()?;
    let terms: usize = rows.iter().map(|row| row.places.len()).sum();
    let half = most / 2 + 1;
    let needed = half + i64::from(bits + usize::BITS - terms.leading_zeros());
    (needed < i64::from(u64::BITS)).then_some(half as u32)
}
