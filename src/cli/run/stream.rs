//! Passes a stream of vectors through a device. The vectors read so far are run and written before
//! more are awaited.

use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::write_json_line;
use crate::cli::live::{LiveBatch, LiveVectors, write_vector};
use crate::cli::output::PROGRAM;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::vectors::device::{Device, DeviceError};
use mmasmt_questions::vectors::write::LinesHead;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// The last line of JSON Lines that were ended early.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct StoppedLine {
    stopped: &'static str,
    /// The number of vectors that were written.
    vectors: u64,
}

/// The most vectors that a device runs at once.
const BATCH: usize = 1 << 16;

/// Runs the vectors of `file`, or of standard input if there is no `file`, as they arrive. Ctrl-C
/// ends the output after the vectors that have been read.
pub(super) fn stream(
    device: &mut dyn Device,
    instruction: &str,
    file: Option<&Path>,
    limits: &Limits,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let signature = device.signature();
    let mut vectors = LiveVectors::open(file.unwrap_or(Path::new("-")), &signature, BATCH);
    limits.report(|report| report.question = format!("run {instruction}"));
    let (mut begun, mut count, mut stopped) = (false, 0, None);
    let (mut described, mut differs) = (Vec::new(), false);
    while stopped.is_none() {
        let batch = match vectors.next(BATCH, limits)? {
            LiveBatch::Some(batch) => batch,
            LiveBatch::Stopped(batch, why) => {
                stopped = Some(why);
                batch
            }
            LiveBatch::End if begun => break,
            LiveBatch::End => Vec::new(),
        };
        // Vectors read before a stop are still answered.
        let answered = match stopped {
            Some(_) => Ok(device.run(&batch)),
            None => limits.run(|| device.run(&batch)),
        };
        let answers = match answered {
            // Earlier answers are already written, so the output ends with them.
            Err(why) | Ok(Err(DeviceError::Stopped { stopped: why, .. })) if begun => {
                stopped = Some(why);
                break;
            }
            Err(why) => return Err(Error::Query(QueryError::Stopped(why))),
            Ok(answers) => answers?,
        };
        // The head is written after the first answers, so a run that ends at once prints nothing.
        if !begun {
            described = device.describe();
            let (line, is_alike) = elements(device, &batch)?;
            described.extend(line);
            differs = !is_alike;
        }
        if !begun && json {
            let signature = signature.to_string();
            let head = LinesHead {
                instruction: Some(instruction),
                device: Some(described.clone()),
                ..LinesHead::new(&signature, PROGRAM)
            };
            write_json_line(out, &head)?;
        } else if !begun {
            writeln!(out, "# {PROGRAM} run\n# instruction: {instruction}")?;
            for line in &described {
                writeln!(out, "# {line}")?;
            }
        }
        begun = true;
        for (inputs, &d) in batch.iter().zip(&answers) {
            write_vector(out, &signature, inputs, d, json)?;
        }
        // Whole lines are flushed at once: the client may wait for them before it sends more.
        out.flush()?;
        count += batch.len() as u64;
        limits.report(|report| report.vectors = Some(count));
        if batch.is_empty() {
            break;
        }
    }
    device.finish()?;
    match stopped.map(|why| why.describe()) {
        None if differs => Ok(Status::No),
        None => Ok(Status::Yes),
        Some(why) => {
            if json {
                let stopped = why;
                write_json_line(
                    out,
                    &StoppedLine {
                        stopped,
                        vectors: count,
                    },
                )?
            } else {
                writeln!(out, "# {count} vectors: {why}")?
            }
            Ok(Status::Unknown)
        }
    }
}

/// The most vectors for which all elements of an instruction are compared.
const COMPARED: usize = 64;

/// Compares all elements of D of one instruction, for some of the vectors: the line that says what
/// was found, if the device has several elements, and whether they are alike.
fn elements(
    device: &mut dyn Device,
    batch: &[Inputs],
) -> Result<(Option<String>, bool), DeviceError> {
    let step = batch.len().div_ceil(COMPARED).max(1);
    let some: Vec<Inputs> = batch.iter().step_by(step).cloned().collect();
    let found = device.elements(&some)?;
    let differs = some.iter().zip(&found).find_map(|(inputs, elements)| {
        let difference = elements.first_difference()?;
        let line = inputs.to_line(&device.signature());
        Some(format!("elements: DIFFERENT for `{line}`: {difference}"))
    });
    let is_alike = differs.is_none();
    let alike = found.first().map(|elements| {
        format!(
            "elements: all {} of D of one instruction are the same, for {} vectors each in every row and column",
            elements.results.len(),
            found.len()
        )
    });
    Ok((differs.or(alike), is_alike))
}
