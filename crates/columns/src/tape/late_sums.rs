//! The end of a link that adds `c` late, in registers of numbers of `f64`, which hold every sum exactly.
#![allow(
    unsafe_code,
    reason = "instructions are called for processor features, in functions that are compiled for them"
)]

use super::link_rule::LateEnd;
use super::wide::WideVector;

/// A register of numbers of `f32` with registers of `f64` for each half.
pub(super) trait LateSums: WideVector {
    /// The sum of two numbers, each times a power of two and cut down, where the second is multiplied by
    /// another power of two before it is added; cut and rounded to `f32`.
    fn late_sum(late: &LateEnd, sum: (Self::Integers, Self), own: (Self, Self)) -> Self;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LateEnd, LateSums};
    use crate::tape::vectors::{Avx2, Avx512};
    use std::arch::x86_64::*;

    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

    // SAFETY (both): only functions that are compiled for the features of the register use it, after the
    // processor was asked for them (`features`).
    impl LateSums for Avx2 {
        #[inline(always)]
        fn late_sum(late: &LateEnd, sum: (__m256i, Self), own: (Self, Self)) -> Self {
            /// One half.
            #[inline(always)]
            unsafe fn half(
                late: &LateEnd,
                sum: (__m128i, __m128),
                own: (__m128, __m128),
            ) -> __m128 {
                unsafe {
                    let products = _mm256_mul_pd(_mm256_cvtepi32_pd(sum.0), _mm256_cvtps_pd(sum.1));
                    let own = _mm256_mul_pd(_mm256_cvtps_pd(own.0), _mm256_cvtps_pd(own.1));
                    let scale = _mm256_set1_pd(f32::from_bits(late.own_shift).into());
                    let products = _mm256_round_pd::<DOWN>(products);
                    let whole = _mm256_fmadd_pd(_mm256_round_pd::<DOWN>(own), scale, products);
                    let bits = _mm256_castpd_si256(whole);
                    let is_negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), bits);
                    let floor = _mm256_set1_epi64x(late.floor as i64);
                    let bits = _mm256_add_epi64(bits, _mm256_and_si256(floor, is_negative));
                    let bits = _mm256_andnot_si256(_mm256_set1_epi64x(late.cut as i64), bits);
                    _mm256_cvtpd_ps(_mm256_castsi256_pd(bits))
                }
            }
            unsafe {
                let low = half(
                    late,
                    (
                        _mm256_castsi256_si128(sum.0),
                        _mm256_castps256_ps128(sum.1.0),
                    ),
                    (
                        _mm256_castps256_ps128(own.0.0),
                        _mm256_castps256_ps128(own.1.0),
                    ),
                );
                let high = half(
                    late,
                    (
                        _mm256_extracti128_si256::<1>(sum.0),
                        _mm256_extractf128_ps::<1>(sum.1.0),
                    ),
                    (
                        _mm256_extractf128_ps::<1>(own.0.0),
                        _mm256_extractf128_ps::<1>(own.1.0),
                    ),
                );
                Avx2(_mm256_set_m128(high, low))
            }
        }
    }

    impl LateSums for Avx512 {
        #[inline(always)]
        fn late_sum(late: &LateEnd, sum: (__m512i, Self), own: (Self, Self)) -> Self {
            /// One half.
            #[inline(always)]
            unsafe fn half(
                late: &LateEnd,
                sum: (__m256i, __m256),
                own: (__m256, __m256),
            ) -> __m256 {
                unsafe {
                    let products = _mm512_mul_pd(_mm512_cvtepi32_pd(sum.0), _mm512_cvtps_pd(sum.1));
                    let own = _mm512_mul_pd(_mm512_cvtps_pd(own.0), _mm512_cvtps_pd(own.1));
                    let scale = _mm512_set1_pd(f32::from_bits(late.own_shift).into());
                    let products = _mm512_roundscale_pd::<DOWN>(products);
                    let whole = _mm512_fmadd_pd(_mm512_roundscale_pd::<DOWN>(own), scale, products);
                    let bits = _mm512_castpd_si512(whole);
                    let is_negative = _mm512_movepi64_mask(bits);
                    let floor = _mm512_set1_epi64(late.floor as i64);
                    let bits = _mm512_mask_add_epi64(bits, is_negative, bits, floor);
                    let bits = _mm512_andnot_si512(_mm512_set1_epi64(late.cut as i64), bits);
                    _mm512_cvtpd_ps(_mm512_castsi512_pd(bits))
                }
            }
            unsafe {
                let low = half(
                    late,
                    (
                        _mm512_castsi512_si256(sum.0),
                        _mm512_castps512_ps256(sum.1.0),
                    ),
                    (
                        _mm512_castps512_ps256(own.0.0),
                        _mm512_castps512_ps256(own.1.0),
                    ),
                );
                let high = half(
                    late,
                    (
                        _mm512_extracti64x4_epi64::<1>(sum.0),
                        _mm512_extractf32x8_ps::<1>(sum.1.0),
                    ),
                    (
                        _mm512_extractf32x8_ps::<1>(own.0.0),
                        _mm512_extractf32x8_ps::<1>(own.1.0),
                    ),
                );
                Avx512(_mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high))
            }
        }
    }
}
