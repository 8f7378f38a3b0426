//! `worst`: operands with a large error, and a bound that is proved.

use super::Status;
use super::output::{PROGRAM, bits, inputs_json, value_text, widest, write_json};
use super::specification::model;
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::algorithms::Signature;
use crate::cli::error::Error;
use crate::error_bounds::{ErrorBound, Factors, error_bound};
use crate::float::Dyadic;
use crate::limits::Limits;
use crate::measure::{Measure, Quotient};
use crate::model::Model;
use crate::property::Domain;
use crate::vectors::Inputs;
use crate::worst::{Judge, Raised, Worst, raised, worst};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};

/// Models of more products are not given to the solver.
const MOST_SOLVED: u32 = 8;
/// Operands of more products are not written as a line.
const MOST_IN_LINE: usize = 64;
/// So many lines of operands are written.
const MOST_LINES: usize = 40;

/// Look for operands with the largest error, and say what no error exceeds
///
/// The error is the distance of the result from the exact sum, which is computed without rounding. Operands are finite, and their
/// magnitudes sum to less than the greatest power of two of the result, so that nothing overflows. What is found is no proof that
/// there is nothing worse, unless it is said that the solver proved that; the bound is a proof that there is nothing beyond it.
/// It is proved by what is known of alignment and rounding, for most units, for chains, promotion, split-K and the simple schemes.
/// Errors relative to the sum of magnitudes are weighed by the bound, so that those that underflow explains are not taken for large.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt worst hopper/HMMA.16816.F32\n  mmasmt worst 'promote(hopper/wgmma.m64nNk32.f32.e4m3.e4m3, every=4):K=4096'\n  mmasmt worst fda:F=24 --measure ulp --assume 'c = 0, factors exp 0..3'\n\nExit status: 0 operands were found, 1 no operands are as assumed, 2 the request was wrong, 3 a limit was reached before any were found."
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
    /// Seconds to search, by samples and then by the solver
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
    let (found, tried) = worst(&model, args.measure, &domain, args.seed, &limits);
    let stopped = limits.stopped();
    let (found, raised) = match (found, stopped) {
        (Some(found), None) if model.signature().products <= MOST_SOLVED => {
            let mut judge = Judge::new(&model, args.measure, &domain);
            let asked = (args.measure, args.assume.as_str());
            let (found, raised) = raised(&model, asked, &mut judge, found, args.seed, &limits)?;
            (Some(found), raised)
        }
        (found, Some(stopped)) => (found, Raised::Unknown(stopped)),
        (found, None) => (found, Raised::NotAsked),
    };
    let status = match (&found, stopped) {
        (Some(_), _) => Status::Yes,
        (None, None) => Status::No,
        (None, Some(_)) => Status::Unknown,
    };
    let seconds = start.elapsed().as_secs_f64();
    let report = Report {
        model: &model,
        args,
        found: found.as_ref(),
        bounds: [Factors::Normal, Factors::Finite].map(|factors| error_bound(&model, factors)),
        raised,
        tried,
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
    /// For normal factors and zeros, and for all.
    bounds: [Option<ErrorBound>; 2],
    raised: Raised,
    tried: u64,
    seconds: f64,
}

impl Report<'_> {
    fn write(&self, out: &mut impl Write) -> Result<(), Error> {
        let signature = self.model.signature();
        writeln!(out, "{}: {signature}\n", self.model)?;
        match self.found {
            None => writeln!(out, "no operands were found that are as assumed\n")?,
            Some(worst) => {
                write_runs(out, &signature, &worst.inputs)?;
                writeln!(out, "\n  d = {}\n", value_text(&signature.d, worst.d))?;
                writeln!(
                    out,
                    "  error  {} {}",
                    about(&worst.error),
                    self.args.measure.describe()
                )?;
                if let Some(bound) = &worst.bound {
                    writeln!(out, "  bound  {} for these operands", about(bound))?;
                }
                if let Some(ratio) = &worst.ratio {
                    writeln!(out, "  ratio  {:.2}", ratio.approximate())?;
                }
                if worst.inputs.a.len() <= MOST_IN_LINE {
                    writeln!(out, "  as a line: {}", worst.inputs.to_line(&signature))?;
                }
                writeln!(out)?;
            }
        }
        self.write_bound(out)?;
        writeln!(out, "{}", self.verdict())?;
        let (seed, tried, seconds) = (self.args.seed, self.tried, self.seconds);
        writeln!(
            out,
            "\n# {PROGRAM}, seed {seed}, {tried} operands tried, {seconds:.2} s"
        )?;
        if self.model.to_string() != self.model.canonical() {
            writeln!(out, "# {} is {}", self.model, self.model.canonical())?;
        }
        Ok(())
    }

    /// The proved bound, with what is added where factors are subnormal.
    fn write_bound(&self, out: &mut impl Write) -> Result<(), Error> {
        let [Some(normal), Some(finite)] = &self.bounds else {
            return Ok(writeln!(out, "no bound is known for this model")?);
        };
        let relative = about(&whole(&finite.relative()));
        writeln!(
            out,
            "proved: the error is at most {relative} times the sum of the magnitudes of c and all products,"
        )?;
        let [normal, finite] = [normal, finite].map(|bound| whole(&bound.absolute));
        match normal == finite {
            true => writeln!(out, "plus {finite}")?,
            false => writeln!(
                out,
                "plus {normal} where factors are normal numbers or zeros, plus {finite} else"
            )?,
        }
        Ok(())
    }

    fn verdict(&self) -> String {
        match (self.raised, self.found) {
            (_, None) => "nothing was found".into(),
            (Raised::Greatest, _) => "nothing is worse: proved by the solver".into(),
            (Raised::Underflow, _) => {
                "the solver finds worse only where underflow explains it".into()
            }
            (Raised::Unknown(stopped), _) => {
                format!(
                    "not known whether anything is worse: {}",
                    stopped.describe()
                )
            }
            (Raised::NotAsked, _) => {
                "not known whether anything is worse: the solver was not asked".into()
            }
        }
    }

    fn as_json(&self) -> Value {
        let signature = self.model.signature();
        let bound = |bound: &Option<ErrorBound>| {
            bound.as_ref().map(|bound| {
                json!({
                    "relative": bound.relative().to_string(),
                    "absolute": bound.absolute.to_string(),
                })
            })
        };
        let number = |of: fn(&Worst) -> Option<&Quotient>| {
            let found = self.found.and_then(of);
            found.map(|x| json!({ "hex": x.to_string(), "about": x.approximate() }))
        };
        let [normal, finite] = &self.bounds;
        let is_proved = self.raised == Raised::Greatest;
        json!({
            "model": self.model.canonical(),
            "measure": self.args.measure.name(),
            "assume": self.args.assume,
            "inputs": self.found.map(|worst| inputs_json(&signature, &worst.inputs)),
            "d": self.found.map(|worst| bits(&signature.d, worst.d)),
            "error": number(|worst| Some(&worst.error)),
            "bound_here": number(|worst| worst.bound.as_ref()),
            "ratio": number(|worst| worst.ratio.as_ref()),
            "bound_of_normal_factors": bound(normal),
            "bound": bound(finite),
            "is_greatest": is_proved,
            "remark": self.verdict(),
            "tried": self.tried,
            "seed": self.args.seed,
            "seconds": self.seconds,
            "version": PROGRAM,
        })
    }
}

fn about(x: &Quotient) -> String {
    format!("{x} (about {:.3e})", x.approximate())
}

fn whole(x: &Dyadic) -> Quotient {
    Quotient::new(x, &Dyadic::new(1.into(), 0))
}

/// Operands, products that are alike in one line.
fn write_runs(out: &mut impl Write, signature: &Signature, inputs: &Inputs) -> Result<(), Error> {
    let mut lines = Vec::new();
    let products: Vec<_> = inputs.a.iter().zip(&inputs.b).collect();
    let mut start = 0;
    for run in products.chunk_by(|x, y| x == y) {
        let end = start + run.len() - 1;
        let place = match start == end {
            true => format!("[{start}]"),
            false => format!("[{start}..{end}]"),
        };
        let (a, b) = (*run[0].0, *run[0].1);
        lines.push((format!("a{place}"), value_text(&signature.a, a)));
        lines.push((format!("b{place}"), value_text(&signature.b, b)));
        start = end + 1;
    }
    let shown = lines.len().min(MOST_LINES);
    let left_out = (lines.len() - shown) / 2;
    lines.truncate(shown);
    lines.push(("c".into(), value_text(&signature.c, inputs.c)));
    let width = widest(lines.iter().map(|(name, _)| name));
    for (name, value) in &lines {
        writeln!(out, "  {name:<width$}  {value}")?;
    }
    if left_out > 0 {
        writeln!(
            out,
            "  and {left_out} more runs of products (--json has them)"
        )?;
    }
    Ok(())
}
