//! `separate`: few inputs that tell models pairwise apart.

use super::Status;
use super::families::{Candidates, HELP};
use super::output::{PROGRAM, bits, write_json};
use super::score;
use crate::algorithms::Signature;
use crate::engine::solver_version;
use crate::error::Error;
use crate::identify::{Fewest, Separation, Tree, separate};
use crate::model::Model;
use crate::vectors::Inputs;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Find few inputs that tell models pairwise apart, or prove some of them equal
///
/// The inputs are printed as lines of a vector file, with a tree: which result leads to which model.
/// With --score it is said instead which changes of one parameter of --base a file's inputs show.
#[derive(Debug, clap::Args)]
#[command(after_help = format!("{HELP}\n\n{EXAMPLES}"))]
pub(super) struct Args {
    /// Models that take the same inputs
    models: Vec<String>,
    #[command(flatten)]
    candidates: Candidates,
    /// Write the inputs to a file, with comments that say what each result means
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The mutation score of a vector file: the share of all models that differ from --base in one
    /// parameter whose results differ on its inputs
    #[arg(long, value_name = "FILE", requires = "base", conflicts_with_all = ["family", "models"])]
    score: Option<PathBuf>,
    /// Find inputs that tell --base from all models that differ from it in one parameter
    #[arg(long, requires = "base", conflicts_with_all = ["family", "models", "score"])]
    mutants: bool,
}

const EXAMPLES: &str = "\
Examples:
  mmasmt separate --family F=10..36 --base fda:K=8
  mmasmt separate fda:F=23 fda:F=24 fda:F=24,zero=raw --out vectors.txt
  mmasmt separate --score recorded.txt --base volta/HMMA.884.F32.F32
  mmasmt separate --mutants --base fda:F=25,K=16 --out vectors.txt

Exit status: 0 told apart (with --score: all mutants are caught), 1 all proved equal (some mutants are
missed), 3 some pairs are neither.";

pub(super) fn run(args: &Args, json: bool, out: &mut impl Write) -> Result<Status, Error> {
    let start = Instant::now();
    let options = args.candidates.options();
    if let Some(base) = args
        .candidates
        .base()?
        .filter(|_| args.mutants || args.score.is_some())
    {
        let request = score::Request {
            base,
            file: args.score.as_deref(),
            out: args.out.as_deref(),
            options,
            limits: args.candidates.limits()?,
        };
        return score::run(&request, json, out);
    }
    let models = args.candidates.models(&args.models)?;
    let limits = args.candidates.limits()?;
    let separation = separate(&models, &options, &limits)?;
    let seconds = start.elapsed().as_secs_f64();
    let signature = models[0].signature();
    if let Some(path) = &args.out {
        write_file(path, &models, &separation, &signature)?;
    }
    if json {
        let mut object = as_json(&models, &separation, &signature);
        if let Value::Object(map) = &mut object {
            map.insert("seed".into(), args.candidates.seed.into());
            map.insert("seconds".into(), seconds.into());
            map.insert("version".into(), PROGRAM.into());
        }
        write_json(out, &object)?;
    } else {
        write_text(out, &models, &separation, &signature)?;
        let (solver, seed) = (solver_version(), args.candidates.seed);
        writeln!(out, "\n# {PROGRAM}, {solver}, seed {seed}, {seconds:.2} s")?;
    }
    Ok(
        match (separation.open.is_empty(), separation.inputs.is_empty()) {
            (false, _) => Status::Unknown,
            (true, true) if models.len() > 1 => Status::No,
            (true, _) => Status::Yes,
        },
    )
}

/// What is known of smaller sets.
fn fewest_text(separation: &Separation) -> String {
    match separation.fewest {
        Fewest::Proved => "no fewer do: proved".into(),
        Fewest::OfPool(pool) => format!(
            "no fewer of a pool of {pool} do, others might; at least {} needed",
            separation.at_least
        ),
        Fewest::Open => format!("fewer might do; at least {} needed", separation.at_least),
    }
}

/// `1 input tells …`, in one line.
pub(super) fn summary(models: &[Model], separation: &Separation) -> String {
    let count = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    let classes = separation.classes.len();
    let what = if classes == models.len() {
        count(models.len(), "model", "models")
    } else {
        format!(
            "{} of {}",
            count(classes, "class", "classes"),
            count(models.len(), "model", "models")
        )
    };
    match separation.inputs.len() {
        0 if models.len() == 1 => "one model: nothing to tell apart".into(),
        0 if separation.open.is_empty() => {
            format!("{}: proved equal", count(models.len(), "model", "models"))
        }
        0 => format!("{what}: no input found tells them apart"),
        inputs => format!(
            "{what}, told apart by {}; {}",
            count(inputs, "input", "inputs"),
            fewest_text(separation)
        ),
    }
}

fn write_text(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
) -> Result<(), Error> {
    writeln!(out, "{}", summary(models, separation))?;
    write_inputs_and_tree(out, models, separation, signature)?;
    write_classes(out, models, separation, usize::MAX)
}

/// The inputs as lines, and the tree below them.
pub(super) fn write_inputs_and_tree(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
) -> Result<(), Error> {
    if separation.inputs.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    for (index, inputs) in separation.inputs.iter().enumerate() {
        writeln!(out, "  {}  {}", index + 1, inputs.to_line(signature))?;
    }
    writeln!(out)?;
    write_tree(out, models, separation, signature, &separation.tree, 1)
}

/// The classes that have several models, at most so many, and the pairs that are open.
pub(super) fn write_classes(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    most: usize,
) -> Result<(), Error> {
    let several: Vec<_> = separation
        .classes
        .iter()
        .filter(|class| class.len() > 1)
        .collect();
    if !several.is_empty() {
        writeln!(out, "\nproved equal:")?;
    }
    for class in several.iter().take(most) {
        let names: Vec<String> = class
            .iter()
            .map(|&model| models[model].to_string())
            .collect();
        writeln!(out, "  {}", names.join(" = "))?;
    }
    if several.len() > most {
        writeln!(out, "  and {} more, see --json", several.len() - most)?;
    }
    if !separation.open.is_empty() {
        writeln!(out, "\nneither told apart nor proved equal:")?;
    }
    for pair in separation.open.iter().take(most) {
        let [left, right] = pair.map(|class| &models[separation.classes[class][0]]);
        writeln!(out, "  {left} and {right}")?;
    }
    if separation.open.len() > most {
        writeln!(
            out,
            "  and {} more, see --json",
            separation.open.len() - most
        )?;
    }
    Ok(())
}

/// The class by its first model, with how many more it has.
fn class_text(models: &[Model], class: &[usize]) -> String {
    let first = &models[class[0]];
    match class.len() {
        1 => first.to_string(),
        count => format!("{first} (= {} more)", count - 1),
    }
}

fn write_tree(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
    tree: &Tree,
    depth: usize,
) -> Result<(), Error> {
    let Tree::Ask { input, branches } = tree else {
        return Ok(());
    };
    let indent = "  ".repeat(depth);
    for (index, (answer, below)) in branches.iter().enumerate() {
        let question = if index == 0 {
            format!("{}:", input + 1)
        } else {
            " ".repeat((input + 1).to_string().len() + 1)
        };
        let answer = answer_text(signature, *answer);
        match below {
            Tree::Leaf(classes) => {
                let names = classes
                    .iter()
                    .map(|&class| class_text(models, &separation.classes[class]));
                let names: Vec<String> = names.collect();
                writeln!(out, "{indent}{question} {answer} -> {}", names.join(" or "))?;
            }
            Tree::Ask { .. } => {
                writeln!(out, "{indent}{question} {answer} ->")?;
                write_tree(out, models, separation, signature, below, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// A result in bits, or any NaN.
fn answer_text(signature: &Signature, answer: u64) -> String {
    if answer == u64::MAX && signature.d.width() < 64 {
        return "nan".into();
    }
    bits(&signature.d, answer)
}

/// The inputs of a separation, and which results lead to which class.
pub(super) fn vectors_json(separation: &Separation, signature: &Signature) -> Vec<Value> {
    let inputs = separation.inputs.iter().zip(&separation.columns);
    let vectors = inputs.map(|(inputs, column)| {
        let results: Vec<String> = column
            .iter()
            .map(|answer| answer_text(signature, *answer))
            .collect();
        json!({ "line": inputs.to_line(signature), "result_of_class": results })
    });
    vectors.collect()
}

/// The classes as names of models.
pub(super) fn classes_json(models: &[Model], separation: &Separation) -> Vec<Vec<String>> {
    let names = |class: &Vec<usize>| {
        class
            .iter()
            .map(|&model| models[model].to_string())
            .collect()
    };
    separation.classes.iter().map(names).collect()
}

/// A tree: the classes of a leaf, or an input, from 1, with what each result leads to.
pub(super) fn tree_json(tree: &Tree, signature: &Signature) -> Value {
    match tree {
        Tree::Leaf(classes) => json!(classes),
        Tree::Ask { input, branches } => {
            let branches = branches.iter().map(|(answer, below)| {
                (answer_text(signature, *answer), tree_json(below, signature))
            });
            json!({ "vector": input + 1, "results": Value::Object(branches.collect()) })
        }
    }
}

fn as_json(models: &[Model], separation: &Separation, signature: &Signature) -> Value {
    let (fewest, pool) = match separation.fewest {
        Fewest::Proved => ("proved", None),
        Fewest::OfPool(pool) => ("of the pool", Some(pool)),
        Fewest::Open => ("open", None),
    };
    json!({
        "models": models.len(),
        "classes": classes_json(models, separation),
        "open": separation.open,
        "vectors": vectors_json(separation, signature),
        "fewest": fewest,
        "pool": pool,
        "at_least": separation.at_least,
        "depth": separation.tree.depth(),
        "tree": tree_json(&separation.tree, signature),
    })
}

/// The vector file of a separation.
fn write_file(
    path: &Path,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
) -> Result<(), Error> {
    let mut text = format!("# {PROGRAM} separate: {}\n", summary(models, separation));
    text += &format!("# {signature}\n");
    text += "# c a0,a1,... b0,b1,...: run each line and write d at its end\n";
    text += "# before each line: a result, and the models that give it\n";
    for (inputs, column) in separation.inputs.iter().zip(&separation.columns) {
        let mut results: Vec<(u64, Vec<String>)> = Vec::new();
        for (answer, class) in column.iter().zip(&separation.classes) {
            let name = class_text(models, class);
            match results.iter_mut().find(|(known, _)| known == answer) {
                Some((_, names)) => names.push(name),
                None => results.push((*answer, vec![name])),
            }
        }
        for (answer, names) in results {
            text += &format!("# {} {}\n", answer_text(signature, answer), names.join(" "));
        }
        text += &line(inputs, signature);
    }
    write_text_file(path, &text)
}

pub(super) fn line(inputs: &Inputs, signature: &Signature) -> String {
    inputs.to_line(signature) + "\n"
}

pub(super) fn write_text_file(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|error| Error::File {
        path: path.into(),
        error,
    })
}
