//! Folders of tables that a user brings: `*.toml` has rows as the tables of the program have, and
//! `NAME.unit` the description that `unit:NAME` stands for.

use super::find::look_up;
use super::lists;
use super::own_names::names_are_own;
use super::read::read_table;
use super::row::{Architecture, Row};
use super::state::{self, added, adding};
use crate::machines::model::algorithm::Algorithm;
use crate::machines::model::error::ModelError;
use crate::machines::model::keys::{forget_units, name_unit};
use crate::machines::model::spec::{Name, Spec, UNIT};
use mmasmt_numbers::base::limited_file::read_limited;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The variable of the environment that names folders of tables, in the form of `PATH`.
const VARIABLE: &str = "MMASMT_TABLES";

/// The most bytes of a file.
const LONGEST: u64 = 1 << 22;

/// The most files of a folder.
const MOST_FILES: usize = 4096;

/// Held while a folder is added.
static ADDING: Mutex<()> = Mutex::new(());

/// Adds the tables and descriptions of a folder to those of the program, for the life of the
/// process. A folder that was added already is left as it is.
///
/// # Errors
/// If a file cannot be read or is wrong, a row has no model, or a name is taken; nothing of the
/// folder is added then.
pub fn add_tables(folder: &Path) -> Result<(), ModelError> {
    let _adding = ADDING.lock().unwrap_or_else(PoisonError::into_inner);
    let unreadable = |what: std::io::Error| wrong(folder, what.to_string());
    let whole = fs::canonicalize(folder).map_err(unreadable)?;
    let known = added();
    if known.folders.contains(&whole) {
        return Ok(());
    }
    drop(known);
    let files = read_files(folder)?;
    let mut named = Vec::new();
    let before = state::architectures();
    let done = add_files(&files, &mut named);
    let mut state = adding();
    match done {
        Ok(()) => {
            state.folders.push(whole);
            state.texts.extend(files.iter().map(|(_, text)| *text));
            Ok(())
        }
        Err(error) => {
            state.architectures = before;
            forget_units(&named);
            Err(error)
        }
    }
}

/// Adds the folders that the variable `MMASMT_TABLES` of the environment names; several are
/// separated as those of `PATH` are.
///
/// # Errors
/// As [`add_tables`].
pub fn add_tables_of_environment() -> Result<(), ModelError> {
    let folders = std::env::var_os(VARIABLE).unwrap_or_default();
    let mut folders = std::env::split_paths(&folders).filter(|path| !path.as_os_str().is_empty());
    folders.try_for_each(|folder| add_tables(&folder))
}

/// The error `what` about a file or a folder.
fn wrong(path: &Path, what: String) -> ModelError {
    ModelError::Table {
        table: path.display().to_string(),
        what,
    }
}

/// The tables and descriptions of a folder, in the order of their names.
fn read_files(folder: &Path) -> Result<Vec<(PathBuf, &'static str)>, ModelError> {
    let unreadable = |what: std::io::Error| wrong(folder, what.to_string());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if matches!(ending, Some("toml" | "unit")) {
            paths.push(path);
        }
    }
    if paths.is_empty() || paths.len() > MOST_FILES {
        let (count, most) = (paths.len(), MOST_FILES);
        let what = format!("expected 1 to {most} files *.toml and *.unit, found {count}");
        return Err(wrong(folder, what));
    }
    paths.sort();
    let is_file = |path: &PathBuf| fs::metadata(path).is_ok_and(|about| about.is_file());
    // A pipe would never end.
    if let Some(path) = paths.iter().find(|path| !is_file(path)) {
        let what = "expected a file, found something else with its name";
        return Err(wrong(path, what.into()));
    }
    let read = |path: PathBuf| match read_limited(&path, LONGEST) {
        Err(error) => Err(wrong(&path, error.to_string())),
        Ok(None) => Err(wrong(
            &path,
            format!("expected at most {LONGEST} bytes, found more"),
        )),
        Ok(Some(text)) => Ok((path, &*text.leak())),
    };
    paths.into_iter().map(read).collect()
}

/// Adds descriptions and then tables; the names of descriptions that were added are in `named`.
fn add_files(files: &[(PathBuf, &'static str)], named: &mut Vec<String>) -> Result<(), ModelError> {
    let is = |path: &Path, ending: &str| path.extension().is_some_and(|found| found == ending);
    let about = |path: &Path| {
        let path = path.to_owned();
        move |error: ModelError| wrong(&path, error.to_string())
    };
    for (path, text) in files.iter().filter(|(path, _)| is(path, "unit")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name_unit(&name, text).map_err(about(path))? {
            named.push(name.clone().into_owned());
        }
        Algorithm::from_keys(&format!("{UNIT}{name}"), &[]).map_err(about(path))?;
    }
    let mut all = lists::architectures()?.to_vec();
    let taken = lists::described()?.iter().chain(lists::libraries()?);
    let taken = taken.chain(lists::unmodelled()?);
    let taken: Vec<_> = taken.chain(lists::conversions()?).collect();
    for (path, text) in files.iter().filter(|(path, _)| is(path, "toml")) {
        let made = read_table(text).map_err(|what| wrong(path, what))?;
        let is_taken = |known: &Architecture| known.name.eq_ignore_ascii_case(&made.name);
        if all.iter().any(is_taken) || taken.iter().any(|known| is_taken(known)) {
            let what = format!(
                "expected an `arch` of its own, found `{}`, which has a table",
                made.name
            );
            return Err(wrong(path, what));
        }
        let known = all.iter().chain(taken.iter().copied());
        names_are_own(&made, known).map_err(|what| wrong(path, what))?;
        all.push(made);
    }
    let first_new = lists::architectures()?.len();
    let all: &'static [Architecture] = all.leak();
    // Rows may name rows of each other, so all are there before the first is tried.
    let mut state = adding();
    state.architectures = Some(all);
    drop(state);
    let tables = files.iter().filter(|(path, _)| is(path, "toml"));
    for (architecture, (path, _)) in all[first_new..].iter().zip(tables) {
        for row in &architecture.rows {
            check(row).map_err(about(path))?;
        }
    }
    Ok(())
}

/// Checks that a row and its variants have models.
fn check(row: &Row) -> Result<(), ModelError> {
    let variants = row.variants.keys().map(|name| Some(name.as_str()));
    for variant in std::iter::once(None).chain(variants) {
        let spec = row.spec(variant)?;
        ends(&spec, MOST_ROWS)?;
        Algorithm::of(&spec)?;
    }
    Ok(())
}

/// The most rows that a row may name one behind the other.
const MOST_ROWS: u32 = 16;

/// Checks that a specification names no row that names itself.
fn ends(spec: &Spec, rows: u32) -> Result<(), ModelError> {
    if let Name::Composition { unit, .. } = &spec.name {
        return ends(unit, rows);
    }
    match look_up(spec)? {
        None => Ok(()),
        Some(_) if rows == 0 => Err(ModelError::Rows { most: MOST_ROWS }),
        Some(found) => ends(&found, rows - 1),
    }
}
