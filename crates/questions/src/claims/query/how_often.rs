//! How often a claim fails on random operands.

use super::enumerate::each_difference;
use super::interval::confidence;
use crate::claims::property::Claim;
use crate::inputs::{DrawnDistribution, MOST_DRAWN};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_numbers::base::limits::Limits;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use thiserror::Error;

/// The number of operands in a block. A thread draws a whole block, and each block has random numbers
/// of its own.
const BLOCK: u64 = 256;

/// How often operands violate a claim; for a claim that some operands exist, how often they are such.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledShare {
    /// The number of operands that do.
    pub cases: u64,
    /// The number of operands of the domain that were drawn.
    pub count: u64,
    /// The limits of the share with 95 % confidence.
    pub interval: [f64; 2],
    /// The first operands that do.
    pub first: Option<Inputs>,
}

/// Why a share is not known.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShareError {
    /// The distribution hardly has any operands of the domain.
    #[error(
        "expected assumptions that one in {MOST_DRAWN} drawn numbers meets, found none for an operand of `{domain}`: draw other numbers"
    )]
    Rare {
        /// The domain.
        domain: String,
    },
    /// The domain has many inputs, or the registers of an operand are too many to be tried.
    #[error(
        "expected a domain of at most 2^32 inputs that can be listed, found `{domain}`: assume more of its operands, or draw a number of them"
    )]
    Many {
        /// The domain.
        domain: String,
    },
    /// Integers have no such distribution.
    #[error("expected operands that are floating-point numbers, or registers, found {signature}")]
    Integers {
        /// The operands.
        signature: String,
    },
    /// A limit was reached.
    #[error("a limit was reached before all operands were drawn")]
    Stopped,
}

/// The share of operands that violate `claim`, among `count` operands of its domain: each operand is
/// drawn until the domain admits it. The share is the same for the same seed, whatever the number of
/// threads.
///
/// # Errors
/// If hardly any operands drawn are in the domain, or a limit is reached.
pub fn share(
    claim: &Claim,
    distribution: DrawnDistribution,
    count: u64,
    seed: u64,
    limits: &Limits,
) -> Result<SampledShare, ShareError> {
    let signature = claim.model.signature();
    if signature.is_integer() && distribution != DrawnDistribution::Registers {
        let signature = signature.to_string();
        return Err(ShareError::Integers { signature });
    }
    let blocks = (0..count.div_ceil(BLOCK)).into_par_iter().map(|block| {
        let drawn = BLOCK.min(count - block * BLOCK);
        let found = limits.run(|| of_block(claim, distribution, drawn, [seed, block], limits));
        let (cases, first) = found.unwrap_or(Err(ShareError::Stopped))?;
        Ok((cases, first.map(|first| (block, first))))
    });
    let none = || Ok((0, None));
    let (cases, first) = blocks
        .try_reduce_with(|x, y| Ok(joined(x, y)))
        .unwrap_or_else(none)?;
    Ok(SampledShare {
        cases,
        count,
        interval: confidence(cases, count),
        first: first.map(|(_, inputs)| inputs),
    })
}

/// The number of inputs of a claim's domain that violate it, counted: every one of them is tried.
///
/// # Errors
/// If the domain has more than 2^32 inputs, or a limit is reached.
pub fn counted(claim: &Claim, limits: &Limits) -> Result<SampledShare, ShareError> {
    let many = || ShareError::Many {
        domain: claim.domain.to_string(),
    };
    let listed = claim.domain.listed(MOST_COUNTED, false).ok_or_else(many)?;
    let count = listed.count();
    let compared = claim.property.compared(&claim.model);
    let of_share = |share: u64| {
        let numbers = share * SHARE..count.min((share + 1) * SHARE);
        let (mut cases, mut first) = (0, None);
        let mut add = |number: u64| {
            cases += 1;
            first.get_or_insert(number);
            true
        };
        match compared {
            Some(pair) => each_difference(&[pair], &listed, numbers, limits, add),
            None => numbers.into_iter().try_for_each(|number| {
                if claim.is_refuted_by(&listed.input(number)) {
                    add(number);
                }
                limits.stopped().is_none().then_some(())
            }),
        }?;
        Some((cases, first.map(|first| (share, listed.input(first)))))
    };
    let shares = (0..count.div_ceil(SHARE)).into_par_iter().map(|share| {
        let found = limits.run(|| of_share(share));
        found.ok().flatten().ok_or(ShareError::Stopped)
    });
    let none = || Ok((0, None));
    let (cases, first) = shares
        .try_reduce_with(|x, y| Ok(joined(x, y)))
        .unwrap_or_else(none)?;
    Ok(SampledShare {
        cases,
        count,
        interval: [cases as f64 / count as f64; 2],
        first: first.map(|(_, inputs)| inputs),
    })
}

/// The most inputs that are counted, and those of a thread at a time.
const MOST_COUNTED: u64 = 1 << 32;
const SHARE: u64 = 1 << 24;

/// The cases of some blocks, and the first of these, with its block.
type Cases = (u64, Option<(u64, Inputs)>);

fn joined(x: Cases, y: Cases) -> Cases {
    let first = [x.1, y.1].into_iter().flatten();
    (x.0 + y.0, first.min_by_key(|(block, _)| *block))
}

fn of_block(
    claim: &Claim,
    distribution: DrawnDistribution,
    count: u64,
    [seed, block]: [u64; 2],
    limits: &Limits,
) -> Result<(u64, Option<Inputs>), ShareError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(block);
    let (mut cases, mut first) = (0, None);
    for _ in 0..count {
        if limits.stopped().is_some() {
            return Err(ShareError::Stopped);
        }
        let drawn = claim.domain.drawn(MOST_DRAWN, |_, format| {
            distribution.number(format, &mut rng)
        });
        let inputs = drawn.ok_or_else(|| ShareError::Rare {
            domain: claim.domain.to_string(),
        })?;
        if claim.is_refuted_by(&inputs) {
            cases += 1;
            first = first.or(Some(inputs));
        }
    }
    Ok((cases, first))
}
