//! Samples on the simulators, before a solver is asked: random inputs of the kinds on which models
//! differ.

use super::options::Options;
use super::question::Question;
use super::replay::Replay;
use crate::claims::property::Domain;
use crate::inputs::{Sampler, directed, simplicity};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of products that all samples of a claim have together. Words take some 10 ns for each
/// product, and a property may evaluate its model some ten times.
const SAMPLED_PRODUCTS: u32 = 600_000;

/// The greatest number of operands that are drawn again to fit a domain, at some microseconds each.
const DRAWN_OPERANDS: u32 = 12_000;

/// How many times fewer samples are drawn of rare kinds than of common kinds.
const RARENESS: u32 = 12;

/// The greatest number of inputs with a few great and a few small products that are drawn.
const MOST_GREAT_AND_LOW: u32 = 1500;

/// This number, divided by how many times slower than words the models are, is another limit of the
/// inputs with a few great and a few small products.
const GREAT_AND_LOW: u32 = 10_000;

/// A sample, moved into the domain, that answers the question: the simplest one if simple inputs
/// are wanted, else the first. `times` multiplies the number of samples; if it is above 1, some
/// samples are of kinds that tell few models apart.
pub fn sampled(
    question: &Question,
    options: &Options,
    times: u32,
    limits: &Limits,
    replay: &mut Replay<'_>,
) -> Option<Inputs> {
    let signature = question.signature();
    let slowness = replay.slowness();
    let products = times * SAMPLED_PRODUCTS / replay.models();
    let tries = products / (signature.products + 12) / slowness;
    let [mut common, mut rare] = [(); 2].map(|()| Sampler::new(signature, options.seed));
    let rare_tries = if times > 1 { tries / RARENESS } else { 0 };
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut draws = times * DRAWN_OPERANDS / (2 * signature.products + 1);
    let mut found = (0..tries)
        .map(|_| common.sample())
        .chain((0..rare_tries).map(|_| rare.rare()))
        .take_while(|_| limits.stopped().is_none())
        .map(|inputs| brought(question.domain(), inputs, &mut draws, &mut rng))
        .filter(|inputs| replay.is_met(inputs));
    let drawn = match options.minimise {
        None => found.next(),
        Some(_) => found.min_by_key(|inputs| simplicity(&signature, inputs)),
    };
    drawn.or_else(|| {
        let tries = (GREAT_AND_LOW / slowness).min(MOST_GREAT_AND_LOW);
        let mut others =
            inside(question, options.seed, tries).take_while(|_| limits.stopped().is_none());
        others.find(|inputs| replay.is_met(inputs))
    })
}

/// Directed inputs, which random draws rarely give, moved into the question's domain. Inputs that
/// are then still outside of the domain are left out.
fn inside(question: &Question, seed: u64, tries: u32) -> impl Iterator<Item = Inputs> {
    let domain = question.domain();
    let range = |operand: usize| domain.range(operand).clone();
    let all = directed(question.signature(), range, seed, tries);
    let fixed = all.map(|inputs| domain.fixed_bits(&inputs));
    fixed.filter(|inputs| domain.contains(inputs))
}

/// The inputs moved into the domain. As long as `draws` are left, operands that are still outside
/// of the domain are drawn again, since random operands are rarely integers between limits.
fn brought(domain: &Domain, inputs: Inputs, draws: &mut u32, rng: &mut impl Rng) -> Inputs {
    let fixed = domain.fixed_bits(&inputs);
    if *draws == 0 || domain.contains(&fixed) {
        return fixed;
    }
    *draws -= 1;
    domain.place(inputs, rng).unwrap_or(fixed)
}
