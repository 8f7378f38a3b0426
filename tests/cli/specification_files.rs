//! `@FILE` in place of a model.

use std::fs;
use std::process::Command;

fn eval(path: &std::path::Path) -> (Option<i32>, String) {
    let model = format!("@{}", path.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_mmasmt"));
    let output = command.args(["eval", &model, "--a", "1", "--b", "1.5"]);
    let output = output.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn a_file_has_a_specification_in_lines_with_comments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gemm");
    let text = "# what the library calls\nsplitk(\n  promote(fda:F=13,K=32, every=4),  # slow\n  8, pairwise\n):K=1024\n";
    fs::write(&path, text).unwrap();
    let (status, said) = eval(&path);
    assert_eq!((status, &said[..13]), (Some(0), "d  0x3fc00000"), "{said}");
}

#[test]
fn a_file_that_is_none_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long");
    let contents = [
        vec![b'#'; 70_000],
        vec![0xff; 10],
        b"promote(\n".to_vec(),
        Vec::new(),
    ];
    for content in contents {
        fs::write(&path, content).unwrap();
        let (status, said) = eval(&path);
        assert_eq!(status, Some(2), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("error: "), "{said}");
    }
}
