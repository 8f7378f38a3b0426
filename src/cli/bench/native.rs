//! A product of matrices that the processor computes in f32: what a simulated product is compared with.
#![allow(
    unsafe_code,
    reason = "the routine takes pointers to matrices; their sizes are those of its extents"
)]

use super::shape::MatrixShape;
use std::hint::black_box;

/// A product of the shape, to be computed again and again.
pub(super) fn native_product(MatrixShape { m, n, k }: MatrixShape) -> impl FnMut() + Send {
    let numbers = |count: usize| -> Vec<f32> {
        let numbers = (0..count).map(|index| (index % 17) as f32 - 8.0);
        numbers.collect()
    };
    let (a, b) = (numbers(m * k), numbers(k * n));
    let mut c = vec![0.0; m * n];
    move || {
        let [rows, depth] = [n as isize, k as isize];
        // SAFETY: A has m * k numbers, B k * n, C m * n; rows follow each other.
        unsafe {
            matrixmultiply::sgemm(
                m,
                k,
                n,
                1.0,
                a.as_ptr(),
                depth,
                1,
                b.as_ptr(),
                rows,
                1,
                0.0,
                c.as_mut_ptr(),
                rows,
                1,
            );
        }
        black_box(&c);
    }
}
