//! The text of a property, and the words that several properties have behind their names.

use super::domain::Domain;
use super::error::ClaimError;
use mmasmt_core::machines::algorithms::{Description, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::near::did_you_mean;
use mmasmt_numbers::float::{Format, Rounding};

/// A text such as `rounds=rz`, and the model that it is claimed of.
pub struct PropertyText<'x> {
    /// The whole text.
    pub text: &'x str,
    /// The name of the property.
    pub name: &'x str,
    /// The text behind `=`; empty for a property that has no value.
    pub value: &'x str,
    /// The model.
    pub model: &'x Model,
    /// The assumptions on the operands.
    pub domain: &'x Domain,
    /// All properties: the name and the meaning of each.
    pub known: &'x [[&'static str; 2]],
}

impl PropertyText<'_> {
    /// The error for a text that names no property, or gives one a value that it does not have.
    pub fn unknown(&self) -> ClaimError {
        self.without_value(None)
    }

    /// The same; `near` is a question that names a value near the one that was found.
    pub fn without_value(&self, near: Option<String>) -> ClaimError {
        let found = self.text.into();
        let word = |name: &'static str| name.split('=').next() == Some(self.name);
        if let Some([name, meaning]) = self.known.iter().find(|[name, _]| word(name)) {
            let rest = near.unwrap_or_else(|| format!(": {meaning}"));
            return ClaimError::Value { found, name, rest };
        }
        let names = || self.known.iter().map(|[name, _]| *name);
        let near = did_you_mean(self.text, names());
        let expected = match near.is_empty() {
            true => names().collect::<Vec<_>>().join(", "),
            false => format!("one of `mmasmt prove --list`{near}"),
        };
        ClaimError::Unknown { found, expected }
    }

    /// The error for a property that is not defined for the model.
    pub fn unfit(&self, reason: &'static str) -> ClaimError {
        ClaimError::Unfit {
            property: self.text.into(),
            model: self.model.to_string(),
            reason,
        }
    }

    /// The formats of the model.
    pub fn signature(&self) -> Signature {
        self.model.signature()
    }

    /// Reads a rounding mode.
    ///
    /// # Errors
    /// If the value is no rounding mode.
    pub fn rounding(&self) -> Result<Rounding, ClaimError> {
        match self.value {
            "rz" => Ok(Rounding::Rz),
            "rne" => Ok(Rounding::Rne),
            "rd" => Ok(Rounding::Rd),
            "ru" => Ok(Rounding::Ru),
            "ra" => Ok(Rounding::Ra),
            _ => Err(self.unknown()),
        }
    }

    /// Reads a specification, or a colon and the keys to change in the model.
    ///
    /// # Errors
    /// If the value names no model.
    pub fn other_model(&self) -> Result<Model, ClaimError> {
        Ok(match self.value.strip_prefix(':') {
            Some(changes) => self.model.with(changes)?,
            None => Model::parse(self.value)?,
        })
    }

    /// Reads the model whose error is compared with that of the model.
    ///
    /// # Errors
    /// If the value names no model, or one that takes other operands.
    pub fn compared_model(&self) -> Result<Model, ClaimError> {
        let other = self.other_model()?;
        let operands = |model: &Model| Signature {
            d: Format::F32,
            ..model.signature()
        };
        if operands(&other) == operands(self.model) {
            Ok(other)
        } else {
            Err(self.unfit("the two models do not take the same inputs"))
        }
    }

    /// Checks that every factor has a negative number.
    ///
    /// # Errors
    /// If the factors are in two's complement, in which the least has none.
    pub fn expect_negative_factors(&self) -> Result<(), ClaimError> {
        match self.signature().a.is_complement() {
            true => Err(self.unfit("the least of its factors has no negative number")),
            false => Ok(()),
        }
    }

    /// Checks that the model is a dot product of integers alone.
    ///
    /// # Errors
    /// If the model sums floating-point numbers too, or no products.
    pub fn expect_integer_products(&self) -> Result<(), ClaimError> {
        let Signature { b, c, d, .. } = self.signature();
        if [b, c, d].iter().any(|format| !format.is_integer()) {
            return Err(self.unfit("integers and floating-point numbers meet in it"));
        }
        let unit = self.model.algorithm().operation();
        let unit = unit.and_then(|(operation, _)| operation.description());
        match unit.is_some_and(Description::has_products_alone) {
            true => Ok(()),
            false => Err(self.unfit("its terms are no products")),
        }
    }
}
