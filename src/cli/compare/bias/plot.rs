//! Draws the distributions of signed errors: a histogram for each row, all on one axis.

use super::report::BiasReport;
use crate::cli::error::Error;
use crate::cli::picture::{DrawResult, LETTERS, picture};
use plotters::prelude::*;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 190;
const BINS: usize = 81;
const BAR: RGBColor = RGBColor(31, 90, 160);
const LINE: RGBColor = RGBColor(190, 60, 30);
/// The share of errors, at each end, that may be outside of the picture.
const OUTSIDE: f64 = 0.001;

/// A histogram: its title, the height of each bar, and the mean.
struct Histogram {
    title: String,
    bars: Vec<f64>,
    mean: f64,
}

/// The picture in SVG: below each other, the distributions of the errors of all rows.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn svg(report: &BiasReport<'_>) -> Result<String, Error> {
    let of_rows = || {
        report
            .rows
            .iter()
            .filter_map(|row| Some((row, row.outcome.as_ref().ok()?)))
    };
    let most = of_rows()
        .map(|(_, (_, bias))| within(&bias.errors))
        .fold(0.0, f64::max);
    let most = if most > 0.0 { most } else { 1.0 };
    let histograms: Vec<_> = of_rows()
        .map(|(row, (_, bias))| {
            let mut bars = vec![0.0; BINS];
            for error in &bias.errors {
                let place = ((error / most + 1.0) / 2.0 * BINS as f64).floor();
                if (0.0..BINS as f64).contains(&place) {
                    bars[place as usize] += 100.0 / bias.errors.len() as f64;
                }
            }
            Histogram {
                title: format!("{}, {} products", row.subject(), row.products),
                bars,
                mean: bias.mean.mean,
            }
        })
        .collect();
    let mut text = String::new();
    picture(draw(report, &histograms, most, &mut text), text)
}

/// The magnitude that all errors but few at each end are within.
fn within(errors: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let place = ((1.0 - OUTSIDE) * sizes.len() as f64).ceil() as usize;
    sizes.get(place.saturating_sub(1)).map_or(0.0, |x| x * 1.02)
}

fn draw(
    report: &BiasReport<'_>,
    histograms: &[Histogram],
    most: f64,
    text: &mut String,
) -> DrawResult {
    let height = HEIGHT * histograms.len().max(1) as u32 + 30;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (parts, foot) = root.split_vertically(height - 30);
    for (histogram, part) in histograms
        .iter()
        .zip(parts.split_evenly((histograms.len().max(1), 1)))
    {
        let highest = histogram.bars.iter().copied().fold(0.0, f64::max);
        let mut chart = ChartBuilder::on(&part)
            .margin(8)
            .caption(&histogram.title, LETTERS)
            .x_label_area_size(30)
            .y_label_area_size(64)
            .build_cartesian_2d(-most..most, 0.0..highest.max(1e-9) * 1.08)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .label_style(LETTERS)
            .light_line_style(WHITE)
            .x_labels(7)
            .y_labels(4)
            .x_label_formatter(&|x| match x.abs() < 1e-9 * most {
                // The place of 0 is rounded.
                true => "0".into(),
                false => format!("{x:.1e}"),
            })
            .y_label_formatter(&|y| format!("{y:.0} %"))
            .draw()?;
        let step = 2.0 * most / BINS as f64;
        let bars = histogram.bars.iter().enumerate().map(|(at, share)| {
            let left = -most + step * at as f64;
            Rectangle::new([(left, 0.0), (left + step, *share)], BAR.filled())
        });
        chart.draw_series(bars)?;
        let mean = histogram.mean;
        let ends = vec![(mean, 0.0), (mean, highest)];
        chart.draw_series(LineSeries::new(ends, LINE.stroke_width(2)))?;
    }
    let caption = format!(
        "signed error, {}; {}; red: mean",
        report.measure.describe(),
        report.sources
    );
    foot.draw_text(&caption, &LETTERS.into_text_style(&foot), (60, 6))?;
    root.present()?;
    Ok(())
}
