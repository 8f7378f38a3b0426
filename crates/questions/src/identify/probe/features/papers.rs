//! The papers, each a list of features: the name that the paper has for it, the section, and the
//! feature with the words of the paper. Integers, which no paper tests, have a list of their own.

use super::subnormals::{self, SubnormalWords};
use super::{
    aligned_rounding, carry, extra_bits, integer_groups, integers, monotonic, normalisation, order,
    overflow, precision, products, rounding, special, sum_precision, summation, width,
};
use crate::identify::probe::asker::TestInputs;
use crate::identify::probe::sums::{FormatMisfit, SumPlace};
use crate::identify::probe::test::{ReadingRule, Suite, Test};

/// All tests, one paper after another, in the order of each paper.
pub fn tests() -> impl Iterator<Item = &'static Test> {
    [FTTN, MMA_SIM, FASI, INTEGERS].into_iter().flatten()
}

/// The places of products of -1 and 1, or of `c` = -1 and a product of 1.
const PRODUCTS: [SumPlace; 2] = [SumPlace::Product(0), SumPlace::Product(1)];
const C_AND_PRODUCT: [SumPlace; 2] = [SumPlace::C, SumPlace::Product(0)];

/// Li et al., FTTN §III-A, under the names that the paper gives them.
const FTTN: &[Test] = &[
    fttn("T_si_no", |asker| {
        let words = SubnormalWords::Sentences(
            "a subnormal factor counts",
            "a subnormal factor is taken for zero",
        );
        subnormals::factor_of_normal(asker, words)
    }),
    fttn("T_ni_so", |asker| {
        let words = SubnormalWords::Sentences(
            "a subnormal result is given",
            "a subnormal result becomes zero",
        );
        subnormals::result(asker, words)
    }),
    fttn("T_sa", |asker| {
        let words = SubnormalWords::Sentences(
            "a subnormal accumulator is kept",
            "a subnormal accumulator becomes zero",
        );
        subnormals::accumulator(asker, words)
    }),
    fttn("T_1_bit", extra_bits::one_bit),
    fttn("T_rnd_dir", rounding::direction),
    fttn("T_3_bits_fin_rnd", extra_bits::three_bits),
    fttn("T_prod", products::rounding),
    fttn("T_blk_fma_width", width::width),
    fttn("T_pres_extra_acc", width::preserved),
    fttn("T_acc_order", order::by_place),
];

/// Xie et al., MMA-Sim §III.
const MMA_SIM: &[Test] = &[
    mma_sim("summation-tree", "§III-C", summation::tree),
    mma_sim("addition-precision", "§III-D", precision::addition),
    mma_sim("product-precision", "§III-D", precision::products),
    mma_sim("late-product-precision", "§III-D", |asker| {
        let shows = "fraction bits of a product that count beside products of -1 and 1";
        precision::beside_products(asker, SumPlace::Product(2), shows)
    }),
    mma_sim("c-precision", "§III-D", |asker| {
        let shows = "fraction bits of c that count beside products of -1 and 1";
        precision::beside_products(asker, SumPlace::C, shows)
    }),
    mma_sim("sum-precision", "§IV-F", sum_precision::beside_c),
    mma_sim("result-rounding", "§III-E", aligned_rounding::result),
    mma_sim("product-rounding", "§III-E", |asker| {
        aligned_rounding::aligned(asker, C_AND_PRODUCT, SumPlace::Product(1), "a product")
    }),
    mma_sim("c-rounding", "§III-E", |asker| {
        aligned_rounding::aligned(asker, PRODUCTS, SumPlace::C, "c")
    }),
    mma_sim("subnormal-c", "§III-F", |asker| {
        subnormals::accumulator(asker, SubnormalWords::Kept("a subnormal c"))
    }),
    mma_sim("subnormal-a", "§III-F", |asker| {
        subnormals::factor_a(asker, SubnormalWords::Kept("a subnormal factor a"))
    }),
    mma_sim("subnormal-b", "§III-F", |asker| {
        subnormals::factor_b(asker, SubnormalWords::Kept("a subnormal factor b"))
    }),
    mma_sim("subnormal-product", "§III-F", |asker| {
        let what = "a product that is subnormal in the format of its factors";
        subnormals::product_beside(asker, SubnormalWords::Kept(what))
    }),
    mma_sim("subnormal-sum", "§III-F", |asker| {
        subnormals::sum(
            asker,
            SubnormalWords::Kept("a subnormal sum of normal numbers"),
        )
    }),
    mma_sim("negative-zero", "§III-F", special::negative_zero),
    mma_sim("product-overflow", "§III-F", overflow::product_overflow),
    mma_sim("sum-overflow", "§III-F", overflow::sum_overflow),
    mma_sim("overflow-rule", "§III-F", overflow::overflow_rule),
    mma_sim("infinite-sum", "§III-F", overflow::infinite_sum),
    mma_sim(
        "nan-of-zero-times-infinity",
        "§III-F",
        special::nan_of_product,
    ),
    mma_sim("nan-of-infinities", "§III-F", special::nan_of_sum),
];

/// Fasi, Higham, Mikaitis and Pranesh, Numerical behavior of NVIDIA tensor cores, §3. The paper
/// adapts its constants to the number of bits that a unit keeps below the last bit of the result.
/// The tests here make inputs with the constants for each of several such numbers.
const FASI: &[Test] = &[
    fasi("subnormal-factors", "§3.1.1", |asker| {
        subnormals::least_factor(asker, SubnormalWords::Supported("subnormal factors"))
    }),
    fasi("subnormal-accumulator", "§3.1.1", |asker| {
        subnormals::least_accumulator(asker, SubnormalWords::Supported("subnormal accumulators"))
    }),
    fasi("subnormal-results", "§3.1.1", |asker| {
        let what = "results that are subnormal in the format of the factors";
        subnormals::half_of_factor(asker, SubnormalWords::Supported(what))
    }),
    fasi("subnormal-differences", "§3.1.1", subnormals::difference),
    fasi("subnormals-in-hardware", "§3.1.1", subnormals::in_hardware),
    fasi("exact-products", "§3.1.2", products::exact),
    fasi("exact-products-narrow", "§3.1.2", products::exact_narrow),
    fasi("accumulation-order", "§3.1.2", order::of_additions),
    fasi("addition-rounding", "§3.1.3", rounding::additions),
    fasi("conversion-rounding", "§3.1.3", rounding::conversion),
    fasi("extra-bits", "§3.1.4", extra_bits::of_alignment),
    fasi("normalised-sums", "§3.1.4", normalisation::sums),
    fasi(
        "normalised-differences",
        "§3.1.4",
        normalisation::differences,
    ),
    fasi("carry-bits", "§3.1.4", carry::carry_bits),
    fasi("final-rounding", "§3.1.4", rounding::normalised),
    fasi("monotonicity", "§3.1.4", monotonic::monotonic),
];

/// Tests of integers.
const INTEGERS: &[Test] = &[
    integer("factor-a", |asker| {
        integers::factor(asker, integers::FactorSide::A)
    }),
    integer("factor-b", |asker| {
        integers::factor(asker, integers::FactorSide::B)
    }),
    integer("bits", integers::bits),
    integer("sum-of-products", integers::sum_of_products),
    integer("overflow", integers::overflow),
    integer("clamp-before-c", integers::clamp_before_c),
    integer("clamps", integer_groups::clamps),
];

type Ask = fn(&mut TestInputs<'_>) -> Result<ReadingRule, FormatMisfit>;

const fn fttn(name: &'static str, ask: Ask) -> Test {
    test(Suite::Fttn, name, "§III-A", ask)
}

const fn mma_sim(name: &'static str, section: &'static str, ask: Ask) -> Test {
    test(Suite::MmaSim, name, section, ask)
}

const fn fasi(name: &'static str, section: &'static str, ask: Ask) -> Test {
    test(Suite::Fasi, name, section, ask)
}

const fn integer(name: &'static str, ask: Ask) -> Test {
    test(Suite::Integers, name, "-", ask)
}

const fn test(suite: Suite, name: &'static str, section: &'static str, ask: Ask) -> Test {
    Test {
        suite,
        name,
        section,
        ask,
    }
}
