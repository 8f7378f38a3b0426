//! The table of `compare` as a page for a browser.

use super::plot::svg;
use super::table::{CompareRow, CompareTable};
use crate::cli::error::Error;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::pages::{ComparisonGroup, ComparisonPage, ComparisonRow, comparison_page};

/// The page as HTML: the drawing, the table, and for each row the steps of the evaluation of the
/// worst operands.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn html(table: &CompareTable<'_>) -> Result<String, Error> {
    let groups = table.groups().into_iter();
    let groups = groups.map(|(exponents, products, rows)| ComparisonGroup {
        title: format!("{products} products, exponents of the factors {exponents}"),
        rows: rows.into_iter().map(|row| shown(table, row)).collect(),
    });
    let about: Vec<_> = [table.settings()]
        .into_iter()
        .chain(table.remarks())
        .collect();
    let comparison = ComparisonPage {
        remark: format!("{}.", about.join("; ")),
        picture: svg(table)?,
        columns: table.columns(),
        groups: groups.collect(),
    };
    Ok(comparison_page(&comparison).map_err(QueryError::from)?)
}

fn shown<'x>(table: &CompareTable<'_>, row: &'x CompareRow) -> ComparisonRow<'x> {
    let (figures, worst) = match &row.outcome {
        Ok((model, errors)) => {
            let figures = table.cells(errors);
            (Ok(figures), Some((model, &errors.worst.0)))
        }
        Err(why) => (Err(why.as_str()), None),
    };
    ComparisonRow {
        name: row.subject(),
        figures,
        worst,
    }
}
