//! The parts of a property, which the file of each property has.

use super::closer::TrueSum;
use super::counterpart::Counterpart;
use super::error::ClaimError;
use super::lemma::Lemma;
use super::text::PropertyText;
use super::trial::Trial;
use crate::claims::monotone::MovingOperands;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};

/// The documentation of a property.
#[derive(Clone, Copy, Debug)]
pub struct PropertyDoc {
    /// The name of the property, with parameters in capitals.
    pub name: &'static str,
    /// The meaning of a proof of the property, in a sentence.
    pub meaning: &'static str,
    /// True if the property can be claimed of dot products of integers.
    pub is_of_integers: bool,
    /// True if it compares results with exact sums of `c` and all products.
    pub is_of_sums: bool,
}

impl PropertyDoc {
    pub(super) const fn new(name: &'static str, meaning: &'static str) -> Self {
        PropertyDoc {
            name,
            meaning,
            is_of_integers: false,
            is_of_sums: false,
        }
    }

    /// The same for a property that can be claimed of integers too.
    pub(super) const fn of_integers(self) -> Self {
        PropertyDoc {
            is_of_integers: true,
            ..self
        }
    }

    /// The same for a property that compares results with exact sums.
    pub(super) const fn of_sums(self) -> Self {
        PropertyDoc {
            is_of_sums: true,
            ..self
        }
    }

    /// The name without its parameter.
    pub fn word(&self) -> &'static str {
        self.name.split('=').next().unwrap_or(self.name)
    }

    /// True if a value stands behind the name.
    pub fn has_value(&self) -> bool {
        self.name.contains('=')
    }
}

/// A property of models. Most of what is asked here has an answer that most properties share.
pub trait Meaning {
    /// Reads the property from its text.
    ///
    /// # Errors
    /// If the value is wrong, or the property is not defined for the model.
    fn read(text: &PropertyText) -> Result<Self, ClaimError>
    where
        Self: Sized;

    /// Unsatisfiable together with the domain iff the model has the property for operands in the
    /// domain.
    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool
    where
        Self: Sized;

    /// Unsatisfiable together with the domain iff the property is vacuous: the domain contains no
    /// two inputs to compare.
    fn compares<B: Instance>(&self, _by: &Trial<B>) -> B::Bool
    where
        Self: Sized,
    {
        B::Bool::constant(true)
    }

    /// Lemmas for a proof of the property.
    fn lemmas<B: Instance>(&self, _by: &Trial<B>) -> Vec<Lemma<B>>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// The results that the property compares with the model's result. Empty if the property is
    /// about a single result.
    fn counterparts(&self, _by: &Trial<Big>) -> Vec<Counterpart> {
        Vec::new()
    }

    /// True if the property says that operands of some kind exist, and does not say something about
    /// all operands. If such operands are found, they prove the property; a proof that there are
    /// none refutes it.
    fn is_existential(&self) -> bool {
        false
    }

    /// The two models whose errors are compared, and the sum that errors are measured from. A
    /// search looks for inputs for which the result of the first model is closer to that sum.
    /// `None` if the property does not compare errors.
    fn closer<'x>(&'x self, _model: &'x Model) -> Option<([&'x Model; 2], TrueSum)> {
        None
    }

    /// The two models that must give the same results; `None` unless the property says only that.
    fn compared<'x>(&'x self, _model: &'x Model) -> Option<[&'x Model; 2]> {
        None
    }

    /// The other model that the property names, which takes the same operands.
    fn other(&self) -> Option<&Model> {
        None
    }

    /// The operands that results rise with, if the property says so. Such a property compares
    /// operands in its domain with others in the domain, which may not exist.
    fn moving(&self) -> Option<MovingOperands> {
        None
    }

    /// How often a model is evaluated to judge one input.
    fn evaluations(&self, _model: &Model) -> u32 {
        2
    }

    /// The reason why a claim of the model that is about no inputs compares nothing. `None` if its
    /// domain alone is to blame.
    fn nothing_compared(&self, _model: &Model) -> Option<&'static str> {
        None
    }
}
