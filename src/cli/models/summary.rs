//! A summary: the formats that each machine multiplies.

use crate::cli::error::Error;
use crate::cli::output::widest;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{
    Architecture, Compiled, architectures, described, libraries, unmodelled, usual_rows,
};
use mmasmt_core::machines::product_pairs::factors_name;
use std::io::Write;

/// All architectures, all libraries, and the machines of which no arithmetic is known.
pub(super) fn everything() -> Result<Vec<&'static Architecture>, Error> {
    let known = architectures()?.iter().chain(described()?);
    let known = known.chain(libraries()?);
    Ok(known.chain(unmodelled()?).collect())
}

/// Writes a line for each machine: the formats that its instructions multiply.
pub(super) fn summary(out: &mut dyn Write) -> Result<(), Error> {
    let lines = everything()?.into_iter().map(|machine| {
        let mut formats: Vec<String> = Vec::new();
        for (signature, row) in usual_rows(machine) {
            let Signature { a, b, scales, .. } = signature;
            let name = factors_name(a, scales);
            if a == b && row.compiled != Some(Compiled::Emulated) && !formats.contains(&name) {
                formats.push(name);
            }
        }
        if formats.is_empty() {
            formats.push("arithmetic not known".into());
        }
        (machine, formats)
    });
    let lines: Vec<_> = lines.collect();
    let width = widest(lines.iter().map(|(machine, _)| &machine.name));
    for (machine, formats) in &lines {
        writeln!(out, "{:width$}  {}", machine.name, machine.gpus.join(", "))?;
        writeln!(out, "{:width$}    {}", "", formats.join(", "))?;
    }
    writeln!(
        out,
        "\n`mmasmt models H100` lists the instructions of a machine, `mmasmt models fp8` those of a format,\n`mmasmt models show H100/fp8` all that is known of one; `--all` lists everything."
    )?;
    Ok(())
}
