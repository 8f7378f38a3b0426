//! Inputs for a search, all of a domain: drawn ones, and ones near others.

use crate::claims::property::Domain;
use crate::inputs::{Interface, SeparatingDraws};
use mmasmt_core::machines::algorithms::Inputs;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Where a search has its inputs from.
pub trait InputSource {
    /// The next inputs; `None` if these are not wanted, where later ones may be.
    fn draw(&mut self) -> Option<Inputs>;
    /// Inputs near `inputs`; the same ones if those that were tried are not wanted.
    fn near(&mut self, inputs: &Inputs) -> Inputs;
}

impl InputSource for SeparatingDraws {
    fn draw(&mut self) -> Option<Inputs> {
        Some(self.draw())
    }

    fn near(&mut self, inputs: &Inputs) -> Inputs {
        self.near(inputs)
    }
}

/// Inputs that may tell models apart, moved into a domain.
pub(super) struct DomainDraws<'d> {
    draws: SeparatingDraws,
    /// `None` for all inputs.
    domain: Option<&'d Domain>,
    interface: Interface,
    specials: bool,
    rng: ChaCha8Rng,
}

/// How many inputs near others are tried, of which the domain may admit none.
const NEAR: usize = 8;

impl<'d> DomainDraws<'d> {
    /// Draws inputs of these operands in `domain`; they contain infinities and NaNs only if
    /// `specials` holds.
    pub fn new(
        interface: Interface,
        domain: Option<&'d Domain>,
        specials: bool,
        seed: u64,
    ) -> Self {
        DomainDraws {
            draws: SeparatingDraws::new(interface, specials, seed),
            domain,
            interface,
            specials,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The inputs moved into the domain; `None` if what is moved is still outside.
    fn placed(&mut self, inputs: Inputs) -> Option<Inputs> {
        let Some(domain) = self.domain else {
            return Some(inputs);
        };
        let inputs = domain.place(inputs, &mut self.rng).ok()?;
        let inputs = self.interface.taken(inputs);
        let is_wanted = self.specials || inputs.is_finite(&self.interface.signature);
        (is_wanted && domain.contains(&inputs)).then_some(inputs)
    }
}

impl InputSource for DomainDraws<'_> {
    fn draw(&mut self) -> Option<Inputs> {
        let drawn = self.draws.draw();
        self.placed(drawn)
    }

    fn near(&mut self, inputs: &Inputs) -> Inputs {
        let near = (0..NEAR).find_map(|_| {
            let near = self.draws.near(inputs);
            self.placed(near).filter(|near| near != inputs)
        });
        near.unwrap_or_else(|| inputs.clone())
    }
}
