//! Machine code that is kept on the disk, so that a program is compiled once on a machine.
//!
//! A file is named by a hash of everything that its content depends on, lies in a folder that only its
//! owner can write to, and is renamed into its place when it is whole.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A compiler of programs for other processors.
pub trait Compiler {
    /// The name and version of the compiler.
    fn version(&self) -> String;

    /// The machine code of a source for a target.
    ///
    /// # Errors
    /// If the compiler rejects the source; the error is its message.
    fn compile(&self, source: &str, target: &str) -> Result<Vec<u8>, String>;
}

/// A folder of machine code.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache of this user: `mmasmt` in `XDG_CACHE_HOME`, or in `.cache` of the home. Without both,
    /// nothing is kept.
    pub fn of_user() -> Cache {
        let of = |name| std::env::var_os(name).map(PathBuf::from);
        let caches = of("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let caches = caches.or_else(|| Some(of("HOME")?.join(".cache")));
        Cache {
            folder: caches.map(|path| path.join("mmasmt")),
        }
    }

    /// The cache in a folder, which is made if it is not there.
    pub fn within(folder: &Path) -> Cache {
        Cache {
            folder: Some(folder.to_owned()),
        }
    }

    /// The machine code of a source for a target: what is kept, or what the compiler gives, which is
    /// then kept. A folder that cannot be used is no error.
    ///
    /// # Errors
    /// If the compiler rejects the source.
    pub fn compiled(
        &self,
        compiler: &impl Compiler,
        source: &str,
        target: &str,
    ) -> Result<Vec<u8>, String> {
        let path = self
            .folder
            .as_ref()
            .filter(|folder| prepare(folder).is_ok());
        let path = path.map(|folder| folder.join(name(&compiler.version(), source, target)));
        if let Some(kept) = path.as_deref().and_then(read) {
            return Ok(kept);
        }
        let code = compiler.compile(source, target)?;
        if let Some(path) = path {
            let _ = keep(&path, &code);
        }
        Ok(code)
    }
}

/// The name of the file of a program.
fn name(version: &str, source: &str, target: &str) -> String {
    let mut state = Sha256::new();
    for part in [version, target, source] {
        state.update((part.len() as u64).to_le_bytes());
        state.update(part);
    }
    let mut name = String::new();
    for byte in state.finalize() {
        let _ = write!(name, "{byte:02x}");
    }
    name + ".cubin"
}

/// Makes the folder, unless it is there, and checks that nobody else can write to it.
fn prepare(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // A new file has the owner that this process has.
    let own = tempfile::tempfile_in(folder)?.metadata()?;
    is_alike(&own, folder)
}

/// Fails if what is at the path has another owner, or if others can write to it.
#[cfg(unix)]
fn is_alike(own: &fs::Metadata, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::symlink_metadata(path)?;
    let is_own = found.uid() == own.uid() && found.mode() & 0o022 == 0;
    match is_own && !found.is_symlink() {
        true => Ok(()),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}

#[cfg(not(unix))]
fn is_alike(_: &fs::Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}

/// What is kept at the path: code behind its own hash.
fn read(path: &Path) -> Option<Vec<u8>> {
    let folder = fs::symlink_metadata(path.parent()?).ok()?;
    is_alike(&folder, path).ok()?;
    let all = fs::read(path).ok()?;
    let (hash, code) = all.split_at_checked(Sha256::output_size())?;
    (Sha256::digest(code)[..] == *hash).then(|| code.to_vec())
}

fn keep(path: &Path, code: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&Sha256::digest(code))?;
    file.write_all(code)?;
    file.persist(path)?;
    Ok(())
}
