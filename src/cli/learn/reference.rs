//! The model or the machine beside which another machine is learnt, and what differs.

use crate::cli::error::Error;
use crate::cli::runner::{RunnerArgs, answers};
use crate::cli::specification::model;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::agreement::differing_keys;
use mmasmt_questions::identify::learn::{LearnOptions, LearnResult, learn};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// A model or a machine beside which another machine is learnt.
pub(super) struct ReferenceUnit {
    /// Its name on the command line.
    pub name: String,
    pub kind: ReferenceKind,
}

/// The kind of a unit beside a machine.
pub(super) enum ReferenceKind {
    Model(Box<Model>),
    Machine(RunnerArgs),
}

impl ReferenceUnit {
    /// The argument beside the machine that is asked, if there is one.
    ///
    /// # Errors
    /// If there are several, or it is neither a machine nor a model.
    pub fn of(machine: &RunnerArgs, names: &[PathBuf]) -> Result<Option<ReferenceUnit>, Error> {
        let texts: Vec<String> = match machine.runner {
            Some(_) => names
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            None => Vec::new(),
        };
        let name = match &texts[..] {
            [] => return Ok(None),
            [name] => name.clone(),
            [_, found, ..] => {
                return Err(Error::Usage(format!(
                    "expected a machine, and one machine or model from which it may differ, found `{found}` as well"
                )));
            }
        };
        let kind = match answers(&name) {
            true => ReferenceKind::Machine(machine.like(&name)),
            false => ReferenceKind::Model(Box::new(model(&name)?)),
        };
        Ok(Some(ReferenceUnit { name, kind }))
    }

    /// The operands, unless it is a command.
    ///
    /// # Errors
    /// If the tables do not have the instruction.
    pub fn signature(&self) -> Result<Option<Signature>, Error> {
        Ok(match &self.kind {
            ReferenceKind::Model(model) => Some(model.signature()),
            ReferenceKind::Machine(machine) => machine.model()?.map(|model| model.signature()),
        })
    }

    /// The model, or what is learnt about the machine.
    ///
    /// # Errors
    /// If the machine cannot be had or fails, or the operands are others.
    pub fn model(
        &self,
        signature: Signature,
        options: &LearnOptions,
        limits: &Limits,
    ) -> Result<(Option<Model>, Option<LearnResult>), Error> {
        match &self.kind {
            ReferenceKind::Model(model) if model.signature() != signature => {
                Err(Error::Usage(format!(
                    "{}: expected a model of {signature}, found {}",
                    self.name,
                    model.signature()
                )))
            }
            ReferenceKind::Model(model) => Ok((Some(model.as_ref().clone()), None)),
            ReferenceKind::Machine(machine) => {
                let device = machine.device(signature, limits)?;
                let Some(mut device) = device else {
                    return Ok((None, None));
                };
                let learned = learn(device.as_mut(), options, limits)?;
                Ok((learned.model.clone(), Some(learned)))
            }
        }
    }
}

/// The differences between the model that is learnt and the one beside it.
#[derive(Serialize, JsonSchema)]
pub(super) struct DifferenceReport {
    /// The model or the machine as it was given.
    beside: String,
    /// Its model.
    model: String,
    /// The parameters that differ; nothing if one of the two is no known algorithm.
    parameters: Option<Vec<ParameterDifference>>,
}

/// A parameter with two values.
#[derive(Serialize, JsonSchema)]
struct ParameterDifference {
    key: String,
    here: String,
    beside: String,
}

impl DifferenceReport {
    /// The differences from `other`, the model of the unit beside.
    pub fn new(beside: &ReferenceUnit, other: &Model, learned: &LearnResult) -> DifferenceReport {
        let named = learned.name.as_ref().and(learned.model.as_ref());
        let parameters = named
            .filter(|_| other.algorithm().text().is_none())
            .map(|own| {
                let all = differing_keys(own, other).into_iter();
                let all =
                    all.map(|(key, [here, beside])| ParameterDifference { key, here, beside });
                all.collect()
            });
        DifferenceReport {
            beside: beside.name.clone(),
            model: other.canonical(),
            parameters,
        }
    }

    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let DifferenceReport {
            beside,
            model,
            parameters,
        } = self;
        let title = match model == beside {
            true => format!("beside {beside}"),
            false => format!("beside {beside}, which is {model}"),
        };
        match parameters.as_deref() {
            None => writeln!(
                out,
                "\n{title}: one of the two is no known algorithm; `mmasmt diff` compares their descriptions"
            )?,
            Some([]) => writeln!(out, "\n{title}: no parameter differs")?,
            Some(all) => {
                writeln!(out, "\n{title}: these parameters differ")?;
                for ParameterDifference { key, here, beside } in all {
                    writeln!(out, "  {key}: {here} here, {beside} there")?;
                }
            }
        }
        Ok(())
    }
}
