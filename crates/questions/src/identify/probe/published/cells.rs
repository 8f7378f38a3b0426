//! Computes the cells of a paper's summary table from the answers of its tests.

use crate::identify::probe::answers::{TestAnswer, TestAnswers};
use crate::identify::probe::test::{ProbeValue, Suite};

/// Computes one cell for each column of the table of `suite`. `wide` has the answers for the
/// instruction with a wide result, `narrow` those for the instruction with a narrow result.
pub(super) fn computed(
    suite: Suite,
    wide: &TestAnswers,
    narrow: Option<&TestAnswers>,
) -> Vec<String> {
    match suite {
        Suite::Fttn => fttn(wide, narrow),
        Suite::MmaSim => mma_sim(wide),
        Suite::Fasi => fasi(wide, narrow),
        Suite::Integers => Vec::new(),
    }
}

const NOT_APPLICABLE: &str = "N.A.";

/// The short answer to the test `name`; `N.A.` if the test is undecided, not applicable, or not
/// among the answers. If its results are missing or inconsistent, the text is that one word.
fn short(answers: &TestAnswers, name: &str) -> String {
    match answers.of(name) {
        Some(TestAnswer::Found(found)) => found.value.to_string(),
        Some(TestAnswer::Undecided(_) | TestAnswer::NotApplicable(_)) => NOT_APPLICABLE.into(),
        Some(other) => other.status().into(),
        None => NOT_APPLICABLE.into(),
    }
}

/// The short answer to the first of the tests `names` for which it is not `N.A.`.
fn first(answers: &TestAnswers, names: &[&str]) -> String {
    let mut found = names.iter().map(|name| short(answers, name));
    let answered = found.find(|text| text != NOT_APPLICABLE);
    answered.unwrap_or(NOT_APPLICABLE.into())
}

/// The cells of Table IV of FTTN. If the factors do not allow subnormal results, the test with a
/// subnormal accumulator takes the place of the test of subnormal results.
fn fttn(wide: &TestAnswers, narrow: Option<&TestAnswers>) -> Vec<String> {
    let last = match narrow {
        Some(narrow) => short(narrow, "T_rnd_dir"),
        None => short(wide, "T_prod"),
    };
    vec![
        short(wide, "T_si_no"),
        first(wide, &["T_ni_so", "T_sa"]),
        short(wide, "T_3_bits_fin_rnd"),
        short(wide, "T_rnd_dir"),
        short(wide, "T_blk_fma_width"),
        short(wide, "T_acc_order"),
        last,
    ]
}

fn mma_sim(wide: &TestAnswers) -> Vec<String> {
    vec![
        short(wide, "summation-tree"),
        first(wide, &["late-product-precision", "product-precision"]),
        short(wide, "product-rounding"),
        short(wide, "c-rounding"),
        short(wide, "result-rounding"),
        short(wide, "subnormal-a"),
    ]
}

/// The cells of the summaries of Fasi et al., §4 and §3.3.
fn fasi(wide: &TestAnswers, narrow: Option<&TestAnswers>) -> Vec<String> {
    let subnormal = [
        "subnormal-factors",
        "subnormal-accumulator",
        "subnormal-results",
        "subnormal-differences",
    ];
    let supported = |name: &&str| match wide.value(name) {
        Some(ProbeValue::Flag(flag)) => Some(*flag),
        _ => None,
    };
    let subnormal = subnormal.iter().filter_map(supported).min();
    let extra = match wide.value("extra-bits") {
        // If 1 and -1 cancel first, the small summand is not aligned to a larger summand.
        Some(ProbeValue::AtLeast(_)) => NOT_APPLICABLE.into(),
        _ => short(wide, "extra-bits"),
    };
    vec![
        subnormal.map_or(NOT_APPLICABLE.into(), |all| {
            ProbeValue::Flag(all).to_string()
        }),
        short(wide, "exact-products"),
        short(wide, "addition-rounding"),
        narrow.map_or(NOT_APPLICABLE.into(), |narrow| {
            short(narrow, "conversion-rounding")
        }),
        extra,
        first(wide, &["normalised-sums", "normalised-differences"]),
        short(wide, "carry-bits"),
        short(wide, "accumulation-order"),
        short(wide, "monotonicity"),
    ]
}
