//! The steps of a recipe: each makes one sum of earlier ones.

use crate::machines::algorithms::descriptions::Slot;
use crate::machines::algorithms::{Signature, ValueLabel};
use crate::machines::sums::{Calculation, Operator, PartRounding, Splitting, Sums};
use mmasmt_numbers::float::Format;

/// All steps, and the sum that is the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecipeProgram {
    pub(super) steps: Vec<RecipeStep>,
    /// The splittings of factors, none of which is the beginning of another one.
    pub(super) splittings: Vec<Parts>,
    pub(super) result: Slot,
    /// For each step the last one that takes its sum.
    pub(super) last_uses: Vec<Slot>,
}

/// A step, with the name and the format of its sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecipeStep {
    pub(super) what: ValueLabel,
    pub(super) format: Format,
    pub(super) action: RecipeAction,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RecipeAction {
    /// The accumulator of the composition.
    C,
    /// A constant register.
    Constant(u64),
    /// The unit sums products from a sum on.
    Run {
        /// The rows of factors.
        rows: RecipeRows,
        /// The numbers of the products.
        products: Vec<usize>,
        /// The sum that the unit begins at.
        from: Slot,
    },
    /// A calculation of the processor.
    Calculate(Calculation, Vec<Slot>),
}

/// The rows of factors of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecipeRows {
    /// The factors of the composition.
    Factors,
    /// For each side the number of a splitting, and that of a part of it.
    Parts([(usize, usize); 2]),
}

/// A splitting of the factors of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// 0 for A, 1 for B.
    pub(super) side: usize,
    pub(super) format: Format,
    pub(super) parts: Vec<(&'static str, PartRounding)>,
    pub(super) scale: i32,
}

impl RecipeAction {
    /// The sums that the step takes.
    pub(super) fn slots(&self) -> &[Slot] {
        match self {
            RecipeAction::C | RecipeAction::Constant(_) => &[],
            RecipeAction::Run { from, .. } => std::slice::from_ref(from),
            RecipeAction::Calculate(_, slots) => slots,
        }
    }
}

impl RecipeProgram {
    pub(super) fn signature(&self, unit: &Signature, products: u32) -> Signature {
        let factors = |own| match self.has_parts() {
            true => Format::F32,
            false => own,
        };
        Signature {
            a: factors(unit.a),
            b: factors(unit.b),
            d: self.steps[self.result as usize].format,
            products,
            ..*unit
        }
    }

    pub(super) fn has_parts(&self) -> bool {
        !self.splittings.is_empty()
    }

    pub(super) fn sum<S: Sums>(&self, on: &mut S) -> Result<S::Sum, S::Stop> {
        let mut parts = Vec::with_capacity(self.splittings.len());
        if self.has_parts() {
            let factors = on.factors()?;
            for own in &self.splittings {
                let splitting = Splitting {
                    format: own.format,
                    parts: &own.parts,
                    scale: own.scale,
                };
                parts.push(on.split(&splitting, &factors[own.side])?);
            }
        }
        let mut sums: Vec<Option<S::Sum>> = Vec::with_capacity(self.steps.len());
        for (number, step) in self.steps.iter().enumerate() {
            let sum = match &step.action {
                RecipeAction::C => on.c()?,
                RecipeAction::Constant(register) => on.constant(step.format, *register)?,
                RecipeAction::Run {
                    rows,
                    products,
                    from,
                } => {
                    // Elaboration has every sum before the steps that take it.
                    let from = match self.taken(&mut sums, number, *from) {
                        Some(from) => from,
                        None => on.constant(step.format, 0)?,
                    };
                    let sum = match rows {
                        RecipeRows::Factors => on.run(products, from)?,
                        RecipeRows::Parts([a, b]) => {
                            let [a, b] = [a, b].map(|(splitting, part)| &parts[*splitting][*part]);
                            let places = products
                                .first()
                                .map_or(0..0, |first| *first..first + products.len());
                            on.run_rows([a, b], places, from)?
                        }
                    };
                    on.note(step.what, step.format, &sum);
                    sum
                }
                RecipeAction::Calculate(calculation, slots) => {
                    let operands: Vec<&S::Sum> = slots
                        .iter()
                        .filter_map(|slot| sums[*slot as usize].as_ref())
                        .collect();
                    let sum = on.calculate(step.what, *calculation, &operands)?;
                    for slot in slots {
                        self.forget(&mut sums, number, *slot);
                    }
                    sum
                }
            };
            sums.push(Some(sum));
        }
        let result = sums.get_mut(self.result as usize).and_then(Option::take);
        match result {
            Some(result) => Ok(result),
            None => on.c(),
        }
    }

    /// A sum, which is not kept if no later step takes it.
    fn taken<T: Clone>(&self, sums: &mut [Option<T>], step: usize, slot: Slot) -> Option<T> {
        let is_last = self.last_uses[slot as usize] as usize == step;
        let sum = &mut sums[slot as usize];
        match is_last {
            true => sum.take(),
            false => sum.clone(),
        }
    }

    fn forget<T>(&self, sums: &mut [Option<T>], step: usize, slot: Slot) {
        if self.last_uses[slot as usize] as usize == step {
            sums[slot as usize] = None;
        }
    }

    /// The most sums that are held at a time.
    pub(super) fn held(&self) -> usize {
        let mut most = 0;
        let mut held = 0usize;
        for (number, step) in self.steps.iter().enumerate() {
            held += 1;
            most = most.max(held);
            let mut slots = step.action.slots().to_vec();
            slots.dedup();
            let ended = |slot: &&Slot| self.last_uses[**slot as usize] as usize == number;
            held -= slots.iter().filter(ended).count().min(held);
        }
        most.max(1)
    }

    pub(super) fn most_of_a_run(&self) -> Option<u32> {
        let mut most = 0;
        for step in &self.steps {
            if let RecipeAction::Run { products, from, .. } = &step.action {
                match self.steps[*from as usize].action {
                    RecipeAction::C | RecipeAction::Constant(_) => {
                        most = most.max(products.len() as u32)
                    }
                    _ => return None,
                }
            }
        }
        Some(most)
    }

    pub(super) fn runs(&self, step: u32) -> u64 {
        let runs = self.steps.iter().map(|own| match &own.action {
            RecipeAction::Run { products, .. } => (products.len() as u64).div_ceil(u64::from(step)),
            _ => 0,
        });
        runs.sum::<u64>().max(1)
    }

    pub(super) fn formats(&self) -> Vec<Format> {
        let mut all: Vec<Format> = Vec::new();
        for step in &self.steps {
            if !all.contains(&step.format) {
                all.push(step.format);
            }
        }
        all
    }

    pub(super) fn reads_c(&self, unit_does: bool) -> bool {
        let is_c = |slot: &Slot| self.steps[*slot as usize].action == RecipeAction::C;
        self.steps.iter().any(|step| match &step.action {
            RecipeAction::Run { from, .. } => unit_does && is_c(from),
            RecipeAction::Calculate(_, slots) => slots.iter().any(is_c),
            _ => false,
        })
    }
}

/// The calculation of an operation on sums of this format.
pub(super) fn calculation(format: Format, operation: Operator) -> Calculation {
    Calculation { format, operation }
}
