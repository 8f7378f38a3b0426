//! Claims (a property of a model on a domain), and the lemmas that prove them.

use super::counterpart::Counterpart;
use super::domain::Domain;
use super::error::ClaimError;
use super::kinds::{EqualResults, Property};
use super::lemma::Lemma;
use super::trial::Trial;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::{Big, Prop, Shape, W64, W128, widest};
use std::fmt;
use std::sync::OnceLock;

/// A property of a model on a domain.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The property.
    pub property: Property,
    /// The model.
    pub model: Model,
    /// The assumptions on the operands of the model.
    pub domain: Domain,
    text: String,
    /// The width of the widest bit-vector, computed when first needed, as this takes an evaluation.
    widest: OnceLock<u32>,
}

impl Claim {
    /// The claim that `model` has the property that `text` names, for operands in `domain`.
    ///
    /// # Errors
    /// If `text` names no property, the property is not defined for the model, or `domain` does not
    /// follow the grammar.
    pub fn new(text: &str, model: &Model, domain: &str) -> Result<Claim, ClaimError> {
        let domain = Domain::parse(domain, &model.signature())?;
        let property = Property::read(text, model, &domain)?;
        Ok(Claim::of(property, text.into(), model, domain))
    }

    /// The claim that two models of one signature give the same results for operands in `domain`.
    pub fn equal(left: &Model, right: &Model, domain: Domain) -> Claim {
        let property = Property::Equal(EqualResults(Box::new(right.clone())));
        Claim::of(property, format!("equal={right}"), left, domain)
    }

    fn of(property: Property, text: String, model: &Model, domain: Domain) -> Claim {
        let mut claim = Claim {
            property,
            model: model.clone(),
            domain,
            text,
            widest: OnceLock::new(),
        };
        if !claim.reads_c() {
            claim.domain = claim.domain.without_c();
        }
        claim
    }

    /// True if one of the claim's models reads the operand `c`.
    pub fn reads_c(&self) -> bool {
        self.model.reads_c() || self.property.other().is_some_and(Model::reads_c)
    }

    /// Unsatisfiable iff the claim holds. The formula says that the operands, after
    /// [`fixed`](Domain::fixed), are in the domain and violate the property.
    pub fn is_violated<B: Instance>(&self, inputs: &Registers<B>) -> B::Bool {
        let fixed = self.domain.fixed(inputs);
        self.domain
            .holds(&fixed)
            .and(&self.is_violated_by_fixed(&fixed))
    }

    /// True if operands that are in the domain and went through [`fixed`](Domain::fixed) violate
    /// the property.
    pub fn is_violated_by_fixed<B: Instance>(&self, fixed: &Registers<B>) -> B::Bool {
        self.property.is_violated(&self.trial(fixed))
    }

    /// True if the property compares the result for operands that went through
    /// [`fixed`](Domain::fixed) with another result.
    pub fn compares_fixed<B: Instance>(&self, fixed: &Registers<B>) -> B::Bool {
        self.property.compares(&self.trial(fixed))
    }

    /// Lemmas for a proof of the property for operands in the domain; most properties have none.
    pub fn lemmas<B: Instance>(&self, inputs: &Registers<B>) -> Vec<Lemma<B>> {
        let fixed = self.domain.fixed(inputs);
        self.property.lemmas(&self.trial(&fixed))
    }

    /// The results that the property compares with the model's result for `inputs`. Empty if the
    /// property is about a single result, or if `inputs` do not [fit](Inputs::fit) the signature of
    /// the model.
    pub fn counterparts(&self, inputs: &Inputs) -> Vec<Counterpart> {
        match inputs.fit(&self.model.signature()) {
            true => self.property.counterparts(&self.trial(&self.words(inputs))),
            false => Vec::new(),
        }
    }

    fn trial<'x, B: Instance>(&'x self, inputs: &'x Registers<B>) -> Trial<'x, B> {
        Trial {
            model: &self.model,
            domain: &self.domain,
            inputs,
        }
    }

    /// True if `inputs` are in the domain and violate the property. This is evaluated on the
    /// narrowest machine words that are wide enough, or on big integers. False if the inputs do not
    /// [fit](Inputs::fit) the signature of the model.
    pub fn is_refuted_by(&self, inputs: &Inputs) -> bool {
        match self.widest() {
            _ if !inputs.fit(&self.model.signature()) => false,
            0..=64 => self.is_violated(&self.words::<W64>(inputs)),
            65..=128 => self.is_violated(&self.words::<W128>(inputs)),
            _ => self.is_refuted_on_big(inputs),
        }
    }

    /// True if `inputs` are in the domain and violate the property, evaluated on big integers.
    pub fn is_refuted_on_big(&self, inputs: &Inputs) -> bool {
        inputs.fit(&self.model.signature()) && self.is_violated(&self.words::<Big>(inputs))
    }

    /// The inputs with the values that the domain fixes.
    #[must_use]
    pub fn fixed(&self, inputs: &Inputs) -> Inputs {
        self.domain.fixed_bits(inputs)
    }

    /// The text that named the property.
    pub fn property_text(&self) -> &str {
        &self.text
    }

    /// The width of the widest bit-vector in an evaluation of the claim.
    pub fn widest(&self) -> u32 {
        *self.widest.get_or_init(|| {
            let signature = self.model.signature();
            let shapes = Inputs::zero(&signature).lifted::<Shape>(&signature);
            widest(|| {
                self.is_violated(&shapes);
            })
        })
    }

    fn words<B: Instance>(&self, inputs: &Inputs) -> Registers<B> {
        inputs.lifted(&self.model.signature())
    }
}

/// Writes `PROPERTY of MODEL`, followed by `where DOMAIN` if anything is assumed.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.text, self.model)?;
        if self.domain.assumes_nothing() {
            return Ok(());
        }
        write!(f, " where {}", self.domain)
    }
}
