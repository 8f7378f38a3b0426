//! Models of descriptions: `unit:FILE` and `unit:{TEXT}`, whose keys are the parameters of the text.

use super::doc::{AlgorithmDoc, KeyDoc, KeyText, bad_value, chain};
use super::values::Candidates;
use crate::machines::algorithms::Operation;
use crate::machines::algorithms::descriptions::{
    Choices, Description, DescriptionError, Parameter, Setting, Tree,
};
use crate::machines::model::ModelError;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The most descriptions whose names a process keeps.
const MOST: usize = 1 << 14;

/// A description that a name stands for, kept for the life of the process: documentation is.
pub(super) struct Known {
    pub(super) tree: Arc<Tree>,
    pub(super) doc: AlgorithmDoc,
}

static KNOWN: LazyLock<Mutex<FxHashMap<String, &'static Known>>> = LazyLock::new(Mutex::default);

/// The description that the text behind `unit:` stands for: a file, or a text in braces.
///
/// # Errors
/// If the file cannot be read, or the text is no description.
pub(super) fn known(text: &str) -> Result<&'static Known, ModelError> {
    let wrong = |error: DescriptionError| ModelError::Description {
        from: text.into(),
        error: Box::new(error),
    };
    let source = match text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'))
    {
        Some(text) => text.to_owned(),
        None => std::fs::read_to_string(text).map_err(|error| ModelError::DescriptionFile {
            path: text.into(),
            what: error.to_string(),
        })?,
    };
    kept(Arc::new(Tree::parse(&source).map_err(wrong)?))
}

/// The tree and the documentation that a process keeps of a description.
///
/// # Errors
/// If too many are kept already.
fn kept(tree: Arc<Tree>) -> Result<&'static Known, ModelError> {
    let text = tree.one_line();
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(&text) {
        return Ok(known);
    }
    if all.len() >= MOST {
        return Err(ModelError::Descriptions { most: MOST });
    }
    let mut keys: Vec<KeyDoc> = tree.parameters.iter().map(key).collect();
    keys.insert(keys.len().min(1), chain());
    let doc = AlgorithmDoc {
        name: Box::leak(format!("unit:{{{text}}}").into()),
        summary: "a unit that a text describes",
        source: "the text",
        keys,
    };
    let known = Box::leak(Box::new(Known { tree, doc }));
    all.insert(text, known);
    Ok(known)
}

fn key(parameter: &Parameter) -> KeyDoc {
    let (values, candidates) = match &parameter.choices {
        Choices::Range(first, last) => (
            format!("{first} to {last}"),
            Candidates::Numbers(*first..=*last),
        ),
        Choices::Words(words) => (words.join(" "), Candidates::Listed(words.clone())),
    };
    KeyDoc {
        name: Box::leak(parameter.name.clone().into()),
        values,
        default: parameter.default.to_string(),
        meaning: "a parameter of the description",
        candidates,
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
    let Ok(known) = kept(Arc::clone(description.tree())) else {
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
