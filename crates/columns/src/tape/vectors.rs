//! Vector registers of numbers of `f32`, for an operation that the compiler would not turn into the
//! instructions that the processor has for it: a conversion to integers that is defined for every
//! number.
#![allow(
    unsafe_code,
    reason = "instructions are called for processor features, in functions that are compiled for them"
)]

use super::columns::LANES;

/// A register of numbers of `f32`.
pub(super) trait FloatVector: Copy {
    /// The number of lanes of a register; it divides [`LANES`].
    const WIDTH: usize;
    /// As many integers of 32 bits.
    type Integers: Copy;
    /// The same number in all lanes.
    fn same(number: f32) -> Self;
    /// The numbers whose registers are in `WIDTH` lanes, from `start` on.
    fn load(lanes: &[u32], start: usize) -> Self;
    /// The products, each rounded to `f32`.
    fn times(self, other: Self) -> Self;
    /// The numbers without their fractions. A number beyond the range of `i32` gives some integer,
    /// and so does a NaN.
    fn truncated(self) -> Self::Integers;
    /// Zeros.
    fn zeros() -> Self::Integers;
    /// The sums modulo 2^32.
    fn plus(one: Self::Integers, other: Self::Integers) -> Self::Integers;
    /// Adds the integers to `WIDTH` lanes of a column, from `start` on.
    fn add_to(integers: Self::Integers, column: &mut [u32; LANES], start: usize);
}

/// Loops over four lanes, for processors without registers of their own here.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(super) struct PortableVector([f32; 4]);

#[cfg(not(target_arch = "x86_64"))]
impl FloatVector for PortableVector {
    const WIDTH: usize = 4;
    type Integers = [i32; 4];

    #[inline(always)]
    fn same(number: f32) -> Self {
        PortableVector([number; 4])
    }
    #[inline(always)]
    fn load(lanes: &[u32], start: usize) -> Self {
        PortableVector(std::array::from_fn(|lane| {
            f32::from_bits(lanes[start + lane])
        }))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        PortableVector(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }
    #[inline(always)]
    fn truncated(self) -> [i32; 4] {
        self.0.map(|number| number as i32)
    }
    #[inline(always)]
    fn zeros() -> [i32; 4] {
        [0; 4]
    }
    #[inline(always)]
    fn plus(one: [i32; 4], other: [i32; 4]) -> [i32; 4] {
        std::array::from_fn(|lane| one[lane].wrapping_add(other[lane]))
    }
    #[inline(always)]
    fn add_to(integers: [i32; 4], column: &mut [u32; LANES], start: usize) {
        for (lane, integer) in integers.into_iter().enumerate() {
            let to = &mut column[start + lane];
            *to = to.wrapping_add(integer as u32);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{FloatVector, LANES};
    use std::arch::x86_64::*;

    /// A kind of register: its instructions, and the number of its lanes.
    macro_rules! register {
        ($(#[$doc:meta])* $name:ident, $floats:ident, $integers:ident, $width:literal, $same:ident, $load:ident, $times:ident,
            $truncated:ident, $zeros:ident, $plus:ident, $load_integers:ident, $store:ident) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(in crate::tape) struct $name(pub(in crate::tape) $floats);

            // SAFETY (all of these): only functions that are compiled for the features of the register use
            // it, after the processor was asked for them (`features`); pointers are into `WIDTH` lanes of the
            // column, whose bounds are checked.
            impl FloatVector for $name {
                const WIDTH: usize = $width;
                type Integers = $integers;

                #[inline(always)]
                fn same(number: f32) -> Self {
                    $name(unsafe { $same(number) })
                }
                #[inline(always)]
                fn load(lanes: &[u32], start: usize) -> Self {
                    let lanes = &lanes[start..start + $width];
                    $name(unsafe { $load(lanes.as_ptr().cast()) })
                }
                #[inline(always)]
                fn times(self, other: Self) -> Self {
                    $name(unsafe { $times(self.0, other.0) })
                }
                #[inline(always)]
                fn truncated(self) -> $integers {
                    unsafe { $truncated(self.0) }
                }
                #[inline(always)]
                fn zeros() -> $integers {
                    unsafe { $zeros() }
                }
                #[inline(always)]
                fn plus(one: $integers, other: $integers) -> $integers {
                    unsafe { $plus(one, other) }
                }
                #[inline(always)]
                fn add_to(integers: $integers, column: &mut [u32; LANES], start: usize) {
                    let lanes = column[start..start + $width].as_mut_ptr().cast();
                    unsafe { $store(lanes, $plus(integers, $load_integers(lanes))) }
                }
            }
        };
    }

    register!(
        /// SSE2, which every processor of this kind has.
        Sse2, __m128, __m128i, 4, _mm_set1_ps, _mm_loadu_ps, _mm_mul_ps, _mm_cvttps_epi32,
        _mm_setzero_si128, _mm_add_epi32, _mm_loadu_si128, _mm_storeu_si128
    );
    register!(
        /// AVX2.
        Avx2, __m256, __m256i, 8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_mul_ps, _mm256_cvttps_epi32,
        _mm256_setzero_si256, _mm256_add_epi32, _mm256_loadu_si256, _mm256_storeu_si256
    );
    register!(
        /// AVX-512 F.
        Avx512, __m512, __m512i, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_mul_ps, _mm512_cvttps_epi32,
        _mm512_setzero_si512, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512, Sse2};
