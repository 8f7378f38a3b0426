//! What was added to the tables of the program. It lives as long as the process, as the tables of the
//! program do.

use super::row::Architecture;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The added folders with their texts, and all architectures.
pub(super) struct Added {
    pub folders: Vec<PathBuf>,
    pub texts: Vec<&'static str>,
    /// `None` if nothing was added.
    pub architectures: Option<&'static [Architecture]>,
}

static ADDED: RwLock<Added> = RwLock::new(Added {
    folders: Vec::new(),
    texts: Vec::new(),
    architectures: None,
});

/// What was added so far.
pub(super) fn added() -> RwLockReadGuard<'static, Added> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner)
}

/// What was added so far, to be changed.
pub(super) fn adding() -> RwLockWriteGuard<'static, Added> {
    ADDED.write().unwrap_or_else(PoisonError::into_inner)
}

/// The architectures of the program and of all added folders; `None` if no folder was added.
pub(super) fn architectures() -> Option<&'static [Architecture]> {
    added().architectures
}

/// The texts of all files of added folders.
pub(super) fn texts() -> Vec<&'static str> {
    added().texts.clone()
}
