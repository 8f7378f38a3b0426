//! The result of `separate`, as text and as JSON.

use super::families::class_text;
use super::json::{joined, vector_json};
use super::output::{bits, counted};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{DecisionTree, Fewest, Reason, Separation};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::Write;

/// Models, and the inputs that tell them apart.
pub(super) struct SeparationReport<'x> {
    pub models: &'x [Model],
    pub separation: &'x Separation,
}

impl SeparationReport<'_> {
    fn signature(&self) -> Signature {
        self.models[0].signature()
    }

    fn class(&self, class: usize) -> String {
        class_text(self.models, &self.separation.classes[class])
    }

    /// One line that says how many inputs tell the models apart.
    pub fn summary(&self) -> String {
        let separation = self.separation;
        let models = counted(self.models.len(), "model", "models");
        let what = match separation.classes.len() {
            classes if classes == self.models.len() => models.clone(),
            classes => format!("{} of {models}", counted(classes, "class", "classes")),
        };
        match separation.inputs.len() {
            0 if self.models.len() == 1 => "one model: nothing to tell apart".into(),
            0 if separation.open.is_empty() => format!("{models}: proved equal"),
            0 => format!("{what}: no input found tells them apart"),
            inputs => format!(
                "{what}, told apart by {}; {}",
                counted(inputs, "input", "inputs"),
                self.fewest_text()
            ),
        }
    }

    /// A short text that says whether fewer inputs could tell the models apart, as far as it is
    /// known.
    fn fewest_text(&self) -> String {
        let (needed, found) = (
            self.separation.at_least.inputs,
            self.separation.inputs.len(),
        );
        let open =
            format!("at least {needed} needed: proved; not known whether fewer than {found} do");
        match self.separation.fewest {
            Fewest::Proved => "no fewer do: proved".into(),
            Fewest::OfPool(pool) => format!("{open}, none of a pool of {pool}"),
            Fewest::Open => open,
        }
    }

    /// Writes the whole report, but for the line that names the program.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        writeln!(out, "{}", self.summary())?;
        self.write_inputs_and_tree(out)?;
        self.write_reason(out)?;
        self.write_classes(out, usize::MAX)
    }

    /// Writes the inputs as lines, and below them the tree, which says which result leads to which
    /// class.
    pub fn write_inputs_and_tree(&self, out: &mut dyn Write) -> Result<(), Error> {
        if self.separation.inputs.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        for (number, inputs) in (1..).zip(&self.separation.inputs) {
            writeln!(out, "  {number}  {}", inputs.to_line(&self.signature()))?;
        }
        writeln!(out)?;
        self.write_tree(out, &self.separation.tree, 1)
    }

    fn write_tree(
        &self,
        out: &mut dyn Write,
        tree: &DecisionTree,
        depth: usize,
    ) -> Result<(), Error> {
        let DecisionTree::Ask { input, branches } = tree else {
            return Ok(());
        };
        let mut question = format!("{}{}:", "  ".repeat(depth), input + 1);
        for (answer, below) in branches {
            let answer = answer_text(&self.signature(), *answer);
            match below {
                DecisionTree::Leaf(classes) => {
                    let names = classes.iter().map(|&class| self.class(class));
                    let names = names.collect::<Vec<_>>().join(" or ");
                    writeln!(out, "{question} {answer} -> {names}")?;
                }
                DecisionTree::Ask { .. } => {
                    writeln!(out, "{question} {answer} ->")?;
                    self.write_tree(out, below, depth + 1)?;
                }
            }
            question = " ".repeat(question.len());
        }
        Ok(())
    }

    /// Writes the proof that so many inputs are needed, unless it only counts the possible results.
    pub fn write_reason(&self, out: &mut dyn Write) -> Result<(), Error> {
        match &self.separation.at_least.reason {
            Reason::Results(_) => {}
            Reason::Pairs(pairs) => {
                writeln!(out, "\nproved: no input tells two of these pairs apart")?;
                for pair in pairs {
                    let [left, right] = pair.map(|class| self.class(class));
                    writeln!(out, "  {left} and {right}")?;
                }
            }
            Reason::Classes(classes) => {
                writeln!(out, "\nproved: no one input tells all of these apart")?;
                for class in classes {
                    writeln!(out, "  {}", self.class(*class))?;
                }
            }
        }
        Ok(())
    }

    /// Writes the classes that have several models and the pairs that are open, at most `most` of
    /// each.
    pub fn write_classes(&self, out: &mut dyn Write, most: usize) -> Result<(), Error> {
        let classes = self.separation.classes.iter();
        let several: Vec<_> = classes.filter(|class| class.len() > 1).collect();
        write_some(out, "proved equal:", &several, most, |class| {
            let names: Vec<_> = class
                .iter()
                .map(|&at| self.models[at].to_string())
                .collect();
            names.join(" = ")
        })?;
        let open = &self.separation.open;
        write_some(
            out,
            "neither told apart nor proved equal:",
            open,
            most,
            |pair| {
                let [left, right] =
                    pair.map(|class| &self.models[self.separation.classes[class][0]]);
                format!("{left} and {right}")
            },
        )
    }

    /// The inputs as JSON, each with a result for every class; `nan` stands for any NaN.
    pub fn vectors_json(&self) -> Value {
        let (separation, signature) = (self.separation, self.signature());
        let inputs = separation.inputs.iter().zip(&separation.columns);
        let vectors = inputs.map(|(inputs, column)| {
            let results = column.iter().map(|answer| answer_text(&signature, *answer));
            let results: Vec<_> = results.collect();
            joined(
                vector_json(&signature, inputs, &[]),
                json!({ "d": results }),
            )
        });
        vectors.collect()
    }

    /// The classes as JSON: the names of their models.
    pub fn classes_json(&self) -> Value {
        let names = |class: &Vec<usize>| -> Value {
            let models = class.iter().map(|&at| self.models[at].canonical());
            models.collect()
        };
        self.separation.classes.iter().map(names).collect()
    }

    /// The tree as JSON. A leaf is the list of its classes. Any other node is the number of an
    /// input, from 1, with the subtree that each result leads to.
    pub fn tree_json(&self) -> Value {
        tree_json(&self.separation.tree, &self.signature())
    }

    /// The report as JSON, without seed, time and version.
    pub fn as_json(&self) -> Value {
        let (fewest, pool) = match self.separation.fewest {
            Fewest::Proved => ("proved", None),
            Fewest::OfPool(pool) => ("of the pool", Some(pool)),
            Fewest::Open => ("open", None),
        };
        let because = match &self.separation.at_least.reason {
            Reason::Results(bits) => json!({ "result_bits": bits }),
            Reason::Pairs(pairs) => json!({ "no_input_tells_two_of": pairs }),
            Reason::Classes(classes) => json!({ "no_one_input_tells_all_of": classes }),
        };
        json!({
            "models": self.models.iter().map(Model::canonical).collect::<Vec<_>>(),
            "names": self.models.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "classes": self.classes_json(),
            "open": self.separation.open,
            "vectors": self.vectors_json(),
            "depth": self.separation.tree.depth(),
            "tree": self.tree_json(),
            "fewest": fewest,
            "pool": pool,
            "at_least": self.separation.at_least.inputs,
            "because": because,
        })
    }
}

/// Writes a title and at most `most` lines below it. If there are no lines, writes nothing.
fn write_some<T, L: Display>(
    out: &mut dyn Write,
    title: &str,
    all: &[T],
    most: usize,
    line: impl Fn(&T) -> L,
) -> Result<(), Error> {
    if !all.is_empty() {
        writeln!(out, "\n{title}")?;
    }
    for one in all.iter().take(most) {
        writeln!(out, "  {}", line(one))?;
    }
    if all.len() > most {
        writeln!(out, "  and {} more, see --json", all.len() - most)?;
    }
    Ok(())
}

/// A result in bits; `nan` stands for any NaN.
pub(super) fn answer_text(signature: &Signature, answer: u64) -> String {
    if answer == u64::MAX && signature.d.width() < 64 {
        return "nan".into();
    }
    bits(&signature.d, answer)
}

fn tree_json(tree: &DecisionTree, signature: &Signature) -> Value {
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
