//! Recipes: compositions that a text describes, in the language of units. A text says which products the unit sums, from
//! which sum on, and what the processor beside it does with the sums.

mod elaborate;
mod program;

use crate::machines::algorithms::Signature;
use crate::machines::algorithms::descriptions::{Setting, Tree};
use crate::machines::sums::Sums;
use mmasmt_numbers::float::Format;
use program::RecipeProgram;
use std::sync::Arc;

/// The most numbers of instructions that are tried where no number of products is given.
const MOST_TRIED: u32 = 64;

/// A text with the values of its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// Number of products.
    pub products: u32,
    tree: Arc<Tree>,
    settings: Vec<Setting>,
    /// The steps over a unit, once that is known.
    program: Option<Arc<RecipeProgram>>,
}

impl Recipe {
    /// The composition that a text describes, whose parameters have these values.
    pub fn new(tree: Arc<Tree>, settings: Vec<Setting>, products: u32) -> Recipe {
        Recipe {
            products,
            tree,
            settings,
            program: None,
        }
    }

    /// The syntax tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The values of the parameters, in their order.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The same recipe with its steps over a unit of this signature. Without a number of products it gets the least one, of
    /// whole instructions, that the text takes.
    ///
    /// # Errors
    /// If the unit lacks what the text needs, or the text is wrong; the error has the place.
    pub(super) fn over(self, unit: &Signature) -> Result<Recipe, String> {
        let tried = match self.products {
            0 => (1..=MOST_TRIED)
                .map(|count| unit.products.saturating_mul(count))
                .collect(),
            given => vec![given],
        };
        let mut first_error = None;
        for products in tried {
            match elaborate::program(&self.tree, &self.settings, products, unit) {
                Ok(program) => {
                    return Ok(Recipe {
                        products,
                        program: Some(Arc::new(program)),
                        ..self
                    });
                }
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        Err(first_error.map_or_else(String::new, |error| {
            format!("{} (line {} of the text)", error.expected, error.at.line)
        }))
    }

    pub(super) fn signature(&self, unit: &Signature) -> Result<Signature, String> {
        if unit.scales.is_some() {
            return Err(format!("a unit without scales, found {unit}"));
        }
        let program = self.program.as_ref();
        Ok(program.map_or(*unit, |program| program.signature(unit, self.products)))
    }

    /// The sum that the composition makes of its products.
    ///
    /// # Errors
    /// If a sum stops.
    pub fn sum<S: Sums>(&self, unit: &Signature, on: &mut S) -> Result<S::Sum, S::Stop> {
        match &self.program {
            Some(program) => program.sum(on),
            None => on.constant(unit.d, 0),
        }
    }

    /// The most products of one run; `None` where a run continues from another one.
    pub(super) fn most_of_a_run(&self) -> Option<u32> {
        self.program.as_ref()?.most_of_a_run()
    }

    /// The instructions of one evaluation, of `step` products each.
    pub(super) fn runs(&self, step: u32) -> u64 {
        let program = self.program.as_ref();
        program.map_or(1, |program| program.runs(step))
    }

    /// The most sums that an evaluation holds at a time.
    pub(super) fn sums(&self) -> usize {
        self.program.as_ref().map_or(1, |program| program.held())
    }

    pub(super) fn reads_c(&self, unit_does: bool) -> bool {
        let program = self.program.as_ref();
        program.is_some_and(|program| program.reads_c(unit_does))
    }

    /// The formats of all sums beside the unit.
    pub fn formats(&self) -> Vec<Format> {
        self.program
            .as_ref()
            .map_or_else(Vec::new, |program| program.formats())
    }
}
