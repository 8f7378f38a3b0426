//! A stochastic rounding with all of its random bits at once.
//!
//! A rounding gives the number below or the one above (of the magnitude): the number below without random bits, the
//! one above from some random number on. Whatever is computed afterwards, a model that rounds stochastically once has
//! two results at most: those of the least and of the greatest random number.

use super::{Model, ModelError};
use crate::machines::algorithms::descriptions::{Action, DescriptionError, Tree};
use crate::machines::algorithms::{Description, Inputs, Operation};
use mmasmt_numbers::float::{Rounding, Stochastic};
use std::sync::Arc;
use thiserror::Error;

/// Why not all random bits of a model can be gone through.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnyBitsError {
    /// The model has not one stochastic rounding.
    #[error(
        "expected a model that rounds stochastically once for a result (`round=srN+R`, or `by sr bits N random R` in a description), found {found}"
    )]
    NotOnce {
        /// How often it does.
        found: String,
    },
    /// The model with other random bits is none.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The description with other random bits is none.
    #[error(transparent)]
    Description(#[from] DescriptionError),
}

/// A model that rounds stochastically once, with the ends of its random numbers.
#[derive(Clone, Debug)]
pub struct AnyBits {
    model: Model,
    bits: u32,
    ends: [Model; 2],
}

/// The results over all random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PossibleResults {
    /// The result of the random number 0.
    pub below: u64,
    /// The result of the greatest random number; the same one if the rounded number is exact, or so near that no random
    /// number counts.
    pub above: u64,
    /// For how many random numbers the result is `above`; 0 if both are the same.
    pub count: u64,
}

impl Model {
    /// This model with all random bits of its stochastic rounding.
    ///
    /// # Errors
    /// If it does not round stochastically once for each result.
    pub fn any_bits(&self) -> Result<AnyBits, AnyBitsError> {
        let all = roundings(self)?;
        let [Stochastic { bits, .. }] = all[..] else {
            let found = match all.len() {
                0 => "none".into(),
                count => format!("{count} such roundings"),
            };
            return Err(AnyBitsError::NotOnce { found });
        };
        let greatest = (1 << bits) - 1;
        Ok(AnyBits {
            model: self.clone(),
            bits,
            ends: [
                with_random(self, bits, 0)?,
                with_random(self, bits, greatest)?,
            ],
        })
    }
}

/// The stochastic roundings of a result.
fn roundings(model: &Model) -> Result<Vec<Stochastic>, AnyBitsError> {
    let Some((operation, links)) = model.algorithm().operation() else {
        let found = "operations around a unit".into();
        return Err(AnyBitsError::NotOnce { found });
    };
    let rounds: Vec<Rounding> = match operation {
        Operation::Description(unit) => {
            let nodes = unit.program().nodes.iter();
            let by = nodes.filter_map(|node| match &node.action {
                Action::Round(round) => Some(round.by),
                _ => None,
            });
            by.collect()
        }
        _ => Vec::new(),
    };
    let stochastic = rounds.iter().filter_map(|rounding| match rounding {
        Rounding::Sr(stochastic) => Some(*stochastic),
        _ => None,
    });
    let of_one: Vec<_> = stochastic.collect();
    // More than two are refused as well as two are.
    Ok(of_one.repeat(links.min(2) as usize))
}

/// The model with another random number in its stochastic roundings.
fn with_random(model: &Model, bits: u32, random: u64) -> Result<Model, AnyBitsError> {
    match model.algorithm().text() {
        Some(unit) => {
            let tree = Tree::clone(unit.tree()).with_random(random);
            let unit = Description::new(Arc::new(tree), unit.settings().to_vec())?;
            Ok(Model::of_description(unit))
        }
        None => {
            let rounding = Rounding::Sr(Stochastic { bits, random });
            Ok(model.with(&format!("round={rounding}"))?)
        }
    }
}

impl AnyBits {
    /// How many random bits there are.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The models with the least and with the greatest random number.
    pub fn ends(&self) -> &[Model; 2] {
        &self.ends
    }

    /// The results for `inputs` over all random numbers.
    ///
    /// # Errors
    /// If the model with some random number is none.
    pub fn results(&self, inputs: &Inputs) -> Result<PossibleResults, AnyBitsError> {
        let [below, above] = self
            .ends
            .each_ref()
            .map(|model| model.simulator().run(inputs));
        if below == above {
            let count = 0;
            return Ok(PossibleResults {
                below,
                above,
                count,
            });
        }
        // The least random number that gives the number above.
        let (mut too_small, mut enough) = (0, (1 << self.bits) - 1);
        while enough - too_small > 1 {
            let middle = u64::midpoint(too_small, enough);
            let model = with_random(&self.model, self.bits, middle)?;
            match model.simulator().run(inputs) == above {
                true => enough = middle,
                false => too_small = middle,
            }
        }
        let count = (1 << self.bits) - enough;
        Ok(PossibleResults {
            below,
            above,
            count,
        })
    }
}
