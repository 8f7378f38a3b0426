//! The header of a vector file: the signature of its operands, and the models whose results it has.

use crate::vectors::VectorError;
use mmasmt_core::base::excerpt::excerpt;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::numbers::float::Format;
use serde::Deserialize;

/// The object that begins a file of JSON Lines, and that a file `.npz` holds as `about`. Only these
/// fields of the object are read; its other fields are for people.
#[derive(Debug, Default, Deserialize)]
pub(super) struct FileHeader {
    pub signature: Option<String>,
    #[serde(default)]
    pub models: Vec<String>,
}

/// Compares a comment that names a signature, such as `# 4 products f16 x f16, c f32, result f32`,
/// with the model's signature; other comments are for people. `d f32`, as `models show` prints it,
/// means `result f32`.
///
/// # Errors
/// If the comment names other operands.
pub(super) fn check_comment(
    comment: &[u8],
    line: usize,
    signature: &Signature,
) -> Result<(), VectorError> {
    let Ok(text) = std::str::from_utf8(comment) else {
        return Ok(());
    };
    let text = text.trim_start_matches('#').trim();
    if names_products(text) {
        check(text, line, signature)
    } else {
        Ok(())
    }
}

/// Whether the text begins as a signature does, such as `16 products f16 x bf16`.
fn names_products(text: &str) -> bool {
    let first = text.split(',').next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let is_format = |name: &str| Format::ALL.iter().any(|format| format.name() == name);
    match words[..] {
        [count, "products", a, "x", b] => {
            count.bytes().all(|byte| byte.is_ascii_digit()) && is_format(a) && is_format(b)
        }
        _ => false,
    }
}

/// Checks that the fields of a signature in `text` agree with `signature`; some of them may be
/// missing.
fn check(text: &str, line: usize, signature: &Signature) -> Result<(), VectorError> {
    let expected = signature.to_string();
    let is_so = |clause: &str| {
        let said = match clause.strip_prefix("d ") {
            Some(format) => format!("result {format}"),
            None => clause.to_owned(),
        };
        expected.split(", ").any(|known| known == said)
    };
    if text.split(',').map(str::trim).all(is_so) {
        return Ok(());
    }
    Err(VectorError::OtherSignature {
        line,
        found: excerpt(text),
        expected,
    })
}

impl FileHeader {
    /// Checks that the header names this signature, if it names one.
    ///
    /// # Errors
    /// If the header names another signature.
    pub fn check(&self, line: usize, signature: &Signature) -> Result<(), VectorError> {
        (self.signature.as_ref()).map_or(Ok(()), |text| check(text, line, signature))
    }

    /// The column with the results of `model`. If the file has the results of at most one model,
    /// this is its only column, whatever model it names.
    ///
    /// # Errors
    /// If the file is for other operands, or has the results of several models but not of this one.
    pub fn column(
        &self,
        line: usize,
        signature: &Signature,
        model: Option<&str>,
    ) -> Result<usize, VectorError> {
        self.check(line, signature)?;
        let own = self.models.iter().position(|name| Some(&**name) == model);
        match (own, self.models.len()) {
            (Some(column), _) => Ok(column),
            (None, 0 | 1) => Ok(0),
            _ => Err(VectorError::WhichResults {
                line,
                wanted: model
                    .map_or_else(String::new, |model| format!(" or of `{}`", excerpt(model))),
                found: excerpt(&self.models.join(" ")),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::check_comment;
    use mmasmt_core::machines::model::Model;

    #[test]
    fn a_signature_is_read_as_files_say_it_and_as_models_are_shown() {
        let signature = Model::parse("hopper/HMMA.16816.F32").unwrap().signature();
        let reads = |text: &str| check_comment(text.as_bytes(), 1, &signature).is_ok();
        for text in [
            "# 16 products f16 x f16, c f32, result f32",
            "# 16 products f16 x f16, c f32, d f32",
            "# 16 products f16 x f16, d f32",
            "# results of that morning, d f16",
        ] {
            assert!(reads(text), "{text}");
        }
        for text in [
            "# 16 products f16 x f16, c f32, result f16",
            "# 16 products f16 x f16, c f32, d f16",
            "# 16 products f16 x f16, c f32, f32",
        ] {
            assert!(!reads(text), "{text}");
        }
    }
}
