//! Calculations of the processor beside a unit, on columns of registers.

use super::column_data::ColumnData;
use crate::machines::algorithms::Stages;
use crate::machines::sums::Calculation;
use mmasmt_columns::tape::{Features, LANES, Purpose, Tape, TapeProgram, host_is_ieee};
use mmasmt_numbers::bits::ranged::{self, CAPACITY};
use mmasmt_numbers::bits::{Bv, Concrete, HostOperations, MixedBits, Shape, widest};
use mmasmt_numbers::float::NanCode;

/// Does one calculation on columns of registers.
#[derive(Clone)]
pub struct Calculator {
    calculation: Calculation,
    nan: NanCode,
    /// `None` if the calculation needs wider words than a program has.
    program: Option<TapeProgram>,
}

impl Calculator {
    /// Does this calculation; a NaN that it makes has the code `nan`.
    pub fn new(calculation: Calculation, nan: NanCode) -> Calculator {
        Calculator {
            calculation,
            nan,
            program: program(calculation, nan),
        }
    }

    /// The calculation.
    pub fn calculation(&self) -> &Calculation {
        &self.calculation
    }

    /// Appends the results to `results`: one for each position of the operands' columns, which are
    /// as many as the calculation has operands, and equally long.
    pub fn run(&mut self, operands: &[&ColumnData], results: &mut ColumnData) {
        let count = operands.first().map_or(0, |column| column.len());
        for start in (0..count).step_by(LANES) {
            let part = start..count.min(start + LANES);
            match &mut self.program {
                Some(program) => {
                    for (input, column) in operands.iter().enumerate() {
                        if let Some(place) = program.input(input) {
                            column.load(program, place, part.clone());
                        }
                    }
                    program.run();
                    results.store(program, program.results()[0], part.len());
                }
                None => results.extend(part.map(|place| {
                    let registers = operands.iter().map(|column| column.get(place));
                    one(self.calculation, self.nan, registers)
                })),
            }
        }
    }
}

/// The result of the calculation for one register of each operand.
fn one(calculation: Calculation, nan: NanCode, registers: impl Iterator<Item = u64>) -> u64 {
    let width = calculation.format.width();
    let registers: Vec<MixedBits> = registers.map(|bits| MixedBits::lit(width, bits)).collect();
    result(calculation, nan, &registers).to_u64()
}

fn result<B: Bv>(calculation: Calculation, nan: NanCode, registers: &[B]) -> B {
    let operands: Vec<&B> = registers.iter().collect();
    calculation.of(("", None), nan, &operands, &mut Stages::forgotten())
}

fn program(calculation: Calculation, nan: NanCode) -> Option<TapeProgram> {
    let (width, count) = (calculation.format.width(), calculation.operation.operands());
    let shapes: Vec<Shape> = (0..count).map(|_| Shape::lit(width, 0)).collect();
    let needed = widest(|| {
        result(calculation, nan, &shapes);
    });
    if needed > CAPACITY {
        return None;
    }
    let inputs = ranged::RangedInputs::with_host(host_operations());
    let registers: Vec<_> = (0..count).map(|_| inputs.input(width)).collect();
    let d = inputs.node_of(&result(calculation, nan, &registers));
    let tape = Tape::made_for(Purpose::Whole, &inputs.graph(), &[d])?;
    TapeProgram::new(&tape.fused(), Features::detected())
}

/// The operations that programs may leave to the processor, as it is set now.
pub(super) fn host_operations() -> HostOperations {
    match host_is_ieee() {
        true => Features::detected().host_operations(),
        false => HostOperations::None,
    }
}
