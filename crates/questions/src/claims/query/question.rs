//! Questions: whether there are inputs that refute a claim, other than the inputs that are known.

use super::QueryError;
use super::basis::Basis;
use super::bounded::{follows_from_bound, stays_within_limits};
use crate::claims::exactness::{Finding, holds};
use crate::claims::idle::differ_idly;
use crate::claims::monotone::{MovingOperands, is_of_summands, never_falls};
use crate::claims::property::{Claim, Domain, Property, all_finite, inputs_of, registers_of};
use crate::inputs::CrossingOperand;
use crate::solver::engine::Goal;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Registers, Signature};
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Input;
use mmasmt_numbers::bits::Prop;
use std::fmt;

/// A question: which inputs refute a claim? That two models are equal is a claim as well.
///
/// The question is a [`Goal`] that is met by inputs that refute the claim, on every instance of the
/// bit-vectors.
#[derive(Clone, Debug)]
pub struct Question {
    /// The claims, all of which the same inputs are to refute. They have one domain, and their
    /// models have one signature.
    claims: Vec<Claim>,
    /// Which inputs of the domain the question is about.
    among: InputClass,
    /// Inputs that are known already and are not asked for.
    known: Vec<Inputs>,
}

/// A set of inputs, regardless of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputClass {
    All,
    /// Inputs without infinities and NaNs.
    Finite,
    /// Inputs with at least one infinity or NaN.
    Special,
}

impl Question {
    /// The question: which inputs refute `claim`?
    pub fn refuting(claim: &Claim) -> Question {
        Question {
            claims: vec![claim.clone()],
            among: InputClass::All,
            known: Vec::new(),
        }
    }

    /// The question: on which finite inputs, in `domain` if it is given, do two models give
    /// different results?
    ///
    /// # Errors
    /// If the models do not take and give the same formats.
    pub fn difference(
        left: &Model,
        right: &Model,
        domain: Option<&Domain>,
    ) -> Result<Question, QueryError> {
        Question::differences([[left, right]], domain)
    }

    /// The question: on which finite inputs, in `domain` if it is given, do the two models of each
    /// pair give different results? All models have one signature.
    ///
    /// # Errors
    /// If two models do not take and give the same formats.
    pub fn differences<'x>(
        pairs: impl IntoIterator<Item = [&'x Model; 2]>,
        domain: Option<&Domain>,
    ) -> Result<Question, QueryError> {
        let given = |model: &Model| {
            domain.map_or_else(|| Domain::everything(&model.signature()), Domain::clone)
        };
        let claims = pairs.into_iter().map(|[left, right]| {
            common_signature(left, right)?;
            Ok(Claim::equal(left, right, given(left)))
        });
        let mut claims = claims.collect::<Result<Vec<_>, QueryError>>()?;
        // The claims have one domain: where one of them is about models that read `c`, all are.
        if claims.iter().any(Claim::reads_c) {
            for claim in &mut claims {
                claim.domain = given(&claim.model);
            }
        }
        Ok(Question {
            claims,
            among: InputClass::Finite,
            known: Vec::new(),
        })
    }

    /// The same question where operands may also be infinities and NaNs, if the domain admits
    /// these.
    #[must_use]
    pub fn with_specials(self) -> Question {
        let among = InputClass::All;
        Question { among, ..self }
    }

    /// The same question for inputs with at least one infinity or NaN. If no finite inputs answer
    /// the question, these are the inputs that are left.
    #[must_use]
    pub fn with_a_special(self) -> Question {
        let among = InputClass::Special;
        Question { among, ..self }
    }

    /// The same question without the inputs `known`.
    #[must_use]
    pub fn except<'x>(mut self, known: impl IntoIterator<Item = &'x Inputs>) -> Question {
        self.known.extend(known.into_iter().cloned());
        self
    }

    /// The claims that are to be refuted.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// The claim, if the question has only one.
    pub fn claim(&self) -> Option<&Claim> {
        match &self.claims[..] {
            [claim] => Some(claim),
            _ => None,
        }
    }

    /// The formats and the number of the inputs.
    pub fn signature(&self) -> Signature {
        self.claims[0].model.signature()
    }

    /// The assumptions on the operands.
    pub fn domain(&self) -> &Domain {
        &self.claims[0].domain
    }

    /// Whether the question compares models without assumptions, on all finite inputs or on all
    /// inputs.
    pub fn is_about_all_finite(&self) -> bool {
        let compares = |claim: &Claim| claim.property.compared(&claim.model).is_some();
        let has_finite = self.among != InputClass::Special;
        let is_everything = self.domain().assumes_nothing() && self.known.is_empty();
        has_finite && is_everything && self.claims.iter().all(compares)
    }

    /// Whether these inputs of the domain are asked for, whether or not they refute a claim.
    pub fn admits(&self, inputs: &Inputs) -> bool {
        let signature = self.signature();
        let same = |known: &Inputs| !differs_from(&signature, inputs, known);
        let is_among = match self.among {
            InputClass::All => true,
            InputClass::Finite => inputs.is_finite(&signature),
            InputClass::Special => !inputs.is_finite(&signature),
        };
        is_among && !self.known.iter().any(same)
    }

    /// Whether the question is about finite inputs alone, whatever the domain says.
    pub(super) fn is_finite(&self) -> bool {
        self.among == InputClass::Finite
    }

    /// The operands with the values that the domain fixes, and the formulas of all assumptions on
    /// them.
    pub fn assumed<B: Instance>(&self, inputs: &Registers<B>) -> (Registers<B>, Vec<B::Bool>) {
        let signature = self.signature();
        let fixed = self.domain().fixed(inputs);
        let mut parts = vec![self.domain().holds(&fixed)];
        match self.among {
            InputClass::All => {}
            InputClass::Finite => parts.push(all_finite(&signature, &fixed)),
            InputClass::Special => parts.push(all_finite(&signature, &fixed).not()),
        }
        let known = self.known.iter();
        parts.extend(known.map(|known| other_than(&signature, &fixed, known)));
        (fixed, parts)
    }

    /// Whether the inputs are among those asked for and refute every claim.
    pub fn is_met<B: Instance>(&self, inputs: &Registers<B>) -> B::Bool {
        let (fixed, mut parts) = self.assumed(inputs);
        let violated = |claim: &Claim| claim.is_violated_by_fixed(&fixed);
        parts.extend(self.claims.iter().map(violated));
        B::Bool::all(parts)
    }

    /// Whether a claim compares operands in its domain with other operands in the domain, which may
    /// not exist.
    pub(super) fn compares_two(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.any(|claim| claim.property.moving().is_some())
    }

    /// The number that a claim compares with the next one, if there is a claim about such a pair.
    pub(super) fn steps(&self) -> Option<CrossingOperand> {
        let mut claims = self.claims.iter();
        let moving = claims.find_map(|claim| claim.property.moving())?;
        Some(match moving {
            MovingOperands::C => CrossingOperand::C,
            MovingOperands::Products => CrossingOperand::Factor,
        })
    }

    /// Whether a claim says that two models give the same results.
    pub(super) fn compares_models(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.any(|claim| claim.property.compared(&claim.model).is_some())
    }

    /// Whether a claim compares errors of two models.
    pub(super) fn compares_errors(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.any(|claim| claim.property.closer(&claim.model).is_some())
    }

    /// Whether the question compares two models on finite operands only, and the two models are the
    /// same algorithm on such operands.
    pub(super) fn is_about_one_algorithm(&self) -> bool {
        let is_one = |claim: &Claim| match &claim.property {
            Property::Equal(equal) => claim.model.is_same_on_finite(&equal.0),
            _ => false,
        };
        self.among == InputClass::Finite && self.claims.iter().any(is_one)
    }

    /// Whether infinities and NaNs are among the operands that are asked about, where the domain admits them.
    pub(super) fn admits_specials(&self) -> bool {
        self.among != InputClass::Finite
    }

    /// Whether the question is known to be about some inputs: finite operands in the domain.
    pub(super) fn has_inputs(&self) -> bool {
        let has_orders = |claim: &Claim| match &claim.property {
            Property::OrderIndependent(orders) => !orders.0.is_empty(),
            _ => true,
        };
        let has_finite_ones = self.among != InputClass::Special;
        let is_plain = has_finite_ones && self.known.is_empty() && !self.compares_two();
        is_plain && self.claims.iter().all(has_orders) && self.domain().has_finite_inputs()
    }

    /// A finding of the exactness analysis that proves a claim for all inputs that are asked about;
    /// `None` if there is no such finding.
    pub(super) fn nothing_is_lost(&self) -> Option<Finding> {
        let finite = match self.among {
            InputClass::All => false,
            InputClass::Finite => true,
            InputClass::Special => return None,
        };
        let mut claims = self.claims.iter();
        claims.find_map(|claim| holds(claim, finite))
    }

    /// Whether the claim is about two models that are equal on finite operands, and about such operands alone.
    fn differs_idly(&self, claim: &Claim) -> bool {
        let is_finite = match self.among {
            InputClass::All => claim.domain.is_finite(),
            InputClass::Finite => true,
            InputClass::Special => false,
        };
        let compared = claim.property.compared(&claim.model);
        is_finite && compared.is_some_and(|[left, right]| differ_idly(left, right))
    }

    /// A proof that no inputs answer the question, provided that the question is about some inputs.
    /// It needs no formula, and works for any number of products.
    pub fn known_at_once(&self) -> Option<Basis> {
        // The rules are of sums of products.
        if self.signature().is_conversion() {
            return None;
        }
        if let Some(finding) = self.nothing_is_lost() {
            return Some(Basis::Magnitudes(finding));
        }
        if self.claims.iter().any(|claim| self.differs_idly(claim)) {
            return Some(Basis::Options);
        }
        if self.claims.iter().any(rises_by_steps) {
            return Some(Basis::Steps);
        }
        let reads_values = |claim: &Claim| {
            matches!(claim.property, Property::FactorIndependent(_)) && is_of_summands(&claim.model)
        };
        if self.claims.iter().any(reads_values) {
            return Some(Basis::Summands);
        }
        // Infinite operands violate no claim about errors, and none about finite results.
        if self.among == InputClass::Special {
            return None;
        }
        if self.claims.iter().any(follows_from_bound) {
            return Some(Basis::Bound);
        }
        let mut claims = self.claims.iter();
        claims.any(stays_within_limits).then_some(Basis::Limits)
    }

    /// A proof from the exactness analysis alone that no inputs answer the question.
    pub fn known_lossless(&self) -> Option<Basis> {
        if self.signature().is_conversion() {
            return None;
        }
        let something_is_asked = self.is_about_all_finite() || self.has_inputs();
        let finding = something_is_asked.then(|| self.nothing_is_lost())??;
        Some(Basis::Magnitudes(finding))
    }

    /// The inputs that are asked for, in words such as `finite inputs where a normal`.
    pub fn inputs_text(&self) -> String {
        let mut text = String::from(match self.among {
            InputClass::All => "any inputs",
            InputClass::Finite => "finite inputs",
            InputClass::Special => "inputs with an infinity or a NaN",
        });
        if !self.domain().assumes_nothing() {
            text += &format!(" where {}", self.domain());
        }
        text
    }

    /// The question in its shortest form: two models, or the claims.
    pub fn short_text(&self) -> String {
        let compared = self
            .claim()
            .and_then(|claim| claim.property.compared(&claim.model));
        compared.map_or_else(
            || self.to_string(),
            |[left, right]| format!("{left} and {right}"),
        )
    }

    /// The question in several lines. Models appear as their algorithms, so that two questions with
    /// equal texts are the same question.
    pub fn about(&self) -> String {
        let inputs = self.inputs_text();
        let each = self.claims.iter().map(|claim| {
            if let Some([left, right]) = claim.property.compared(&claim.model) {
                return format!(
                    "these models give different results on {inputs}\n{}\n{}",
                    left.canonical(),
                    right.canonical(),
                );
            }
            let (property, model) = (claim.property_text(), claim.model.canonical());
            let answered = if claim.property.is_existential() {
                "shown"
            } else {
                "refuted"
            };
            format!("this claim is {answered} on {inputs}\n{property} of {model}")
        });
        let each: Vec<_> = each.collect();
        let signature = self.signature();
        format!("satisfiable iff {}\n{signature}", each.join("\nand "))
    }
}

/// Writes all claims that are to be refuted.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims: Vec<_> = self.claims.iter().map(Claim::to_string).collect();
        f.write_str(&claims.join(" and "))
    }
}

impl Goal for Question {
    fn inputs(&self) -> Vec<Input> {
        inputs_of(&self.signature())
    }
    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool {
        self.is_met(&registers_of(&self.signature(), inputs))
    }
}

/// A goal that is met by all inputs that a question is about, whether they refute a claim or not:
/// without such inputs the question is vacuous.
pub(super) struct DomainGoal<'x>(pub &'x Question);

impl Goal for DomainGoal<'_> {
    fn inputs(&self) -> Vec<Input> {
        self.0.inputs()
    }
    fn formula<B: Instance>(&self, inputs: &[B]) -> B::Bool {
        let inputs = registers_of(&self.0.signature(), inputs);
        let (fixed, mut parts) = self.0.assumed(&inputs);
        let compares = |claim: &Claim| claim.compares_fixed(&fixed);
        parts.extend(self.0.claims.iter().map(compares));
        B::Bool::all(parts)
    }
}

/// True if the claim says that results rise with operands, and each step of the model does.
fn rises_by_steps(claim: &Claim) -> bool {
    let moving = claim.property.moving();
    moving.is_some_and(|moving| never_falls(&claim.model, moving))
}

/// The signature that the two models have in common.
///
/// # Errors
/// If the models have different signatures.
pub fn common_signature(left: &Model, right: &Model) -> Result<Signature, QueryError> {
    let signature = left.signature();
    if signature == right.signature() {
        return Ok(signature);
    }
    Err(QueryError::Signatures {
        left: left.to_string(),
        left_shape: signature.to_string(),
        right: right.to_string(),
        right_shape: right.signature().to_string(),
        hint: length_hint([left, right]),
    })
}

/// A hint how to give the models the same number of products; empty if the models differ in more
/// than this number.
fn length_hint(models: [&Model; 2]) -> String {
    let mut both = models.map(|model| (model.signature(), model));
    both.sort_by_key(|(signature, _)| signature.products);
    let [(short, shorter), (long, _)] = both;
    let products = long.products;
    let same = Signature { products, ..short };
    if same != long {
        return String::new();
    }
    match products.checked_rem(short.products) {
        Some(0) => format!(
            "; with the key `repeat={}` `{shorter}` has {products} products, one sum after the other; `K={products}` sums them at once",
            products / short.products
        ),
        _ => format!(
            "; `{shorter}` has {products} products with `K={products}`, where that is a key"
        ),
    }
}

/// Whether `inputs` differ from `known`; bits that a format does not read do not count.
fn differs_from(signature: &Signature, inputs: &Inputs, known: &Inputs) -> bool {
    let mut pairs = inputs.each(signature).zip(known.each(signature));
    pairs.any(|((format, x), (_, y))| format.read_bits(*x) != format.read_bits(*y))
}

/// The formula that says that `registers` differ from `known`; bits that a format does not read do
/// not count.
fn other_than<B: Instance>(
    signature: &Signature,
    registers: &Registers<B>,
    known: &Inputs,
) -> B::Bool {
    let pairs = registers.each(signature).zip(known.each(signature));
    let same = pairs.map(|((format, register), (_, bits))| {
        let kept = register.extract(register.width() - 1, format.unread_bits());
        kept.equals(&B::lit(kept.width(), format.read_bits(*bits)))
    });
    B::Bool::all(same.collect::<Vec<_>>()).not()
}
