//! Names of places where matrices are multiplied.

use mmasmt_questions::matrices::device::DevicePlace;

#[test]
fn places_have_names() {
    let parsed = |text: &str| text.parse::<DevicePlace>();
    assert_eq!(parsed("cpu"), Ok(DevicePlace::Processor));
    assert_eq!(parsed("cuda"), Ok(DevicePlace::Cuda(0)));
    assert_eq!(parsed("cuda:3"), Ok(DevicePlace::Cuda(3)));
    for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "CUDA"] {
        let error = parsed(wrong).unwrap_err();
        assert!(error.starts_with("device: expected cpu"), "{error}");
    }
}
