//! Programs: a tape with columns allotted to its values, and the loop that runs it on a block of
//! lanes.

use super::columns::{ColumnStore, ColumnType, LANES, Memory};
use super::element::Type;
use super::features::{Features, Routine};
use super::instruction::{Code, OPERATION, Value};
use super::lower::Tape;
use super::step::TapeStep;
use mmasmt_numbers::base::limits::work;
use std::sync::Arc;

/// The most columns of one type: the number of a column has 16 bits.
const MOST_COLUMNS: usize = 1 << 16;

/// The column that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnIndex {
    /// The type of the column's elements.
    pub of: Type,
    pub(super) number: u16,
}

/// A tape that can be run. A clone has memory of its own and shares everything else.
#[derive(Clone)]
pub struct TapeProgram {
    acts: Arc<[Act]>,
    pub(super) memory: Memory,
    inputs: Arc<[Option<ColumnIndex>]>,
    results: Arc<[ColumnIndex]>,
    uses_host: bool,
}

/// Something that a running program does: it loads an input, or runs an operation.
enum Act {
    /// Loads the input with this number into a column, from which the following acts read it.
    Load(usize, ColumnIndex),
    Run(Routine, TapeStep),
}

/// All columns of a program, and the columns that are free for reuse.
struct ColumnAllotment {
    columns: ColumnStore,
    free: Vec<ColumnIndex>,
}

impl ColumnAllotment {
    fn take(&mut self, of: Type) -> ColumnIndex {
        let last = self.free.iter().rposition(|place| place.of == of);
        match last {
            Some(index) => self.free.swap_remove(index),
            None => ColumnIndex {
                of,
                number: self.columns.push(of),
            },
        }
    }
}

impl TapeProgram {
    /// The program of a tape for a processor with these features. The columns of inputs are not
    /// reused for other values. `None` if an operation of the tape has no routine for its types, or
    /// if the program needs too many columns.
    pub fn new(tape: &Tape, features: Features) -> Option<TapeProgram> {
        Self::made(tape, features, false)
    }

    /// The program of a tape for [`run_loading`](Self::run_loading). An input has a column only
    /// while it is needed. Fewer columns are then in use, and more of them are in the nearest
    /// cache.
    pub fn loading(tape: &Tape, features: Features) -> Option<TapeProgram> {
        Self::made(&tape.with_late_inputs(), features, true)
    }

    fn made(tape: &Tape, features: Features, is_loading: bool) -> Option<TapeProgram> {
        let count = tape.instructions.len();
        let mut last = vec![0; count];
        for (value, instruction) in tape.instructions.iter().enumerate() {
            instruction.args.iter().for_each(|arg| last[*arg] = value);
        }
        tape.results.iter().for_each(|value| last[*value] = count);
        let mut allotted = ColumnAllotment {
            columns: ColumnStore::default(),
            free: Vec::new(),
        };
        let mut places: Vec<ColumnIndex> = Vec::with_capacity(count);
        let mut inputs = vec![None; tape.inputs];
        let mut acts = Vec::new();
        for (value, instruction) in tape.instructions.iter().enumerate() {
            work(OPERATION);
            if instruction.code == Code::Input {
                let index = instruction.constants[0] as usize;
                let place = if is_loading {
                    allotted.take(instruction.to)
                } else {
                    allotted.take_new(instruction.to)
                };
                if is_loading {
                    acts.push(Act::Load(index, place));
                }
                inputs[index] = Some(place);
                places.push(place);
                continue;
            }
            // A result may take the column of an operand, because it is first written to a spare
            // column.
            let mut ended: Vec<Value> = instruction.args.clone();
            let is_kept = |arg: Value| !is_loading && tape.instructions[arg].code == Code::Input;
            ended.retain(|arg| last[*arg] == value && !is_kept(*arg));
            ended.sort_unstable();
            ended.dedup();
            let free = ended.into_iter().map(|arg| places[arg]);
            allotted.free.extend(free);
            let place = allotted.take(instruction.to);
            let numbers: Vec<_> = instruction
                .args
                .iter()
                .map(|arg| places[*arg].number)
                .collect();
            let (args, list) = match instruction.code {
                Code::NoPair | Code::MaximumOfPairs | Code::DotProduct => {
                    (Vec::new(), pairs(&numbers))
                }
                Code::SumOfReals => (numbers[..1].to_vec(), pairs(&numbers[1..])),
                Code::ExactSum => {
                    let (addend, factors) = numbers.split_at(instruction.shifts[0] as usize);
                    (addend.to_vec(), pairs(factors))
                }
                Code::Maximum => (Vec::new(), numbers.iter().map(|n| [*n; 4]).collect()),
                Code::MaximumOfSums | Code::MaximumOfSumsUniform => {
                    let (sums, plain) = numbers.split_at(4 * instruction.shifts[1] as usize);
                    let plain = plain.iter().map(|number| [*number; 4]);
                    (Vec::new(), fours(sums).into_iter().chain(plain).collect())
                }
                Code::SignedSum | Code::SumOfPlaced => (Vec::new(), fours(&numbers)),
                Code::AlignedSum => (numbers[..1].to_vec(), fours(&numbers[1..])),
                _ => (numbers, Vec::new()),
            };
            let mut four = [0; 4];
            four.iter_mut().zip(args).for_each(|(to, arg)| *to = arg);
            let step = TapeStep {
                to: place.number,
                args: four,
                shifts: instruction.shifts,
                constants: instruction.constants,
                list: list.into(),
            };
            acts.push(Act::Run(instruction.routine(features)?, step));
            places.push(place);
        }
        if allotted.columns.most() > MOST_COLUMNS {
            return None;
        }
        let memory = Memory {
            columns: allotted.columns,
            ..Memory::default()
        };
        Some(TapeProgram {
            acts: acts.into(),
            memory,
            inputs: inputs.into(),
            results: tape.results.iter().map(|value| places[*value]).collect(),
            uses_host: tape.uses_host(),
        })
    }

    /// The number of operations that the program does for a block of lanes.
    pub fn operations(&self) -> usize {
        let acts = self.acts.iter();
        acts.filter(|act| matches!(act, Act::Run(..))).count()
    }

    /// Whether the program has the processor's own operations on `f32` or `f64`, which are correct
    /// only if [`host_is_ieee`](super::host_is_ieee) holds.
    pub fn uses_host(&self) -> bool {
        self.uses_host
    }

    /// The place of an input; `None` if no result depends on it.
    pub fn input(&self, index: usize) -> Option<ColumnIndex> {
        self.inputs.get(index).copied().flatten()
    }

    /// The places of the results.
    pub fn results(&self) -> &[ColumnIndex] {
        &self.results
    }

    /// The column at a place; `T` is its type.
    pub fn column<T: ColumnType>(&self, place: ColumnIndex) -> &[T; LANES] {
        self.memory.columns.get(place.number)
    }

    /// The column at a place, to be filled; `T` is its type.
    pub fn column_mut<T: ColumnType>(&mut self, place: ColumnIndex) -> &mut [T; LANES] {
        self.memory.columns.get_mut(place.number)
    }

    /// Computes the results of all lanes from the inputs.
    pub fn run(&mut self) {
        for act in &self.acts[..] {
            if let Act::Run(routine, step) = act {
                routine.run(&mut self.memory, step);
            }
        }
    }

    /// Runs a program that was made by [`loading`](Self::loading). `load` gets the number and the
    /// place of an input, fills the column at that place, and returns whether it could. If it could
    /// not, the run stops without results. Returns whether the run was completed.
    #[inline]
    pub fn run_loading(
        &mut self,
        mut load: impl FnMut(&mut TapeProgram, usize, ColumnIndex) -> bool,
    ) -> bool {
        let acts = Arc::clone(&self.acts);
        for act in &acts[..] {
            match act {
                Act::Load(input, place) => {
                    if !load(self, *input, *place) {
                        return false;
                    }
                }
                Act::Run(routine, step) => routine.run(&mut self.memory, step),
            }
        }
        true
    }
}

impl ColumnAllotment {
    /// A new column, which no other value has used.
    fn take_new(&mut self, of: Type) -> ColumnIndex {
        let number = self.columns.push(of);
        ColumnIndex { of, number }
    }
}

fn pairs(numbers: &[u16]) -> Vec<[u16; 4]> {
    let pairs = numbers.as_chunks().0.iter();
    pairs.map(|[x, y]| [*x, *y, 0, 0]).collect()
}

fn fours(numbers: &[u16]) -> Vec<[u16; 4]> {
    numbers.as_chunks().0.to_vec()
}
