//! Inputs with few terms that are not zero, at any places: what one step of a sum does is seen in
//! them apart from the others.

use super::cancel::{minus, mirror};
use super::close::{centre, split};
use super::encodings::{near, number};
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::{Dyadic, Format};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The greatest distance between the exponents of two terms, in binary places.
const FARTHEST: i32 = 45;

/// How often distances are drawn from all that the formats have.
const WHOLE: f64 = 0.15;

/// How far a distance may be from one at which summands are lost.
const AROUND: i32 = 4;

/// The greatest exponent of a term that the result has as well, and the distance from it to the least
/// exponent of a product.
fn whole(signature: &Signature) -> (i32, i32) {
    let Signature { a, b, d, .. } = signature;
    let top = (a.max_exponent() + b.max_exponent()).min(d.max_exponent());
    let least = |format: &Format| format.min_exponent() - format.fraction_bits as i32;
    (top, (top - least(a) - least(b)).max(0))
}

/// A generator of inputs with few terms; the same seed draws the same inputs.
pub struct FewTerms {
    signature: Signature,
    rng: ChaCha8Rng,
}

impl FewTerms {
    /// A generator for dot-adds of this signature.
    pub fn new(signature: Signature, seed: u64) -> Self {
        FewTerms {
            signature,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Inputs in which at most `count` terms are finite numbers other than zero. The first term is
    /// the greatest. From three terms on, the second one usually cancels the first one.
    pub fn draw(&mut self, count: usize) -> Inputs {
        let signature = self.signature;
        let mut inputs = Inputs::zero(&signature);
        let (top, farthest) = match self.rng.random_bool(WHOLE) {
            true => whole(&signature),
            false => (centre(&signature, &mut self.rng), FARTHEST),
        };
        let places = self.places(count);
        let cancels = count > 2 && self.rng.random_bool(0.8);
        for (at, &place) in places.iter().enumerate() {
            match at {
                0 => self.put(&mut inputs, place, top),
                1 if cancels => self.cancel(&mut inputs, [places[0], place]),
                _ => {
                    let below = self.rng.random_range(0..=farthest);
                    self.put(&mut inputs, place, top - below);
                }
            }
        }
        inputs
    }

    /// Inputs in which the terms at these places are finite numbers, and all others are zero. The
    /// first one is the greatest; with `cancels` the second one cancels it. The others lie below at a
    /// distance near one of `edges`, or at any. Where `is_short` holds, a factor has at most two
    /// significant bits, so that most sums hold the term.
    pub fn draw_at(&mut self, places: &[(usize, bool)], cancels: bool, edges: &[i64]) -> Inputs {
        let signature = self.signature;
        let mut inputs = Inputs::zero(&signature);
        let top = centre(&signature, &mut self.rng);
        for (at, &(place, is_short)) in places.iter().enumerate() {
            let far = match edges.choose(&mut self.rng) {
                Some(&edge) if self.rng.random_bool(0.7) => {
                    edge as i32 + self.rng.random_range(-AROUND..=AROUND)
                }
                _ => self.rng.random_range(0..=FARTHEST),
            };
            match at {
                0 => self.put(&mut inputs, place, top),
                1 if cancels => self.cancel(&mut inputs, [places[0].0, place]),
                _ => self.put(&mut inputs, place, top - far.max(0)),
            }
            if is_short && !(at == 1 && cancels) {
                self.shorten(&mut inputs, place);
            }
        }
        inputs
    }

    /// Leaves a term at most two significant bits of each factor.
    fn shorten(&self, inputs: &mut Inputs, place: usize) {
        let short = |format: &Format, bits: u64| {
            let dropped = format.fraction_bits.saturating_sub(1);
            bits >> dropped << dropped
        };
        let Signature { a, b, c, .. } = self.signature;
        if place == inputs.a.len() {
            inputs.c = short(&c, inputs.c);
        } else {
            inputs.a[place] = short(&a, inputs.a[place]);
            inputs.b[place] = short(&b, inputs.b[place]);
        }
    }

    /// Different places: products by their numbers, and `c` as the number of products. Half of the
    /// time they are neighbours.
    fn places(&mut self, count: usize) -> Vec<usize> {
        let all = self.signature.products as usize + 1;
        let first = self.rng.random_range(0..all);
        let neighbours = self.rng.random_bool(0.5);
        let mut places = vec![first];
        while places.len() < count.min(all) {
            let next = match neighbours {
                true => (places[places.len() - 1] + 1) % all,
                false => self.rng.random_range(0..all),
            };
            if !places.contains(&next) {
                places.push(next);
            }
        }
        places
    }

    /// Sets a term to a number near `2^exponent`.
    fn put(&mut self, inputs: &mut Inputs, place: usize, exponent: i32) {
        let Signature { a, b, c, .. } = self.signature;
        let rng = &mut self.rng;
        if place == inputs.a.len() {
            inputs.c = match rng.random() {
                true => near(rng, &c, exponent),
                false => number(rng, &c, exponent),
            };
            return;
        }
        let (for_a, for_b) = split(&self.signature, rng, exponent);
        inputs.a[place] = number(rng, &a, for_a);
        inputs.b[place] = number(rng, &b, for_b);
    }

    /// Sets the second of two places to the negative of the first, as far as its format has it.
    fn cancel(&mut self, inputs: &mut Inputs, [from, to]: [usize; 2]) {
        let (signature, products) = (self.signature, inputs.a.len());
        if to == products {
            inputs.c = minus(&signature, inputs, from..from + 1);
        } else if from < products {
            mirror(&signature, &mut self.rng, inputs, from, to);
        } else {
            // `c` is made to cancel a product of its magnitude.
            let greatest = Dyadic::of(&signature.c, inputs.c);
            let exponent = greatest.and_then(|value| value.leading_exponent());
            self.put(inputs, to, exponent.map_or(0, |exponent| exponent as i32));
            inputs.c = minus(&signature, inputs, to..to + 1);
        }
    }
}
