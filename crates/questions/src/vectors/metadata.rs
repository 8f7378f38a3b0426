//! A vector gives the B of a sparse instruction in one of two ways: as all elements of B with a
//! code for each group of them, or as only the elements that the codes select.
//!
//! A model takes only the selected elements. Readers therefore apply the codes; writers, if asked,
//! draw a whole B from which the codes select the model's operands.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{Metadata, Signature, Sparsity, SparsityError};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The fields of a vector.
#[derive(Clone, Copy, Debug)]
pub struct MetadataLayout {
    /// The formats of the operands and the result.
    pub signature: Signature,
    /// The kind of codes that may stand before the result; with codes, B has twice as many
    /// elements.
    pub metadata: Option<Metadata>,
    /// Whether the model reads c; if not, c must be 0.
    pub reads_c: bool,
}

impl MetadataLayout {
    /// If `c` is not zero and the model does not read it, the expected and the actual c, as text;
    /// otherwise `None`.
    pub(super) fn unread(&self, c: u64) -> Option<[String; 2]> {
        (!self.reads_c && self.signature.c.magnitude(c) != 0).then(|| {
            let expected = "0 as c, which the model does not read";
            [expected.into(), format!("0x{c:x}")]
        })
    }
}

/// The layout of a dense instruction.
impl From<&Signature> for MetadataLayout {
    fn from(signature: &Signature) -> MetadataLayout {
        MetadataLayout {
            signature: *signature,
            metadata: None,
            reads_c: true,
        }
    }
}

impl From<&Model> for MetadataLayout {
    fn from(model: &Model) -> MetadataLayout {
        MetadataLayout {
            signature: model.signature(),
            metadata: model.metadata(),
            reads_c: model.reads_c(),
        }
    }
}

/// The format of a code, a number of four bits.
pub(super) const CODE: Format = Format::U4;

/// The most elements of B, and the most codes, for `products` products.
pub(super) fn most(metadata: Metadata, products: usize) -> [usize; 2] {
    let kept = metadata.sparsity.kept();
    let groups = products.div_ceil(kept);
    [2 * kept * groups, groups]
}

/// The elements of `b` that the codes select for `kept` elements of A. The error holds the expected
/// and the actual input, as text.
pub(super) fn select(
    metadata: Metadata,
    kept: usize,
    codes: &[u64],
    b: &[u64],
) -> Result<Vec<u64>, [String; 2]> {
    let Metadata { sparsity, ordered } = metadata;
    let selected = sparsity.select(kept, codes, b, ordered);
    selected.map_err(|error| match error {
        SparsityError::Count {
            what,
            expected,
            kept,
            found,
        } => [
            format!("{expected} {what} for {kept} of a"),
            found.to_string(),
        ],
        SparsityError::Code {
            group,
            found,
            expected,
        } => [expected.into(), format!("code {found:#x} of group {group}")],
    })
}

/// Draws codes and a whole B from which these codes select given elements. The codes are legal; the
/// other elements of B are any registers.
pub(super) struct DrawnMetadata {
    sparsity: Sparsity,
    /// The legal codes.
    legal: Vec<u64>,
    b: Format,
    rng: ChaCha8Rng,
}

impl DrawnMetadata {
    pub fn new(metadata: Metadata, signature: &Signature, seed: u64) -> Self {
        DrawnMetadata {
            sparsity: metadata.sparsity,
            legal: metadata.sparsity.codes(metadata.ordered),
            b: signature.b,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The same inputs with a whole B, and the codes that select the elements of the given B from
    /// it.
    pub fn around(&mut self, inputs: &Inputs) -> (Inputs, Vec<u64>) {
        let (sparsity, legal) = (self.sparsity, &self.legal);
        let mask = u64::MAX >> (64 - self.b.width());
        let mut whole = inputs.clone();
        whole.b.clear();
        let mut codes = Vec::new();
        for selected in inputs.b.chunks(sparsity.kept()) {
            let code = legal[self.rng.random_range(0..legal.len())];
            let mut group: Vec<u64> = (0..2 * sparsity.kept())
                .map(|_| self.rng.random::<u64>() & mask)
                .collect();
            for (place, register) in sparsity.places(code).into_iter().zip(selected) {
                group[place] = *register;
            }
            whole.b.extend(group);
            codes.push(code);
        }
        (whole, codes)
    }
}
