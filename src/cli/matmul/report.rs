//! The output of `matmul`: shapes, and the distance of the product from another one.

use super::plot;
use crate::cli::error::Error;
use crate::cli::json::{Cost, NamedModel, NumberText};
use crate::cli::output::PROGRAM;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::matrices::{LargestDifference, MatrixDifference, Stack};
use mmasmt_questions::vectors::measure::LinearMap;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The answer of `matmul`.
pub(super) struct ProductReport<'x> {
    pub(super) model: &'x Model,
    pub(super) d: &'x Stack,
    pub(super) depth: usize,
    pub(super) against: Option<&'x str>,
    pub(super) compared: Option<&'x MatrixDifference>,
    /// The time in seconds of the whole command.
    pub(super) seconds: f64,
    /// The time in seconds of the comparison alone, if the product was compared.
    pub(super) comparison: Option<f64>,
    /// The time in seconds of another device for the product, without copies, if one was used.
    pub(super) of_device: Option<f64>,
}

impl ProductReport<'_> {
    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let ([rows, columns], depth) = (self.d.matrix_shape(), self.depth);
        let format = self.d.format();
        let batch = self.d.batch().iter().map(|length| format!("{length} x "));
        let times = match self.d.batch() {
            [] => String::new(),
            _ => format!("{}times ", batch.collect::<String>()),
        };
        let times = times.replace(" x times", " times");
        writeln!(
            out,
            "{}: {times}{rows} x {depth} by {depth} x {columns}, result {format}",
            self.model
        )?;
        if let (Some(against), Some(found)) = (self.against, self.compared) {
            let whole = found.elements;
            let exactly = self.described(against);
            writeln!(out, "\nagainst {exactly}, in last places of the result")?;
            let (unlike, compared) = (found.unlike, whole - found.not_finite);
            if compared == 0 && whole > 0 {
                writeln!(
                    out,
                    "  nothing was compared: all {whole} elements are infinities or NaNs, of the product or of what it is compared with; scale the operands, or take a format of greater numbers"
                )?;
            } else {
                writeln!(out, "  not the same  {unlike} of {compared}")?;
            }
            if let Some((largest, at)) = &found.largest {
                let about = largest.approximate();
                writeln!(out, "  largest       {about:.6} at {at:?}")?;
            }
            if compared > 0 {
                writeln!(out, "  mean          {:.6}", found.mean)?;
                let [low, high] = found.low_and_high;
                let signed = found.signed_mean;
                writeln!(
                    out,
                    "  signed mean   {signed:.6}; {low} too low, {high} too high"
                )?;
            }
            for (what, largest) in [("absolute", &found.absolute), ("relative", &found.relative)] {
                if let Some((largest, at)) = largest {
                    let about = largest.approximate();
                    writeln!(out, "  {what}      {about:.2e} at most, at {at:?}")?;
                }
            }
            if found.not_finite > 0 && compared > 0 {
                writeln!(out, "  not finite    {}, not compared", found.not_finite)?;
            }
            for (below, count) in found.histogram() {
                let length = (count * 50).div_ceil(whole.max(1));
                writeln!(out, "  {below:>8}  {count:>10}  {}", "#".repeat(length))?;
            }
        }
        if let Some(seconds) = self.of_device {
            writeln!(out, "\n# the device took {seconds:.6} s, without copies")?;
        }
        let seconds = self.seconds;
        match self.comparison {
            None => writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?,
            Some(of_it) => writeln!(
                out,
                "\n# {PROGRAM}, {seconds:.2} s, of these {of_it:.2} s for the comparison"
            )?,
        }
        Ok(())
    }

    /// What the product is compared with, in words.
    fn described(&self, against: &str) -> String {
        let what = match against {
            "exact" => "the exact product",
            "f64" => "fused multiply-adds in f64",
            other => return other.into(),
        };
        match LinearMap::of(self.model.algorithm()) {
            Some(map) if !map.is_plain() => {
                format!("{what}, with alpha, beta and scale of the epilogue")
            }
            _ => what.into(),
        }
    }

    /// The histogram of the comparison as a picture in SVG.
    pub(super) fn svg(&self) -> Result<String, Error> {
        let (Some(against), Some(found)) = (self.against, self.compared) else {
            return Err(Error::Usage("expected --against for a picture".into()));
        };
        let caption = format!("{} against {}", self.model, self.described(against));
        plot::histogram(found, &caption)
    }

    /// The report as JSON.
    pub(super) fn answer(&self) -> MatmulAnswer<'_> {
        let [m, n] = self.d.matrix_shape();
        let compared = self.against.zip(self.compared);
        MatmulAnswer {
            model: NamedModel::of(self.model),
            batch: self.d.batch(),
            m,
            k: self.depth,
            n,
            result: self.d.format().name(),
            compared: compared.map(|(against, found)| ComparedObject::new(against, found)),
            device_seconds: self.of_device,
            cost: Cost::new(self.seconds, None),
        }
    }
}

/// `mmasmt matmul`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct MatmulAnswer<'x> {
    #[serde(flatten)]
    model: NamedModel,
    batch: &'x [usize],
    m: usize,
    k: usize,
    n: usize,
    /// The format of the result.
    result: &'x str,
    compared: Option<ComparedObject<'x>>,
    /// The time of the device of --device for the product, without copies.
    device_seconds: Option<f64>,
    cost: Cost,
}

/// The distance of the product from another one, in last places of the result.
#[derive(Serialize, JsonSchema)]
struct ComparedObject<'x> {
    against: &'x str,
    not_the_same: usize,
    largest_ulp: Option<f64>,
    largest_ulp_exact: Option<NumberText>,
    largest_at: Option<&'x [usize]>,
    mean_ulp: Option<f64>,
    /// Below 0 if elements are too low.
    signed_mean_ulp: Option<f64>,
    too_low: usize,
    too_high: usize,
    largest_absolute: Option<f64>,
    largest_absolute_at: Option<&'x [usize]>,
    largest_relative: Option<f64>,
    largest_relative_at: Option<&'x [usize]>,
    /// Elements that are not compared.
    not_finite: usize,
    /// Distances, each with the number of elements below it.
    histogram: Vec<(String, usize)>,
}

impl<'x> ComparedObject<'x> {
    fn new(against: &'x str, found: &'x MatrixDifference) -> Self {
        let about =
            |largest: &LargestDifference| largest.as_ref().map(|(error, _)| error.approximate());
        fn at(largest: &LargestDifference) -> Option<&[usize]> {
            largest.as_ref().map(|(_, at)| at.as_slice())
        }
        let [too_low, too_high] = found.low_and_high;
        ComparedObject {
            against,
            not_the_same: found.unlike,
            largest_ulp: about(&found.largest),
            largest_ulp_exact: (found.largest.as_ref()).map(|(error, _)| NumberText::of(error)),
            largest_at: at(&found.largest),
            mean_ulp: Some(found.mean),
            signed_mean_ulp: Some(found.signed_mean),
            too_low,
            too_high,
            largest_absolute: about(&found.absolute),
            largest_absolute_at: at(&found.absolute),
            largest_relative: about(&found.relative),
            largest_relative_at: at(&found.relative),
            not_finite: found.not_finite,
            histogram: found.histogram().collect(),
        }
    }
}
