//! The scales of a product: arrays with a scale for each block. A scale of a whole tensor is no
//! such array: it is the alpha of an epilogue.

use super::arrays::read;
use crate::cli::error::Error;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::float::{Format, hex_float};
use mmasmt_questions::matrices::Stack;
use mmasmt_questions::vectors::measure::LinearMap;
use std::path::Path;

/// The scales of A and of B, if they are given.
///
/// # Errors
/// If the model has no block scales, or the files do not have arrays of its scales.
pub(in crate::cli) fn scales(
    files: Option<[&Path; 2]>,
    model: &Model,
) -> Result<Option<[Stack; 2]>, Error> {
    let Some([a, b]) = files else {
        return Ok(None);
    };
    let numbers = [a, b].map(number);
    let Some(scales) = model.signature().scales else {
        return Err(Error::Usage(of_tensors(model, numbers)));
    };
    if let Some(number) = numbers.into_iter().flatten().next() {
        return Err(Error::Usage(format!(
            "--scale-a, --scale-b: expected files with a scale in {} for each block of {}, found the number {number}",
            scales.format, scales.block
        )));
    }
    let a = read(a, &["scale_a", "sa"], scales.format)?;
    Ok(Some([a, read(b, &["scale_b", "sb"], scales.format)?]))
}

/// The number that stands in the place of a file; `None` if there is such a file, or the text is no
/// number.
fn number(path: &Path) -> Option<f32> {
    let number = path.to_str()?.parse().ok()?;
    (!path.exists()).then_some(number)
}

/// What is wrong with scales for a model without block scales, and how the model takes the scales
/// of whole tensors.
fn of_tensors(model: &Model, numbers: [Option<f32>; 2]) -> String {
    let alpha = match numbers {
        [Some(a), Some(b)] => hex_float(&Format::F32, u64::from((a * b).to_bits())),
        _ => "0.25".into(),
    };
    let with_alpha = match LinearMap::of(model.algorithm()) {
        Some(_) => model.with(&format!("alpha={alpha}")),
        None => Model::parse(&format!("epilogue({model}):alpha={alpha}")),
    };
    let found = format!(
        "--scale-a, --scale-b: expected none, as `{}` has no block scales",
        excerpt(&model.to_string())
    );
    match with_alpha {
        Err(_) => found,
        Ok(with_alpha) => format!(
            "{found}; the product of the scales of two whole tensors is alpha: --on '{with_alpha}'"
        ),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::of_tensors;
    use mmasmt_core::machines::model::Model;

    #[test]
    fn the_model_with_alpha_can_be_pasted() {
        for (text, expected) in [
            (
                "cublas/fp8.fast.hopper.f32.e4m3.e4m3:out=bf16",
                "cublas/fp8.fast.hopper.f32.e4m3.e4m3:out=bf16,alpha=0x1p-2",
            ),
            ("fda:in=e4m3", "epilogue(fda:in=e4m3):alpha=0x1p-2"),
        ] {
            let told = of_tensors(&Model::parse(text).unwrap(), [Some(0.5); 2]);
            let pasted = told.split('\'').nth(1).unwrap();
            assert_eq!(pasted, expected);
            Model::parse(pasted).unwrap();
        }
    }
}
