//! `models`: the tables and the algorithms.

use super::Status;
use super::json::write_json;
use super::output::widest;
use super::unknown::{list_unknown, show_unknown, unknown_json};
use crate::cli::complete::models;
use crate::cli::error::Error;
use clap_complete::engine::ArgValueCompleter;
use mmasmt_core::machines::algorithms::{BlockScales, Signature};
use mmasmt_core::machines::model::{
    AlgorithmDoc, Architecture, Compiled, Model, Row, UnknownArithmetic, algorithms, architectures,
    compositions, find_architecture, find_row, find_unknown, libraries, split_name, unmodelled,
    usual_rows,
};
use mmasmt_core::numbers::float::Format;
use serde_json::{Value, json};
use std::io::Write;

/// List instructions, their models and the evidence for them
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  mmasmt models\n  mmasmt models hopper --instruction wgmma\n  mmasmt models list UTCOMMA\n  mmasmt models show hopper/HMMA.16816.F32\n  mmasmt models --algorithms"
)]
pub(super) struct Args {
    /// Only this architecture or product (hopper, H100, "RTX 4090"), or only rows with this text in
    /// any of their names: an instruction in PTX or machine code (UTCHMMA too), a format by any of
    /// its names (fp16, nvfp4)
    what: Vec<String>,
    /// Only rows whose instruction, in PTX or machine code, has this text in its name
    #[arg(long, value_name = "TEXT")]
    instruction: Option<String>,
    /// Only rows of this algorithm or composition
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Only rows with evidence of this kind: recorded, reported, machine code, mma-sim, paper
    #[arg(long, value_name = "KIND")]
    evidence: Option<String>,
    /// List integers, sparse and emulated instructions as well
    #[arg(long)]
    all: bool,
    /// List the algorithms and compositions with their keys instead
    #[arg(long)]
    algorithms: bool,
    #[command(subcommand)]
    command: Option<ModelsCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum ModelsCommand {
    /// List the rows of an architecture or product, or those with a text in any of their names
    List {
        /// hopper, H100, "RTX 4090"; or HMMA, UTCQMMA, fp16, nvfp4, m16n8k16
        what: Vec<String>,
    },
    /// Show all that is known of one row or specification
    Show {
        /// ARCH/INSTRUCTION or ALGORITHM:KEY=VALUE,...
        #[arg(add = ArgValueCompleter::new(models))]
        name: String,
    },
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    match &args.command {
        Some(ModelsCommand::Show { name }) => show(name, json, out)?,
        None if args.algorithms => list_algorithms(json, out)?,
        Some(ModelsCommand::List { what }) => list(args, what, json, out)?,
        None => list(args, &args.what, json, out)?,
    }
    Ok(Status::Yes)
}

/// The kinds of evidence, best first.
const KINDS: [&str; 9] = [
    "recorded",
    "reported",
    "machine code",
    "vendor",
    "documentation",
    "emulator",
    "mma-sim",
    "program",
    "paper",
];

impl Args {
    /// Whether options narrow the rows down.
    fn is_filtered(&self) -> bool {
        let Args {
            instruction,
            algorithm,
            evidence,
            ..
        } = self;
        instruction.is_some() || algorithm.is_some() || evidence.is_some()
    }

    /// Checks that the algorithm and the kind of evidence that are asked for exist.
    fn check(&self) -> Result<(), Error> {
        let known = |option: &str, found: &Option<String>, names: &[&str]| match found {
            Some(found) if !names.contains(&found.as_str()) => Err(Error::Usage(format!(
                "{option}: expected one of {}, found `{}`",
                names.join(", "),
                mmasmt_core::base::excerpt::excerpt(found)
            ))),
            _ => Ok(()),
        };
        let names: Vec<_> = documented().map(|doc| doc.name).collect();
        known("--algorithm", &self.algorithm, &names)?;
        known("--evidence", &self.evidence, &KINDS)
    }

    fn wants(&self, row: &Row) -> bool {
        let in_name = |text: &String| is_spelled(row, text);
        let algorithm = row.model.split([':', '(']).next();
        let is_kind = |kind: &String| row.evidence_kinds().any(|found| found == kind);
        self.instruction.as_ref().is_none_or(in_name)
            && (self.algorithm.is_none() || self.algorithm.as_deref() == algorithm)
            && self.evidence.as_ref().is_none_or(is_kind)
    }

    fn wants_unknown(&self, unknown: &UnknownArithmetic) -> bool {
        let in_name = |text: &String| unknown_is_spelled(unknown, text);
        let is_kind = |kind: &String| unknown.evidence.iter().any(|line| line.starts_with(kind));
        self.instruction.as_ref().is_none_or(in_name)
            && self.algorithm.is_none()
            && self.evidence.as_ref().is_none_or(is_kind)
    }
}

/// All architectures, all libraries, and the machines of which no arithmetic is known.
fn everything() -> Result<Vec<&'static Architecture>, Error> {
    let known = architectures()?.iter().chain(libraries()?);
    Ok(known.chain(unmodelled()?).collect())
}

/// Splits the words into names of architectures, and texts that a row must have in one of its
/// names.
fn meant(what: &[String]) -> Result<(Vec<&'static Architecture>, Vec<&str>), Error> {
    match meant_by_words(what) {
        // The words may together be one name, such as RTX 4090.
        Err(error) => match find_architecture(&what.join(" ")) {
            Ok(architecture) => Ok((vec![architecture], Vec::new())),
            Err(_) => Err(error),
        },
        found => found,
    }
}

/// The same as [`meant`], where each word is a name or a text by itself.
fn meant_by_words(what: &[String]) -> Result<(Vec<&'static Architecture>, Vec<&str>), Error> {
    let everything = everything()?;
    let (mut named, mut texts) = (Vec::new(), Vec::new());
    for word in what {
        match find_architecture(word) {
            Ok(architecture) => named.push(architecture),
            Err(error) => {
                let mut all = everything.iter();
                let is_known = all.any(|architecture| {
                    let mut unknown = architecture.unknown.iter();
                    architecture.rows.iter().any(|row| is_spelled(row, word))
                        || unknown.any(|unknown| unknown_is_spelled(unknown, word))
                });
                if !is_known {
                    return Err(error.into());
                }
                texts.push(word.as_str());
            }
        }
    }
    let chosen = if named.is_empty() { everything } else { named };
    Ok((chosen, texts))
}

fn list(args: &Args, what: &[String], json: bool, out: &mut dyn Write) -> Result<(), Error> {
    args.check()?;
    let is_asked = args.all || args.is_filtered() || json;
    if what.is_empty() && !is_asked {
        return summary(out);
    }
    let (architectures, texts) = meant(what)?;
    let shows_integers = !texts.is_empty();
    let chosen = architectures.into_iter().map(|architecture| {
        let rows: Vec<&Row> = architecture
            .rows
            .iter()
            .filter(|row| args.wants(row) && texts.iter().all(|text| is_spelled(row, text)))
            .collect();
        let unknown = architecture.unknown.iter().filter(|unknown| {
            args.wants_unknown(unknown)
                && texts.iter().all(|text| unknown_is_spelled(unknown, text))
        });
        (architecture, rows, unknown.collect::<Vec<_>>())
    });
    let chosen: Vec<_> = chosen
        .filter(|(_, rows, unknown)| !rows.is_empty() || !unknown.is_empty())
        .collect();
    if chosen.is_empty() {
        return Err(Error::Usage("no row matches all filters".into()));
    }
    if json {
        let rows = chosen.iter().flat_map(|(_, rows, _)| rows);
        let rows = rows
            .map(|row| row_json(row))
            .collect::<Result<Vec<_>, _>>()?;
        let unknown = chosen.iter().flat_map(|(.., unknown)| unknown);
        let unknown: Vec<_> = unknown.map(|unknown| unknown_json(unknown)).collect();
        return write_json(out, &json!({ "rows": rows, "unknown": unknown }));
    }
    for (number, (architecture, rows, unknown)) in chosen.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(
            out,
            "{} ({}; {})",
            architecture.name,
            architecture.title,
            architecture.gpus.join(", ")
        )?;
        let is_shown = |row: &Row| is_asked || is_usual(row, shows_integers);
        let (mut rows, mut hidden): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| is_shown(row));
        if rows.is_empty() {
            std::mem::swap(&mut rows, &mut hidden);
        }
        let width = widest(rows.iter().map(|row| &row.name));
        for row in &rows {
            let model = Model::parse(&row.model)?.canonical();
            let kinds: Vec<_> = row.evidence_kinds().collect();
            let remark = row
                .compiled
                .map_or(String::new(), |how| format!("  ({})", how.describe()));
            writeln!(
                out,
                "  {:width$}  {model}  [{}]{remark}",
                row.name,
                kinds.join(", ")
            )?;
        }
        if !hidden.is_empty() {
            let (count, machine) = (hidden.len(), &architecture.name);
            writeln!(
                out,
                "  and {count} rows of integers, sparse and emulated instructions: `mmasmt models {machine} --all`"
            )?;
        }
        list_unknown(unknown, out)?;
    }
    Ok(())
}

/// Whether a row is shown if not all rows are asked for: an instruction of the machine, for dense
/// operands, and for integers only if `shows_integers`.
fn is_usual(row: &Row, shows_integers: bool) -> bool {
    let is_native = !matches!(row.compiled, Some(Compiled::Emulated | Compiled::Absent));
    let is_integer = row.model.starts_with("int:") || row.model == "int";
    is_native && row.sparsity.is_none() && (shows_integers || !is_integer)
}

/// A format with block scales: its name, or factors and scales.
pub(super) fn scaled_text(factors: Format, scales: BlockScales) -> String {
    let BlockScales { format, block } = scales;
    match Format::scaled_name(factors, format, block) {
        Some(name) => name.to_owned(),
        None => format!("{factors} with {format} scales of {block}"),
    }
}

/// Writes a line for each machine: the formats that its instructions multiply.
fn summary(out: &mut dyn Write) -> Result<(), Error> {
    let lines = everything()?.into_iter().map(|machine| {
        let mut formats: Vec<String> = Vec::new();
        for (signature, row) in usual_rows(machine).rows() {
            let Signature { a, b, scales, .. } = signature;
            let name = match scales {
                Some(scales) => scaled_text(*a, *scales),
                None => a.to_string(),
            };
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

/// Whether a row has the text in one of its names or in its note, in upper or lower case. Any name
/// of a format finds the rows with that format; a name such as `nvfp4` stands for a format of
/// factors and a format of scales.
fn is_spelled(row: &Row, text: &str) -> bool {
    let contains = |text: &str| says(row.names().chain(&row.note), text);
    let is_part = |format: Format| {
        let parts = |name: &String| {
            name.split(['.', '_', 'x'])
                .any(|part| part == format.name())
        };
        row.names().any(parts)
    };
    match Format::scaled_known_as(text) {
        Some((factors, scale, block)) => {
            let block = format!("block{block}");
            let is_block = |name: &String| !name.contains("block") || name.contains(&block);
            is_part(factors) && is_part(scale) && row.names().any(is_block)
        }
        None => contains(text) || Format::all_known_as(text).into_iter().any(is_part),
    }
}

/// Whether an instruction of unknown arithmetic has the text in its name, formats or note.
fn unknown_is_spelled(unknown: &UnknownArithmetic, text: &str) -> bool {
    says(
        [&unknown.name, &unknown.formats]
            .into_iter()
            .chain(&unknown.note),
        text,
    )
}

/// Whether one of the texts in `said` contains `text`, in upper or lower case.
fn says<'t>(mut said: impl Iterator<Item = &'t String>, text: &str) -> bool {
    let text = text.to_lowercase();
    said.any(|said| said.to_lowercase().contains(&text))
}

fn row_json(row: &Row) -> Result<Value, Error> {
    Ok(json!({
        "architecture": row.architecture,
        "instruction": row.name,
        "sass": row.sass,
        "alias": row.alias,
        "compiled": row.compiled.map_or("native", Compiled::describe),
        "model": Model::parse(&row.model)?.canonical(),
        "evidence": row.evidence,
        "note": row.note,
        "variants": row.variants,
    }))
}

fn show(name: &str, json: bool, out: &mut dyn Write) -> Result<(), Error> {
    if let Some((architecture, instruction)) = instruction_of(name)
        && let Some(unknown) = find_unknown(find_architecture(architecture)?, instruction)
    {
        return show_unknown(name, unknown, json, out);
    }
    let model = Model::parse(name)?;
    let row = row_of(name)?;
    let signature = model.signature();
    let shape = format!(
        "{} products {} x {}, c {}, d {}",
        signature.products, signature.a, signature.b, signature.c, signature.d
    );
    if json {
        let row = row.map(row_json).transpose()?;
        return write_json(
            out,
            &json!({
                "name": name,
                "model": model.canonical(),
                "shape": shape,
                "program_word_bits": model.widest(),
                "program_word": model.simulator().instance(),
                "row": row,
            }),
        );
    }
    writeln!(out, "{name}")?;
    writeln!(out, "  model     {}", model.canonical())?;
    writeln!(out, "  shape     {shape}")?;
    writeln!(
        out,
        "  program   the widest word of this simulator has {} bits ({}); the unit itself may have others",
        model.widest(),
        model.simulator().instance()
    )?;
    let Some(row) = row else { return Ok(()) };
    writeln!(out, "  row       {}/{}", row.architecture, row.name)?;
    for (title, names) in [("sass", &row.sass), ("alias", &row.alias)] {
        if !names.is_empty() {
            writeln!(out, "  {title:<9} {}", names.join(", "))?;
        }
    }
    for evidence in &row.evidence {
        writeln!(out, "  evidence  {evidence}")?;
    }
    if let Some(note) = &row.note {
        writeln!(out, "  note      {note}")?;
    }
    for (variant, changes) in &row.variants {
        let changes = if changes.is_empty() {
            "the same"
        } else {
            changes
        };
        writeln!(out, "  variant   @{variant}: {changes}")?;
    }
    Ok(())
}

/// The architecture and the instruction that a specification names; `None` if it names no
/// instruction.
fn instruction_of(name: &str) -> Option<(&str, &str)> {
    let (head, _) = split_name(name);
    let (architecture, instruction) = head.split_once('/').filter(|_| !head.contains('('))?;
    let instruction = instruction.split('@').next().unwrap_or(instruction);
    Some((architecture, instruction))
}

/// The row that a specification names, if it names one.
fn row_of(name: &str) -> Result<Option<&'static Row>, Error> {
    let Some((architecture, instruction)) = instruction_of(name) else {
        return Ok(None);
    };
    Ok(Some(find_row(
        find_architecture(architecture)?,
        instruction,
    )?))
}

/// Every algorithm, then every composition.
fn documented() -> impl Iterator<Item = &'static AlgorithmDoc> {
    algorithms().iter().chain(compositions())
}

fn list_algorithms(json: bool, out: &mut dyn Write) -> Result<(), Error> {
    if json {
        let doc_json = |doc: &AlgorithmDoc| {
            let keys: Vec<Value> = doc
                .keys
                .iter()
                .map(|key| json!({ "key": key.name, "values": key.values, "default": key.default, "meaning": key.meaning }))
                .collect();
            json!({ "name": doc.name, "summary": doc.summary, "source": doc.source, "keys": keys })
        };
        let all = |docs: &[AlgorithmDoc]| docs.iter().map(doc_json).collect::<Vec<_>>();
        return write_json(
            out,
            &json!({
                "algorithms": all(algorithms()), "compositions": all(compositions()),
            }),
        );
    }
    for (number, algorithm) in documented().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let unit = if number < algorithms().len() {
            ""
        } else {
            "(MODEL)"
        };
        writeln!(out, "{}{unit}: {}", algorithm.name, algorithm.summary)?;
        writeln!(out, "  source: {}", algorithm.source)?;
        for key in &algorithm.keys {
            writeln!(
                out,
                "  {:<9} {}; {} (default: {})",
                key.name, key.meaning, key.values, key.default
            )?;
        }
    }
    Ok(())
}
