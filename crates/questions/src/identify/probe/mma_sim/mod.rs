//! The tests of Xie et al., MMA-Sim §III.

mod overflow;
mod precision;
mod rounding;
mod special;
mod summation;

use super::asker::TestInputs;
use super::sums::Unfit;
use super::test::{ReadingRule, Suite, Test};

pub(super) use precision::{Alignment, Kept, ThreeQuarters};

pub(super) const TESTS: &[Test] = &[
    test("summation-tree", "§III-C", summation::tree),
    test("addition-precision", "§III-D", precision::addition),
    test("product-precision", "§III-D", precision::products),
    test(
        "late-product-precision",
        "§III-D",
        precision::three_products,
    ),
    test("c-precision", "§III-D", precision::accumulator),
    test("result-rounding", "§III-E", rounding::result),
    test("product-rounding", "§III-E", rounding::products),
    test("c-rounding", "§III-E", rounding::accumulator),
    test("subnormal-c", "§III-F", special::subnormal_c),
    test("subnormal-a", "§III-F", special::subnormal_a),
    test("subnormal-b", "§III-F", special::subnormal_b),
    test("subnormal-product", "§III-F", special::subnormal_product),
    test("subnormal-sum", "§III-F", special::subnormal_sum),
    test("negative-zero", "§III-F", special::negative_zero),
    test("product-overflow", "§III-F", overflow::product_overflow),
    test("sum-overflow", "§III-F", overflow::sum_overflow),
    test("overflow-rule", "§III-F", overflow::overflow_rule),
    test("infinite-sum", "§III-F", overflow::infinite_sum),
    test(
        "nan-of-zero-times-infinity",
        "§III-F",
        special::nan_of_product,
    ),
    test("nan-of-infinities", "§III-F", special::nan_of_sum),
];

const fn test(
    name: &'static str,
    section: &'static str,
    ask: fn(&mut TestInputs<'_>) -> Result<ReadingRule, Unfit>,
) -> Test {
    Test {
        suite: Suite::MmaSim,
        name,
        section,
        ask,
    }
}
