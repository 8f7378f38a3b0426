//! Draws the table of `compare`: curves over the number of products where there are enough of them, else ranges of errors.

use super::curve;
use super::spoken::SpokenRows;
use super::table::{CompareTable, numbers};
use crate::cli::error::Error;
use mmasmt_questions::pages::{ErrorRange, ErrorRangeGroup, error_ranges};

/// The picture in SVG. Ranges have one part for each number of products and range of exponents, and one axis.
///
/// # Errors
/// If the library that draws curves fails.
pub(super) fn svg(table: &CompareTable<'_>) -> Result<String, Error> {
    if curve::has_curve(table) {
        return curve::svg(table);
    }
    let spoken = SpokenRows::of(table.rows);
    let groups = table.groups().into_iter();
    let groups = groups.map(|(exponents, products, rows)| {
        let ranges = rows.into_iter().filter_map(|row| {
            let (_, errors) = row.outcome.as_ref().ok()?;
            Some(ErrorRange {
                name: spoken.name(row),
                marks: numbers(errors),
            })
        });
        ErrorRangeGroup {
            title: format!("{products} products, exponents {exponents}"),
            ranges: ranges.collect(),
        }
    });
    let groups: Vec<_> = groups.filter(|group| !group.ranges.is_empty()).collect();
    let mut caption = vec![format!("error, {}", table.measure.describe())];
    caption.extend(spoken.unit().map(|unit| format!("of {unit}")));
    Ok(error_ranges(&caption, &groups))
}
