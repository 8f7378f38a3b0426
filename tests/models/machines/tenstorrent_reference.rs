//! Tenstorrent's MVMUL, ELWMUL and products of integers once more, over plain integers: a term is a signed number of last
//! places and an exponent field.

use super::draw::Fields;

/// The formats, and which of two machines it is.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The format of SrcA and of SrcB.
    pub sources: [Fields; 2],
    pub dst: Fields,
    pub is_wormhole: bool,
}

/// A number of last places, of which 2^23 are 1, with an exponent field.
#[derive(Clone, Copy)]
struct Term {
    places: i64,
    field: i64,
}

/// Half a place and more becomes a place: of the number, which is a tie up.
fn half_up(value: i64, shift: i64) -> i64 {
    match shift {
        0 => value,
        1..40 => (value + (1 << (shift - 1))) >> shift,
        _ => 0,
    }
}

/// Of the magnitude, which is a tie away from zero.
fn half_away(value: i64, shift: i64) -> i64 {
    half_up(value.abs(), shift) * value.signum()
}

impl Machine {
    fn is_wide(&self) -> bool {
        self.dst.fraction == 23
    }

    fn has_eight(&self) -> bool {
        self.sources[0].exponent == 8
    }

    /// A product: places of which 2^10 are 1.
    fn product(&self, phase: u32, a: u64, b: u64) -> Term {
        let of_phase = 5 * i64::from(phase % 2) + 7 * i64::from(phase / 2);
        let bias = match (self.has_eight(), self.is_wide()) {
            (true, _) => -127,
            (false, true) => 97,
            (false, false) => -15,
        } - of_phase;
        let [(sa, ea, fa), (sb, eb, fb)] = [self.sources[0].of(a), self.sources[1].of(b)];
        if ea == 0 || eb == 0 {
            return Term {
                places: 0,
                field: bias.max(0),
            };
        }
        let whole = |fields: Fields, fraction: i64| 1 << 10 | fraction << (10 - fields.fraction);
        let (ma, mb) = (whole(self.sources[0], fa), whole(self.sources[1], fb));
        let x = if phase.is_multiple_of(2) {
            ma / 64
        } else {
            ma / 2 % 32
        };
        let y = if phase / 2 == 0 { mb / 16 } else { mb % 16 * 8 };
        Term {
            places: if sa == sb { x * y } else { -(x * y) },
            field: ea + eb + bias,
        }
    }

    /// Eight products on the greatest exponent.
    fn group(products: &[Term]) -> Term {
        let field = products.iter().map(|one| one.field).max().unwrap();
        if field <= 0 {
            return Term {
                places: 0,
                field: 0,
            };
        }
        let aligned = products
            .iter()
            .map(|one| half_away(one.places, field - one.field));
        Term {
            places: aligned.sum::<i64>() << 13,
            field,
        }
    }

    /// Dst and what is added to it.
    fn added(&self, groups: &[Term], dst: u64) -> u64 {
        let (negative, dst_field, fraction) = self.dst.of(dst);
        let magnitude = match dst_field {
            0 => 0,
            _ => 1 << 23 | fraction << (23 - self.dst.fraction),
        };
        let own = if negative { -magnitude } else { magnitude };
        let field = groups.iter().map(|one| one.field).fold(dst_field, i64::max);
        if field <= 0 {
            return 0;
        }
        let on_grid = |value, shift, rounded: fn(i64, i64) -> i64| match self.is_wide() {
            true => rounded(value, shift),
            false => rounded(rounded(value, shift), 13) << 13,
        };
        let groups = groups.iter();
        let groups = groups.map(|one| on_grid(one.places, field - one.field, half_up));
        let sum = groups.sum::<i64>() + on_grid(own, field - dst_field, half_away);
        self.encoded(sum, field)
    }

    fn encoded(&self, sum: i64, mut field: i64) -> u64 {
        if sum == 0 {
            return 0;
        }
        let mut magnitude = sum.unsigned_abs();
        if self.is_wormhole && sum == -1 {
            magnitude = 1 << 27;
        }
        let precision = self.dst.fraction + 1;
        // The significand with leading bit 63, and a place below it for the tie.
        let above = magnitude.leading_zeros();
        field += 40 - i64::from(above);
        let left = magnitude << above;
        let half = 1u64 << (63 - precision);
        let (mut rounded, carried) = left.overflowing_add(half);
        if carried {
            rounded = rounded >> 1 | 1 << 63;
            field += 1;
        }
        let fraction = (rounded << 1 >> (65 - precision)) as i64;
        let negative = sum < 0;
        if field <= 0 {
            return 0;
        }
        match self.dst.exponent {
            8 if field >= 255 => self.dst.register(negative, 255, 0),
            5 if field >= 32 => self.dst.register(negative, 31, 0x3ff),
            _ => self.dst.register(negative, field, fraction),
        }
    }

    /// One phase of MVMUL: 16 of SrcA, 16 of SrcB.
    pub fn mvmul(&self, phase: u32, a: &[u64], b: &[u64], dst: u64) -> u64 {
        let pairs = a.iter().zip(b);
        let products: Vec<Term> = pairs.map(|(a, b)| self.product(phase, *a, *b)).collect();
        let groups: Vec<Term> = products.chunks(8).map(Self::group).collect();
        self.added(&groups, dst)
    }

    /// One phase of ELWMUL.
    pub fn elwmul(&self, phase: u32, a: u64, b: u64, dst: u64) -> u64 {
        let mut product = self.product(phase, a, b);
        if product.field <= 0 {
            product = Term {
                places: 0,
                field: 0,
            };
        }
        product.places <<= 13;
        self.added(&[product], dst)
    }

    /// 32 products of matrices, the left one in SrcB.
    pub fn matmul(
        &self,
        phases: std::ops::RangeInclusive<u32>,
        a: &[u64],
        b: &[u64],
        c: u64,
    ) -> u64 {
        let mut dst = c;
        for phase in phases {
            for half in [0..16, 16..32] {
                dst = self.mvmul(phase, &b[half.clone()], &a[half], dst);
            }
        }
        dst
    }
}

/// One phase of MVMUL of integers; Dst in two's complement.
pub fn int8(phase: u32, a: &[u64], b: &[u64], dst: u64) -> u64 {
    let integer = |bits: u64| i64::from(bits as u8 as i8);
    let part = |value: i64, least: i64, end: i64| {
        let magnitude = value.abs() % end / least * least;
        magnitude * value.signum()
    };
    let products = a.iter().zip(b).map(|(a, b)| {
        let x = match phase % 2 {
            0 => part(integer(*a), 32, 256),
            _ => part(integer(*a), 1, 32),
        };
        let y = match phase / 2 {
            0 => part(integer(*b), 16, 1024),
            _ => part(integer(*b), 1, 16),
        };
        x * y
    });
    let limit = i64::from(i32::MAX);
    let sum = products.sum::<i64>() + i64::from(dst as u32 as i32);
    sum.clamp(-limit, limit) as u32 as u64
}
