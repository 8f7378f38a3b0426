//! Atomic writing of files: a temporary file is renamed once it is complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary file in the directory of its target. [`finish`](Self::finish) renames it to the
/// target; if `finish` is not called, the temporary file is removed. Devices and pipes are written
/// directly.
pub struct WholeFile {
    file: File,
    /// The temporary file and the target; `None` for a device or a pipe, and after the rename.
    waiting: Option<[PathBuf; 2]>,
}

impl WholeFile {
    /// A temporary file for `path`, or the device at `path`.
    ///
    /// # Errors
    /// If the temporary file cannot be created, or an existing file at `path` is not writable.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let mut target = path.to_owned();
        if let Ok(there) = fs::metadata(path) {
            let file = File::options().write(true).open(path)?;
            if !there.is_file() {
                return Ok(WholeFile {
                    file,
                    waiting: None,
                });
            }
            // Replace the target of a link, not the link.
            target = fs::canonicalize(path)?;
        }
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}-{count}.part", process::id()));
        let part = target.with_file_name(name);
        let file = File::create_new(&part)?;
        if let Ok(there) = fs::metadata(&target) {
            fs::set_permissions(&part, there.permissions())?;
        }
        Ok(WholeFile {
            file,
            waiting: Some([part, target]),
        })
    }

    /// Writes the data to disk and replaces the target by the temporary file.
    ///
    /// # Errors
    /// If the data cannot be written to disk, or the file cannot be renamed.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some([part, target]) = &self.waiting {
            self.file.sync_all()?;
            fs::rename(part, target)?;
        }
        self.waiting = None;
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some([part, _]) = &self.waiting {
            let _ = fs::remove_file(part);
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
