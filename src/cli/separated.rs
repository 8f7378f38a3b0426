//! The result of `separate`, as text and as JSON.

use super::families::class_text;
use super::json::{Cost, ModelText, VectorObject};
use super::output::{answer_text, counted};
use crate::cli::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::identify::{DecisionTree, LowerBoundReason, Minimality, Separation};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

/// Models, and the inputs that tell them apart.
pub(super) struct SeparationReport<'x> {
    pub models: &'x [Model],
    /// The inputs that are meant; `None` for all.
    pub domain: Option<&'x Domain>,
    pub separation: &'x Separation,
}

impl SeparationReport<'_> {
    fn signature(&self) -> Signature {
        self.models[0].signature()
    }

    fn class(&self, class: usize) -> String {
        class_text(self.models, &self.separation.classes[class])
    }

    /// Which inputs are meant, to follow what is proved of them; empty for all.
    fn where_text(&self) -> String {
        self.domain
            .map(|domain| format!(" where {domain}"))
            .unwrap_or_default()
    }

    /// One line that says how many inputs tell the models apart.
    pub fn summary(&self) -> String {
        let (separation, where_) = (self.separation, self.where_text());
        let models = counted(self.models.len(), "model", "models");
        let what = match separation.classes.len() {
            classes if classes == self.models.len() => models.clone(),
            classes => format!("{} of {models}", counted(classes, "class", "classes")),
        };
        match separation.inputs.len() {
            0 if self.models.len() == 1 => "one model: nothing to tell apart".into(),
            0 if separation.open.is_empty() => format!("{models}: proved equal{where_}"),
            0 => format!("{what}: no input found tells them apart"),
            1 => format!("{what}: 1 input tells all of them apart"),
            inputs => format!(
                "{what}: {inputs} inputs tell all of them apart; {}",
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
            Minimality::Proved => "fewer do not: proved".into(),
            Minimality::OfPool(pool) => format!("{open}, none of a pool of {pool}"),
            Minimality::Open => open,
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
            LowerBoundReason::Results(_) => {}
            LowerBoundReason::Pairs(pairs) => {
                writeln!(out, "\nproved: no input tells two of these pairs apart")?;
                for pair in pairs {
                    let [left, right] = pair.map(|class| self.class(class));
                    writeln!(out, "  {left} and {right}")?;
                }
            }
            LowerBoundReason::Classes(classes) => {
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
        let title = format!("proved equal{}:", self.where_text());
        write_some(out, &title, &several, most, |class| {
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

    /// The inputs, each with a result for every class.
    pub fn vectors(&self) -> Vec<VectorObject> {
        let (separation, signature) = (self.separation, self.signature());
        let inputs = separation.inputs.iter().zip(&separation.columns);
        let vectors =
            inputs.map(|(inputs, column)| VectorObject::of_column(&signature, inputs, column));
        vectors.collect()
    }

    /// The models of each class.
    pub fn classes(&self) -> Vec<Vec<ModelText>> {
        let models = |class: &Vec<usize>| {
            let models = class.iter().map(|&at| ModelText::of(&self.models[at]));
            models.collect()
        };
        self.separation.classes.iter().map(models).collect()
    }

    /// The tree of questions.
    pub fn tree(&self) -> TreeObject {
        TreeObject::of(&self.separation.tree, &self.signature())
    }
}

/// `mmasmt separate`
#[derive(Serialize, JsonSchema)]
pub(super) struct SeparateAnswer<'x> {
    models: Vec<ModelText>,
    names: Vec<String>,
    /// The inputs that are meant, if not all are.
    assume: Option<String>,
    /// Models that are proved equal are in one class.
    classes: Vec<Vec<ModelText>>,
    /// The classes, by number, that are neither told apart nor proved equal.
    open: &'x [[usize; 2]],
    /// Inputs with a result for each class.
    vectors: Vec<VectorObject>,
    depth: usize,
    tree: TreeObject,
    #[schemars(extend("enum" = ["proved", "of the pool", "open"]))]
    fewest: &'static str,
    /// The number of inputs in the pool, if there are no fewer of them that would do.
    pool: Option<usize>,
    /// The number of inputs that is proved to be needed.
    at_least: usize,
    because: BecauseObject<'x>,
    cost: Cost,
}

/// The proof that so many inputs are needed.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BecauseObject<'x> {
    ResultBits(u32),
    NoInputTellsTwoOf(&'x [[usize; 2]]),
    NoOneInputTellsAllOf(&'x [usize]),
}

/// A tree of questions: a list of the classes that are left; or `vector`, the number of an input
/// from 1, with the tree that each of its `results` leads to.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum TreeObject {
    Leaf(Vec<usize>),
    Ask {
        vector: usize,
        #[serde(serialize_with = "in_order")]
        #[schemars(with = "BTreeMap<String, TreeObject>")]
        results: Vec<(String, TreeObject)>,
    },
}

/// Writes pairs as an object, in their order.
fn in_order<S: Serializer>(pairs: &[(String, TreeObject)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(result, tree)| (result, tree)))
}

impl TreeObject {
    fn of(tree: &DecisionTree, signature: &Signature) -> TreeObject {
        match tree {
            DecisionTree::Leaf(classes) => TreeObject::Leaf(classes.clone()),
            DecisionTree::Ask { input, branches } => TreeObject::Ask {
                vector: input + 1,
                results: (branches.iter())
                    .map(|(answer, below)| {
                        let result = answer_text(signature, *answer);
                        (result, TreeObject::of(below, signature))
                    })
                    .collect(),
            },
        }
    }
}

impl<'x> SeparateAnswer<'x> {
    /// The report with its cost.
    pub fn new(report: &SeparationReport<'x>, cost: Cost) -> Self {
        let separation = report.separation;
        let (fewest, pool) = match separation.fewest {
            Minimality::Proved => ("proved", None),
            Minimality::OfPool(pool) => ("of the pool", Some(pool)),
            Minimality::Open => ("open", None),
        };
        SeparateAnswer {
            models: report.models.iter().map(ModelText::of).collect(),
            names: report.models.iter().map(ToString::to_string).collect(),
            assume: report.domain.map(ToString::to_string),
            classes: report.classes(),
            open: &separation.open,
            vectors: report.vectors(),
            depth: separation.tree.depth(),
            tree: report.tree(),
            fewest,
            pool,
            at_least: separation.at_least.inputs,
            because: match &separation.at_least.reason {
                LowerBoundReason::Results(bits) => BecauseObject::ResultBits(*bits),
                LowerBoundReason::Pairs(pairs) => BecauseObject::NoInputTellsTwoOf(pairs),
                LowerBoundReason::Classes(classes) => BecauseObject::NoOneInputTellsAllOf(classes),
            },
            cost,
        }
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
