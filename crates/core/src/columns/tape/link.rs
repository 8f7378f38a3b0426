//! A link of a chain as one operation: the instructions of a tape that find the greatest exponent of
//! the products and of `c`, align and sum them, and round the sum to binary32.
//!
//! A link is recognised in the tape of the rest of a product of matrices, and computes what these
//! instructions compute where every power of two is a normal number of binary32; elsewhere, and for
//! infinities and NaNs, it gives up, and the tape itself has to run.

use super::element::Type;
use super::link_rule::LinkRule;

/// A link: its columns, and the constants of its operation.
#[derive(Clone, Debug)]
pub struct Link {
    /// The type of exponents.
    pub(super) of: Type,
    /// The exponents whose greatest sum is looked for: the inputs of the left and the right side.
    pub(super) exponents: Vec<[usize; 2]>,
    /// The factors of the products, likewise, in groups whose sums fit 32 bits.
    pub(super) products: Vec<Vec<[usize; 2]>>,
    pub(super) rule: LinkRule,
}
