//! Programs for products of matrices. Values that depend on left factors alone are computed once
//! for each row of A, values that depend on right factors alone once for each column of B, and the
//! rest for each element.

use super::column_data::ColumnData;
use super::compile::{Operands, tape};
use crate::columns::tape::{Features, LANES, Place, Program, Purpose, Side, Tape};
use crate::machines::algorithms::{Operand, Signature};
use crate::machines::model::Model;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The programs of one model, either for any operands or for finite ones.
#[derive(Clone)]
pub struct Hoisted {
    features: Features,
    /// The program of the left factors and their scales, in which each lane is a row of A, and the
    /// program of the right factors and their scales, in which each lane is a column of B.
    sides: [Program; 2],
    /// The two programs that compute the elements of the result: the first if the lanes of a block
    /// belong to several rows of A, the second if they all belong to one row.
    rests: [Rest; 2],
    /// Whether all lanes belong to one row of A.
    is_one_row: bool,
    /// The position of `c` among the inputs.
    accumulator: usize,
}

/// The program that computes the elements of the result from `c` and from the results of the
/// programs of the two sides.
#[derive(Clone)]
struct Rest {
    program: Program,
    /// The places of the inputs that are results of the left side, and of the inputs that are
    /// results of the right side. A place is `None` if the program does not need the input.
    borders: [Vec<Option<Place>>; 2],
    /// For each input from the left side, whether only its first lane is read.
    is_uniform: Vec<bool>,
}

impl Rest {
    /// The program of a tape. The inputs numbered `left` come from the left side, those numbered
    /// `right` from the right side. Of the inputs in `uniform`, only the first lane is read.
    fn new(
        tape: &Tape,
        [left, right]: [Range<usize>; 2],
        uniform: &FxHashSet<usize>,
        features: Features,
    ) -> Option<Rest> {
        let program = Program::new(tape, features)?;
        let of = |inputs: Range<usize>| inputs.map(|input| program.input(input)).collect();
        Some(Rest {
            borders: [of(left.clone()), of(right)],
            is_uniform: left.map(|input| uniform.contains(&input)).collect(),
            program,
        })
    }
}

impl Hoisted {
    /// Programs for any operands, and for finite ones; `None` if the model needs wider words than
    /// programs have, or has too many products.
    pub fn both(model: &Model) -> Option<[Hoisted; 2]> {
        let features = Features::detected();
        let host = features.host_operations();
        let of = |operands| {
            let tape = tape(model, operands, host, Purpose::Split)?;
            Self::of_tape(&tape, &model.signature(), features)
        };
        Some([of(Operands::Any)?, of(Operands::Finite)?])
    }

    fn of_tape(tape: &Tape, signature: &Signature, features: Features) -> Option<Hoisted> {
        let sides: Vec<Side> = signature
            .rows()
            .flat_map(|row| std::iter::repeat_n(side_of(row.operand), row.length))
            .collect();
        let accumulator = sides.iter().position(|side| *side == Side::Neither)?;
        let split = tape.split(|input| sides[input])?;
        let [left, right] = &split.sides;
        let first = tape.inputs..tape.inputs + left.results.len();
        let second = first.end..first.end + right.results.len();
        let rest = split.rest.fused();
        let (one_row, uniform) = rest.uniform(|input| first.contains(&input));
        let uniform = FxHashSet::from_iter(uniform);
        let borders = [first, second];
        Some(Hoisted {
            features,
            sides: [
                Program::new(&left.fused(), features)?,
                Program::new(&right.fused(), features)?,
            ],
            rests: [
                Rest::new(&rest, borders.clone(), &FxHashSet::default(), features)?,
                Rest::new(&one_row, borders, &uniform, features)?,
            ],
            is_one_row: false,
            accumulator,
        })
    }

    /// Whether a program uses the processor's own operations on `f32` or `f64`.
    pub fn uses_host(&self) -> bool {
        self.rests[0].program.uses_host() || self.sides.iter().any(Program::uses_host)
    }

    /// Computes the values that depend on one side alone. The columns hold the factors and then the
    /// scales of that side, with one register for each row of A or column of B, at most [`LANES`].
    /// The right side is prepared last.
    pub fn prepare(&mut self, side: Side, columns: &[ColumnData], signature: &Signature) {
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
        // The values of B are the same for all rows of A, so the program for the elements keeps
        // them.
        if side == Side::Right {
            let count = columns.first().map_or(LANES, ColumnData::len);
            self.is_one_row = LANES / count.max(1) <= 1;
            let rest = &mut self.rests[usize::from(self.is_one_row)];
            for (result, place) in program.results().iter().zip(&rest.borders[1]) {
                if let Some(place) = place {
                    rest.program.repeat(*place, program, *result, count);
                }
            }
        }
    }

    /// Copies the values that were computed for a row of A into the lanes `lanes`. `row` is the
    /// position of this row among the prepared rows.
    pub fn take_row(&mut self, row: usize, lanes: Range<usize>) {
        let left = &self.sides[0];
        let rest = &mut self.rests[usize::from(self.is_one_row)];
        let inputs = rest.borders[0].iter().zip(&rest.is_uniform);
        for (result, (place, is_uniform)) in left.results().iter().zip(inputs) {
            match place {
                Some(place) if *is_uniform => rest.program.take_lane(*place, left, *result, row),
                Some(place) => {
                    let value = left.lane(*result, row);
                    let lanes = lanes.clone();
                    rest.program.fill(self.features, *place, lanes, value);
                }
                None => {}
            }
        }
    }

    /// Computes one element of the result for each register of `c` at the positions `part`, and
    /// appends the elements to `results`.
    pub fn run(&mut self, c: &ColumnData, part: Range<usize>, results: &mut ColumnData) {
        let count = part.len();
        let program = &mut self.rests[usize::from(self.is_one_row)].program;
        if let Some(place) = program.input(self.accumulator) {
            c.load(program, place, part);
        }
        program.run();
        results.store(program, program.results()[0], count);
    }
}

fn side_of(operand: Operand) -> Side {
    match operand {
        Operand::A | Operand::AScales => Side::Left,
        Operand::B | Operand::BScales => Side::Right,
        Operand::C => Side::Neither,
    }
}
