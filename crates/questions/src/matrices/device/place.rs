//! Where products of matrices are computed.

#[cfg(feature = "cuda")]
use super::gpus::on_gpu;
use super::place_error::PlaceError;
use super::tested::DeviceProducts;
use crate::matrices::{MatrixProduct, gemms};
#[cfg(not(feature = "cuda"))]
use crate::vectors::device::DeviceError;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::limits::Limits;
use std::str::FromStr;

/// A processor: this one, or a GPU of NVIDIA by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DevicePlace {
    /// This processor.
    #[default]
    Processor,
    /// The GPU with this number.
    Cuda(usize),
}

impl FromStr for DevicePlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let place = match text {
            "cpu" => Some(DevicePlace::Processor),
            "cuda" => Some(DevicePlace::Cuda(0)),
            _ => {
                let number = text.strip_prefix("cuda:");
                let number = number.and_then(|number| number.parse().ok());
                number.map(DevicePlace::Cuda)
            }
        };
        place.ok_or_else(|| {
            let found = excerpt(text);
            format!(
                "device: expected cpu, cuda, or cuda:N for the GPU with number N, found `{found}`"
            )
        })
    }
}

impl DevicePlace {
    /// Computes several products here. A GPU is tested before its first product of a model; where it
    /// fails the test, or has no kernels for the model, this processor computes, and there is a warning.
    ///
    /// # Errors
    /// If the operands do not fit the model, if a limit is reached, or if there is no such GPU.
    pub fn multiply(
        self,
        model: &Model,
        products: &[MatrixProduct<'_>],
        limits: &Limits,
    ) -> Result<DeviceProducts, PlaceError> {
        match self {
            DevicePlace::Processor => Ok(DeviceProducts {
                matrices: gemms(model, products, limits)?,
                warning: None,
                seconds: None,
            }),
            #[cfg(feature = "cuda")]
            DevicePlace::Cuda(ordinal) => on_gpu(ordinal, |gpu| gpu.multiply(model, products, limits)),
            #[cfg(not(feature = "cuda"))]
            DevicePlace::Cuda(ordinal) => Err(PlaceError::Device(DeviceError::Missing {
                what: format!("device cuda:{ordinal}"),
                reason: "expected a build with GPUs, found one without; build it with `--features cuda`, or take the device cpu".into(),
            })),
        }
    }
}
