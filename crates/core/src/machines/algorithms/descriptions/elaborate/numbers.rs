//! The functions that make a number of a register or of another number.

use super::options::CallOptions;
use super::{ElaborationResult, Elaborator, FARTHEST, Value, wrong};
use crate::machines::algorithms::descriptions::program::{
    Action, Cut, Extent, Slot, Specials, TermStep, ValueKind, Zeros,
};
use crate::machines::algorithms::descriptions::tree::{Call, Keyword};
use mmasmt_numbers::float::{Format, SpecialCodes};

impl Elaborator<'_> {
    pub(super) fn options_of_term(
        &self,
        of: Slot,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<TermStep> {
        let at = options.at;
        let zeros = match options.value(Keyword::Zeros)? {
            None => Zeros::None,
            Some(index) => match self.scope.word(index).as_deref() {
                Some("none") => Zeros::None,
                Some("field") => Zeros::Field,
                _ => Zeros::At(self.scope.number_within(at, index, -FARTHEST, FARTHEST)?),
            },
        };
        let shift = self
            .scope
            .number_of(options, Keyword::Shift, -FARTHEST, FARTHEST)?
            .unwrap_or(0);
        let (fraction, specials) = match self.kind(of) {
            ValueKind::Register(format) => (
                i64::from(format.fraction_bits),
                self.specials(options, &format)?,
            ),
            ValueKind::Number(_) if options.get(Keyword::Specials).is_some() => {
                return wrong(at, "a register with `specials`, found a number");
            }
            ValueKind::Number(extent) => (extent.fraction, Specials::Format),
        };
        let room =
            self.scope
                .number_of(options, Keyword::Fraction, fraction, fraction + FARTHEST)?;
        Ok(TermStep {
            of,
            zeros,
            widen: self.scope.is_given(options, Keyword::Widen)?,
            shift,
            room: room.map_or(0, |all| (all - fraction) as u32),
            specials,
            flushed: false,
            fixed: false,
        })
    }

    /// The codes of infinities and NaNs in registers of the format.
    pub(super) fn specials(
        &self,
        options: &CallOptions<'_>,
        format: &Format,
    ) -> ElaborationResult<Specials> {
        let words = [("format", Specials::Format), ("none", Specials::None)];
        let specials = self.scope.meaning(options, Keyword::Specials, &words)?;
        match (specials, format.specials) {
            (Specials::None, SpecialCodes::NegativeZero) => wrong(
                options.at,
                format!("a format whose bias does not depend on its NaN, found {format}"),
            ),
            _ => Ok(specials),
        }
    }

    pub(super) fn miscount(
        &mut self,
        call: &Call,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<Value> {
        let at = call.place;
        let bits = self
            .scope
            .number_within(at, options.needed(Keyword::Bits)?, 0, 62)? as u32;
        let value = self.only(call)?;
        self.each(at, &value, |this, of| {
            let of = this.as_number(at, of)?;
            // Minus one in the last place is what it is taken for.
            if bits == 0 {
                return Ok(of);
            }
            let extent = this.extent(at, of)?;
            let extent = Extent {
                width: extent.width.max(bits + 1),
                ..extent
            };
            this.add(at, Action::Miscount { of, bits }, ValueKind::Number(extent))
        })
    }

    pub(super) fn part(
        &mut self,
        call: &Call,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<Value> {
        let at = call.place;
        let low = self
            .scope
            .number_of(options, Keyword::Low, 0, FARTHEST)?
            .unwrap_or(0) as u32;
        let bits = self.scope.number_of(options, Keyword::Bits, 1, FARTHEST)?;
        let by = self.scope.cutting(options)?;
        let value = self.only(call)?;
        self.each(at, &value, |this, of| {
            let of = this.as_number(at, of)?;
            let extent = this.extent(at, of)?;
            let bits = bits.map_or(extent.width.saturating_sub(low), |bits| bits as u32);
            if bits == 0 || low + bits > extent.width {
                return wrong(
                    at,
                    format!(
                        "bits of a significand of {}, found {bits} from bit {low} on",
                        extent.width
                    ),
                );
            }
            let extent = Extent {
                width: bits + u32::from(by.carries()),
                fraction: extent.fraction - i64::from(low),
                ..extent
            };
            let part = Action::Part { of, low, bits, by };
            this.add(at, part, ValueKind::Number(extent))
        })
    }

    pub(super) fn cut(
        &mut self,
        call: &Call,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<Value> {
        let at = call.place;
        let bits =
            self.scope
                .number_within(at, options.needed(Keyword::Bits)?, 1, FARTHEST)? as u32;
        let by = self.scope.cutting(options)?;
        let least = self
            .scope
            .number_of(options, Keyword::Least, -FARTHEST, FARTHEST)?;
        let value = self.only(call)?;
        self.each(at, &value, |this, of| {
            let of = this.as_number(at, of)?;
            let extent = this.extent(at, of)?;
            let top = extent.integer_bits() - 1;
            // The leading one can be the last bit of the significand; a zero keeps its exponent.
            let lowest = extent.lowest - extent.fraction.max(0);
            let highest = extent.highest + top.max(0);
            let limit = least.unwrap_or(i64::MIN);
            let extent = Extent {
                width: bits + u32::from(by.carries()),
                fraction: i64::from(bits) - 1,
                lowest: lowest.max(limit),
                highest: highest.max(limit),
            };
            let cut = Cut {
                of,
                bits,
                by,
                least,
            };
            this.add(at, Action::Cut(cut), ValueKind::Number(extent))
        })
    }
}
