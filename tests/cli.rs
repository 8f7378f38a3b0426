//! The program as a person runs it: the commands of README and FINDINGS, and the transcripts in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test --test cli` writes what is printed now; read the difference.

#[test]
fn transcripts_are_what_the_program_prints() {
    trycmd::TestCases::new()
        .case("README.md")
        .case("FINDINGS.md")
        .case("tests/cmd/*.md");
}
