//! `prove --claim`: a claim in SMT-LIB over models as functions.

use super::Status;
use super::asker::Asker;
use super::engine::EngineArgs;
use super::export::named_function;
use super::json::{Cost, VectorObject, write_json};
use super::notes::note;
use super::output::{PROGRAM, counted, value_text, write_inputs};
use crate::cli::error::Error;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::base::limited_file::read_limited;
use mmasmt_questions::claims::query::Engine;
use mmasmt_questions::claims::scripts::{
    Application, Script, ScriptAnswer, ScriptFinding, able_solvers, answer_script,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options that name a claim in SMT-LIB.
#[derive(Debug, clap::Args)]
pub(super) struct ScriptArgs {
    /// A claim in SMT-LIB: its assertions describe what refutes it. Models are functions of their
    /// registers, in the order a0, a1, …, b0, b1, …, c, sa0, …, sb0, …; `finite.FORMAT` tells
    /// whether a register holds a number, `value.FORMAT` and `real.FORMAT` are that number as a
    /// FloatingPoint and as a Real. One of bit-vectors alone is for the embedded engine; z3, cvc5
    /// and bitwuzla judge others, if they are on PATH. `(set-info :status unsat)` says the expected
    /// answer
    #[arg(long, value_name = "FILE", requires = "function")]
    #[arg(conflicts_with_all = ["property", "all", "list", "ordinary"])]
    claim: Option<PathBuf>,
    /// For --claim: a model as a function, such as f=H100/HMMA.16816.F32. Can be given several times
    #[arg(long = "function", value_name = "NAME=MODEL", requires = "claim")]
    function: Vec<String>,
}

/// The most bytes of a claim.
const LONGEST: u64 = 1 << 24;

impl ScriptArgs {
    /// The file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        self.claim.as_deref()
    }

    fn script(&self, path: &Path) -> Result<Script, Error> {
        let read = read_limited(path, LONGEST).map_err(Error::file(path))?;
        let text = read.ok_or_else(|| {
            let name = file_name(path);
            Error::Usage(format!(
                "{name}: expected at most {LONGEST} bytes, found more"
            ))
        })?;
        let functions = self.function.iter().map(|text| named_function(text));
        let named = functions.map(|function| function.map(|one| (one.name, one.model)));
        let models = named.collect::<Result<Vec<_>, Error>>()?;
        let script = Script::parse(&text, models);
        script.map_err(|error| Error::Usage(format!("{}, {error}", file_name(path))))
    }
}

/// Asks for values that make all assertions of a script true.
pub(super) fn prove_script(
    args: &ScriptArgs,
    path: &Path,
    (asker, engines): (&Asker, &EngineArgs),
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let script = args.script(path)?;
    if script.unread() > 0 {
        let commands = counted(script.unread(), "command", "commands");
        note([format!(
            "{}: {commands} behind the first check-sat or exit, where nothing counts",
            file_name(path)
        )])?;
    }
    let (limits, start) = (asker.limits_of_one(), Instant::now());
    let options = &asker.options;
    // The embedded engine judges bit-vectors alone.
    let engine = match engines.is_auto() && !script.is_of_bits() {
        true => &Engine::Race(able_solvers(&script, engines.memory())),
        false => &options.engine,
    };
    let answer = answer_script(&script, engine, options.seed, &limits)?;
    let seconds = start.elapsed().as_secs_f64();
    let (verdict, status) = match answer.found {
        ScriptFinding::Nothing => ("proved", Status::Yes),
        ScriptFinding::Values { .. } => ("refuted", Status::No),
        ScriptFinding::Unknown(_) => ("unknown", Status::Unknown),
    };
    // An expected answer is that there are values, or that there are none.
    let expected = script
        .status()
        .map(|is_sat| if is_sat { "refuted" } else { "proved" });
    let as_expected = expected
        .filter(|_| status != Status::Unknown)
        .map(|expected| expected == verdict);
    let status = match as_expected {
        Some(true) => Status::Yes,
        Some(false) => Status::No,
        None => status,
    };
    if json {
        let (values, applications) = found_objects(&script, &answer);
        let object = ScriptObject {
            verdict,
            claim: path,
            expected,
            as_expected,
            cost: Cost::of_engine(seconds, options.seed, answer.engine),
            values,
            applications,
        };
        write_json(out, &object)?;
        return Ok(status);
    }
    let mark = match as_expected {
        Some(false) => ", not as expected",
        _ => "",
    };
    let name = file_name(path);
    match &answer.found {
        ScriptFinding::Nothing => writeln!(
            out,
            "{verdict}{mark}: no values make all assertions of {name} true"
        )?,
        ScriptFinding::Unknown(stopped) => {
            writeln!(out, "{verdict}: {name}: {}", stopped.describe())?
        }
        ScriptFinding::Values {
            values,
            applications,
        } => {
            writeln!(
                out,
                "{verdict}{mark}: these values make all assertions of {name} true\n"
            )?;
            for ((name, width), value) in script.constants().zip(values) {
                writeln!(
                    out,
                    "  {name}  #x{value:0digits$x}",
                    digits = width.div_ceil(4) as usize
                )?;
            }
            for one in applications {
                write_application(&script, one, out)?;
            }
            match script.is_of_bits() {
                true => writeln!(out, "\nreplayed on words and on big integers")?,
                false => writeln!(
                    out,
                    "\nmodels replayed on words and on big integers; with their results, all assertions are true by {}",
                    answer.engine
                )?,
            }
        }
    }
    writeln!(
        out,
        "\n# {PROGRAM}, {}, seed {}, {seconds:.2} s",
        answer.engine, options.seed
    )?;
    for (name, model) in script.models() {
        writeln!(out, "# {name} is {model}: {}", model.canonical())?;
    }
    Ok(status)
}

fn write_application(
    script: &Script,
    one: &Application<u64>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (name, model) = &script.models()[one.model];
    let signature = model.signature();
    writeln!(out, "\n{name}")?;
    write_inputs(out, &model.into(), &one.inputs(model))?;
    writeln!(out, "  d = {}", value_text(&signature.d, one.result))?;
    Ok(())
}

/// `mmasmt prove --claim FILE`: values that make all its assertions true, or that there are none.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScriptObject<'x> {
    #[schemars(extend("enum" = ["proved", "refuted", "unknown"]))]
    verdict: &'static str,
    claim: &'x Path,
    expected: Option<&'static str>,
    as_expected: Option<bool>,
    cost: Cost,
    /// The declared constants; a truth value has one bit.
    values: Vec<ConstantObject>,
    /// The models at these values, in the order of evaluation.
    applications: Vec<ApplicationObject>,
}

#[derive(Serialize, JsonSchema)]
struct ConstantObject {
    name: String,
    bits: String,
}

#[derive(Serialize, JsonSchema)]
struct ApplicationObject {
    function: String,
    #[serde(flatten)]
    vector: VectorObject,
}

/// The values and the applications of models, as JSON.
fn found_objects(
    script: &Script,
    answer: &ScriptAnswer,
) -> (Vec<ConstantObject>, Vec<ApplicationObject>) {
    let ScriptFinding::Values {
        values,
        applications,
    } = &answer.found
    else {
        return Default::default();
    };
    let constants = script.constants().zip(values);
    let constants = constants.map(|((name, width), value)| ConstantObject {
        name: name.to_string(),
        bits: format!("{value:0digits$x}", digits = width.div_ceil(4) as usize),
    });
    let applications = applications.iter().map(|one| {
        let (name, model) = &script.models()[one.model];
        let inputs = one.inputs(model);
        ApplicationObject {
            function: name.clone(),
            vector: VectorObject::new(&model.signature(), &inputs, &[one.result]),
        }
    });
    (constants.collect(), applications.collect())
}
