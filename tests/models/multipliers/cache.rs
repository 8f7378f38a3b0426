//! Compiled programs are kept in a folder of one's own.

use mmasmt_questions::matrices::device::{Cache, Compiler};
use std::cell::Cell;
use std::fs;
use std::path::Path;

struct Mock {
    version: &'static str,
    calls: Cell<usize>,
}

impl Compiler for Mock {
    fn version(&self) -> String {
        self.version.into()
    }

    fn compile(&self, source: &str, target: &str) -> Result<Vec<u8>, String> {
        self.calls.set(self.calls.get() + 1);
        match source {
            "wrong" => Err("a message".into()),
            _ => Ok(format!("{target} {source}").into()),
        }
    }
}

fn mock(version: &'static str) -> Mock {
    Mock {
        version,
        calls: Cell::new(0),
    }
}

#[test]
fn a_program_is_compiled_once_for_each_source_target_and_version() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::within(&folder.path().join("a/b"));
    let (old, new) = (mock("12.0"), mock("12.9"));
    let code = |compiler: &Mock, source, target| cache.compiled(compiler, source, target);
    for _ in 0..3 {
        assert_eq!(code(&old, "x", "sm_80").unwrap(), b"sm_80 x");
        assert_eq!(code(&old, "x", "sm_90").unwrap(), b"sm_90 x");
        assert_eq!(code(&old, "y", "sm_80").unwrap(), b"sm_80 y");
        assert_eq!(code(&new, "x", "sm_80").unwrap(), b"sm_80 x");
    }
    assert_eq!((old.calls.get(), new.calls.get()), (3, 1));
    assert_eq!(code(&old, "wrong", "sm_80").unwrap_err(), "a message");
}

#[test]
fn a_damaged_file_is_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::within(&folder.path().join("own"));
    let compiler = mock("12.0");
    cache.compiled(&compiler, "x", "sm_80").unwrap();
    let path = fs::read_dir(folder.path().join("own")).unwrap();
    let path = path.map(|file| file.unwrap().path()).next().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    assert_eq!(cache.compiled(&compiler, "x", "sm_80").unwrap(), b"sm_80 x");
    assert_eq!(cache.compiled(&compiler, "x", "sm_80").unwrap(), b"sm_80 x");
    assert_eq!(compiler.calls.get(), 2);
}

#[test]
#[cfg(unix)]
fn a_folder_that_others_can_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    let (cache, compiler) = (Cache::within(&own), mock("12.0"));
    cache.compiled(&compiler, "x", "sm_80").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&own), 0o700);
    fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).unwrap();
    cache.compiled(&compiler, "x", "sm_80").unwrap();
    assert_eq!(compiler.calls.get(), 2);
}
