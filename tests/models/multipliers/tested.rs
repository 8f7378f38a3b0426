//! A device multiplies matrices once it has been tested.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::inputs::Kind;
use mmasmt_questions::matrices::device::{DrawnOperands, Multiplier, TestedDevice};
use mmasmt_questions::matrices::{Matrix, MatrixProduct, gemm};
use mmasmt_questions::vectors::device::DeviceError;

/// This processor in place of another one, with a fault.
struct Mock {
    calls: usize,
    flips: u64,
    fails: bool,
}

impl Multiplier for Mock {
    fn what(&self) -> String {
        "a mock".into()
    }

    fn multiply(
        &mut self,
        model: &Model,
        product: &MatrixProduct<'_>,
        limits: &Limits,
    ) -> Result<Matrix, DeviceError> {
        self.calls += 1;
        if self.fails {
            return Err(DeviceError::Failed {
                what: self.what(),
                reason: "no program".into(),
            });
        }
        let right = gemm(model, product, limits).unwrap();
        let registers = right.registers().map(|register| register ^ self.flips);
        Ok(Matrix::new(right.format(), right.shape(), registers).unwrap())
    }

    fn seconds(&self) -> f64 {
        self.calls as f64
    }
}

fn tested(flips: u64, fails: bool) -> TestedDevice<Mock> {
    TestedDevice::new(Mock {
        calls: 0,
        flips,
        fails,
    })
}

fn asked(tested: &mut TestedDevice<Mock>, spec: &str) -> (Vec<Matrix>, Option<String>) {
    let model = Model::parse(spec).unwrap();
    let kinds = [Kind::ALL[0]; 2];
    let operands = DrawnOperands::new(&model, kinds, 0, [3, 5, 9], 7).unwrap();
    let product = operands.product().unwrap();
    let limits = Limits::default();
    let expected = gemm(&model, &product, &limits).unwrap();
    let found = tested.multiply(&model, &[product], &limits).unwrap();
    assert_eq!(found.matrices, [expected]);
    assert_eq!(found.seconds.is_some(), found.warning.is_none());
    (found.matrices, found.warning)
}

#[test]
fn a_device_is_tested_once_for_each_model() {
    let mut device = tested(0, false);
    assert_eq!(asked(&mut device, "fda:K=4").1, None);
    let first = device.device().calls;
    assert_eq!(first, Kind::ALL.len() + 1);
    asked(&mut device, "fda:K=4");
    assert_eq!(device.device().calls, first + 1);
    asked(&mut device, "fda:K=4,F=20");
    assert_eq!(device.device().calls, 2 * first + 1);
}

#[test]
fn a_device_that_differs_is_not_used() {
    let mut device = tested(1, false);
    let warning = asked(&mut device, "fda:K=4").1.unwrap();
    assert!(warning.starts_with("a mock: expected "), "{warning}");
    assert!(warning.ends_with("the processor multiplies instead"));
    // It is not asked again.
    assert_eq!(device.device().calls, 1);
    assert!(asked(&mut device, "fda:K=4").1.is_some());
    assert_eq!(device.device().calls, 1);
}

#[test]
fn a_device_that_fails_is_not_used() {
    let warning = asked(&mut tested(0, true), "fda:K=4").1.unwrap();
    assert_eq!(
        warning,
        "a mock failed: no program; the processor multiplies instead"
    );
}
