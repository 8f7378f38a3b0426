//! The program as a person runs it: the commands of FINDINGS, and the transcripts in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test --test cli transcripts` writes what is printed now; read the difference.

#[test]
fn transcripts_are_what_the_program_prints() {
    let cases = trycmd::TestCases::new();
    cases.case("FINDINGS.md").case("tests/cmd/*.md");
    if cfg!(feature = "cuda") {
        cases.skip("tests/cmd/run-without-gpu.md");
    }
}
