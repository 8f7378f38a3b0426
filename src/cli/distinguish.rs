//! `distinguish`: inputs on which two models differ.

use super::Status;
use super::asker::{AskArgs, Asker};
use super::confirm::{confirmed_status, insert_confirmations};
use super::distinguished::{as_json, write_text};
use super::output::write_json;
use super::specification::model;
use super::timeouts::within;
use crate::cli::error::Error;
use crate::property::Domain;
use crate::query::{Ended, QueryError, Question};
use std::io::Write;

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
    /// Let operands be infinities and NaNs
    #[arg(long)]
    specials: bool,
    /// What is assumed of the operands beside that, such as `a normal, c = 0, b[1..] exp -3..5`
    #[arg(long, value_name = "DOMAIN")]
    assume: Option<String>,
    #[command(flatten)]
    ask: AskArgs,
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let mut asker = Asker::new(&args.ask)?;
    asker.options.count = args.count as usize;
    let limits = asker.limits_of_one();
    let parse = |text: &str| within(&limits, || model(text));
    let models = [parse(&args.left)?, parse(&args.right)?];
    let [left, right] = &models;
    let domain = match &args.assume {
        Some(text) => Some(Domain::parse(text, &left.signature())?),
        None => None,
    };
    let mut question = Question::difference(left, right, domain.as_ref())?;
    if args.specials {
        question = question.with_specials();
    }
    args.ask.dump.write(&limits, &question)?;
    let answered = asker.answer(question, None, &limits)?;
    let (answer, confirmations) = (&answered.answer, &answered.confirmations);
    if answer.ended == Ended::Vacuous {
        // Models that nobody compares are not equal.
        let inputs = answered.question.inputs_text();
        return Err(QueryError::Vacuous { inputs }.into());
    }
    if json {
        let mut object = as_json(&models, &asker.options, &answered);
        insert_confirmations(&mut object, confirmations);
        answered.written.add_to(&mut object);
        write_json(out, &object)?;
    } else {
        write_text(out, &models, &asker.options, &answered)?;
        answered.written.write_lines(out)?;
    }
    let status = match (answer.witnesses.is_empty(), answer.ended) {
        (false, _) => Status::Yes,
        (true, Ended::Unknown(_)) => Status::Unknown,
        (true, _) => Status::No,
    };
    let status = confirmed_status(status, confirmations);
    Ok(answered.written.status(status))
}
