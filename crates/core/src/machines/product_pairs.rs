//! Two machines: the kinds of products that both compute.

use super::algorithms::{BlockScales, Signature};
use super::model::{Architecture, Model, ModelError, Row, have_same_formats, usual_rows};
use mmasmt_numbers::float::Format;

/// A kind of products that two machines have in common.
#[derive(Clone, Debug)]
pub struct ProductPair {
    /// The instruction that programs use on each machine.
    pub rows: [&'static Row; 2],
    /// The two instructions, each repeated to the least number of products that both can compute.
    pub models: [Model; 2],
}

/// The kinds of products that two machines have in common, and those that only one of them has.
#[derive(Clone, Debug)]
pub struct ProductPairs {
    /// The kinds that both machines have, in the order of the first machine's table.
    pub shared: Vec<ProductPair>,
    /// The signatures of the kinds that only the first machine has, and of those that only the
    /// second machine has.
    pub alone: [Vec<Signature>; 2],
}

/// The kinds of products of two machines. Unless `all` is set, kinds whose factors have two
/// different formats and kinds of integers are left out.
///
/// # Errors
/// If a table of the program is wrong, which its tests rule out.
pub fn product_pairs(
    machines: [&'static Architecture; 2],
    all: bool,
) -> Result<ProductPairs, ModelError> {
    let is_wanted =
        |signature: &Signature| all || signature.a == signature.b && !signature.is_integer();
    let [left, right] = machines.map(|machine| {
        let rows = usual_rows(machine).into_iter();
        rows.filter(|(signature, _)| is_wanted(signature))
            .collect::<Vec<_>>()
    });
    let mut shared = Vec::new();
    for (signature, row) in &left {
        let other = right
            .iter()
            .find(|(other, _)| have_same_formats(signature, other));
        if let Some((_, other)) = other {
            shared.push(ProductPair::new([row, other])?);
        }
    }
    let missing = |from: &[(Signature, &Row)], among: &[(Signature, &Row)]| {
        let signatures = from.iter().map(|(signature, _)| *signature);
        signatures
            .filter(|one| !among.iter().any(|(other, _)| have_same_formats(one, other)))
            .collect()
    };
    let alone = [missing(&left, &right), missing(&right, &left)];
    Ok(ProductPairs { shared, alone })
}

impl ProductPair {
    fn new(rows: [&'static Row; 2]) -> Result<ProductPair, ModelError> {
        let own = |row: &Row| Model::parse(&row.full_name());
        let models = [own(rows[0])?, own(rows[1])?];
        let [left, right] = models.each_ref().map(|model| model.signature().products);
        let products = num_integer::lcm(left, right);
        let [left, right] = &models;
        let models = [left.of_length(products)?, right.of_length(products)?];
        Ok(ProductPair { rows, models })
    }

    /// The signature that both models have.
    pub fn signature(&self) -> Signature {
        self.models[0].signature()
    }
}

/// The name of a kind of products: `f16 to f32`, `nvfp4 to f32`, `f16 to f32, c f16`.
pub fn kind_name(signature: &Signature) -> String {
    let Signature {
        a, b, c, d, scales, ..
    } = *signature;
    let factors = if a == b {
        factors_name(a, scales)
    } else {
        let scales = scales.map_or(String::new(), |scales| {
            format!(" with {} scales of {}", scales.format, scales.block)
        });
        format!("{a} x {b}{scales}")
    };
    if c == d {
        format!("{factors} to {d}")
    } else {
        format!("{factors} to {d}, c {c}")
    }
}

/// The name of factors with these block scales, if there are any: `f16`, `nvfp4`.
pub fn factors_name(factors: Format, scales: Option<BlockScales>) -> String {
    let Some(BlockScales { format, block }) = scales else {
        return factors.to_string();
    };
    match Format::scaled_name(factors, format, block) {
        Some(name) => name.to_owned(),
        None => format!("{factors} with {format} scales of {block}"),
    }
}
