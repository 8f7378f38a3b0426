//! Programs for products of matrices: what depends on left factors alone is computed once for each row of A, what
//! depends on right factors alone once for each column of B, and the rest for each element.

use super::columns::ColumnData;
use super::compile::{Operands, tape};
use crate::algorithms::{Operand, Signature};
use crate::model::Model;
use crate::tape::{Features, LANES, Place, Program, Side, Tape};
use std::ops::Range;

/// Programs of one model for one kind of operands.
#[derive(Clone)]
pub(crate) struct Hoisted {
    features: Features,
    /// Of left factors and their scales, lanes are rows of A; of right ones, lanes are columns of B.
    sides: [Program; 2],
    rest: Program,
    /// Inputs of the rest that are results of the left side, then those of the right one.
    borders: [Vec<Option<Place>>; 2],
    /// The position of `c` among the inputs.
    accumulator: usize,
}

impl Hoisted {
    /// Programs for any operands, and for finite ones. None if the model needs wider words than programs have.
    pub(crate) fn both(model: &Model) -> Option<[Hoisted; 2]> {
        let features = Features::detected();
        let host = features.host_operations();
        let of =
            |operands| Self::of_tape(&tape(model, operands, host)?, &model.signature(), features);
        Some([of(Operands::Any)?, of(Operands::Finite)?])
    }

    fn of_tape(tape: &Tape, signature: &Signature, features: Features) -> Option<Hoisted> {
        let sides: Vec<Side> = signature
            .rows()
            .flat_map(|row| std::iter::repeat_n(side_of(row.operand), row.length))
            .collect();
        let accumulator = sides.iter().position(|side| *side == Side::Neither)?;
        let split = tape.split(|input| sides[input])?;
        let rest = Program::new(&split.rest, features)?;
        let [left, right] = &split.sides;
        let first = tape.inputs..tape.inputs + left.results.len();
        let second = first.end..first.end + right.results.len();
        let borders = [first, second].map(|inputs| inputs.map(|input| rest.input(input)).collect());
        Some(Hoisted {
            features,
            sides: [
                Program::new(left, features)?,
                Program::new(right, features)?,
            ],
            rest,
            borders,
            accumulator,
        })
    }

    /// Whether a program asks the processor for operations on `f32` or `f64`.
    pub(crate) fn uses_host(&self) -> bool {
        self.rest.uses_host() || self.sides.iter().any(Program::uses_host)
    }

    /// Computes what depends on one side alone: factors and then scales, each a column with as many registers as there
    /// are rows of A or columns of B, at most [`LANES`].
    pub(crate) fn prepare(&mut self, side: Side, columns: &[ColumnData], signature: &Signature) {
        let number = usize::from(side == Side::Right);
        let program = &mut self.sides[number];
        let inputs = signature
            .rows()
            .flat_map(|row| std::iter::repeat_n(side_of(row.operand), row.length))
            .enumerate()
            .filter(|(_, of)| *of == side);
        for ((input, _), column) in inputs.zip(columns) {
            if let Some(place) = program.input(input) {
                column.load(program, place, 0..column.len());
            }
        }
        program.run();
        // What is the same for all rows of A stays in the rest.
        if side == Side::Right {
            let count = columns.first().map_or(LANES, ColumnData::len);
            for (result, place) in program.results().iter().zip(&self.borders[1]) {
                if let Some(place) = place {
                    self.rest.repeat(*place, program, *result, count);
                }
            }
        }
    }

    /// Takes the left side of a row of A, by its position among those that were prepared, for these lanes.
    pub(crate) fn take_row(&mut self, row: usize, lanes: Range<usize>) {
        let left = &self.sides[0];
        for (result, place) in left.results().iter().zip(&self.borders[0]) {
            if let Some(place) = place {
                let value = left.lane(*result, row);
                self.rest.fill(self.features, *place, lanes.clone(), value);
            }
        }
    }

    /// Computes the elements from a part of registers of `c`, a lane each, and appends them to `results`.
    pub(crate) fn run(&mut self, c: &ColumnData, part: Range<usize>, results: &mut ColumnData) {
        let count = part.len();
        if let Some(place) = self.rest.input(self.accumulator) {
            c.load(&mut self.rest, place, part);
        }
        self.rest.run();
        results.store(&self.rest, self.rest.results()[0], count);
    }
}

fn side_of(operand: Operand) -> Side {
    match operand {
        Operand::A | Operand::AScales => Side::Left,
        Operand::B | Operand::BScales => Side::Right,
        Operand::C => Side::Neither,
    }
}
