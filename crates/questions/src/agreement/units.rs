//! Units: the different models of the tables, each with all instructions that it models.

use mmasmt_core::machines::algorithms::{DotAdd, Operation, Signature};
use mmasmt_core::machines::model::{Algorithm, Model, ModelError, architectures, described};
use mmasmt_numbers::float::Format;

/// The numbers of products at which units are compared. A unit with fewer products is repeated
/// until it has this number.
pub const LENGTHS: [u32; 4] = [16, 32, 64, 128];

/// The most steps of a description of which all domains are searched: one phase of Tenstorrent's
/// MVMUL has fewer, several phases have more.
const MOST_STEPS: usize = 256;

/// Instructions with the same model.
#[derive(Clone, Debug)]
pub struct AtlasUnit {
    /// The instructions, as `architecture/name`.
    pub names: Vec<String>,
    /// The model of these instructions.
    pub model: Model,
}

/// Two units with the same formats of operands and results.
#[derive(Clone, Copy, Debug)]
pub struct UnitPair<'x> {
    /// The unit that comes first in the tables.
    pub left: &'x AtlasUnit,
    /// The unit that comes later in the tables.
    pub right: &'x AtlasUnit,
}

/// Every unit without block scales, compressed operands and integers whose two factors have the
/// same format. That format is one of `formats`, or any format if `formats` is empty.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn units(formats: &[Format]) -> Result<Vec<AtlasUnit>, ModelError> {
    let mut units: Vec<AtlasUnit> = Vec::new();
    let tables = architectures()?.iter().chain(described()?);
    for row in tables.flat_map(|table| &table.rows) {
        let name = row.full_name();
        let model = Model::parse(&name)?;
        let signature = model.signature();
        let is_asked = formats.is_empty() || formats.contains(&signature.a);
        let is_plain = signature.a == signature.b
            && signature.scales.is_none()
            && row.sparsity.is_none()
            && !signature.is_integer();
        if !is_asked || !is_plain {
            continue;
        }
        let canonical = model.canonical();
        let mut known = units.iter_mut();
        match known.find(|unit| unit.model.canonical() == canonical) {
            Some(unit) => unit.names.push(name),
            None => units.push(AtlasUnit {
                names: vec![name],
                model,
            }),
        }
    }
    Ok(units)
}

/// Every pair of units that have the same formats and can both be repeated to one of the `wanted`
/// lengths.
pub fn pairs<'x>(units: &'x [AtlasUnit], wanted: &[u32]) -> Vec<UnitPair<'x>> {
    let mut pairs = Vec::new();
    for (number, left) in units.iter().enumerate() {
        for right in &units[number + 1..] {
            let pair = UnitPair { left, right };
            if formats(left) == formats(right) && !lengths(pair, wanted).is_empty() {
                pairs.push(pair);
            }
        }
    }
    pairs
}

fn formats(unit: &AtlasUnit) -> [Format; 4] {
    let Signature { a, b, c, d, .. } = unit.model.signature();
    [a, b, c, d]
}

/// The `wanted` lengths that both units can be repeated to.
pub fn lengths(pair: UnitPair<'_>, wanted: &[u32]) -> Vec<u32> {
    let fits =
        |unit: &AtlasUnit, length: u32| length.is_multiple_of(unit.model.signature().products);
    let wanted = wanted.iter().copied();
    wanted
        .filter(|length| fits(pair.left, *length) && fits(pair.right, *length))
        .collect()
}

impl AtlasUnit {
    /// The model that is repeated to reach a greater length. If the unit is a chain of equal
    /// operations, it is one of these operations; otherwise it is the model of the unit itself.
    ///
    /// # Errors
    /// If the program cannot read the text of a model that it wrote, which its tests rule out.
    pub(super) fn repeats(&self) -> Result<Model, ModelError> {
        match self.model.algorithm() {
            Algorithm::Chain(chain) if chain.first() == chain.rest() => {
                let [first, _] = self.model.operations()?;
                Ok(first)
            }
            _ => Ok(self.model.clone()),
        }
    }

    /// Whether the unit is a description of so many steps that the domains that grow with a number
    /// are not searched: inputs are drawn for each of these.
    pub(super) fn is_slow(&self) -> bool {
        let text = self.model.algorithm().text();
        text.is_some_and(|unit| unit.program().nodes.len() > MOST_STEPS)
    }

    /// The model of the unit, repeated to `products` products: units that repeat the same operation
    /// get the same model.
    ///
    /// # Errors
    /// If the number of products of the unit does not divide `products`.
    pub fn of_length(&self, products: u32) -> Result<Model, ModelError> {
        let model = self.repeats()?;
        if model.signature().products == products {
            Ok(model)
        } else {
            Model::parse(&format!("repeat({model}):K={products}"))
        }
    }
}

/// Whether the two models repeat the same operation the same number of times, or are the same
/// model.
pub(super) fn are_alike([left, right]: &[Model; 2]) -> bool {
    let [x, y] = [left, right].map(|model| repeated(model.algorithm()));
    x.is_some() && x == y || left.canonical() == right.canonical()
}

/// The operation that the algorithm repeats, and how often; `None` if the algorithm is not a
/// repetition of one operation.
fn repeated(algorithm: &Algorithm) -> Option<(&Operation, u32)> {
    let Signature { c, d, products, .. } = algorithm.signature();
    let Algorithm::Composition(made) = algorithm else {
        return algorithm.operation().filter(|_| c == d);
    };
    let only_repeats = made.kind().only_repeats();
    let (operation, times) = repeated(made.unit()).filter(|_| only_repeats)?;
    let unit = made.unit().signature().products;
    products
        .is_multiple_of(unit)
        .then_some((operation, products / unit * times))
}
