//! The GPUs that this process has used, each with what its tests said.

use super::cuda::{CudaMatrices, Views};
use super::place_error::PlaceError;
use super::tested::TestedDevice;
use crate::matrices::GemmError;
use crate::matrices::product::check_depth;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

static GPUS: Mutex<BTreeMap<usize, TestedDevice<CudaMatrices>>> = Mutex::new(BTreeMap::new());

/// What `work` gives with the GPU, which is opened at its first use.
pub(super) fn on_gpu<T, E>(
    ordinal: usize,
    work: impl FnOnce(&mut TestedDevice<CudaMatrices>) -> Result<T, E>,
) -> Result<T, PlaceError>
where
    PlaceError: From<E>,
{
    let mut gpus = GPUS.lock().unwrap_or_else(PoisonError::into_inner);
    let gpu = match gpus.remove(&ordinal) {
        Some(gpu) => gpu,
        None => TestedDevice::new(CudaMatrices::open(ordinal)?),
    };
    Ok(work(gpus.entry(ordinal).or_insert(gpu))?)
}

/// Multiplies matrices that are in the memory of a GPU; the reason if the GPU is not used for the model,
/// after the test that comes before its first use.
///
/// # Errors
/// If K does not fit the model, a limit is reached, or the GPU cannot be had or fails.
///
/// # Safety
/// The operands and the result lie in the memory of this GPU, in the formats of the model and with the
/// extents that are given, and nothing else writes to them.
#[allow(unsafe_code, reason = "kernels read and write at the addresses")]
pub unsafe fn multiply_views(
    ordinal: usize,
    model: &Model,
    views: &Views,
    limits: &Limits,
) -> Result<Option<String>, PlaceError> {
    let depth = views.extents[2];
    let model = limits.run(|| model.along(depth));
    let model = &model
        .map_err(|_| GemmError::Stopped)?
        .map_err(GemmError::from)?;
    check_depth(model, depth)?;
    if views.c.is_some() && !model.reads_c() {
        return Err(GemmError::Unread.into());
    }
    on_gpu(ordinal, |gpu| {
        if let Some(refusal) = gpu.refusal(model, limits) {
            return Ok(Some(refusal));
        }
        // SAFETY: the caller says so.
        match unsafe { gpu.device().multiply_views(model, views, limits)? } {
            Some(()) => Ok(None),
            None => Err(PlaceError::Product(GemmError::Stopped)),
        }
    })
}
