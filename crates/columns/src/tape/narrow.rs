//! Vector registers of narrow integers, which have as many lanes as four registers of `f32`: those in
//! which a link of a chain looks for the greatest exponent.
#![allow(
    unsafe_code,
    reason = "instructions are called for processor features, in functions that are compiled for them"
)]

use super::columns::ColumnType;
use super::late_sums::LateSums;
use super::wide::WideVector;

/// Registers of integers of type `T`, with the lanes of four registers of `f32`.
pub(super) trait NarrowVector<T: ColumnType>: WideVector {
    type Group: Copy;
    /// The integers of 32 bits in all lanes, each of which is the same narrow one again and again.
    fn all(repeated: u32) -> Self::Group;
    /// The first `4 * WIDTH` integers.
    fn group(lanes: &[T]) -> Self::Group;
    /// The sums modulo 2^width.
    fn added(one: Self::Group, other: Self::Group) -> Self::Group;
    /// The greater of two unsigned integers.
    fn maxima(one: Self::Group, other: Self::Group) -> Self::Group;
    /// The sum of each unsigned integer above `least` with `more`; zero elsewhere, and for wider
    /// integers than bytes at most 255.
    fn chosen(group: Self::Group, least: T, more: T) -> Self::Group;
    /// The unsigned integers of each quarter.
    fn quarters(group: Self::Group) -> [Self::Integers; 4];
}

/// Registers of bytes, with further instructions.
pub(super) trait ByteVector: NarrowVector<u8> {
    /// Bitwise exclusive or.
    fn apart(one: Self::Group, other: Self::Group) -> Self::Group;
    /// The signed integers of each quarter.
    fn signed_quarters(group: Self::Group) -> [Self::Integers; 4];
}

/// Registers of narrow integers of every type that exponents have.
pub(super) trait Groups: ByteVector + NarrowVector<u16> + LateSums {}
impl<V: ByteVector + NarrowVector<u16> + LateSums> Groups for V {}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{ByteVector, NarrowVector};
    use crate::tape::vectors::{Avx2, Avx512};
    use std::arch::x86_64::*;

    // SAFETY (all of these): only functions that are compiled for the features of the register use it,
    // after the processor was asked for them (`features`); pointers are into as many lanes of the slice as
    // a group has, whose bounds are checked.
    impl NarrowVector<u8> for Avx2 {
        type Group = __m256i;

        #[inline(always)]
        fn all(repeated: u32) -> __m256i {
            unsafe { _mm256_set1_epi32(repeated as i32) }
        }
        #[inline(always)]
        fn group(lanes: &[u8]) -> __m256i {
            unsafe { _mm256_loadu_si256(lanes[..32].as_ptr().cast()) }
        }
        #[inline(always)]
        fn added(one: __m256i, other: __m256i) -> __m256i {
            unsafe { _mm256_add_epi8(one, other) }
        }
        #[inline(always)]
        fn maxima(one: __m256i, other: __m256i) -> __m256i {
            unsafe { _mm256_max_epu8(one, other) }
        }
        #[inline(always)]
        fn chosen(group: __m256i, least: u8, more: u8) -> __m256i {
            unsafe {
                let (least, more) = (_mm256_set1_epi8(least as i8), _mm256_set1_epi8(more as i8));
                let is_least = _mm256_cmpeq_epi8(_mm256_max_epu8(group, least), least);
                _mm256_andnot_si256(is_least, _mm256_add_epi8(group, more))
            }
        }
        #[inline(always)]
        fn quarters(group: __m256i) -> [__m256i; 4] {
            unsafe {
                let [low, high] = [
                    _mm256_castsi256_si128(group),
                    _mm256_extracti128_si256::<1>(group),
                ];
                [
                    _mm256_cvtepu8_epi32(low),
                    _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(low)),
                    _mm256_cvtepu8_epi32(high),
                    _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(high)),
                ]
            }
        }
    }

    impl ByteVector for Avx2 {
        #[inline(always)]
        fn apart(one: __m256i, other: __m256i) -> __m256i {
            unsafe { _mm256_xor_si256(one, other) }
        }
        #[inline(always)]
        fn signed_quarters(group: __m256i) -> [__m256i; 4] {
            unsafe {
                let [low, high] = [
                    _mm256_castsi256_si128(group),
                    _mm256_extracti128_si256::<1>(group),
                ];
                [
                    _mm256_cvtepi8_epi32(low),
                    _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(low)),
                    _mm256_cvtepi8_epi32(high),
                    _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(high)),
                ]
            }
        }
    }

    impl NarrowVector<u16> for Avx2 {
        type Group = [__m256i; 2];

        #[inline(always)]
        fn all(repeated: u32) -> [__m256i; 2] {
            [unsafe { _mm256_set1_epi32(repeated as i32) }; 2]
        }
        #[inline(always)]
        fn group(lanes: &[u16]) -> [__m256i; 2] {
            let (low, high) = lanes[..32].split_at(16);
            unsafe {
                [
                    _mm256_loadu_si256(low.as_ptr().cast()),
                    _mm256_loadu_si256(high.as_ptr().cast()),
                ]
            }
        }
        #[inline(always)]
        fn added([a, b]: [__m256i; 2], [x, y]: [__m256i; 2]) -> [__m256i; 2] {
            unsafe { [_mm256_add_epi16(a, x), _mm256_add_epi16(b, y)] }
        }
        #[inline(always)]
        fn maxima([a, b]: [__m256i; 2], [x, y]: [__m256i; 2]) -> [__m256i; 2] {
            unsafe { [_mm256_max_epu16(a, x), _mm256_max_epu16(b, y)] }
        }
        #[inline(always)]
        fn chosen(group: [__m256i; 2], least: u16, more: u16) -> [__m256i; 2] {
            let mut chosen = group;
            unsafe {
                let (least, more) = (
                    _mm256_set1_epi16(least as i16),
                    _mm256_set1_epi16(more as i16),
                );
                for half in &mut chosen {
                    let is_least = _mm256_cmpeq_epi16(_mm256_max_epu16(*half, least), least);
                    let sum = _mm256_andnot_si256(is_least, _mm256_add_epi16(*half, more));
                    *half = _mm256_min_epu16(sum, _mm256_set1_epi16(255));
                }
            }
            chosen
        }
        #[inline(always)]
        fn quarters([low, high]: [__m256i; 2]) -> [__m256i; 4] {
            unsafe {
                [
                    _mm256_cvtepu16_epi32(_mm256_castsi256_si128(low)),
                    _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(low)),
                    _mm256_cvtepu16_epi32(_mm256_castsi256_si128(high)),
                    _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(high)),
                ]
            }
        }
    }

    impl NarrowVector<u8> for Avx512 {
        type Group = __m512i;

        #[inline(always)]
        fn all(repeated: u32) -> __m512i {
            unsafe { _mm512_set1_epi32(repeated as i32) }
        }
        #[inline(always)]
        fn group(lanes: &[u8]) -> __m512i {
            unsafe { _mm512_loadu_si512(lanes[..64].as_ptr().cast()) }
        }
        #[inline(always)]
        fn added(one: __m512i, other: __m512i) -> __m512i {
            unsafe { _mm512_add_epi8(one, other) }
        }
        #[inline(always)]
        fn maxima(one: __m512i, other: __m512i) -> __m512i {
            unsafe { _mm512_max_epu8(one, other) }
        }
        #[inline(always)]
        fn chosen(group: __m512i, least: u8, more: u8) -> __m512i {
            unsafe {
                let counts = _mm512_cmpgt_epu8_mask(group, _mm512_set1_epi8(least as i8));
                _mm512_maskz_add_epi8(counts, group, _mm512_set1_epi8(more as i8))
            }
        }
        #[inline(always)]
        fn quarters(group: __m512i) -> [__m512i; 4] {
            unsafe {
                [
                    _mm512_cvtepu8_epi32(_mm512_castsi512_si128(group)),
                    _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<1>(group)),
                    _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<2>(group)),
                    _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<3>(group)),
                ]
            }
        }
    }

    impl ByteVector for Avx512 {
        #[inline(always)]
        fn apart(one: __m512i, other: __m512i) -> __m512i {
            unsafe { _mm512_xor_si512(one, other) }
        }
        #[inline(always)]
        fn signed_quarters(group: __m512i) -> [__m512i; 4] {
            unsafe {
                [
                    _mm512_cvtepi8_epi32(_mm512_castsi512_si128(group)),
                    _mm512_cvtepi8_epi32(_mm512_extracti32x4_epi32::<1>(group)),
                    _mm512_cvtepi8_epi32(_mm512_extracti32x4_epi32::<2>(group)),
                    _mm512_cvtepi8_epi32(_mm512_extracti32x4_epi32::<3>(group)),
                ]
            }
        }
    }

    impl NarrowVector<u16> for Avx512 {
        type Group = [__m512i; 2];

        #[inline(always)]
        fn all(repeated: u32) -> [__m512i; 2] {
            [unsafe { _mm512_set1_epi32(repeated as i32) }; 2]
        }
        #[inline(always)]
        fn group(lanes: &[u16]) -> [__m512i; 2] {
            let (low, high) = lanes[..64].split_at(32);
            unsafe {
                [
                    _mm512_loadu_si512(low.as_ptr().cast()),
                    _mm512_loadu_si512(high.as_ptr().cast()),
                ]
            }
        }
        #[inline(always)]
        fn added([a, b]: [__m512i; 2], [x, y]: [__m512i; 2]) -> [__m512i; 2] {
            unsafe { [_mm512_add_epi16(a, x), _mm512_add_epi16(b, y)] }
        }
        #[inline(always)]
        fn maxima([a, b]: [__m512i; 2], [x, y]: [__m512i; 2]) -> [__m512i; 2] {
            unsafe { [_mm512_max_epu16(a, x), _mm512_max_epu16(b, y)] }
        }
        #[inline(always)]
        fn chosen(group: [__m512i; 2], least: u16, more: u16) -> [__m512i; 2] {
            let mut chosen = group;
            unsafe {
                let (least, more) = (
                    _mm512_set1_epi16(least as i16),
                    _mm512_set1_epi16(more as i16),
                );
                for half in &mut chosen {
                    let counts = _mm512_cmpgt_epu16_mask(*half, least);
                    let sum = _mm512_maskz_add_epi16(counts, *half, more);
                    *half = _mm512_min_epu16(sum, _mm512_set1_epi16(255));
                }
            }
            chosen
        }
        #[inline(always)]
        fn quarters([low, high]: [__m512i; 2]) -> [__m512i; 4] {
            unsafe {
                [
                    _mm512_cvtepu16_epi32(_mm512_castsi512_si256(low)),
                    _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(low)),
                    _mm512_cvtepu16_epi32(_mm512_castsi512_si256(high)),
                    _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(high)),
                ]
            }
        }
    }
}
