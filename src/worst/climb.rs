//! The search for operands with a large error: starts, random draws, and small changes of the best.

use super::starts::starts;
use crate::algorithms::Signature;
use crate::limits::Limits;
use crate::measure::{Measure, Quotient, Summer};
use crate::model::Model;
use crate::property::Domain;
use crate::vectors::{Inputs, Sampler};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Products that are evaluated in random draws, and in changes of the best.
const DRAWN: u32 = 400_000;
const CHANGED: u32 = 4_000_000;

/// The largest error that was found.
#[derive(Clone, Debug)]
pub struct Worst {
    /// The operands.
    pub inputs: Inputs,
    /// The register of the result.
    pub d: u64,
    /// The error.
    pub error: Quotient,
    /// How many operands were tried.
    pub tried: u64,
}

/// The operands in `domain` with the largest error of `model` in `measure` that are found within the limits, the same for the same seed:
/// finite ones with normal factors or zeros, and a finite result. None if none were found.
pub fn worst(
    model: &Model,
    measure: Measure,
    domain: &Domain,
    seed: u64,
    limits: &Limits,
) -> Option<Worst> {
    let signature = model.signature();
    let mut search = Search {
        signature,
        simulator: model.simulator(),
        summer: Summer::new(&signature),
        measure,
        domain,
        best: None,
        tried: 0,
    };
    let is_on = || limits.stopped().is_none();
    for inputs in starts(&signature).take_while(|_| is_on()) {
        search.try_one(inputs);
    }
    let draws = DRAWN / (signature.products + 8);
    let mut sampler = Sampler::new(signature, seed);
    for _ in (0..draws).take_while(|_| is_on()) {
        search.try_one(sampler.sample());
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let steps = CHANGED / (signature.products + 8);
    for _ in (0..steps).take_while(|_| is_on()) {
        let Some(best) = &search.best else { break };
        let changed = changed(&signature, &best.inputs, &mut rng);
        search.try_one(changed);
    }
    let tried = search.tried;
    search.best.map(|best| Worst { tried, ..best })
}

struct Search<'x> {
    signature: Signature,
    simulator: crate::model::Simulator<'x>,
    summer: Summer,
    measure: Measure,
    domain: &'x Domain,
    best: Option<Worst>,
    tried: u64,
}

impl Search<'_> {
    fn try_one(&mut self, inputs: Inputs) {
        self.tried += 1;
        let inputs = self.domain.fixed_bits(&inputs);
        if !self.is_wanted(&inputs) {
            return;
        }
        let Some(exact) = self.summer.sum(&inputs) else {
            return;
        };
        let d = self.simulator.run(&inputs);
        let error = self.measure.error(&self.signature.d, d, &exact);
        let Some(error) = error.filter(|error| !error.is_infinite()) else {
            return;
        };
        if self.best.as_ref().is_none_or(|best| best.error < error) {
            self.best = Some(Worst {
                inputs,
                d,
                error,
                tried: 0,
            });
        }
    }

    /// Whether the operands are in the domain, finite, and their factors normal numbers or zeros.
    fn is_wanted(&self, inputs: &Inputs) -> bool {
        let Signature { a, b, .. } = &self.signature;
        let normal = |(format, row): (&crate::float::Format, &[u64])| {
            let least = format.register(format.min_exponent(), 0, false);
            let least = format.magnitude(least);
            row.iter().all(|bits| {
                let magnitude = format.magnitude(*bits);
                magnitude == 0 || magnitude >= least
            })
        };
        inputs.is_finite(&self.signature)
            && [(a, &inputs.a[..]), (b, &inputs.b[..])]
                .into_iter()
                .all(normal)
            && self.domain.contains(inputs)
    }
}

/// One small change: bits of a register, another exponent for some products, two products made alike.
fn changed(signature: &Signature, inputs: &Inputs, rng: &mut impl Rng) -> Inputs {
    let mut other = inputs.clone();
    let count = other.a.len();
    let (k, from) = (rng.random_range(0..count), rng.random_range(0..count));
    let width = |format: &crate::float::Format| format.width();
    match rng.random_range(0..8) {
        0 => other.c ^= 1 << rng.random_range(0..width(&signature.c)),
        1 => (other.a[k], other.b[k]) = (other.a[from], other.b[from]),
        2 => (other.a[k], other.b[k]) = (0, 0),
        3 => other.a[k] ^= 1 << rng.random_range(0..width(&signature.a)),
        4 => other.b[k] ^= 1 << rng.random_range(0..width(&signature.b)),
        5 => {
            // The same change for a run of products.
            let flip = 1 << rng.random_range(0..width(&signature.a));
            let end = rng.random_range(k..=count);
            other.a[k..end].iter_mut().for_each(|a| *a ^= flip);
        }
        6 => {
            let (a, b) = (other.a[from], other.b[from]);
            let end = rng.random_range(k..=count);
            other.a[k..end].fill(a);
            other.b[k..end].fill(b);
        }
        _ => {
            other.a.swap(k, from);
            other.b.swap(k, from);
        }
    }
    other
}
