//! Draws which share of results has an error above a tolerance, over the tolerance: a line for each kernel, and an upright one
//! for each tolerance. A first part has tolerances relative to the sum of magnitudes, a second one absolute tolerances.

use super::report::ToleranceReport;
use super::words::decimal;
use crate::cli::error::Error;
use crate::cli::picture::{DrawResult, LETTERS, picture};
use mmasmt_questions::errors::tolerance::ErrorQuantiles;
use plotters::coord::Shift;
use plotters::prelude::*;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 420;
const RIGHT: RGBColor = RGBColor(20, 20, 20);

/// One part of the picture.
struct Part<'x> {
    caption: &'x str,
    kernels: Vec<(&'x str, &'x [f64])>,
    /// The tolerances, each with its name.
    tolerances: Vec<(&'x str, f64)>,
}

/// The picture in SVG.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn svg(report: &ToleranceReport<'_>) -> Result<String, Error> {
    let names = || report.rows().into_iter().map(|(name, _)| name);
    let of = |errors: fn(&ErrorQuantiles) -> &[f64]| {
        let quantiles = report.found.quantiles.iter().map(errors);
        names().zip(quantiles).collect()
    };
    let mut relative = vec![("largest random", report.found.relative.largest)];
    let mut absolute = Vec::new();
    if let Some(proved) = report.proved {
        relative.push(("proved", decimal(&proved.relative)));
        let within = proved.within.as_ref();
        absolute.extend(within.map(|within| ("atol", decimal(within))));
    }
    // A tolerance relative to each result has no place on the axis.
    let own = report.own.map(|own| own.numbers);
    absolute.extend(
        own.filter(|[_, rtol]| *rtol == 0.0)
            .map(|[atol, _]| ("yours", atol)),
    );
    let mut parts = vec![Part {
        caption: "error relative to the sum of magnitudes",
        kernels: of(|errors| &errors.relative),
        tolerances: relative,
    }];
    if !absolute.is_empty() {
        parts.push(Part {
            caption: "absolute error",
            kernels: of(|errors| &errors.absolute),
            tolerances: absolute,
        });
    }
    let mut text = String::new();
    picture(draw(&parts, &mut text), text)
}

fn draw(parts: &[Part<'_>], text: &mut String) -> DrawResult {
    let size = (WIDTH, HEIGHT * parts.len() as u32);
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (part, area) in parts.iter().zip(root.split_evenly((parts.len(), 1))) {
        draw_part(part, &area)?;
    }
    root.present()?;
    Ok(())
}

fn draw_part(part: &Part<'_>, area: &DrawingArea<SVGBackend<'_>, Shift>) -> DrawResult {
    // Zero and infinity have no place on a logarithmic axis.
    let on_axis = |x: &f64| x.is_finite() && *x > 0.0;
    let errors = part.kernels.iter().flat_map(|(_, errors)| errors.iter());
    let tolerances = part.tolerances.iter().map(|(_, at)| at);
    let all = || {
        errors
            .clone()
            .chain(tolerances.clone())
            .copied()
            .filter(on_axis)
    };
    let (least, greatest) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(0.0, f64::max),
    );
    let (first, last) = match least <= greatest {
        // The names of the kernels stand left of all errors.
        true => (
            least / (greatest / least).powf(0.7).max(2.0),
            greatest * 2.0,
        ),
        false => (1e-8, 1.0),
    };
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(part.caption, LETTERS)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d((first..last).log_scale(), 0.0..104.0)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .label_style(LETTERS)
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .x_desc("tolerance")
        .y_desc("results outside, %")
        .draw()?;
    for (number, (name, errors)) in part.kernels.iter().enumerate() {
        let colour = match number {
            0 => RIGHT.to_rgba(),
            _ => Palette99::pick(number).to_rgba(),
        };
        let style = colour.stroke_width(if number == 0 { 3 } else { 2 });
        let line = LineSeries::new(steps(errors, [first, last]), style);
        let legend = move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style);
        chart.draw_series(line)?.label(*name).legend(legend);
    }
    for (number, (name, at)) in part.tolerances.iter().enumerate() {
        if !on_axis(at) {
            continue;
        }
        let style = BLACK.mix(0.6).stroke_width(1);
        let upright = [(*at, 0.0), (*at, 100.0)];
        chart.draw_series(DashedLineSeries::new(upright, 5, 4, style))?;
        let height = 101.0 - 6.0 * number as f64;
        let label = Text::new(name.to_string(), (*at, height), LETTERS);
        chart.draw_series([label])?;
    }
    chart
        .configure_series_labels()
        .label_font(LETTERS)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK)
        .position(SeriesLabelPosition::LowerLeft)
        .draw()?;
    Ok(())
}

/// The share in percent of errors above each tolerance, from the first one to the last: it falls at each quantile.
fn steps(errors: &[f64], [first, last]: [f64; 2]) -> Vec<(f64, f64)> {
    let share = |index: usize| 100.0 - 100.0 * index as f64 / errors.len().max(1) as f64;
    let mut line = Vec::new();
    let mut before = share(errors.iter().filter(|error| **error <= first).count());
    line.push((first, before));
    for (index, error) in errors.iter().enumerate() {
        if *error > first && *error < last {
            line.push((*error, before));
            before = share(index + 1);
            line.push((*error, before));
        }
    }
    line.push((last, before));
    line
}
