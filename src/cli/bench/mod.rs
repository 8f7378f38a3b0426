//! `bench`: dot-adds per second on this machine.

mod clock;
mod native;
mod products;
mod shape;
mod speeds;

use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::frame::TimeArgs;
use crate::cli::json::{NamedModel, write_json};
use crate::cli::output::{PROGRAM, widest};
use crate::cli::specification::{model, of_products};
use crate::cli::timeouts::{seconds, within};
use mmasmt_columns::tape::Features;
use mmasmt_numbers::base::limits::Stopped;
use mmasmt_questions::claims::query::QueryError;
use products::ProductSpeed;
use schemars::JsonSchema;
use serde::Serialize;
use shape::MatrixShape;
use speeds::{MeasuredSpeed, measured};
use std::io::Write;
use std::time::Duration;

/// Measure how many dot-adds a second this machine simulates, on one thread
///
/// The command times the simulator on one input after the other, then batches on many inputs at
/// once. A batch is a program over columns of operands: one takes any operands (here random
/// registers, with infinities and NaNs among them), the other only finite ones. Last the command
/// times products of matrices, where it computes once what belongs to a row or a column: of finite
/// registers, whose exponents are those of the whole format, and of normally distributed numbers. It
/// says how many times longer each takes than the same product in f32 on this processor. Times are
/// processor time, without the making of the programs.
#[derive(Debug, clap::Args)]
#[command(
    mut_arg("timeout", |time| time.default_value("60s")),
    after_help = "Examples:\n  mmasmt bench hopper/HMMA.16816.F32\n  mmasmt bench fda:F=25,K=16 fdrda gps:K=16 --each 1s\n\nExit status: 0 measured, 2 the request was wrong, 3 ended before that."
)]
pub(super) struct Args {
    /// The models to measure
    #[arg(required = true)]
    models: Vec<String>,
    /// Time for each figure
    #[arg(long = "each", value_name = "TIME", default_value = "300ms", value_parser = seconds)]
    seconds: Duration,
    #[command(flatten)]
    time: TimeArgs,
    /// The shape of the product of matrices, such as 512,512,512; without this, 512 columns and as
    /// many rows as take a fraction of a second
    #[arg(long, value_name = "M,N,K")]
    matrices: Option<MatrixShape>,
    /// Use no vector instructions wider than these, to compare
    #[arg(long, value_enum, value_name = "FEATURES")]
    features: Option<FeaturesName>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FeaturesName {
    /// The instructions that every processor of the kind has: SSE2, NEON.
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

/// `mmasmt bench`
#[derive(Serialize, JsonSchema)]
pub(super) struct BenchAnswer {
    /// The vector instructions of this processor.
    features: String,
    rows: Vec<BenchRow>,
    /// The limit that ended it before all models were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct BenchRow {
    #[serde(flatten)]
    model: NamedModel,
    /// The widths of the simulator's words.
    instance: &'static str,
    dot_adds_per_second: f64,
    /// Dot-adds a second of batches of any operands.
    batch_any: Option<f64>,
    /// Dot-adds a second of batches of finite operands.
    batch_finite: Option<f64>,
    /// Dot-adds a second of a product of matrices of finite registers.
    matrices_finite: Option<f64>,
    /// Dot-adds a second of a product of matrices of normally distributed numbers.
    matrices_normal: Option<f64>,
    /// M, N and K of these products.
    matrices_shape: Option<[usize; 3]>,
    /// Products of two factors a second, of finite registers.
    products_per_second: Option<f64>,
    /// Products of matrices a second in f32 on this processor.
    native_f32_products_per_second: Option<f64>,
    operations_any: Option<usize>,
    operations_finite: Option<usize>,
}

impl BenchRow {
    fn of(one: &MeasuredSpeed) -> BenchRow {
        let product = one.products[0].as_ref();
        let normal = one.products[1].as_ref();
        BenchRow {
            model: NamedModel::of(&one.model),
            instance: one.instance,
            dot_adds_per_second: one.scalar,
            batch_any: one.batch.map(|batch| batch[0]),
            batch_finite: one.batch.map(|batch| batch[1]),
            matrices_finite: product.map(|product| product.dot_adds),
            matrices_normal: normal.map(|product| product.dot_adds),
            matrices_shape: product.map(|product| {
                let MatrixShape { m, n, k } = product.shape;
                [m, n, k]
            }),
            products_per_second: product.map(|product| product.products),
            native_f32_products_per_second: product.map(|product| product.native),
            operations_any: one.operations.map(|operations| operations[0]),
            operations_finite: one.operations.map(|operations| operations[1]),
        }
    }
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
    let limits = args.time.limits()?;
    let mut all = Vec::new();
    let mut stopped = None;
    for text in &args.models {
        let measured = within(&limits, || {
            let model = model(text)?;
            of_products(&model)?;
            limits.report(|report| report.question = format!("the speed of {model}"));
            measured(model, args.seconds, args.matrices, &limits)
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
        let object = BenchAnswer {
            features: format!("{features:?}"),
            rows: all.iter().map(BenchRow::of).collect(),
            reason: stopped.map(Stopped::describe),
        };
        write_json(out, &object)?;
        return Ok(status);
    }
    let width = widest(all.iter().map(|one| one.model.to_string())).max(5);
    writeln!(
        out,
        "million dot-adds a second of one thread's processor time\n\n{:width$}  simulator      batch, any operands   batch, finite    matrices, finite            matrices, normal",
        "model"
    )?;
    for one in &all {
        let scalar = format!("{:.2} ({})", one.scalar / 1e6, one.instance);
        let of = |speed: f64| format!("{:.1} ({:.1}x)", speed / 1e6, speed / one.scalar);
        let [any, finite] = match one.batch {
            Some(batch) => batch.map(of),
            None => ["too wide".into(), String::new()],
        };
        let of_product = |product: &Option<ProductSpeed>| match product {
            Some(product) => format!(
                "{:.1}, f32 {:.1}x faster",
                product.dot_adds / 1e6,
                product.slower()
            ),
            None => String::new(),
        };
        let [product, normal] = one.products.each_ref().map(of_product);
        let line = format!(
            "{:width$}  {scalar:<14} {any:<21} {finite:<16} {product:<27} {normal}",
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
