//! A tape in three parts: values that depend on inputs of the left side alone, values that depend
//! on inputs of the right side alone, and the rest. In a product of matrices, the values of a side
//! are computed once for each row or column, and used for every element in that row or column.

use super::element::Type;
use super::instruction::{Code, Instruction, OPERATION, Value};
use super::lower::Tape;
use super::side::Side;
use mmasmt_numbers::base::limits::work;
use rustc_hash::FxHashMap;

/// The three tapes that a tape is split into.
#[derive(Clone, Debug)]
pub struct TapeSplit {
    /// The tapes of the left and the right side. The inputs of each tape are the inputs of the
    /// whole tape.
    pub sides: [Tape; 2],
    /// The tape of the rest. Its inputs are the inputs of the whole tape, then the results of the
    /// left side, then the results of the right side.
    pub rest: Tape,
    /// Whether the last result of a side is its guard, which is true where a guard of the whole tape
    /// is.
    pub has_guard: [bool; 2],
}

/// The inputs that a value depends on: no inputs, inputs of one side alone, or (`Side::Neither`)
/// inputs of both sides or of neither side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SideDependence {
    OnNothing,
    On(Side),
}

impl SideDependence {
    fn and(self, other: SideDependence) -> SideDependence {
        match (self, other) {
            (SideDependence::OnNothing, other) | (other, SideDependence::OnNothing) => other,
            (one, other) if one == other => one,
            _ => SideDependence::On(Side::Neither),
        }
    }
}

/// A tape that is being made from instructions of another tape.
#[derive(Default)]
struct Part {
    instructions: Vec<Instruction>,
    /// The values of the whole tape that are already made in this part, each with the value in this
    /// part that equals it.
    values: FxHashMap<Value, Value>,
}

impl Part {
    fn push(&mut self, instruction: Instruction) -> Value {
        work(OPERATION);
        self.instructions.push(instruction);
        self.instructions.len() - 1
    }

    /// The value in this part that equals `value` of the tape. If the part does not have this
    /// value, the value is made together with its operands.
    fn value(&mut self, tape: &Tape, value: Value) -> Value {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let mut instruction = tape.instructions[value].clone();
        for arg in &mut instruction.args {
            *arg = self.value(tape, *arg);
        }
        let made = self.push(instruction);
        self.values.insert(value, made);
        made
    }

    fn tape(self, results: Vec<Value>, inputs: usize) -> Tape {
        Tape {
            instructions: self.instructions,
            results,
            inputs,
            guards: Vec::new(),
        }
    }
}

impl Tape {
    /// The same tape with each input right before the first instruction that needs it.
    pub(super) fn with_late_inputs(&self) -> Tape {
        let mut part = Part::default();
        for (value, instruction) in self.instructions.iter().enumerate() {
            if instruction.code != Code::Input {
                part.value(self, value);
            }
        }
        let results = self.results.iter();
        let results = results.map(|value| part.value(self, *value)).collect();
        part.tape(results, self.inputs)
    }

    /// Splits the tape into three parts; `side_of` gives the side of an input. `None` if the rest
    /// would take a value of more than 64 bits from a side.
    pub fn split(&self, side_of: impl Fn(usize) -> Side) -> Option<TapeSplit> {
        let mut depends: Vec<SideDependence> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let args = instruction.args.iter().map(|arg| depends[*arg]);
            depends.push(match instruction.code {
                Code::Input => SideDependence::On(side_of(instruction.constants[0] as usize)),
                _ => args.fold(SideDependence::OnNothing, SideDependence::and),
            });
        }
        let side = |value: Value| match depends[value] {
            SideDependence::On(Side::Left) => Some(0),
            SideDependence::On(Side::Right) => Some(1),
            _ => None,
        };
        let mut borders: [Vec<Value>; 2] = Default::default();
        let rest = 0..self.instructions.len();
        let rest = rest.filter(|value| depends[*value] == SideDependence::On(Side::Neither));
        let used = rest.flat_map(|value| self.instructions[value].args.iter());
        for value in used.chain(&self.results) {
            if let Some(side) = side(*value) {
                borders[side].push(*value);
            }
        }
        for border in &mut borders {
            border.sort_unstable();
            border.dedup();
        }
        let wide = |value: &Value| self.instructions[*value].to > Type::U64;
        if borders.iter().flatten().any(wide) {
            return None;
        }
        let guards = [0, 1].map(|number: usize| {
            let own = self
                .guards
                .iter()
                .filter(|value| side(**value) == Some(number));
            own.copied().collect::<Vec<Value>>()
        });
        let sides = [0, 1].map(|number: usize| {
            let mut part = Part::default();
            let results = borders[number].iter();
            let mut results: Vec<_> = results.map(|value| part.value(self, *value)).collect();
            let own = guards[number].iter().map(|value| part.value(self, *value));
            let own: Vec<_> = own.collect();
            let guard = own
                .into_iter()
                .reduce(|any, one| part.push(Instruction::new(Code::Or, Type::U8, &[any, one])));
            results.extend(guard);
            part.tape(results, self.inputs)
        });
        let mut rest = Part::default();
        for (index, value) in borders.iter().flatten().enumerate() {
            let to = self.instructions[*value].to;
            let number = (self.inputs + index) as u128;
            let input = rest.push(Instruction::new(Code::Input, to, &[]).constant(number));
            rest.values.insert(*value, input);
        }
        // The instructions keep the order of the whole tape, so that values are close to their
        // operands.
        for (value, of) in depends.iter().enumerate() {
            if *of == SideDependence::On(Side::Neither) {
                rest.value(self, value);
            }
        }
        let results = self.results.iter();
        let results = results.map(|value| rest.value(self, *value)).collect();
        let inputs = self.inputs + borders[0].len() + borders[1].len();
        Some(TapeSplit {
            sides,
            rest: rest.tape(results, inputs),
            has_guard: guards.map(|guards| !guards.is_empty()),
        })
    }
}
