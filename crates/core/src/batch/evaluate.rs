//! Evaluation of a model on columns of operands: by a program if there are enough operands to make
//! one worthwhile, otherwise by the simulator.

use super::columns::Columns;
use super::compile::{OperandClass, tape};
use super::exact_sum::exact_tape;
use crate::machines::algorithms::{Inputs, Misfit, Signature};
use crate::machines::model::{Model, Simulator};
use mmasmt_columns::tape::{Features, LANES, Purpose, TapeProgram, Type, host_is_ieee};
use mmasmt_numbers::bits::HostOperations;
use std::ops::Range;

/// The work that the simulator does in the time that it takes to make the programs, in the unit of
/// [`counted`].
const MAKING: u64 = 200_000;

/// The most products of a dot-add that [`counted`] counts. If there are more products, making a
/// program takes longer in the same proportion as evaluating a dot-add.
const COUNTED: u32 = 16;

/// The work of one dot-add: the number of its products, plus 8 for everything else.
fn counted(signature: &Signature) -> u64 {
    u64::from(signature.products.min(COUNTED)) + 8
}

/// The number of blocks after a block with infinities or NaNs that are not tested, but assumed to
/// have infinities or NaNs too.
const TAKEN_FOR_SPECIAL: u32 = 15;

/// Evaluates one model on many inputs. The results are those of the simulator, bit for bit.
///
/// Programs take milliseconds to make. They are made when so many inputs have been evaluated that
/// making them is worthwhile, or by [`prepare`](Self::prepare). A clone shares the programs and may
/// run on another thread.
///
/// ```
/// use mmasmt_core::batch::Columns;
/// use mmasmt_core::machines::model::Model;
/// use mmasmt_core::machines::algorithms::Inputs;
///
/// let model = Model::parse("hopper/HMMA.16816.F32")?;
/// let signature = model.signature();
/// let mut columns = Columns::new(&signature);
/// for bits in 0..1000 {
///     let mut inputs = Inputs::zero(&signature);
///     (inputs.a[0], inputs.b[0]) = (bits, 0x3c00);
///     columns.push(&inputs)?;
/// }
/// let mut batch = model.batch();
/// assert!(batch.prepare());
/// assert_eq!(batch.instance(), "tape");
/// let results = batch.evaluate(&columns)?;
/// assert_eq!(results[7], model.simulator().evaluate(&columns.row(7))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Batch<'m> {
    model: &'m Model,
    signature: Signature,
    state: State,
    /// The number of coming blocks that are assumed to have infinities or NaNs.
    special: u32,
}

#[derive(Clone)]
enum State {
    /// The work that the simulator has done so far.
    Undecided(u64),
    /// Programs for any operands and for finite ones.
    Programs(Box<[TapeProgram; 2]>),
    /// The model needs wider words than programs have, or has too many products.
    TooWide,
}

impl Model {
    /// Evaluates many inputs at once.
    pub fn batch(&self) -> Batch<'_> {
        Batch {
            model: self,
            signature: self.signature(),
            state: State::Undecided(0),
            special: 0,
        }
    }
}

impl Batch<'_> {
    /// Makes the programs now. Returns whether the model can have programs.
    pub fn prepare(&mut self) -> bool {
        let features = Features::detected();
        self.prepare_for(features, features.host_operations())
    }

    /// Makes the programs if they are worthwhile for the evaluation of `rows` rows.
    pub fn prepare_for_rows(&mut self, rows: u64) {
        if rows.saturating_mul(counted(&self.signature)) > MAKING {
            self.prepare();
        }
    }

    /// Does the same as [`prepare`](Self::prepare), but may use fewer features than the processor
    /// has, for comparisons. IEEE 754 operations that are not among `host` are done in integers.
    pub fn prepare_for(&mut self, features: Features, host: HostOperations) -> bool {
        let exact = exact_tape(self.model, host, Purpose::Whole);
        let program = |operands| {
            let tape = match &exact {
                Some(tape) => tape.clone(),
                None => tape(self.model, operands, host, Purpose::Whole)?,
            };
            TapeProgram::loading(&tape.fused(), features)
        };
        self.state = match (program(OperandClass::Any), program(OperandClass::Finite)) {
            (Some(any), Some(finite)) => State::Programs(Box::new([any, finite])),
            _ => State::TooWide,
        };
        matches!(self.state, State::Programs(_))
    }

    /// The signature of the inputs.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The evaluator in use: `tape`, or the instance of the simulator, `u64`, `u128` or `BigUint`.
    /// The simulator is in use until the programs are made, and if the model cannot have programs.
    pub fn instance(&self) -> &'static str {
        match self.state {
            State::Programs(_) => "tape",
            State::Undecided(_) | State::TooWide => self.model.simulator().instance(),
        }
    }

    /// The numbers of operations that the two programs do for a block of [`LANES`] dot-adds: the
    /// program for any operands, then the program for finite operands. `None` if there are no
    /// programs.
    pub fn operations(&self) -> Option<[usize; 2]> {
        match &self.state {
            State::Programs(programs) => Some([programs[0].operations(), programs[1].operations()]),
            State::Undecided(_) | State::TooWide => None,
        }
    }

    /// The result registers, in the order of the rows.
    ///
    /// # Errors
    /// If the columns have another signature than the model.
    pub fn evaluate(&mut self, columns: &Columns) -> Result<Vec<u64>, Misfit> {
        if *columns.signature() != self.signature {
            return Err(Misfit::Signature {
                expected: Box::new(self.signature),
                found: Box::new(*columns.signature()),
            });
        }
        let mut results = Vec::new();
        self.run(columns, &mut results);
        Ok(results)
    }

    /// The result registers for inputs that were made or read for the model's signature, in their order.
    pub fn results(&mut self, inputs: &[Inputs]) -> Vec<u64> {
        let mut columns = Columns::new(&self.signature);
        inputs.iter().for_each(|inputs| columns.push_row(inputs));
        let mut results = Vec::new();
        self.run(&columns, &mut results);
        results
    }

    /// Appends the result registers of all rows to `results`. The columns have the model's
    /// signature.
    pub fn run(&mut self, columns: &Columns, results: &mut Vec<u64>) {
        self.run_part(columns, 0..columns.len(), results);
    }

    /// Does the same as [`run`](Self::run) for the given rows alone.
    pub fn run_part(&mut self, columns: &Columns, rows: Range<usize>, results: &mut Vec<u64>) {
        let cost = rows.len() as u64 * counted(&self.signature);
        if let State::Undecided(so_far) = &mut self.state {
            *so_far = so_far.saturating_add(cost);
            if *so_far > MAKING {
                self.prepare();
            }
        }
        results.reserve(rows.len());
        match &mut self.state {
            State::Programs(programs) if programs[0].uses_host() && !host_is_ieee() => {
                simulate(&mut self.model.simulator(), columns, rows, results);
            }
            State::Undecided(_) | State::TooWide => {
                simulate(&mut self.model.simulator(), columns, rows, results);
            }
            State::Programs(programs) => {
                for start in rows.clone().step_by(LANES) {
                    let block = start..rows.end.min(start + LANES);
                    run_block(programs, &mut self.special, columns, block, results);
                }
            }
        }
    }
}

fn simulate(
    simulator: &mut Simulator<'_>,
    columns: &Columns,
    rows: Range<usize>,
    results: &mut Vec<u64>,
) {
    let mut inputs = Inputs::zero(columns.signature());
    for row in rows {
        columns.read_row(row, &mut inputs);
        results.push(simulator.run(&inputs));
    }
}

/// Evaluates at most [`LANES`] rows. If `special`, the number of coming blocks that are assumed to
/// have infinities or NaNs, is 0 and all operands are finite, runs the program for finite operands.
/// Otherwise runs the program for any operands.
fn run_block(
    [any, finite]: &mut [TapeProgram; 2],
    special: &mut u32,
    columns: &Columns,
    rows: Range<usize>,
    results: &mut Vec<u64>,
) {
    let count = rows.len();
    if *special == 0 {
        if columns.run_finite(finite, rows.clone()) {
            store(finite, count, results);
            return;
        }
        *special = TAKEN_FOR_SPECIAL + 1;
    }
    *special -= 1;
    load_and_run(any, columns, rows);
    store(any, count, results);
}

fn load_and_run(program: &mut TapeProgram, columns: &Columns, rows: Range<usize>) {
    program.run_loading(|program, index, place| {
        columns.columns()[index].load(program, place, rows.clone());
        true
    });
}

fn store(program: &TapeProgram, rows: usize, results: &mut Vec<u64>) {
    let place = program.results()[0];
    macro_rules! append {
        ($type:ident) => {{
            let lanes = &program.column::<$type>(place)[..rows];
            results.extend(lanes.iter().map(|bits| *bits as u64));
        }};
    }
    match place.of {
        Type::U8 => append!(u8),
        Type::U16 => append!(u16),
        Type::U32 => append!(u32),
        Type::U64 => append!(u64),
        Type::U128 => append!(u128),
    }
}
