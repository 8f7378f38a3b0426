//! Files of certificates by steps: what is known of every step of a model, as JSON.

use super::json::{Cost, write_json};
use super::output::{PROGRAM, write_whole};
use super::proof_file::Proof;
use super::status::Status;
use crate::cli::error::Error;
use mmasmt_certificates::{CertificateRejection, VerifiedCertificate, check};
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::Question;
use mmasmt_questions::claims::stepwise::{NoCertificate, bound_certificates, certificates};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Whether a file of this name is a certificate by steps.
pub(super) fn is_certificate(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}

/// The path of a certificate, of which the name says what it is.
pub(super) fn certificate_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match is_certificate(&path) {
        true => Ok(path),
        false => Err("expected a name that ends in .json".into()),
    }
}

/// Writes a certificate of the question's claim that the checker accepts.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn certify(question: &Question, path: &Path) -> Result<Proof, Error> {
    match question.claim() {
        Some(claim) => write_first(certificates(claim), path),
        None => Ok(none("the question is no single claim")),
    }
}

/// The file with the certificate of the bound of a model's errors, if one is asked for.
pub(super) struct BoundFile<'x> {
    path: Option<&'x Path>,
    proof: Option<Proof>,
}

impl<'x> BoundFile<'x> {
    /// Writes the certificate that the checker accepts.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn of(model: &Model, domain: &Domain, path: Option<&'x Path>) -> Result<Self, Error> {
        let proof = path.map(|path| write_first(bound_certificates(model, domain), path));
        let proof = proof.transpose()?;
        Ok(BoundFile { path, proof })
    }

    /// The path, if the file was written; `None` if no file is asked for.
    pub fn written(&self) -> Option<Option<&Path>> {
        let proof = self.proof.as_ref();
        proof.map(|proof| proof.path(self.path))
    }

    /// A line about the file, if one is asked for.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        if let Some(proof) = &self.proof {
            writeln!(out, "# {}", proof.line())?;
        }
        Ok(())
    }
}

fn none(why: impl Display) -> Proof {
    Proof::None(format!("no certificate: {why}"))
}

/// Writes the first certificate that the checker accepts.
fn write_first(texts: Result<Vec<String>, NoCertificate>, path: &Path) -> Result<Proof, Error> {
    let texts = match texts {
        Ok(texts) => texts,
        Err(why) => return Ok(none(why)),
    };
    let mut rejected = None;
    for text in texts {
        match check(&text) {
            Ok(verified) => {
                let written = write_whole(path, |out| out.write_all(text.as_bytes()));
                written.map_err(Error::file(path))?;
                return Ok(Proof::Written(format!(
                    "{path}: certificate of {} steps; mmasmt check-proof {path}",
                    verified.steps,
                    path = path.display()
                )));
            }
            Err(why) => rejected = Some(why),
        }
    }
    let why = rejected.map_or_else(String::new, |why| why.to_string());
    Ok(none(format!("the checker does not accept it: {why}")))
}

/// What a certificate does not say.
const NOT_CHECKED: &str = "the steps and what is given of the operands are not checked: compare them with `models show MODEL --unit` and with the domain";

/// `mmasmt check-proof` of a certificate by steps
#[derive(Serialize, JsonSchema)]
pub(super) struct CertificateAnswer<'x> {
    #[schemars(extend("enum" = ["verified", "rejected"]))]
    verdict: &'static str,
    reason: Option<String>,
    /// The claim that is proved, as the checker read it.
    proves: Option<&'x str>,
    /// The claim in the words of the certificate, which are not checked.
    claim: Option<&'x str>,
    /// The number of steps.
    steps: Option<usize>,
    cost: Cost,
}

/// The verdict on a proof.
pub(super) fn proof_verdict(is_proof: bool) -> &'static str {
    if is_proof { "verified" } else { "rejected" }
}

/// Checks a certificate and writes the outcome.
///
/// # Errors
/// If the file cannot be read, or is no certificate.
pub(super) fn check_file(path: &Path, json: bool, out: &mut dyn Write) -> Result<Status, Error> {
    let start = Instant::now();
    let text = std::fs::read_to_string(path).map_err(Error::file(path))?;
    let outcome = check(&text);
    if let Err(CertificateRejection::NotReadable(what)) = &outcome {
        return Err(Error::Usage(format!("{}: {what}", path.display())));
    }
    let seconds = start.elapsed().as_secs_f64();
    let reason = outcome.as_ref().err().map(ToString::to_string);
    if json {
        let verified = outcome.as_ref().ok();
        let object = CertificateAnswer {
            verdict: proof_verdict(verified.is_some()),
            reason,
            proves: verified.map(|verified| verified.proves.as_str()),
            claim: verified.map(|verified| verified.claim.as_str()),
            steps: verified.map(|verified| verified.steps),
            cost: Cost::new(seconds, None),
        };
        write_json(out, &object)?;
    } else {
        match &outcome {
            Ok(VerifiedCertificate {
                claim,
                proves,
                steps,
            }) => writeln!(
                out,
                "verified: {proves}\nin words, which are not checked: {claim}\nwhat is known of each of {steps} steps follows from the steps that it takes\n{NOT_CHECKED}"
            )?,
            Err(_) => writeln!(
                out,
                "rejected: {} is no proof of its claim\n{}",
                path.display(),
                reason.unwrap_or_default()
            )?,
        }
        writeln!(out, "\n# {PROGRAM}, {seconds:.2} s")?;
    }
    Ok(match outcome {
        Ok(_) => Status::Yes,
        Err(_) => Status::No,
    })
}
