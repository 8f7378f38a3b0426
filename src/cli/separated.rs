//! What `separate` found out, as text and as JSON.

use super::families::class_text;
use super::fewest::{fewest_json, fewest_text, write_reason};
use super::json::vector_json;
use super::output::bits;
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{DecisionTree, Separation};
use serde_json::{Value, json};
use std::io::Write;

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

/// Everything but the program's line.
pub(super) fn write_text(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
) -> Result<(), Error> {
    writeln!(out, "{}", summary(models, separation))?;
    write_inputs_and_tree(out, models, separation, signature)?;
    write_reason(out, models, separation)?;
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

fn write_tree(
    out: &mut impl Write,
    models: &[Model],
    separation: &Separation,
    signature: &Signature,
    tree: &DecisionTree,
    depth: usize,
) -> Result<(), Error> {
    let DecisionTree::Ask { input, branches } = tree else {
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
            DecisionTree::Leaf(classes) => {
                let names = classes
                    .iter()
                    .map(|&class| class_text(models, &separation.classes[class]));
                let names: Vec<String> = names.collect();
                writeln!(out, "{indent}{question} {answer} -> {}", names.join(" or "))?;
            }
            DecisionTree::Ask { .. } => {
                writeln!(out, "{indent}{question} {answer} ->")?;
                write_tree(out, models, separation, signature, below, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// A result in bits, or any NaN.
pub(super) fn answer_text(signature: &Signature, answer: u64) -> String {
    if answer == u64::MAX && signature.d.width() < 64 {
        return "nan".into();
    }
    bits(&signature.d, answer)
}

/// The inputs of a separation, each with a result for every class, `nan` for any NaN.
pub(super) fn vectors_json(separation: &Separation, signature: &Signature) -> Vec<Value> {
    let inputs = separation.inputs.iter().zip(&separation.columns);
    let vectors = inputs.map(|(inputs, column)| {
        let results: Vec<String> = column
            .iter()
            .map(|answer| answer_text(signature, *answer))
            .collect();
        let mut vector = vector_json(signature, inputs, &[]);
        vector.insert("d".into(), results.into());
        Value::Object(vector)
    });
    vectors.collect()
}

/// The classes as names of models.
pub(super) fn classes_json(models: &[Model], separation: &Separation) -> Vec<Vec<String>> {
    let names = |class: &Vec<usize>| {
        class
            .iter()
            .map(|&model| models[model].canonical())
            .collect()
    };
    separation.classes.iter().map(names).collect()
}

/// A tree: the classes of a leaf, or an input, from 1, with what each result leads to.
pub(super) fn tree_json(tree: &DecisionTree, signature: &Signature) -> Value {
    match tree {
        DecisionTree::Leaf(classes) => json!(classes),
        DecisionTree::Ask { input, branches } => {
            let branches = branches.iter().map(|(answer, below)| {
                (answer_text(signature, *answer), tree_json(below, signature))
            });
            json!({ "vector": input + 1, "results": Value::Object(branches.collect()) })
        }
    }
}

/// Everything but seed, time and version.
pub(super) fn as_json(models: &[Model], separation: &Separation, signature: &Signature) -> Value {
    let mut object = json!({
        "models": models.iter().map(Model::canonical).collect::<Vec<_>>(),
        "names": models.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "classes": classes_json(models, separation),
        "open": separation.open,
        "vectors": vectors_json(separation, signature),
        "depth": separation.tree.depth(),
        "tree": tree_json(&separation.tree, signature),
    });
    if let Value::Object(map) = &mut object {
        map.extend(fewest_json(separation));
    }
    object
}
