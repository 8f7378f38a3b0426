//! A file that appears under its name when all of it is written, and not before.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is written goes to a file beside the one that is meant, which [`finish`](Self::finish) puts
/// in its place; without that, nothing is left of it. Devices and pipes are written to as they are.
pub struct WholeFile {
    file: File,
    /// Where the file is, and where it belongs; none for a device, and once it is there.
    waiting: Option<[PathBuf; 2]>,
}

/// Writes all of the file at `path` by `write`.
///
/// # Errors
/// If it cannot be written; then what was there before is still there.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<WholeFile>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(WholeFile::create(path)?);
    write(&mut out)?;
    out.into_inner()?.finish()
}

impl WholeFile {
    /// A new file that will be at `path`, or the device that is there.
    ///
    /// # Errors
    /// If there cannot be one, or the file that is there must not be written.
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
            // Not the link but the file that it leads to is replaced.
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

    /// Gives the file its name, in place of what was there.
    ///
    /// # Errors
    /// If what was written does not reach the disk, or the name cannot be given.
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
