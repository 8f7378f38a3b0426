//! A link of a chain as one operation: the instructions of a tape that find the greatest exponent of
//! the products and of `c`, align and sum them, and round the sum to binary32.
//!
//! A link is recognised in the tape of the rest of a product of matrices, and computes what these
//! instructions compute where every power of two is a normal number of binary32; elsewhere, and for
//! infinities and NaNs, it gives up, and the tape itself has to run.

use super::element::Type;
use super::float_chain::FloatChain;
use super::link_rule::LinkRule;
use super::lower::Tape;

/// What the tape of the rest of a product of matrices is, in one of the forms that run over strips.
#[derive(Clone, Debug)]
pub enum LinkProgram {
    /// Links, each of which takes the result of the one before in place of `c`.
    Aligned(Vec<Link>),
    /// Operations of IEEE 754.
    Floats(FloatChain),
}

impl LinkProgram {
    /// The form of a tape; `None` if it has none. `c` is the number of an input; inputs from `first` on are
    /// values of the sides, the first `lefts` of them of the left side.
    pub fn of(tape: &Tape, c: usize, [first, lefts]: [usize; 2]) -> Option<LinkProgram> {
        let aligned = Link::all(tape, c, [first, lefts]).map(LinkProgram::Aligned);
        aligned.or_else(|| FloatChain::of(tape, c, [first, lefts]).map(LinkProgram::Floats))
    }
}

/// A link: its columns, and the constants of its operation.
#[derive(Clone, Debug)]
pub struct Link {
    /// The type of exponents.
    pub(super) of: Type,
    /// The exponents whose greatest sum is looked for: the inputs of the left and the right side.
    pub(super) exponents: Vec<[usize; 2]>,
    /// The factors of the products, likewise, in groups whose sums fit 32 bits.
    pub(super) products: Vec<Vec<[usize; 2]>>,
    /// The signs of products, likewise, each of which is negated without adding one where `c` is not
    /// negative, and added one too many where `c` is negative and the product is not.
    pub(super) signs: Vec<[usize; 2]>,
    pub(super) rule: LinkRule,
}
