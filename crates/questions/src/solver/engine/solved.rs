//! The answer of a solver; its inputs are accepted only after they were checked.

use super::cadical::CadicalVerdict;
use super::error::EngineError;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_numbers::bits::Input;
use rustc_hash::FxHashMap;

/// The answer of a solver.
#[derive(Clone, Debug)]
pub struct SolverAnswer {
    /// The verdict: `Sat` was checked by evaluation; for `Unsat` the solver is trusted.
    pub verdict: CadicalVerdict,
    /// Values of the inputs, by number, for which the formula holds; irrelevant inputs are missing.
    pub values: FxHashMap<u32, u64>,
}

impl SolverAnswer {
    pub(super) fn of(verdict: CadicalVerdict) -> Self {
        SolverAnswer {
            verdict,
            values: FxHashMap::default(),
        }
    }

    pub(super) fn unknown(stopped: Stopped) -> Self {
        SolverAnswer::of(CadicalVerdict::Unknown(stopped))
    }

    /// The verdict `Sat` with the `values` of `solver`, if `holds` confirms by this program's own
    /// arithmetic that the formula holds for them. Inputs without a value are 0.
    pub(super) fn checked(
        solver: &str,
        inputs: &[Input],
        values: FxHashMap<u32, u64>,
        holds: impl FnOnce(&dyn Fn(u32) -> u64) -> bool,
    ) -> Result<Self, EngineError> {
        let value = |input: u32| values.get(&input).copied().unwrap_or(0);
        let verdict = CadicalVerdict::Sat;
        if holds(&value) {
            return Ok(SolverAnswer { verdict, values });
        }
        Err(EngineError::WrongModel {
            solver: solver.to_owned(),
            model: SolverAnswer { verdict, values }.shown(inputs),
        })
    }

    /// The name and the value of each of these inputs, as text.
    pub(super) fn shown(&self, inputs: &[Input]) -> String {
        let value = |input: &Input| self.values.get(&input.index).copied().unwrap_or(0);
        let shown = inputs
            .iter()
            .map(|input| format!("{} = {:#x}", input.name, value(input)));
        shown.collect::<Vec<_>>().join(", ")
    }
}
