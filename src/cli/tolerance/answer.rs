//! The answer of `tolerance` as JSON.

use super::report::{TestTolerance, ToleranceReport};
use super::words::{decimal, fails};
use crate::cli::json::{Cost, DrawObject, NamedModel, NumberText};
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::ScaleBound;
use mmasmt_questions::claims::query::confidence;
use mmasmt_questions::errors::tolerance::{OutsideCounts, Range, Sizes};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

/// `mmasmt tolerance`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct ToleranceAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    /// The number of products.
    k: u32,
    range: Option<Range>,
    proved: Option<ProvedBounds>,
    yours: Option<YoursObject>,
    draw: DrawObject,
    samples: u64,
    /// The number of results of a test.
    elements: u64,
    random: RandomErrors,
    right: KernelRow<'x>,
    wrong: Vec<KernelRow<'x>>,
    /// Lines to paste into a test.
    paste: Vec<String>,
    cost: Cost,
    /// The certificate of the bound; null if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("nullable" = true))]
    proof: Option<Option<&'x Path>>,
}

/// The error is at most relative times the sum of magnitudes plus absolute; at most atol within the
/// range. Decimals are rounded up.
#[derive(Serialize, JsonSchema)]
struct ProvedBounds {
    relative: UpperDecimal,
    absolute: UpperDecimal,
    /// For factors that are normal or zero.
    absolute_of_normal: UpperDecimal,
    /// The absolute part by the block scales; null without such scales, or if they do not change it.
    of_scales: Option<ScalesBound>,
    /// The same for factors that are normal or zero.
    of_scales_of_normal: Option<ScalesBound>,
    atol: Option<UpperDecimal>,
}

/// At most relative times the greatest product of the two scales of a block, plus constant. Decimals are rounded up.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "of-scales")]
struct ScalesBound {
    relative: UpperDecimal,
    constant: UpperDecimal,
}

/// A number, and a decimal that is not below it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "rounded-up")]
struct UpperDecimal {
    hex: NumberText,
    decimal: f64,
}

/// The tolerance of one's own test.
#[derive(Serialize, JsonSchema)]
struct YoursObject {
    atol: f64,
    rtol: f64,
    /// True if it is proved that the right kernel never fails it.
    proved: bool,
    /// Operands for which the right kernel fails it, as a line.
    failing: Option<String>,
}

/// Errors of the right kernel on random operands, relative to the sum of magnitudes and absolute.
#[derive(Serialize, JsonSchema)]
struct RandomErrors {
    relative: Sizes,
    absolute: Sizes,
    not_finite: u64,
}

/// How many results of a kernel are outside of each tolerance; null if there is no such tolerance.
#[derive(Serialize, JsonSchema)]
struct KernelRow<'x> {
    kernel: &'x str,
    proved: Option<OutsideShare>,
    atol: Option<OutsideShare>,
    yours: Option<OutsideShare>,
    /// A tolerance of the largest error on random operands.
    largest_random: OutsideShare,
    /// The same bits as the model.
    bits: OutsideShare,
}

/// A number of results, their share, the share of tests that fail, and both with 95 % confidence.
#[derive(Serialize, JsonSchema)]
struct OutsideShare {
    outside: u64,
    share: f64,
    interval: [f64; 2],
    test_fails: f64,
    test_fails_interval: [f64; 2],
}

impl UpperDecimal {
    fn of(x: &Dyadic) -> UpperDecimal {
        UpperDecimal {
            hex: NumberText::of(x),
            decimal: decimal(x),
        }
    }
}

impl ScalesBound {
    fn of(bound: &ScaleBound) -> ScalesBound {
        ScalesBound {
            relative: UpperDecimal::of(&bound.relative),
            constant: UpperDecimal::of(&bound.constant),
        }
    }
}

impl<'x> KernelRow<'x> {
    fn new(report: &ToleranceReport<'_>, kernel: &'x str, of: &OutsideCounts) -> Self {
        let told = |outside: u64| {
            let [share, test_fails] = report.shares(outside);
            let interval = confidence(outside, report.samples);
            OutsideShare {
                outside,
                share,
                interval,
                test_fails,
                test_fails_interval: interval.map(|share| fails(share, report.elements)),
            }
        };
        KernelRow {
            kernel,
            proved: of.proved.map(told),
            atol: of.within.map(told),
            yours: of.own.map(told),
            largest_random: told(of.largest),
            bits: told(of.bits),
        }
    }
}

impl<'x> ToleranceAnswer<'x> {
    /// The report; `proof` is the path of a certificate, if one was asked for.
    pub(super) fn new(report: &ToleranceReport<'x>, proof: Option<Option<&'x Path>>) -> Self {
        let (found, signature) = (report.found, report.model.signature());
        let wrong = report.wrong.iter().zip(&found.wrong);
        let is_proved = |own: &TestTolerance| {
            (report.proved).is_some_and(|proved| own.tolerance.is_proved(proved))
        };
        ToleranceAnswer {
            model: NamedModel::of(report.model),
            k: signature.products,
            range: report.range,
            proved: report.proved.map(|proved| ProvedBounds {
                relative: UpperDecimal::of(&proved.relative),
                absolute: UpperDecimal::of(&proved.absolute),
                absolute_of_normal: UpperDecimal::of(&proved.absolute_of_normal),
                of_scales: proved.of_scales.as_ref().map(ScalesBound::of),
                of_scales_of_normal: proved.of_scales_of_normal.as_ref().map(ScalesBound::of),
                atol: proved.within.as_ref().map(UpperDecimal::of),
            }),
            yours: report.own.map(|own| YoursObject {
                atol: own.numbers[0],
                rtol: own.numbers[1],
                proved: is_proved(own),
                failing: (found.failing.as_ref()).map(|(_, inputs)| inputs.to_line(&signature)),
            }),
            draw: DrawObject::of(report.sources),
            samples: report.samples,
            elements: report.elements,
            random: RandomErrors {
                relative: found.relative,
                absolute: found.absolute,
                not_finite: found.not_finite,
            },
            right: KernelRow::new(report, "right", &found.right),
            wrong: wrong
                .map(|(wrong, of)| KernelRow::new(report, &wrong.name, of))
                .collect(),
            paste: report.paste(),
            cost: Cost::of_own(report.seconds, report.sources.seed),
            proof,
        }
    }
}
