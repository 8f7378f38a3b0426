//! A stream of vectors through a device: what has been read runs and is written before more is read.

use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::output::{PROGRAM, bits, write_json};
use crate::device::Device;
use crate::limits::Limits;
use crate::vectors::{Inputs, Results, VectorFile, is_stdin};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Vectors that are read before the device runs them.
const BATCH: usize = 1 << 16;
/// How many of them lie between two looks at the flag of Ctrl-C.
const STRIDE: usize = 256;

/// Runs the vectors of `file`, of standard input without one, batch by batch. Ctrl-C ends the output
/// after the vectors that have been read.
pub(super) fn stream(
    device: &mut dyn Device,
    instruction: &str,
    file: Option<&Path>,
    limits: &Limits,
    json: bool,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let signature = device.signature();
    let path = file.unwrap_or(Path::new("-"));
    let named = match is_stdin(path) {
        true => Path::new("standard input"),
        false => path,
    };
    let located = |error| Error::vectors(named, error);
    let mut vectors = VectorFile::open(path, &signature, Results::None).map_err(located)?;
    let mut next = || -> Result<Option<Inputs>, Error> {
        let vector = vectors.next_vector().map_err(located)?;
        Ok(vector.map(|(_, vector)| vector.inputs.clone()))
    };
    limits.report(|report| report.question = format!("run {instruction}"));
    let mut results = Vec::new();
    let (mut count, mut stopped) = (0, None);
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH {
            if batch.len().is_multiple_of(STRIDE) {
                stopped = limits.stopped();
            }
            match next()? {
                Some(inputs) if stopped.is_none() => batch.push(inputs),
                _ => break,
            }
        }
        let answers = device.run(&batch)?;
        // Not before the first batch has answers: what ends at once prints nothing.
        if count == 0 && !json {
            writeln!(out, "# {PROGRAM} run\n# instruction: {instruction}")?;
            for line in device.describe() {
                writeln!(out, "# {line}")?;
            }
        }
        for (inputs, &d) in batch.iter().zip(&answers) {
            let result = bits(&signature.d, d);
            match json {
                true => results.push(result),
                false => writeln!(out, "{} {result}", inputs.to_line(&signature))?,
            }
        }
        // Whole lines, whatever becomes of the program while it waits for more.
        out.flush()?;
        count += batch.len() as u64;
        limits.report(|report| report.vectors = Some(count));
        if batch.len() < BATCH {
            break;
        }
    }
    let stopped = stopped.map(|why| why.describe());
    if json {
        write_json(
            out,
            &json!({
                "instruction": instruction, "device": device.describe(), "vectors": count,
                "d": results, "stopped": stopped, "version": PROGRAM,
            }),
        )?;
    } else if let Some(why) = stopped {
        writeln!(out, "# {count} vectors: {why}")?;
    }
    Ok(match stopped {
        None => Status::Yes,
        Some(_) => Status::Unknown,
    })
}
