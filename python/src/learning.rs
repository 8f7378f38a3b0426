//! Learning the description of a machine that Python asks: a callable in the place of a device.

use crate::operands::wrong;
use crate::products::detached;
use mmasmt::cli::learn_device;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::LearnOptions;
use mmasmt_questions::vectors::device::{Device, DeviceError};
use mmasmt_questions::vectors::signature_of;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use std::time::Duration;

/// A callable that takes the registers of `a`, `b` and `c`, each as one row of 64-bit integers, and the number of inputs.
struct Machine {
    signature: Signature,
    machine: Py<PyAny>,
    /// What it raised.
    raised: Option<PyErr>,
}

impl Machine {
    fn ask(&self, inputs: &[Inputs]) -> PyResult<Vec<u64>> {
        Python::attach(|py| {
            let row = |of: fn(&Inputs) -> &[u64]| -> Vec<u64> {
                inputs.iter().flat_map(of).copied().collect()
            };
            let [a, b] = [row(|inputs| &inputs.a), row(|inputs| &inputs.b)];
            let c: Vec<u64> = inputs.iter().map(|inputs| inputs.c).collect();
            let [a, b, c] = [a, b, c].map(|row| row.into_pyarray(py));
            let results = self.machine.call1(py, (a, b, c, inputs.len()))?;
            let results: PyReadonlyArray1<'_, u64> = results.extract(py)?;
            Ok(results.as_slice().map_err(wrong)?.to_vec())
        })
    }
}

impl Device for Machine {
    fn signature(&self) -> Signature {
        self.signature
    }

    fn describe(&self) -> Vec<String> {
        vec!["device: a callable of Python".into()]
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        self.ask(inputs).map_err(|error| {
            let reason = error.to_string();
            self.raised = Some(error);
            DeviceError::Failed {
                what: "the machine".into(),
                reason,
            }
        })
    }
}

/// What is learnt about a machine, as JSON. `operands` is its signature in text.
#[pyfunction]
#[pyo3(signature = (machine, operands, questions, confirm, specials, seed, timeout))]
#[expect(
    clippy::too_many_arguments,
    reason = "the package gives them by position"
)]
pub(crate) fn learn(
    py: Python<'_>,
    machine: Py<PyAny>,
    operands: &str,
    questions: usize,
    confirm: usize,
    specials: bool,
    seed: u64,
    timeout: Option<f64>,
) -> PyResult<String> {
    let signature = operands_of(operands)?;
    if signature.scales.is_some() {
        return Err(wrong(format!(
            "operands: expected operands without block scales, which a callable of a, b and c does not get, found {signature}"
        )));
    }
    let time = timeout.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|error| wrong(format!("timeout: {error}")))?;
    let options = LearnOptions {
        questions,
        confirm,
        specials,
        seed,
        settle: None,
        near: None,
    };
    let mut device = Machine {
        signature,
        machine,
        raised: None,
    };
    let work = |interrupt| {
        let limits = Limits::interruptible(interrupt);
        let limits = match time {
            Some(time) => limits.within(time),
            None => limits,
        };
        let found = learn_device(&mut device, &options, &limits);
        (
            found.map_err(|error| error.to_string()),
            device.raised.take(),
        )
    };
    match detached(py, work)? {
        (Ok(found), _) => Ok(found),
        (Err(_), Some(raised)) => Err(raised),
        (Err(error), None) => Err(wrong(error)),
    }
}

/// Names of the formats of a signature in text with their widths, and its number of products.
#[pyfunction]
pub(crate) fn operand_formats(operands: &str) -> PyResult<(Vec<(String, u32)>, u32)> {
    let signature = operands_of(operands)?;
    let formats = [signature.a, signature.b, signature.c, signature.d];
    let named = formats.map(|format| (format.to_string(), format.width()));
    Ok((named.to_vec(), signature.products))
}

fn operands_of(text: &str) -> PyResult<Signature> {
    signature_of(text).ok_or_else(|| {
        wrong(format!(
            "operands: expected a text such as `16 products f16 x f16, c f32, result f32`, found `{text}`"
        ))
    })
}
