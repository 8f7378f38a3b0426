//! The program as a person runs it: the commands of FINDINGS, and the transcripts in `tests/cmd`.
//!
//! `TRYCMD=overwrite cargo test --test cli transcripts` writes what is printed now; read the difference.

/// Those that search for large errors and for domains of agreement take half a minute.
const LONG: [&str; 4] = [
    "tests/cmd/atlas.md",
    "tests/cmd/compare.md",
    "tests/cmd/least.md",
    "tests/cmd/worst.md",
];

#[test]
#[ignore = "half a minute"]
fn long_transcripts_are_what_the_program_prints() {
    let cases = trycmd::TestCases::new();
    cases.env("MMASMT_QUIET", "1");
    for case in LONG {
        cases.case(case);
    }
}

#[test]
fn transcripts_are_what_the_program_prints() {
    let cases = trycmd::TestCases::new();
    cases.env("MMASMT_QUIET", "1");
    cases.case("FINDINGS.md").case("tests/cmd/*.md");
    for case in LONG {
        cases.skip(case);
    }
    if cfg!(feature = "cuda") {
        cases.skip("tests/cmd/run-without-gpu.md");
    }
}
