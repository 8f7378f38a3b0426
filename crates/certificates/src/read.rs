//! The text of a certificate, of which nothing is checked yet but the form.

use crate::domain::Domain;
use crate::json::{Object, list, word};
use crate::rises::Moving;
use crate::{Fails, need};
use serde_json::Value;

/// A certificate.
pub(crate) struct Document {
    pub(crate) claim: String,
    pub(crate) proves: Value,
    pub(crate) domain: Domain,
    pub(crate) units: Vec<Todo>,
    /// The operand that rises, if the certificate proves something of that.
    pub(crate) moving: Option<Moving>,
}

/// A unit that is not checked yet.
pub(crate) struct Todo {
    pub(crate) result: Value,
    pub(crate) steps: Vec<Value>,
}

pub(crate) fn certificate(text: &str) -> Fails<Document> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| error.to_string().to_lowercase())?;
    let known = [
        "certificate",
        "claim",
        "proves",
        "formats",
        "operands",
        "given",
        "units",
    ];
    let object = Object::of(&document, &known, "a certificate")?;
    need(object.get("certificate")?.as_i64() == Some(1), || {
        "expected certificate 1".into()
    })?;
    let claim = object
        .get("claim")?
        .as_str()
        .filter(|claim| !claim.chars().any(char::is_control));
    let claim = claim.ok_or("expected a claim of one line")?.to_owned();
    let proves = object.get("proves")?.clone();
    let moving = match proves.get("monotone_in") {
        None => None,
        Some(value) => Some(word(
            value,
            &[("c", Moving::C), ("products", Moving::Products)],
            "monotone_in",
        )?),
    };
    let domain = Domain::read(
        object.get("formats")?,
        object.get("operands")?,
        object.get("given")?,
    )?;
    let units = object.list("units")?;
    need((1..=2).contains(&units.len()), || {
        "expected one unit, or two".into()
    })?;
    let units = units.iter().map(|unit| {
        let unit = Object::of(unit, &["name", "result", "steps"], "a unit")?;
        unit.get("name")?;
        let steps = list(unit.get("steps")?, "steps")?.to_vec();
        Ok(Todo {
            result: unit.get("result")?.clone(),
            steps,
        })
    });
    let units = units.collect::<Fails<Vec<Todo>>>()?;
    Ok(Document {
        claim,
        proves,
        domain,
        units,
        moving,
    })
}
