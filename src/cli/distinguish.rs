//! `distinguish`: inputs on which two models differ.

use super::Status;
use super::artifacts::ArtifactArgs;
use super::confirm::{confirmed_status, insert_confirmations};
use super::distinguished::{as_json, write_text};
use super::dump::DumpArgs;
use super::engine::EngineArgs;
use super::output::write_json;
use super::patience::{seconds, until_ctrl_c, within};
use crate::cli::error::Error;
use crate::model::Model;
use crate::property::Domain;
use crate::query::{
    Answer, Distinguish, Found, Origin, Subject, common_signature, confirm_found, distinguish,
    script,
};
use std::io::Write;
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

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let unlimited = until_ctrl_c()?;
    let limits = match args.timeout {
        Some(time) => unlimited.within(time),
        None => unlimited.clone(),
    };
    let parse = |text: &str| within(&limits, || Model::parse(text));
    let models = [parse(&args.left)?, parse(&args.right)?];
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
        .write(&limits, |plain| script(left, right, &options, plain))?;

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
    let equal = match found.answer {
        Answer::NoMore { by } if found.witnesses.is_empty() => Some(by),
        _ => None,
    };
    let written =
        args.artifacts
            .write(&subject, equal, args.dump.plain, None, (&unlimited, origin))?;
    if json {
        let mut object = as_json(&models, &options, &found, seconds);
        insert_confirmations(&mut object, &confirmations);
        written.add_to(&mut object);
        write_json(out, &object)?;
    } else {
        write_text(out, &models, &options, &found, &confirmations, seconds)?;
        written.write_lines(out)?;
    }
    let status = match (found.witnesses.is_empty(), found.answer) {
        (false, _) => Status::Yes,
        (true, Answer::Unknown(_)) => Status::Unknown,
        (true, _) => Status::No,
    };
    Ok(written.status(confirmed_status(status, &confirmations)))
}
