//! The map that an epilogue applies to a sum, without rounding: `alpha * sum + beta * c`, and 0 in the place of what an
//! activation cuts.

use mmasmt_core::machines::algorithms::DotAdd;
use mmasmt_core::machines::compositions::{Activation, CompositionKind, Epilogue};
use mmasmt_core::machines::model::Algorithm;
use mmasmt_numbers::float::{Dyadic, Format};

/// The factors of a sum of products and of `c`, and what becomes of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearMap {
    alpha: Dyadic,
    beta: Dyadic,
    /// With a ReLU: whether results that are kept are negative, since a negative scale comes after it.
    rectified: Option<bool>,
}

impl LinearMap {
    /// The factors of an epilogue, where its `scale` multiplies both; 1 and 0 for another algorithm
    /// that does not read `c`. `None` for one whose sum has `c` as a term, or if a factor is not finite.
    pub fn of(algorithm: &Algorithm) -> Option<LinearMap> {
        let kind = match algorithm {
            Algorithm::Composition(composition) => Some(composition.kind()),
            _ => None,
        };
        let Some(CompositionKind::Epilogue(Epilogue {
            alpha,
            beta,
            scale,
            activation,
            ..
        })) = kind
        else {
            let products = || LinearMap {
                alpha: Dyadic::new(1.into(), 0),
                beta: Dyadic::new(0.into(), 0),
                rectified: None,
            };
            return (!algorithm.reads_c()).then(products);
        };
        let number = |register: &u32| Dyadic::of(&Format::F32, u64::from(*register));
        let scale = number(scale)?;
        Some(LinearMap {
            alpha: number(alpha)?.times(&scale),
            beta: number(beta)?.times(&scale),
            rectified: (*activation == Activation::Relu).then(|| scale.is_negative()),
        })
    }

    /// The factors of an algorithm whose result has other terms than the sum; `None` if its map is plain, or it has none.
    pub fn of_scaled(algorithm: &Algorithm) -> Option<LinearMap> {
        LinearMap::of(algorithm).filter(|map| !map.is_plain())
    }

    /// Whether the result is the sum of the products itself, or that and `c`.
    pub fn is_plain(&self) -> bool {
        let one = Dyadic::new(1.into(), 0);
        self.rectified.is_none() && self.alpha == one && (self.beta == one || !self.reads_c())
    }

    /// The factors of `c` and of the sum of the products.
    pub fn gains(&self) -> [Dyadic; 2] {
        [self.beta.clone(), self.alpha.clone()]
    }

    /// Whether `c` has an effect on the result.
    pub fn reads_c(&self) -> bool {
        self.beta != Dyadic::new(0.into(), 0)
    }

    /// What a sum of products and `c` become: their values, and the magnitudes that they have.
    #[must_use]
    pub fn result(&self, [sum, magnitudes]: [&Dyadic; 2], c: &Dyadic) -> [Dyadic; 2] {
        let addend = self.beta.times(c);
        let value = self.alpha.times(sum).plus(&addend);
        let is_cut = self
            .rectified
            .is_some_and(|negative| value.is_negative() != negative);
        [
            if is_cut {
                Dyadic::new(0.into(), 0)
            } else {
                value
            },
            self.alpha
                .times(magnitudes)
                .magnitude()
                .plus(&addend.magnitude()),
        ]
    }
}
