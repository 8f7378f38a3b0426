//! Rules of a table: conditions on a case, and a plan, or something more that is known, where they
//! hold.

use super::case::{OPERATORS, PlanCase, PlanValue};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A rule. Its keys other than these are conditions.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Rule {
    /// The text of a model. `{NAME}` stands for what the case knows by that name.
    pub(super) plan: String,
    /// What the plan rests on: `recorded`, `reported`, `inferred` or `assumed`.
    #[serde(default = "assumed")]
    pub(super) status: String,
    /// The source of the rule.
    pub(super) source: Option<String>,
    /// What a user of the plan has to know.
    pub(super) note: Option<String>,
    #[serde(flatten)]
    pub(super) conditions: Conditions,
}

/// Something more that is known of a case where the conditions hold.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RuleDefinition {
    /// Its name.
    pub(super) name: String,
    /// It, as a text in which `{NAME}` stands for what the case knows by that name.
    pub(super) value: String,
    #[serde(flatten)]
    pub(super) conditions: Conditions,
}

/// What a case has to be, by name.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Conditions(BTreeMap<String, Condition>);

fn assumed() -> String {
    "assumed".into()
}

/// What a case has to be.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Condition {
    Truth(bool),
    Number(i64),
    Word(String),
    /// A number between these two, both included.
    Between([i64; 2]),
    /// One of these numbers.
    Numbers(Vec<i64>),
    /// One of these words.
    Words(Vec<String>),
}

impl Condition {
    fn holds(&self, value: &PlanValue) -> bool {
        match (self, value) {
            (Condition::Truth(truth), PlanValue::Word(word)) => *word == truth.to_string(),
            (Condition::Number(number), PlanValue::Number(found)) => number == found,
            (Condition::Word(word), PlanValue::Word(found)) => word == found,
            (Condition::Between([least, most]), PlanValue::Number(found)) => {
                (least..=most).contains(&found)
            }
            (Condition::Numbers(numbers), PlanValue::Number(found)) => numbers.contains(found),
            (Condition::Words(words), PlanValue::Word(found)) => words.contains(found),
            _ => false,
        }
    }
}

impl Conditions {
    /// Whether all of them hold. A condition on what is not known does not.
    pub(super) fn hold(&self, case: &PlanCase) -> bool {
        let mut all = self.0.iter();
        all.all(|(name, condition)| case.get(name).is_some_and(|value| condition.holds(&value)))
    }
}

impl Conditions {
    /// The names of which the conditions speak; those of a calculation one by one.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let words = self.0.keys().flat_map(|name| name.split(' '));
        words.filter(|word| !OPERATORS.contains(word) && word.parse::<i64>().is_err())
    }
}

/// The names for whose values `{NAME}` stands in a text.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split('{').skip(1);
    after.filter_map(|after| after.split_once('}').map(|(name, _)| name))
}

/// A text in which `{NAME}` stands for what the case knows by that name.
///
/// # Errors
/// The name that the case does not know.
pub(super) fn filled(text: &str, case: &PlanCase) -> Result<String, String> {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or_else(|| after.to_owned())?;
        let value = case.get(name).ok_or_else(|| name.to_owned())?;
        found.push_str(before);
        found.push_str(&value.to_string());
        rest = behind;
    }
    found.push_str(rest);
    Ok(found)
}
