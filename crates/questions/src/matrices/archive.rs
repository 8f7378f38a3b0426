//! An array in an archive (`.npz`), as `numpy.savez` writes it.

use super::array_error::{ArrayError, unexpected};
use crate::vectors::SectionMember;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zip::ZipArchive;
use zip::result::ZipError;

/// The location of an array: `FILE.npz`, or `FILE.npz:NAME`.
pub(super) struct ArrayLocation {
    file: PathBuf,
    /// The array's name, if the path has one.
    name: Option<String>,
}

impl ArrayLocation {
    /// Parses a path; `None` if it does not name an archive.
    pub(super) fn of(path: &Path) -> Option<ArrayLocation> {
        if path.extension().is_some_and(|end| end == "npz") {
            return Some(ArrayLocation {
                file: path.into(),
                name: None,
            });
        }
        let (file, name) = path.to_str()?.rsplit_once(".npz:")?;
        Some(ArrayLocation {
            file: format!("{file}.npz").into(),
            name: Some(name.into()),
        })
    }

    /// Applies `read` to the array that the path names. If the path names no array, `read` gets the
    /// only array of the archive, or, if there are several, the first of `names` that exists.
    pub(super) fn with<T>(
        &self,
        names: &[&str],
        read: impl FnOnce(&mut dyn Read) -> Result<T, ArrayError>,
    ) -> Result<T, ArrayError> {
        let file = File::open(&self.file)?;
        let shared = Rc::new(RefCell::new(file.try_clone()?));
        let damaged = |error: String| unexpected(["a zip archive".into(), error]);
        let mut archive =
            ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(error.to_string()))?;
        let all = archive.file_names().map(|name| Ok(name?.into_owned()));
        let all = all.collect::<Result<Vec<String>, ZipError>>();
        let all = all.map_err(|error| damaged(error.to_string()))?;
        let there = |name: &str| {
            let member = format!("{name}.npy");
            all.contains(&member).then_some(member)
        };
        let member = match (&self.name, &all[..]) {
            (Some(name), _) => there(name),
            (None, [only]) => Some(only.clone()),
            (None, _) => names.iter().find_map(|name| there(name)),
        };
        let member = member.ok_or_else(|| {
            let expected = match &self.name {
                Some(name) => format!("an array `{name}`"),
                None => format!(
                    "one array, one named {}, or FILE.npz:NAME",
                    names.join(" or ")
                ),
            };
            let names = all
                .iter()
                .map(|name| name.strip_suffix(".npy").unwrap_or(name));
            unexpected([expected, names.collect::<Vec<_>>().join(", ")])
        })?;
        let index = archive.index_for_name(&member).unwrap_or_default();
        let entry = archive.by_index_raw(index);
        let entry = entry.map_err(|error| damaged(error.to_string()))?;
        let mut content = SectionMember::new(&entry, &shared)
            .ok_or_else(|| unexpected(["stored or deflated data".into(), "other data".into()]))?;
        let result = read(&mut content)?;
        if content.finish()? {
            Ok(result)
        } else {
            Err(io::Error::other("damaged data, or more than the shape says").into())
        }
    }
}
