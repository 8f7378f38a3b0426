//! The text of a specification: typed directly, read from `@FILE`, or a plan.

use super::error::Error;
use super::plan::named_plan;
use mmasmt_numbers::base::limited_file::read_limited;
use std::borrow::Cow;
use std::path::PathBuf;

/// The most bytes of a file with a specification: 64 KiB.
const LONGEST: u64 = 1 << 16;

/// The specification: `text` itself, or, if `text` is `@FILE`, the content of this file. The file
/// has one or several lines, in which everything behind a `#` is a comment. `plan:TABLE` is a plan of
/// a table, and `plan:TABLE@M,N,K,NAME=VALUE` the one for a shape.
///
/// # Errors
/// If the file cannot be read, or is longer than [`LONGEST`].
pub(super) fn specification(text: &str) -> Result<Cow<'_, str>, Error> {
    if let Some(plan) = text.strip_prefix("plan:") {
        return named_plan(plan).map(Cow::Owned);
    }
    let Some(path) = text.strip_prefix('@') else {
        return Ok(text.into());
    };
    let path = PathBuf::from(path);
    match read_limited(&path, LONGEST) {
        Err(error) => Err(Error::File { path, error }),
        Ok(None) => Err(Error::Usage(format!(
            "@{}: expected a specification of at most {LONGEST} bytes, found more",
            path.display()
        ))),
        Ok(Some(content)) => {
            let lines = content.lines();
            let said = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
            let said: Vec<_> = said.filter(|line| !line.is_empty()).collect();
            Ok(said.join(" ").into())
        }
    }
}
