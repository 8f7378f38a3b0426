//! Sums of integers, which may saturate or wrap.

use super::sum::Sum;
use super::units::Units;
use mmasmt_core::machines::algorithms::SumOverflow;
use mmasmt_core::machines::algorithms::descriptions::{Action, Kind};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::Format;

impl Units {
    /// The sum of products and of an integer, as an integer of the format; `rises` says that no product is
    /// negative, and that the integer is one of the format.
    pub(super) fn in_integers(
        &mut self,
        sum: Sum,
        format: &Format,
        overflow: SumOverflow,
        rises: bool,
    ) -> Option<Sum> {
        let sum = sum.with_plus_zero();
        let is_held = (!sum.negative || format.is_signed()) && !sum.values.exceeds(format);
        match overflow {
            _ if is_held => Some(sum),
            SumOverflow::Saturate => Some(self.rounded.saturated(sum, format, rises)),
            SumOverflow::Wrap => Some(self.rounded.wrapped(sum, format)),
        }
    }
}

/// Whether the unit has an integer register that its result is not computed from: its overflow does not show there.
pub(super) fn has_other_integers(model: &Model) -> bool {
    let unit = model.algorithm().inside().operation();
    let Some(description) = unit.and_then(|(unit, _)| unit.description()) else {
        return false;
    };
    let program = description.program();
    let mut is_read = vec![false; program.nodes.len()];
    is_read[program.result as usize] = true;
    for (number, node) in program.nodes.iter().enumerate().rev() {
        let is_integer = matches!(node.kind, Kind::Register(format) if format.is_integer());
        match &node.action {
            Action::Round(_) if is_integer && !is_read[number] => return true,
            _ if !is_read[number] => {}
            // Others give infinities and NaNs alone.
            Action::Special { of, .. } | Action::Replace { of, .. } => is_read[*of as usize] = true,
            action => action.each_slot(|slot| is_read[slot as usize] = true),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::holds;
    use super::super::soundness::{claim, ends};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Whether the analysis says that a sum of four products equals a chain of shorter sums on this
    /// domain; and whether inputs show a difference.
    fn is_chain(unit: &str, chain: u32, domain: &str) -> (bool, bool) {
        let step = 4 / chain;
        let equal = format!("equal=int:K={step},chain={chain},{unit}");
        let claim = claim(&equal, &format!("int:K=4,{unit}"), domain);
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut inputs = (0..300).filter_map(|_| ends(&claim, &mut rng));
        let is_refuted = inputs.any(|inputs| claim.is_refuted_by(&inputs));
        (holds(&claim, false).is_some(), is_refuted)
    }

    #[test]
    fn sums_that_only_rise_saturate_once() {
        let (equal, different, unknown) = ((true, false), (false, true), (false, false));
        for (unit, domain, expected) in [
            ("in=u8,overflow=saturate", "", equal),
            ("in=u4,acc=u32,overflow=saturate", "", equal),
            ("in=u16,acc=s64,overflow=saturate", "", equal),
            ("in=s8,overflow=saturate", "", different),
            ("a=u8,b=s8,overflow=saturate", "", different),
            ("a=u8,b=s8,acc=u32,overflow=saturate", "", different),
            ("in=s8,overflow=saturate", "factors from 0..127", equal),
            ("in=s8,overflow=saturate", "factors from -1..127", different),
            (
                "in=s8,overflow=saturate",
                "c from -2147418111..2147418111",
                equal,
            ),
            // Only the last sum may saturate.
            (
                "in=s8,overflow=saturate",
                "c from -2147418112..2147418112",
                equal,
            ),
            // A sum before the last one may saturate.
            (
                "in=s8,overflow=saturate",
                "c from -2147480000..2147480000",
                different,
            ),
            ("in=s8", "c = 0", equal),
            ("in=s8", "", equal),
            ("in=u8", "", equal),
            ("in=u4,acc=u32", "", equal),
            ("a=u8,b=s8,acc=u32", "", equal),
            ("in=b1,pair=xor,overflow=saturate", "", unknown),
        ] {
            for chain in [2, 4] {
                let found = is_chain(unit, chain, domain);
                assert_eq!(found, expected, "{unit}, {domain}, {chain} sums");
            }
        }
    }
}
