//! Short factors in fixed point. Where exact sums alone take a product, its factors may be shifted by their exponents
//! before they are multiplied: products of short factors are then cheaper than shifts of products.

use super::program::{Action, Extent, Program, Slot, TermStep, ValueKind, Zeros};

/// The most bits of a factor in fixed point.
const MOST_BITS: i64 = 8;

impl Program {
    /// The same program with short factors in fixed point.
    pub(super) fn with_fixed_factors(mut self) -> Program {
        for (slot, is_fixed) in self.fixed_values().into_iter().enumerate() {
            if !is_fixed {
                continue;
            }
            let extent = match self.nodes[slot].action {
                Action::Product([x, y]) => {
                    let [x, y] = [x, y].map(|of| self.extent(of));
                    Some(x.times(&y))
                }
                _ => self.fixed_extent(slot as Slot),
            };
            let node = &mut self.nodes[slot];
            if let Action::Term(term) = &mut node.action {
                term.fixed = true;
            }
            if let Some(extent) = extent {
                node.kind = ValueKind::Number(extent);
            }
        }
        self
    }

    /// Whether each value is a factor that may be in fixed point, or a product of such factors.
    fn fixed_values(&self) -> Vec<bool> {
        let slots = 0..self.nodes.len() as Slot;
        let is_short = |slot: Slot| match self.nodes[slot as usize].action {
            Action::Product(_) => slot != self.result,
            _ => self.fixed_extent(slot).is_some(),
        };
        let mut fixed: Vec<bool> = slots.map(is_short).collect();
        loop {
            let before = fixed.clone();
            for (slot, node) in self.nodes.iter().enumerate() {
                let (takes_products, takes_factors) = match &node.action {
                    Action::Sum { .. } => (true, false),
                    Action::Product(factors) => {
                        fixed[slot] &= factors.iter().all(|of| fixed[*of as usize]);
                        (false, fixed[slot])
                    }
                    _ => (false, false),
                };
                node.action.each_slot(|of| {
                    let of = of as usize;
                    fixed[of] &= match self.nodes[of].action {
                        Action::Product(_) => takes_products,
                        _ => takes_factors,
                    };
                });
            }
            if fixed == before {
                return fixed;
            }
        }
    }

    /// The form of the number in fixed point, if it is that of a register and short.
    fn fixed_extent(&self, slot: Slot) -> Option<Extent> {
        let node = &self.nodes[slot as usize];
        let (Action::Term(term), ValueKind::Number(own)) = (&node.action, node.kind) else {
            return None;
        };
        let format = self.format(term.of)?;
        let is_plain = !format.is_integer()
            && format.has_fields()
            && format.has_zero()
            && *term
                == TermStep {
                    specials: term.specials,
                    flushed: term.flushed,
                    zeros: Zeros::None,
                    ..TermStep::plain(term.of)
                };
        let width = i64::from(own.width) + own.highest - own.lowest;
        (is_plain && width <= MOST_BITS).then_some(Extent {
            width: width as u32,
            fraction: own.fraction - own.lowest,
            lowest: 0,
            highest: 0,
        })
    }
}
