//! The page that compares errors of schemes: a picture, the figures, and the evaluation of the
//! worst operands of each scheme.

use maud::{Markup, PreEscaped, html};
use mmasmt_core::machines::algorithms::{Inputs, Misfit};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::document::document;
use mmasmt_explain::explain::page::taken_apart::taken_apart;

/// The measured errors of schemes, with a picture of them.
#[derive(Clone, Debug)]
pub struct ComparisonPage<'x> {
    /// A remark on the unit of the errors and on the domain of the operands.
    pub remark: String,
    /// A drawing of the figures as an SVG element. This program made it, so it is not escaped.
    pub picture: String,
    /// The headings of the columns of figures.
    pub columns: &'x [&'x str],
    /// Groups of rows.
    pub groups: Vec<ComparisonGroup<'x>>,
}

/// Rows for one number of products and one range of exponents.
#[derive(Clone, Debug)]
pub struct ComparisonGroup<'x> {
    /// The number of products and the range of exponents, as a heading.
    pub title: String,
    /// One row for each scheme.
    pub rows: Vec<ComparisonRow<'x>>,
}

/// The results of one scheme.
#[derive(Clone, Debug)]
pub struct ComparisonRow<'x> {
    /// The name of the scheme.
    pub name: String,
    /// The figures of the scheme, one for each column, or the reason why there are none.
    pub figures: Result<Vec<String>, &'x str>,
    /// The model, and the operands with the largest error found.
    pub worst: Option<(&'x Model, &'x Inputs)>,
}

/// The comparison as an HTML page.
///
/// # Errors
/// If operands do not fit the signature of their model.
pub fn comparison_page(comparison: &ComparisonPage<'_>) -> Result<String, Misfit> {
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
