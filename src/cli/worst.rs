//! `worst`: operands with a large error, and a bound that is proved.

use super::Status;
use super::output::{PROGRAM, bits, inputs_json, value_text, write_inputs, write_json};
use super::specification::model;
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::cli::error::Error;
use crate::float::Dyadic;
use crate::limits::Limits;
use crate::measure::{Measure, Quotient};
use crate::model::Model;
use crate::property::Domain;
use crate::worst::{ErrorBound, Worst, error_bound, worst};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Look for operands with the largest error, and say what no error exceeds
///
/// The error is the distance of the result from the exact sum, which is computed without rounding. Operands are finite, factors are
/// normal numbers or zeros, the result is finite. What is found is no proof that there is nothing worse; the bound is a proof that there is
/// nothing beyond it, where no sum on the way overflows. It is proved by what is known of alignment and rounding, for sums of fda, ieee,
/// sfma and exact, chains, promotion and split-K.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt worst hopper/HMMA.16816.F32\n  mmasmt worst 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=4096'\n  mmasmt worst fda:F=24 --measure ulp --assume 'c = 0'\n\nExit status: 0 operands were found, 1 no operands are as assumed, 2 the request was wrong, 3 ended before any were found."
)]
pub(super) struct Args {
    /// The model
    model: String,
    /// What the error is counted in: abs, ulp (last places of the result), rel (of the exact sum),
    /// sum (of the sum of the magnitudes of c and all products)
    #[arg(long, default_value = "sum", value_parser = measure)]
    measure: Measure,
    /// What is assumed of the operands, as for prove
    #[arg(long, value_name = "DOMAIN", default_value = "finite")]
    assume: String,
    /// What the search starts from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds to search
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    timeout: Duration,
}

fn measure(text: &str) -> Result<Measure, String> {
    Measure::named(text).ok_or_else(|| {
        let names = Measure::ALL.map(Measure::name).join(", ");
        let found = crate::excerpt::excerpt(text);
        format!("expected one of {names}, found `{found}`")
    })
}

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let start = Instant::now();
    let limits: Limits = until_ctrl_c()?.within(args.timeout);
    let model = within(&limits, || model(&args.model))?;
    let domain = Domain::parse(&args.assume, &model.signature())?;
    limits.report(|report| report.step = "large errors".into());
    let found = worst(&model, args.measure, &domain, args.seed, &limits);
    // The bound is one of errors relative to the sum of magnitudes.
    let bound = error_bound(&model);
    let status = match (&found, limits.stopped()) {
        (Some(_), _) => Status::Yes,
        (None, None) => Status::No,
        (None, Some(_)) => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = Report {
        model: &model,
        args,
        found: found.as_ref(),
        bound: bound.as_ref(),
        is_cut_short: limits.stopped().is_some(),
        seconds,
    };
    match json {
        true => write_json(out, &report.as_json())?,
        false => report.write(out)?,
    }
    Ok(status)
}

struct Report<'x> {
    model: &'x Model,
    args: &'x Args,
    found: Option<&'x Worst>,
    bound: Option<&'x ErrorBound>,
    is_cut_short: bool,
    seconds: f64,
}

impl Report<'_> {
    /// The bound divided by what was found, where both are relative to the same.
    fn ratio(&self) -> Option<f64> {
        let (found, bound) = (self.found?, self.bound?);
        let relative = Quotient::new(&bound.relative, &Dyadic::new(1.into(), 0));
        (self.args.measure == Measure::RelativeToSum)
            .then(|| relative.approximate() / found.error.approximate())
    }

    fn write(&self, out: &mut impl Write) -> Result<(), Error> {
        let signature = self.model.signature();
        writeln!(out, "{}: {signature}", self.model)?;
        match self.found {
            None => writeln!(out, "\nno operands were found that are as assumed\n")?,
            Some(worst) => {
                writeln!(out)?;
                write_inputs(out, &signature, &worst.inputs)?;
                writeln!(out, "\n  d = {}", value_text(&signature.d, worst.d))?;
                let unit = self.args.measure.describe();
                let about = worst.error.approximate();
                writeln!(
                    out,
                    "  error found   {} (about {about:.3e}), {unit}",
                    worst.error
                )?;
            }
        }
        match self.bound {
            None => writeln!(out, "  bound         none is known for this model")?,
            Some(bound) => {
                let ErrorBound { relative, absolute } = bound;
                let one = Dyadic::new(1.into(), 0);
                let [relative, absolute] = [relative, absolute].map(|x| Quotient::new(x, &one));
                writeln!(
                    out,
                    "  bound, proved {relative} (about {:.3e}) of the sum of magnitudes, and {absolute}",
                    relative.approximate()
                )?;
            }
        }
        if let Some(ratio) = self.ratio() {
            writeln!(out, "  ratio         {ratio:.2}")?;
        }
        if let Some(worst) = self.found {
            writeln!(out, "  as a line: {}", worst.inputs.to_line(&signature))?;
        }
        let tried = self.found.map_or(0, |worst| worst.tried);
        let stopped = if self.is_cut_short {
            ", time limit reached"
        } else {
            ""
        };
        let (seed, seconds) = (self.args.seed, self.seconds);
        writeln!(
            out,
            "\n# {PROGRAM}, seed {seed}, {tried} operands tried{stopped}, {seconds:.2} s"
        )?;
        if self.model.to_string() != self.model.canonical() {
            writeln!(out, "# {} is {}", self.model, self.model.canonical())?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let signature = self.model.signature();
        let bound = self.bound.map(|bound| {
            json!({
                "relative": bound.relative.to_string(),
                "absolute": bound.absolute.to_string(),
            })
        });
        json!({
            "model": self.model.canonical(),
            "measure": self.args.measure.name(),
            "assume": self.args.assume,
            "inputs": self.found.map(|worst| inputs_json(&signature, &worst.inputs)),
            "d": self.found.map(|worst| bits(&signature.d, worst.d)),
            "error": self.found.map(|worst| worst.error.to_string()),
            "error_about": self.found.map(|worst| worst.error.approximate()),
            "bound": bound,
            "ratio": self.ratio(),
            "tried": self.found.map_or(0, |worst| worst.tried),
            "cut_short": self.is_cut_short,
            "seed": self.args.seed,
            "seconds": self.seconds,
            "version": PROGRAM,
        })
    }
}
