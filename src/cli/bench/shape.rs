//! The shape of a product of matrices, as it is asked for.

use std::str::FromStr;

/// The extents M, N and K of a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatrixShape {
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
}

impl FromStr for MatrixShape {
    type Err = String;

    fn from_str(text: &str) -> Result<MatrixShape, String> {
        let parts: Option<Vec<usize>> = text.split(',').map(|part| part.parse().ok()).collect();
        match parts.as_deref() {
            Some(&[m, n, k]) if m > 0 && n > 0 && k > 0 => Ok(MatrixShape { m, n, k }),
            _ => Err(format!(
                "expected M,N,K such as 512,512,512, found `{text}`"
            )),
        }
    }
}
