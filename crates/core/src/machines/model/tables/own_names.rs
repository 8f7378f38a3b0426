//! The names of a table that a user brings: each must stand for one thing.

use super::products;
use super::row::{Architecture, Row};
use mmasmt_numbers::base::excerpt::excerpt;

/// Checks that no name of an added table is empty, that none of the machine stands for another
/// machine of `known`, and that no row has the name of another one.
///
/// # Errors
/// If a name is empty or taken; the error is one line.
pub fn names_are_own<'a>(
    made: &Architecture,
    known: impl IntoIterator<Item = &'a Architecture>,
) -> Result<(), String> {
    let own = [("arch", &made.name), ("title", &made.title)].into_iter();
    let gpus = made.gpus.iter().map(|name| ("gpus", name));
    let rows = made
        .rows
        .iter()
        .flat_map(Row::names)
        .map(|name| ("row", name));
    let unknown = made
        .unknown
        .iter()
        .map(|unknown| ("unknown", &unknown.name));
    let mut all = own.chain(gpus).chain(rows).chain(unknown);
    if let Some((of, _)) = all.find(|(_, name)| name.trim().is_empty()) {
        return Err(format!("{of}: expected a name, found an empty one"));
    }
    for other in known {
        let mut names = products::names(made);
        if let Some(name) = names.find(|name| products::means(other, name)) {
            return Err(format!(
                "expected names of its own, found `{}`, which stands for {}",
                excerpt(name),
                other.name
            ));
        }
    }
    for (at, row) in made.rows.iter().enumerate() {
        if let Some(name) = same_name(row, &made.rows[..at]) {
            return Err(format!(
                "expected a name of its own for each row, found `{}` twice",
                excerpt(name)
            ));
        }
    }
    Ok(())
}

/// A name that a row has in common with one of the others, where it is the first name or an alias of
/// both: rows may share the names of a machine instruction.
fn same_name<'r>(row: &'r Row, others: &[Row]) -> Option<&'r String> {
    let own = |row: &'r Row| std::iter::once(&row.name).chain(&row.alias);
    let is_own = |other: &Row, name: &str| {
        let mut names = std::iter::once(&other.name).chain(&other.alias);
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    let has = |one: &Row, name: &str| {
        let mut names = one.names();
        names.any(|known| known.eq_ignore_ascii_case(name))
    };
    let shared = own(row).find(|name| others.iter().any(|other| is_own(other, name)));
    let named = || {
        others
            .iter()
            .any(|other| has(other, &row.name))
            .then_some(&row.name)
    };
    shared.or_else(named).or_else(|| {
        let mut names = row.names();
        names.find(|name| {
            others
                .iter()
                .any(|other| other.name.eq_ignore_ascii_case(name))
        })
    })
}
