//! Certificates of verdicts by rules: what is known of every step of a model, so that another program can check by local
//! steps alone that a claim holds (`mmasmt check-proof`, and one file of Python). `docs/src/certificates.md` is the format.
//!
//! | what | file |
//! | --- | --- |
//! | steps and formats | `steps` |
//! | a claim as what a certificate proves | `conclusion` |
//! | values that a later step aligns | `aligned` |
//! | the whole certificate | `written` |
//! | the reasons that there is none | `error` |

mod aligned;
mod conclusion;
mod error;
mod steps;
mod written;

pub(super) use aligned::are_aligned;
pub use error::NoCertificate;
pub(super) use steps::dyadic;
pub use written::{bound_certificates, certificates};
