//! Computes one dot-add of every element of some rows and columns, of one product or of several small
//! ones.

use super::packed::PackedMatrix;
use super::product::MatrixProduct;
use mmasmt_columns::tape::Side;
use mmasmt_core::batch::{ColumnData, side_of};
use mmasmt_core::machines::algorithms::{Operand, OperandRow, Signature};
use mmasmt_numbers::base::limits::Limits;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// Some rows and columns of a product, or of several products with the same extents. The elements
/// are in the order of rows; those of one row are in the order of products, and then of columns.
pub(super) struct TilePart<'x> {
    pub(super) products: &'x [MatrixProduct<'x>],
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
    pub(super) limits: &'x Limits,
    /// Factors in place of those of the matrices: for each side, a column for each place of k.
    pub(super) factors: Option<[Rc<Vec<ColumnData>>; 2]>,
}

/// A limit was reached.
pub(super) struct LimitReached;

/// The operands of one dot-add of every element, at some places of k. Those are read once they are needed.
pub(super) struct PartOperands<'p> {
    pub(super) part: &'p TilePart<'p>,
    pub(super) signature: &'p Signature,
    pub(super) places: &'p [usize],
    sides: [OnceCell<Vec<ColumnData>>; 2],
    are_special: [OnceCell<bool>; 2],
}

impl<'p> PartOperands<'p> {
    pub(super) fn of(
        part: &'p TilePart<'p>,
        signature: &'p Signature,
        places: &'p [usize],
    ) -> Self {
        PartOperands {
            part,
            signature,
            places,
            sides: Default::default(),
            are_special: Default::default(),
        }
    }

    /// The columns of one side.
    pub(super) fn side(&self, side: Side) -> &[ColumnData] {
        let read = || self.part.side(self.signature, side, self.places);
        self.sides[usize::from(side == Side::Right)].get_or_init(read)
    }

    pub(super) fn sides(&self) -> [&[ColumnData]; 2] {
        [self.side(Side::Left), self.side(Side::Right)]
    }

    /// Whether an operand of one side is an infinity or a NaN.
    pub(super) fn has_special(&self, side: Side) -> bool {
        let columns = self.side(side);
        let count = columns.first().map_or(0, ColumnData::len);
        let look = || has_special(self.signature, side, columns, 0..count);
        *self.are_special[usize::from(side == Side::Right)].get_or_init(look)
    }

    /// Whether an operand of A in these rows is an infinity or a NaN.
    pub(super) fn has_special_in(&self, rows: Range<usize>) -> bool {
        let columns = self.side(Side::Left);
        self.has_special(Side::Left) && has_special(self.signature, Side::Left, columns, rows)
    }

    /// Where B is kept for several products: of one product alone, whose factors are those of its matrices.
    pub(super) fn packed(&self) -> Option<&'p PackedMatrix> {
        match self.part.products {
            [product] if self.part.factors.is_none() => product.packed(),
            _ => None,
        }
    }
}

impl<'x> TilePart<'x> {
    /// The number of elements.
    pub(super) fn elements(&self) -> usize {
        self.rows.len() * self.width()
    }

    /// The number of elements in a row of all products.
    pub(super) fn width(&self) -> usize {
        self.products.len() * self.columns.len()
    }

    /// The rows `rows` of the left side, which has the rows of each product in turn.
    pub(super) fn lefts(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
        let height = self.rows.len();
        let starts = (0..self.products.len()).map(move |number| number * height);
        starts.map(move |start| start + rows.start..start + rows.end)
    }

    /// Whether no limit is reached.
    pub(super) fn go_on(&self) -> Result<(), LimitReached> {
        self.limits.stopped().map_or(Ok(()), |_| Err(LimitReached))
    }

    /// The registers that the sums start from: those of C, or zeros.
    pub(super) fn start(&self, signature: &Signature) -> ColumnData {
        let mut state = ColumnData::new(&signature.c);
        for row in self.rows.clone() {
            for product in self.products {
                match product.c() {
                    None => state.repeat(0, self.columns.len()),
                    Some(c) => c.copy_along(row, self.columns.clone(), &mut state),
                }
            }
        }
        state
    }

    /// The same part of a product of other factors.
    pub(super) fn of_factors(&self, factors: [Rc<Vec<ColumnData>>; 2]) -> TilePart<'x> {
        TilePart {
            products: self.products,
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            limits: self.limits,
            factors: Some(factors),
        }
    }

    /// Appends registers of one kind of operand at one place of k, of every product in turn.
    fn copy(&self, row: &OperandRow, k: usize, all: &mut ColumnData) {
        let side = usize::from(side_of(row.operand) == Side::Right);
        if let Some(factors) = &self.factors {
            let heights = [self.rows.len(), self.columns.len()];
            match factors[side].get(k) {
                Some(column) => all.copy(column, 0..column.len()),
                None => all.repeat(row.plain, self.products.len() * heights[side]),
            }
            return;
        }
        let outer = [&self.rows, &self.columns][side];
        for product in self.products {
            product.copy(row, k, outer.clone(), all);
        }
    }

    /// The operands of one side (A or B) for the products at these places of k, one column for each
    /// operand: factors first, then scales. If the places are those of several dot-adds, the registers of
    /// the first are followed by those of the next.
    pub(super) fn side(
        &self,
        signature: &Signature,
        side: Side,
        places: &[usize],
    ) -> Vec<ColumnData> {
        let block = signature.scales.map_or(1, |scales| scales.block as usize);
        let column = |(row, number): (OperandRow, usize)| {
            let mut all = ColumnData::new(&row.format);
            for places in places.chunks(signature.products as usize) {
                let k = match row.operand {
                    Operand::AScales | Operand::BScales => places[number * block] / block,
                    _ => places[number],
                };
                self.copy(&row, k, &mut all);
            }
            all
        };
        rows_of(signature, side)
            .flat_map(|row| (0..row.length).map(move |number| (row, number)))
            .map(column)
            .collect()
    }

    /// For every element, the scale of its row of A or of its column of B with the number `place`.
    pub(super) fn spread(
        &self,
        signature: &Signature,
        operand: Operand,
        place: usize,
    ) -> ColumnData {
        let Some(row) = signature.row(operand) else {
            return ColumnData::U32(Vec::new());
        };
        let mut all = ColumnData::new(&row.format);
        let mut scales = ColumnData::new(&row.format);
        self.copy(&row, place, &mut scales);
        let (columns, width) = (self.columns.len(), self.width());
        for row in 0..self.rows.len() {
            match side_of(operand) {
                Side::Left => self.lefts(row..row + 1).for_each(|left| {
                    all.repeat(scales.get(left.start), columns);
                }),
                _ => all.copy(&scales, 0..width),
            }
        }
        all
    }
}

fn rows_of(signature: &Signature, side: Side) -> impl Iterator<Item = OperandRow> + use<> {
    let signature = *signature;
    let rows = Operand::ALL.into_iter();
    let rows = rows.filter_map(move |operand| signature.row(operand));
    rows.filter(move |row| side_of(row.operand) == side)
}

/// Whether an operand in a part of the columns of a side is an infinity or a NaN.
pub(super) fn has_special(
    signature: &Signature,
    side: Side,
    columns: &[ColumnData],
    part: Range<usize>,
) -> bool {
    let formats =
        rows_of(signature, side).flat_map(|row| std::iter::repeat_n(row.format, row.length));
    let mut all = formats.zip(columns);
    all.any(|(format, column)| column.has_special(&format, part.clone()))
}
