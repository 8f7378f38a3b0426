//! The values of a walk: factors, scales, and sums with their errors.

use super::super::bound::{ErrorBound, scaled};
use super::super::last_rounding::LastRounding;
use super::amounts::{Amount, Linear, greater};
use mmasmt_numbers::float::{Dyadic, Format};

/// A value of the walk.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "most values are sums")]
pub enum BoundsValue {
    /// A factor, or its number.
    Factor(OperandNumber),
    /// A block scale, or its number.
    Scale(OperandNumber),
    /// A sum of products and of `c`.
    Sum(BoundedSum),
    /// Some bits of the significand of a factor.
    Part(SignificandPart),
    /// A factor of a composition, which is no operand.
    Constant(Dyadic),
    /// Nothing.
    Unknown,
}

/// A factor or a scale: the side and the index of its row, and the format in which it is.
#[derive(Clone, Copy)]
pub struct OperandNumber {
    pub side: usize,
    pub index: usize,
    pub format: Format,
    /// The format of which numbers below the normal ones became zeros, if any did.
    pub flushed: Option<Format>,
    /// The exponent of zero, if zeros have one.
    pub zero: Option<i64>,
    /// The distance to the factor itself, where the number was rounded from it.
    pub rounded: Option<FactorDistance>,
}

/// A distance from a factor: at most 2 to the power of `relative` times the factor, and 2 to the power of
/// `absolute` more where there are factors below the normal numbers of the format.
#[derive(Clone, Copy)]
pub struct FactorDistance {
    pub relative: i64,
    pub absolute: Option<i64>,
}

impl OperandNumber {
    /// The number where those below the normal numbers of its format are zeros.
    pub(super) fn flushed(self) -> OperandNumber {
        let before = self
            .flushed
            .filter(|before| before.min_exponent() > self.format.min_exponent());
        OperandNumber {
            flushed: before.or(Some(self.format)),
            ..self
        }
    }
}

/// Some bits of a factor's significand, from the bit `low` on, and what is added to its exponent where it is compared.
#[derive(Clone, Copy)]
pub struct SignificandPart {
    pub(super) of: OperandNumber,
    pub(super) low: u32,
    pub(super) bits: u32,
    /// The width of the whole significand.
    pub(super) width: u32,
    pub(super) shift: i64,
}

/// The bits of both significands that a product of parts has: the first bit and the one behind the last, of each.
pub(super) type PartPair = [[u32; 2]; 2];

#[derive(Clone)]
pub struct BoundedSum {
    pub(super) has_c: bool,
    /// The first and the last of the products, and the number of products.
    pub(super) products: Option<[usize; 2]>,
    pub(super) count: usize,
    /// The number of products of parts of factors. Their errors are in multiples of the magnitudes of the whole products.
    pub(super) cells: usize,
    /// The factors, if the sum is one product alone.
    pub(super) pair: Option<[OperandNumber; 2]>,
    /// Whether the products were multiplied by their scales, for both sides.
    pub scaled: [bool; 2],
    /// The factors of a composition that `c` and the products were multiplied by. The amounts are multiples of the
    /// magnitudes that this gives.
    pub(super) gains: [Dyadic; 2],
    pub error: Amount,
    /// Another bound of the error.
    pub linear: Linear,
    pub reach: Amount,
    /// A bound of the magnitude.
    pub most: Amount,
    /// Whether a bit below the sum says that something was cut.
    pub is_sticky: bool,
    /// The rounding that gave the sum, if it is a register.
    pub rounded: Option<LastRounding>,
}

impl BoundedSum {
    /// `c`, or nothing: without an error.
    pub(super) fn exact(has_c: bool) -> BoundedSum {
        BoundedSum {
            has_c,
            products: None,
            count: 0,
            cells: 0,
            pair: None,
            scaled: [false; 2],
            gains: [scaled(1, 0), scaled(1, 0)],
            error: Amount::none(),
            linear: Linear::none(),
            reach: Amount::none(),
            most: Amount::of(has_c.into(), 0),
            is_sticky: false,
            rounded: None,
        }
    }

    /// True if products are in it in parts.
    pub fn has_cells(&self) -> bool {
        self.cells > 0
    }

    /// True for a zero that stands for no operand.
    pub(super) fn is_nothing(&self) -> bool {
        !self.has_c && self.products.is_none()
    }

    /// The bound of the error: of two, the linear one if it is at most half.
    pub(super) fn bound(&self) -> ErrorBound {
        let linear = &self.linear.of_all;
        let is_half = !linear.shifted(1).magnitude_exceeds(&self.error.greatest());
        let error = match is_half || !linear.magnitude_exceeds(&self.error.of_c) {
            true => Amount {
                of_c: linear.clone(),
                of_products: linear.clone(),
                absolute: self.linear.absolute.clone(),
            },
            false => self.error.clone(),
        };
        error.bound()
    }

    pub(super) fn size(&self) -> Amount {
        Amount::of(self.has_c.into(), self.products.is_some().into())
    }

    pub(super) fn magnitude(&self) -> Amount {
        self.size().plus(&self.error)
    }

    /// The sum of two sums, each of which has products and `c` of its own.
    pub(super) fn joined(&self, other: &BoundedSum) -> Option<BoundedSum> {
        let both = [self.products, other.products];
        let scaled = match both {
            [Some(_), Some(_)] if self.scaled != other.scaled => return None,
            [Some(_), _] => self.scaled,
            _ => other.scaled,
        };
        let gains = match both {
            [Some(_), Some(_)] if self.gains[1] != other.gains[1] => return None,
            [Some(_), _] => &self.gains[1],
            _ => &other.gains[1],
        };
        let of_c = if self.has_c {
            &self.gains[0]
        } else {
            &other.gains[0]
        };
        let gains = [of_c.clone(), gains.clone()];
        // Parts of the same products may have errors of their own.
        let are_of_one = self.cells > 0 && other.cells > 0 && both_overlap(both);
        let of_products = if are_of_one {
            Dyadic::plus
        } else {
            |x: &Dyadic, y: &Dyadic| greater(x, y)
        };
        let ends = both.iter().flatten();
        let first = ends.clone().map(|ends| ends[0]).min();
        let last = ends.map(|ends| ends[1]).max();
        (!(self.has_c && other.has_c)).then(|| BoundedSum {
            has_c: self.has_c || other.has_c,
            products: first.zip(last).map(|(first, last)| [first, last]),
            count: self.count + other.count,
            cells: self.cells + other.cells,
            pair: None,
            scaled,
            gains,
            error: Amount {
                of_products: of_products(&self.error.of_products, &other.error.of_products),
                ..self.error.joined(&other.error, Dyadic::plus)
            },
            linear: Linear {
                of_all: of_products(&self.linear.of_all, &other.linear.of_all),
                absolute: self.linear.absolute.plus(&other.linear.absolute),
            },
            reach: self.reach.joined(&other.reach, greater),
            most: Amount {
                of_products: of_products(&self.most.of_products, &other.most.of_products),
                ..self.most.joined(&other.most, Dyadic::plus)
            },
            is_sticky: self.is_sticky || other.is_sticky,
            rounded: None,
        })
    }

    pub(super) fn with(self, error: Amount, reach: Amount) -> BoundedSum {
        let [error, reach] = [error, reach].map(|amount| amount.rounded_up());
        BoundedSum {
            linear: Linear {
                of_all: error.greatest(),
                absolute: error.absolute.clone(),
            },
            most: self.size().plus(&error),
            error,
            reach,
            rounded: None,
            ..self
        }
    }

    /// True if `c` or the products were multiplied by a factor of a composition.
    pub(super) fn has_gains(&self) -> bool {
        self.gains != [scaled(1, 0), scaled(1, 0)]
    }

    /// This sum times a constant, not rounded.
    pub(super) fn times(&self, constant: &Dyadic) -> BoundedSum {
        let size = constant.magnitude();
        let absolute = |amount: &Amount| Amount {
            absolute: amount.absolute.times(&size),
            ..amount.clone()
        };
        BoundedSum {
            gains: self.gains.each_ref().map(|gain| gain.times(constant)),
            pair: None,
            error: absolute(&self.error),
            linear: Linear {
                absolute: self.linear.absolute.times(&size),
                ..self.linear.clone()
            },
            reach: absolute(&self.reach),
            most: absolute(&self.most),
            rounded: None,
            ..self.clone()
        }
    }

    /// The bound of the magnitude, in multiples of the magnitudes of `c` and of the products themselves.
    pub(super) fn most_of_terms(&self) -> Amount {
        let [c, products] = self.gains.each_ref().map(Dyadic::magnitude);
        Amount {
            of_c: self.most.of_c.times(&c),
            of_products: self.most.of_products.times(&products),
            absolute: self.most.absolute.clone(),
        }
    }

    /// The same sum, which is no product of two factors alone.
    pub(super) fn apart(self) -> BoundedSum {
        BoundedSum { pair: None, ..self }
    }

    /// The same sum with this bound of its magnitude.
    pub(super) fn within(self, most: Amount) -> BoundedSum {
        let most = most.rounded_up();
        BoundedSum { most, ..self }
    }
}

/// True if there may be parts of one product in both sums.
fn both_overlap(both: [Option<[usize; 2]>; 2]) -> bool {
    match both {
        [Some([first, last]), Some([other, end])] => first <= end && other <= last,
        _ => false,
    }
}
