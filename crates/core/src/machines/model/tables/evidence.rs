//! The kinds of evidence that rows stand on.

use mmasmt_numbers::base::excerpt::excerpt;

/// The kinds, which are the words before the colon.
const KINDS_OF_EVIDENCE: [&str; 9] = [
    "recorded",
    "reported",
    "machine code",
    "vendor",
    "documentation",
    "paper",
    "program",
    "emulator",
    "mma-sim",
];

/// Checks that each line of the evidence for `name` begins with its kind.
///
/// # Errors
/// If a line does not; the error is one line.
pub(super) fn check_evidence(name: &str, evidence: &[String]) -> Result<(), String> {
    let is_known = |line: &&String| {
        let split = line.split_once(':');
        split.is_some_and(|(kind, _)| KINDS_OF_EVIDENCE.contains(&kind))
    };
    match evidence.iter().find(|line| !is_known(line)) {
        None => Ok(()),
        Some(line) => {
            let kinds = KINDS_OF_EVIDENCE
                .map(|kind| format!("`{kind}:`"))
                .join(", ");
            let (name, found) = (excerpt(name), excerpt(line));
            Err(format!(
                "`{name}`: expected evidence that begins with one of {kinds}, found `{found}`"
            ))
        }
    }
}
