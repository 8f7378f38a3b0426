//! The answer of `tolerance` as a page for a browser.

use super::plot::svg;
use super::report::ToleranceReport;
use super::words::percent;
use crate::cli::error::Error;
use mmasmt_questions::claims::query::QueryError;
use mmasmt_questions::errors::tolerance::Sizes;
use mmasmt_questions::pages::{Passage, ToleranceColumn, TolerancePage, tolerance_page};

/// The page as HTML: what is proved, the drawing, the shares of each kernel, and lines to paste.
///
/// # Errors
/// If the library that draws fails.
pub(super) fn html(report: &ToleranceReport<'_>) -> Result<String, Error> {
    let passage = |(head, lines): (String, Vec<String>)| Passage { head, lines };
    let found = report.found;
    let errors = [("error / S", &found.relative), ("error", &found.absolute)];
    let errors = errors.map(|(name, sizes)| format!("{name}: {}", in_words(sizes)));
    let random = format!(
        "random: {} dot products, {}{}",
        report.samples,
        report.sources,
        report.limits()
    );
    let shares = report.rows().into_iter();
    let rows = shares.map(|(name, shares)| {
        let cells = shares
            .into_iter()
            .map(|[share, test]| [percent(share), percent(test)]);
        (name.to_owned(), cells.collect())
    });
    let columns = report.columns().into_iter();
    let failing = found.failing.as_ref();
    let tolerances = TolerancePage {
        model: report.model,
        proved: passage(report.proved_lines()),
        random: Passage {
            head: random,
            lines: errors.into(),
        },
        picture: svg(report)?,
        columns: columns.map(ToleranceColumn::of).collect(),
        elements: report.elements,
        rows: rows.collect(),
        none: report.none(),
        own: report.own_lines().map(passage),
        failing: failing.map(|(_, inputs)| inputs),
        paste: report.paste_head().map(|head| Passage {
            head,
            lines: report.paste(),
        }),
    };
    Ok(tolerance_page(&tolerances).map_err(QueryError::from)?)
}

fn in_words(sizes: &Sizes) -> String {
    let high = sizes.percentile.map_or(String::new(), |high| {
        format!("{} % {:.2e}, ", high.percent, high.size)
    });
    format!(
        "median {:.2e}, {high}largest {:.2e}",
        sizes.median, sizes.largest
    )
}
