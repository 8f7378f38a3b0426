//! The verdicts on one pair of units. Each domain is searched once, unless its verdict follows from
//! the verdict on a larger or a smaller domain.
//!
//! Inputs on which the two units differ in one domain are tried in every other domain and, followed
//! by products that are +0, at every greater length. A domain inside a domain on which the units
//! agree is not asked about. Effort is counted in turns of searches, so that answers do not depend
//! on the machine.

use super::domains::{DomainPlace, Family, PLACES};
use super::halves::Halves;
use super::known::{AgreementReason, DomainVerdict, LengthVerdicts, PairVerdicts, Verdict, known};
use super::questions::{Effort, PairQuestions};
use super::units::{UnitPair, lengths};
use crate::claims::property::Domain;
use crate::claims::query::QueryError;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_core::machines::model::{Model, ModelError};
use mmasmt_numbers::base::limits::{Limits, Stopped};
use std::collections::HashMap;

/// The most products of a model for which a solver is asked about domains that grow with a number.
const FEW_PRODUCTS: u32 = 4;

/// The parameters of the search of pairs, and the results found so far. Pairs whose units repeat
/// the same operations are searched once.
#[derive(Debug)]
pub struct Atlas {
    /// The numbers of products that are asked about.
    pub wanted: Vec<u32>,
    /// The effort of searches.
    pub effort: Effort,
    found: HashMap<String, PairVerdicts>,
}

impl Atlas {
    /// An atlas without any results.
    pub fn new(wanted: &[u32], effort: Effort) -> Atlas {
        Atlas {
            wanted: wanted.to_vec(),
            effort,
            found: HashMap::new(),
        }
    }

    /// The verdicts on the pair at each of the wanted lengths, as the function [`entry`] finds
    /// them.
    ///
    /// # Errors
    /// Those of the function [`entry`].
    pub fn entry(
        &mut self,
        pair: UnitPair<'_>,
        limits: &Limits,
    ) -> Result<Option<PairVerdicts>, AtlasError> {
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

/// The verdicts on the pair at each of the `wanted` lengths that both units can be repeated to;
/// `None` if the limits stopped the search.
///
/// # Errors
/// If a model cannot be repeated, or a question fails.
pub fn entry(
    pair: UnitPair<'_>,
    wanted: &[u32],
    effort: Effort,
    limits: &Limits,
) -> Result<Option<PairVerdicts>, AtlasError> {
    let mut entry = PairVerdicts {
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
            is_slow: pair.left.is_slow() || pair.right.is_slow(),
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
        entry.lengths.push(LengthVerdicts { products, domains });
    }
    Ok(Some(entry))
}

/// Why there are no verdicts on a pair.
#[derive(Debug, thiserror::Error)]
pub enum AtlasError {
    /// A question fails.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A model cannot be repeated.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The inputs, followed by +0 products up to `products` products.
fn lengthened(inputs: &Inputs, products: u32) -> Inputs {
    let mut inputs = inputs.clone();
    inputs.a.resize(products as usize, 0);
    inputs.b.resize(products as usize, 0);
    inputs
}

/// Domains of one product on which two units agree at some length. They agree there at each greater
/// length too: a greater length adds only zero products, on which the units agree for any `c`.
struct OneProduct {
    products: u32,
    places: Vec<&'static DomainPlace>,
}

impl PairQuestions<'_> {
    fn domains(
        &mut self,
        same: Option<u32>,
        shorter: Option<&OneProduct>,
    ) -> Result<Vec<DomainVerdict>, QueryError> {
        if let Some(products) = same {
            let verdict = Verdict::Agree(AgreementReason::Repeated(products));
            return Ok(vec![known(PLACES[0].name, PLACES[0].assume, verdict)]);
        }
        let mut places: Vec<Option<DomainVerdict>> = Vec::new();
        for place in &PLACES {
            // The domain holds all products but the first at zero; a model of one product has no
            // others.
            if Domain::parse(place.assume, &self.models[0].signature()).is_err() {
                places.push(None);
                continue;
            }
            let larger = place.inside.iter().filter_map(|at| places[*at].as_ref());
            let mut agreeing = larger.filter(|known| known.verdict.agrees());
            let repeated =
                shorter.filter(|one| one.places.iter().any(|one| one.name == place.name));
            let verdict = match (agreeing.next(), repeated) {
                (Some(known), _) => Verdict::Agree(AgreementReason::Inside(known.name.clone())),
                (None, Some(shorter)) => {
                    Verdict::Agree(AgreementReason::RepeatedWithZeros(shorter.products))
                }
                (None, None) => self.searched(place.assume, self.turns(place))?,
            };
            let is_all = place.inside.is_empty() && verdict.agrees();
            places.push(Some(known(place.name, place.assume, verdict)));
            if is_all {
                return Ok(places.into_iter().flatten().collect());
            }
        }
        let mut all: Vec<DomainVerdict> = places.into_iter().flatten().collect();
        for family in Family::ALL {
            all.extend(self.family(family)?);
        }
        // Inputs that were found in one domain may lie in another one that was asked about before.
        for known in &mut all {
            if let Verdict::Unknown(_) = known.verdict
                && let Some(found) = self.differ_on_witnesses(&known.assume)
            {
                known.verdict = found;
            }
        }
        Ok(all)
    }

    /// The verdicts on two domains of a family: the verdict for the greatest n with a proof of
    /// agreement, and the verdict for the next n.
    fn family(&mut self, family: Family) -> Result<Vec<DomainVerdict>, QueryError> {
        let signature = self.models[0].signature();
        let Some([least, most]) = family.range(&signature) else {
            return Ok(Vec::new());
        };
        let mut halves = Halves::new([least, most]);
        // Try the methods without a search first.
        for is_searched in [false, true] {
            if is_searched && self.is_slow {
                halves.leave_open(|n| {
                    let verdict = Verdict::Unknown(Stopped::GaveUp);
                    known(family.name(n), family.assume(n, &signature), verdict)
                });
                break;
            }
            // If no solver is asked, a search cannot prove anything: it only looks for inputs on
            // which the two models differ, in the least domain without a proof.
            let one_by_one = is_searched && !is_solved_in(family, &signature);
            halves.narrow([is_searched, one_by_one], |n| {
                let assume = family.assume(n, &signature);
                let verdict = if is_searched {
                    self.searched_in_family(family, n)?
                } else {
                    self.known(&assume)?
                };
                Ok(Some(known(family.name(n), assume, verdict)))
            })?;
        }
        Ok(halves.found())
    }

    /// The verdict on the domain of a family for `n`, found by a search, which first draws inputs
    /// from the parts of the domain in which sums are greatest.
    fn searched_in_family(&mut self, family: Family, n: i64) -> Result<Verdict, QueryError> {
        let signature = self.models[0].signature();
        for part in family.greatest_sums(n, &signature) {
            let part = self.searched(&part, 0)?;
            if let Verdict::Differ(_) = part {
                return Ok(part);
            }
        }
        let turns = if is_solved_in(family, &signature) {
            self.effort.turns
        } else {
            0
        };
        self.searched(&family.assume(n, &signature), turns)
    }

    /// Whether the two models are proved equal on all inputs, infinities and NaNs included. This is
    /// tried only if they agree on all finite inputs.
    fn is_equal_with_specials(&self, domains: &[DomainVerdict]) -> Result<bool, QueryError> {
        if !domains[0].verdict.agrees() {
            return Ok(false);
        }
        self.is_equal_on_all(None, self.turns(&PLACES[0]))
    }

    /// The domains of one product on which the two models agree; `None` if there are none, or if it
    /// is not proved that the models then agree at each greater length.
    fn one_product(&self, domains: &[DomainVerdict]) -> Result<Option<OneProduct>, QueryError> {
        let agrees = |place: &&DomainPlace| {
            let mut agreeing = domains.iter().filter(|known| known.verdict.agrees());
            place.one_product && agreeing.any(|known| known.name == place.name)
        };
        let places: Vec<_> = PLACES.iter().filter(agrees).collect();
        let Some(first) = places.first() else {
            return Ok(None);
        };
        let signature = self.models[0].signature();
        let Ok(domain) = Domain::parse("a = 0, b = 0", &signature) else {
            return Ok(None);
        };
        let agrees = self.is_equal_on_all(Some(&domain), self.turns(first))?;
        Ok(agrees.then_some(OneProduct {
            products: signature.products,
            places,
        }))
    }
}

/// Whether a solver is asked about domains of the family. For models of 16 products, a turn of
/// searches decided no such domain in ten seconds.
fn is_solved_in(family: Family, signature: &Signature) -> bool {
    signature.products <= FEW_PRODUCTS && family != Family::Below
}
