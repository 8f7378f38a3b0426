//! Amounts: bounds of magnitudes by that of c and by the sum of the magnitudes of products.

use crate::Fails;
use crate::atoms::Scaled;
use crate::domain::Domain;
use crate::dyadic::Dyadic;
use crate::json::{Object, dyadic};
use crate::places::Places;
use serde_json::Value;

/// At most `c * |c| + products * P + absolute`.
#[derive(Clone, Debug)]
pub(crate) struct Amount {
    pub(crate) c: Dyadic,
    pub(crate) products: Dyadic,
    pub(crate) absolute: Dyadic,
}

impl Amount {
    pub(crate) fn none() -> Amount {
        Amount::absolute(Dyadic::zero())
    }

    pub(crate) fn absolute(absolute: Dyadic) -> Amount {
        Amount {
            c: Dyadic::zero(),
            products: Dyadic::zero(),
            absolute,
        }
    }

    /// |c| and P themselves.
    pub(crate) fn size(has_c: bool, has_products: bool) -> Amount {
        let of = |has: bool| {
            if has {
                Dyadic::power(0)
            } else {
                Dyadic::zero()
            }
        };
        Amount {
            c: of(has_c),
            products: of(has_products),
            absolute: Dyadic::zero(),
        }
    }

    pub(crate) fn read(value: &Value, what: &str) -> Fails<Amount> {
        let object = Object::of(value, &["c", "products", "absolute"], what)?;
        Ok(Amount {
            c: dyadic(object.get("c")?, "c")?,
            products: dyadic(object.get("products")?, "products")?,
            absolute: dyadic(object.get("absolute")?, "absolute")?,
        })
    }

    pub(crate) fn plus(&self, other: &Amount) -> Amount {
        Amount {
            c: self.c.plus(&other.c),
            products: self.products.plus(&other.products),
            absolute: self.absolute.plus(&other.absolute),
        }
    }

    pub(crate) fn times(&self, factor: &Dyadic) -> Amount {
        Amount {
            c: self.c.times(factor),
            products: self.products.times(factor),
            absolute: self.absolute.times(factor),
        }
    }

    pub(crate) fn at_least(self, absolute: Dyadic) -> Amount {
        Amount {
            absolute: self.absolute.max(absolute),
            ..self
        }
    }

    /// The greatest of each part.
    pub(crate) fn greatest<'a>(all: impl Iterator<Item = &'a Amount>) -> Amount {
        all.fold(Amount::none(), |most, one| Amount {
            c: most.c.max(one.c.clone()),
            products: most.products.max(one.products.clone()),
            absolute: most.absolute.max(one.absolute.clone()),
        })
    }

    /// The sum of amounts of different products.
    pub(crate) fn joined<'a>(all: impl Iterator<Item = &'a Amount>) -> Amount {
        all.fold(Amount::none(), |sum, one| Amount {
            c: sum.c.plus(&one.c),
            products: sum.products.max(one.products.clone()),
            absolute: sum.absolute.plus(&one.absolute),
        })
    }

    /// The amount for the greatest operands as given.
    pub(crate) fn most(&self, domain: &Domain, scaled: Scaled) -> Dyadic {
        let of_products = self.products.times(&domain.most_products[scaled as usize]);
        self.c
            .times(&domain.most_c)
            .plus(&of_products)
            .plus(&self.absolute)
    }

    /// Whether it is at most another one for all operands as given.
    pub(crate) fn is_at_most(&self, other: &Amount, domain: &Domain, scaled: Scaled) -> bool {
        let more = |own: &Dyadic, claimed: &Dyadic, most: &Dyadic| {
            let more = own.minus(claimed);
            if more.is_negative() {
                Dyadic::zero()
            } else {
                more.times(most)
            }
        };
        let of_products = more(
            &self.products,
            &other.products,
            &domain.most_products[scaled as usize],
        );
        let more = more(&self.c, &other.c, &domain.most_c).plus(&of_products);
        self.absolute.plus(&more) <= other.absolute
    }
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} |c| + {} P + {}",
            self.c, self.products, self.absolute
        )
    }
}

/// A bound: of several in a list, each holds.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) has_c: bool,
    pub(crate) products: Places,
    pub(crate) scaled: Scaled,
    /// The distance from the exact sum.
    pub(crate) errors: Vec<Amount>,
    /// The magnitude.
    pub(crate) mosts: Vec<Amount>,
    /// Two to the power of the exponent by which the value is compared.
    pub(crate) reaches: Vec<Amount>,
    pub(crate) sticky: bool,
}

impl Bound {
    /// The magnitude of c, or nothing: without an error.
    pub(crate) fn exact(has_c: bool) -> Bound {
        Bound {
            has_c,
            products: Places::none(),
            scaled: Scaled::Yes,
            errors: vec![Amount::none()],
            mosts: vec![Amount::size(has_c, false)],
            reaches: Vec::new(),
            sticky: false,
        }
    }

    pub(crate) fn size(&self) -> Amount {
        Amount::size(self.has_c, !self.products.is_empty())
    }

    /// All bounds of the magnitude.
    pub(crate) fn magnitudes(&self) -> Vec<Amount> {
        let of_errors = self.errors.iter().map(|error| error.plus(&self.size()));
        self.mosts.iter().cloned().chain(of_errors).collect()
    }

    /// The first bound of the error, and of the magnitude.
    pub(crate) fn first(&self) -> Fails<(&Amount, &Amount)> {
        self.errors
            .first()
            .zip(self.mosts.first())
            .ok_or_else(|| "nothing is known of an error".into())
    }

    /// The bound of a sum; each product and c is of one term alone.
    pub(crate) fn together<'b>(bounds: impl Iterator<Item = Option<&'b Bound>>) -> Option<Bound> {
        let all: Vec<&Bound> = bounds.collect::<Option<_>>()?;
        let (mut seen, mut has_c, mut scaled) = (Places::none(), false, None);
        for one in &all {
            if !seen.is_apart(&one.products) || has_c && one.has_c {
                return None;
            }
            seen.join(&one.products);
            has_c |= one.has_c;
            if !one.products.is_empty() {
                if scaled.is_some_and(|scaled| scaled != one.scaled) {
                    return None;
                }
                scaled = Some(one.scaled);
            }
        }
        let firsts: Vec<(&Amount, &Amount)> = all
            .iter()
            .map(|one| one.first().ok())
            .collect::<Option<_>>()?;
        Some(Bound {
            has_c,
            products: seen,
            scaled: scaled.unwrap_or(Scaled::Yes),
            errors: vec![Amount::joined(firsts.iter().map(|(error, _)| *error))],
            mosts: vec![Amount::joined(firsts.iter().map(|(_, most)| *most))],
            reaches: Vec::new(),
            sticky: false,
        })
    }
}
