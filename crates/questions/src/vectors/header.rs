//! The header of a vector file: the signature of its operands, and the models whose results it has.

use super::source::{is_stdin, open};
use crate::vectors::VectorError;
use mmasmt_core::machines::algorithms::{BlockScales, Signature};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

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
pub fn check_comment(
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
    let formats = || Format::ALL.into_iter().chain(Format::ELEMENTS);
    let is_format = |name: &str| formats().any(|format| format.name() == name);
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

/// The most bytes of a file that are read in search of its header.
const HEAD: u64 = 1 << 16;

/// The most products of a signature that a file can state.
const MOST_PRODUCTS: u32 = 1 << 20;

/// The signature that the first lines of the file at `path` state, as a comment or as JSON. `None`
/// if they state none, the file cannot be read, or it is standard input, which can be read only
/// once.
pub fn stated_signature(path: &Path) -> Option<Signature> {
    if is_stdin(path) {
        return None;
    }
    let lines = BufReader::new(open(path).ok()?.take(HEAD)).lines();
    let lines = lines.map_while(Result::ok);
    for line in lines {
        match line.strip_prefix('#') {
            Some(comment) => {
                if let Some(signature) = signature_of(comment.trim_start_matches('#').trim()) {
                    return Some(signature);
                }
            }
            None if line.starts_with('{') => {
                let header: FileHeader = serde_json::from_str(&line).ok()?;
                return signature_of(&header.signature?);
            }
            None if line.trim().is_empty() => {}
            None => return None,
        }
    }
    None
}

/// The signature that `text` spells as [`Signature`] is shown, such as
/// `16 products f16 x f16, c f32, result f32`; `None` if it spells none.
pub fn signature_of(text: &str) -> Option<Signature> {
    let named = |name: &str| Format::named(name).or_else(|| Format::scale_named(name));
    let mut clauses = text.split(", ").peekable();
    let (count, factors) = clauses.next()?.split_once(" products ")?;
    let products = count.parse().ok()?;
    let (a, b) = factors.split_once(" x ")?;
    let scales = clauses.next_if(|clause| clause.contains(" scales of "));
    let scales = match scales.and_then(|clause| clause.split_once(" scales of ")) {
        None => None,
        Some((format, block)) => Some(BlockScales {
            format: named(format)?,
            block: block.parse().ok().filter(|block| *block > 0)?,
        }),
    };
    let signature = Signature {
        a: named(a)?,
        b: named(b)?,
        c: named(clauses.next()?.strip_prefix("c ")?)?,
        d: named(clauses.next()?.strip_prefix("result ")?)?,
        products,
        scales,
    };
    let is_whole = clauses.next().is_none() && (1..=MOST_PRODUCTS).contains(&products);
    is_whole.then_some(signature)
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
