//! Vector registers of numbers of `f64`, for sums whose loop the compiler would not keep in registers.
#![allow(
    unsafe_code,
    reason = "instructions are called for processor features, in functions that are compiled for them"
)]

use super::columns::LANES;

/// A register of numbers of `f64`, with the rounding and the subnormal numbers of IEEE 754.
pub(super) trait DoubleVector: Copy {
    /// The number of lanes of a register; it divides [`LANES`].
    const WIDTH: usize;
    /// The same number in all lanes.
    fn same(number: f64) -> Self;
    /// The numbers whose registers are in `WIDTH` lanes of a column, from `start` on.
    fn load(column: &[u64; LANES], start: usize) -> Self;
    /// The numbers of `f32` whose registers are in `WIDTH` lanes of a column, from `start` on.
    fn load_singles(column: &[u32; LANES], start: usize) -> Self;
    /// Writes the registers to `WIDTH` lanes of a column, from `start` on.
    fn store(self, column: &mut [u64; LANES], start: usize);
    /// `self - other`.
    fn minus(self, other: Self) -> Self;
    /// `x * y + self`, for a product that `f64` holds exactly.
    fn plus_product(self, x: Self, y: Self) -> Self;
    /// `x * y - self`, for a product that `f64` holds exactly.
    fn rest_of_product(self, x: Self, y: Self) -> Self;
    /// The numbers without their signs.
    fn magnitude(self) -> Self;
    /// Bitwise disjunction of registers.
    fn or(self, other: Self) -> Self;
    /// Bitwise exclusive or of registers.
    fn xor(self, other: Self) -> Self;
}

/// Loops over two lanes, for processors without registers of their own here.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(super) struct PortableDoubles([f64; 2]);

#[cfg(not(target_arch = "x86_64"))]
impl PortableDoubles {
    #[inline(always)]
    fn each(of: impl Fn(usize) -> f64) -> Self {
        PortableDoubles(std::array::from_fn(of))
    }

    #[inline(always)]
    fn bits(of: impl Fn(usize) -> u64) -> Self {
        Self::each(|lane| f64::from_bits(of(lane)))
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl DoubleVector for PortableDoubles {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn same(number: f64) -> Self {
        PortableDoubles([number; 2])
    }
    #[inline(always)]
    fn load(column: &[u64; LANES], start: usize) -> Self {
        Self::bits(|lane| column[start + lane])
    }
    #[inline(always)]
    fn load_singles(column: &[u32; LANES], start: usize) -> Self {
        Self::each(|lane| f32::from_bits(column[start + lane]).into())
    }
    #[inline(always)]
    fn store(self, column: &mut [u64; LANES], start: usize) {
        for (lane, number) in self.0.into_iter().enumerate() {
            column[start + lane] = number.to_bits();
        }
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self::each(|lane| self.0[lane] - other.0[lane])
    }
    #[inline(always)]
    fn plus_product(self, x: Self, y: Self) -> Self {
        Self::each(|lane| x.0[lane] * y.0[lane] + self.0[lane])
    }
    #[inline(always)]
    fn rest_of_product(self, x: Self, y: Self) -> Self {
        Self::each(|lane| x.0[lane] * y.0[lane] - self.0[lane])
    }
    #[inline(always)]
    fn magnitude(self) -> Self {
        Self::each(|lane| self.0[lane].abs())
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self::bits(|lane| self.0[lane].to_bits() | other.0[lane].to_bits())
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::bits(|lane| self.0[lane].to_bits() ^ other.0[lane].to_bits())
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{DoubleVector, LANES};
    use std::arch::x86_64::*;

    /// A kind of register: its instructions, and the number of its lanes.
    macro_rules! register {
        ($(#[$doc:meta])* $name:ident, $doubles:ident, $width:literal, $same:ident, $load:ident, ($singles:ident, $part:expr), $store:ident, $minus:ident,
            $and_not:ident, $or:ident, $xor:ident, ($z:ident, $x:ident, $y:ident), $plus_product:expr, $rest_of_product:expr) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(in crate::tape) struct $name($doubles);

            // SAFETY (all of these): only functions that are compiled for the features of the register use
            // it, after the processor was asked for them (`features`); pointers are into `WIDTH` lanes of the
            // column, whose bounds are checked.
            impl DoubleVector for $name {
                const WIDTH: usize = $width;

                #[inline(always)]
                fn same(number: f64) -> Self {
                    $name(unsafe { $same(number) })
                }
                #[inline(always)]
                fn load(column: &[u64; LANES], start: usize) -> Self {
                    let lanes = &column[start..start + $width];
                    $name(unsafe { $load(lanes.as_ptr().cast()) })
                }
                #[inline(always)]
                fn load_singles(column: &[u32; LANES], start: usize) -> Self {
                    let $singles = &column[start..start + $width];
                    $name(unsafe { $part })
                }
                #[inline(always)]
                fn store(self, column: &mut [u64; LANES], start: usize) {
                    let lanes = &mut column[start..start + $width];
                    unsafe { $store(lanes.as_mut_ptr().cast(), self.0) }
                }
                #[inline(always)]
                fn minus(self, other: Self) -> Self {
                    $name(unsafe { $minus(self.0, other.0) })
                }
                #[inline(always)]
                fn plus_product(self, x: Self, y: Self) -> Self {
                    let ($z, $x, $y) = (self.0, x.0, y.0);
                    $name(unsafe { $plus_product })
                }
                #[inline(always)]
                fn rest_of_product(self, x: Self, y: Self) -> Self {
                    let ($z, $x, $y) = (self.0, x.0, y.0);
                    $name(unsafe { $rest_of_product })
                }
                #[inline(always)]
                fn magnitude(self) -> Self {
                    $name(unsafe { $and_not($same(-0.0), self.0) })
                }
                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    $name(unsafe { $or(self.0, other.0) })
                }
                #[inline(always)]
                fn xor(self, other: Self) -> Self {
                    $name(unsafe { $xor(self.0, other.0) })
                }
            }
        };
    }

    register!(
        /// SSE2, which every processor of this kind has. It has no fused operation, and exact products need none.
        Sse2Doubles, __m128d, 2, _mm_set1_pd, _mm_loadu_pd,
        (lanes, _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64(lanes.as_ptr().cast())))), _mm_storeu_pd, _mm_sub_pd,
        _mm_andnot_pd, _mm_or_pd, _mm_xor_pd,
        (z, x, y), _mm_add_pd(_mm_mul_pd(x, y), z), _mm_sub_pd(_mm_mul_pd(x, y), z)
    );
    register!(
        /// AVX2 and FMA.
        Avx2Doubles, __m256d, 4, _mm256_set1_pd, _mm256_loadu_pd,
        (lanes, _mm256_cvtps_pd(_mm_loadu_ps(lanes.as_ptr().cast()))), _mm256_storeu_pd, _mm256_sub_pd, _mm256_andnot_pd,
        _mm256_or_pd, _mm256_xor_pd, (z, x, y), _mm256_fmadd_pd(x, y, z), _mm256_fmsub_pd(x, y, z)
    );
    register!(
        /// AVX-512 F and DQ.
        Avx512Doubles, __m512d, 8, _mm512_set1_pd, _mm512_loadu_pd,
        (lanes, _mm512_cvtps_pd(_mm256_loadu_ps(lanes.as_ptr().cast()))), _mm512_storeu_pd, _mm512_sub_pd, _mm512_andnot_pd,
        _mm512_or_pd, _mm512_xor_pd, (z, x, y), _mm512_fmadd_pd(x, y, z), _mm512_fmsub_pd(x, y, z)
    );
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2Doubles, Avx512Doubles, Sse2Doubles};
