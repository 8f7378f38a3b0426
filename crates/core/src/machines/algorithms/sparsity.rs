//! Structured sparsity: the selection of the elements of B that are multiplied by the elements kept
//! in a compressed A.
//!
//! A row of A keeps half of the elements of every group. A code of four bits for each group says
//! which elements are kept: it has two indices of two bits, the first in the low bits, and each
//! index is the number of a quarter of the group (PTX ISA 9.1, "Sparse matrix storage"; AMD's
//! SMFMAC). Each kept element of A is multiplied by the selected element of B, in the order of A. A
//! sparse instruction is therefore a selection followed by the dot-add of a dense instruction with
//! as many products.
//!
//! The two products of a group of four stand side by side, in the compressed and in the original
//! order. A sum over parts of `n` compressed products is therefore a sum over parts of `2n`
//! original products; the keys `K` and `chain` say how long the parts of a unit are.

use mmasmt_numbers::bits::{Bv, Concrete, Prop, W64, mux};
use thiserror::Error;

/// The pattern by which elements are selected from a group of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sparsity {
    /// Two of four elements.
    TwoOfFour,
    /// One of two elements. Each element takes two quarters, so that the only codes are 0100 and
    /// 1110 (tf32).
    OneOfTwo,
    /// Four of eight elements, in pairs (4-bit formats).
    PairsOfEight,
}

/// The metadata that a sparse instruction allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Metadata {
    /// The pattern by which elements are selected from a group.
    pub sparsity: Sparsity,
    /// Whether the indices of a code have to increase.
    pub ordered: bool,
}

/// The number of bits of a group's code.
pub const CODE_BITS: u32 = 4;

/// The code that selects the first half of a group.
pub const FIRST: u64 = 0b0100;

/// Why the operands of a sparse dot-add do not fit each other.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SparsityError {
    /// Too many or too few codes or elements of B.
    #[error("expected {expected} {what} for {kept} of a, found {found}")]
    Count {
        /// `codes` or `elements of b`.
        what: &'static str,
        /// The required number.
        expected: usize,
        /// The number of elements of A.
        kept: usize,
        /// The number of codes or elements that was found.
        found: usize,
    },
    /// A code that the instruction does not allow.
    #[error("code {found:#x} of group {group}: expected {expected}")]
    Code {
        /// The number of the group.
        group: usize,
        /// The code that was found.
        found: u64,
        /// The allowed codes.
        expected: &'static str,
    },
}

impl Sparsity {
    /// The pattern with this name: `2:4`, `1:2` or `4:8`.
    pub fn named(name: &str) -> Option<Sparsity> {
        match name {
            "2:4" => Some(Sparsity::TwoOfFour),
            "1:2" => Some(Sparsity::OneOfTwo),
            "4:8" => Some(Sparsity::PairsOfEight),
            _ => None,
        }
    }

    /// The name of the pattern.
    pub fn name(self) -> &'static str {
        match self {
            Sparsity::TwoOfFour => "2:4",
            Sparsity::OneOfTwo => "1:2",
            Sparsity::PairsOfEight => "4:8",
        }
    }

    /// The number of elements of A in a group; B has twice as many.
    pub fn kept(self) -> usize {
        match self {
            Sparsity::TwoOfFour => 2,
            Sparsity::OneOfTwo => 1,
            Sparsity::PairsOfEight => 4,
        }
    }

    /// Whether an instruction allows this code of [`CODE_BITS`] bits. With `ordered`, the indices
    /// must increase, as for `mma.sp::ordered_metadata`; otherwise they must only differ.
    pub fn allows<B: Bv>(self, code: &B, ordered: bool) -> B::Bool {
        let [first, second] = [code.extract(1, 0), code.extract(3, 2)];
        let is = |value| code.equals(&B::lit(CODE_BITS, value));
        match self {
            Sparsity::OneOfTwo => is(FIRST).or(&is(0b1110)),
            _ if ordered => first.ult(&second),
            _ => first.equals(&second).not(),
        }
    }

    /// The codes that an instruction allows.
    pub fn codes(self, ordered: bool) -> Vec<u64> {
        let allowed = |code: &u64| self.allows(&W64::lit(CODE_BITS, *code), ordered);
        (0..1 << CODE_BITS).filter(allowed).collect()
    }

    /// The places in a group of B that an allowed code selects, in the order of A.
    pub fn places(self, code: u64) -> Vec<usize> {
        let all: Vec<W64> = (0..2 * self.kept() as u64)
            .map(|place| W64::lit(64, place))
            .collect();
        let selected = self.selected(&W64::lit(CODE_BITS, code), &all);
        selected
            .iter()
            .map(|place| place.to_u64() as usize)
            .collect()
    }

    /// The requirement of [`allows`](Self::allows), in words.
    fn allowed(self, ordered: bool) -> &'static str {
        match (self, ordered) {
            (Sparsity::OneOfTwo, _) => "0x4 or 0xe",
            (_, true) => "two increasing indices: 0x4, 0x8, 0x9, 0xc, 0xd or 0xe",
            (_, false) => "two indices that differ",
        }
    }

    /// The elements of a group of B that `code` selects, in the order of A.
    pub fn selected<B: Bv>(self, code: &B, group: &[B]) -> Vec<B> {
        let quarter = |index: u32, within: usize, size: usize| {
            let of = |number: usize| &group[number * size + within];
            let [low, high] = [2 * index, 2 * index + 1].map(|bit| code.bit(bit));
            mux(&high, &mux(&low, of(3), of(2)), &mux(&low, of(1), of(0)))
        };
        match self {
            Sparsity::TwoOfFour => vec![quarter(0, 0, 1), quarter(1, 0, 1)],
            Sparsity::OneOfTwo => vec![mux(&code.bit(1), &group[1], &group[0])],
            Sparsity::PairsOfEight => vec![
                quarter(0, 0, 2),
                quarter(0, 1, 2),
                quarter(1, 0, 2),
                quarter(1, 1, 2),
            ],
        }
    }

    /// The elements of B that are multiplied by the `kept` elements of A, selected by one code for
    /// each group.
    ///
    /// # Errors
    /// If the numbers of codes and of elements of B do not match A, or a code is not allowed.
    pub fn select(
        self,
        kept: usize,
        codes: &[u64],
        b: &[u64],
        ordered: bool,
    ) -> Result<Vec<u64>, SparsityError> {
        let groups = kept.div_ceil(self.kept());
        let counted = |what, expected, found| {
            if expected == found {
                Ok(())
            } else {
                Err(SparsityError::Count {
                    what,
                    expected,
                    kept,
                    found,
                })
            }
        };
        counted("codes", groups, codes.len())?;
        counted("elements of b", 2 * self.kept() * groups, b.len())?;
        let mut selected = Vec::with_capacity(kept);
        let of_groups = b.chunks(2 * self.kept());
        for (number, (code, group)) in codes.iter().zip(of_groups).enumerate() {
            let word = W64::lit(CODE_BITS, *code & 0xf);
            if *code > 0xf || !self.allows(&word, ordered) {
                return Err(SparsityError::Code {
                    group: number,
                    found: *code,
                    expected: self.allowed(ordered),
                });
            }
            selected.extend(self.places(*code).into_iter().map(|place| group[place]));
        }
        selected.truncate(kept);
        Ok(selected)
    }
}
