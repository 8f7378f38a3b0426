//! Sums of the elements of a part of a product, along k: chains of a unit's dot-adds, and the
//! compositions around them.

use super::tile::{LimitReached, TilePart};
use super::worker::Worker;
use mmasmt_columns::tape::Side;
use mmasmt_core::batch::{Calculator, ColumnData, Splitter};
use mmasmt_core::machines::algorithms::ValueLabel;
use mmasmt_core::machines::algorithms::{DotAdd, Operand, Signature};
use mmasmt_core::machines::compositions::CompositionKind;
use mmasmt_core::machines::model::Algorithm;
use mmasmt_core::machines::sums::Splitting;
use mmasmt_core::machines::sums::{Calculation, Sums};
use mmasmt_numbers::float::{Format, NanCode};
use std::ops::Range;
use std::rc::Rc;

/// A place beyond the end of k: its factors are zeros.
const PADDING: usize = usize::MAX;

/// Sums the elements of parts of products; every thread has one of its own.
#[derive(Clone)]
pub(super) enum Summation<'m> {
    /// A chain of dot-adds of a unit.
    Chain(Box<SummationChain<'m>>),
    /// A composition around what its unit sums.
    Composition(Box<CompositionSum<'m>>),
}

/// A unit whose dot-adds continue from each other.
#[derive(Clone)]
pub(super) struct SummationChain<'m> {
    /// Evaluates the dot-adds.
    worker: Worker<'m>,
    /// The signature of the unit.
    signature: Signature,
    /// Memory for the next results.
    spare: Option<ColumnData>,
}

/// A composition, and what it needs to compute.
#[derive(Clone)]
pub(super) struct CompositionSum<'m> {
    kind: CompositionKind,
    signature: Signature,
    /// The signature and the code of a NaN of the unit.
    of_unit: (Signature, NanCode),
    unit: Summation<'m>,
    calculators: Vec<Calculator>,
    splitters: Vec<Splitter>,
}

impl<'m> Summation<'m> {
    /// The sums of `algorithm`, whose innermost unit the worker evaluates.
    pub(super) fn new(algorithm: &Algorithm, worker: Worker<'m>) -> Self {
        match algorithm {
            Algorithm::Composition(composition) if !composition.kind().depends_on_rows() => {
                let unit = composition.unit();
                Summation::Composition(Box::new(CompositionSum {
                    kind: composition.kind().clone(),
                    signature: composition.signature(),
                    of_unit: (unit.signature(), unit.nan()),
                    unit: Summation::new(unit, worker),
                    calculators: Vec::new(),
                    splitters: Vec::new(),
                }))
            }
            _ => Summation::Chain(Box::new(SummationChain {
                worker,
                signature: algorithm.signature(),
                spare: None,
            })),
        }
    }

    fn signature(&self) -> &Signature {
        match self {
            Summation::Chain(chain) => &chain.signature,
            Summation::Composition(composition) => &composition.signature,
        }
    }

    /// The registers of all elements of `part`, row by row, if each sum begins at its register of
    /// `c` and takes the products at these places of k, in this order.
    pub(super) fn sum(
        &mut self,
        part: &TilePart<'_>,
        places: &[usize],
        c: ColumnData,
    ) -> Result<ColumnData, LimitReached> {
        let step = self.signature().products as usize;
        let mut d = c;
        for run in places.chunks(step) {
            part.go_on()?;
            let mut run = run.to_vec();
            run.resize(step, PADDING);
            d = match self {
                Summation::Composition(composition) => composition.run(part, &run, d)?,
                Summation::Chain(chain) => chain.run(part, &run, d),
            };
        }
        Ok(d)
    }
}

impl SummationChain<'_> {
    /// One dot-add of the unit. The memory of `c` is used again by the next results.
    fn run(&mut self, part: &TilePart<'_>, places: &[usize], c: ColumnData) -> ColumnData {
        let spare = self.spare.take();
        let mut d = spare.unwrap_or_else(|| ColumnData::new(&self.signature.d));
        self.worker
            .evaluate(part, &self.signature, places, &c, &mut d);
        self.spare = (self.signature.c == self.signature.d).then_some(c);
        d
    }
}

impl CompositionSum<'_> {
    /// One dot-add of the composition.
    fn run(
        &mut self,
        part: &TilePart<'_>,
        places: &[usize],
        c: ColumnData,
    ) -> Result<ColumnData, LimitReached> {
        let (kind, signature) = (self.kind.clone(), self.of_unit.0);
        let mut on = PartSums {
            composition: self,
            part,
            places,
            c: &c,
        };
        // A composition whose factors depend on rows is a unit here, so that there is a sum.
        Ok(kind.sum(&signature, &mut on)?.unwrap_or(c))
    }
}

/// One dot-add of a composition for every element of a part.
struct PartSums<'x, 'm> {
    composition: &'x mut CompositionSum<'m>,
    part: &'x TilePart<'x>,
    places: &'x [usize],
    c: &'x ColumnData,
}

/// The factors of one side.
enum Row {
    /// Those of the matrices.
    Of(Side),
    /// These parts of them, a column for each product.
    Parts(Rc<Vec<ColumnData>>),
}

impl PartSums<'_, '_> {
    /// The columns of a row of factors.
    fn columns(&self, row: &Row) -> Rc<Vec<ColumnData>> {
        match row {
            Row::Of(side) => Rc::new(self.part.side(
                &self.composition.signature,
                *side,
                self.places,
            )),
            Row::Parts(columns) => Rc::clone(columns),
        }
    }
}

impl Sums for PartSums<'_, '_> {
    type Sum = ColumnData;
    type Row = Row;
    type Stop = LimitReached;

    fn count(&self) -> usize {
        self.places.len()
    }

    fn c(&mut self) -> Result<ColumnData, LimitReached> {
        Ok(self.c.clone())
    }

    fn scales(&mut self, index: usize) -> Result<[ColumnData; 2], LimitReached> {
        let signature = &self.composition.signature;
        let block = signature.scales.map_or(1, |scales| scales.block as usize);
        let place = self.places[index * block] / block;
        let of = |operand| self.part.spread(signature, operand, place);
        Ok([of(Operand::AScales), of(Operand::BScales)])
    }

    fn constant(&mut self, format: Format, register: u64) -> Result<ColumnData, LimitReached> {
        let mut column = ColumnData::new(&format);
        column.repeat(register, self.part.elements());
        Ok(column)
    }

    fn run(&mut self, products: &[usize], c: ColumnData) -> Result<ColumnData, LimitReached> {
        let places: Vec<usize> = products.iter().map(|number| self.places[*number]).collect();
        self.composition.unit.sum(self.part, &places, c)
    }

    fn factors(&mut self) -> Result<[Row; 2], LimitReached> {
        Ok([Row::Of(Side::Left), Row::Of(Side::Right)])
    }

    fn split(&mut self, splitting: &Splitting<'_>, row: &Row) -> Result<Vec<Row>, LimitReached> {
        let numbers = self.columns(row);
        let nan = self.composition.of_unit.1;
        let all = &mut self.composition.splitters;
        let known = all.iter().position(|one| one.splitting() == *splitting);
        let place = known.unwrap_or_else(|| {
            all.push(Splitter::new(splitting, nan));
            all.len() - 1
        });
        let splitter = &mut all[place];
        let mut parts = vec![Vec::with_capacity(numbers.len()); splitting.parts.len()];
        for column in numbers.iter() {
            self.part.go_on()?;
            let found = splitter.run(column);
            parts
                .iter_mut()
                .zip(found)
                .for_each(|(row, part)| row.push(part));
        }
        let row = |columns| Row::Parts(Rc::new(columns));
        Ok(parts.into_iter().map(row).collect())
    }

    fn run_rows(
        &mut self,
        rows: [&Row; 2],
        places: Range<usize>,
        c: ColumnData,
    ) -> Result<ColumnData, LimitReached> {
        let factors = rows.map(|row| self.columns(row));
        let places: Vec<usize> = places.collect();
        self.composition
            .unit
            .sum(&self.part.of_factors(factors), &places, c)
    }

    fn note(&mut self, _: ValueLabel, _: Format, _: &ColumnData) {}

    fn calculate(
        &mut self,
        _: ValueLabel,
        calculation: Calculation,
        operands: &[&ColumnData],
    ) -> Result<ColumnData, LimitReached> {
        let all = &mut self.composition.calculators;
        let known = all.iter().position(|one| *one.calculation() == calculation);
        let place = known.unwrap_or_else(|| {
            all.push(Calculator::new(calculation, self.composition.of_unit.1));
            all.len() - 1
        });
        let mut results = ColumnData::new(&calculation.result());
        all[place].run(operands, &mut results);
        Ok(results)
    }
}
