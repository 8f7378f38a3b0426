//! What a machine multiplies: `--formats` and `--products`, in place of a model. The other way round,
//! options and models that a report proposes for a signature.

use super::error::Error;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;

/// Options that describe the operands of a machine.
#[derive(Debug, clap::Args)]
pub(super) struct FormatArgs {
    /// Describe a machine in place of a model: the format of its factors and, after a comma, the
    /// format of c and of the result (f32 if not given, s32 of integers); needs --products
    #[arg(long, value_name = "FORMAT[,RESULT]", requires = "products")]
    formats: Option<String>,
    /// The number of products of the machine that --formats describes
    #[arg(long, value_name = "K", requires = "formats", value_parser = clap::value_parser!(u32).range(1..))]
    products: Option<u32>,
}

/// The format of c and of the result if `--formats` does not name it: of these factors.
fn default_result(factors: Format) -> Format {
    if factors.is_integer() {
        Format::S32
    } else {
        Format::F32
    }
}

impl FormatArgs {
    /// A model that has these formats and so many products; `None` if the options are not given.
    pub fn model(&self) -> Result<Option<Model>, Error> {
        let (Some(formats), Some(products)) = (&self.formats, self.products) else {
            return Ok(None);
        };
        let (factors, result) = match formats.split_once(',') {
            Some((factors, result)) => (named(factors)?, Some(named(result)?)),
            None => (named(formats)?, None),
        };
        Ok(Some(Model::parse(&exact(factors, result, products))?))
    }

    /// The formats as they are given, and the number of products.
    pub fn given(&self) -> Option<(&str, u32)> {
        self.formats.as_deref().zip(self.products)
    }
}

fn named(name: &str) -> Result<Format, Error> {
    let found = Format::all_known_as(name).into_iter().next();
    found.ok_or_else(|| {
        let found = excerpt(name);
        Error::Usage(format!(
            "--formats: expected formats such as f16,f32, found `{found}`"
        ))
    })
}

/// The text of a model of any machine with these formats.
fn exact(factors: Format, result: Option<Format>, products: u32) -> String {
    let result = result.unwrap_or_else(|| default_result(factors));
    match factors.is_integer() {
        true => format!("int:K={products},in={factors},acc={result}"),
        false => format!("exact:K={products},in={factors},out={result}"),
    }
}

/// The options that describe a machine with this signature, such as `--formats f16 --products 4`;
/// `None` if they cannot.
pub(super) fn as_options(signature: &Signature) -> Option<String> {
    let Signature { a, d, products, .. } = signature;
    let described = Model::parse(&exact(*a, Some(*d), *products)).ok()?;
    let result = match *d == default_result(*a) {
        true => String::new(),
        false => format!(",{d}"),
    };
    let is_same = described.signature() == *signature;
    is_same.then(|| format!("--formats {a}{result} --products {products}"))
}

/// A short text of a model with this signature that `--base` can take; `None` if a fused dot-add
/// cannot have this signature.
pub(super) fn as_base(signature: &Signature) -> Option<String> {
    let Signature {
        a,
        b,
        c,
        d,
        products,
        ..
    } = signature;
    let fits = |keys: &[String]| {
        let model = Model::parse(&format!("fda:K={products}{}", keys.concat()));
        model.is_ok_and(|model| model.signature() == *signature)
    };
    let mut keys = if a == b {
        vec![format!(",in={a}")]
    } else {
        vec![format!(",a={a}"), format!(",b={b}")]
    };
    keys.extend([format!(",out={d}"), format!(",c={c}")]);
    if !fits(&keys) {
        return None;
    }
    // Keys at their defaults are left out.
    for at in (0..keys.len()).rev() {
        let key = keys.remove(at);
        if !fits(&keys) {
            keys.insert(at, key);
        }
    }
    Some(format!("fda:K={products}{}", keys.concat()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::{as_base, as_options};
    use mmasmt_core::machines::model::Model;

    #[test]
    fn signatures_are_spelled_as_options_and_as_bases() {
        for (model, options, base) in [
            (
                "fda:K=4",
                Some("--formats f16 --products 4"),
                Some("fda:K=4"),
            ),
            (
                "fda:K=8,in=bf16",
                Some("--formats bf16 --products 8"),
                Some("fda:K=8,in=bf16"),
            ),
            (
                "fda:K=16,out=f16",
                Some("--formats f16,f16 --products 16"),
                Some("fda:K=16,out=f16"),
            ),
            (
                "fda:K=32,a=e4m3,b=e5m2",
                None,
                Some("fda:K=32,a=e4m3,b=e5m2"),
            ),
            ("int:K=32", Some("--formats s8 --products 32"), None),
            ("int:K=32,a=u8,b=s8", None, None),
        ] {
            let signature = Model::parse(model).unwrap().signature();
            assert_eq!(as_options(&signature).as_deref(), options, "{model}");
            assert_eq!(as_base(&signature).as_deref(), base, "{model}");
        }
    }
}
