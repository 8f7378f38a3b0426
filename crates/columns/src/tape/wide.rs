//! Vector registers for a link of a chain: more of what processors have for numbers of `f32` and for
//! integers.
#![allow(
    unsafe_code,
    reason = "instructions are called for processor features, in functions that are compiled for them"
)]

use super::vectors::FloatVector;

/// A register of numbers of `f32`, with further instructions.
pub(super) trait WideVector: FloatVector {
    /// The same integer in all lanes.
    fn integers(number: u32) -> Self::Integers;
    /// `WIDTH` integers, from `start` on.
    fn load_integers(lanes: &[u32], start: usize) -> Self::Integers;
    /// Writes the integers to `WIDTH` lanes, from `start` on.
    fn store(integers: Self::Integers, lanes: &mut [u32], start: usize);
    /// The numbers with these registers.
    fn of(registers: Self::Integers) -> Self;
    /// The registers of the numbers.
    fn registers(self) -> Self::Integers;
    /// The differences modulo 2^32.
    fn minus(one: Self::Integers, other: Self::Integers) -> Self::Integers;
    /// Bitwise conjunctions.
    fn both(one: Self::Integers, other: Self::Integers) -> Self::Integers;
    /// The greater of two unsigned integers.
    fn greater(one: Self::Integers, other: Self::Integers) -> Self::Integers;
    /// The lesser of two unsigned integers.
    fn lesser(one: Self::Integers, other: Self::Integers) -> Self::Integers;
    /// True if an unsigned integer is above the limit of its lane.
    fn any_above(integers: Self::Integers, limits: Self::Integers) -> bool;
    /// The numbers plus products, each rounded once.
    fn plus_product(self, x: Self, y: Self) -> Self;
    /// The sums, each rounded to `f32`.
    fn added(self, other: Self) -> Self;
    /// The sums, each rounded to odd; infinities where they are too great.
    fn odd_sum(self, other: Self) -> Self;
    /// The registers; of those whose magnitude is below the limit, only the bits in `kept`.
    fn less_kept(
        registers: Self::Integers,
        limits: Self::Integers,
        kept: Self::Integers,
    ) -> Self::Integers;
    /// The integers with all bits set where the sign is, and no bits elsewhere.
    fn signs(integers: Self::Integers) -> Self::Integers;
    /// The integers in the place of exponents of `f32`.
    fn as_exponents(integers: Self::Integers) -> Self::Integers;
    /// Integers with a sign where the sum of two signed integers is beyond their range.
    fn carried(one: Self::Integers, other: Self::Integers, sum: Self::Integers) -> Self::Integers;
    /// The signed integers, rounded as the processor is set: to nearest.
    fn nearest(integers: Self::Integers) -> Self;
    /// The signed integers, rounded toward zero.
    fn toward_zero(integers: Self::Integers) -> Self;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::WideVector;
    use crate::tape::vectors::{Avx2, Avx512};
    use std::arch::x86_64::*;

    /// What two kinds of registers have alike but for the names of instructions.
    macro_rules! wide {
        ($name:ident, $floats:ident, $integers:ident, $all:ident, $load:ident, $store:ident, $of:ident,
            $registers:ident, $minus:ident, $both:ident, $greater:ident, $lesser:ident, $shifted:ident,
            $sign:ident, $nearest:ident, { $($rest:tt)* }) => {
            // SAFETY (all of these): only functions that are compiled for the features of the register use
            // it, after the processor was asked for them (`features`); pointers are into as many lanes of
            // the slice as the register has, whose bounds are checked.
            impl WideVector for $name {
                #[inline(always)]
                fn integers(number: u32) -> $integers {
                    unsafe { $all(number as i32) }
                }
                #[inline(always)]
                fn load_integers(lanes: &[u32], start: usize) -> $integers {
                    let lanes = &lanes[start..start + size_of::<$integers>() / 4];
                    unsafe { $load(lanes.as_ptr().cast()) }
                }
                #[inline(always)]
                fn store(integers: $integers, lanes: &mut [u32], start: usize) {
                    let lanes = &mut lanes[start..start + size_of::<$integers>() / 4];
                    unsafe { $store(lanes.as_mut_ptr().cast(), integers) }
                }
                #[inline(always)]
                fn of(registers: $integers) -> Self {
                    $name(unsafe { $of(registers) })
                }
                #[inline(always)]
                fn registers(self) -> $integers {
                    unsafe { $registers(self.0) }
                }
                #[inline(always)]
                fn minus(one: $integers, other: $integers) -> $integers {
                    unsafe { $minus(one, other) }
                }
                #[inline(always)]
                fn both(one: $integers, other: $integers) -> $integers {
                    unsafe { $both(one, other) }
                }
                #[inline(always)]
                fn greater(one: $integers, other: $integers) -> $integers {
                    unsafe { $greater(one, other) }
                }
                #[inline(always)]
                fn lesser(one: $integers, other: $integers) -> $integers {
                    unsafe { $lesser(one, other) }
                }
                #[inline(always)]
                fn signs(integers: $integers) -> $integers {
                    unsafe { $sign::<31>(integers) }
                }
                #[inline(always)]
                fn as_exponents(integers: $integers) -> $integers {
                    unsafe { $shifted::<23>(integers) }
                }
                #[inline(always)]
                fn nearest(integers: $integers) -> Self {
                    $name(unsafe { $nearest(integers) })
                }
                $($rest)*
            }
        };
    }

    wide!(
        Avx2,
        __m256,
        __m256i,
        _mm256_set1_epi32,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_castsi256_ps,
        _mm256_castps_si256,
        _mm256_sub_epi32,
        _mm256_and_si256,
        _mm256_max_epu32,
        _mm256_min_epu32,
        _mm256_slli_epi32,
        _mm256_srai_epi32,
        _mm256_cvtepi32_ps,
        {
            #[inline(always)]
            fn any_above(integers: __m256i, limits: __m256i) -> bool {
                unsafe {
                    let greater = _mm256_max_epu32(integers, limits);
                    _mm256_movemask_epi8(_mm256_cmpeq_epi32(greater, limits)) != -1
                }
            }
            #[inline(always)]
            fn plus_product(self, x: Self, y: Self) -> Self {
                Avx2(unsafe { _mm256_fmadd_ps(x.0, y.0, self.0) })
            }
            #[inline(always)]
            fn added(self, other: Self) -> Self {
                Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
            }
            #[inline(always)]
            fn odd_sum(self, other: Self) -> Self {
                unsafe {
                    let sum = _mm256_add_ps(self.0, other.0);
                    let part = _mm256_sub_ps(sum, self.0);
                    let rest = _mm256_sub_ps(self.0, _mm256_sub_ps(sum, part));
                    let rest = _mm256_add_ps(rest, _mm256_sub_ps(other.0, part));
                    let zero = _mm256_setzero_ps();
                    let is_cut = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NEQ_OQ>(rest, zero));
                    let register = _mm256_castps_si256(sum);
                    let one = _mm256_set1_epi32(1);
                    let is_even =
                        _mm256_cmpeq_epi32(_mm256_and_si256(register, one), _mm256_setzero_si256());
                    let apart = _mm256_xor_si256(register, _mm256_castps_si256(rest));
                    let step = _mm256_or_si256(_mm256_srai_epi32::<31>(apart), one);
                    let step = _mm256_and_si256(step, _mm256_and_si256(is_cut, is_even));
                    Avx2(_mm256_castsi256_ps(_mm256_add_epi32(register, step)))
                }
            }
            #[inline(always)]
            fn less_kept(registers: __m256i, limits: __m256i, kept: __m256i) -> __m256i {
                unsafe {
                    let sign = _mm256_set1_epi32(i32::MIN);
                    let magnitudes = _mm256_andnot_si256(sign, registers);
                    let is_less = _mm256_cmpgt_epi32(limits, magnitudes);
                    _mm256_andnot_si256(_mm256_andnot_si256(kept, is_less), registers)
                }
            }
            #[inline(always)]
            fn carried(one: __m256i, other: __m256i, sum: __m256i) -> __m256i {
                unsafe {
                    _mm256_and_si256(_mm256_xor_si256(sum, one), _mm256_xor_si256(sum, other))
                }
            }
            #[inline(always)]
            fn toward_zero(integers: __m256i) -> Self {
                // Binary64 holds the integers; without the bits that binary32 lacks, the conversion
                // is exact.
                unsafe {
                    let kept = _mm256_castsi256_pd(_mm256_set1_epi64x(!0x1fff_ffff));
                    let low = _mm256_cvtepi32_pd(_mm256_castsi256_si128(integers));
                    let high = _mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(integers));
                    let low = _mm256_cvtpd_ps(_mm256_and_pd(low, kept));
                    let high = _mm256_cvtpd_ps(_mm256_and_pd(high, kept));
                    Avx2(_mm256_set_m128(high, low))
                }
            }
        }
    );

    wide!(
        Avx512,
        __m512,
        __m512i,
        _mm512_set1_epi32,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_castsi512_ps,
        _mm512_castps_si512,
        _mm512_sub_epi32,
        _mm512_and_si512,
        _mm512_max_epu32,
        _mm512_min_epu32,
        _mm512_slli_epi32,
        _mm512_srai_epi32,
        _mm512_cvtepi32_ps,
        {
            #[inline(always)]
            fn any_above(integers: __m512i, limits: __m512i) -> bool {
                unsafe { _mm512_cmpgt_epu32_mask(integers, limits) != 0 }
            }
            #[inline(always)]
            fn plus_product(self, x: Self, y: Self) -> Self {
                Avx512(unsafe { _mm512_fmadd_ps(x.0, y.0, self.0) })
            }
            #[inline(always)]
            fn added(self, other: Self) -> Self {
                Avx512(unsafe { _mm512_add_ps(self.0, other.0) })
            }
            #[inline(always)]
            fn odd_sum(self, other: Self) -> Self {
                unsafe {
                    let sum = _mm512_add_ps(self.0, other.0);
                    let part = _mm512_sub_ps(sum, self.0);
                    let rest = _mm512_sub_ps(self.0, _mm512_sub_ps(sum, part));
                    let rest = _mm512_add_ps(rest, _mm512_sub_ps(other.0, part));
                    let is_cut = _mm512_cmp_ps_mask::<_CMP_NEQ_OQ>(rest, _mm512_setzero_ps());
                    let register = _mm512_castps_si512(sum);
                    let one = _mm512_set1_epi32(1);
                    let is_moved = is_cut & _mm512_testn_epi32_mask(register, one);
                    let apart = _mm512_xor_si512(register, _mm512_castps_si512(rest));
                    let step = _mm512_or_si512(_mm512_srai_epi32::<31>(apart), one);
                    let odd = _mm512_mask_add_epi32(register, is_moved, register, step);
                    Avx512(_mm512_castsi512_ps(odd))
                }
            }
            #[inline(always)]
            fn less_kept(registers: __m512i, limits: __m512i, kept: __m512i) -> __m512i {
                unsafe {
                    let sign = _mm512_set1_epi32(i32::MIN);
                    let magnitudes = _mm512_andnot_si512(sign, registers);
                    let is_less = _mm512_cmplt_epu32_mask(magnitudes, limits);
                    _mm512_mask_and_epi32(registers, is_less, registers, kept)
                }
            }
            #[inline(always)]
            fn carried(one: __m512i, other: __m512i, sum: __m512i) -> __m512i {
                // The sum differs from both, which are alike.
                unsafe { _mm512_ternarylogic_epi32::<0x18>(sum, one, other) }
            }
            #[inline(always)]
            fn toward_zero(integers: __m512i) -> Self {
                const MODE: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
                Avx512(unsafe { _mm512_cvt_roundepi32_ps::<MODE>(integers) })
            }
        }
    );
}
