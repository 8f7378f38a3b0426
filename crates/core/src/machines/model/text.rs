//! Makes algorithms from specifications, and gives their text.

use super::error::ModelError;
use super::keys::{self, KeyText, bad_value};
use super::layers::placed;
use super::spec::{Name, Spec};
use super::tables;
use crate::machines::algorithms::descriptions::{CutFlags, Flags, Tininess};
use crate::machines::algorithms::{DotAdd, Operation};
use crate::machines::compositions::Composition;
use crate::machines::model::Algorithm;
use mmasmt_numbers::base::excerpt::excerpt;

/// The name before a unit whose exception flags are the result.
const FLAGS: &str = "flags";

/// The most products that a model takes.
const MOST_PRODUCTS: u64 = 1 << 20;

/// The most operations of a composition; a scheme counts as if it computed the most products of
/// parts that schemes can have.
const MOST_OPERATIONS: u64 = 1 << 20;

/// If the specification has the key `repeat`: the specification without this key, and the number of
/// runs that it asks for, where the result of each run is the next `c`. Otherwise `None`.
fn repeated(spec: &Spec) -> Result<Option<(Spec, u64)>, ModelError> {
    let Some((_, times)) = spec.keys.iter().rfind(|(key, _)| key == "repeat") else {
        return Ok(None);
    };
    let read = times
        .parse()
        .ok()
        .filter(|times| (1..=MOST_PRODUCTS).contains(times));
    let number = read.ok_or_else(|| {
        let expected = format!("a whole number from 1 to {MOST_PRODUCTS}");
        bad_value("repeat", times, &expected)
    })?;
    let mut unit = spec.clone();
    unit.keys.retain(|(key, _)| key != "repeat");
    Ok(Some((unit, number)))
}

impl Algorithm {
    /// The algorithm that a specification names.
    ///
    /// # Errors
    /// If the specification names nothing that is known, or a key is wrong.
    pub(super) fn of(spec: &Spec) -> Result<Algorithm, ModelError> {
        if let Some((unit, times)) = repeated(spec)? {
            let unit = Algorithm::of(&unit)?;
            let products = u64::from(unit.signature().products) * times;
            if products > MOST_PRODUCTS {
                let expected = format!("products of at most {MOST_PRODUCTS} in all");
                return Err(bad_value("repeat", &times.to_string(), &expected));
            }
            let keys = [("K".to_owned(), products.to_string())];
            return Algorithm::composed("repeat", unit, &keys);
        }
        if let Some(row) = tables::look_up(spec)? {
            return Algorithm::of(&row);
        }
        let (name, unit) = match &spec.name {
            Name::Composition { name, unit } => (name, unit),
            Name::Algorithm(name) => return Algorithm::from_keys(name, &spec.keys),
            Name::Instruction { instruction, .. } => {
                return Algorithm::from_keys(instruction, &spec.keys);
            }
        };
        if name == FLAGS {
            return Algorithm::flags(Algorithm::of(unit)?, &spec.keys);
        }
        let (unit, keys) = placed(name, unit, &spec.keys)?;
        let of = |unit: &Spec| Algorithm::of(unit).map_err(|error| keys::key_outside(error, name));
        let mut inside = of(&unit)?;
        // A composition that gives no K takes all products of a run.
        if let Algorithm::Composition(inner) = &inside
            && !unit.says_products()
            && inner.kind().depends_on_length()
            && let Some(products) = keys::read_kind(name, &keys)?.products_of_a_run()
        {
            inside = of(&unit.with(&format!("K={products}"))?)?;
        }
        Algorithm::composed(name, inside, &keys)
    }

    /// The exception flags of a unit: `flags(UNIT)`, with `tiny=before` or `cuts=silent`.
    fn flags(unit: Algorithm, keys: &[(String, String)]) -> Result<Algorithm, ModelError> {
        let (mut tininess, mut cuts) = (Tininess::After, CutFlags::Raised);
        for (key, value) in keys {
            match (&key[..], &value[..]) {
                ("tiny" | "", "after") => tininess = Tininess::After,
                ("tiny" | "", "before") => tininess = Tininess::Before,
                ("tiny" | "", _) => return Err(bad_value("tiny", value, "after or before")),
                ("cuts", "raised") => cuts = CutFlags::Raised,
                ("cuts", "silent") => cuts = CutFlags::Silent,
                ("cuts", _) => return Err(bad_value("cuts", value, "raised or silent")),
                _ => return Err(bad_value(key, value, "no key but `tiny` and `cuts`")),
            }
        }
        let refused = |expected| ModelError::Unit {
            composition: FLAGS.into(),
            expected,
        };
        let Algorithm::Operation(Operation::Description(unit)) = unit else {
            let found = unit.canonical();
            let expected = format!(
                "one unit that a text describes, found `{}`",
                excerpt(&found)
            );
            return Err(refused(expected));
        };
        let defined = "steps whose flags are defined";
        let flags = Flags::of(*unit, tininess, cuts);
        let flags = flags.map_err(|found| refused(format!("{defined}, found {found}")))?;
        Ok(Algorithm::Operation(Operation::Flags(Box::new(flags))))
    }

    /// The composition `name` with these keys over `unit`.
    fn composed(
        name: &str,
        unit: Algorithm,
        keys: &[(String, String)],
    ) -> Result<Algorithm, ModelError> {
        let unit = unit.next();
        if unit.signature().is_conversion() {
            let expected = format!("a unit that sums products, found {}", unit.signature());
            return Err(ModelError::Unit {
                composition: name.into(),
                expected,
            });
        }
        let kind = keys::read_kind(name, keys)?.filled_up(&unit.signature());
        let composition = Composition::new(kind, unit).map_err(|expected| ModelError::Unit {
            composition: name.into(),
            expected,
        })?;
        let composed = Algorithm::Composition(Box::new(composition));
        if composed.operations_in_all() > MOST_OPERATIONS {
            let products = composed.signature().products.to_string();
            let expected = format!("no more products than {MOST_OPERATIONS} instructions have");
            return Err(bad_value("K", &products, &expected));
        }
        Ok(composed)
    }

    /// The algorithm with this name and these keys; a later key takes precedence over an earlier
    /// one.
    ///
    /// # Errors
    /// If there is no such algorithm, or a key is wrong.
    pub fn from_keys(name: &str, keys: &[(String, String)]) -> Result<Algorithm, ModelError> {
        let (links, keys): (Vec<_>, Vec<_>) =
            keys.iter().cloned().partition(|(key, _)| key == "chain");
        let operation = keys::read(name, &keys)?;
        if let Some((_, links)) = links.last()
            && operation.signature().is_conversion()
        {
            let expected = "none, as a conversion adds to no sum";
            return Err(bad_value("chain", links, expected));
        }
        let links = match links.last() {
            None => 1,
            Some((_, text)) => {
                let links = text.parse().ok().filter(|links| (1..=4096).contains(links));
                let expected = "a whole number from 1 to 4096";
                links.ok_or_else(|| bad_value("chain", text, expected))?
            }
        };
        if u64::from(links) * u64::from(operation.signature().products) > MOST_PRODUCTS {
            let expected = format!("K * chain of at most {MOST_PRODUCTS}");
            return Err(bad_value("chain", &links.to_string(), &expected));
        }
        if let Some(scales) = operation.signature().scales
            && links > 1
        {
            let (products, block) = (operation.signature().products, scales.block);
            if !products.is_multiple_of(block) && !block.is_multiple_of(products) {
                let expected = format!("in a chain, a multiple or a divisor of K={products}");
                return Err(bad_value("block", &block.to_string(), &expected));
            }
        }
        Ok(Algorithm::in_sequence(operation, links))
    }

    /// The greatest number of operations of one evaluation.
    fn operations_in_all(&self) -> u64 {
        match self {
            Algorithm::Operation(_) | Algorithm::Design(_) => 1,
            Algorithm::Chain(chain) => chain.links().into(),
            Algorithm::Composition(made) => made.unit().operations_in_all() * made.runs(),
        }
    }

    /// The name of the algorithm or of the composition.
    pub(super) fn name(&self) -> &'static str {
        self.texts().0
    }

    /// The name and all keys with their values, the number of products first.
    fn texts(&self) -> (&'static str, Vec<KeyText>) {
        let (operation, links) = match self {
            Algorithm::Operation(Operation::Flags(_)) => return (FLAGS, Vec::new()),
            Algorithm::Composition(composition) => return keys::kind_texts(composition.kind()),
            Algorithm::Design(_) => return ("rtl", Vec::new()),
            Algorithm::Operation(operation) => (operation, 1),
            Algorithm::Chain(chain) => (chain.first(), chain.links()),
        };
        let (name, mut texts) = keys::texts(operation);
        let chain = KeyText {
            key: "chain",
            value: links.to_string(),
            default: "1".into(),
        };
        texts.insert(texts.len().min(1), chain);
        (name, texts)
    }

    /// The name and all keys with their values, default values included. The keys of a composition
    /// do not include those of its unit.
    pub fn parameters(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let (name, texts) = self.texts();
        let parameters = texts.into_iter().map(|text| (text.key, text.value));
        (name, parameters.collect())
    }

    /// The name and the keys that are not at their defaults, as a specification; the name of a
    /// composition is followed by its unit in parentheses.
    pub fn canonical(&self) -> String {
        let (name, texts) = self.texts();
        let name = match self {
            Algorithm::Composition(made) => format!("{name}({})", made.unit().canonical()),
            Algorithm::Operation(Operation::Flags(flags)) => {
                let unit = Operation::Description(Box::new(flags.unit().clone()));
                let tiny = match flags.tininess() {
                    Tininess::After => "",
                    Tininess::Before => ", tiny=before",
                };
                let cuts = match flags.cuts() {
                    CutFlags::Raised => "",
                    CutFlags::Silent => ", cuts=silent",
                };
                let unit = Algorithm::Operation(unit).canonical();
                return format!("{FLAGS}({unit}{tiny}{cuts})");
            }
            Algorithm::Operation(_) | Algorithm::Chain(_) => name.to_owned(),
            Algorithm::Design(design) => design.name().to_owned(),
        };
        let keys = texts.iter().filter(|text| text.value != text.default);
        let keys: Vec<_> = keys
            .map(|text| format!("{}={}", text.key, text.value))
            .collect();
        if keys.is_empty() {
            return name;
        }
        format!("{name}:{}", keys.join(","))
    }
}
