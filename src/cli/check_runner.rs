//! `check --runner`: passes inputs to a command and to a model, and compares the results.

use super::Status;
use super::check_shown::more;
use super::drawn_inputs::{KINDS, drawn_inputs};
use super::json::{FailureObject, ModelText, write_json};
use super::live::vectors_of;
use super::output::{value_text, write_inputs};
use super::runner::RunnerArgs;
use super::timeouts::until_ctrl_c;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::vectors::Results;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// The model, the command, and the inputs for both of them.
pub(super) struct Request<'x> {
    pub model: Model,
    pub machine: &'x RunnerArgs,
    /// The vector files with the inputs; if there are none, inputs are drawn.
    pub files: &'x [PathBuf],
    pub count: usize,
    pub seed: u64,
    /// Whether operands that are drawn may be infinities and NaNs.
    pub specials: bool,
    /// The number of failures that are shown.
    pub show: usize,
}

/// The most vectors that are passed to the command at once.
const BATCH: usize = 1 << 16;

/// An input to which the command gives another result than the model.
struct Failure<'x> {
    inputs: &'x Inputs,
    found: u64,
    computed: u64,
}

/// `mmasmt check --runner`
#[derive(Serialize, JsonSchema)]
pub(super) struct RunnerAnswer<'x> {
    passed: usize,
    failed: usize,
    model: ModelText,
    runner: &'x str,
    /// The counts of each kind of inputs that were drawn.
    kinds: Vec<KindChecked>,
    /// The first failures.
    failures: Vec<FailureObject>,
}

#[derive(Serialize, JsonSchema)]
struct KindChecked {
    kind: &'static str,
    passed: usize,
    failed: usize,
}

pub(super) fn run(request: &Request<'_>, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let Request { model, machine, .. } = request;
    let command = machine.runner.as_deref().unwrap_or_default();
    let signature = model.signature();
    let inputs = inputs(request)?;
    let limits = until_ctrl_c()?;
    let Some(mut device) = machine.device(signature, &limits)? else {
        return Err(Error::Usage("expected --runner with a command".into()));
    };
    let mut simulator = model.simulator();
    let mut shown: Vec<Failure<'_>> = Vec::new();
    // The number of failures for each kind of inputs. The inputs are of the kinds in turn.
    let mut failed = [0; KINDS.len()];
    let mut asked = 0;
    for batch in inputs.chunks(BATCH) {
        limits.report(|report| report.question = format!("check {command}"));
        for (inputs, found) in batch.iter().zip(device.run(batch)?) {
            let computed = simulator.run(inputs);
            if !model.accepts(computed, found) {
                failed[asked % KINDS.len()] += 1;
                if shown.len() < request.show {
                    shown.push(Failure {
                        inputs,
                        found,
                        computed,
                    });
                }
            }
            asked += 1;
        }
    }
    device.finish()?;
    let failures: usize = failed.iter().sum();
    let passed = inputs.len() - failures;
    let kinds = if request.files.is_empty() {
        by_kind(&failed, inputs.len())
    } else {
        Vec::new()
    };
    if json {
        let shown = shown.iter().map(|failure| {
            let results = [failure.computed, failure.found];
            FailureObject::new(&signature, failure.inputs, results)
        });
        let kinds = kinds.iter().map(|&(kind, failed, of)| KindChecked {
            kind,
            passed: of - failed,
            failed,
        });
        let object = RunnerAnswer {
            passed,
            failed: failures,
            model: ModelText::of(model),
            runner: command,
            kinds: kinds.collect(),
            failures: shown.collect(),
        };
        write_json(out, &object)?;
    } else {
        for failure in &shown {
            write_inputs(out, &model.into(), failure.inputs)?;
            let [found, computed] =
                [failure.found, failure.computed].map(|d| value_text(&signature.d, d));
            writeln!(out, "    runner    {found}")?;
            writeln!(out, "    model     {computed}")?;
            let line = failure.inputs.to_line(&signature);
            writeln!(out, "  as a line: {line}\n")?;
        }
        if failures > shown.len() {
            writeln!(out, "{}", more(failures - shown.len()))?;
        }
        if failures > 0 && !kinds.is_empty() {
            let kinds = kinds
                .iter()
                .map(|(kind, failed, of)| format!("{failed} of {of} {kind}"));
            writeln!(out, "failed: {}", kinds.collect::<Vec<_>>().join(", "))?;
        }
        writeln!(
            out,
            "{command}: {passed} passed, {failures} failed  [{model}]"
        )?;
    }
    Ok(if failures == 0 {
        Status::Yes
    } else {
        Status::No
    })
}

/// For each kind of inputs: its name, the number of failures, and the number of inputs. Kinds
/// without inputs are left out.
fn by_kind(failed: &[usize; KINDS.len()], all: usize) -> Vec<(&'static str, usize, usize)> {
    let kinds = KINDS.iter().zip(failed).enumerate();
    let kinds = kinds.map(|(turn, ((_, name), failed))| {
        let of = (all + KINDS.len() - 1 - turn) / KINDS.len();
        (*name, *failed, of)
    });
    kinds.filter(|(_, _, of)| *of > 0).collect()
}

/// The inputs in the files. If there are no files, inputs of every kind are drawn.
fn inputs(request: &Request<'_>) -> Result<Vec<Inputs>, Error> {
    let signature = request.model.signature();
    let mut inputs = Vec::new();
    for path in request.files {
        let all = vectors_of(path, &request.model, Results::None)?;
        inputs.extend(all.into_iter().map(|(_, vector)| vector.inputs));
    }
    if request.files.is_empty() {
        let drawn = drawn_inputs(signature, request.seed, request.specials);
        inputs.extend(drawn.take(request.count));
        // A model that does not read c gets +0 as c.
        if !request.model.reads_c() {
            inputs.iter_mut().for_each(|inputs| inputs.c = 0);
        }
    }
    Ok(inputs)
}
