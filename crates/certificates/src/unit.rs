//! A certificate, and its units: steps are read and checked one after another.

use crate::domain::Domain;
use crate::json::{CheckResult, LIMIT, Object, integer, need};
use crate::numbers::{FAR, Numbers};
use crate::reading::read;
use crate::steps::Step;
use crate::{bounds, rises, values};
use num_bigint::BigUint;
use serde_json::Value;

/// A certificate of which only the form is checked.
pub(crate) struct Document {
    pub(crate) claim: String,
    pub(crate) proves: Value,
    pub(crate) domain: Domain,
    /// The bits of the operands that rise.
    pub(crate) moving: BigUint,
    pub(crate) units: Vec<Text>,
}

/// A unit that is not checked yet.
pub(crate) struct Text {
    pub(crate) result: Value,
    pub(crate) steps: Vec<Value>,
}

/// The steps of a unit that were checked.
pub(crate) struct Unit<'d> {
    pub(crate) steps: Vec<Step>,
    /// The number of the step that is the result, if it is one.
    pub(crate) result: Option<usize>,
    /// The steps as they stand in the text.
    pub(crate) texts: &'d [Value],
}

impl Unit<'_> {
    pub(crate) fn result(&self, domain: &Domain) -> CheckResult<&Step> {
        let result = self.result.and_then(|result| self.steps.get(result));
        let result = result.ok_or("the result is no step")?;
        need(result.form.as_ref() == Some(&domain.result), || {
            "the result has not the format of d".into()
        })?;
        Ok(result)
    }

    /// The steps that a step takes.
    pub(crate) fn taken(&self, step: &Step) -> Vec<&Step> {
        taken(&self.steps, step)
    }
}

fn taken<'s>(steps: &'s [Step], step: &Step) -> Vec<&'s Step> {
    step.takes
        .iter()
        .filter_map(|slot| steps.get(*slot))
        .collect()
}

impl Document {
    pub(crate) fn read(text: &str) -> CheckResult<Document> {
        let document = serde_json::from_str(text);
        let document: Value = document.map_err(|error| error.to_string().to_lowercase())?;
        let known = "certificate claim proves formats operands given units";
        let known: Vec<&str> = known.split(' ').collect();
        let object = Object::of(&document, &known, "a certificate")?;
        need(object.get("certificate")?.as_i64() == Some(1), || {
            "expected certificate 1".into()
        })?;
        let claim = object.get("claim")?.as_str();
        let claim = claim.filter(|claim| !claim.chars().any(char::is_control));
        let claim = claim.ok_or("expected a claim of one line")?.to_owned();
        let domain = Domain::read(
            object.get("formats")?,
            object.get("operands")?,
            object.get("given")?,
        )?;
        let proves = object.get("proves")?.clone();
        let of_c = BigUint::from(1u8) << domain.products;
        let moving = match proves.get("monotone_in").map(Value::as_str) {
            None => BigUint::default(),
            Some(Some("c")) => of_c,
            Some(Some("products")) => of_c - 1u8,
            Some(_) => return Err("expected c or products for monotone_in".into()),
        };
        let units = object.list("units")?.iter().map(Text::read);
        let units = units.collect::<CheckResult<Vec<Text>>>()?;
        need((1..=2).contains(&units.len()), || {
            "expected one unit, or two".into()
        })?;
        Ok(Document {
            claim,
            proves,
            domain,
            moving,
            units,
        })
    }
}

impl Text {
    fn read(thing: &Value) -> CheckResult<Text> {
        let unit = Object::of(thing, &["name", "result", "steps"], "a unit")?;
        unit.get("name")?;
        Ok(Text {
            result: unit.get("result")?.clone(),
            steps: unit.list("steps")?.to_vec(),
        })
    }

    /// The unit with all steps checked, or the number of the step that fails, and why.
    pub(crate) fn checked(&self, document: &Document) -> Result<Unit<'_>, (usize, String)> {
        let mut steps = Vec::new();
        for (number, text) in self.steps.iter().enumerate() {
            let step = step(document, &steps, text).map_err(|reason| (number, reason))?;
            steps.push(step);
        }
        let result = self.result.as_u64().map(|result| result as usize);
        let result = result.filter(|result| *result < steps.len());
        Ok(Unit {
            steps,
            result,
            texts: &self.steps,
        })
    }
}

/// A step of which each fact follows.
fn step(document: &Document, steps: &[Step], text: &Value) -> CheckResult<Step> {
    let domain = &document.domain;
    let mut step = read(text, domain, steps)?;
    let takes = taken(steps, &step);
    values::derive(domain, &mut step, &takes)?;
    let facts = text.get("facts").unwrap_or(&Value::Null);
    let facts = Object::open(facts, "facts")?;
    facts_of_values(domain, &mut step, facts)?;
    if let Some(fact) = facts.maybe("rises") {
        step.rises = Some(rises::checked(&step, &takes, &document.moving, fact)?);
    }
    if let Some(fact) = facts.maybe("bound") {
        step.bound = Some(bounds::checked(domain, &step, &takes, fact)?);
    }
    Ok(step)
}

/// The facts of values follow from what the rule of the step found, which they replace.
fn facts_of_values(domain: &Domain, step: &mut Step, facts: Object<'_>) -> CheckResult<()> {
    let found = step.value.take();
    if let Some(fact) = facts.maybe("value") {
        let claimed = Numbers::read(fact, "value")?;
        let found = found.ok_or("nothing is known of the value")?;
        found.need_within(&claimed)?;
        step.value = Some(claimed);
    }
    let found = std::mem::replace(&mut step.exponent, FAR);
    if let Some(fact) = facts.maybe("exponent") {
        step.exponent = match fact.as_str() {
            Some("none") => -FAR,
            _ => integer(fact, "exponent", -LIMIT)?,
        };
        need(step.form.is_none() && found <= step.exponent, || {
            format!("expected an exponent of at least {found}, found {fact}")
        })?;
    }
    let found = step.sum.take();
    if let Some(fact) = facts.maybe("sum") {
        let claimed = domain.sum(fact, "sum")?;
        let is_same = found.is_some_and(|found| domain.is_same_sum(&found, &claimed));
        need(is_same, || format!("`sum` does not follow: found {fact}"))?;
        step.sum = Some(claimed);
    }
    let found = step.rounds.take();
    if let Some(fact) = facts.maybe("rounds") {
        let fact = Object::open(fact, "rounds")?;
        let claimed = domain.sum(fact.get("terms")?, "rounds")?;
        let is_same = found.is_some_and(|found| domain.is_same_sum(&found, &claimed));
        need(is_same, || "`rounds` does not follow".into())?;
        step.rounds = Some(claimed);
        step.may_overflow = fact.flag_or("may_overflow", false)?;
        need(step.may_overflow || step.value.is_some(), || {
            "the rounded sum is not known to be finite".into()
        })?;
    }
    Ok(())
}
