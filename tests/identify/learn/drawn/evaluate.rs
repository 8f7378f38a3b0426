//! What a drawn unit answers, in integers with a place.

use super::super::numbers::Number::{self, Finite, Infinite, Nan};
use super::super::numbers::{F32, Form, Way, dropped, exact, product, special};
use super::{Drawn, Sum, Term, ZeroSign};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// How far below the last digit the sticky bit lies.
const BELOW: i64 = 64;

/// A value on its way: a number, or an infinity or a NaN.
#[derive(Clone)]
struct Value {
    special: Option<Number>,
    value: BigInt,
    place: i64,
    exponent: i64,
    is_absent: bool,
    all_negative: bool,
    any_negative: bool,
    /// Whether digits were dropped that a sticky bit tells.
    lost: bool,
}

impl Value {
    fn of(number: &Number) -> Value {
        let none = Value {
            special: None,
            value: BigInt::zero(),
            place: 0,
            exponent: 0,
            is_absent: true,
            all_negative: false,
            any_negative: false,
            lost: false,
        };
        match number {
            Nan => Value {
                special: Some(Nan),
                ..none
            },
            Infinite(negative) => Value {
                special: Some(Infinite(*negative)),
                ..none
            },
            Finite {
                negative,
                mantissa,
                place,
                exponent,
            } => Value {
                value: if *negative {
                    -mantissa
                } else {
                    mantissa.clone()
                },
                place: *place,
                exponent: *exponent,
                is_absent: mantissa.is_zero(),
                all_negative: *negative,
                any_negative: *negative,
                ..none
            },
        }
    }
}

impl Drawn {
    /// The result for these operands.
    pub fn answer(&self, a: &[u64], b: &[u64], c: u64) -> u64 {
        let [factor, addend, _] = self.formats;
        let read = |form: Form, bits: u64, flushes: bool| match form.read(bits) {
            Finite {
                negative,
                mantissa,
                place,
                exponent,
            } if flushes && mantissa.bits() as u32 <= form.fraction => Finite {
                negative,
                mantissa: BigInt::zero(),
                place,
                exponent,
            },
            number => number,
        };
        let products = a.iter().zip(b).map(|(x, y)| {
            let [x, y] = [x, y].map(|bits| read(factor, *bits, self.flushes[0]));
            let exact = Value::of(&product(&x, &y));
            match self.rounded {
                None => exact,
                Some(way) => Value::of(&F32.read(self.register(&exact, F32, way, ZeroSign::Ieee))),
            }
        });
        let products: Vec<Value> = products.collect();
        let c = Value::of(&read(addend, c, self.flushes[1]));
        let value = self.value(&self.sum, &products, &c);
        let (form, way) = self.sum.rule.to.unwrap_or((F32, Way::Zero));
        let result = self.register(&value, form, way, self.zero);
        let is_subnormal = result & (form.infinity(false)) == 0;
        match self.flushes_results && is_subnormal {
            true => result & form.sign(true),
            false => result,
        }
    }

    /// A sum before it is rounded.
    fn value(&self, sum: &Sum, products: &[Value], c: &Value) -> Value {
        let terms: Vec<Value> = sum
            .terms
            .iter()
            .map(|term| match term {
                Term::Product(k) => products[*k].clone(),
                Term::C => c.clone(),
                Term::Sum(inner) => {
                    let value = self.value(inner, products, c);
                    match inner.rule.to {
                        None => value,
                        Some((form, way)) => {
                            let mut result = self.register(&value, form, way, self.zero);
                            let is_chain = form == self.formats[2];
                            if is_chain
                                && self.flushes_results
                                && result & form.infinity(false) == 0
                            {
                                result &= form.sign(true);
                            }
                            Value::of(&form.read(result))
                        }
                    }
                }
            })
            .collect();
        let specials: Vec<Number> = terms
            .iter()
            .filter_map(|term| term.special.clone())
            .collect();
        let special = special(&specials);
        let mut all = Value {
            special,
            all_negative: terms.iter().all(|term| term.all_negative),
            any_negative: terms.iter().any(|term| term.any_negative),
            is_absent: terms.iter().all(|term| term.is_absent),
            lost: terms.len() == 1 && terms[0].lost,
            ..Value::of(&Nan)
        };
        let Some(grid) = sum.rule.grid else {
            let numbers: Vec<Number> = terms
                .iter()
                .map(|term| Finite {
                    negative: term.value.is_negative(),
                    mantissa: term.value.abs(),
                    place: term.place,
                    exponent: 0,
                })
                .collect();
            (all.value, all.place) = exact(&numbers);
            return all;
        };
        let present = terms.iter().filter(|term| !term.is_absent);
        let greatest = present.map(|term| term.exponent).chain(grid.least).max();
        let Some(greatest) = greatest else { return all };
        all.is_absent = all.is_absent && grid.least.is_none();
        all.exponent = greatest;
        all.place = greatest - grid.bits;
        for term in &terms {
            let negative = term.value.is_negative();
            let count = all.place - term.place;
            let kept = dropped(negative, &term.value.abs(), count, grid.way);
            if grid.sticky && count > 0 {
                all.lost |= (&kept << count) != term.value.abs();
            }
            all.value += if negative { -kept } else { kept };
        }
        all
    }

    /// The register of a value, rounded.
    fn register(&self, value: &Value, form: Form, way: Way, zero: ZeroSign) -> u64 {
        match &value.special {
            Some(Infinite(negative)) => return form.infinity(*negative),
            Some(_) if self.is_ones => return form.ones(),
            Some(_) => return form.quiet(),
            None => {}
        }
        if value.value.is_zero() {
            let negative = match (zero, way) {
                (ZeroSign::Plus, _) => false,
                (ZeroSign::Ieee, Way::Down) => value.any_negative,
                (ZeroSign::Ieee, _) => value.all_negative,
            };
            return form.sign(negative);
        }
        // What was dropped lies below everything that a format holds.
        let magnitude = (value.value.abs() << BELOW) + u8::from(value.lost);
        let place = value.place - BELOW;
        form.write(value.value.is_negative(), &magnitude, place, way)
    }
}
