//! A device that is a model in place of silicon; callers cannot see the model's parameters.

use super::{Device, DeviceError};
use mmasmt_core::batch::Columns;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::Model;

/// A device that answers with the results of a model.
#[derive(Clone, Debug)]
pub struct SoftwareDevice {
    model: Model,
}

impl SoftwareDevice {
    /// A device that computes like `model`.
    pub fn new(model: Model) -> Self {
        SoftwareDevice { model }
    }
}

impl Device for SoftwareDevice {
    fn signature(&self) -> Signature {
        self.model.signature()
    }

    fn describe(&self) -> Vec<String> {
        vec!["device: a model in software".into()]
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let mut columns = Columns::new(&self.model.signature());
        inputs.iter().try_for_each(|inputs| columns.push(inputs))?;
        Ok(self.model.batch().evaluate(&columns)?)
    }
}
