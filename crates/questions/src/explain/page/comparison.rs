//! The page of errors of schemes beside each other: the picture, the figures, and the worst
//! operands taken apart.

use super::document::document;
use super::taken_apart::taken_apart;
use maud::{Markup, PreEscaped, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;

/// What was measured.
#[derive(Clone, Debug)]
pub struct Comparison<'x> {
    /// What the errors are counted in, and over which operands.
    pub remark: String,
    /// The figures as an SVG element, made by this program.
    pub picture: String,
    /// What the figures of a row are.
    pub columns: &'x [&'x str],
    /// Rows that are read together.
    pub groups: Vec<ComparisonGroup<'x>>,
}

/// Rows of one length and one range of exponents.
#[derive(Clone, Debug)]
pub struct ComparisonGroup<'x> {
    /// Which length and range.
    pub title: String,
    /// One row for each scheme.
    pub rows: Vec<ComparisonRow<'x>>,
}

/// A scheme.
#[derive(Clone, Debug)]
pub struct ComparisonRow<'x> {
    /// Its name.
    pub name: String,
    /// Its figures, one for each column, or why there are none.
    pub figures: Result<Vec<String>, &'x str>,
    /// The model, and the operands with the largest error that was found.
    pub worst: Option<(&'x Model, &'x Inputs)>,
}

/// The page.
///
/// # Errors
/// If operands do not fit the signature of their model.
pub fn comparison_page(comparison: &Comparison<'_>) -> Result<String, Misfit> {
    let groups = comparison.groups.iter();
    let groups: Vec<Markup> = groups
        .map(|found| group(found, comparison.columns))
        .collect::<Result<_, _>>()?;
    let body = html! {
        h1 { "Errors of schemes" }
        p { (comparison.remark) }
        figure.drawing { (PreEscaped(&comparison.picture)) }
        @for markup in groups { (markup) }
    };
    Ok(document("Errors of schemes", &body))
}

fn group(group: &ComparisonGroup<'_>, columns: &[&str]) -> Result<Markup, Misfit> {
    let worst = group.rows.iter();
    let worst = worst.filter_map(|row| row.worst.map(|found| (row, found)));
    let worst: Vec<Markup> = worst
        .map(|(row, (model, inputs))| {
            let markup = taken_apart(model, inputs)?;
            Ok(html! {
                details {
                    summary { "The worst operands found for " code { (row.name) } }
                    (markup)
                }
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(html! {
        section {
            h2 { (group.title) }
            div.scroll { table.figures {
                thead { tr {
                    th scope="col" { "scheme" }
                    @for column in columns { th scope="col" { (column) } }
                } }
                tbody { @for row in &group.rows { tr {
                    th scope="row" { code { (row.name) } }
                    @match &row.figures {
                        Ok(figures) => @for figure in figures { td.number { (figure) } }
                        Err(why) => td colspan=(columns.len()) { (why) }
                    }
                } } }
            } }
            @for markup in worst { (markup) }
        }
    })
}
