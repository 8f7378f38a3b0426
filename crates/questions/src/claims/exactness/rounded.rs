//! Sums that were rounded or flushed. Each has a number as its name, and equal sums have the same
//! number, so that the sums of two models can be compared.

use super::set::Multiples;
use super::sum::{NegativeZero, OverflowValue, Sum, SumLeaf, Zero};
use mmasmt_numbers::float::{Format, Overflow, Rounding};
use std::collections::{HashMap, HashSet};

/// The format and the rules by which a sum is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundingRule {
    pub format: Format,
    pub rounding: Rounding,
    pub overflow: Overflow,
    /// Whether a result that underflows to zero keeps its sign; otherwise it is +0.
    pub signed_underflow: bool,
}

/// A sum that was rounded, with its leaves in sorted order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RoundedSum {
    pub format: Format,
    pub how: SumConversion,
    pub leaves: Vec<SumLeaf>,
}

impl RoundedSum {
    /// The leaf of the sum, if it has only one.
    pub fn only(&self) -> Option<SumLeaf> {
        match self.leaves[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// True if values of the rounded sum overflow by this rule.
    pub fn overflows_by(&self, rule: Overflow) -> bool {
        matches!(self.how, SumConversion::Rounded { overflow: Some(found), .. } if found == rule)
    }
}

/// How a sum was brought into its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumConversion {
    /// The sum was rounded.
    Rounded {
        rounding: Rounding,
        /// The overflow rule; `None` if no value overflows.
        overflow: Option<Overflow>,
    },
    /// Rounding to nearest even and rounding towards zero give the same result for this sum.
    RoundedEitherWay,
    /// Values below the normal numbers of the format became zeros; nothing was rounded.
    Flushed,
    /// The sum became the nearest integer of the format.
    Saturated {
        /// Whether no product is negative, and every other summand is an integer of the format.
        rises: bool,
    },
    /// The sum, modulo the number of integers of the format.
    Wrapped,
}

/// All rounded sums, each stored once: equal sums have the same number.
#[derive(Debug, Default)]
pub struct RoundedSums {
    all: Vec<RoundedSum>,
    numbers: HashMap<RoundedSum, usize>,
    /// Those of which negative numbers may have become +0.
    without_sign: HashSet<usize>,
    /// Whether a nonzero value may have become zero because it was too small.
    pub has_lost: bool,
}

impl RoundedSums {
    /// Rounds `sum`. Returns the sum itself if the format holds all its values, and `None` if a
    /// leaf may overflow to an unknown value.
    pub fn round(&mut self, sum: Sum, to: &RoundingRule) -> Option<Sum> {
        // A saturating rounding makes a number of an infinity.
        let is_lost = to.overflow == Overflow::Greatest && sum.overflow != OverflowValue::Nothing;
        let is_known = match sum.overflow {
            OverflowValue::Nothing => true,
            OverflowValue::Infinity => to.format.has_infinity(),
            OverflowValue::Unknown => false,
        };
        if is_lost || !is_known {
            return None;
        }
        if sum.values.are_in(&to.format) {
            return Some(sum);
        }
        let either_way = matches!(to.rounding, Rounding::Rne | Rounding::Rz)
            && sum.values.has_ties_above_powers_alone(&to.format);
        let rounding = if either_way {
            Rounding::Rz
        } else {
            to.rounding
        };
        let values = sum.values.rounded(&to.format, rounding);
        let overflows = values.exceeds(&to.format);
        let values = if overflows {
            values.up_to_greatest(&to.format)
        } else {
            values
        };
        // In most rounding modes, the overflow rule of IEEE 754 gives infinity, too.
        let overflow = match to.overflow {
            Overflow::Ieee if to.rounding.gives_infinities() => Overflow::Infinity,
            other => other,
        };
        // If every value either is representable or overflows to infinity, the rounding mode does
        // not matter.
        let least = i64::from(to.format.least_exponent());
        let is_held = sum.values.has_bits(to.format.precision().into(), least);
        let to_rounding = if is_held && overflow == Overflow::Infinity {
            Rounding::Rz
        } else {
            to.rounding
        };
        let mut leaves = sum.leaves.clone();
        leaves.sort_unstable();
        let number = self.number(RoundedSum {
            format: to.format,
            how: if either_way && !overflows {
                SumConversion::RoundedEitherWay
            } else {
                SumConversion::Rounded {
                    rounding: to_rounding,
                    overflow: overflows.then_some(overflow),
                }
            },
            leaves,
        });
        let leaf = SumLeaf::Rounded(number);
        let underflows = sum.values.unit().is_some_and(|unit| unit < least);
        if underflows && sum.negative && !to.signed_underflow {
            self.without_sign.insert(number);
        }
        let zero = if underflows && to.signed_underflow {
            self.zero_of_its_sign(&sum, number)
        } else if underflows && sum.negative && sum.zero != Zero::Plus {
            // A sum that becomes +0 may be negative.
            self.plus_or_shared(&sum)
        } else {
            sum.zero
        };
        if round_to_zero(&sum.values, to) {
            self.has_lost = true;
            return Some(Sum {
                leaves: vec![leaf],
                zero,
                ..Sum::nothing()
            });
        }
        Some(Sum {
            leaves: vec![leaf],
            values,
            zero,
            negative: sum.negative,
            overflow: match overflows {
                false => sum.overflow,
                true if overflow == Overflow::Infinity && to.format.has_infinity() => {
                    OverflowValue::Infinity
                }
                true => OverflowValue::Unknown,
            },
        })
    }

    /// Saturates the sum: the result is the nearest integer of the format; `rises` says that no product
    /// is negative, and that the other summands are integers of the format.
    ///
    /// If only products are added to an earlier sum, and none of them is negative, an earlier sum that
    /// saturated has reached the greatest integer, and not the least, as its addend was none below that; later
    /// sums stay there. The result is then the
    /// sum of all addends, saturated once at the end.
    pub fn saturated(&mut self, sum: Sum, format: &Format, rises: bool) -> Sum {
        let (mut leaves, negative) = (Vec::new(), sum.negative);
        let others = sum.leaves.iter();
        let others = others.filter(|leaf| matches!(leaf, SumLeaf::Addend | SumLeaf::Rounded(_)));
        let rises_from_one = rises && others.count() <= 1;
        for leaf in sum.leaves {
            match leaf {
                SumLeaf::Rounded(number) if rises_from_one && self.has_risen(number, format) => {
                    leaves.extend_from_slice(&self.all[number].leaves);
                }
                other => leaves.push(other),
            }
        }
        leaves.sort_unstable();
        let most = format.max_finite() + u64::from(format.is_signed());
        let leaf = SumLeaf::Rounded(self.number(RoundedSum {
            format: *format,
            how: SumConversion::Saturated { rises },
            leaves,
        }));
        let values = Multiples::new(0, most.into(), u64::MAX, 0);
        Sum {
            negative,
            ..Sum::leaf(leaf, values, false, false)
        }
    }

    /// The sum modulo the number of integers of the format. An earlier sum that wrapped may as well not
    /// have: the result is the sum of all addends, wrapped once at the end.
    pub fn wrapped(&mut self, sum: Sum, format: &Format) -> Sum {
        let mut leaves = Vec::new();
        for leaf in sum.leaves {
            let earlier = match leaf {
                SumLeaf::Rounded(number) => self.get(number),
                _ => None,
            };
            match earlier.filter(|sum| sum.how == SumConversion::Wrapped && sum.format == *format) {
                Some(earlier) => leaves.extend_from_slice(&earlier.leaves),
                None => leaves.push(leaf),
            }
        }
        leaves.sort_unstable();
        let leaf = SumLeaf::Rounded(self.number(RoundedSum {
            format: *format,
            how: SumConversion::Wrapped,
            leaves,
        }));
        let most = format.max_finite() + u64::from(format.is_signed());
        let values = Multiples::new(0, most.into(), u64::MAX, 0);
        Sum {
            negative: format.is_signed(),
            ..Sum::leaf(leaf, values, false, false)
        }
    }

    /// The sign of a zero sum, if every sum that becomes zero because it is too small becomes +0.
    fn plus_or_shared(&self, sum: &Sum) -> Zero {
        match &sum.zero {
            Zero::SharedBy(all) if all.iter().all(|one| matches!(one, NegativeZero::Zero(_))) => {
                sum.zero.clone()
            }
            _ => Zero::Unknown,
        }
    }

    fn has_risen(&self, number: usize, format: &Format) -> bool {
        let how = SumConversion::Saturated { rises: true };
        self.get(number)
            .is_some_and(|sum| sum.how == how && sum.format == *format)
    }

    /// The number of this rounded sum, which is stored if it is new.
    pub fn number(&mut self, rounding: RoundedSum) -> usize {
        if let Some(number) = self.numbers.get(&rounding) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(rounding.clone());
        self.numbers.insert(rounding, number);
        number
    }

    /// The sign of the zero that the sum becomes if it underflows and keeps its sign. `number` is
    /// the number of the rounded or flushed sum.
    pub fn zero_of_its_sign(&self, sum: &Sum, number: usize) -> Zero {
        if sum.values.is_zero() || sum.zero == Zero::Plus && !sum.negative {
            return sum.zero.clone();
        }
        let mut leaf = match sum.leaves[..] {
            [only] => Some(only),
            _ => None,
        };
        // A single term keeps the sign that it had before it was rounded and before its factors
        // were flushed, unless it lost the sign there.
        while let Some(only) = leaf {
            if matches!(only, SumLeaf::Rounded(number) if self.without_sign.contains(&number)) {
                return Zero::Unknown;
            }
            let small = Zero::SharedBy(vec![NegativeZero::small(only)]);
            if sum.zero == Zero::SharedBy(vec![NegativeZero::Zero(only)]) || sum.zero == small {
                return small;
            }
            leaf = match only {
                SumLeaf::Rounded(number) => self.get(number).and_then(RoundedSum::only),
                _ => None,
            };
        }
        match sum.zero {
            Zero::Plus => Zero::SharedBy(vec![NegativeZero::Small(SumLeaf::Rounded(number))]),
            _ => Zero::Unknown,
        }
    }

    /// The rounded sum with this number.
    pub fn get(&self, number: usize) -> Option<&RoundedSum> {
        self.all.get(number)
    }
}

/// Whether all values round to zero: they are below the least positive number of the format
/// (towards zero), or below half of it (to nearest even).
fn round_to_zero(values: &Multiples, to: &RoundingRule) -> bool {
    let least = i64::from(to.format.least_exponent());
    let below = match to.rounding {
        Rounding::Rz => least,
        Rounding::Rne => least - 1,
        _ => return false,
    };
    to.format.has_subnormals() && values.top().is_some_and(|top| top <= below)
}
