//! Families: ranges of parameters over a base model, and the candidates that they make.
//!
//! ```text
//! FAMILY = PART {";" PART}
//! PART   = NAME                                  nvidia, amd, full
//!        | [MODEL ":"] KEY "=" VALUES {"," KEY "=" VALUES}
//! VALUES = VALUE {"|" VALUE} | FROM ".." TO | "*"   TO is included; * is every documented value
//! ```

use super::family_error::{FamilyError, MOST};
use super::named::{NAMED, expand};
use super::values::with_shape;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, ModelError, split_name};
use rustc_hash::FxHashSet;

/// The candidates of the family `text`, which changes parameters of `base` or of the models that it
/// names. Each candidate is listed once, in the order of the text; the last key changes fastest. If
/// K varies and chain is not given, chain is set so that the number of products stays the same. If
/// the family has a name, models that do not exist for the formats of `base` are left out, and
/// models of the algorithm of `base` keep the keys that `base` sets and the family does not vary.
///
/// # Errors
/// If the text does not follow the grammar, a model does not exist, or two models, including
/// `base`, have different signatures.
pub fn family(text: &str, base: Option<&Model>) -> Result<Vec<Model>, FamilyError> {
    let mut members: Vec<Model> = Vec::new();
    for part in text.split(';') {
        let part = part.trim();
        let found = match base {
            Some(like) => match expand(part, &like.signature()) {
                Some(texts) => named(&texts, like)?,
                None => part_members(part, base)?,
            },
            None if NAMED.iter().any(|(name, _)| *name == part) => {
                return Err(FamilyError::NoBase(part.into()));
            }
            None => part_members(part, None)?,
        };
        members.extend(found);
    }
    let mut known = FxHashSet::default();
    members.retain(|model| known.insert(model.canonical()));
    let reference: Vec<Model> = base.into_iter().chain(&members).cloned().collect();
    same_signature(&reference)?;
    Ok(members)
}

/// Checks that all models have the same signature.
///
/// # Errors
/// If two of the models differ in their inputs or in the format of the result.
pub fn same_signature(models: &[Model]) -> Result<(), FamilyError> {
    let Some(first) = models.first() else {
        return Ok(());
    };
    let other = models
        .iter()
        .find(|model| model.signature() != first.signature());
    other.map_or(Ok(()), |other| {
        Err(FamilyError::Signatures {
            first: first.to_string(),
            first_shape: first.signature().to_string(),
            other: other.to_string(),
            other_shape: other.signature().to_string(),
        })
    })
}

/// The models that the parts `texts` of a named family make, if they exist and have the signature
/// of `like`. Models of the algorithm of `like` also have the keys that are [`kept`] of it.
fn named(texts: &[String], like: &Model) -> Result<Vec<Model>, FamilyError> {
    let signature = like.signature();
    let mut parts = Vec::new();
    for text in texts {
        let (name, list) = split_name(text);
        let base = parse(text, name)?;
        let keys = keys(text, list.trim_start_matches(':'), &base, &signature)?;
        parts.push((text, base, keys));
    }
    let of_like = |base: &Model| base.algorithm().parameters().0 == like.algorithm().parameters().0;
    let varied: Vec<&KeyValues> = parts
        .iter()
        .filter(|(_, base, _)| of_like(base))
        .flat_map(|(_, _, keys)| keys)
        .collect();
    let mut all = Vec::new();
    for (text, base, keys) in &parts {
        let mut keys = keys.clone();
        if of_like(base) {
            keys.extend(kept(base, like, &varied));
        }
        let made = product(text, &keys)?;
        let members = made
            .iter()
            .filter_map(|changes| with_shape(base, changes, signature.products).ok());
        all.extend(members.filter(|model| model.signature() == signature));
    }
    Ok(all)
}

/// The keys of `like` that have other values than in `base` and are not among `varied`. The number
/// of products of one operation and the length of a chain are never kept, as every part of a
/// family gives them.
fn kept(base: &Model, like: &Model, varied: &[&KeyValues]) -> Vec<KeyValues> {
    let (_, plain) = base.algorithm().parameters();
    let (_, own) = like.algorithm().parameters();
    let is_varied = |key: &str| varied.iter().any(|(known, _)| known == key);
    own.into_iter()
        .filter(|(key, value)| {
            !["K", "chain", "in"].contains(key)
                && !is_varied(key)
                && !plain.contains(&(*key, value.clone()))
        })
        .map(|(key, value)| (key.to_owned(), vec![value]))
        .collect()
}

fn part_members(part: &str, base: Option<&Model>) -> Result<Vec<Model>, FamilyError> {
    let (name, list) = split_name(part);
    let own;
    // In the name of a composition, the keys in parentheses belong to the parts of the composition.
    // A `=` before the parentheses shows that the text names no model.
    let head = name.split('(').next().unwrap_or_default();
    let (model, list) = if head.contains('=') {
        (base.ok_or_else(|| FamilyError::NoBase(part.into()))?, part)
    } else {
        own = parse(part, name)?;
        (&own, list.trim_start_matches(':'))
    };
    if list.is_empty() {
        return Ok(vec![model.clone()]);
    }
    let signature = base.unwrap_or(model).signature();
    let keys = keys(part, list, model, &signature)?;
    let made = product(part, &keys)?;
    let mut members = Vec::with_capacity(made.len());
    for changes in &made {
        let member = with_shape(model, changes, signature.products);
        let member = member.map_err(|error| FamilyError::Model {
            text: part.into(),
            error,
        })?;
        // A wrong signature is reported before the other candidates are made, since that takes time
        // for a large family.
        let both = [base.unwrap_or(model).clone(), member];
        if base.is_some() {
            same_signature(&both)?;
        }
        let [_, member] = both;
        members.push(member);
    }
    Ok(members)
}

fn parse(part: &str, name: &str) -> Result<Model, FamilyError> {
    Model::parse(name).map_err(|error| FamilyError::Model {
        text: part.into(),
        error,
    })
}

/// A key with its values.
type KeyValues = (String, Vec<String>);

pub fn keys(
    part: &str,
    list: &str,
    model: &Model,
    signature: &Signature,
) -> Result<Vec<KeyValues>, FamilyError> {
    let syntax = |expected: &str, found: &str| FamilyError::Syntax {
        text: part.into(),
        expected: expected.into(),
        found: found.into(),
    };
    let mut keys: Vec<KeyValues> = Vec::new();
    for item in list.split(',') {
        let (key, alternatives) = item
            .split_once('=')
            .filter(|(key, values)| !key.is_empty() && !values.is_empty())
            .ok_or_else(|| syntax("KEY=VALUES or a name: nvidia, amd, full", item))?;
        if keys.iter().any(|(known, _)| known == key) {
            return Err(syntax("each key once", key));
        }
        let mut all = Vec::new();
        for alternative in alternatives.split('|') {
            match alternative.split_once("..") {
                _ if alternative == "*" => {
                    let values = model.values(key, signature).map_err(|error| match error {
                        ModelError::UnknownKey { .. } | ModelError::NoKeys { .. } => {
                            syntax("a key of the model before `=*`", key)
                        }
                        error => FamilyError::Model {
                            text: part.into(),
                            error,
                        },
                    })?;
                    all.extend(values);
                }
                None => all.push(alternative.to_owned()),
                Some((from, to)) => {
                    let number = |text: &str| text.parse::<i64>().ok();
                    let range = number(from).zip(number(to)).filter(|(from, to)| from <= to);
                    let (from, to) = range.ok_or_else(|| {
                        syntax("FROM..TO in whole numbers, FROM not above TO", alternative)
                    })?;
                    if to.abs_diff(from) > MOST as u64 {
                        return Err(syntax("a shorter range", alternative));
                    }
                    all.extend((from..=to).map(|number| number.to_string()));
                }
            }
        }
        keys.push((key.into(), all));
    }
    Ok(keys)
}

/// All combinations of the values, each as a text `KEY=VALUE,KEY=VALUE`.
fn product(part: &str, keys: &[KeyValues]) -> Result<Vec<String>, FamilyError> {
    let count = keys.iter().fold(1usize, |count, (_, values)| {
        count.saturating_mul(values.len())
    });
    if count > MOST {
        return Err(FamilyError::TooMany {
            text: part.into(),
            found: count,
        });
    }
    let mut all = vec![String::new()];
    for (key, values) in keys {
        let grown = all.iter().flat_map(|changes| {
            let comma = if changes.is_empty() { "" } else { "," };
            values
                .iter()
                .map(move |value| format!("{changes}{comma}{key}={value}"))
        });
        all = grown.collect();
    }
    Ok(all)
}
