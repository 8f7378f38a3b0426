//! Names of places where matrices are multiplied.

use mmasmt_questions::matrices::device::Place;

#[test]
fn places_have_names() {
    let parsed = |text: &str| text.parse::<Place>();
    assert_eq!(parsed("cpu"), Ok(Place::Processor));
    assert_eq!(parsed("cuda"), Ok(Place::Cuda(0)));
    assert_eq!(parsed("cuda:3"), Ok(Place::Cuda(3)));
    for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "CUDA"] {
        let error = parsed(wrong).unwrap_err();
        assert!(error.starts_with("device: expected cpu"), "{error}");
    }
}
