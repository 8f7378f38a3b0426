//! Checks a certificate: a JSON text that says what is known of every step of a unit, and what follows for its result.
//!
//! Each fact of a step has to follow from the facts of the steps that it takes, from the section `given`, and from the
//! meaning of the step; a fact that does not follow is rejected. A step that has no rule here may stand in a certificate, but
//! nothing is known of its value. The formats, the operands, `given` and the steps with their options are trusted: they are
//! the unit and its domain. The text of the claim is not read.
//!
//! | what | file |
//! | --- | --- |
//! | steps: their options and facts, and how they are read | `steps`, `reading` |
//! | the operands and their products; sets of numbers; bounds | `domain`, `numbers`, `amounts` |
//! | rules from facts to facts | `values`, `rises`, `bounds` |
//! | all steps of a unit, one after another | `unit` |
//! | what follows for the result | `conclusion`, `graph` |
//!
//! ```
//! let rejected = mmasmt_certificates::check("{}");
//! assert!(rejected.is_err_and(|reason| reason.to_string().contains("missing key")));
//! ```

mod amounts;
mod bounds;
mod conclusion;
mod domain;
mod dyadic;
mod graph;
mod json;
mod numbers;
mod reading;
mod rises;
mod steps;
mod unit;
mod values;

use std::fmt;

/// A certificate whose claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedCertificate {
    /// The claim in words, which is not checked.
    pub claim: String,
    /// The conclusion, as the certificate has it.
    pub proves: String,
    /// The number of steps of all units.
    pub steps: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CertificateRejection {
    /// The text is not a certificate.
    NotReadable(String),
    /// A fact of a step does not follow.
    AtStep {
        /// The number of the unit.
        unit: usize,
        /// The number of the step.
        step: usize,
        /// The reason: what was expected, and what was found.
        reason: String,
    },
    /// The conclusion does not follow from the facts of the result.
    Conclusion(String),
}

impl fmt::Display for CertificateRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateRejection::NotReadable(reason) => write!(f, "not readable: {reason}"),
            CertificateRejection::AtStep {
                unit: 0,
                step,
                reason,
            } => write!(f, "step {step}: {reason}"),
            CertificateRejection::AtStep { unit, step, reason } => {
                write!(f, "unit {unit}: step {step}: {reason}")
            }
            CertificateRejection::Conclusion(reason) => write!(f, "conclusion: {reason}"),
        }
    }
}

impl std::error::Error for CertificateRejection {}

/// Checks the text of a certificate.
///
/// # Errors
///
/// The first thing that is not in the format, or does not follow.
pub fn check(text: &str) -> Result<VerifiedCertificate, CertificateRejection> {
    let document = unit::Document::read(text).map_err(CertificateRejection::NotReadable)?;
    let mut units = Vec::new();
    for (unit, text) in document.units.iter().enumerate() {
        let checked = text.checked(&document);
        units.push(
            checked.map_err(|(step, reason)| CertificateRejection::AtStep {
                unit,
                step,
                reason,
            })?,
        );
    }
    let proves = &document.proves;
    conclusion::check(&document.domain, proves, &units)
        .map_err(CertificateRejection::Conclusion)?;
    Ok(VerifiedCertificate {
        proves: proves.to_string(),
        steps: units.iter().map(|unit| unit.steps.len()).sum(),
        claim: document.claim,
    })
}
