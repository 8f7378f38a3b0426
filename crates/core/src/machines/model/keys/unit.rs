//! Models of descriptions: `unit:FILE`, `unit:NAME` and `unit:{TEXT}`, whose keys are the parameters of the text.

use super::doc::{AlgorithmDoc, KeyDoc, KeyText, bad_value, chain};
use super::named::text_of;
use super::values::Candidates;
use crate::base::near::did_you_mean;
use crate::machines::algorithms::Operation;
use crate::machines::algorithms::descriptions::{Choices, Description, Parameter, Setting, Tree};
use crate::machines::model::ModelError;
use crate::machines::model::spec::UNIT;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The most descriptions whose names a process keeps.
const MOST: usize = 1 << 14;

/// A description that a name stands for, kept for the life of the process: documentation is.
pub(super) struct Known {
    pub(super) tree: Arc<Tree>,
    /// The text, if it has a name.
    source: Option<&'static str>,
    pub(super) doc: AlgorithmDoc,
}

static KNOWN: LazyLock<Mutex<FxHashMap<String, &'static Known>>> = LazyLock::new(Mutex::default);

/// The description that the text behind `unit:` stands for: a text in braces, a name, or else a
/// file.
///
/// # Errors
/// If there is no such name or file, or the text is no description.
pub(super) fn known(text: &str) -> Result<&'static Known, ModelError> {
    let parsed = |source: &str| {
        let tree = Tree::parse(source).map_err(|error| ModelError::Description {
            from: text.into(),
            error: Box::new(error),
        });
        tree.map(Arc::new)
    };
    let in_braces = text.strip_prefix('{');
    if let Some(source) = in_braces.and_then(|text| text.strip_suffix('}')) {
        return kept(&parsed(source)?, None);
    }
    if let Some(source) = text_of(text) {
        return match found(text) {
            Some(known) if known.source == Some(source) => Ok(known),
            _ => kept(&parsed(source)?, Some((text, source))),
        };
    }
    let source = std::fs::read_to_string(text).map_err(|error| {
        let stem = text.strip_suffix(".unit");
        let named = stem.filter(|stem| text_of(stem).is_some());
        let near = named.map_or_else(String::new, |stem| did_you_mean(stem, [stem]));
        ModelError::DescriptionFile {
            path: text.into(),
            what: format!("{error}{near}"),
        }
    })?;
    kept(&parsed(&source)?, None)
}

/// The description that is kept under a name or a text.
fn found(text: &str) -> Option<&'static Known> {
    let all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(text).copied()
}

/// The tree and the documentation that a process keeps of a description. A description with a name
/// is kept under its name and under its text, others under their text.
///
/// # Errors
/// If too many are kept already.
fn kept(
    tree: &Arc<Tree>,
    named: Option<(&str, &'static str)>,
) -> Result<&'static Known, ModelError> {
    let text = tree.one_line();
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(known), None) = (all.get(&text), named) {
        return Ok(known);
    }
    if all.len() >= MOST {
        return Err(ModelError::Descriptions { most: MOST });
    }
    let mut keys: Vec<KeyDoc> = tree.parameters.iter().map(key).collect();
    keys.insert(keys.len().min(1), chain());
    let name = match named {
        Some((name, _)) => format!("{UNIT}{name}"),
        None => format!("{UNIT}{{{text}}}"),
    };
    let known: &'static Known = Box::leak(Box::new(Known {
        tree: Arc::clone(tree),
        source: named.map(|(_, source)| source),
        doc: AlgorithmDoc {
            name: Box::leak(name.into()),
            summary: "a unit that a text describes",
            source: "the text",
            keys,
        },
    }));
    if let Some((name, _)) = named {
        all.insert(name.into(), known);
    }
    all.insert(text, known);
    Ok(known)
}

fn key(parameter: &Parameter) -> KeyDoc {
    let (values, candidates, range) = match &parameter.choices {
        Choices::Range(first, last) => (
            format!("{first} to {last}"),
            Candidates::Numbers(*first..=*last),
            Some([*first, *last]),
        ),
        Choices::Words(words) => (words.join(" "), Candidates::Listed(words.clone()), None),
    };
    KeyDoc {
        name: Box::leak(parameter.name.clone().into()),
        values,
        default: parameter.default.to_string(),
        meaning: "a parameter of the description",
        candidates,
        range,
    }
}

/// The model of a description with these keys; a later one takes precedence.
///
/// # Errors
/// If the text is no description, or a key is wrong.
pub(super) fn read(text: &str, given: &[(String, String)]) -> Result<Operation, ModelError> {
    let known = known(text)?;
    let given = known.doc.spelled(given);
    known.doc.knows(&given)?;
    let parameters = known.tree.parameters.iter();
    let settings = parameters.map(|parameter| {
        let value = given.iter().rev().find(|(key, _)| *key == parameter.name);
        value.map_or(Ok(parameter.default.clone()), |(_, value)| {
            setting(parameter, value)
        })
    });
    let settings = settings.collect::<Result<Vec<_>, _>>()?;
    let made = Description::new(Arc::clone(&known.tree), settings);
    let made = made.map_err(|error| ModelError::Description {
        from: text.into(),
        error: Box::new(error),
    })?;
    Ok(Operation::Description(Box::new(made)))
}

fn setting(parameter: &Parameter, value: &str) -> Result<Setting, ModelError> {
    let (found, expected) = match &parameter.choices {
        Choices::Range(first, last) => {
            let number = value
                .parse()
                .ok()
                .filter(|number| (first..=last).contains(&number));
            let expected = format!("a whole number from {first} to {last}");
            (number.map(Setting::Number), expected)
        }
        Choices::Words(words) => {
            let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
            let expected = format!("one of {}", words.join(", "));
            (word.cloned().map(Setting::Word), expected)
        }
    };
    found.ok_or_else(|| bad_value(&parameter.name, value, &expected))
}

/// The name of a description, and its parameters with their values.
pub(super) fn texts(description: &Description) -> (&'static str, Vec<KeyText>) {
    let Ok(known) = kept(description.tree(), None) else {
        return ("unit", Vec::new());
    };
    let keys = known.doc.keys.iter().filter(|key| key.name != "chain");
    let texts = keys
        .zip(description.settings())
        .map(|(key, setting)| KeyText {
            key: key.name,
            value: setting.to_string(),
            default: key.default.clone(),
        });
    (known.doc.name, texts.collect())
}
