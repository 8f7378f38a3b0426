//! What is known of one pair: each domain once, what follows from a larger or a smaller one not again.
//!
//! Inputs on which the two differ in one domain are tried in every other one and, with products that are +0 behind them, at every
//! greater length; a domain inside one on which they agree is not asked about. Effort is counted in turns of searches, so that answers do not
//! depend on the machine.

use super::domains::{Family, PLACES, is_of_one_product};
use super::known::{AtLength, Entry, Known, Reason, Verdict};
use super::questions::{Effort, PairQuestions};
use super::units::{Pair, lengths};
use crate::claims::property::Domain;
use crate::claims::query::QueryError;
use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use mmasmt_core::machines::model::{Model, ModelError};
use std::collections::HashMap;

/// The most products of a model of which a solver is asked about the domains of families.
const FEW_PRODUCTS: u32 = 4;

/// How pairs are searched, and what was found: units that repeat the same operations are searched once.
#[derive(Debug)]
pub struct Atlas {
    /// The numbers of products that are asked about.
    pub wanted: Vec<u32>,
    /// How hard to search.
    pub effort: Effort,
    found: HashMap<String, Entry>,
}

impl Atlas {
    /// An atlas that knows nothing yet.
    pub fn new(wanted: &[u32], effort: Effort) -> Atlas {
        Atlas {
            wanted: wanted.to_vec(),
            effort,
            found: HashMap::new(),
        }
    }

    /// What is known of the pair at each of the wanted lengths, as [`entry`] finds it.
    ///
    /// # Errors
    /// As [`entry`].
    pub fn entry(&mut self, pair: Pair<'_>, limits: &Limits) -> Result<Option<Entry>, AtlasError> {
        let lengths = lengths(pair, &self.wanted);
        let operations = [pair.left.repeats()?, pair.right.repeats()?];
        let [left, right] = operations.each_ref().map(Model::canonical);
        let key = format!("{left} and {right} at {lengths:?}");
        if let Some(entry) = self.found.get(&key) {
            return Ok(Some(entry.clone()));
        }
        let entry = entry(pair, &self.wanted, self.effort, limits)?;
        if let Some(entry) = &entry {
            self.found.insert(key, entry.clone());
        }
        Ok(entry)
    }
}

/// What is known of the pair at each of the `wanted` lengths that both can be repeated to; nothing if the limits stopped it.
///
/// # Errors
/// If a model cannot be repeated, or a question fails.
pub fn entry(
    pair: Pair<'_>,
    wanted: &[u32],
    effort: Effort,
    limits: &Limits,
) -> Result<Option<Entry>, AtlasError> {
    let mut entry = Entry {
        lengths: Vec::new(),
    };
    let mut witnesses: Vec<Inputs> = Vec::new();
    let mut same: Option<u32> = None;
    let mut one_product: Option<OneProduct> = None;
    for products in lengths(pair, wanted) {
        let models = [
            pair.left.of_length(products)?,
            pair.right.of_length(products)?,
        ];
        let mut search = PairQuestions {
            models: &models,
            effort,
            limits,
            is_shortest: entry.lengths.is_empty(),
            witnesses: witnesses
                .iter()
                .map(|inputs| lengthened(inputs, products))
                .collect(),
        };
        let domains = search.domains(same, one_product.as_ref())?;
        if limits.stopped().is_some() {
            return Ok(None);
        }
        if same.is_none() && search.is_equal_with_specials(&domains)? {
            same = Some(products);
        }
        if one_product.is_none() && same.is_none() {
            one_product = search.one_product(&domains)?;
        }
        witnesses = search.witnesses;
        entry.lengths.push(AtLength { products, domains });
    }
    Ok(Some(entry))
}

/// Why nothing is known of a pair.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// A question fails.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A model cannot be repeated.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The inputs with products that are +0 behind them.
fn lengthened(inputs: &Inputs, products: u32) -> Inputs {
    let mut inputs = inputs.clone();
    inputs.a.resize(products as usize, 0);
    inputs.b.resize(products as usize, 0);
    inputs
}

/// Domains of one product on which two units agree at some length, so that they do at each greater one: what comes after the first
/// operation has products that are zero, and on these they agree whatever `c` is.
struct OneProduct {
    products: u32,
    /// As `--assume` takes them.
    domains: Vec<String>,
}

impl PairQuestions<'_> {
    fn domains(
        &mut self,
        same: Option<u32>,
        shorter: Option<&OneProduct>,
    ) -> Result<Vec<Known>, QueryError> {
        if let Some(products) = same {
            let verdict = Verdict::Agree(Reason::Repeated(products));
            return Ok(vec![known(PLACES[0].name.into(), String::new(), verdict)]);
        }
        let mut places: Vec<Option<Known>> = Vec::new();
        for place in &PLACES {
            // A model of one product has no others that could be zero.
            if Domain::parse(place.assume, &self.models[0].signature()).is_err() {
                places.push(None);
                continue;
            }
            let larger = place.inside.iter().filter_map(|at| places[*at].as_ref());
            let mut agreeing = larger.filter(|known| known.verdict.agrees());
            let repeated = shorter.filter(|one| one.domains.iter().any(|one| one == place.assume));
            let verdict = match (agreeing.next(), repeated) {
                (Some(known), _) => Verdict::Agree(Reason::Inside(known.name.clone())),
                (None, Some(shorter)) => {
                    Verdict::Agree(Reason::RepeatedWithZeros(shorter.products))
                }
                (None, None) => self.searched(place.assume, self.turns(place.assume))?,
            };
            let is_all = place.inside.is_empty() && verdict.agrees();
            places.push(Some(known(place.name.into(), place.assume.into(), verdict)));
            if is_all {
                return Ok(places.into_iter().flatten().collect());
            }
        }
        let mut all: Vec<Known> = places.into_iter().flatten().collect();
        for family in Family::ALL {
            all.extend(self.family(family)?);
        }
        Ok(all)
    }

    /// The greatest n with a proof, and the next one, which has none.
    fn family(&mut self, family: Family) -> Result<Vec<Known>, QueryError> {
        let signature = self.models[0].signature();
        let Some([least, most]) = family.range(&signature) else {
            return Ok(Vec::new());
        };
        // What holds for some n holds for all that are smaller: halves are asked, first what costs nothing.
        let (mut low, mut high) = (least - 1, most + 1);
        let (mut holds, mut fails) = (None, None);
        for is_searched in [false, true] {
            let (mut below, mut above) = (low, high);
            while above - below > 1 {
                // Where a search proves nothing, it is for inputs on which they differ, in the least domain without a proof.
                let n = match is_searched && !is_solved_in(family, &signature) {
                    true => below + 1,
                    false => below + (above - below) / 2,
                };
                let assume = family.assume(n, &signature);
                let verdict = match is_searched {
                    true => self.searched_in_family(family, n)?,
                    false => self.known(&assume)?,
                };
                let known = known(family.name(n), assume, verdict);
                match known.verdict {
                    Verdict::Agree(_) => (below, low, holds) = (n, n, Some(known)),
                    Verdict::Differ(_) => (above, high, fails) = (n, n, Some(known)),
                    Verdict::Unknown(_) if is_searched => {
                        (above, high, fails) = (n, n, Some(known))
                    }
                    // Nothing is known without a search: what is proved without one is below.
                    Verdict::Unknown(_) => above = n,
                }
            }
        }
        Ok(holds.into_iter().chain(fails).collect())
    }

    /// What a search finds in one domain of a family, drawn first where sums are greatest.
    fn searched_in_family(&mut self, family: Family, n: i64) -> Result<Verdict, QueryError> {
        let signature = self.models[0].signature();
        for part in family.greatest_sums(n, &signature) {
            let part = self.searched(&part, 0)?;
            if let Verdict::Differ(_) = part {
                return Ok(part);
            }
        }
        let turns = match is_solved_in(family, &signature) {
            true => self.effort.turns,
            false => 0,
        };
        self.searched(&family.assume(n, &signature), turns)
    }

    /// Whether they are proved equal on all inputs, if they are on all finite ones.
    fn is_equal_with_specials(&self, domains: &[Known]) -> Result<bool, QueryError> {
        if !domains[0].verdict.agrees() {
            return Ok(false);
        }
        self.is_equal_on_all(None, self.turns(""))
    }

    /// The domains of one product on which they agree, if that holds at each greater length.
    fn one_product(&self, domains: &[Known]) -> Result<Option<OneProduct>, QueryError> {
        let agreeing = domains
            .iter()
            .filter(|known| known.verdict.agrees() && is_of_one_product(&known.assume));
        let agreeing: Vec<String> = agreeing.map(|known| known.assume.clone()).collect();
        let Some(first) = agreeing.first() else {
            return Ok(None);
        };
        let signature = self.models[0].signature();
        let Ok(domain) = Domain::parse("a = 0, b = 0", &signature) else {
            return Ok(None);
        };
        let agrees = self.is_equal_on_all(Some(&domain), self.turns(first))?;
        Ok(agrees.then_some(OneProduct {
            products: signature.products,
            domains: agreeing,
        }))
    }
}

/// Whether a solver is asked about domains of the family: of 16 products a turn of searches decided none of these in ten seconds.
fn is_solved_in(family: Family, signature: &Signature) -> bool {
    signature.products <= FEW_PRODUCTS && family != Family::Below
}

fn known(name: String, assume: String, verdict: Verdict) -> Known {
    Known {
        name,
        assume,
        verdict,
    }
}
