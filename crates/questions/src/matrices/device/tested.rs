//! Another processor in the place of this one, after a test: before its first product of a model it
//! multiplies drawn operands, and has to give the bits that this processor gives. Where it does not,
//! this processor multiplies, and a warning says so.

use super::drawn::DrawnOperands;
use crate::inputs::Kind;
use crate::matrices::{GemmError, Matrix, MatrixProduct, gemm, gemms};
use crate::vectors::device::DeviceError;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashMap;

/// A processor that multiplies matrices as models do.
pub trait Multiplier {
    /// The name of the processor.
    fn what(&self) -> String;

    /// The product, whose operands fit the model.
    ///
    /// # Errors
    /// If the processor has no program for the model, or fails. The reason names a limit that was
    /// reached.
    fn multiply(
        &mut self,
        model: &Model,
        product: &MatrixProduct<'_>,
        limits: &Limits,
    ) -> Result<Matrix, DeviceError>;

    /// The time in seconds of all products so far, without copies of operands and results.
    fn seconds(&self) -> f64;
}

/// A processor, and which models it has been tested with.
pub struct TestedDevice<M> {
    device: M,
    /// Why the processor is not used for a model; `None` if it is.
    verdicts: FxHashMap<String, Option<String>>,
}

/// Products, and a warning if this processor has computed them instead.
#[derive(Debug)]
pub struct DeviceProducts {
    /// The products, in the order that was asked for.
    pub matrices: Vec<Matrix>,
    /// Why the other processor was not used.
    pub warning: Option<String>,
    /// The time in seconds of the other processor, without copies, if it was used.
    pub seconds: Option<f64>,
}

/// M, N, and the links of the chains, of the products of a test.
const TESTS: [[usize; 3]; 2] = [[45, 29, 3], [131, 67, 2]];

impl<M: Multiplier> TestedDevice<M> {
    /// The processor, not tested yet.
    pub fn new(device: M) -> TestedDevice<M> {
        TestedDevice {
            device,
            verdicts: FxHashMap::default(),
        }
    }

    /// The processor.
    pub fn device(&mut self) -> &mut M {
        &mut self.device
    }

    /// Computes several products, by the other processor if it has passed the test.
    ///
    /// # Errors
    /// As [`gemms`].
    pub fn multiply(
        &mut self,
        model: &Model,
        products: &[MatrixProduct<'_>],
        limits: &Limits,
    ) -> Result<DeviceProducts, GemmError> {
        let (mut matrices, mut seconds) = (Vec::new(), 0.0);
        for product in products {
            let depth = product.extents()[2];
            let along = limits.run(|| model.along(depth));
            let along = along.map_err(|_| GemmError::Stopped)??;
            product.check(&along)?;
            let found = match self.refusal(&along, limits) {
                Some(refusal) => Err(refusal),
                None => {
                    let before = self.device.seconds();
                    let found = self.device.multiply(&along, product, limits);
                    seconds += self.device.seconds() - before;
                    found.map_err(|error| error.to_string())
                }
            };
            if limits.stopped().is_some() {
                return Err(GemmError::Stopped);
            }
            match found {
                Ok(matrix) => matrices.push(matrix),
                Err(reason) => {
                    return Ok(DeviceProducts {
                        matrices: gemms(model, products, limits)?,
                        warning: Some(format!("{reason}; the processor multiplies instead")),
                        seconds: None,
                    });
                }
            }
        }
        Ok(DeviceProducts {
            matrices,
            warning: None,
            seconds: Some(seconds),
        })
    }

    /// Why the processor is not used for the model, after a test if there was none yet.
    pub fn refusal(&mut self, model: &Model, limits: &Limits) -> Option<String> {
        let name = model.canonical();
        if let Some(verdict) = self.verdicts.get(&name) {
            return verdict.clone();
        }
        let verdict = self.test(model, limits);
        // A test that was stopped says nothing.
        if limits.stopped().is_none() {
            self.verdicts.insert(name, verdict.clone());
        }
        verdict
    }

    fn test(&mut self, model: &Model, limits: &Limits) -> Option<String> {
        let signature = model.signature();
        let is_chain = signature.c == signature.d && model.reads_c();
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            let [rows, columns, links] = TESTS[usize::from(number == 0)];
            let products = signature.products as usize;
            let depth = match is_chain {
                true => (links - 1) * products + products.div_ceil(2),
                false => products,
            };
            let kinds = [kind, Kind::ALL[(number + 1) % Kind::ALL.len()]];
            let extents = [rows, columns, depth];
            let operands = DrawnOperands::new(model, kinds, 50, extents, number as u64);
            let Some(product) = operands.as_ref().and_then(DrawnOperands::product) else {
                return Some(format!(
                    "no operands of {model} to test {} with",
                    self.device.what()
                ));
            };
            let found = match self.device.multiply(model, &product, limits) {
                Ok(found) => found,
                Err(error) => return Some(error.to_string()),
            };
            let expected = match gemm(model, &product, limits) {
                Ok(expected) => expected,
                Err(error) => return Some(error.to_string()),
            };
            let mut pairs = found.registers().zip(expected.registers());
            if let Some((found, expected)) = pairs.find(|(found, expected)| found != expected) {
                let what = self.device.what();
                let digits = signature.d.digits();
                return Some(format!(
                    "{what}: expected {expected:0digits$x} in a test of {model}, found {found:0digits$x}"
                ));
            }
        }
        None
    }
}
