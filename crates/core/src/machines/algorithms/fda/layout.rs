//! Widths and offsets of a fused dot-add, computed once from its parameters.

use super::params::{Carry, Params};
use crate::machines::algorithms::Grid;
use crate::machines::algorithms::terms::TermLayout;

/// The positions and widths of the numbers of a fused dot-add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub grid: Grid,
    pub terms: TermLayout,
    /// The number of bits of the exact sum, its sign included.
    pub sum_width: u32,
    /// The number of bits of the sum that the unit keeps; `None` if it keeps all.
    pub kept_width: Option<u32>,
}

impl Layout {
    pub(super) fn of(params: &Params) -> Layout {
        let terms = TermLayout::of(&params.term_rules());
        let fraction_bits = params.fraction_bits;
        let sum_width = terms.sum_width(params.products_per_sum, fraction_bits);
        let kept_width = match params.carry {
            Carry::Full => None,
            Carry::Bits(n) => Some(2 + n + fraction_bits).filter(|&width| width < sum_width),
        };
        Layout {
            grid: Grid {
                exponent_offset: terms.exponent_offset,
                term_fraction: terms.product_fraction,
                last_term: Some(("c", params.c.fraction_bits)),
                fraction_bits,
                term: match params.rounded_products {
                    None => Grid::PRODUCTS.term,
                    Some(_) => "rounded product",
                },
                result: Some(params.sum_format()),
                ..Grid::PRODUCTS
            },
            terms,
            sum_width,
            kept_width,
        }
    }
}
