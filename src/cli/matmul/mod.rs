//! `matmul`: products of matrices from files.

mod arrays;
mod plot;
mod report;
mod scales;

pub(super) use arrays::{of_file, read, shape};
pub(super) use report::MatmulAnswer;
pub(super) use scales::scales;

use super::Status;
use super::json::write_json;
use super::notes::note;
use super::output::{shell_word, write_text_file};
use super::plan::answered;
use super::specification::{model, of_products};
use super::timeouts::{until_ctrl_c, within};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::file_name;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::matrices::device::{DevicePlace, PlaceError};
use mmasmt_questions::matrices::{
    GemmError, ProductStack, Stack, difference, distance_from_exact, distance_from_numbers,
    write_array,
};
use mmasmt_questions::plans::CasePlan;
use mmasmt_questions::vectors::measure::LinearMap;
use report::ProductReport;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Multiply matrices as a unit, composition or scheme does: D = A B + C
///
/// A is M x K, B is K x N, C is M x N; all are arrays of NumPy. An element is a number that the
/// model's format has, or a register as an unsigned integer or as raw bytes, as ml_dtypes saves it.
/// Dimensions before these two are a batch; as in numpy.matmul they are repeated where they are 1
/// or missing. In an archive FILE.npz an array is found by its name (a, b, c), or as FILE.npz:NAME.
///
/// Every element of D is a chain of instructions along k that begins with C. If K is no multiple of
/// the products of an instruction, zeros fill the last one. A composition or scheme takes the whole
/// of K, unless its text gives a K. D does not depend on the number of threads.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt matmul A.npy B.npy --on hopper/HMMA.16816.F32 -o D.npy\n  mmasmt matmul A.npy B.npy --on 'markidis(volta/HMMA.884.F32.F32)' --against exact\n  mmasmt matmul A.npy B.npy C.npy --on ampere/HMMA.16816.F32 --against hopper/HMMA.16816.F32\n  mmasmt matmul A.npy B.npy --on hopper/HMMA.16816.F32 --against D.npy\n  mmasmt matmul A.npy B.npy --on hopper/HMMA.16816.F32 --device cuda -o D.npy\n  mmasmt matmul A.npy B.npy --plan h100-fp8 --given S=3 -o D.npy\n\nExit status: 0 done, 2 the request was wrong or the device cannot be had, 3 ended before that."
)]
pub(super) struct Args {
    /// A, an array of M rows and K columns
    a: PathBuf,
    /// B, an array of K rows and N columns
    b: PathBuf,
    /// C, an array of M rows and N columns; without it all elements of C are +0
    c: Option<PathBuf>,
    /// The unit, composition or scheme that multiplies
    #[arg(long, value_name = "MODEL", required_unless_present = "plan")]
    on: Option<String>,
    /// The plan that this table has for the shape, in place of --on; `mmasmt plan` says which
    #[arg(long, value_name = "TABLE", conflicts_with = "on")]
    plan: Option<String>,
    /// What more the plan needs to know of the product, such as out=bf16 or S=3
    #[arg(long, value_name = "NAME=VALUE", requires = "plan")]
    given: Vec<String>,
    /// Decisions of the library's heuristic for the plan, as for `mmasmt plan`
    #[arg(long, value_name = "FILE.npz", requires = "plan")]
    decisions: Option<PathBuf>,
    /// Scales of A for a model with block scales: an array of M rows, with a column for each block
    /// along k
    #[arg(long, value_name = "FILE", requires = "scale_b")]
    scale_a: Option<PathBuf>,
    /// Scales of B: an array of N columns, with a row for each block along k
    #[arg(long, value_name = "FILE", requires = "scale_a")]
    scale_b: Option<PathBuf>,
    /// The file for D: FILE.npy, or FILE.npz with an array d
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The number of threads; without this, as many as the machine has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Where D is computed: this processor, or a GPU of NVIDIA by its number (this needs a build with
    /// `--features cuda`). A GPU first has to give the bits that this processor gives for drawn
    /// operands; if it does not, a note says so, and this processor computes D
    #[arg(long, value_name = "cpu|cuda[:N]", default_value = "cpu")]
    device: DevicePlace,
    /// Say how far D is from the exact product, from a product in f64 with fused multiply-adds, or
    /// from the product of another model, or from an array that was recorded
    #[arg(long, value_name = "exact|f64|MODEL|FILE.npy")]
    against: Option<String>,
    /// Draw a histogram: how many elements of D differ by how much
    #[arg(long, value_name = "FILE.svg", requires = "against")]
    svg: Option<PathBuf>,
}

impl Args {
    /// The files of the scales of A and B.
    fn scales(&self) -> Option<[&Path; 2]> {
        Some([self.scale_a.as_deref()?, self.scale_b.as_deref()?])
    }

    /// The model that multiplies: that of --on, or the plan for the shapes of A and B.
    fn model(&self) -> Result<Model, Error> {
        let Some(table) = &self.plan else {
            return model(self.on.as_deref().unwrap_or_default());
        };
        let [rows, depth] = shape(&self.a, &["a", "A"])?;
        let [_, columns] = shape(&self.b, &["b", "B"])?;
        let shape = [rows, columns, depth].map(|extent| extent as u64);
        let (_, answer) = answered(table, shape, &self.given, self.decisions.as_ref())?;
        let CasePlan { plan, status, .. } = &answer;
        note([format!("{status} plan: {}", shell_word(plan))])?;
        model(plan)
    }
}

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let limits = until_ctrl_c()?;
    if args.out.is_none() && args.against.is_none() {
        let what = "expected --out with a file for D, or --against with what to compare it with";
        return Err(Error::Usage(what.into()));
    }
    if let Some(path) = &args.out {
        check_ending(path)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into());
    let pool = pool
        .build()
        .map_err(|error| Error::Usage(format!("threads: {error}")))?;
    let start = Instant::now();
    let first = within(&limits, || args.model())?;
    of_products(&first)?;
    let signature = first.signature();
    let against = args.against.as_deref();
    let against = against.map(|text| within(&limits, || ProductReference::parse(text, &signature)));
    let against = against.transpose()?;
    let scales = within(&limits, || scales(args.scales(), &first))?;
    let read = |path, names, format| within(&limits, || read(path, names, format));
    let a = read(&args.a, &["a", "A"], signature.a)?;
    let b = read(&args.b, &["b", "B"], signature.b)?;
    let c = args.c.as_ref();
    let c = c.map(|c| read(c, &["c", "C"], signature.c)).transpose()?;
    let c = c.as_ref();
    let [[rows, depth], [_, columns]] = [a.matrix_shape(), b.matrix_shape()];
    let scales = scales.as_ref().map(|[a, b]| [a, b]);
    let joined = |a, b, c, scales| {
        ProductStack::new(a, b, c, scales).map_err(|error| Error::Usage(error.to_string()))
    };
    let whole = joined(&a, &b, c, scales)?;
    let product = |place: DevicePlace, model: &Model, whole: &ProductStack<'_>| {
        limits.report(|report| report.question = format!("the product of {model}"));
        let found = pool.install(|| place.multiply(model, whole.each(), &limits));
        let found = found.map_err(|error| match (error, limits.stopped()) {
            (PlaceError::Product(GemmError::Stopped), Some(stopped)) => {
                Error::Query(QueryError::Stopped(stopped))
            }
            (PlaceError::Device(error), _) => Error::Device(error),
            (error, _) => Error::Usage(error.to_string()),
        })?;
        note(found.warning)?;
        let format = model.signature().d;
        let stack = Stack::new(whole.batch(), format, [rows, columns], found.matrices);
        let stack = stack.ok_or_else(|| Error::Usage(format!("results expected in {format}")))?;
        Ok::<_, Error>((stack, found.seconds))
    };
    if matches!(
        against,
        Some(ProductReference::Exact | ProductReference::Numbers(_))
    ) {
        note(left_out(&first))?;
    }
    let (d, of_device) = product(args.device, &first, &whole)?;
    if let Some(path) = &args.out {
        write_array(path, "d", &d).map_err(|error| of_file(path, error))?;
    }
    let compared_from = Instant::now();
    let compared = match &against {
        None => None,
        Some(ProductReference::Exact) => {
            Some(pool.install(|| distance_from_exact(&first, &whole, &d)))
        }
        Some(ProductReference::Numbers(model)) => {
            // An epilogue adds C after the sum.
            let c = c.filter(|_| LinearMap::of(first.algorithm()).is_none());
            let c = c.map(|c| c.widened(Format::F64)).transpose();
            let c = c.map_err(|error| Error::Usage(format!("C: {error}")))?;
            let (numbers, _) = product(
                DevicePlace::Processor,
                model,
                &joined(&a, &b, c.as_ref(), None)?,
            )?;
            pool.install(|| distance_from_numbers(&first, &whole, &d, &numbers))
        }
        Some(ProductReference::Recorded(array)) => {
            let found = difference(&d, array);
            let [rows, columns] = array.matrix_shape();
            Some(found.ok_or_else(|| {
                let [expected, more] = d.matrix_shape();
                Error::Usage(format!(
                    "--against: expected an array of {expected} x {more}, found {rows} x {columns}"
                ))
            })?)
        }
        Some(ProductReference::Model(second)) => {
            difference(&d, &product(args.device, second, &whole)?.0)
        }
    };
    let comparison = compared
        .as_ref()
        .map(|_| compared_from.elapsed().as_secs_f64());
    let report = ProductReport {
        model: &first,
        d: &d,
        depth,
        against: args.against.as_deref(),
        compared: compared.as_ref(),
        seconds: start.elapsed().as_secs_f64(),
        comparison,
        of_device,
    };
    if let Some(path) = &args.svg {
        write_text_file(path, &report.svg()?)?;
    }
    if json {
        write_json(out, &report.answer())?
    } else {
        report.write(out)?
    }
    Ok(Status::Yes)
}

/// What the product is compared with.
enum ProductReference {
    Exact,
    /// The results of this model, which are in f64 and count as exact.
    Numbers(Model),
    Model(Model),
    /// An array of a file, such as results of a machine.
    Recorded(Stack),
}

impl ProductReference {
    /// Parses `exact`, `f64`, the name of a file, or a model. The product to compare is that of a model with
    /// `signature`.
    fn parse(text: &str, signature: &Signature) -> Result<ProductReference, Error> {
        match text {
            "exact" => return Ok(ProductReference::Exact),
            "f64" if signature.scales.is_some() => {
                let what = "expected --against exact for a product with block scales, found f64";
                return Err(Error::Usage(what.into()));
            }
            "f64" => return in_f64(signature).map(ProductReference::Numbers),
            _ => {}
        }
        if text.ends_with(".npy") || text.contains(".npz") {
            let array = read(Path::new(text), &["d", "D"], signature.d)?;
            return Ok(ProductReference::Recorded(array));
        }
        let second = model(text)?;
        let found = second.signature().d;
        if found != signature.d {
            let expected = signature.d;
            return Err(Error::Usage(format!(
                "--against: results in {expected} expected of `{second}`, found {found}"
            )));
        }
        Ok(ProductReference::Model(second))
    }
}

/// Checks that the name of the file ends in `.npy` or `.npz`.
///
/// # Errors
/// If the name ends otherwise.
fn check_ending(path: &Path) -> Result<(), Error> {
    if path
        .extension()
        .is_some_and(|end| end == "npy" || end == "npz")
    {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--out: expected FILE.npy or FILE.npz, found `{}`",
        file_name(path)
    )))
}

/// A sentence for an epilogue inside of another composition, if it multiplies its sum: the numbers
/// that the product is compared with do not have its factors.
fn left_out(model: &Model) -> Option<String> {
    let layers = model.algorithm().layers();
    let mut inside = layers.iter().skip(1);
    let is_scaled =
        inside.any(|(_, layer)| LinearMap::of(layer).is_some_and(|map| !map.is_plain()));
    is_scaled.then(|| {
        "the product is compared with one without alpha, beta and scale of the epilogue inside; --against MODEL has them"
            .into()
    })
}

/// The model that does fused multiply-adds in `f64` along k.
fn in_f64(signature: &Signature) -> Result<Model, Error> {
    let [a, b] = [signature.a, signature.b].map(|format| format.name());
    Ok(Model::parse(&format!(
        "ieee:a={a},b={b},acc=f64,order=fma,K=16"
    ))?)
}
