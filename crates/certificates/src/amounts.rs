//! Amounts: bounds of magnitudes by that of c and by the sum of the magnitudes of products.

use crate::Fails;
use crate::domain::Domain;
use crate::dyadic::Dyadic;
use crate::json::Object;
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

    pub(crate) fn read(value: &Value, what: &str) -> Fails<Amount> {
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

/// Bounds of a value, as long as nothing on the way overflowed. Each of those in a list holds.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// A bit for each product of the exact sum, and one for c.
    pub(crate) of: BigUint,
    /// The distance from the exact sum.
    pub(crate) errors: Vec<Amount>,
    /// The magnitude.
    pub(crate) mosts: Vec<Amount>,
    /// Two to the power of the exponent by which the value is compared.
    pub(crate) reaches: Vec<Amount>,
}

impl Bound {
    /// c, or products, without an error.
    pub(crate) fn exact(domain: &Domain, of: BigUint) -> Bound {
        Bound {
            errors: vec![Amount::default()],
            mosts: vec![Amount::size(domain, &of)],
            reaches: Vec::new(),
            of,
        }
    }

    /// The first bounds of the error and of the magnitude; no rule leaves them out.
    pub(crate) fn first(&self) -> Option<(&Amount, &Amount)> {
        self.errors.first().zip(self.mosts.first())
    }

    /// All bounds of the magnitude.
    pub(crate) fn magnitudes(&self, domain: &Domain) -> Vec<Amount> {
        let size = Amount::size(domain, &self.of);
        let of_errors = self.errors.iter().map(|error| error.plus(&size));
        self.mosts.iter().cloned().chain(of_errors).collect()
    }

    /// The bound of a sum; each product and c is of one term alone.
    pub(crate) fn sum(bounds: impl Iterator<Item = Option<Bound>>) -> Option<Bound> {
        let (mut of, mut error, mut most) =
            (BigUint::default(), Amount::default(), Amount::default());
        for one in bounds {
            let one = one?;
            let (own_error, own_most) = one.first()?;
            if &of & &one.of != BigUint::default() {
                return None;
            }
            error = error.joined(own_error);
            most = most.joined(own_most);
            of |= one.of;
        }
        Some(Bound {
            of,
            errors: vec![error],
            mosts: vec![most],
            reaches: Vec::new(),
        })
    }
}
