//! Matrices in the memory of a GPU.

use crate::matrices::Matrix;
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError};
use mmasmt_core::batch::ColumnData;
use std::sync::Arc;

/// A matrix in the memory of a GPU, whose elements are in the narrowest integers that hold them: its
/// address, and the distance in elements between two neighbours in a column and in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The address.
    pub address: u64,
    /// The distance from a row to the next one.
    pub down: u64,
    /// The distance from a column to the next one.
    pub along: u64,
}

/// Memory that a matrix was copied to.
pub(super) struct DeviceMatrix {
    memory: CudaSlice<u8>,
    columns: u64,
}

impl DeviceMatrix {
    /// A copy of the matrix.
    pub(super) fn new(
        stream: &Arc<CudaStream>,
        matrix: &Matrix,
    ) -> Result<DeviceMatrix, DriverError> {
        let mut bytes = matrix.data().bytes();
        // There is no memory of no bytes.
        bytes.resize(bytes.len().max(1), 0);
        Ok(DeviceMatrix {
            memory: stream.clone_htod(&bytes)?,
            columns: matrix.shape()[1] as u64,
        })
    }

    /// The matrix as the kernels see it.
    pub(super) fn view(&self, stream: &CudaStream) -> View {
        View {
            address: address(&self.memory, stream),
            down: self.columns,
            along: 1,
        }
    }
}

/// The address of memory, which stays valid as long as the memory is not dropped.
pub(super) fn address(memory: &CudaSlice<u8>, stream: &CudaStream) -> u64 {
    memory.device_ptr(stream).0
}

/// Registers from the bytes of a GPU, in the type of `like`, which has none.
pub(super) fn registers(mut like: ColumnData, bytes: &[u8]) -> ColumnData {
    match &mut like {
        ColumnData::U8(to) => to.extend(bytes),
        ColumnData::U16(to) => to.extend(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|one| u16::from_le_bytes(*one)),
        ),
        ColumnData::U32(to) => to.extend(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|one| u32::from_le_bytes(*one)),
        ),
        ColumnData::U64(to) => to.extend(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|one| u64::from_le_bytes(*one)),
        ),
    }
    like
}
