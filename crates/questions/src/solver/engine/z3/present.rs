//! Solving with Z3: a context for each goal, and limits that are enforced by interrupts.

use crate::solver::engine::cadical::CadicalVerdict;
use crate::solver::engine::error::EngineError;
use crate::solver::engine::goal::Goal;
use crate::solver::engine::smtlib::SmtlibScript;
use crate::solver::engine::solved::SolverAnswer;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::Input;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use z3::ast::BV;
use z3::{Config, Context, ContextHandle, Params, SatResult, Solver, Tactic};

/// Z3 in process.
#[derive(Clone, Debug)]
pub struct Z3 {
    /// The most bytes of memory, if limited.
    memory: Option<u64>,
}

/// The interval between checks of the limits.
const TICK: Duration = Duration::from_millis(10);

impl Z3 {
    /// Z3, with at most `memory` bytes of memory.
    ///
    /// # Errors
    /// If this program was built without Z3.
    pub fn find(memory: Option<u64>) -> Result<Z3, EngineError> {
        Ok(Z3 { memory })
    }

    /// The name and version of Z3.
    pub fn describe(&self) -> String {
        // The text is, for example, "Z3 5.4.0.0", sometimes with a build after it.
        let full = z3::full_version();
        let number = full.split_whitespace().find(|word| word.contains('.'));
        let parts: Vec<_> = number.unwrap_or(full).split('.').take(3).collect();
        format!("z3 {}", parts.join("."))
    }

    /// Looks for inputs that satisfy `goal`.
    ///
    /// # Errors
    /// If the model does not satisfy the goal.
    pub fn solve(
        &self,
        goal: &impl Goal,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        if let Some(stopped) = limits.stopped() {
            return Ok(SolverAnswer::unknown(stopped));
        }
        let assert = |solver: &Solver, free: &[BV]| solver.assert(goal.formula(free));
        let holds = |value: &dyn Fn(u32) -> u64| goal.holds(value);
        self.ask(&goal.inputs(), assert, holds, seed, limits)
    }

    /// Looks for inputs on which the formulas of `script` hold.
    ///
    /// # Errors
    /// If the model does not satisfy the formulas.
    pub fn solve_script(
        &self,
        script: &SmtlibScript,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        if let Some(stopped) = limits.stopped() {
            return Ok(SolverAnswer::unknown(stopped));
        }
        let assert = |solver: &Solver, _: &[BV]| solver.from_string(script.text());
        let holds = |value: &dyn Fn(u32) -> u64| script.holds(value);
        self.ask(&script.whole().inputs, assert, holds, seed, limits)
    }

    /// Looks for values of `inputs` that satisfy the assertions of `assert`, and checks these
    /// values by `holds`.
    fn ask(
        &self,
        inputs: &[Input],
        assert: impl FnOnce(&Solver, &[BV]) + Send + Sync,
        holds: impl FnOnce(&dyn Fn(u32) -> u64) -> bool,
        seed: u64,
        limits: &Limits,
    ) -> Result<SolverAnswer, EngineError> {
        let check = || self.check(inputs, assert, seed, limits);
        match z3::with_z3_config(&Config::new(), check) {
            Ok(None) => Ok(SolverAnswer::of(CadicalVerdict::Unsat)),
            Ok(Some(values)) => SolverAnswer::checked(&self.describe(), inputs, values, holds),
            Err(stopped) => Ok(SolverAnswer::unknown(stopped)),
        }
    }

    /// Values of `inputs` that satisfy the assertions; `None` if there are none.
    fn check(
        &self,
        inputs: &[Input],
        assert: impl FnOnce(&Solver, &[BV]),
        seed: u64,
        limits: &Limits,
    ) -> Result<Option<FxHashMap<u32, u64>>, Stopped> {
        let free = inputs
            .iter()
            .map(|input| BV::new_const(input.name.as_str(), input.width));
        let free: Vec<_> = free.collect();
        // Some proofs that take Z3's core for bit-vectors minutes take its newer core only seconds
        // (measured with Z3 5.4).
        z3::set_global_param("sat.euf", "true");
        let solver = Tactic::new("smt").solver();
        let mut params = Params::new();
        params.set_u32("random_seed", (seed % (1 << 30)) as u32);
        // Otherwise Z3 installs its own handler of SIGINT.
        params.set_bool("ctrl_c", false);
        solver.set_params(&params);
        assert(&solver, &free);

        let done = AtomicBool::new(false);
        let context = Context::thread_local();
        let handle = context.handle();
        self.limit_memory(true);
        let result = thread::scope(|scope| {
            scope.spawn(|| interrupt_at(limits, &done, &handle));
            let result = solver.check();
            done.store(true, Ordering::Relaxed);
            result
        });
        self.limit_memory(false);
        match result {
            SatResult::Unsat => Ok(None),
            SatResult::Sat => {
                let model = solver.get_model().ok_or(Stopped::GaveUp)?;
                let value = |word: &BV| model.eval(word, true)?.as_u64();
                let values = inputs.iter().zip(&free);
                let values = values.filter_map(|(input, word)| Some((input.index, value(word)?)));
                Ok(Some(values.collect()))
            }
            SatResult::Unknown => Err(limits.stopped().unwrap_or_else(|| {
                let reason = solver.get_reason_unknown().unwrap_or_default();
                let memory = self.memory.is_some() && reason.contains("mem");
                if memory {
                    Stopped::MemoryLimit
                } else {
                    Stopped::GaveUp
                }
            })),
        }
    }

    /// Turns the memory limit on before a search, and off after it. The limit is global to the
    /// process, and only a search can report that memory was exhausted.
    fn limit_memory(&self, on: bool) {
        if let Some(bytes) = self.memory {
            let mib = if on { bytes >> 20 } else { 0 };
            z3::set_global_param("memory_max_size", &mib.to_string());
        }
    }
}

/// Once a limit is reached, interrupts the search repeatedly until it has ended, since Z3 ignores
/// an interrupt that comes before the search starts.
fn interrupt_at(limits: &Limits, done: &AtomicBool, handle: &ContextHandle<'_>) {
    while !done.load(Ordering::Relaxed) {
        if limits.stopped().is_some() {
            handle.interrupt();
        }
        thread::sleep(TICK);
    }
}
