//! Models of descriptions: the algorithms, `unit:FILE`, `unit:NAME` and `unit:{TEXT}`, and compositions, `compose:FILE(MODEL)`.
//! The parameters of the text are the keys.

use super::doc::{AlgorithmDoc, KeyDoc, KeyText, bad_value, chain};
use super::key::Keys;
use super::named::text_of;
use super::parameters::{documented, interpolated};
use crate::machines::algorithms::Operation;
use crate::machines::algorithms::descriptions::{Description, Setting, Tree};
use crate::machines::compositions::Recipe;
use crate::machines::model::ModelError;
use crate::machines::model::spec::{COMPOSE, UNIT};
use mmasmt_numbers::base::near::did_you_mean;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The key of the number of products of a composition, and the greatest one.
const PRODUCTS: &str = "K";
const MOST_PRODUCTS: u32 = super::compositions::MOST;

/// The most descriptions whose names a process keeps.
const MOST: usize = 1 << 14;

/// A description that a name stands for, kept for the life of the process: documentation is.
pub(super) struct NamedDescription {
    pub(super) tree: Arc<Tree>,
    /// The text, if it has a name.
    source: Option<&'static str>,
    pub(super) doc: AlgorithmDoc,
    /// The parameters that stand for the defaults of others alone, with these others.
    shorthands: Vec<(usize, Vec<usize>)>,
}

static KNOWN: LazyLock<Mutex<FxHashMap<String, &'static NamedDescription>>> =
    LazyLock::new(Mutex::default);

impl NamedDescription {
    /// The description `tree`, whose name is this one.
    pub(super) fn new(
        tree: Arc<Tree>,
        name: String,
        source: Option<&'static str>,
    ) -> NamedDescription {
        let mut keys: Vec<KeyDoc> = (0..tree.parameters.len())
            .map(|number| documented(&tree, number))
            .collect();
        match tree.is_composition {
            true => keys.insert(
                0,
                Keys::composed(|products: &mut u32| products).0[0].doc(&0),
            ),
            false => keys.insert(keys.len().min(1), chain()),
        }
        let or = |text: &str, other: &'static str| match text {
            "" => other,
            text => Box::leak(text.into()),
        };
        let doc = AlgorithmDoc {
            name: Box::leak(name.into()),
            summary: or(&tree.summary, "a unit that a text describes"),
            source: or(&tree.source, "the text"),
            keys,
        };
        NamedDescription {
            shorthands: tree.shorthands(),
            tree,
            source,
            doc,
        }
    }

    /// The operation with these keys; a later one takes precedence.
    ///
    /// # Errors
    /// If a key is wrong, or values cannot be combined.
    pub(super) fn read(
        &self,
        from: &str,
        keys: &[(String, String)],
    ) -> Result<Operation, ModelError> {
        let wrong = |error| ModelError::Description {
            from: from.into(),
            error: Box::new(error),
        };
        let settings = self.settings(from, &self.doc.spelled(keys))?;
        let made = Description::new(Arc::clone(&self.tree), settings).map_err(wrong)?;
        Ok(Operation::Description(Box::new(made)))
    }

    /// The composition with these keys; its unit gives it a number of products where no key does.
    ///
    /// # Errors
    /// If a key is wrong, or values cannot be combined.
    pub(super) fn recipe(
        &self,
        from: &str,
        keys: &[(String, String)],
    ) -> Result<Recipe, ModelError> {
        let keys = self.doc.spelled(keys);
        let products = keys.iter().find(|(key, _)| key == PRODUCTS);
        let products = products.map(|(key, value)| {
            let number = value
                .parse()
                .ok()
                .filter(|number| (1..=MOST_PRODUCTS).contains(number));
            let expected = format!("a whole number from 1 to {MOST_PRODUCTS}");
            number.ok_or_else(|| bad_value(key, value, &expected))
        });
        let settings = self.settings(from, &keys)?;
        let products = products.transpose()?.unwrap_or(0);
        Ok(Recipe::new(Arc::clone(&self.tree), settings, products))
    }

    /// The values of the parameters with these keys.
    fn settings(&self, from: &str, keys: &[(String, String)]) -> Result<Vec<Setting>, ModelError> {
        let wrong = |error| ModelError::Description {
            from: from.into(),
            error: Box::new(error),
        };
        self.doc.knows(keys)?;
        let given = self.given(keys)?;
        let mut settings = self.tree.settings(&given).map_err(wrong)?;
        self.shorten(&mut settings);
        let parameters = self.tree.parameters.iter().zip(&settings);
        for (number, (parameter, setting)) in parameters.enumerate() {
            if !parameter.admits(setting) {
                return Err(self.bad(number, setting, &self.tree.expected(number)));
            }
        }
        if let Some(unmet) = self.tree.unmet(&settings) {
            let expected = interpolated(&unmet.expected, &self.tree, Some(&settings));
            return Err(self.bad(unmet.parameter, &settings[unmet.parameter], &expected));
        }
        Ok(settings)
    }

    fn bad(&self, number: usize, setting: &Setting, expected: &str) -> ModelError {
        bad_value(
            &self.tree.parameters[number].key,
            &setting.to_string(),
            expected,
        )
    }

    /// The values of the parameters that have one of the keys.
    fn given(&self, keys: &[(String, String)]) -> Result<Vec<Option<Setting>>, ModelError> {
        let parameters = &self.tree.parameters;
        let mut given = vec![None; parameters.len()];
        for (key, value) in keys {
            let Some(number) = parameters.iter().position(|one| one.key == *key) else {
                continue;
            };
            let setting = parameters[number].read(value);
            let expected = || bad_value(key, value, &self.tree.expected(number));
            given[number] = Some(setting.ok_or_else(expected)?);
            // A later shorthand takes precedence over what it stands for.
            for (_, followers) in self.shorthands.iter().filter(|(own, _)| *own == number) {
                followers.iter().for_each(|other| given[*other] = None);
            }
        }
        Ok(given)
    }

    /// Gives a shorthand the value that all parameters have for which it stands, and else its default.
    fn shorten(&self, settings: &mut [Setting]) {
        for (number, followers) in &self.shorthands {
            let first = settings[followers[0]].clone();
            let are_same = followers.iter().all(|other| settings[*other] == first);
            settings[*number] = match are_same && self.tree.parameters[*number].admits(&first) {
                true => first,
                false => self.tree.default_beside(*number, settings),
            };
        }
    }

    /// The parameters with their values. Of a shorthand and the parameters for which it stands, those are said that say
    /// it all.
    fn texts(&self, settings: &[Setting]) -> Vec<KeyText> {
        let parameters = &self.tree.parameters;
        let mut shown: Vec<bool> = parameters.iter().map(|one| one.is_shown).collect();
        let mut said = vec![true; parameters.len()];
        for (number, followers) in &self.shorthands {
            let mut all = followers.iter();
            let is_short = all.all(|other| settings[*other] == settings[*number]);
            said[*number] = is_short;
            for other in followers {
                said[*other] = !is_short;
                shown[*other] |= shown[*number];
            }
        }
        let numbers = (0..parameters.len()).filter(|number| said[*number]);
        let text = numbers.map(|number| KeyText {
            key: self.key(number),
            value: settings[number].to_string(),
            default: match shown[number] {
                true => String::new(),
                false => self.tree.default_beside(number, settings).to_string(),
            },
        });
        text.collect()
    }

    /// The key of a parameter, among which there is one that is none: `chain` is the second key of a unit, `K` the first
    /// one of a composition.
    fn key(&self, number: usize) -> &'static str {
        let is_before = self.tree.is_composition || number > 0;
        self.doc.keys[number + usize::from(is_before)].name
    }
}

/// The description that a name stands for: behind `unit:` or `compose:` a text in braces, a name, or else a file.
///
/// # Errors
/// If there is no such name or file, or the text is no description, or one of the other kind.
pub(super) fn known(name: &str) -> Result<&'static NamedDescription, ModelError> {
    let is_composition = name.starts_with(COMPOSE);
    let text = name.trim_start_matches(COMPOSE).trim_start_matches(UNIT);
    let wrong = |error| ModelError::Description {
        from: name.into(),
        error: Box::new(error),
    };
    let parsed = |source: &str| -> Result<Arc<Tree>, ModelError> {
        let tree = Tree::parse(source).map_err(wrong)?;
        tree.is_a(is_composition).map_err(wrong)?;
        Ok(Arc::new(tree))
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
fn found(text: &str) -> Option<&'static NamedDescription> {
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
) -> Result<&'static NamedDescription, ModelError> {
    let text = tree.one_line();
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(known), None) = (all.get(&text), named) {
        return Ok(known);
    }
    if all.len() >= MOST {
        return Err(ModelError::Descriptions { most: MOST });
    }
    let prefix = match tree.is_composition {
        true => COMPOSE,
        false => UNIT,
    };
    let name = match named {
        Some((name, _)) => format!("{prefix}{name}"),
        None => format!("{prefix}{{{text}}}"),
    };
    let source = named.map(|(_, source)| source);
    let known: &'static NamedDescription = Box::leak(Box::new(NamedDescription::new(
        Arc::clone(tree),
        name,
        source,
    )));
    if let Some((name, _)) = named {
        all.insert(name.into(), known);
    }
    all.insert(text, known);
    Ok(known)
}

/// The name of a composition, and its keys with their values.
pub(super) fn texts_of_recipe(recipe: &Recipe) -> Option<(&'static str, Vec<KeyText>)> {
    let known = kept(recipe.tree(), None).ok()?;
    let mut texts = known.texts(recipe.settings());
    let products = KeyText {
        key: PRODUCTS,
        value: recipe.products.to_string(),
        default: String::new(),
    };
    texts.insert(0, products);
    Some((known.doc.name, texts))
}

/// The name of a description, and its parameters with their values.
pub(super) fn texts(
    algorithms: &[&'static NamedDescription],
    description: &Description,
) -> (&'static str, Vec<KeyText>) {
    let mut algorithms = algorithms.iter().copied();
    let own = algorithms.find(|known| Arc::ptr_eq(&known.tree, description.tree()));
    let known = own.map_or_else(|| kept(description.tree(), None), Ok);
    known.map_or(("unit", Vec::new()), |known| {
        (known.doc.name, known.texts(description.settings()))
    })
}
