//! Models on the command line. A model is named by a specification, by `@FILE` (a file with a
//! specification), or by a hardware design.

use super::error::Error;
use super::notes::note_domain;
use super::notes::{note_instructions, note_keys, note_lengths};
use super::rtl::Rtl;
use super::specification_text::specification;
use mmasmt_core::machines::model::{Model, ModelError, Row, find_architecture, find_row};
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::query::Question;
use mmasmt_questions::vectors::device::CpuDevice;
use std::path::Path;

/// The model that `text` names.
///
/// # Errors
/// If the text names no model, or its file cannot be read.
pub(super) fn model(text: &str) -> Result<Model, Error> {
    match Rtl::parse(text) {
        None => {
            let text = specification(text)?;
            let model = Model::parse(&text).map_err(|error| without_model(&text, error))?;
            note_keys(&text)?;
            note_instructions(&text)?;
            note_lengths([&*text])?;
            Ok(model)
        }
        Some(rtl) => rtl.model(None),
    }
}

/// The error of a text that names no model; one that names a file stands in the wrong place.
fn without_model(text: &str, error: ModelError) -> Error {
    match Path::new(text).is_file() {
        true => Error::Usage(format!(
            "`{}` is a file: expected a model in its place, such as H100/f16 or fda:K=16; files stand behind it",
            excerpt(text)
        )),
        false => error.into(),
    }
}

/// The two models of a comparison. If a design does not say what its operands are, they are those
/// of the other model.
///
/// # Errors
/// As [`model`].
pub(super) fn two_models(texts: [&str; 2]) -> Result<[Model; 2], Error> {
    match texts.map(Rtl::parse) {
        [Some(left), None] => {
            let right = model(texts[1])?;
            Ok([left.model(Some(&right))?, right])
        }
        [None, Some(right)] => {
            let left = model(texts[0])?;
            let right = right.model(Some(&left))?;
            Ok([left, right])
        }
        _ => Ok([model(texts[0])?, model(texts[1])?]),
    }
}

/// The question on which inputs two models differ, where `assume` holds. The inputs are finite,
/// unless `specials` admits infinities and NaNs.
///
/// # Errors
/// If the models do not take the same operands, or `assume` is no domain of them.
pub(super) fn difference(
    [left, right]: [&Model; 2],
    assume: Option<&str>,
    specials: bool,
) -> Result<Question, Error> {
    let signature = left.signature();
    let domain = assume.map(|text| Domain::parse(text, &signature));
    let domain = domain.transpose()?;
    domain.as_ref().map_or(Ok(()), note_domain)?;
    let question = Question::difference(left, right, domain.as_ref())?;
    Ok(if specials {
        question.with_specials()
    } else {
        question
    })
}

/// Refuses conversions and flags, for questions about sums.
///
/// # Errors
/// If the model sums no products.
pub(super) fn of_products(model: &Model) -> Result<(), Error> {
    let signature = model.signature();
    let what = match (signature.is_conversion(), signature.d == Format::FLAGS) {
        (_, true) => "exception flags",
        (true, false) => "a conversion",
        (false, false) if !model.multiplies() => "one that multiplies nothing",
        (false, false) => return Ok(()),
    };
    Err(Error::Usage(format!(
        "{model}: expected a model that sums products, found {what}: {signature}"
    )))
}

/// Refuses conversions and models of integers, for questions about the rounding of sums.
///
/// # Errors
/// If the model sums no products, or its operands are integers.
pub(super) fn floating_point(model: &Model) -> Result<(), Error> {
    of_products(model)?;
    if model.signature().is_integer() {
        Err(Error::Usage(format!(
            "{model}: expected a model of floating-point numbers, found integers, which are never rounded: \
             `mmasmt prove MODEL exact`"
        )))
    } else {
        Ok(())
    }
}

/// The row of the tables that `name` names as `ARCH/INSTRUCTION`, and the part INSTRUCTION of
/// `name`.
///
/// # Errors
/// If the name has another form, or the tables do not have it.
pub(super) fn find(name: &str) -> Result<(&'static Row, &str), Error> {
    let Some((architecture, instruction)) = name.split_once('/') else {
        return Err(Error::Usage(format!(
            "expected ARCH/INSTRUCTION (`mmasmt run --list`), found `{}`",
            excerpt(name)
        )));
    };
    Ok((
        find_row(find_architecture(architecture)?, instruction)?,
        instruction,
    ))
}

/// This processor as a device that runs the instruction `name`.
///
/// # Errors
/// If the instruction is not one that this program runs, or the processor lacks it.
pub(super) fn on_this_processor(name: &str) -> Result<CpuDevice, Error> {
    Ok(CpuDevice::open(find(name)?.0)?)
}
