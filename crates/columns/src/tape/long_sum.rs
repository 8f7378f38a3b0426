//! An exact sum of numbers of `f64` in integers: what sums in `f64` do not decide.

/// The exponent of the lowest bit; the least number of `f64` is `2^-1074`.
const LOWEST: i32 = -1088;

/// The bits of a limb that one number changes; the rest holds the carries of 2^31 numbers.
const BITS: u32 = 32;

/// Limbs up to the greatest number of `f64` and carries beyond it.
const LIMBS: usize = 70;

/// A sum in fixed point, in limbs that carry into the next one at the end.
pub(super) struct LongSum([i64; LIMBS]);

impl LongSum {
    pub(super) fn zero() -> LongSum {
        LongSum([0; LIMBS])
    }

    /// Adds a finite number; at most `2^31` of them.
    pub(super) fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let field = ((bits >> 52) & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let significand = if field == 0 {
            fraction
        } else {
            fraction | (1 << 52)
        };
        let place = (field.max(1) - 1075 - LOWEST) as u32;
        let shifted = u128::from(significand) << (place % BITS);
        for part in 0..3 {
            let bits = (shifted >> (part * BITS)) as u32;
            let limb = &mut self.0[(place / BITS + part) as usize];
            *limb += if number.is_sign_negative() {
                -i64::from(bits)
            } else {
                i64::from(bits)
            };
        }
    }

    /// The register of the sum in `f64`, rounded to odd: cut, with a last bit of one if it is not exact. A further rounding
    /// to at most 51 bits is then that of the exact sum. A sum of zero is +0.
    pub(super) fn rounded_to_odd(mut self) -> u64 {
        let negative = self.carry() < 0;
        if negative {
            self.0.iter_mut().for_each(|limb| *limb = -*limb);
            self.carry();
        }
        let Some(top) = self.0.iter().rposition(|limb| *limb != 0) else {
            return 0;
        };
        let limb = |index: usize| self.0.get(index).map_or(0, |limb| *limb as u128);
        // The leading 65 to 96 bits.
        let below = [1, 2].map(|down: usize| top.checked_sub(down).map_or(0, limb));
        let leading = (limb(top) << (2 * BITS)) | (below[0] << BITS) | below[1];
        let cut = u128::BITS - leading.leading_zeros() - f64::MANTISSA_DIGITS;
        let mut significand = (leading >> cut) as u64;
        let lower = self.0[..top.saturating_sub(2)]
            .iter()
            .any(|limb| *limb != 0);
        if lower || u128::from(significand) << cut != leading {
            significand |= 1;
        }
        let exponent = top as i32 * BITS as i32 - 2 * BITS as i32 + LOWEST + cut as i32;
        let field = (exponent + 1075) as u64;
        (u64::from(negative) << 63) | ((field << 52) + (significand - (1 << 52)))
    }

    /// Brings all limbs but the highest to 32 bits without a sign; returns the highest.
    fn carry(&mut self) -> i64 {
        for index in 1..LIMBS {
            let carry = self.0[index - 1] >> BITS;
            self.0[index - 1] -= carry << BITS;
            self.0[index] += carry;
        }
        self.0[LIMBS - 1]
    }
}
