//! The tests of Fasi, Higham, Mikaitis and Pranesh, Numerical behavior of NVIDIA tensor cores
//! (Fasi et al. §3).
//!
//! The paper adapts its constants to the number of bits that a unit keeps below the last bit of the
//! result. The tests here make inputs with the constants for each of several such numbers.

mod carry;
mod monotonic;
mod normalisation;
mod order;
mod products;
mod rounding;
mod subnormals;

use super::asker::TestInputs;
use super::sums::Unfit;
use super::test::{ReadingRule, Suite, Test};

pub(super) const TESTS: &[Test] = &[
    test("subnormal-factors", "§3.1.1", subnormals::factors),
    test("subnormal-accumulator", "§3.1.1", subnormals::accumulator),
    test("subnormal-results", "§3.1.1", subnormals::results),
    test("subnormal-differences", "§3.1.1", subnormals::differences),
    test("subnormals-in-hardware", "§3.1.1", subnormals::in_hardware),
    test("exact-products", "§3.1.2", products::exact),
    test("exact-products-narrow", "§3.1.2", products::exact_narrow),
    test("accumulation-order", "§3.1.2", order::order),
    test("addition-rounding", "§3.1.3", rounding::additions),
    test("conversion-rounding", "§3.1.3", rounding::conversion),
    test("extra-bits", "§3.1.4", order::extra_bits),
    test("normalised-sums", "§3.1.4", normalisation::sums),
    test(
        "normalised-differences",
        "§3.1.4",
        normalisation::differences,
    ),
    test("carry-bits", "§3.1.4", carry::carry_bits),
    test("final-rounding", "§3.1.4", rounding::normalised),
    test("monotonicity", "§3.1.4", monotonic::monotonic),
];

const fn test(
    name: &'static str,
    section: &'static str,
    ask: fn(&mut TestInputs<'_>) -> Result<ReadingRule, Unfit>,
) -> Test {
    Test {
        suite: Suite::Fasi,
        name,
        section,
        ask,
    }
}
