//! Steps that find the scale of a block, and take it away: of conversions alone.

use super::{ElaborationResult, Elaborator, wrong};
use crate::machines::algorithms::descriptions::program::{Action, Slot, ValueKind};
use crate::machines::algorithms::descriptions::scales::has_ordered_magnitudes;
use crate::machines::algorithms::descriptions::tree::{Call, Place};
use mmasmt_numbers::float::Format;

impl Elaborator<'_> {
    /// `greatest(x)`.
    pub(super) fn greatest(&mut self, call: &Call) -> ElaborationResult<Slot> {
        let at = call.place;
        let terms = self.all(call)?;
        let format = self.register(at, terms[0])?;
        if !has_ordered_magnitudes(&format) {
            let expected = format!(
                "registers with a sign and a magnitude, and NaNs above all numbers, found {format}"
            );
            return wrong(at, expected);
        }
        for term in &terms {
            let own = self.register(at, *term)?;
            if own != format {
                return wrong(
                    at,
                    format!("registers of one format, found {format} and {own}"),
                );
            }
        }
        self.needs_conversion(at, "`greatest`");
        self.add(at, Action::Greatest(terms), ValueKind::Register(format))
    }

    /// `inverse(s)`.
    pub(super) fn inverse(&mut self, at: Place, of: Slot) -> ElaborationResult<Slot> {
        let format = self.register(at, of)?;
        if format != Format::UE8M0 {
            return wrong(at, format!("a scale of ue8m0, found one of {format}"));
        }
        self.needs_conversion(at, "`inverse`");
        self.add(at, Action::Inverse(of), ValueKind::Register(format))
    }
}
