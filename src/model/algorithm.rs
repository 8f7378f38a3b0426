//! What a model computes, from names and keys and back to text.

use super::error::ModelError;
use super::keys::{self, Text, bad_value};
use crate::algorithms::{Algorithm, DotAdd};

/// The most products that a model takes.
const MOST_PRODUCTS: u64 = 1 << 20;

impl Algorithm {
    /// The algorithm of that name with these keys, of which a later one wins over an earlier one.
    ///
    /// # Errors
    /// If there is no such algorithm, or a key is wrong.
    pub fn from_keys(name: &str, keys: &[(String, String)]) -> Result<Algorithm, ModelError> {
        let (links, keys): (Vec<_>, Vec<_>) =
            keys.iter().cloned().partition(|(key, _)| key == "chain");
        let operation = keys::read(name, &keys)?;
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

    /// The name, and all keys with the one that tells the number of products first.
    fn texts(&self) -> (&'static str, Vec<Text>) {
        let (name, mut texts) = keys::texts(self.first());
        let chain = Text {
            key: "chain",
            value: self.links().to_string(),
            default: "1".into(),
        };
        texts.insert(texts.len().min(1), chain);
        (name, texts)
    }

    /// The name, and all keys with their values, those at their defaults too.
    pub fn parameters(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let (name, texts) = self.texts();
        let parameters = texts.into_iter().map(|text| (text.key, text.value));
        (name, parameters.collect())
    }

    /// Name and keys, those at their defaults left out.
    pub fn canonical(&self) -> String {
        let (name, texts) = self.texts();
        let keys = texts.iter().filter(|text| text.value != text.default);
        let keys: Vec<_> = keys
            .map(|text| format!("{}={}", text.key, text.value))
            .collect();
        if keys.is_empty() {
            return name.into();
        }
        format!("{name}:{}", keys.join(","))
    }
}
