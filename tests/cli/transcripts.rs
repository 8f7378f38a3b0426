//! The program as a person runs it: the commands of README and FINDINGS, and the transcripts in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test --test cli transcripts` writes what is printed now; read the difference.

#[test]
fn transcripts_are_what_the_program_prints() {
    let cases = trycmd::TestCases::new();
    cases
        .case("README.md")
        .case("FINDINGS.md")
        .case("docs/src/1*.md")
        .case("docs/src/34*.md")
        .case("tests/cmd/*.md");
    if cfg!(feature = "cuda") {
        cases.skip("tests/cmd/run-without-gpu.md");
    }
}

#[test]
#[ignore = "a minute: searches for operands with large errors"]
fn pages_with_tables_of_errors_are_what_the_program_prints() {
    trycmd::TestCases::new()
        .case("docs/src/3x*.md")
        .case("docs/src/promotion.md")
        .case("docs/src/tolerance.md");
}
