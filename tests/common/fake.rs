//! Fake solvers: shell scripts that answer what a test wants.

use mmasmt_questions::solver::engine::SmtSolver;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// A shell script that pretends to be a solver, in its own folder.
pub struct Fake {
    pub folder: PathBuf,
    pub solver: SmtSolver,
}

impl Fake {
    pub fn new(name: &str, body: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mmasmt-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        // It has no version, and says so at once.
        let asked = "[ \"$1\" = --version ] && exit";
        let text = folder.join("text");
        fs::write(&text, format!("#!/bin/sh\n{asked}\n{body}\n")).unwrap();
        // Another program makes the file that is executed: had this one, a process that another test starts meanwhile
        // could hold it open for writing, and then nobody can execute it.
        let copied = Command::new("cp").args([&text, &path]).status().unwrap();
        assert!(copied.success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let solver = SmtSolver::from_command(&format!("{} -x", path.display())).unwrap();
        Fake { folder, solver }
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
