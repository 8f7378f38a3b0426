//! A histogram of the differences between elements: one bar for each power of two.

use crate::cli::error::Error;
use crate::cli::picture::{DrawResult, LETTERS, picture};
use mmasmt_questions::matrices::MatrixDifference;
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 420);
const BAR: RGBColor = RGBColor(31, 90, 160);

/// The histogram as a picture in SVG, with `caption` as its title.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn histogram(found: &MatrixDifference, caption: &str) -> Result<String, Error> {
    let bins: Vec<(String, usize)> = found.histogram().collect();
    let mut text = String::new();
    let drawn = draw(&bins, caption, &mut text);
    picture(drawn, text)
}

fn draw(bins: &[(String, usize)], caption: &str, text: &mut String) -> DrawResult {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let most = bins.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let places = (0..bins.len().max(1)).into_segmented();
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .caption(caption, LETTERS)
        .x_label_area_size(44)
        .y_label_area_size(80)
        .build_cartesian_2d(places, 0..most + most / 20 + 1)?;
    let name = |place: &SegmentValue<usize>| match place {
        SegmentValue::CenterOf(at) => bins.get(*at).map(|(name, _)| name.clone()),
        _ => None,
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .label_style(LETTERS)
        .light_line_style(WHITE)
        .x_labels(bins.len().max(1))
        .x_label_formatter(&|place| name(place).unwrap_or_default())
        .x_desc("distance in last places of the result")
        .y_desc("elements")
        .draw()?;
    let bars = bins.iter().enumerate().map(|(at, (_, count))| {
        let ends = [
            (SegmentValue::Exact(at), 0),
            (SegmentValue::Exact(at + 1), *count),
        ];
        let mut bar = Rectangle::new(ends, BAR.filled());
        bar.set_margin(0, 0, 4, 4);
        bar
    });
    chart.draw_series(bars)?;
    root.present()?;
    Ok(())
}
