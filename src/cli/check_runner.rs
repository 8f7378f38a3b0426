//! `check --runner`: what a command answers against a model, in one step.

use super::Status;
use super::json::{vector_json, write_json};
use super::output::{bits, value_text, write_inputs};
use super::runner::RunnerArgs;
use super::timeouts::until_ctrl_c;
use crate::cli::error::Error;
use crate::model::Model;
use crate::vectors::{Draw, Inputs, Kind, Results, VectorFile};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// What is checked.
pub(super) struct Request<'x> {
    pub model: Model,
    pub machine: &'x RunnerArgs,
    /// Where the inputs are; drawn if there are none.
    pub files: &'x [PathBuf],
    pub count: usize,
    pub seed: u64,
    /// How many failures are shown.
    pub show: usize,
}

/// The kinds of inputs that are drawn, in turn.
const KINDS: [Kind; 6] = [
    Kind::Finite,
    Kind::Close,
    Kind::Cancel,
    Kind::Edge,
    Kind::Feature,
    Kind::Random,
];

/// The most vectors that a command is started for.
const BATCH: usize = 1 << 16;

pub(super) fn run(
    request: &Request<'_>,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let Request { model, machine, .. } = request;
    let command = machine.runner.as_deref().unwrap_or_default();
    let signature = model.signature();
    let inputs = inputs(request)?;
    let limits = until_ctrl_c()?;
    let Some(mut device) = machine.device(signature, &limits) else {
        return Err(Error::Usage("expected --runner with a command".into()));
    };
    let mut simulator = model.simulator();
    let mut failed: Vec<(&Inputs, u64, u64)> = Vec::new();
    let mut failures = 0;
    for batch in inputs.chunks(BATCH) {
        limits.report(|report| report.question = format!("check {command}"));
        for (inputs, found) in batch.iter().zip(device.run(batch)?) {
            let computed = simulator.run(inputs);
            if !model.accepts(computed, found) {
                failures += 1;
                if failed.len() < request.show {
                    failed.push((inputs, found, computed));
                }
            }
        }
    }
    let passed = inputs.len() - failures;
    if json {
        let shown = failed.iter().map(|(inputs, found, computed)| {
            let mut object = vector_json(&signature, inputs, &[*computed]);
            object.insert("recorded".into(), bits(&signature.d, *found).into());
            Value::Object(object)
        });
        let object = json!({
            "passed": passed, "failed": failures, "model": model.canonical(), "runner": command,
            "failures": shown.collect::<Vec<_>>(),
        });
        write_json(out, &object)?;
    } else {
        for (inputs, found, computed) in &failed {
            write_inputs(out, &signature, inputs)?;
            writeln!(out, "    runner    {}", value_text(&signature.d, *found))?;
            writeln!(out, "    model     {}", value_text(&signature.d, *computed))?;
            writeln!(out, "  as a line: {}\n", inputs.to_line(&signature))?;
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

/// Those of the files, or drawn ones of every kind.
fn inputs(request: &Request<'_>) -> Result<Vec<Inputs>, Error> {
    let signature = request.model.signature();
    let mut inputs = Vec::new();
    for path in request.files {
        let located = |error| Error::vectors(path, error);
        let file = VectorFile::open(path, &request.model, Results::None).map_err(located)?;
        let all = file.read_all().map_err(located)?;
        inputs.extend(all.into_iter().map(|(_, vector)| vector.inputs));
    }
    if request.files.is_empty() {
        let mut draws = KINDS.map(|kind| Draw::new(signature, kind, request.seed));
        let drawn = (0..request.count).map(|turn| draws[turn % KINDS.len()].draw());
        inputs.extend(drawn);
        // What is not read is not given.
        if !request.model.reads_c() {
            inputs.iter_mut().for_each(|inputs| inputs.c = 0);
        }
    }
    Ok(inputs)
}
