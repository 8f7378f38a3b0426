//! `mutants` of compositions and of designs: which keys are changed, what is said of them, and what has none.

use super::products::run;
use serde_json::Value;

const COMPOSITION: &str = "promote(fda:K=1,in=e2m1,F=4):K=2,every=1";

#[test]
fn keys_of_all_layers_are_named_with_the_path_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // What no input shows may need longer to be proved equal than it is given here.
    let asked = ["mutants", COMPOSITION, "--pair-timeout", "10ms"];
    let is_done = |status: Option<i32>| matches!(status, Some(0 | 3));
    let (status, out, err) = run(folder, &[&asked[..], &["--json"]].concat());
    assert!(is_done(status), "{err}");
    let value: Value = serde_json::from_str(&out).unwrap();
    let changes = value["mutants"].as_array().unwrap().iter();
    let changes: Vec<&str> = changes
        .map(|mutant| mutant["change"].as_str().unwrap())
        .collect();
    for change in [
        "every=2",
        "round=rz",
        "fda.F=5",
        "fda.round=rne",
        "fda.zero=raw",
    ] {
        assert!(changes.contains(&change), "{change}: {changes:?}");
    }
    let (status, out, err) = run(folder, &[&asked[..], &["--shard", "0/9"]].concat());
    assert!(is_done(status), "{err}");
    assert!(out.contains("\"change\":\"fda."), "{out}");
}

/// A design has no keys: there is no percentage of nothing.
#[test]
fn a_score_of_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (status, _, err) = run(
        folder,
        &[
            "export",
            "fda:K=1,in=e2m1",
            "--to",
            "btor2",
            "-o",
            "one.btor2",
        ],
    );
    assert_eq!(status, Some(0), "{err}");
    std::fs::write(folder.join("in.txt"), "00000000 2 2\n").unwrap();
    let design = "rtl:one.btor2@fda:K=1,in=e2m1";
    for more in [
        &[][..],
        &["--json"],
        &["--score", "in.txt"],
        &["--shard", "0/2"],
        &["--out", "out.txt"],
    ] {
        let line = [&["mutants", design][..], more].concat();
        let (status, out, err) = run(folder, &line);
        assert_eq!(status, Some(2), "{more:?}: {out}{err}");
        let expected = format!(
            "expected a model with keys that can be changed, as an algorithm, an instruction or a composition has them, found `{design}`"
        );
        if more == ["--json"] {
            let value: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(value["error"], expected);
        } else {
            assert_eq!((&*out, err), ("", format!("error: {expected}\n")));
        }
    }
    assert!(!folder.join("out.txt").exists());
}

/// `least` goes through the values of a key inside, and asks where several layers have it.
#[test]
fn least_reaches_the_unit_of_a_composition() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let model = "promote(fda:K=2,in=e2m1,F=12):K=4,every=1";
    let (status, out, err) = run(
        folder,
        &[
            "least",
            "carry",
            "equal=:carry=full",
            model,
            "--where",
            "finite, c = 0",
        ],
    );
    assert_eq!(status, Some(0), "{out}{err}");
    assert!(out.starts_with("least: carry="), "{out}");
    let (status, _, err) = run(folder, &["least", "round", "faithful", model]);
    assert_eq!(status, Some(2), "{err}");
    let twice = "promote(promote(fda:K=2,in=e2m1):K=2,every=1):K=4";
    let (status, _, err) = run(folder, &["least", "nothing", "faithful", twice]);
    assert_eq!(status, Some(2), "{err}");
    let several = "epilogue(promote(promote(fda:K=2,in=e2m1):K=2,every=1):K=4,every=1):K=4";
    let (status, _, err) = run(folder, &["least", "every", "faithful", several]);
    assert_eq!(status, Some(2), "{err}");
    assert!(
        err.contains("expected promote.every or promote.promote.every"),
        "{err}"
    );
}
