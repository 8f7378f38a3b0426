//! A summary: the formats that each machine multiplies.

use crate::cli::error::Error;
use crate::cli::output::widest;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{
    Architecture, Model, Translation, architectures, conversions, described, libraries, unmodelled,
    usual_rows,
};
use mmasmt_core::machines::product_pairs::factors_name;
use std::io::Write;

/// All architectures, all libraries, and the machines of which no arithmetic is known.
pub(super) fn everything() -> Result<Vec<&'static Architecture>, Error> {
    let known = architectures()?.iter().chain(described()?);
    let known = known.chain(libraries()?);
    let known = known.chain(unmodelled()?);
    Ok(known.chain(conversions()?).collect())
}

/// The formats that the conversions of a table give.
fn converted(table: &Architecture) -> Vec<String> {
    let models = table
        .rows
        .iter()
        .filter_map(|row| Model::parse(&row.model).ok());
    let signatures = models.map(|model| model.signature());
    let mut formats: Vec<String> = Vec::new();
    for signature in signatures.filter(Signature::is_conversion) {
        let name = format!("to {}", signature.d);
        if !formats.contains(&name) {
            formats.push(name);
        }
    }
    formats
}

/// Writes a line for each machine: the formats that its instructions multiply.
pub(super) fn summary(out: &mut dyn Write) -> Result<(), Error> {
    let lines = everything()?.into_iter().map(|machine| {
        let mut formats: Vec<String> = Vec::new();
        for (signature, row) in usual_rows(machine) {
            let Signature { a, b, scales, .. } = signature;
            let name = factors_name(a, scales);
            if a == b && row.compiled != Some(Translation::Emulated) && !formats.contains(&name) {
                formats.push(name);
            }
        }
        if formats.is_empty() {
            formats = converted(machine);
        }
        if formats.is_empty() {
            formats.push("arithmetic not known".into());
        }
        (machine, formats)
    });
    let lines: Vec<_> = lines.collect();
    let width = widest(lines.iter().map(|(machine, _)| &machine.name));
    for (machine, formats) in &lines {
        let what = match machine.gpus.is_empty() {
            true => machine.title.clone(),
            false => machine.gpus.join(", "),
        };
        writeln!(out, "{:width$}  {what}", machine.name)?;
        writeln!(out, "{:width$}    {}", "", formats.join(", "))?;
    }
    writeln!(
        out,
        "\n`mmasmt models H100` lists the instructions of a machine, `mmasmt models fp8` those of a format,\n`mmasmt models show H100/fp8` all that is known of one; `--all` lists everything."
    )?;
    Ok(())
}
