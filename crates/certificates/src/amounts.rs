//! Amounts: bounds of magnitudes by that of c and by the sum of the magnitudes of products.

use crate::domain::Domain;
use crate::dyadic::Dyadic;
use crate::json::{CheckResult, Object};
use num_bigint::BigUint;
use serde_json::Value;

/// At most `c * |c| + products * P + absolute`, where P is the sum of the magnitudes of some products.
#[derive(Clone, Debug, Default)]
pub(crate) struct Amount {
    pub(crate) c: Dyadic,
    pub(crate) products: Dyadic,
    pub(crate) absolute: Dyadic,
}

impl Amount {
    pub(crate) fn absolute(absolute: Dyadic) -> Amount {
        Amount {
            absolute,
            ..Amount::default()
        }
    }

    pub(crate) fn read(value: &Value, what: &str) -> CheckResult<Amount> {
        let object = Object::open(value, what)?;
        Ok(Amount {
            c: object.dyadic("c")?,
            products: object.dyadic("products")?,
            absolute: object.dyadic("absolute")?,
        })
    }

    /// The magnitude of c, and those of the products, of a set.
    pub(crate) fn size(domain: &Domain, of: &BigUint) -> Amount {
        let one = |has: bool| {
            if has {
                Dyadic::power(0)
            } else {
                Dyadic::default()
            }
        };
        let has_product = of
            .trailing_zeros()
            .is_some_and(|k| k < domain.products as u64);
        Amount {
            c: one(of.bit(domain.products as u64)),
            products: one(has_product),
            absolute: Dyadic::default(),
        }
    }

    fn each(&self, other: &Amount, how: impl Fn(&Dyadic, &Dyadic) -> Dyadic) -> Amount {
        Amount {
            c: how(&self.c, &other.c),
            products: how(&self.products, &other.products),
            absolute: how(&self.absolute, &other.absolute),
        }
    }

    pub(crate) fn plus(&self, other: &Amount) -> Amount {
        self.each(other, Dyadic::plus)
    }

    /// The greater one of each part.
    pub(crate) fn max(&self, other: &Amount) -> Amount {
        self.each(other, |x, y| x.max(y).clone())
    }

    /// The sum of amounts of different products.
    pub(crate) fn joined(&self, other: &Amount) -> Amount {
        Amount {
            products: self.products.clone().max(other.products.clone()),
            ..self.plus(other)
        }
    }

    pub(crate) fn times(&self, factor: &Dyadic) -> Amount {
        self.each(self, |x, _| x.times(factor))
    }

    pub(crate) fn at_least(&self, absolute: Dyadic) -> Amount {
        self.max(&Amount::absolute(absolute))
    }

    pub(crate) fn is_at_most(&self, other: &Amount) -> bool {
        self.c <= other.c && self.products <= other.products && self.absolute <= other.absolute
    }

    /// The amount for the greatest operands as given.
    pub(crate) fn most(&self, domain: &Domain) -> Dyadic {
        let of_c = self.c.times(&domain.most_c);
        let of_products = self.products.times(&domain.most_products);
        of_c.plus(&of_products).plus(&self.absolute)
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Amount {
            c,
            products,
            absolute,
        } = self;
        write!(f, "{c} |c| + {products} p + {absolute}")
    }
}

/// A bound of a value, as long as nothing on the way overflowed.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// A bit for each product of the exact sum, and one for c.
    pub(crate) of: BigUint,
    /// The distance from the exact sum.
    pub(crate) error: Amount,
    /// The magnitude.
    pub(crate) most: Amount,
    /// Two to the power of the exponent by which the value is compared.
    pub(crate) reach: Option<Amount>,
}

impl Bound {
    /// c, or products, without an error.
    pub(crate) fn exact(domain: &Domain, of: BigUint) -> Bound {
        Bound {
            error: Amount::default(),
            most: Amount::size(domain, &of),
            reach: None,
            of,
        }
    }

    /// Two bounds of the magnitude.
    pub(crate) fn magnitudes(&self, domain: &Domain) -> Vec<Amount> {
        let size = Amount::size(domain, &self.of);
        vec![self.most.clone(), self.error.plus(&size)]
    }

    /// The same with this bound of the exponent.
    pub(crate) fn reaching(&self, reach: Amount) -> Bound {
        Bound {
            reach: Some(reach),
            ..self.clone()
        }
    }

    /// The bound of a value that loses at most this, and may grow by it.
    pub(crate) fn lose(&self, lost: &Amount, grows: bool) -> Bound {
        let most = &self.most;
        Bound {
            of: self.of.clone(),
            error: self.error.plus(lost),
            most: if grows { most.plus(lost) } else { most.clone() },
            reach: None,
        }
    }

    /// The bound of a sum; each product and c is of one term alone.
    pub(crate) fn sum(bounds: &[Option<Bound>]) -> Option<Bound> {
        let (mut of, mut error, mut most) =
            (BigUint::default(), Amount::default(), Amount::default());
        for one in bounds {
            let one = one.as_ref()?;
            if &of & &one.of != BigUint::default() {
                return None;
            }
            of |= &one.of;
            error = error.joined(&one.error);
            most = most.joined(&one.most);
        }
        Some(Bound {
            of,
            error,
            most,
            reach: None,
        })
    }
}
