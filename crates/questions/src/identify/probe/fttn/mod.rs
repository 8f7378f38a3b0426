//! The tests of Li et al., FTTN §III-A, under the names that the paper gives them.

mod extra_bits;
mod order;
mod rounding;
mod subnormals;
mod width;

pub(super) use rounding::Direction;
pub(super) use width::{Wide, Width};

use super::test::{Suite, Test};

pub(super) const TESTS: &[Test] = &[
    test("T_si_no", subnormals::si_no),
    test("T_ni_so", subnormals::ni_so),
    test("T_sa", subnormals::sa),
    test("T_1_bit", extra_bits::one_bit),
    test("T_rnd_dir", rounding::direction),
    test("T_3_bits_fin_rnd", extra_bits::three_bits),
    test("T_prod", rounding::product),
    test("T_blk_fma_width", width::width),
    test("T_pres_extra_acc", width::preserved),
    test("T_acc_order", order::order),
];

const fn test(
    name: &'static str,
    ask: fn(
        &mut super::asker::TestInputs<'_>,
    ) -> Result<super::test::ReadingRule, super::sums::Unfit>,
) -> Test {
    Test {
        suite: Suite::Fttn,
        name,
        section: "§III-A",
        ask,
    }
}
