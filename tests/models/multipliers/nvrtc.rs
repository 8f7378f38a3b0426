//! Kernels of products, compiled without a GPU.

use mmasmt_core::batch::MatrixTapes;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::matrices::device::{Compiler, Nvrtc};

#[test]
#[ignore = "needs libnvrtc"]
fn kernels_of_products_are_compiled_without_a_gpu() {
    let compiler = Nvrtc::load().unwrap();
    let tapes = MatrixTapes::new(&Model::parse("fda:K=8,F=25").unwrap()).unwrap();
    let source = tapes.kernels("k", "a test").unwrap();
    assert!(
        compiler
            .compile(&source, "sm_90")
            .unwrap()
            .starts_with(b"\x7fELF")
    );
    let message = compiler.compile("wrong", "sm_90").unwrap_err();
    assert!(
        message.contains("sm_90") && message.contains("wrong"),
        "{message}"
    );
}
