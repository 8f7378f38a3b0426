//! Draws the errors of `compare` over the number of products: for each scheme on each unit a line of
//! medians and a dashed line of proved bounds, on logarithmic axes.

use super::spoken::SpokenRows;
use super::table::{CompareTable, numbers};
use crate::cli::error::Error;
use crate::cli::picture::{DrawResult, LETTERS, picture};
use mmasmt_numbers::float::Exponents;
use plotters::prelude::*;

const WIDTH: u32 = 900;
const HEIGHT: u32 = 520;
/// The fewest numbers of products that make a curve.
const FEWEST: usize = 4;

/// The errors of one scheme on one unit, at each number of products: median and proved bound.
struct Curve {
    name: String,
    medians: Vec<(f64, f64)>,
    bounds: Vec<(f64, f64)>,
}

/// Whether the table has enough numbers of products for a curve.
pub(super) fn has_curve(table: &CompareTable<'_>) -> bool {
    let mut lengths: Vec<u32> = table.rows.iter().map(|row| row.products).collect();
    lengths.sort_unstable();
    lengths.dedup();
    lengths.len() >= FEWEST
}

/// The picture in SVG. It has one part for each range of exponents.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn svg(table: &CompareTable<'_>) -> Result<String, Error> {
    let mut ranges: Vec<Exponents> = Vec::new();
    for row in table.rows {
        if !ranges.contains(&row.exponents) {
            ranges.push(row.exponents);
        }
    }
    let mut text = String::new();
    picture(draw(table, &ranges, &mut text), text)
}

fn draw(table: &CompareTable<'_>, ranges: &[Exponents], text: &mut String) -> DrawResult {
    let spoken = SpokenRows::of(table.rows);
    let height = HEIGHT * ranges.len().max(1) as u32;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let parts = root.split_evenly((ranges.len().max(1), 1));
    for (range, part) in ranges.iter().zip(&parts) {
        let curves = curves(table, range);
        let points = || {
            let each = curves
                .iter()
                .flat_map(|curve| curve.medians.iter().chain(&curve.bounds));
            each.copied()
        };
        let ends = |of: fn((f64, f64)) -> f64| {
            let all = || points().map(of);
            (
                all().fold(f64::INFINITY, f64::min),
                all().fold(0.0, f64::max),
            )
        };
        let ((first, last), (least, greatest)) = (ends(|point| point.0), ends(|point| point.1));
        if first > last {
            continue;
        }
        let caption = match spoken.unit() {
            Some(unit) => format!("{unit}, exponents {range}"),
            None => format!("exponents {range}"),
        };
        let mut chart = ChartBuilder::on(part)
            .margin(16)
            .caption(caption, LETTERS)
            .x_label_area_size(44)
            .y_label_area_size(84)
            .build_cartesian_2d(
                (first..last * 1.0001).log_scale().base(2.0),
                (least / 2.0..greatest * 2.0).log_scale(),
            )?;
        chart
            .configure_mesh()
            .label_style(LETTERS)
            .light_line_style(WHITE)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0e}"))
            .x_desc("products")
            .y_desc(format!("error, {}", table.measure.describe()))
            .draw()?;
        for (number, curve) in curves.iter().enumerate() {
            let colour = Palette99::pick(number).to_rgba();
            let line = LineSeries::new(curve.medians.clone(), colour.stroke_width(3)).point_size(3);
            chart
                .draw_series(line)?
                .label(curve.name.clone())
                .legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3))
                });
            let dashed = DashedLineSeries::new(curve.bounds.clone(), 6, 5, colour.stroke_width(1));
            chart.draw_series(dashed)?;
        }
        chart
            .configure_series_labels()
            .label_font(LETTERS)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK)
            .position(SeriesLabelPosition::UpperLeft)
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// The curves of one range of exponents, in the order of the table. Zero and infinity have no place
/// on a logarithmic axis.
fn curves(table: &CompareTable<'_>, range: &Exponents) -> Vec<Curve> {
    let spoken = SpokenRows::of(table.rows);
    let mut curves: Vec<Curve> = Vec::new();
    let rows = table.rows.iter().filter(|row| row.exponents == *range);
    for row in rows {
        let Ok((_, errors)) = &row.outcome else {
            continue;
        };
        let name = spoken.name(row);
        let at = curves.iter().position(|curve| curve.name == name);
        let at = at.unwrap_or_else(|| {
            curves.push(Curve {
                name,
                medians: Vec::new(),
                bounds: Vec::new(),
            });
            curves.len() - 1
        });
        let [median, _, _, bound] = numbers(errors);
        let products = f64::from(row.products);
        let on_axis = |y: Option<f64>| y.filter(|y| y.is_finite() && *y > 0.0);
        curves[at]
            .medians
            .extend(on_axis(median).map(|y| (products, y)));
        curves[at]
            .bounds
            .extend(on_axis(bound).map(|y| (products, y)));
    }
    curves
}
