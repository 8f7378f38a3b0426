//! A plan of the program of elements: which of its values is computed in which stage.
//!
//! A stage computes some values of all elements of a thread. A list of many operands is a stage of
//! its own: a group of its operands is taken in for all elements before the next one is read, so that
//! what is read of a row serves all columns. Values that depend on the sides alone are computed again
//! in each stage that needs them, since to keep them for all elements takes too many registers.

use crate::tape::instruction::{Code, Value};
use crate::tape::lower::Tape;
use crate::tape::print::lists::{List, is_list, list};
use crate::tape::print::operands::TapeInstruction;
use rustc_hash::FxHashSet;

/// The fewest operands of a list that is a stage of its own.
const LEAST_OPERANDS: usize = 8;

/// The most values of the sides that a stage of single elements reads.
const MOST_READ: usize = 16;

/// Where a value of an element comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The value of the left side with this number.
    Left(usize),
    /// The value of the right side with this number.
    Right(usize),
    /// The accumulator.
    Accumulator,
    /// Computed wherever it is needed.
    Anew,
    /// Computed in one stage, and kept for later ones.
    Once,
}

/// A step of the plan.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// These values, for one element after the other.
    Elements(Vec<Value>),
    /// A list, for all elements together.
    List(Value),
}

/// The plan of a program.
pub(super) struct Plan<'t> {
    pub(super) tape: &'t Tape,
    pub(super) roles: Vec<Role>,
    pub(super) stages: Vec<Stage>,
    /// For each value, the last stage that needs it from an earlier one.
    last_needed: Vec<Option<usize>>,
}

/// The inputs of the program of elements: the first that is no register, and the number of values of
/// the left side.
#[derive(Clone, Copy)]
pub(super) struct ElementInputs {
    pub(super) first: usize,
    pub(super) lefts: usize,
}

impl<'t> Plan<'t> {
    pub(super) fn new(tape: &'t Tape, inputs: ElementInputs) -> Plan<'t> {
        let mut plan = Plan {
            tape,
            roles: Vec::new(),
            stages: Vec::new(),
            last_needed: vec![None; tape.instructions.len()],
        };
        for value in 0..tape.instructions.len() {
            let role = plan.role(value, inputs);
            plan.roles.push(role);
        }
        plan.make_private();
        plan.put_in_stages();
        plan.note_needs();
        plan
    }

    /// The list that is a stage of its own; `None` for other values.
    pub(super) fn list(&self, value: Value) -> Option<List> {
        self.is_staged_list(value)
            .then(|| list(&TapeInstruction::new(self.tape, value)))
    }

    /// The operands that the statement of a value reads.
    pub(super) fn operands(&self, value: Value) -> Vec<Value> {
        let instruction = &self.tape.instructions[value];
        if !is_list(instruction.code) {
            return instruction.args.clone();
        }
        let list = list(&TapeInstruction::new(self.tape, value));
        let updates = list.updates.into_iter().flat_map(|update| update.operands);
        list.common.into_iter().chain(updates).collect()
    }

    /// Whether a value is kept from one stage to a later one.
    pub(super) fn is_kept(&self, value: Value) -> bool {
        self.last_needed[value].is_some()
    }

    fn is_staged_list(&self, value: Value) -> bool {
        let instruction = &self.tape.instructions[value];
        is_list(instruction.code) && instruction.args.len() >= LEAST_OPERANDS
    }

    fn role(&self, value: Value, inputs: ElementInputs) -> Role {
        let instruction = &self.tape.instructions[value];
        let of_sides = |arg: &Value| {
            matches!(
                self.roles[*arg],
                Role::Left(_) | Role::Right(_) | Role::Anew
            )
        };
        match instruction.code {
            Code::Input => match (instruction.constants[0] as usize).checked_sub(inputs.first) {
                None => Role::Accumulator,
                Some(number) if number < inputs.lefts => Role::Left(number),
                Some(number) => Role::Right(number - inputs.lefts),
            },
            _ if self.is_staged_list(value) => Role::Once,
            _ if instruction.args.iter().all(of_sides) => Role::Anew,
            _ => Role::Once,
        }
    }

    /// A value that only one group of one list reads is computed there.
    fn make_private(&mut self) {
        let count = self.tape.instructions.len();
        // For each value the places that read it, a list and a group of it; `None` for other places.
        let mut readers: Vec<Vec<Option<(Value, usize)>>> = vec![Vec::new(); count];
        for result in &self.tape.results {
            readers[*result].push(None);
        }
        for value in (0..count).rev() {
            if let Some(list) = self.list(value) {
                list.common.iter().for_each(|arg| readers[*arg].push(None));
                for (group, update) in list.updates.iter().enumerate() {
                    for arg in &update.operands {
                        readers[*arg].push(Some((value, group)));
                    }
                }
                continue;
            }
            let first = readers[value].first().copied().flatten();
            let home = first.filter(|home| readers[value].iter().all(|one| *one == Some(*home)));
            if home.is_some() && self.roles[value] == Role::Once {
                self.roles[value] = Role::Anew;
            }
            let of_args = match self.roles[value] {
                Role::Anew => home,
                _ => None,
            };
            for arg in self.operands(value) {
                readers[arg].push(of_args);
            }
        }
    }

    fn put_in_stages(&mut self) {
        let mut read: FxHashSet<Value> = FxHashSet::default();
        for value in 0..self.tape.instructions.len() {
            if self.roles[value] != Role::Once {
                continue;
            }
            if self.is_staged_list(value) {
                self.stages.push(Stage::List(value));
                continue;
            }
            let own = self.sources(&self.operands(value), true);
            match self.stages.last_mut() {
                Some(Stage::Elements(values)) if read.union(&own).count() <= MOST_READ => {
                    values.push(value);
                    read.extend(own);
                }
                _ => {
                    self.stages.push(Stage::Elements(vec![value]));
                    read = own;
                }
            }
        }
    }

    /// The values that these are computed from, through values that are computed anew: values of sides, or
    /// else values that are kept.
    pub(super) fn sources(&self, values: &[Value], of_sides: bool) -> FxHashSet<Value> {
        let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match self.roles[value] {
                Role::Anew => open.extend(self.operands(value)),
                Role::Left(_) | Role::Right(_) if of_sides => {
                    found.insert(value);
                }
                Role::Once if !of_sides => {
                    found.insert(value);
                }
                _ => {}
            }
        }
        found
    }

    fn note_needs(&mut self) {
        for index in 0..=self.stages.len() {
            let (own, args): (&[Value], Vec<Value>) = match self.stages.get(index) {
                Some(Stage::Elements(values)) => {
                    let args = values.iter().flat_map(|value| self.operands(*value));
                    (values, args.collect())
                }
                Some(Stage::List(value)) => (&[], self.operands(*value)),
                None => (&[], self.tape.results.clone()),
            };
            for value in self.sources(&args, false) {
                if !own.contains(&value) {
                    self.last_needed[value] = Some(index);
                }
            }
        }
    }

    /// The most words of 32 bits that an element needs between stages.
    pub(super) fn words(&self) -> usize {
        let mut from = vec![usize::MAX; self.last_needed.len()];
        for (index, stage) in self.stages.iter().enumerate() {
            match stage {
                Stage::Elements(values) => values.iter().for_each(|value| from[*value] = index),
                Stage::List(value) => from[*value] = index,
            }
        }
        let words = |value: Value| self.tape.instructions[value].to.bits().div_ceil(32) as usize;
        let live = |index: usize| {
            let lives = |value: &Value| {
                from[*value] <= index && self.last_needed[*value].is_some_and(|last| last >= index)
            };
            (0..from.len()).filter(lives).map(words).sum::<usize>()
        };
        (0..self.stages.len()).map(live).max().unwrap_or(0)
    }
}
