//! Amounts of error: multiples of magnitudes, and absolute parts.

use super::super::bound::{ErrorBound, rounded_up, scaled};
use mmasmt_numbers::float::Dyadic;

/// A bound: at most `of_c |c| + of_products P + absolute`, where P is the sum of the magnitudes of the products.
#[derive(Clone)]
pub struct Amount {
    pub(in super::super) of_c: Dyadic,
    pub(in super::super) of_products: Dyadic,
    pub absolute: Dyadic,
}

pub(super) fn greater(x: &Dyadic, y: &Dyadic) -> Dyadic {
    if y.magnitude_exceeds(x) {
        y.clone()
    } else {
        x.clone()
    }
}

impl Amount {
    pub(in super::super) fn new([of_c, of_products, absolute]: [Dyadic; 3]) -> Amount {
        Amount {
            of_c,
            of_products,
            absolute,
        }
    }

    pub fn of(of_c: u64, of_products: u64) -> Amount {
        Amount {
            of_c: scaled(of_c, 0),
            of_products: scaled(of_products, 0),
            absolute: scaled(0, 0),
        }
    }

    pub fn none() -> Amount {
        Amount::of(0, 0)
    }

    pub(in super::super) fn plus(&self, other: &Amount) -> Amount {
        Amount {
            of_c: self.of_c.plus(&other.of_c),
            of_products: self.of_products.plus(&other.of_products),
            absolute: self.absolute.plus(&other.absolute),
        }
    }

    pub fn times(&self, factor: &Dyadic) -> Amount {
        Amount {
            of_c: self.of_c.times(factor),
            of_products: self.of_products.times(factor),
            absolute: self.absolute.times(factor),
        }
    }

    /// The amount of two sums of different products, whose absolute parts are joined by `absolute`.
    pub(super) fn joined(
        &self,
        other: &Amount,
        absolute: fn(&Dyadic, &Dyadic) -> Dyadic,
    ) -> Amount {
        Amount {
            of_c: greater(&self.of_c, &other.of_c),
            of_products: greater(&self.of_products, &other.of_products),
            absolute: absolute(&self.absolute, &other.absolute),
        }
    }

    /// The amount with an absolute part that is at least `floor`.
    pub fn at_least(self, floor: &Dyadic) -> Amount {
        Amount {
            absolute: greater(&self.absolute, floor),
            ..self
        }
    }

    pub(super) fn rounded_up(&self) -> Amount {
        Amount {
            of_c: rounded_up(&self.of_c),
            of_products: rounded_up(&self.of_products),
            absolute: rounded_up(&self.absolute),
        }
    }

    /// The greater multiple.
    pub(super) fn greatest(&self) -> Dyadic {
        greater(&self.of_c, &self.of_products)
    }

    pub fn with_absolute(self, more: &Dyadic) -> Amount {
        Amount {
            absolute: self.absolute.plus(more),
            ..self
        }
    }

    /// The amount for a magnitude of `c` and a sum of the magnitudes of the products.
    pub fn at(&self, [c, products]: [&Dyadic; 2]) -> Dyadic {
        let of_products = self.of_products.times(products);
        self.of_c.times(c).plus(&of_products).plus(&self.absolute)
    }

    pub(in super::super) fn bound(&self) -> ErrorBound {
        let of_products = match self.of_products.magnitude_exceeds(&self.of_c) {
            true => self.of_products.minus(&self.of_c),
            false => scaled(0, 0),
        };
        let bound = ErrorBound {
            of_all: self.of_c.clone(),
            of_products,
            absolute: self.absolute.clone(),
        };
        bound.rounded_up()
    }
}

/// A bound of an error: at most `of_all (|c| + P) + absolute`.
#[derive(Clone)]
pub struct Linear {
    pub of_all: Dyadic,
    pub absolute: Dyadic,
}

impl Linear {
    pub(super) fn none() -> Linear {
        Linear {
            of_all: scaled(0, 0),
            absolute: scaled(0, 0),
        }
    }

    /// The bound of the sum of two registers, rounded to nearest in their format, `u` half of the last
    /// place of 1.
    pub(super) fn added(&self, other: &Linear, u: &Dyadic, absolute: &Dyadic) -> Linear {
        let growth = scaled(1, 0).plus(u);
        let of_both = self.absolute.plus(&other.absolute);
        let mut absolute = of_both.times(&growth).plus(absolute);
        // Where u times the sum does not bound the rounding, the summand that is small does, with
        // the absolute part of its error.
        let less = scaled(1, 0).minus(u);
        for (x, y) in [(self, other), (other, self)] {
            if y.of_all.times(u).magnitude_exceeds(&x.of_all.times(&less)) {
                absolute = absolute.plus(&x.absolute);
            }
        }
        Linear {
            of_all: rounded_up(&self.of_all.plus(&other.of_all).plus(u)),
            absolute: rounded_up(&absolute),
        }
    }
}
