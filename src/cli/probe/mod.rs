//! `probe`: feature tests, asked of a model or read from the results of a machine.

mod answers;
mod results;
mod table;

use super::Status;
use super::formats::FormatArgs;
use super::json::{InputsObject, NamedModel, write_json};
use super::output::{PROGRAM, write_text_file};
use super::runner::RunnerArgs;
use super::timeouts::{until_ctrl_c, within};
use crate::cli::error::Error;
use crate::cli::specification::{floating_point, model, of_products};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::identify::probe::{
    ProbePlan, ReadingFailure, SummationTree, Test, TestAnswer, TestAnswers, as_dot, as_svg,
    as_text, as_unit, ask_tree, tests,
};
use mmasmt_questions::pages::{Respondent, features_page};
use mmasmt_questions::vectors::device::{Device, SoftwareDevice};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

pub(super) use answers::ProbeAnswer;
pub(super) use table::TableAnswer;

/// Run the feature tests of the papers
///
/// The tests know nothing of the model but its formats and its number of products. --inputs writes
/// the inputs of all tests, for a machine to run; --results reads the answers of the machine.
/// --table puts the answers of the models beside what a paper found on its GPUs.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  mmasmt probe volta/HMMA.884.F32.F32\n  mmasmt probe fda:F=25,K=16 --tests fttn,summation-tree\n  mmasmt probe ampere/HMMA.16816.F32 --tree svg\n  mmasmt probe run:./run-on-mine --formats bf16 --products 1024 --tree unit\n  mmasmt probe hopper/HMMA.16816.F32 --inputs > inputs.txt\n  mmasmt probe hopper/HMMA.16816.F32 --results answers.txt\n  mmasmt probe cpu:x86/vdpbf16ps\n  mmasmt probe run:./run-on-mine --formats f16 --products 8\n  mmasmt probe --table fttn\n  mmasmt probe volta/HMMA.884.F32.F32 --html features.html\n\nExit status: 0 every test that applies was answered, or every cell is as published; 1 results are\ninconsistent, or a cell differs; 2 the request was wrong; 3 inputs of a test are not in the file."
)]
pub(super) struct Args {
    /// The model; --results takes only its formats and number of products
    #[arg(required_unless_present_any = ["table", "formats", "runner", "results"], conflicts_with_all = ["table", "formats"])]
    model: Option<String>,
    /// Run only these tests: names of tests or of papers (fttn, mma-sim, fasi, integers)
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tests: Vec<String>,
    /// Write the inputs of the tests as a vector file, and run no test
    #[arg(long, conflicts_with_all = ["results", "tree", "table"])]
    inputs: bool,
    /// Read the results of a machine: a vector file that has them, or the results alone, one on a
    /// line, in the order of --inputs
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    results: Option<PathBuf>,
    #[command(flatten)]
    machine: RunnerArgs,
    #[command(flatten)]
    formats: FormatArgs,
    /// Draw only the summation tree
    #[arg(long, value_enum, conflicts_with_all = ["table", "tests"])]
    tree: Option<TreeStyle>,
    /// Write the answers as a page for a browser, with the summation tree and the inputs of every
    /// test: one file, which needs no network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["table", "inputs", "tree"])]
    html: Option<PathBuf>,
    /// Show the summary of a paper (fttn, mma-sim, fasi), computed from the models of its GPUs
    #[arg(long, value_name = "PAPER", conflicts_with_all = ["tests", "formats"])]
    table: Option<String>,
}

/// How a tree is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TreeStyle {
    /// Indented text
    Text,
    /// A digraph for Graphviz
    Dot,
    /// A picture
    Svg,
    /// A description: the text of a unit with these sums
    Unit,
}

/// Trees of more products than this are found by questions one after another, not by all pairs.
const MOST_PAIRED: u32 = 64;

pub(super) fn run(args: &Args, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    if let Some(name) = &args.table {
        return table::run(name, json, out);
    }
    let model = args.model()?;
    of_products(&model)?;
    if args.tree.is_some() {
        floating_point(&model)?;
    }
    let signature = model.signature();
    let asks = args.results.is_none() && !args.inputs && args.html.is_none();
    if let Some(drawing) = args
        .tree
        .filter(|_| asks && signature.products > MOST_PAIRED)
    {
        let mut device = args.respondent_device(&model)?;
        let limits = until_ctrl_c()?;
        let asked = within(&limits, || ask_tree(device.as_mut(), model.reads_c()))?;
        let (tree, why, inconsistent) = match asked {
            Ok(tree) => (Some(tree), String::new(), false),
            Err(ReadingFailure::Undecided(why)) => (None, why, false),
            Err(ReadingFailure::Inconsistent(why)) => (None, why, true),
        };
        let is_found = tree.is_some();
        write_tree(&model, tree.as_ref(), &why, drawing, json, out)?;
        return Ok(match (is_found, inconsistent) {
            (true, _) => Status::Yes,
            (false, true) => Status::No,
            (false, false) => Status::Unknown,
        });
    }
    let plan = ProbePlan::new(&signature, args.chosen(&model)?);
    let plan = if model.reads_c() {
        plan
    } else {
        plan.without_c()
    };
    if args.inputs {
        return write_inputs(&model, &plan, json, out);
    }
    let question = format!("probe {model}");
    Limits::active().report(|report| report.question = question);
    let answers = match &args.results {
        Some(path) => plan.read(&results::read(path, &signature, &plan)?),
        None => plan.run(args.respondent_device(&model)?.as_mut())?,
    };
    if let Some(path) = &args.html {
        let page = features_page(&model, &answers, &args.respondent(&model));
        write_text_file(path, &page.map_err(QueryError::from)?)?;
    }
    match args.tree {
        Some(drawing) => draw(&model, &answers, drawing, json, out),
        None => {
            if json {
                write_json(out, &ProbeAnswer::new(&model, &answers))?
            } else {
                writeln!(out, "{}", args.name(&model))?;
                answers::write_text(&answers, out)?
            }
            Ok(status(&answers))
        }
    }
}

impl Args {
    /// The model, or one that has the formats and the number of products of the machine.
    fn model(&self) -> Result<Model, Error> {
        let Some(described) = self.formats.model()? else {
            if let (None, Some(own)) = (&self.model, self.machine.model()?) {
                return Ok(own);
            }
            let text = self.model.as_deref().ok_or_else(|| {
                Error::Usage(
                    "expected a model or the formats of the machine, found neither; give MODEL, or options like `--formats f16 --products 4`"
                        .into(),
                )
            })?;
            return model(text);
        };
        if self.results.is_none() && self.machine.runner.is_none() && !self.inputs {
            return Err(Error::Usage(
                "--formats describes a machine: expected --runner, --results or --inputs as well"
                    .into(),
            ));
        }
        Ok(described)
    }

    /// What answers the tests: a machine, or the model itself.
    fn respondent_device(&self, model: &Model) -> Result<Box<dyn Device>, Error> {
        if let Some(device) = self.machine.device(model.signature(), &until_ctrl_c()?)? {
            return Ok(device);
        }
        Ok(Box::new(SoftwareDevice::new(model.clone())))
    }

    /// The name of what answers the tests.
    fn name(&self, model: &Model) -> String {
        match self.formats.given() {
            Some((formats, products)) => {
                format!("a machine of {products} products of {formats}")
            }
            None => model.to_string(),
        }
    }

    /// Whether the model or a machine answers the tests.
    fn respondent(&self, model: &Model) -> Respondent {
        let machine = match (&self.machine.runner, &self.results) {
            (Some(machine), _) => machine.clone(),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => return Respondent::Model,
        };
        Respondent::Machine(match self.formats.given() {
            Some((formats, products)) => format!("{machine} ({formats}, {products} products)"),
            None => format!("{machine} (with the formats of {model})"),
        })
    }

    /// The tests that are asked for.
    fn chosen(&self, model: &Model) -> Result<Vec<&'static Test>, Error> {
        let asked: &[String] = match self.tree {
            Some(_) => &["summation-tree".to_owned()],
            None => &self.tests,
        };
        let suits = |test: &Test, name: &str| test.name == name || test.suite.name() == name;
        let unknown = asked
            .iter()
            .find(|name| !tests().any(|test| suits(test, name)));
        if let Some(name) = unknown {
            let signature = model.signature();
            let own = tests().filter(|test| test.suite.suits(&signature));
            let names: Vec<_> = own.map(|test| test.name).collect();
            let name = excerpt(name);
            return Err(Error::Usage(format!(
                "--tests: expected names of tests, fttn, mma-sim, fasi or integers, found `{name}`; the tests are {}",
                names.join(", ")
            )));
        }
        let chosen = tests()
            .filter(|test| asked.is_empty() || asked.iter().any(|name| suits(test, name)))
            .filter(|test| test.suite.suits(&model.signature()));
        let chosen: Vec<_> = chosen.collect();
        if !chosen.is_empty() {
            return Ok(chosen);
        }
        let (integers, floats) = ("integers", "floating-point numbers");
        let (own, found, give) = match model.signature().is_integer() {
            true => (integers, floats, "integers"),
            false => (floats, integers, "fttn, mma-sim or fasi"),
        };
        Err(Error::Usage(format!(
            "--tests: expected tests of {own}, as {model} has them, found tests of {found}; give {give}"
        )))
    }
}

fn write_inputs(
    model: &Model,
    plan: &ProbePlan,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let signature = model.signature();
    let inputs = plan.inputs();
    let lines = inputs.iter().map(|inputs| inputs.to_line(&signature));
    if json {
        let vectors = inputs.iter();
        let vectors = vectors.map(|inputs| InputsObject::new(&signature, inputs));
        let object = InputsAnswer {
            model: NamedModel::of(model),
            vectors: vectors.collect(),
        };
        write_json(out, &object)?;
        return Ok(Status::Yes);
    }
    writeln!(
        out,
        "# {PROGRAM}, probe --inputs, {model}, {} inputs\n# {signature}",
        inputs.len()
    )?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(Status::Yes)
}

/// The exit status. Tests that do not apply or cannot decide are no failure.
fn status(answers: &TestAnswers) -> Status {
    let any = |status: &str| {
        answers
            .0
            .iter()
            .any(|outcome| outcome.answer.status() == status)
    };
    match (any("inconsistent"), any("not in the file")) {
        (true, _) => Status::No,
        (false, true) => Status::Unknown,
        (false, false) => Status::Yes,
    }
}

fn draw(
    model: &Model,
    answers: &TestAnswers,
    drawing: TreeStyle,
    json: bool,
    out: &mut dyn Write,
) -> Result<Status, Error> {
    let (tree, why) = match answers.of("summation-tree") {
        Some(TestAnswer::Found(found)) => (found.tree.as_ref(), String::new()),
        Some(TestAnswer::Missing(count)) => (None, format!("{count} results are missing")),
        Some(
            TestAnswer::Undecided(why)
            | TestAnswer::Inconsistent(why)
            | TestAnswer::NotApplicable(why),
        ) => (None, why.clone()),
        None => (None, String::new()),
    };
    write_tree(model, tree, &why, drawing, json, out)?;
    Ok(match tree {
        Some(_) => Status::Yes,
        None => match status(answers) {
            Status::Yes => Status::Unknown,
            other => other,
        },
    })
}

/// `mmasmt probe --inputs`
#[derive(Serialize, JsonSchema)]
pub(super) struct InputsAnswer {
    #[serde(flatten)]
    model: NamedModel,
    vectors: Vec<InputsObject>,
}

/// `mmasmt probe --tree`
#[derive(Serialize, JsonSchema)]
pub(super) struct TreeAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    /// The order of the sums as a formula.
    tree: Option<String>,
    drawing: Option<String>,
    /// The reason if there is no tree.
    reason: Option<&'x str>,
}

/// Writes a tree, or why there is none.
fn write_tree(
    model: &Model,
    tree: Option<&SummationTree>,
    why: &str,
    drawing: TreeStyle,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let signature = model.signature();
    let products = signature.products as usize;
    let drawn = match tree {
        None => None,
        Some(tree) => Some(match drawing {
            TreeStyle::Text => as_text(tree, products),
            TreeStyle::Dot => as_dot(tree, products),
            TreeStyle::Svg => as_svg(tree, products),
            TreeStyle::Unit => as_unit(tree, &signature).ok_or_else(|| {
                Error::Usage(format!(
                    "--tree unit: expected products without block scales, found {signature}; use --tree text"
                ))
            })?,
        }),
    };
    if json {
        let object = TreeAnswer {
            model: NamedModel::of(model),
            tree: tree.map(|tree| tree.formula(products)),
            reason: drawn.is_none().then_some(why),
            drawing: drawn,
        };
        write_json(out, &object)?;
    } else {
        match &drawn {
            Some(text) => write!(out, "{text}")?,
            None => writeln!(out, "no tree: {why}")?,
        }
    }
    Ok(())
}
