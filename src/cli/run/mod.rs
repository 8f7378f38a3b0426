//! `run`: passes vectors through a device: silicon, or a model that stands in for it.

mod stream;

use super::Status;
use super::json::write_json;
use super::runner::RunnerArgs;
use super::timeouts::until_ctrl_c;
use crate::cli::error::Error;
use crate::cli::specification::{find, model as specified};
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Row, architectures};
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_questions::vectors::device::ptx::{Capability, PtxProgram};
use mmasmt_questions::vectors::stated_signature;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use stream::stream;

pub(super) use stream::StoppedLine;

/// Run vectors on a GPU, on this processor, or on a model in its place
///
/// Each line of the input is `c a0,a1,… b0,b1,…` in hexadecimal bits; a result behind it is
/// ignored. The command prints each line with the result of the device, after comments that
/// describe the device, and say whether all elements of D of one instruction are the same where they
/// have the same operands. Files may be compressed by gzip. Ctrl-C ends the command early, and the
/// vectors written by then are valid.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt run gpu:0:hopper/mma.m16n8k16.f32.f16.f16.f32 in.txt > out.txt\n  mmasmt run cpu:x86/vdpbf16ps in.txt\n  mmasmt run model:fda:F=25,K=16 in.txt\n  mmasmt run --list --capability 9.0\n  mmasmt run --emit-ptx --instruction hopper/wgmma.m64nNk16.f32.f16.f16\n\nExit status: 0 all vectors ran, 1 elements of D of one instruction differ, 2 the device cannot be had or failed, or the request was wrong, 3 ended early."
)]
pub(super) struct Args {
    /// The vectors; without it, or with -, standard input
    file: Option<PathBuf>,
    /// The instruction of the first GPU, named ARCH/INSTRUCTION as in the tables. With a command this
    /// may be any model with the operands of the machine, and is not needed if FILE says what they are
    #[arg(long, value_name = "NAME", required_unless_present_any = ["list", "runner", "file"])]
    instruction: Option<String>,
    #[command(flatten)]
    machine: RunnerArgs,
    /// List the instructions that have kernels
    #[arg(long, conflicts_with_all = ["instruction", "file", "emit_ptx"])]
    list: bool,
    /// Print the kernel instead of running it
    #[arg(long, conflicts_with = "file")]
    emit_ptx: bool,
    /// The compute capability for --list or --emit-ptx, for example 9.0
    #[arg(long, value_name = "X.Y")]
    capability: Option<Capability>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if args.list {
        list(args.capability, json, out)?;
        return Ok(Status::Yes);
    }
    let limits = until_ctrl_c()?;
    if args.emit_ptx {
        return emit_ptx(args, json, out);
    }
    if let (None, None, Some(file)) = (&args.instruction, &args.machine.runner, &args.file) {
        return Err(without_machine(file));
    }
    // An instruction alone is that of the first GPU.
    let first = args.instruction.as_deref();
    let first = first.map(|name| RunnerArgs::of(&format!("gpu:0:{name}")));
    let machine = match (&args.machine.runner, &first) {
        (None, Some(first)) => first,
        _ => &args.machine,
    };
    let own = machine.model()?;
    let signature = match &own {
        Some(model) => model.signature(),
        None => operands(args)?,
    };
    let name = own.map(|model| model.to_string());
    let name = name.or_else(|| args.instruction.clone());
    let name = name.unwrap_or_else(|| format!("a machine of {signature}"));
    let file = args.file.as_deref();
    match machine.device(signature, &limits)? {
        Some(mut device) => stream(device.as_mut(), &name, file, &limits, json, out),
        None => Ok(Status::No),
    }
}

/// The error that no machine is named, or that one is named in place of the file.
fn without_machine(file: &Path) -> Error {
    let text = file.to_string_lossy();
    let name = file_name(file);
    Error::Usage(match file.exists() || specified(&text).is_err() {
        true => format!(
            "expected a machine before {name}: gpu:0:ARCH/INSTRUCTION, cpu:ARCH/INSTRUCTION, run:COMMAND or model:MODEL"
        ),
        false => format!(
            "`{text}` is a model: expected the machine that computes it, such as gpu:0:{text} for the first GPU, or model:{text} for the model in its place"
        ),
    })
}

/// Prints the kernel of an instruction.
fn emit_ptx(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let (row, instruction) = find(args.instruction.as_deref().unwrap_or_default())?;
    let program = PtxProgram::new(row, instruction, capability_for(row, args.capability)?)?;
    if json {
        let object = PtxAnswer {
            instruction: &program.instruction,
            target: &program.target,
            threads: program.threads,
            vectors_per_block: program.tile.vectors(),
            bytes_in: program.tile.input_bytes,
            bytes_out: program.tile.output_bytes,
            ptx: &program.text,
        };
        write_json(out, &object)?
    } else {
        write!(out, "{}", program.text)?
    }
    Ok(Status::Yes)
}

/// The operands of a machine behind a runner: those of `--instruction`, which may be any model, or
/// else those that the file states.
fn operands(args: &Args) -> Result<Signature, Error> {
    if let Some(name) = &args.instruction {
        return Ok(specified(name)?.signature());
    }
    let file = args.file.as_deref();
    file.and_then(stated_signature).ok_or_else(|| {
        let file = file.map_or("standard input".into(), file_name);
        Error::Usage(format!(
            "{file}: expected a first line that says what the operands are, such as `# 4 products f16 x f16, c f32, result f32`, \
             found none; give `--instruction MODEL` with a model of these operands, such as fda:K=4"
        ))
    })
}

/// The capability that is asked for, which must be one of the row's architecture. If none is asked
/// for, the first capability of that architecture.
fn capability_for(row: &Row, asked: Option<Capability>) -> Result<Capability, Error> {
    let own = Capability::of_architecture(&row.architecture);
    let capability = asked.or(own).ok_or_else(|| {
        Error::Usage(format!(
            "{}/{}: expected an instruction of NVIDIA; for AMD see kernels/hip",
            row.architecture, row.name
        ))
    })?;
    if capability.architecture() == Some(&row.architecture) {
        Ok(capability)
    } else {
        Err(Error::Usage(format!(
            "--capability: {capability} is not {}, which has {}/{}",
            row.architecture, row.architecture, row.name
        )))
    }
}

/// `mmasmt run --emit-ptx`
#[derive(Serialize, JsonSchema)]
pub(super) struct PtxAnswer<'x> {
    instruction: &'x str,
    target: &'x str,
    threads: u32,
    vectors_per_block: usize,
    bytes_in: u32,
    bytes_out: u32,
    ptx: &'x str,
}

/// `mmasmt run --list`
#[derive(Serialize, JsonSchema)]
pub(super) struct TargetsAnswer {
    targets: Vec<TargetRow>,
}

#[derive(Serialize, JsonSchema)]
struct TargetRow {
    /// The compute capability.
    capability: String,
    target: String,
    instructions: Vec<String>,
}

/// Lists the instructions that have a kernel. If a capability is asked for, those for this
/// capability; otherwise, for each architecture, those for its first capability.
fn list(asked: Option<Capability>, json: bool, out: &mut dyn Write) -> Result<(), Error> {
    let mut listed = Vec::new();
    for architecture in architectures()? {
        let own = Capability::of_architecture(&architecture.name);
        let capability = match asked {
            Some(asked) if asked.architecture() == Some(&architecture.name) => asked,
            None if own.is_some() => own.unwrap_or(Capability { major: 0, minor: 0 }),
            _ => continue,
        };
        let programs = architecture
            .rows
            .iter()
            .filter_map(|row| PtxProgram::new(row, &row.name, capability).ok());
        let names: Vec<_> = programs.map(|program| program.instruction).collect();
        if json {
            listed.push(TargetRow {
                capability: capability.to_string(),
                target: capability.target(),
                instructions: names,
            });
            continue;
        }
        writeln!(
            out,
            "# compute capability {capability}, {}: {} instructions",
            capability.target(),
            names.len()
        )?;
        for name in names {
            writeln!(out, "{name}")?;
        }
    }
    if json {
        write_json(out, &TargetsAnswer { targets: listed })?;
    }
    Ok(())
}
