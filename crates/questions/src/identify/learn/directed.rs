//! Inputs that show one class of sums apart from the others: each of some terms of such a sum has one
//! summand, so that the sums below hold a single one, and those above take a single result.

use super::layout::{Child, UnitLayout};
use crate::inputs::FewTerms;
use mmasmt_core::machines::algorithms::Inputs;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Draws inputs for the classes of sums of a layout.
pub(super) struct ClassDraw<'x> {
    layout: &'x UnitLayout,
    few: &'x mut FewTerms,
    edges: &'x [i64],
    rng: ChaCha8Rng,
}

/// A summand, and whether it stands in a sum below.
type SummandPlace = (usize, bool);

impl<'x> ClassDraw<'x> {
    /// Inputs with distances near `edges`.
    pub fn new(
        layout: &'x UnitLayout,
        few: &'x mut FewTerms,
        edges: &'x [i64],
        seed: u64,
    ) -> ClassDraw<'x> {
        ClassDraw {
            layout,
            few,
            edges,
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Inputs for the sums of a class.
    pub fn of_class(&mut self, class: usize, count: usize) -> Vec<Inputs> {
        let sums = &self.layout.sums;
        let own: Vec<usize> = (0..sums.len())
            .filter(|sum| sums[*sum].class == class)
            .collect();
        let draw = |at: usize| {
            let sum = *own.choose(&mut self.rng)?;
            let mut children = sums[sum].children.clone();
            children.shuffle(&mut self.rng);
            let terms = [2, 3, 3, 4][at % 4].min(children.len());
            // Two summands that cancel leave what the sum makes of a third one.
            let cancels = terms > 2 && at % 8 != 7;
            let placed: Vec<SummandPlace> = children
                .iter()
                .take(terms)
                .map(|child| self.leaf(child))
                .collect();
            Some(self.few.draw_at(&placed, cancels, self.edges))
        };
        (0..count).filter_map(draw).collect()
    }

    /// A summand below a term of a sum.
    fn leaf(&mut self, child: &Child) -> SummandPlace {
        let mut at = *child;
        let mut is_below = false;
        loop {
            match at {
                Child::Product(k) => return (k, is_below || self.rng.random_bool(0.3)),
                Child::C => return (self.layout.products, is_below),
                Child::Sum(sum) => {
                    is_below = true;
                    let children = &self.layout.sums[sum].children;
                    at = *children.choose(&mut self.rng).unwrap_or(&Child::C);
                }
            }
        }
    }
}
