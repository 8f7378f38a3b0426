//! Random inputs of several kinds; the same seed draws the same inputs.

mod cancel;
mod close;
pub mod codes;
mod conversions;
mod directed;
mod distribution;
mod edge;
mod encodings;
mod few_terms;
mod integers;
pub mod reals;
mod source;
mod sticky_tie;
pub mod targets;
pub mod tosa;
mod underflow_boundary;
mod zero_products;

pub use directed::Sampler;
pub use distribution::DrawnDistribution;
pub use few_terms::FewTerms;
pub(in crate::inputs) use integers::has_integers;
pub use source::{DrawError, MOST_DRAWN, NumberList, Source, Sources};
pub(in crate::inputs) use targets::draw as at_targets;
pub use zero_products::minus_zeros;

use edge::Edges;
use mmasmt_core::machines::algorithms::{Inputs, Signature};
use mmasmt_numbers::float::Format;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The kind of inputs to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any bits: numbers of all magnitudes, infinities and NaNs.
    Random,
    /// Any finite numbers, each as likely as any other.
    Finite,
    /// Terms of about the same magnitude, so that alignment and rounding matter.
    Close,
    /// Terms that cancel except for their last places.
    Cancel,
    /// Edge cases: numbers at the ends of their formats, infinities, NaNs, ties.
    Edge,
    /// Directed samples: inputs with few products and simple numbers, of kinds on which models
    /// differ.
    Feature,
    /// Sums that underflow, and other directed samples that tell few models apart.
    Rare,
    /// The data of TOSA's test of dot products.
    Tosa,
    /// Every code of elements and scales of at most 8 bits.
    Codes,
}

impl Kind {
    /// Every kind that is drawn at random.
    pub const ALL: [Kind; 7] = [
        Kind::Random,
        Kind::Finite,
        Kind::Close,
        Kind::Cancel,
        Kind::Edge,
        Kind::Feature,
        Kind::Rare,
    ];

    /// Whether inputs follow from their number alone, whatever the seed is.
    pub fn is_listed(self) -> bool {
        matches!(self, Kind::Tosa | Kind::Codes)
    }
}

/// A generator of inputs of one kind.
pub struct Draw {
    signature: Signature,
    kind: Kind,
    rng: ChaCha8Rng,
    directed: Sampler,
    edges: Edges,
    /// The number of inputs so far.
    drawn: u64,
    /// Whether inputs may contain infinities and NaNs, if their kind has them.
    specials: bool,
}

impl Draw {
    /// A generator for dot-adds of this signature.
    pub fn new(signature: Signature, kind: Kind, seed: u64) -> Self {
        Draw {
            signature,
            kind,
            rng: ChaCha8Rng::seed_from_u64(seed),
            directed: Sampler::new(signature, seed),
            edges: Edges::new(&signature),
            drawn: 0,
            specials: true,
        }
    }

    /// The same generator, with or without `specials`. Without them, each infinity and NaN that is
    /// drawn is replaced by a random finite number.
    #[must_use]
    pub fn specials(self, specials: bool) -> Self {
        Draw { specials, ..self }
    }

    /// The next inputs.
    pub fn draw(&mut self) -> Inputs {
        let drawn = self.any();
        if self.specials {
            return drawn;
        }
        let rng = &mut self.rng;
        drawn.map(&self.signature, |format, bits| {
            if format.is_integer() || format.is_finite(*bits) {
                *bits
            } else {
                encodings::finite(rng, format)
            }
        })
    }

    /// The next inputs of the generator's kind, which may contain infinities and NaNs.
    fn any(&mut self) -> Inputs {
        let number = self.drawn;
        self.drawn += 1;
        let Draw {
            signature,
            rng,
            edges,
            ..
        } = self;
        match self.kind {
            Kind::Close | Kind::Cancel | Kind::Edge | Kind::Tosa
                if integers::has_integers(signature) =>
            {
                integers::draw(signature, rng)
            }
            Kind::Random => each(signature, |format| encodings::any(rng, format)),
            Kind::Finite => each(signature, |format| encodings::finite(rng, format)),
            Kind::Close => close::draw(signature, rng),
            Kind::Cancel => cancel::draw(signature, rng),
            Kind::Edge => edges.draw(signature, rng),
            Kind::Feature => self.directed.sample(),
            Kind::Rare => self.directed.rare(),
            Kind::Tosa => tosa::inputs(signature, number),
            Kind::Codes => codes::inputs(signature, number),
        }
    }
}

/// Inputs in which `make` draws every register, independently of the others.
fn each(signature: &Signature, mut make: impl FnMut(&Format) -> u64) -> Inputs {
    Inputs::zero(signature).map(signature, |format, _| match *format == Format::NONE {
        true => 0,
        false => make(format),
    })
}
