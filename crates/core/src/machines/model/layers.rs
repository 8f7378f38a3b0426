//! The layers of a composition, and the layer that a key belongs to. `splitk.fda.F` is the key `F`
//! of an `fda` that is the unit of a split-K inside the outermost composition; `F` alone means the
//! same if only one layer has such a key.

use super::algorithm::Algorithm;
use super::error::ModelError;
use super::keys::{AlgorithmDoc, KeyDoc, documentation};
use super::spec::{Name, Spec};
use super::tables;

/// One layer: a composition, or the operation or design inside all compositions.
struct Layer {
    /// The names from the unit of the outermost composition down to this layer, separated by dots;
    /// empty for the outermost layer.
    path: String,
    doc: &'static AlgorithmDoc,
}

/// The spelling of `name` as seen from the outermost layer; `name` is a key of the layer at `path`,
/// or the name of the layer directly inside that layer.
pub fn spelled(path: &str, name: &str) -> String {
    match path {
        "" => name.into(),
        path => format!("{path}.{name}"),
    }
}

/// Finds the layer and the key that `given` means, such as `F` or `splitk.fda.F`. Returns the
/// position of the layer and the key, or `None` if no layer fits. The text before the last dot is a
/// path; without a dot, it is the empty path of the outermost layer. The layer at exactly this path
/// is meant if it has the key; otherwise a layer fits if it has the key and its path ends with this
/// path.
///
/// # Errors
/// If the key may belong to several layers.
fn meant(given: &str, layers: &[Layer]) -> Result<Option<(usize, &'static KeyDoc)>, ModelError> {
    let (path, key) = given.rsplit_once('.').unwrap_or(("", given));
    let has = |(number, layer): (usize, &Layer)| Some((number, layer.doc.key(key)?));
    let of_end = |layer: &Layer| {
        let end = layer.path.strip_suffix(path);
        end.is_some_and(|before| path.is_empty() || before.is_empty() || before.ends_with('.'))
    };
    let all = || layers.iter().enumerate();
    let exact = all().filter(|(_, layer)| layer.path == path).find_map(has);
    if exact.is_some() {
        return Ok(exact);
    }
    let found: Vec<_> = all()
        .filter(|(_, layer)| of_end(layer))
        .filter_map(has)
        .collect();
    match found[..] {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        _ => {
            let spellings = found
                .iter()
                .map(|(number, doc)| spelled(&layers[*number].path, doc.name));
            Err(ModelError::SeveralLayers {
                key: given.into(),
                expected: spellings.collect::<Vec<_>>().join(" or "),
            })
        }
    }
}

/// The layers of a unit from the outside to the inside; the path of the first layer is the name of
/// that layer.
fn layers_of(unit: &Spec) -> Vec<Layer> {
    let (mut layers, mut path) = (Vec::new(), String::new());
    let mut next = Some(unit.clone());
    while let Some(spec) = next.take() {
        // An instruction stands for the specification of its row. If the tables do not have the
        // instruction, the layers stop there; the error is reported elsewhere.
        if let Ok(Some(row)) = tables::look_up(&spec) {
            next = Some(row);
            continue;
        }
        let (name, inside) = match &spec.name {
            Name::Composition { name, unit } => (name, Some(unit)),
            Name::Algorithm(name) => (name, None),
            Name::Instruction { .. } => break,
        };
        let Some(doc) = documentation(name) else {
            break;
        };
        path = spelled(&path, doc.name);
        layers.push(Layer {
            path: path.clone(),
            doc,
        });
        next = inside.map(|unit| (**unit).clone());
    }
    layers
}

/// Divides the keys behind the parentheses of the composition `name`: returns the unit with the
/// keys that belong to inner layers, and the keys of the composition itself.
///
/// # Errors
/// If a key may belong to several inner layers.
pub(super) fn placed(
    name: &str,
    unit: &Spec,
    given: &[(String, String)],
) -> Result<(Spec, Vec<(String, String)>), ModelError> {
    let doc = documentation(name);
    let is_own = |key: &str| key.is_empty() || doc.is_none_or(|doc| doc.key(key).is_some());
    let (mut own, others): (Vec<_>, Vec<_>) =
        given.iter().cloned().partition(|(key, _)| is_own(key));
    let mut unit = unit.clone();
    if others.is_empty() {
        return Ok((unit, own));
    }
    let layers = layers_of(&unit);
    for (key, value) in others {
        let Some((number, doc)) = meant(&key, &layers)? else {
            own.push((key, value));
            continue;
        };
        let path = &layers[number].path;
        let inside = path.split_once('.').map_or("", |(_, inside)| inside);
        unit.keys.push((spelled(inside, doc.name), value));
    }
    Ok((unit, own))
}

impl Algorithm {
    /// The layers of a composition from the outermost one to the operation inside, each with its
    /// path. An algorithm that is not a composition is one layer.
    pub fn layers(&self) -> Vec<(String, &Algorithm)> {
        let mut layers = vec![(String::new(), self)];
        let (mut path, mut layer) = (String::new(), self);
        while let Algorithm::Composition(composition) = layer {
            layer = composition.unit();
            path = spelled(&path, layer.name());
            layers.push((path.clone(), layer));
        }
        layers
    }

    /// The keys of the outermost layer alone; a design has none.
    pub fn keys(&self) -> &'static [KeyDoc] {
        documentation(self.name()).map_or(&[], |doc| &doc.keys)
    }

    /// The layer that has the key `key`, and the documentation of the key.
    ///
    /// # Errors
    /// If no layer has the key, or several layers may be meant.
    pub(super) fn layer_of(&self, key: &str) -> Result<(&Algorithm, &'static KeyDoc), ModelError> {
        let layers = self.layers();
        let known = layers.iter().filter_map(|(path, layer)| {
            let (path, doc) = (path.clone(), documentation(layer.name())?);
            Some(Layer { path, doc })
        });
        let found = meant(key, &known.collect::<Vec<_>>())?;
        // Only a design has no documentation. It is the innermost layer, so the numbers of the
        // layers before it stay the same.
        let found = found.and_then(|(number, doc)| Some((layers.get(number)?.1, doc)));
        found.ok_or_else(|| {
            documentation(self.name()).map_or_else(
                || ModelError::NoKeys {
                    model: self.canonical(),
                },
                |doc| doc.unknown(key),
            )
        })
    }
}
