//! A drawing of ranges of errors: for each scheme a line from the median to a high percentile, the largest error found and the
//! proved bound, all on one logarithmic axis.

use maud::{Markup, html};
use std::ops::Range;

/// The errors of one scheme.
#[derive(Clone, Debug)]
pub struct ErrorRange {
    /// The name of the scheme, in words.
    pub name: String,
    /// The median, the 99.9th percentile, the largest error found, and the proved bound.
    pub marks: [Option<f64>; 4],
}

/// The errors of several schemes on the same operands.
#[derive(Clone, Debug)]
pub struct ErrorRangeGroup {
    /// The operands, as a title.
    pub title: String,
    /// The schemes, from the top to the bottom.
    pub ranges: Vec<ErrorRange>,
}

const WIDTH: usize = 560;
const MARGIN: usize = 20;
/// The size of letters: 12 pixels where the drawing takes 480 of them.
const LETTERS: usize = 14;
const TITLE: usize = 30;
const ROW: usize = 40;
const HEAD: usize = 62;
const FOOT: usize = 34;
/// The most powers of ten that have a number.
const MOST_NUMBERS: i32 = 9;

/// The axis: powers of ten, the least and the greatest.
struct DecimalAxis(Range<i32>);

impl DecimalAxis {
    fn of(groups: &[ErrorRangeGroup]) -> DecimalAxis {
        let marks = groups.iter().flat_map(|group| &group.ranges);
        let marks = marks.flat_map(|range| range.marks);
        let powers: Vec<f64> = marks.filter_map(on_axis).map(f64::log10).collect();
        let least = powers.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = powers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match least <= greatest {
            true => DecimalAxis(
                least.floor() as i32..(greatest.ceil() as i32).max(least.floor() as i32 + 1),
            ),
            false => DecimalAxis(-8..0),
        }
    }

    fn place(&self, power: f64) -> f64 {
        let (first, last) = (f64::from(self.0.start), f64::from(self.0.end));
        MARGIN as f64 + (power - first) / (last - first) * (WIDTH - 2 * MARGIN) as f64
    }

    fn of_error(&self, error: Option<f64>) -> Option<f64> {
        let place = on_axis(error).map(|error| self.place(error.log10()));
        place.map(|place| (place * 10.0).round() / 10.0)
    }

    /// The powers of ten with a line, each with whether it has a number too.
    fn powers(&self) -> impl Iterator<Item = (i32, bool)> {
        let count = self.0.end - self.0.start + 1;
        let step = (count + MOST_NUMBERS - 1) / MOST_NUMBERS;
        let start = self.0.start;
        (start..=self.0.end).map(move |power| (power, (power - start) % step == 0))
    }
}

/// Zero and infinity have no place on a logarithmic axis.
fn on_axis(error: Option<f64>) -> Option<f64> {
    error.filter(|error| error.is_finite() && *error > 0.0)
}

/// The drawing in SVG. `caption` says in which unit errors are counted, and of which unit they are.
pub fn error_ranges(caption: &[String], groups: &[ErrorRangeGroup]) -> String {
    let axis = DecimalAxis::of(groups);
    let above = HEAD + 18 * caption.len().saturating_sub(1);
    let heights = groups.iter().map(|group| TITLE + ROW * group.ranges.len());
    let bottom = above + heights.sum::<usize>();
    let height = bottom + FOOT;
    let mut top = above;
    let drawn: Vec<Markup> = groups
        .iter()
        .map(|group| {
            let drawn = draw_group(group, top, &axis);
            top += TITLE + ROW * group.ranges.len();
            drawn
        })
        .collect();
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) viewBox={ "0 0 " (WIDTH) " " (height) } font-family="sans-serif" font-size=(LETTERS) fill="#1b1b1f" {
            rect width=(WIDTH) height=(height) fill="#fff" {}
            @for (line, text) in caption.iter().enumerate() {
                text x=(MARGIN) y=(22 + 18 * line) { (text) }
            }
            (legend(above - 18))
            @for (power, has_number) in axis.powers() {
                @let x = axis.place(f64::from(power)).round();
                line x1=(x) x2=(x) y1=(above) y2=(bottom) stroke="#d9d9de" {}
                @if has_number { text x=(x) y=(bottom + 20) text-anchor="middle" { "1e" (power) } }
            }
            @for group in drawn { (group) }
        }
    };
    drawing.into_string()
}

/// The legend of the marks.
fn legend(y: usize) -> Markup {
    let middle = (y - 5) as f64;
    html! {
        (bar(MARGIN as f64, MARGIN as f64 + 26.0, middle))
        text x=(MARGIN + 34) y=(y) { "median to 99.9 %" }
        (worst(204.0, middle))
        text x="216" y=(y) { "worst found" }
        (bound(334.0, middle))
        text x="346" y=(y) { "proved bound" }
    }
}

fn draw_group(group: &ErrorRangeGroup, top: usize, axis: &DecimalAxis) -> Markup {
    html! {
        text x=(MARGIN) y=(top + 20) font-weight="bold" paint-order="stroke" stroke="#fff" stroke-width="4" { (group.title) }
        @for (row, range) in group.ranges.iter().enumerate() {
            @let y = top + TITLE + ROW * row;
            @let [median, high, found, proved] = range.marks.map(|mark| axis.of_error(mark));
            @let middle = (y + 26) as f64;
            g {
                title { (range.name) }
                text x=(MARGIN) y=(y + 13) paint-order="stroke" stroke="#fff" stroke-width="4" { (range.name) }
                @if let (Some(median), Some(high)) = (median, high) { (bar(median, high, middle)) }
                @if let Some(found) = found { (worst(found, middle)) }
                @if let Some(proved) = proved { (bound(proved, middle)) }
            }
        }
    }
}

fn bar(first: f64, last: f64, y: f64) -> Markup {
    html! { line x1=(first) x2=(last.max(first + 2.0)) y1=(y) y2=(y) stroke="#1f5aa0" stroke-width="6" {} }
}

fn worst(x: f64, y: f64) -> Markup {
    html! { circle cx=(x) cy=(y) r="5" fill="#be3c1e" {} }
}

fn bound(x: f64, y: f64) -> Markup {
    let corners = format!(
        "{x},{} {},{} {},{}",
        y - 6.0,
        x - 6.0,
        y + 5.0,
        x + 6.0,
        y + 5.0
    );
    html! { polygon points=(corners) fill="#3a3a40" {} }
}
