//! Keys of schemes.

use super::key::Keys;
use super::table::Table;
use crate::compositions::Kind;
use crate::schemes::{Markidis, ProductOrder, Scheme};

const ORDER: &[(&str, ProductOrder)] = &[
    ("large-first", ProductOrder::LargeFirst),
    ("small-first", ProductOrder::SmallFirst),
    ("interleaved", ProductOrder::Interleaved),
];

pub(super) fn markidis() -> Table<Markidis, Kind> {
    Table {
        name: "markidis",
        summary: "f32 in two f16; A B + R_A B + A R_B + R_A R_B in one accumulator",
        source: "Markidis et al. 2018, arXiv 1803.04014",
        base: Markidis {
            products: 0,
            order: ProductOrder::LargeFirst,
        },
        keys: Keys::composed(|p: &mut Markidis| &mut p.products)
            .choice("order", ORDER, |p| &mut p.order)
            .means("each product over all k before the next, or all four for each instruction"),
        check: |_| Ok(()),
        make: |p| Kind::Scheme(Scheme::Markidis(p)),
        params: |kind| match kind {
            Kind::Scheme(Scheme::Markidis(p)) => Some(*p),
            _ => None,
        },
    }
}
