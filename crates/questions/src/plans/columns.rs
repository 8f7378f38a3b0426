//! Columns of whole numbers in an archive of NumPy (`.npz`), and the names that its formats have.

use super::error::{PlanError, wrong};
use crate::matrices::read_numbers;
use std::path::{Path, PathBuf};

/// Reads one column of whole numbers.
pub(super) fn column(path: &Path, name: &str) -> Result<Vec<i64>, PlanError> {
    let mut member = path.as_os_str().to_owned();
    member.push(format!(":{name}"));
    read_numbers(&PathBuf::from(member)).map_err(|error| wrong(path, &error))
}

/// The name that formats have here.
pub(super) fn short(name: &str) -> String {
    match name {
        "float32" => "f32",
        "bfloat16" => "bf16",
        "float16" => "f16",
        "float8_e4m3fn" => "e4m3",
        "float8_e5m2" => "e5m2",
        other => other,
    }
    .to_owned()
}
