//! Products of matrices and dot-adds, over registers that Python has as unsigned integers.

use crate::operands::{model, wrong};
use crate::packed::PackedOperand;
use crate::registers::{Bits, Registers, stack};
use crate::threads::on_shared;
use mmasmt_core::batch::{Batch, ColumnData, Columns};
use mmasmt_core::machines::model::Model;
use mmasmt_explain::explain::page::explanation_page;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::matrices::device::DevicePlace;
use mmasmt_questions::matrices::{ProductStack, SMALL, Stack};
use mmasmt_questions::vectors::measure::ExactSum;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Python is asked whether Ctrl-C was pressed.
const PAUSE: Duration = Duration::from_millis(50);

/// What `work` gives, done without the interpreter; Ctrl-C sets the flag that `work` is given.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(Arc<AtomicBool>) -> T + Send,
) -> PyResult<T> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    let mut signalled = None;
    let result = py.detach(|| {
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            scope.spawn(move || sender.send(on_shared(|| work(flag))));
            loop {
                match results.recv_timeout(PAUSE) {
                    Ok(result) => return Some(result),
                    // The work has ended without a result.
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    interrupt.store(true, Ordering::Relaxed);
                    signalled = Some(error);
                }
            }
        })
    });
    match (signalled, result) {
        (Some(error), _) => Err(error),
        (None, Some(result)) => Ok(result),
        (None, None) => Err(PyRuntimeError::new_err(
            "the work has ended without a result",
        )),
    }
}

/// As many threads as asked for; those that all calls share, one for each processor, for 0.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, String> {
    if threads == 0 {
        return Ok(work());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool
        .map_err(|error| format!("threads: {error}"))?
        .install(work))
}

/// The right operand of a product: registers, or a matrix of which something is kept.
#[derive(FromPyObject)]
pub(crate) enum RightOperand<'py> {
    Packed(Bound<'py, PackedOperand>),
    Registers(Registers<'py>),
}

/// The registers and the shape of a product, and a warning.
type Product<'py> = (Bound<'py, PyAny>, Vec<usize>, Option<String>);

/// `D = A B + C` as the model computes it, with batch dimensions, on a device.
#[pyfunction]
#[pyo3(signature = (name, a, b, c, scales, threads, device))]
#[expect(
    clippy::too_many_arguments,
    reason = "the package gives them by position"
)]
pub(crate) fn matmul<'py>(
    py: Python<'py>,
    name: &str,
    a: Registers<'py>,
    b: RightOperand<'py>,
    c: Option<Registers<'py>>,
    scales: Option<(Registers<'py>, Registers<'py>)>,
    threads: usize,
    device: &str,
) -> PyResult<Product<'py>> {
    let model = model(name)?;
    let place = device.parse::<DevicePlace>().map_err(wrong)?;
    let signature = model.signature();
    let a = stack("a", signature.a, &a)?;
    let own;
    let (b, packed) = match &b {
        RightOperand::Packed(kept) => (&kept.get().stack, Some(&kept.get().packed)),
        RightOperand::Registers(registers) => {
            own = stack("b", signature.b, registers)?;
            (&own, None)
        }
    };
    let c = c.map(|c| stack("c", signature.c, &c)).transpose()?;
    let scales = match (scales, signature.scales) {
        (Some((left, right)), Some(kind)) => Some([
            stack("scale_a", kind.format, &left)?,
            stack("scale_b", kind.format, &right)?,
        ]),
        (None, _) => None,
        (Some(_), None) => {
            return Err(wrong(format!(
                "scale_a: expected none, {name} has no block scales; the product of the scales of whole tensors is the alpha of an epilogue, epilogue({name}):alpha=0.25"
            )));
        }
    };
    // So small a product ends before anybody could interrupt it.
    let size = |stack: &Stack| {
        stack
            .matrices()
            .iter()
            .map(|matrix| matrix.data().len())
            .sum()
    };
    let left: usize = size(&a);
    let repeated = b.matrices().len().div_ceil(a.matrices().len().max(1));
    let products = left.saturating_mul(b.matrix_shape()[1] * repeated.max(1));
    let is_small = products <= SMALL;
    let work = |interrupt| {
        let limits = Limits::interruptible(interrupt);
        let scales = scales.as_ref().map(|[left, right]| [left, right]);
        let products =
            ProductStack::new(&a, b, c.as_ref(), scales).map_err(|error| error.to_string())?;
        let products = products.with_packed(packed);
        let multiplied = || place.multiply(&model, products.each(), &limits);
        let found = match is_small {
            true => multiplied(),
            false => with_threads(threads, multiplied)?,
        };
        let found = found.map_err(|error| error.to_string())?;
        let [rows, columns] = [a.matrix_shape()[0], b.matrix_shape()[1]];
        let shape: Vec<usize> = products
            .batch()
            .iter()
            .copied()
            .chain([rows, columns])
            .collect();
        let mut registers = ColumnData::new(&model.signature().d);
        for matrix in &found.matrices {
            registers.copy(matrix.data(), 0..matrix.data().len());
        }
        Ok::<_, String>((registers, shape, found.warning))
    };
    let found = match is_small {
        true => py.detach(|| work(Arc::default())),
        false => detached(py, work)?,
    };
    let (registers, shape, warning) = found.map_err(wrong)?;
    Ok((as_array(py, registers), shape, warning))
}

/// The registers in the narrowest type that holds them.
fn as_array(py: Python<'_>, registers: ColumnData) -> Bound<'_, PyAny> {
    match registers {
        ColumnData::U8(bits) => bits.into_pyarray(py).into_any(),
        ColumnData::U16(bits) => bits.into_pyarray(py).into_any(),
        ColumnData::U32(bits) => bits.into_pyarray(py).into_any(),
        ColumnData::U64(bits) => bits.into_pyarray(py).into_any(),
    }
}

/// What is wrong if operands are no registers of the model.
const UNLIKE: &str = "expected registers of the model's formats";

/// The operands of all dot-adds, a column for each.
fn columns(model: &Model, operands: &[Bits<'_>; 5], count: usize) -> PyResult<Columns> {
    let mut columns = Columns::new(&model.signature());
    match columns.take(&data(model, operands)?, 0..count) {
        true => Ok(columns),
        false => Err(wrong(UNLIKE)),
    }
}

/// The registers of all operands; a `c` that the model does not read is +0.
fn data(model: &Model, operands: &[Bits<'_>; 5]) -> PyResult<[ColumnData; 5]> {
    let [a, b, c, a_scales, b_scales] = operands;
    if !model.reads_c() && c.words()?.iter().any(|bits| model.ignores(*bits)) {
        return Err(wrong(format!(
            "c: expected none, or zeros alone, as {model} does not read c"
        )));
    }
    Ok([
        a.data()?,
        b.data()?,
        c.data()?,
        a_scales.data()?,
        b_scales.data()?,
    ])
}

/// Dot-adds that are done at once.
const PART: usize = 1 << 12;

/// `count` dot-adds, whose operands stand in rows one behind the other.
#[pyfunction]
pub(crate) fn dot<'py>(
    py: Python<'py>,
    name: &str,
    operands: [Bits<'py>; 5],
    count: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let model = model(name)?;
    let signature = model.signature();
    let operands = data(&model, &operands)?;
    let work = |interrupt: Arc<AtomicBool>| {
        let begin = || {
            let mut batch = model.batch();
            batch.prepare_for_rows(count as u64);
            (batch, Columns::new(&signature))
        };
        let one = |(batch, columns): &mut (Batch<'_>, Columns), part: usize| {
            if interrupt.load(Ordering::Relaxed) {
                return Err("interrupted".to_owned());
            }
            if !columns.take(&operands, part * PART..count.min((part + 1) * PART)) {
                return Err(UNLIKE.to_owned());
            }
            batch.evaluate(columns).map_err(|error| error.to_string())
        };
        let parts = count.div_ceil(PART);
        let found: Result<Vec<Vec<u64>>, String> = match threads == 1 || parts <= 1 {
            true => {
                let mut state = begin();
                (0..parts).map(|part| one(&mut state, part)).collect()
            }
            false => with_threads(threads, || {
                let parts = (0..parts).into_par_iter().with_min_len(4);
                parts.map_init(begin, one).collect()
            })?,
        };
        Ok::<_, String>(found?.concat())
    };
    Ok(detached(py, work)?.map_err(wrong)?.into_pyarray(py))
}

/// The exact sums of dot-adds as an integer in text and the power of two that it counts; none where an operand is not finite.
#[pyfunction]
pub(crate) fn exact(
    name: &str,
    operands: [Bits<'_>; 5],
    count: usize,
) -> PyResult<Vec<Option<(String, i64)>>> {
    let model = model(name)?;
    if !model.multiplies() && !model.signature().is_conversion() {
        return Err(wrong(format!(
            "expected a model that sums products, found one that multiplies nothing: {model}"
        )));
    }
    let columns = columns(&model, &operands, count)?;
    let sums = (0..count).map(|row| {
        let sum = ExactSum::of(&model, &columns.row(row))?;
        Some((sum.value.mantissa().to_string(), sum.value.exponent()))
    });
    Ok(sums.collect())
}

/// The page of an evaluation.
#[pyfunction]
pub(crate) fn explain_html(name: &str, operands: [Bits<'_>; 5]) -> PyResult<String> {
    let model = model(name)?;
    let inputs = columns(&model, &operands, 1)?.row(0);
    explanation_page(&model, &inputs).map_err(wrong)
}
