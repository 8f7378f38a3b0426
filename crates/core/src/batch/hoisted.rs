//! Programs for products of matrices. Values that depend on left factors alone are computed once
//! for each row of A, values that depend on right factors alone once for each column of B, and the
//! rest for each element.

use super::column_data::ColumnData;
use super::compile::{OperandClass, tape};
use super::exact_sum::exact_tape;
use super::prepared::{Links, PreparedSide};
use super::rest::Rest;
use crate::machines::algorithms::{Operand, Signature};
use crate::machines::model::Model;
use mmasmt_columns::tape::{
    Features, KeptColumns, LANES, LinkElements, LinkPanel, LinkProgram, Purpose, Side, Sides, Tape,
    TapeProgram,
};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The programs of one model, either for any operands or for finite ones.
#[derive(Clone)]
pub struct SidePrograms {
    features: Features,
    /// The program of the left factors and their scales, in which each lane is a row of A, and the
    /// program of the right factors and their scales, in which each lane is a column of B.
    sides: [TapeProgram; 2],
    /// The two programs that compute the elements of the result: the first if the lanes of a block
    /// belong to several rows of A, the second if they all belong to one row.
    rests: [Rest; 2],
    /// The links that the second of these is, if it is a chain of links and this processor has
    /// registers for them.
    links: Option<Arc<Links>>,
    /// Whether all lanes belong to one row of A.
    is_one_row: bool,
    /// The position of `c` among the inputs.
    accumulator: usize,
    /// For each side, whether the last result of its program is a guard.
    has_guard: [bool; 2],
    /// Whether the guard of the right side holds for a prepared column of B.
    is_right_guarded: bool,
    /// The number of columns of the side that was prepared last.
    count: usize,
}

impl SidePrograms {
    /// The programs of the model, each faster than the one before: for any operands, for finite
    /// ones, and (if there is such a program) for finite ones that its guards let pass. `None` if
    /// the model needs wider words than programs have, or has too many products.
    pub fn all(model: &Model) -> Option<Vec<SidePrograms>> {
        Self::all_for(model, Features::detected())
    }

    /// The same programs for fewer features than the processor may have, for comparisons.
    pub fn all_for(model: &Model, features: Features) -> Option<Vec<SidePrograms>> {
        let signature = model.signature();
        let sides: Vec<Side> = sides_of(&signature).collect();
        let host = features.host_operations();
        let purpose = Purpose::Split {
            sides: &sides,
            has_guards: false,
            for_links: false,
        };
        if let Some(tape) = exact_tape(model, host, purpose) {
            return Some(vec![Self::of_tape(&tape, &sides, features)?]);
        }
        let of = |operands, has_guards, for_links| {
            let purpose = Purpose::Split {
                sides: &sides,
                has_guards,
                for_links,
            };
            tape(model, operands, host, purpose)
        };
        // Links give up at infinities and NaNs.
        let any = of(OperandClass::Any, false, false)?;
        let any = Self::of_tape(&any, &sides, features)?.without_links();
        let finite = of(OperandClass::Finite, false, false)?;
        let may_be_links = finite.has_short_sums()
            && LinkPanel::can_run(features)
            && [signature.c, signature.d].map(|format| format.width()) == [u32::BITS; 2];
        let guarded = [OperandClass::Finite, OperandClass::Ordinary]
            .into_iter()
            .filter_map(|operands| of(operands, true, false))
            .find(|tape| !tape.guards.is_empty() && tape.has_sums_of_reals());
        let tapes = std::iter::once(finite).chain(guarded);
        let others = tapes.map(|tape| Self::of_tape(&tape, &sides, features));
        let programs = std::iter::once(Some(any)).chain(others);
        let mut programs = programs.collect::<Option<Vec<_>>>()?;
        if may_be_links && !programs.last().is_some_and(Self::has_links) {
            let linked = [OperandClass::Finite, OperandClass::Ordinary].into_iter();
            let mut linked = linked.filter_map(|operands| of(operands, true, true));
            programs.extend(linked.find_map(|tape| Self::of_links(&tape, &sides, features, true)));
        }
        Some(programs)
    }

    fn of_tape(tape: &Tape, sides: &[Side], features: Features) -> Option<SidePrograms> {
        Self::of_links(tape, sides, features, false)
    }

    /// The programs of a tape, which may have to be links.
    fn of_links(
        tape: &Tape,
        sides: &[Side],
        features: Features,
        has_to_be: bool,
    ) -> Option<SidePrograms> {
        let accumulator = sides.iter().position(|side| *side == Side::Neither)?;
        let split = tape.split(|input| sides[input])?;
        let [left, right] = &split.sides;
        let first = tape.inputs;
        let rest = split.rest.fused();
        let count = left.results.len() - usize::from(split.has_guard[0]);
        let links = LinkPanel::can_run(features)
            .then(|| LinkProgram::of(&rest, accumulator, [first, count]))
            .flatten();
        if has_to_be && links.is_none() {
            return None;
        }
        let sides = [
            TapeProgram::new(&left.fused(), features)?,
            TapeProgram::new(&right.fused(), features)?,
        ];
        let borders = [0, 1].map(|side: usize| {
            let results = sides[side].results();
            &results[..results.len() - usize::from(split.has_guard[side])]
        });
        let links = links.map(|program| {
            let [left, right] = borders;
            Arc::new(Links {
                program,
                places: borders.concat(),
                kept_places: [left, right].map(KeptColumns::places_of).concat(),
                lefts: left.len(),
            })
        });
        let lefts = first..first + borders[0].len();
        let (one_row, uniform) = rest.uniform(|input| lefts.contains(&input));
        let uniform = FxHashSet::from_iter(uniform);
        let none = FxHashSet::default();
        Some(SidePrograms {
            features,
            rests: [
                Rest::new(&rest, first, borders, &none, features)?,
                Rest::new(&one_row, first, borders, &uniform, features)?,
            ],
            links,
            sides,
            is_one_row: false,
            accumulator,
            has_guard: split.has_guard,
            is_right_guarded: false,
            count: 0,
        })
    }

    fn without_links(self) -> SidePrograms {
        SidePrograms {
            links: None,
            ..self
        }
    }

    /// Whether a program uses the processor's own operations on `f32` or `f64`.
    pub fn uses_host(&self) -> bool {
        self.rests[0].program.uses_host() || self.sides.iter().any(TapeProgram::uses_host)
    }

    /// Computes the values of both sides as [`prepare`](Self::prepare) does, and spreads them.
    pub fn prepare_both(
        &mut self,
        [a, b]: [&[ColumnData]; 2],
        signature: &Signature,
        is_one_row: bool,
    ) {
        self.prepare(Side::Left, a, signature);
        self.prepare(Side::Right, b, signature);
        self.spread(is_one_row);
    }

    /// Computes the values that depend on one side alone. The columns hold the factors and then the
    /// scales of that side, with one register for each row of A or column of B, at most [`LANES`].
    /// The right side is prepared last, before [`spread`](Self::spread).
    pub fn prepare(&mut self, side: Side, columns: &[ColumnData], signature: &Signature) {
        let number = usize::from(side == Side::Right);
        let program = &mut self.sides[number];
        let inputs = sides_of(signature).enumerate();
        let inputs = inputs.filter(|(_, of)| *of == side);
        for ((input, _), column) in inputs.zip(columns) {
            if let Some(place) = program.input(input) {
                column.load(program, place, 0..column.len());
            }
        }
        program.run();
        let count = columns.first().map_or(LANES, ColumnData::len);
        if side == Side::Right {
            self.is_right_guarded = (0..count).any(|lane| self.is_guarded(number, lane));
        }
        self.count = count;
    }

    /// Gives the values of the right side, which was prepared last, to the program for the elements,
    /// which keeps them for all rows of A. `is_one_row` says that all lanes belong to one row.
    pub fn spread(&mut self, is_one_row: bool) {
        self.is_one_row = is_one_row;
        let rest = &mut self.rests[usize::from(is_one_row)];
        for [from, to] in &rest.rights {
            rest.program.repeat(*to, &self.sides[1], *from, self.count);
        }
    }

    /// Whether the programs are right for these prepared rows of A and the prepared columns of B,
    /// which are finite.
    pub fn is_right_for(&self, mut rows: Range<usize>) -> bool {
        !self.is_right_guarded && !rows.any(|row| self.is_guarded(0, row))
    }

    /// Whether the guard of a side holds in a lane.
    fn is_guarded(&self, side: usize, lane: usize) -> bool {
        let guard = self.sides[side].results().last();
        let guard = guard.filter(|_| self.has_guard[side]);
        guard.is_some_and(|guard| self.sides[side].lane(*guard, lane) != 0)
    }

    /// The values of the first `count` rows or columns of a side that links read, which were prepared
    /// last; `None` without links.
    pub fn prepared(&self, side: Side, count: usize) -> Option<PreparedSide> {
        let links = self.links.as_ref()?;
        let (left, right) = links.places.split_at(links.lefts);
        let (number, places) = match side {
            Side::Right => (1, right),
            _ => (0, left),
        };
        let columns = KeptColumns::of(&self.sides[number], places);
        let guarded = (0..count).map(|lane| self.is_guarded(number, lane));
        Some(PreparedSide::new(columns, guarded.collect()))
    }

    /// Whether [`run_rows`](Self::run_rows) may be called.
    pub fn has_links(&self) -> bool {
        self.links.is_some()
    }

    /// Computes all elements of prepared rows of A by links, from the registers of `c` at the positions
    /// `part`, into the same positions of `results`. Where a link gives up, because an infinity, a NaN
    /// or an unusual exponent comes up, the row is noted in `open`, and its results have no meaning.
    pub fn run_rows(
        &self,
        rows: Range<usize>,
        c: &ColumnData,
        part: Range<usize>,
        results: &mut ColumnData,
        open: &mut [bool],
    ) {
        let Some(links) = &self.links else {
            debug_assert!(false, "no links");
            return;
        };
        let sides = Sides::of(self.sides.each_ref(), &links.places);
        self.run_links(links, sides, [rows, part], self.count, (c, results, open));
    }

    /// The same with sides that were kept: some rows of the left one by all columns of the right one.
    pub fn run_kept(
        &self,
        (left, rows): (&PreparedSide, Range<usize>),
        right: &PreparedSide,
        (c, results, open): (&ColumnData, &mut ColumnData, &mut [bool]),
    ) {
        let Some(links) = &self.links else {
            debug_assert!(false, "no links");
            return;
        };
        let sides = Sides::of_kept([&left.columns, &right.columns], &links.kept_places);
        let width = right.count();
        let part = 0..rows.len() * width;
        self.run_links(links, sides, [rows, part], width, (c, results, open));
    }

    fn run_links(
        &self,
        links: &Links,
        sides: Sides<'_>,
        [rows, part]: [Range<usize>; 2],
        width: usize,
        (c, results, open): (&ColumnData, &mut ColumnData, &mut [bool]),
    ) {
        let (ColumnData::U32(c), ColumnData::U32(d)) = (c, results) else {
            debug_assert!(false, "links of other results");
            return;
        };
        let panel = LinkPanel {
            links: &links.program,
            sides,
        };
        let elements = LinkElements {
            rows,
            width,
            c: &c[part.clone()],
            d: &mut d[part],
            open,
        };
        panel.run(self.features, elements);
    }

    /// Copies the values that were computed for a row of A into the lanes `lanes`. `row` is the
    /// position of this row among the prepared rows.
    pub fn take_row(&mut self, row: usize, lanes: Range<usize>) {
        let left = &self.sides[0];
        let rest = &mut self.rests[usize::from(self.is_one_row)];
        rest.program.take_lanes(&rest.copies, left, row);
        for [from, to] in &rest.fills {
            let value = left.lane(*from, row);
            rest.program.fill(self.features, *to, lanes.clone(), value);
        }
    }

    /// Computes one element of the result for each register of `c` at the positions `part`, and
    /// puts the elements into the same positions of `results`.
    pub fn run(&mut self, c: &ColumnData, part: Range<usize>, results: &mut ColumnData) {
        let program = &mut self.rests[usize::from(self.is_one_row)].program;
        if let Some(place) = program.input(self.accumulator) {
            c.load(program, place, part.clone());
        }
        program.run();
        results.put(program, program.results()[0], part);
    }
}

/// The side of every register of a dot-add, in the order of
/// [`Registers::each`](crate::machines::algorithms::Registers::each).
pub(super) fn sides_of(signature: &Signature) -> impl Iterator<Item = Side> {
    let rows = signature.rows();
    rows.flat_map(|row| std::iter::repeat_n(side_of(row.operand), row.length))
}

/// The side of a product of matrices that an operand belongs to.
pub fn side_of(operand: Operand) -> Side {
    match operand {
        Operand::A | Operand::AScales => Side::Left,
        Operand::B | Operand::BScales => Side::Right,
        Operand::C => Side::Neither,
    }
}
