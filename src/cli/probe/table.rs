//! `probe --table`: the models' answers beside a paper's findings.

use crate::cli::Status;
use crate::cli::error::Error;
use crate::cli::json::write_json;
use crate::cli::output::widest;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_questions::identify::probe::{Cell, PublishedRow, PublishedTable, published_tables};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

pub(super) fn run(name: &str, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let tables = published_tables()?;
    let Some(table) = tables.iter().find(|table| table.name == name) else {
        let names: Vec<_> = tables.iter().map(|table| table.name.as_str()).collect();
        let (expected, name) = (names.join(", "), excerpt(name));
        return Err(Error::Usage(format!(
            "--table: expected one of {expected}, found `{name}`"
        )));
    };
    let rows = table.rows.iter().map(|row| Ok((row, table.cells(row)?)));
    let rows: Vec<(&PublishedRow, Vec<Cell>)> = rows.collect::<Result<_, Error>>()?;
    if json {
        write_json(out, &TableAnswer::new(table, &rows))?
    } else {
        write_text(table, &rows, out)?
    }
    let same = rows.iter().all(|(_, cells)| cells.iter().all(Cell::agrees));
    Ok(if same { Status::Yes } else { Status::No })
}

/// The computed value of a cell, with the published value behind it if the two differ.
fn text(cell: &Cell) -> String {
    if cell.agrees() {
        cell.computed.clone()
    } else {
        format!("{} [{}]", cell.computed, cell.published)
    }
}

fn write_text(
    table: &PublishedTable,
    rows: &[(&PublishedRow, Vec<Cell>)],
    out: &mut dyn Write,
) -> Result<(), Error> {
    writeln!(out, "{}", table.source)?;
    writeln!(
        out,
        "computed by the models; what is published otherwise in [brackets]\n"
    )?;
    let header = ["inputs".into(), "GPU".into()];
    let mut lines = vec![
        header
            .into_iter()
            .chain(table.columns.clone())
            .collect::<Vec<_>>(),
    ];
    for (row, cells) in rows {
        let labels = [row.inputs.clone(), row.gpu.clone()];
        lines.push(labels.into_iter().chain(cells.iter().map(text)).collect());
    }
    let width = |column: usize| widest(lines.iter().filter_map(|line| line.get(column)));
    let widths: Vec<usize> = (0..table.columns.len() + 2).map(width).collect();
    for line in &lines {
        let padded = line.iter().zip(&widths);
        let padded: Vec<String> = padded
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        writeln!(out, "{}", padded.join("  ").trim_end())?;
    }
    let mut count = 0;
    for (row, cells) in rows {
        for (column, _) in differing(table, cells) {
            count += 1;
            let why = row
                .differs
                .get(column)
                .map_or("unexplained", String::as_str);
            if count == 1 {
                writeln!(out)?;
            }
            writeln!(out, "{} {}, {column}: {why}", row.inputs, row.gpu)?;
        }
    }
    let all = rows.len() * table.columns.len();
    writeln!(out, "\n{} of {all} cells as published", all - count)?;
    Ok(())
}

fn differing<'t>(
    table: &'t PublishedTable,
    cells: &'t [Cell],
) -> impl Iterator<Item = (&'t str, &'t Cell)> {
    let columns = table.columns.iter().map(String::as_str).zip(cells);
    columns.filter(|(_, cell)| !cell.agrees())
}

/// `mmasmt probe --table`
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct TableAnswer<'x> {
    table: &'x str,
    source: &'x str,
    rows: Vec<GpuRow<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct GpuRow<'x> {
    inputs: &'x str,
    gpu: &'x str,
    model: &'x str,
    cells: Vec<TableCell<'x>>,
}

#[derive(Serialize, JsonSchema)]
struct TableCell<'x> {
    column: &'x str,
    computed: &'x str,
    published: &'x str,
    agrees: bool,
    /// The reason that is known for a difference.
    why: Option<&'x str>,
}

impl<'x> TableAnswer<'x> {
    fn new(table: &'x PublishedTable, rows: &'x [(&PublishedRow, Vec<Cell>)]) -> Self {
        let rows = rows.iter().map(|(row, cells)| {
            let cells = table.columns.iter().zip(cells);
            let cells = cells.map(|(column, cell)| TableCell {
                column,
                computed: &cell.computed,
                published: &cell.published,
                agrees: cell.agrees(),
                why: (row.differs.get(column))
                    .filter(|_| !cell.agrees())
                    .map(String::as_str),
            });
            GpuRow {
                inputs: &row.inputs,
                gpu: &row.gpu,
                model: &row.model,
                cells: cells.collect(),
            }
        });
        TableAnswer {
            table: &table.name,
            source: &table.source,
            rows: rows.collect(),
        }
    }
}
