//! The candidates nearest to a machine that is none of them, and what to do next.

use super::request::IdentifyRequest;
use crate::cli::error::Error;
use crate::cli::json::{FailureObject, ModelText};
use crate::cli::output::bits;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::CandidateAgreement;
use mmasmt_questions::vectors::Vector;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The nearest candidates. If a candidate is left, there are none.
pub(super) struct NearestReport<'x> {
    pub models: &'x [Model],
    /// The nearest ones of the models, by their numbers.
    pub nearest: &'x [CandidateAgreement],
    /// The vectors with the results of the machine.
    pub answered: Vec<&'x Vector>,
}

impl NearestReport<'_> {
    /// Writes the nearest candidates, each with the input that excludes it, which `place` names by
    /// its number.
    pub fn write(
        &self,
        out: &mut dyn Write,
        place: impl Fn(usize) -> String,
        request: &IdentifyRequest<'_>,
    ) -> Result<(), Error> {
        let count = self.answered.len();
        writeln!(out, "\nnearest, by how many of {count} results they give:")?;
        for near in self.nearest {
            let model = &self.models[near.model];
            let alike = match near.alike {
                0 => String::new(),
                others => format!(", and {others} more with the same results"),
            };
            writeln!(out, "  {} of {count}  {model}{alike}", near.agrees)?;
            if let Some((by, computed)) = near.excluded {
                let format = model.signature().d;
                let [computed, found] =
                    [computed, self.answered[by].d].map(|register| bits(&format, register));
                let place = place(by);
                writeln!(out, "    gives {computed}, the machine {found} for {place}")?;
            }
        }
        let in_zero_signs = self.nearest.iter().find(|near| near.differs_in_zero_signs);
        if let Some(near) = in_zero_signs {
            let step = request.zero_sign_step(&self.models[near.model]);
            writeln!(out, "next: {step}")?;
        }
        let first = self.nearest.first();
        for step in first.map_or_else(Vec::new, |near| {
            request.next_steps(&self.models[near.model])
        }) {
            writeln!(out, "next: {step}")?;
        }
        Ok(())
    }

    /// The nearest candidates.
    pub fn objects(&self) -> Vec<NearObject> {
        let nearest = self.nearest.iter().map(|near| {
            let model = &self.models[near.model];
            let by = near.excluded.map(|(by, computed)| {
                let vector = self.answered[by];
                FailureObject::new(&model.signature(), &vector.inputs, [computed, vector.d])
            });
            NearObject {
                model: ModelText::of(model),
                passed: near.agrees,
                of: self.answered.len(),
                alike: near.alike,
                by,
                differs_in_zero_signs: near.differs_in_zero_signs,
            }
        });
        nearest.collect()
    }
}

/// A candidate near to a machine that is none of them.
#[derive(Serialize, JsonSchema)]
pub(super) struct NearObject {
    model: ModelText,
    /// How many results it gives.
    passed: usize,
    of: usize,
    /// How many more candidates give the same results.
    alike: usize,
    /// The input that excludes it.
    by: Option<FailureObject>,
    differs_in_zero_signs: bool,
}
