//! Inputs that are the same in all lanes: an operation reads the first lane of such an input once,
//! instead of the whole column.

use super::element::Type;
use super::instruction::{Code, Instruction, OPERATION, Value};
use super::lower::Tape;
use mmasmt_numbers::base::limits::work;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Tape {
    /// The tape for the case that every input for which `is_uniform` holds is the same in all
    /// lanes. Also returns the inputs of which the new tape reads only the first lane. An input is
    /// one of them only if every operation on it can read the first lane alone.
    pub fn uniform(&self, is_uniform: impl Fn(usize) -> bool) -> (Tape, Vec<usize>) {
        let mut uniform = FxHashSet::default();
        for (value, instruction) in self.instructions.iter().enumerate() {
            if instruction.code == Code::Input && is_uniform(instruction.constants[0] as usize) {
                uniform.insert(value);
            }
        }
        // If one operation needs the whole column of an input, all other operations read the column
        // too. The loop always goes on with the first operation that is affected.
        let mut users: FxHashMap<Value, Vec<usize>> = FxHashMap::default();
        let mut open = BTreeSet::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            for arg in instruction.args.iter().filter(|arg| uniform.contains(arg)) {
                users.entry(*arg).or_default().push(index);
                open.insert(index);
            }
        }
        while let Some(index) = open.pop_first() {
            work(OPERATION);
            let one = &self.instructions[index];
            let asked = one.args.iter().any(|arg| uniform.contains(arg));
            if !asked || one.uniform(&uniform).is_some() {
                continue;
            }
            for arg in &one.args {
                if uniform.remove(arg) {
                    open.extend(users.get(arg).into_iter().flatten());
                }
            }
        }
        let better = |one: &Instruction| {
            if one.args.iter().any(|arg| uniform.contains(arg)) {
                one.uniform(&uniform).unwrap_or_else(|| one.clone())
            } else {
                one.clone()
            }
        };
        let inputs = uniform
            .iter()
            .map(|value| self.instructions[*value].constants[0] as usize);
        let inputs = inputs.collect();
        let tape = Tape {
            instructions: self.instructions.iter().map(better).collect(),
            results: self.results.clone(),
            inputs: self.inputs,
            guards: self.guards.clone(),
        };
        (tape, inputs)
    }
}

impl Instruction {
    /// The instruction that gives the same value but reads only the first lane of the values in
    /// `uniform`; `None` if there is no such instruction.
    fn uniform(&self, uniform: &FxHashSet<Value>) -> Option<Instruction> {
        // The two operands, the uniform one first; `None` unless exactly one of them is uniform.
        let sorted = |[x, y]: [Value; 2]| match [x, y].map(|value| uniform.contains(&value)) {
            [true, false] => Some([x, y]),
            [false, true] => Some([y, x]),
            _ => None,
        };
        match (self.code, &self.args[..]) {
            (Code::Xor, &[x, y]) => Some(Instruction {
                code: Code::XorUniform,
                args: sorted([x, y])?.into(),
                ..self.clone()
            }),
            (Code::AddIfBoth, &[x, y, z, w]) => {
                let [a, b, ..] = self.shifts[0].to_le_bytes();
                let (addends, truths) = (sorted([x, y])?, sorted([z, w])?);
                let bytes = if truths == [z, w] {
                    [a, b, 0, 0]
                } else {
                    [b, a, 0, 0]
                };
                Some(
                    Instruction {
                        code: Code::AddIfBothUniform,
                        args: [addends, truths].concat(),
                        ..self.clone()
                    }
                    .shifts(u32::from_le_bytes(bytes), 0),
                )
            }
            (Code::MaximumOfSums, args) => {
                let (sums, plain) = args.split_at(4 * self.shifts[1] as usize);
                let [a, b, ..] = self.shifts[0].to_le_bytes();
                let mut changed = Vec::new();
                let mut is_swapped = Vec::new();
                for &[x, y, z, w] in sums.as_chunks().0 {
                    let truths = sorted([z, w])?;
                    changed.extend([sorted([x, y])?, truths].concat());
                    is_swapped.push(a != b && truths != [z, w]);
                }
                changed.extend(plain);
                let is_same = is_swapped.iter().all(|one| *one == is_swapped[0]);
                let whole = is_same && !plain.iter().any(|value| uniform.contains(value));
                let bytes = match is_swapped.first() {
                    Some(true) => [b, a, 0, 0],
                    _ => [a, b, 0, 0],
                };
                whole.then(|| Instruction {
                    code: Code::MaximumOfSumsUniform,
                    args: changed,
                    shifts: [u32::from_le_bytes(bytes), self.shifts[1]],
                    ..self.clone()
                })
            }
            (Code::SignedSum | Code::AlignedSum, args)
                if self.to == Type::U32 && self.constants[0] != 0 =>
            {
                let first = usize::from(self.code == Code::AlignedSum);
                let (products, plain) = args[first..].split_at(4 * self.shifts[1] as usize);
                let mut changed = args[..first].to_vec();
                for &[c, x, y, e] in products.as_chunks().0 {
                    let [x, y] = sorted([x, y])?;
                    changed.extend([c, x, y, e]);
                }
                changed.extend(plain);
                let places = changed[first..].iter().enumerate();
                let mut places = places.filter(|(_, value)| uniform.contains(value));
                let own = |(place, _): (usize, _)| place < products.len() && place % 4 == 1;
                let whole = places.all(own) && !uniform.contains(&changed[0]);
                whole.then(|| Instruction {
                    args: changed,
                    constants: [self.constants[0], 1],
                    ..self.clone()
                })
            }
            (Code::MaximumOfPairs | Code::DotProduct, pairs) => {
                let pairs = pairs.as_chunks().0.iter().map(|pair| sorted(*pair));
                let pairs = pairs.collect::<Option<Vec<[Value; 2]>>>()?;
                Some(Instruction {
                    args: pairs.into_flattened(),
                    constants: [1, self.constants[1]],
                    ..self.clone()
                })
            }
            (Code::ExactSum, args) => {
                let (addend, pairs) = args.split_at(self.shifts[0] as usize);
                if addend.iter().any(|value| uniform.contains(value)) {
                    return None;
                }
                let pairs = pairs.as_chunks().0.iter().map(|pair| sorted(*pair));
                let pairs = pairs.collect::<Option<Vec<[Value; 2]>>>()?;
                Some(Instruction {
                    args: [addend, pairs.as_flattened()].concat(),
                    constants: [self.constants[0], 1],
                    ..self.clone()
                })
            }
            (Code::SumOfReals, &[power, ref pairs @ ..]) if !uniform.contains(&power) => {
                let pairs = pairs.as_chunks().0.iter().map(|pair| sorted(*pair));
                let pairs = pairs.collect::<Option<Vec<[Value; 2]>>>()?;
                Some(Instruction {
                    args: [&[power], pairs.as_flattened()].concat(),
                    constants: [self.constants[0], 1],
                    ..self.clone()
                })
            }
            _ => None,
        }
    }
}
