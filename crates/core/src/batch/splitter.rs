//! Splitting of numbers into parts, on columns of registers.

use super::calculator::host_operations;
use super::column_data::ColumnData;
use crate::machines::algorithms::{Core, Stages};
use crate::machines::sums::{PartRounding, Splitting};
use mmasmt_columns::tape::{Features, LANES, Purpose, Tape, TapeProgram};
use mmasmt_numbers::bits::ranged;
use mmasmt_numbers::bits::{Bv, Concrete, MixedBits};
use mmasmt_numbers::float::{Format, NanCode};

/// Splits columns of f32 registers into parts.
#[derive(Clone)]
pub struct Splitter {
    format: Format,
    parts: Vec<(&'static str, PartRounding)>,
    scale: i32,
    nan: NanCode,
    program: Option<TapeProgram>,
}

impl Splitter {
    /// Splits as `splitting` says; a NaN that is made has the code `nan`.
    pub fn new(splitting: &Splitting<'_>, nan: NanCode) -> Splitter {
        let inputs = ranged::RangedInputs::with_host(host_operations());
        let parts = parts(splitting, nan, &inputs.input(Format::F32.width()));
        let results: Vec<_> = parts.iter().map(|part| inputs.node_of(part)).collect();
        let tape = Tape::made_for(Purpose::Whole, &inputs.graph(), &results);
        Splitter {
            format: splitting.format,
            parts: splitting.parts.to_vec(),
            scale: splitting.scale,
            nan,
            program: tape.and_then(|tape| TapeProgram::new(&tape.fused(), Features::detected())),
        }
    }

    /// The splitting.
    pub fn splitting(&self) -> Splitting<'_> {
        Splitting {
            format: self.format,
            parts: &self.parts,
            scale: self.scale,
        }
    }

    /// The parts of the numbers of a column: a column for each part.
    pub fn run(&mut self, column: &ColumnData) -> Vec<ColumnData> {
        let mut found = vec![ColumnData::new(&self.format); self.parts.len()];
        for start in (0..column.len()).step_by(LANES) {
            let part = start..column.len().min(start + LANES);
            match &mut self.program {
                Some(program) => {
                    if let Some(place) = program.input(0) {
                        column.load(program, place, part.clone());
                    }
                    program.run();
                    for (found, place) in found.iter_mut().zip(program.results()) {
                        found.store(program, *place, part.len());
                    }
                }
                None => part.for_each(|place| {
                    let number = MixedBits::lit(Format::F32.width(), column.get(place));
                    let parts = parts(&self.splitting(), self.nan, &number);
                    let found = found.iter_mut().zip(&parts);
                    found.for_each(|(found, part)| found.push(part.to_u64()));
                }),
            }
        }
        found
    }
}

fn parts<B: Bv>(splitting: &Splitting<'_>, nan: NanCode, number: &B) -> Vec<B> {
    let mut stages = Stages::forgotten();
    let mut core = Core {
        format: Format::F32,
        nan,
        stages: &mut stages,
    };
    splitting.of(&mut core, 0, number)
}
