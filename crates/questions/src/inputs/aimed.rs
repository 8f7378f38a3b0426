//! Inputs whose sums lie where the steps of a unit decide.

use super::draw::at_targets;
use super::interface::Interface;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::descriptions::{Action, Program, Round};
use mmasmt_core::machines::model::Model;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Draws inputs of a model whose sums lie at the places that its steps keep; the same seed draws the same inputs.
pub struct AimedDraw {
    interface: Interface,
    places: Vec<i32>,
    rng: ChaCha8Rng,
}

impl AimedDraw {
    /// Draws for this model.
    pub fn new(model: &Model, seed: u64) -> AimedDraw {
        AimedDraw {
            interface: Interface::from(model),
            places: kept_places(model),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The next inputs, which are finite.
    pub fn draw(&mut self) -> Inputs {
        let Interface { signature, reads_c } = self.interface;
        at_targets(&signature, &self.places, reads_c, &mut self.rng)
    }
}

/// The numbers of bits that the format of the result and the steps of a model keep. A model without a description
/// has those of its formats alone.
pub fn kept_places(model: &Model) -> Vec<i32> {
    let d = model.signature().d.precision() as i32;
    let mut places = vec![d, d + 1];
    // The unit inside of a composition, and of a chain the operation of its links.
    let unit = model.algorithm().inside().operation();
    if let Some(description) = unit.and_then(|(unit, _)| unit.description()) {
        places.extend(places_of(description.program()));
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// The numbers of bits that steps keep.
fn places_of(program: &Program) -> Vec<i32> {
    let mut places = Vec::new();
    for node in &program.nodes {
        match &node.action {
            Action::Fuse(fuse) => {
                let kept = fuse.terms.iter().flat_map(|term| [term.keep, term.kept()]);
                places.extend(kept.map(|bits| bits as i32));
            }
            Action::Cut(cut) => places.push(cut.bits as i32),
            Action::Part { bits, .. } => places.push(*bits as i32),
            Action::Round(Round { fraction, .. }) => places.push(*fraction as i32 + 1),
            _ => {}
        }
    }
    places
}
