//! `bench`: dot-adds per second on this machine.

use super::Status;
use super::json::{joined, write_json};
use super::output::{PROGRAM, widest};
use super::specification::model;
use super::timeouts::{seconds, until_ctrl_c, within};
use crate::cli::error::Error;
use mmasmt_core::base::limits::{Limits, work};
use mmasmt_core::columns::batch::{Batch, Columns};
use mmasmt_core::columns::tape::Features;
use mmasmt_core::machines::algorithms::{Inputs, Operand};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::inputs::{Draw, Kind};
use mmasmt_questions::matrices::{Matrix, Product, gemm};
use rayon::ThreadPoolBuilder;
use serde_json::json;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

/// The most inputs that are evaluated, again and again, to measure a speed. Large models get fewer
/// inputs, so that these have at most `MOST_PRODUCTS` products in all.
const ROWS: usize = 4096;
const MOST_PRODUCTS: usize = 1 << 20;
/// How often each speed is measured; the highest of the results counts.
const SPELLS: u32 = 5;

/// Measure how many dot-adds a second this machine simulates, on one thread
///
/// One input after the other by the simulator, and many at once by a batch, which is a program over
/// columns of operands: for any operands, here random registers with infinities and NaNs among
/// them, and for finite ones. Last, the dot-adds of a product of matrices, 256 x 512 or of fewer
/// rows, of finite operands: there what belongs to a row or a column is computed once.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt bench hopper/HMMA.16816.F32\n  mmasmt bench fda:F=25,K=16 fdrda gps:K=16 --time 1s\n\nExit status: 0 measured, 2 the request was wrong, 3 ended before that."
)]
pub(super) struct Args {
    /// Models
    #[arg(required = true)]
    models: Vec<String>,
    /// Time for each figure
    #[arg(long = "time", alias = "seconds", id = "time", value_name = "TIME", default_value = "300ms", value_parser = seconds)]
    seconds: Duration,
    /// Time for everything, like 10s or 5m: making programs for large models takes longer than they
    /// run
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = seconds)]
    timeout: Duration,
    /// Use no wider vector instructions than these, to compare
    #[arg(long, value_enum, value_name = "FEATURES")]
    features: Option<FeaturesName>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FeaturesName {
    /// What every processor of the kind has: SSE2, NEON.
    Baseline,
    Avx2,
    Avx512,
}

impl FeaturesName {
    fn features(self) -> Features {
        match self {
            FeaturesName::Baseline => Features::Baseline,
            FeaturesName::Avx2 => Features::Avx2,
            FeaturesName::Avx512 => Features::Avx512,
        }
    }
}

/// The measured speeds of a model, in dot-adds a second.
struct Measured {
    model: Model,
    instance: &'static str,
    scalar: f64,
    /// The speeds of a batch: first for any operands, then for finite operands. `None` if the model
    /// is too wide to be made into a program.
    batch: Option<[f64; 2]>,
    /// The speed in a product of matrices.
    product: Option<f64>,
    operations: Option<[usize; 2]>,
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if let Some(name) = args.features {
        let wanted = name.features();
        let found = wanted.at_most();
        if found != wanted {
            return Err(Error::Usage(format!(
                "--features: expected what this processor has, at most {found:?}, found {wanted:?}"
            )));
        }
    }
    let limits = until_ctrl_c()?.within(args.timeout);
    let mut all = Vec::new();
    let mut stopped = None;
    for text in &args.models {
        let measured = within(&limits, || {
            let model = model(text)?;
            limits.report(|report| report.step = format!("{model}"));
            measured(model, args.seconds, &limits)
        });
        match measured {
            Err(Error::Query(QueryError::Stopped(why))) if !all.is_empty() => {
                stopped = Some(why);
                break;
            }
            measured => all.push(measured?),
        }
    }
    let status = match stopped {
        Some(_) => Status::Unknown,
        None => Status::Yes,
    };
    let features = Features::detected();
    if json {
        let rows = all.iter().map(|one| {
            json!({
                "model": one.model.canonical(),
                "name": one.model.to_string(),
                "instance": one.instance,
                "dot_adds_per_second": one.scalar,
                "batch_any": one.batch.map(|batch| batch[0]),
                "batch_finite": one.batch.map(|batch| batch[1]),
                "matrices_finite": one.product,
                "operations_any": one.operations.map(|operations| operations[0]),
                "operations_finite": one.operations.map(|operations| operations[1]),
            })
        });
        let rows: Vec<_> = rows.collect();
        let features = format!("{features:?}");
        let reason = stopped.map(|stopped| json!({ "reason": stopped.describe() }));
        let object = json!({"features": features, "rows": rows});
        write_json(out, &joined(object, reason.unwrap_or_default()))?;
        return Ok(status);
    }
    let width = widest(all.iter().map(|one| one.model.to_string())).max(5);
    writeln!(
        out,
        "million dot-adds a second on one thread\n\n{:width$}  simulator      batch, any operands   batch, finite    matrices, finite",
        "model"
    )?;
    for one in &all {
        let scalar = format!("{:.2} ({})", one.scalar / 1e6, one.instance);
        let of = |speed: f64| format!("{:.1} ({:.1}x)", speed / 1e6, speed / one.scalar);
        let [any, finite] = match one.batch {
            Some(batch) => batch.map(of),
            None => ["too wide".into(), String::new()],
        };
        let product = one.product.map(of).unwrap_or_default();
        let line = format!(
            "{:width$}  {scalar:<14} {any:<21} {finite:<16} {product}",
            one.model.to_string()
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if let Some(stopped) = stopped {
        let (done, of) = (all.len(), args.models.len());
        writeln!(out, "\n{} after {done} of {of} models", stopped.describe())?;
    }
    writeln!(out, "\n# {PROGRAM}, {features:?}")?;
    Ok(status)
}

fn measured(model: Model, time: Duration, limits: &Limits) -> Result<Measured, Error> {
    let signature = model.signature();
    let count = (MOST_PRODUCTS / signature.products as usize).clamp(1, ROWS);
    let drawn = |kind| {
        let mut draw = Draw::new(signature, kind, 1);
        (0..count).map(|_| draw.draw()).collect::<Vec<Inputs>>()
    };
    let [any, finite] = [drawn(Kind::Random), drawn(Kind::Finite)];
    let mut simulator = model.simulator();
    let instance = simulator.instance();
    // A slow model runs only on as many inputs as there is time for.
    let begun = Instant::now();
    black_box(simulator.run(&any[0]));
    let each = (time / SPELLS).as_nanos() / begun.elapsed().as_nanos().max(1);
    let some = &any[..usize::try_from(each).unwrap_or(count).clamp(1, count)];
    let scalar = per_second(time, some.len(), limits, || {
        let run = |sum, inputs| {
            work(simulator.cost());
            sum ^ simulator.run(inputs)
        };
        black_box(some.iter().fold(0, run));
    })?;
    let mut batch = model.batch();
    let is_made = batch.prepare();
    let operations = batch.operations();
    let speeds = if is_made {
        let mut speed = |rows: &[Inputs]| speed(&mut batch, rows, time, limits);
        Some([speed(&any)?, speed(&finite)?])
    } else {
        None
    };
    let product = if is_made {
        Some(product_speed(&model, time, limits)?)
    } else {
        None
    };
    Ok(Measured {
        product,
        instance,
        scalar,
        batch: speeds,
        operations,
        model,
    })
}

fn speed(
    batch: &mut Batch<'_>,
    rows: &[Inputs],
    time: Duration,
    limits: &Limits,
) -> Result<f64, Error> {
    let mut columns = Columns::new(batch.signature());
    rows.iter().for_each(|row| columns.push_row(row));
    let mut results = Vec::with_capacity(rows.len());
    per_second(time, rows.len(), limits, || {
        results.clear();
        batch.run(&columns, &mut results);
        black_box(&results);
    })
}

/// The speed in a product of matrices of finite operands, in dot-adds a second.
fn product_speed(model: &Model, time: Duration, limits: &Limits) -> Result<f64, Error> {
    const COLUMNS: usize = 512;
    const MOST_ROWS: usize = 256;
    /// The number of products in all dot-adds together, which take a fraction of a second.
    const PRODUCTS: usize = 1 << 26;
    let signature = model.signature();
    let products = signature.products as usize;
    let rows = (PRODUCTS / COLUMNS / products).clamp(1, MOST_ROWS);
    // The dot-adds form a chain if the result of one can be the c of the next.
    let links = if signature.c == signature.d {
        (PRODUCTS / rows / COLUMNS / products).max(1)
    } else {
        1
    };
    let mut draw = Draw::new(signature, Kind::Finite, 1);
    let mut matrix = |operand, [rows, columns]: [usize; 2]| {
        let row = signature.row(operand)?;
        let drawn = std::iter::repeat_with(|| draw.draw());
        let registers = drawn.flat_map(|inputs| inputs.row(operand).to_vec());
        Matrix::new(row.format, [rows, columns], registers.take(rows * columns))
    };
    let [m, n] = [rows, COLUMNS];
    let count = |operand| signature.row(operand).map_or(0, |row| row.length * links);
    let a = matrix(Operand::A, [m, count(Operand::A)]);
    let b = matrix(Operand::B, [count(Operand::B), n]);
    let scales_of_a = matrix(Operand::AScales, [m, count(Operand::AScales)]);
    let scales_of_b = matrix(Operand::BScales, [count(Operand::BScales), n]);
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(0.0);
    };
    let scales = scales_of_a.as_ref().zip(scales_of_b.as_ref());
    let product = Product::new(&a, &b).scaled(scales.map(|(a, b)| [a, b]));
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| Error::Usage(format!("no thread to compute on: {error}")))?;
    let dot_adds = m * n * links;
    per_second(time, dot_adds, limits, || {
        let product = || limits.run(|| gemm(model, &product, limits).ok());
        black_box(pool.install(product)).ok();
    })
}

/// How many rows a second `rows` evaluates, where one call evaluates `each` rows. The best of
/// several measurements is returned, as other programs use the machine, too.
fn per_second(
    time: Duration,
    each: usize,
    limits: &Limits,
    mut rows: impl FnMut(),
) -> Result<f64, Error> {
    let begun = Instant::now();
    let mut best: f64 = 0.0;
    for spell in 0..SPELLS {
        // One run of a large model may take longer than all measurements together.
        if spell > 0 && begun.elapsed() > time {
            break;
        }
        let start = Instant::now();
        let mut count = 0;
        while count == 0 || start.elapsed() < time / SPELLS {
            rows();
            // A run that was stopped early must not count as done.
            if let Some(stopped) = limits.stopped() {
                return Err(Error::Query(QueryError::Stopped(stopped)));
            }
            count += 1;
        }
        best = best.max(f64::from(count) * each as f64 / start.elapsed().as_secs_f64());
    }
    Ok(best)
}
