//! Draws the table of `compare`. Each row shows a line from the median to the 99.9th percentile of
//! the errors, the worst error found and the proved bound, on a logarithmic axis.

use super::curve;
use super::table::{CompareRow, CompareTable, Group, numbers};
use crate::cli::error::Error;
use crate::cli::picture::{DrawResult, picture};
use plotters::coord::Shift;
use plotters::prelude::*;

const WIDTH: u32 = 900;
/// The height of a row in pixels. `AROUND` is the height of title and axis together.
const ROW: u32 = 22;
const AROUND: u32 = 110;
/// The width of a letter of a label, in pixels.
const LETTER: u32 = 7;

const COLOURS: [RGBColor; 3] = [
    RGBColor(31, 90, 160),
    RGBColor(190, 60, 30),
    RGBColor(90, 90, 90),
];

/// The picture in SVG. It has one part for each number of products and range of exponents.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn svg(table: &CompareTable<'_>) -> Result<String, Error> {
    if curve::has_curve(table) {
        return curve::svg(table);
    }
    let mut groups = table.groups();
    for (_, _, rows) in &mut groups {
        rows.retain(|row| row.outcome.is_ok());
    }
    groups.retain(|(_, _, rows)| !rows.is_empty());
    let mut text = String::new();
    picture(draw(table, &groups, &mut text), text)
}

fn draw(table: &CompareTable<'_>, groups: &[Group<'_>], text: &mut String) -> DrawResult {
    let mut height = 0;
    let mut ends = Vec::new();
    for (_, _, rows) in groups {
        height += AROUND + ROW * rows.len() as u32;
        ends.push(height);
    }
    let root = SVGBackend::with_string(text, (WIDTH, height.max(1))).into_drawing_area();
    root.fill(&WHITE)?;
    let inner = &ends[..ends.len().saturating_sub(1)];
    let parts = root.split_by_breakpoints(&[] as &[u32], inner);
    for (group, part) in groups.iter().zip(&parts) {
        draw_group(table, group, part)?;
    }
    root.present()?;
    Ok(())
}

fn draw_group(
    table: &CompareTable<'_>,
    (exponents, products, rows): &Group<'_>,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> DrawResult {
    // Zero and infinity have no position on a logarithmic axis.
    let on_axis = |x: Option<f64>| x.filter(|x| x.is_finite() && *x > 0.0);
    let of_row = |row: &&CompareRow| match &row.outcome {
        Ok((_, errors)) => numbers(errors).map(on_axis),
        Err(_) => [None; 4],
    };
    let marks: Vec<[Option<f64>; 4]> = rows.iter().map(of_row).collect();
    let all = || marks.iter().flatten().flatten().copied();
    let (least, greatest) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(0.0, f64::max),
    );
    let range = if least <= greatest {
        least / 2.0..greatest * 2.0
    } else {
        1e-8..1.0
    };
    let names: Vec<String> = rows.iter().map(|row| row.subject()).collect();
    let longest = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0) as u32;
    let caption = format!("{products} products, exponents {exponents}");
    let count = rows.len();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(caption, ("sans-serif", 16))
        .x_label_area_size(44)
        .y_label_area_size((longest * LETTER).min(WIDTH * 2 / 3))
        .build_cartesian_2d(range.log_scale(), (0..count).into_segmented())?;
    let name = |place: &SegmentValue<usize>| match place {
        // The first row is at the top.
        SegmentValue::CenterOf(at) => names.iter().rev().nth(*at).cloned().unwrap_or_default(),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(WHITE)
        .x_labels(8)
        .y_labels(count)
        .set_tick_mark_size(LabelAreaPosition::Left, 0)
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&name)
        .x_desc(format!(
            "error, {}: line from median to 99.9 %, ● worst found, ▲ proved bound",
            table.measure.describe()
        ))
        .draw()?;
    for (at, [median, high, worst, bound]) in marks.iter().rev().enumerate() {
        let at = SegmentValue::CenterOf(at);
        let [line, red, grey] = COLOURS;
        if let (Some(median), Some(high)) = (median, high) {
            let ends = vec![(*median, at.clone()), (*high, at.clone())];
            chart.draw_series(LineSeries::new(ends, line.stroke_width(5)))?;
        }
        if let Some(worst) = worst {
            chart.draw_series([Circle::new((*worst, at.clone()), 5, red.filled())])?;
        }
        if let Some(bound) = bound {
            chart.draw_series([TriangleMarker::new((*bound, at.clone()), 6, grey.filled())])?;
        }
    }
    Ok(())
}
