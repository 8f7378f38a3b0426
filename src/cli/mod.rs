//! The command line: one file per subcommand.

mod agree;
mod allocator;
mod answered;
mod arguments;
mod artifacts;
mod asker;
mod atlas;
mod bench;
mod certificate_file;
mod check;
mod check_proof;
mod check_runner;
mod check_shown;
mod compare;
mod complete;
mod completions;
mod confirm;
mod diff;
mod distinguish;
mod domains;
mod drawn_inputs;
mod draws;
mod dump;
mod engine;
mod engines;
mod error;
mod error_answer;
mod eval;
mod explain;
mod explained;
mod export;
mod families;
mod fault_coverage;
mod faults;
mod fitting;
mod formats;
mod frame;
mod generate;
mod grammar;
mod groups;
mod identify;
mod json;
mod learn;
mod least;
mod library;
mod live;
mod machines;
#[cfg(feature = "man")]
mod man;
mod matmul;
mod models;
mod modes;
mod mutants;
mod next_steps;
mod notes;
mod number_formats;
mod operands;
mod output;
mod picture;
mod plan;
mod printed_page;
mod probe;
mod progress;
mod proof_file;
mod prove;
mod queries;
mod query_claims;
mod rtl;
mod run;
mod runner;
mod sample;
mod schema;
mod score;
mod scripts;
mod separate;
mod separated;
mod shards;
mod side_by_side;
mod specification;
mod specification_text;
mod status;
mod timeouts;
mod tolerance;
mod verdicts;
mod worst;

pub use arguments::{NoCommand, parse, parse_from};
pub use error::Error;
pub use learn::learn_device;
pub use schema::schema;
pub use status::Status;

use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use mmasmt_core::machines::model::{add_tables, add_tables_of_environment};
use mmasmt_numbers::base::limits::{Limits, Progress};
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::vectors::device::DeviceError;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use allocator::{limit_allocations, room};
use error_answer::ErrorAnswer;
use faults::show_faults;
use groups::grouped;
use json::write_json;
use progress::Line;
use timeouts::{bytes, watch_for_ctrl_c, write_reason};

const AFTER_HELP: &str = "\
Models: ALGORITHM[:KEY=VALUE,...] or ARCH/INSTRUCTION[@VARIANT][:KEY=VALUE,...], for example
  fda:F=24   fda:F=25,K=16,out=f16   hopper/mma.m16n8k16.f32.f16.f16.f32   ampere/HMMA.16816.F32
  H100/fp8 (the instruction that programs use for a format)
Compositions are made of models: promote(fda:K=8,F=13):K=64,every=4. Keys behind the parentheses
may be those of a model inside: epilogue(splitk(fda)):F=20, or with the path, splitk.fda.F=20.
A design in BTOR2 is a model as well: rtl:FILE.btor2[:PORTS]@MODEL, where MODEL has its operands;
so are unit:FILE, a description, plan:TABLE, the plan of a library, and @FILE, a text in a file.
Machines that answer (check, identify, learn, probe, run): run:COMMAND, cpu:INSTRUCTION,
gpu:NUMBER:INSTRUCTION, model:MODEL.

Examples:
  mmasmt diff H100 'RTX 5090'
  mmasmt distinguish fda:F=24 fda:F=25
  mmasmt explain fda:F=23 --a 1.5,0x1p-11 --b 1.5,0x1p-12 --c 0x1p-23
  mmasmt models hopper

Exit status: 0 the answer asked for was found or holds; 1 it was refuted, or nothing exists
(proved); 2 the request was wrong or something failed; 3 no answer within the limits.";

/// What exactly does this GPU's matrix unit compute?
#[derive(Debug, Parser)]
#[command(version, about, after_help = AFTER_HELP, max_term_width = 100, disable_help_flag = true)]
pub struct Cli {
    /// Limit on the memory of this program: bytes, or a number with a unit, such as 512M. At the
    /// limit, work on formulas (nodes, gates and clauses) ends with its results so far; any other
    /// work ends the program
    #[arg(long, global = true, value_name = "BYTES", default_value = "4G", value_parser = bytes)]
    memory: u64,
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,
    /// A folder of tables: its *.toml have machines with rows as the tables of the program have,
    /// its NAME.unit are the descriptions unit:NAME. Can be given several times. MMASMT_TABLES
    /// names folders for all commands
    #[arg(long, global = true, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// Do not show progress. A terminal shows it on one line; elsewhere one line goes to standard
    /// error every ten seconds. MMASMT_QUIET=1 does the same as this option
    #[arg(long, global = true)]
    quiet: bool,
    /// Print help; -h prints a short form
    #[arg(short, long, global = true, action = ArgAction::Help)]
    help: Option<bool>,
    #[arg(skip)]
    given: modes::CommandLine,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Distinguish(distinguish::Args),
    Diff(diff::Args),
    Agree(agree::Args),
    Atlas(atlas::Args),
    Prove(prove::Args),
    Least(least::Args),
    Worst(worst::Args),
    Tolerance(tolerance::Args),
    Compare(compare::Args),
    #[command(alias = "simulate")]
    Eval(eval::Args),
    Explain(explain::Args),
    Check(check::Args),
    Probe(probe::Args),
    Gen(generate::Args),
    Separate(separate::Args),
    Mutants(mutants::Args),
    Identify(identify::Args),
    Learn(learn::Args),
    Run(run::Args),
    Matmul(matmul::Args),
    Plan(plan::Args),
    Merge(shards::merge::Args),
    Export(export::Args),
    CheckProof(check_proof::Args),
    #[command(alias = "list")]
    Models(models::Args),
    Bench(bench::Args),
    Formats(number_formats::Args),
    Engines(engines::Args),
    Completions(completions::Args),
    #[cfg(feature = "man")]
    Man(man::Args),
}

/// Runs a command; its results go to standard output, warnings to standard error.
///
/// # Errors
/// If the request is wrong or something fails; the exit status is then 2.
pub fn run(cli: &Cli) -> Result<Status, Error> {
    watch_for_ctrl_c(cli.json);
    limit_allocations(cli.memory.min(room()), cli.json);
    show_faults();
    let progress = Arc::new(Progress::default());
    let line = Line::new(Arc::clone(&progress), cli.quiet);
    let out = line.cleared_by(std::io::stdout());
    let mut out = std::io::BufWriter::new(out);
    let limits = Limits::default().watched_by(progress);
    let status = run_within(cli, &limits, &mut out)?;
    out.flush()?;
    Ok(status)
}

/// Runs a command inside another program. Its results go to `out`. Once `interrupt` is set, the
/// command ends with its results so far.
///
/// # Errors
/// As [`run`](fn@run).
pub fn run_inside(
    cli: &Cli,
    out: &mut dyn Write,
    interrupt: Arc<AtomicBool>,
) -> Result<Status, Error> {
    let _inside = timeouts::NestedCommand::enter();
    run_within(cli, &Limits::interruptible(interrupt), out)
}

fn run_within(cli: &Cli, limits: &Limits, out: &mut dyn Write) -> Result<Status, Error> {
    add_tables_of_environment()?;
    cli.tables
        .iter()
        .try_for_each(|folder| add_tables(folder))?;
    modes::check(&cli.given)?;
    let run = || command(cli, out);
    let memory = cli.memory.min(room());
    let why = match limits.with_memory(memory).run(run) {
        Ok(Err(Error::Query(QueryError::Stopped(stopped)))) | Err(stopped) => {
            stopped.describe().to_owned()
        }
        Ok(Err(Error::Device(error @ DeviceError::Stopped { .. }))) => error.to_string(),
        Ok(done) => return done,
    };
    write_reason(cli.json, out, &why)?;
    Ok(Status::Unknown)
}

/// Reports an error: as a line on standard error, or with `--json` as an object on standard output.
pub fn report(json: bool, error: &str) {
    // If the error cannot be written, the exit status still reports it.
    let _ = if json {
        write_json(&mut std::io::stdout(), &ErrorAnswer::of(error))
    } else {
        writeln!(std::io::stderr(), "error: {error}").map_err(Error::from)
    };
}

impl Cli {
    /// Whether `--json` is given.
    pub fn is_json(&self) -> bool {
        self.json
    }
}

fn command(cli: &Cli, out: &mut dyn Write) -> Result<Status, Error> {
    match &cli.command {
        Command::Distinguish(args) => distinguish::run(args, cli.json, out),
        Command::Diff(args) => diff::run(args, cli.json, out),
        Command::Agree(args) => agree::run(args, cli.json, out),
        Command::Atlas(args) => atlas::run(args, cli.json, out),
        Command::Mutants(args) => mutants::run(args, cli.json, out),
        Command::Prove(args) => prove::run(args, cli.json, out),
        Command::Least(args) => least::run(args, cli.json, out),
        Command::Worst(args) => worst::run(args, cli.json, out),
        Command::Tolerance(args) => tolerance::run(args, cli.json, out),
        Command::Compare(args) => compare::run(args, cli.json, out),
        Command::Eval(args) => eval::run(args, cli.json, out),
        Command::Export(args) => export::run(args, cli.json, out),
        Command::Explain(args) => explain::run(args, cli.json, out),
        Command::Check(args) => check::run(args, cli.json, out),
        Command::Probe(args) => probe::run(args, cli.json, out),
        Command::Gen(args) => generate::run(args, cli.json, out),
        Command::Separate(args) => separate::run(args, cli.json, out),
        Command::Identify(args) => identify::run(args, cli.json, out),
        Command::Learn(args) => learn::run(args, cli.json, out),
        Command::Merge(args) => shards::merge::run(args, out),
        Command::Matmul(args) => matmul::run(args, cli.json, out),
        Command::Plan(args) => plan::run(args, cli.json, out),
        Command::Run(args) => run::run(args, cli.json, out),
        Command::CheckProof(args) => check_proof::run(args, cli.json, out),
        Command::Bench(args) => bench::run(args, cli.json, out),
        Command::Models(args) => models::run(args, cli.json, out),
        Command::Formats(args) => number_formats::run(args, cli.json, out),
        Command::Engines(args) => engines::run(args, cli.json, out),
        Command::Completions(args) => completions::run(args, &mut grouped(Cli::command()), out),
        #[cfg(feature = "man")]
        Command::Man(args) => man::run(args, grouped(Cli::command())),
    }
}
