//! Results of a machine that `probe --results` reads: vectors, or results alone.

use crate::cli::error::Error;
use crate::cli::live::vectors_of;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_questions::identify::probe::{ProbePlan, recorded};
use mmasmt_questions::vectors::Results;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes that are read of a file that has results alone.
const LONGEST: u64 = 1 << 24;

/// The results in a file that has one result on each line; `None` if the file has other lines.
fn bare_results(path: &Path, signature: &Signature) -> Result<Option<Vec<u64>>, Error> {
    let digits = signature.d.digits();
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
    if read.is_err() {
        // The file is compressed, an archive, or missing: the reader of vectors handles all of
        // these.
        return Ok(None);
    }
    let lines = text.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let register = |line: &str| {
        let is_one = line.len() == digits && line.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(line, 16).ok().filter(|_| is_one)
    };
    Ok(lines.map(register).collect())
}

/// The results in a file, by their inputs. If the file has results alone, they belong to the inputs
/// of `plan`, in order.
pub(super) fn read(
    path: &Path,
    signature: &Signature,
    plan: &ProbePlan,
) -> Result<FxHashMap<Inputs, u64>, Error> {
    if let Some(results) = bare_results(path, signature)? {
        let inputs = plan.inputs();
        if inputs.len() != results.len() {
            return Err(Error::Usage(format!(
                "--results {}: expected {} results in the order of --inputs, found {}",
                path.display(),
                inputs.len(),
                results.len()
            )));
        }
        return Ok(inputs.into_iter().zip(results).collect());
    }
    let vectors = vectors_of(path, signature, Results::Only)?
        .into_iter()
        .map(|(_, vector)| vector);
    recorded(signature, vectors).map_err(|error| Error::Contradiction {
        path: path.into(),
        error,
    })
}
