//! The answers follow the parameters of the models.

use super::{answer, answers, is};
use mmasmt_questions::identify::probe::TestAnswer;
use proptest::prelude::*;

#[test]
fn extra_bits_are_those_of_the_alignment() {
    for bits in 10..=36 {
        let model = format!("fda:F={bits}");
        let extra = (bits - 23i64).to_string();
        is(&model, "T_3_bits_fin_rnd", &extra);
        is(&model, "extra-bits", &extra);
        is(&model, "product-precision", &bits.to_string());
        is(&model, "c-precision", &bits.to_string());
        let kept = if bits > 23 { "yes" } else { "no" };
        is(&model, "T_1_bit", kept);
        is(&model, "addition-precision", &bits.min(23).to_string());
    }
    is("fda:F=13,frac=13", "addition-precision", "13");
}

#[test]
fn rounding_modes_are_told_apart() {
    for (key, name, fttn) in [
        ("rz", "RZ", "truncate"),
        ("rne", "RNE", "RTN-TE"),
        ("rd", "RD", "down"),
        ("ru", "RU", "up"),
        ("ra", "RA", "RA"),
    ] {
        for model in [format!("fda:F=40,round={key}"), format!("ieee:round={key}")] {
            is(&model, "T_rnd_dir", fttn);
            is(&model, "result-rounding", name);
        }
        // The product in f64 is rounded by itself.
        is(&format!("ieee:in=f64,acc=f64,round={key}"), "T_prod", fttn);
    }
    // A unit with fewer bits than its result cuts before it can round.
    is("fda:F=13,round=rne", "T_rnd_dir", "undecided");
    is("fda:F=13,round=rne", "result-rounding", "RZ");
    // Sums that carry have bits below their unit all the same.
    is("fda:F=13,round=rne,frac=13", "result-rounding", "RNE");
    is("fda:F=30,round=rne,frac=13", "result-rounding", "RNE");
}

#[test]
fn rounding_in_the_alignment() {
    for (key, name) in [("trunc", "RZ"), ("floor", "RD")] {
        for bits in [20, 24, 30] {
            let model = format!("fda:F={bits},align={key}");
            is(&model, "product-rounding", name);
            is(&model, "c-rounding", name);
        }
    }
    is("fdrda:K=8", "product-rounding", "RZ");
    is("fdrda:K=8", "c-rounding", "RD");
    is("exact", "product-rounding", "undecided");
}

#[test]
fn carry_bits_are_counted() {
    for (key, expected) in [("2", "2"), ("3", "3"), ("4", ">= 4"), ("full", ">= 4")] {
        for bits in [23, 24, 25] {
            is(&format!("fda:F={bits},carry={key}"), "carry-bits", expected);
        }
    }
    is("ieee:round=rz", "carry-bits", "0");
    is("sfma:fmt=f64,K=4", "carry-bits", "undecided");
}

#[test]
fn partial_sums_that_are_normalised() {
    for bits in 23..=25 {
        let model = format!("fda:F={bits},K=8");
        is(&model, "normalised-sums", "result");
        is(&model, "normalised-differences", "result");
        is(&model, "accumulation-order", "largest first");
    }
    is("sfma:fmt=f64", "normalised-sums", "each sum");
    is("sfma:fmt=f64", "accumulation-order", "as given");
    is("exact:K=4", "accumulation-order", "any");
    // Too many bits for four products to show it.
    is("fda:F=26", "normalised-sums", "undecided");
}

#[test]
fn monotonicity() {
    for bits in 23..=25 {
        is(&format!("fda:F={bits},K=8"), "monotonicity", "no");
    }
    // More than eight small products are needed where the alignment keeps three bits more.
    is("fda:F=26,K=16", "monotonicity", "no");
    for model in ["exact", "sfma:fmt=f64", "ieee", "gps:K=4"] {
        is(model, "monotonicity", "yes");
    }
}

#[test]
fn products() {
    is("fda", "exact-products", "yes");
    is("fda:out=f16", "exact-products-narrow", "yes");
    is("ieee:acc=f16,round=rz", "exact-products-narrow", "no");
    is("fda:out=f16", "conversion-rounding", "RN");
    is("fda:out=f16,round=rz", "conversion-rounding", "RZ");
    is("fda", "final-rounding", "RZ");
    is("exact", "final-rounding", "RN");
}

#[test]
fn subnormal_numbers() {
    for name in [
        "T_si_no",
        "T_sa",
        "subnormal-factors",
        "subnormal-accumulator",
    ] {
        is("fda:in=bf16", name, "yes");
        is("gps:in=bf16,K=4", name, "no");
    }
    for name in ["subnormal-a", "subnormal-b", "subnormal-c", "subnormal-sum"] {
        is("fda:in=bf16", name, "kept");
        is("gps:in=bf16,K=4", name, "flushed");
    }
    // What the text of MMA-Sim's Algorithm 3 keeps.
    is("gps:K=4", "T_si_no", "no");
    is("gps:K=4,subnormals=f32", "T_si_no", "yes");
    is("fda:in=bf16", "T_ni_so", "yes");
    is("fda", "T_ni_so", "not applicable");
}

#[test]
fn special_values() {
    is("fda", "negative-zero", "no");
    is("ieee", "negative-zero", "yes");
    is("fda:nan=quiet", "nan-of-infinities", "7fc00000");
    is("fda:nan=ones", "nan-of-zero-times-infinity", "7fffffff");
    is("fda:in=bf16", "product-overflow", "no");
    is("fdrda:in=bf16", "product-overflow", "yes");
    is("fda:in=bf16", "sum-overflow", "no");
    is("ieee:in=bf16", "sum-overflow", "yes");
    is("fda:in=bf16", "overflow-rule", "toward zero");
    is("exact:in=bf16", "overflow-rule", "nearest");
    is("fda:out=f16", "overflow-rule", "nearest");
}

#[test]
fn order_is_controllable_where_sums_are_pairwise() {
    is("fda:K=8", "T_acc_order", "no");
    is("gps:K=4", "T_acc_order", "yes");
    is("exact:K=2,chain=2", "T_acc_order", "no");
    is("sfma:fmt=f32", "T_acc_order", "undecided");
    is("fda:F=23", "T_acc_order", "undecided");
    is("fda:F=23", "T_blk_fma_width", "undecided");
    is("fda", "T_pres_extra_acc", "yes");
    is("fda:F=23", "T_pres_extra_acc", "no");
    is("ieee", "T_pres_extra_acc", "no");
}

/// Formats with few exponents have their inputs at another scale.
#[test]
fn narrow_factors() {
    is("fda:in=e4m3,K=32", "T_3_bits_fin_rnd", "1");
    is("fda:in=e5m2,K=32,F=25", "product-precision", "25");
    is("fda:in=e4m3,K=32,F=13,frac=13", "product-precision", "13");
    // Sums of even and of odd products are added rounded down.
    is("gfdrda:K=16", "product-rounding", "RD");
    // E2M1 has no factors of such products, which is no answer and no failure.
    for outcome in answers("gdfs", &[]).0 {
        let inconsistent = matches!(outcome.answer, TestAnswer::Inconsistent(_));
        assert!(!inconsistent, "{}: {:?}", outcome.test.name, outcome.answer);
    }
}

/// A unit that does not read c is asked what needs none, and contradicts nothing.
#[test]
fn a_unit_that_does_not_read_c() {
    for text in ["epilogue(fda:K=4)", "cublas/gemm.hopper.f32.f16.f16"] {
        for outcome in answers(text, &[]).0 {
            let inconsistent = matches!(outcome.answer, TestAnswer::Inconsistent(_));
            assert!(
                !inconsistent,
                "{text}: {}: {:?}",
                outcome.test.name, outcome.answer
            );
            assert!(outcome.vectors.iter().all(|vector| vector.inputs.c == 0));
        }
    }
    is("epilogue(fda:K=4)", "subnormal-c", "not applicable");
    is(
        "epilogue(fda:K=4)",
        "nan-of-zero-times-infinity",
        "7fffffff",
    );
    // With a beta it reads c.
    is("epilogue(fda:K=4):beta=1", "subnormal-c", "kept");
}

/// No model of the tables contradicts the tests.
#[test]
fn every_algorithm_is_consistent() {
    for text in [
        "fda",
        "fda:out=f16",
        "fda:in=tf32",
        "fda:in=bf16,F=23,K=8",
        "fda:in=e4m3,K=16",
        "hmma8",
        "sfma:fmt=f32",
        "sfma:fmt=f64",
        "gps:K=8",
        "gps:K=8,G=2,in=bf16",
        "gdfs",
        "fdrda",
        "gfdrda",
        "exact",
        "exact:K=2,chain=4",
        "ieee",
        "ieee:order=pairwise",
        "ieee:order=fma",
        "ieee:order=late",
        "fda:in=f32",
        "exact:in=f32",
    ] {
        for outcome in answers(text, &[]).0 {
            let inconsistent = matches!(outcome.answer, TestAnswer::Inconsistent(_));
            assert!(
                !inconsistent,
                "{text}: {}: {:?}",
                outcome.test.name, outcome.answer
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn widths_and_trees_are_those_of_chains(
        bits in 24u32..=36,
        products in 2u32..=9,
        links in 1u32..=3,
    ) {
        let text = format!("fda:F={bits},K={products},chain={links}");
        let width = if links == 1 { format!(">= {products}") } else { products.to_string() };
        prop_assert_eq!(answer(&text, "T_blk_fma_width"), width);
        let terms = products + 1;
        let tree = format!("fused {terms}{}", format!(", then {terms}").repeat(links as usize - 1));
        prop_assert_eq!(answer(&text, "summation-tree"), tree);
    }
}
