//! `distinguish`: inputs on which two models differ.

use super::Status;
use super::artifacts::ArtifactArgs;
use super::confirm::{confirmed_status, insert_confirmations, write_confirmations};
use super::dump::DumpArgs;
use super::engine::EngineArgs;
use super::output::{PROGRAM, bits, inputs_json, value_text, write_inputs, write_json};
use crate::engine::{Limits, end_processes, solver_version};
use crate::error::Error;
use crate::float::ulp_distance;
use crate::model::Model;
use crate::property::Domain;
use crate::query::{
    Answer, Confirmation, Distinguish, Engine, Found, Origin, Simplest, Subject, Witness,
    common_signature, confirm_found, distinguish, parting, script,
};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Find inputs on which two models differ, or prove that there are none
///
/// Operands are finite unless --specials. What is found is replayed on two simulators before it is
/// shown, and made simple: fewest products that are not zero, then fewest significand bits, then
/// exponents near 0.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt distinguish fda:F=24 fda:F=25\n  mmasmt distinguish hopper/HMMA.16816.F32 ampere/HMMA.16816.F32 --count 3\n  mmasmt distinguish fda:carry=4 fda:carry=full --json\n\nExit status: 0 the models differ, 1 they are equal (proved), 3 not known, or not confirmed."
)]
pub(super) struct Args {
    /// One model
    left: String,
    /// The other model
    right: String,
    /// How many different inputs to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// What samples and the solver's choices start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds to look for an answer
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// What is assumed of the operands beside that, such as `a normal, c = 0, b[1..] exp -3..5`
    #[arg(long, value_name = "DOMAIN")]
    assume: Option<String>,
    /// Show inputs as they are found
    #[arg(long)]
    no_minimize: bool,
    /// Seconds to look for simpler inputs after each find
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = seconds)]
    minimize_budget: Duration,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    dump: DumpArgs,
    #[command(flatten)]
    artifacts: ArtifactArgs,
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let parsed: Option<f64> = text.parse().ok();
    parsed
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("expected seconds, like 2 or 0.5, found `{text}`"))
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let models = [Model::parse(&args.left)?, Model::parse(&args.right)?];
    let domain = match &args.assume {
        Some(text) => Some(Domain::parse(text, &models[0].signature())?),
        None => None,
    };
    let options = Distinguish {
        domain,
        count: args.count as usize,
        seed: args.seed,
        specials: args.specials,
        minimise: (!args.no_minimize).then_some(args.minimize_budget),
        engine: args.engine.find()?,
    };
    let confirm = args.engine.find_confirm(args.seed)?;
    let [left, right] = &models;
    args.artifacts.check(&args.dump)?;
    args.dump
        .write(|plain| script(left, right, &options, plain))?;
    let interrupt = Arc::new(AtomicBool::new(false));
    raise_on_ctrl_c(&interrupt)?;
    let unlimited = Limits::interruptible(interrupt);
    let limits = match args.timeout {
        Some(time) => unlimited.within(time),
        None => unlimited.clone(),
    };

    let start = Instant::now();
    let ask = || -> Result<Found, Error> { Ok(distinguish(left, right, &options, &limits)?) };
    let (found, origin) = match args.artifacts.cache()? {
        None => (ask()?, Origin::Asked),
        Some(cache) => {
            common_signature(left, right)?;
            cache.distinguish([left, right], &options, ask)?
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let confirmations = confirm_found([left, right], &options, &found, &confirm, &unlimited)?;
    let subject = Subject::Difference {
        models: [left, right],
        specials: args.specials,
        domain: options.domain.as_ref(),
    };
    let equal = verdict(&found) == "equal";
    let written =
        args.artifacts
            .write(&subject, equal, args.dump.plain, None, (&limits, origin))?;
    if json {
        let mut object = as_json(&models, args, &options, &found, seconds);
        insert_confirmations(&mut object, &confirmations);
        written.add_to(&mut object);
        write_json(out, &object)?;
    } else {
        write_text(
            out,
            &models,
            args,
            &options,
            &found,
            &confirmations,
            seconds,
        )?;
        written.write_lines(out)?;
    }
    let status = match (found.witnesses.is_empty(), found.answer) {
        (false, _) => Status::Yes,
        (true, Answer::Unknown(_)) => Status::Unknown,
        (true, _) => Status::No,
    };
    Ok(written.status(confirmed_status(status, &confirmations)))
}

/// The first Ctrl-C ends the search with what it has; a second one ends the program.
pub(super) fn raise_on_ctrl_c(interrupt: &Arc<AtomicBool>) -> Result<(), Error> {
    let flag = Arc::clone(interrupt);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            end_processes();
            std::process::exit(Status::Unknown as i32);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Error::Usage(format!("cannot watch for ctrl-c: {error}")))
}

fn verdict(found: &Found) -> &'static str {
    match (found.witnesses.is_empty(), found.answer) {
        (false, _) => "different",
        (true, Answer::Unknown(_)) => "unknown",
        (true, _) => "equal",
    }
}

/// Who answered, and who made the witnesses simple if that is another one.
fn engine_text(options: &Distinguish, found: &Found) -> String {
    let own = solver_version();
    let mut text = found.engines.join(" and ");
    if let Engine::Race(_) = &options.engine {
        text += &format!(" ({})", options.engine.describe());
    }
    let simple = options.minimise.is_some() && !found.witnesses.is_empty();
    if simple && !found.engines.contains(&own) {
        text += &format!(", made simple by {own}");
    }
    text
}

/// What is known beyond the witnesses.
fn remark(args: &Args, found: &Found) -> Option<String> {
    let mut domain = String::from(if args.specials {
        "inputs"
    } else {
        "finite inputs"
    });
    if let Some(assumed) = &args.assume {
        domain += &format!(" where {assumed}");
    }
    match (found.answer, found.witnesses.len()) {
        (Answer::Enough, _) => None,
        (Answer::NoMore { by_construction }, 0) => Some(if by_construction {
            format!("proved for all {domain}: both results are one formula by construction")
        } else {
            format!("proved for all {domain} by the solver")
        }),
        (Answer::NoMore { .. }, 1) => Some(format!("proved: there are no other {domain}")),
        (Answer::NoMore { .. }, _) => Some(format!("proved: these are all {domain}")),
        (Answer::Unknown(stopped), 0) => Some(stopped.describe().to_owned()),
        (Answer::Unknown(stopped), _) => Some(format!("there may be more: {}", stopped.describe())),
    }
}

fn write_text(
    out: &mut impl Write,
    models: &[Model; 2],
    args: &Args,
    options: &Distinguish,
    found: &Found,
    confirmations: &[Confirmation],
    seconds: f64,
) -> Result<(), Error> {
    writeln!(out, "{}: {} and {}", verdict(found), models[0], models[1])?;
    for (witness, simplest) in &found.witnesses {
        writeln!(out)?;
        write_witness(out, models, witness, *simplest)?;
    }
    if let Some(remark) = remark(args, found) {
        if !found.witnesses.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "{remark}")?;
    }
    write_confirmations(out, confirmations)?;
    let solver = engine_text(options, found);
    writeln!(
        out,
        "\n# {PROGRAM}, {solver}, seed {}, {seconds:.2} s",
        args.seed
    )?;
    for model in models
        .iter()
        .filter(|model| model.to_string() != model.canonical())
    {
        writeln!(out, "# {model} is {}", model.canonical())?;
    }
    Ok(())
}

fn write_witness(
    out: &mut impl Write,
    models: &[Model; 2],
    witness: &Witness,
    simplest: Simplest,
) -> Result<(), Error> {
    let signature = models[0].signature();
    write_inputs(out, &signature, &witness.inputs)?;
    writeln!(out)?;
    let names = models.each_ref().map(ToString::to_string);
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for (name, d) in names.iter().zip(witness.results) {
        writeln!(out, "  {name:width$}  d = {}", value_text(&signature.d, d))?;
    }
    let [left, right] = witness.results;
    let apart = ulp_distance(&signature.d, left, right)
        .map_or("not comparable".into(), |ulp| format!("{ulp} ulp apart"));
    write!(out, "  {apart}")?;
    if let Some(parting) = parting(&models[0], &models[1], &witness.inputs) {
        write!(
            out,
            "; they part at {}: {} and {}",
            parting.stage, parting.values[0], parting.values[1]
        )?;
    }
    writeln!(out)?;
    if simplest == Some(true) {
        writeln!(
            out,
            "  nothing simpler exists on these products, and none with fewer: proved"
        )?;
    }
    writeln!(out, "  as a line: {}", witness.inputs.to_line(&signature))?;
    Ok(())
}

fn as_json(
    models: &[Model; 2],
    args: &Args,
    options: &Distinguish,
    found: &Found,
    seconds: f64,
) -> Value {
    let signature = models[0].signature();
    let witnesses: Vec<Value> = found
        .witnesses
        .iter()
        .map(|(witness, simplest)| {
            let mut map = inputs_json(&signature, &witness.inputs);
            let d = witness.results.map(|result| bits(&signature.d, result));
            let [left, right] = witness.results;
            map.insert("d".into(), json!(d));
            map.insert("ulp".into(), json!(ulp_distance(&signature.d, left, right)));
            let parting = parting(&models[0], &models[1], &witness.inputs);
            map.insert(
                "parts_at".into(),
                json!(parting.map(|p| json!({ "stage": p.stage, "values": p.values }))),
            );
            map.insert("simplest".into(), json!(simplest.unwrap_or(false)));
            Value::Object(map)
        })
        .collect();
    json!({
        "verdict": verdict(found),
        "models": models.each_ref().map(Model::canonical),
        "names": models.each_ref().map(ToString::to_string),
        "witnesses": witnesses,
        "remark": remark(args, found),
        "engine": engine_text(options, found),
        "assume": args.assume,
        "seed": args.seed,
        "seconds": seconds,
        "version": PROGRAM,
    })
}
