//! The function `fuse`, with the terms that have options of their own.

use super::options::CallOptions;
use super::{ElaborationResult, Elaborator, FARTHEST, Value, wrong};
use crate::machines::algorithms::SumOverflow;
use crate::machines::algorithms::descriptions::program::{
    Action, Fuse, FusedTerm, NegativeForm, ValueKind,
};
use crate::machines::algorithms::descriptions::tree::{Call, Expression, Function, Keyword};
use std::rc::Rc;

impl Elaborator<'_> {
    pub(super) fn fuse(
        &mut self,
        call: &Call,
        options: &CallOptions<'_>,
    ) -> ElaborationResult<Value> {
        let at = call.place;
        let keep = options.needed(Keyword::Keep)?;
        let keeps_all = self.scope.word(keep).as_deref() == Some("all");
        let keep = match keeps_all {
            true => 0,
            false => self.scope.number_within(at, keep, 0, FARTHEST)? as u32,
        };
        let by = self.scope.cutting(options)?;
        let mut terms = Vec::new();
        for argument in &call.arguments {
            let (value, keep, by, [far, again], vanish) = match argument {
                Expression::Call(inner) if inner.function == Function::Align => {
                    let own = CallOptions::of(inner)?;
                    let keep = self
                        .scope
                        .number_of(&own, Keyword::Keep, 0, FARTHEST)?
                        .map_or(keep, |keep| keep as u32);
                    let by = match own.get(Keyword::By) {
                        Some(_) => self.scope.cutting(&own)?,
                        None => by,
                    };
                    let far = self
                        .scope
                        .number_of(&own, Keyword::Far, 0, FARTHEST)?
                        .map(|far| far as u32);
                    let again = self
                        .scope
                        .number_of(&own, Keyword::Again, 0, i64::from(keep))?
                        .map(|again| again as u32);
                    let vanish =
                        self.scope
                            .number_of(&own, Keyword::Vanish, -FARTHEST, FARTHEST)?;
                    let value = Value::Row(Rc::new(self.all(inner)?));
                    (value, keep, by, [far, again], vanish)
                }
                other => (self.expression(at, other)?, keep, by, [None; 2], None),
            };
            for slot in value.slots() {
                let of = self.as_number(at, *slot)?;
                terms.push(FusedTerm {
                    of,
                    keep,
                    by,
                    far,
                    again,
                    vanish,
                    is_least_if_absent: false,
                });
            }
        }
        if terms.is_empty() {
            return wrong(at, "a value in `fuse()`");
        }
        if keeps_all {
            let extents = terms.iter().map(|term| self.extent(at, term.of));
            let all = Fuse::all_bits(&extents.collect::<ElaborationResult<Vec<_>>>()?);
            terms.iter_mut().for_each(|term| term.keep = all);
        }
        let beyond = [
            ("wrap", SumOverflow::Wrap),
            ("saturate", SumOverflow::Saturate),
        ];
        let beyond = self.scope.meaning(options, Keyword::Beyond, &beyond)?;
        let negate = [
            ("twos", NegativeForm::Twos),
            ("ones", NegativeForm::Ones),
            ("ones_of_nonzero", NegativeForm::OnesOfNonzero),
            ("against_last", NegativeForm::AgainstLast),
        ];
        let carry = self.scope.number_of(options, Keyword::Carry, 0, FARTHEST)?;
        let mut fuse = Fuse {
            terms,
            least: self
                .scope
                .number_of(options, Keyword::Least, -FARTHEST, FARTHEST)?,
            width: None,
            sticky: self.scope.is_given(options, Keyword::Sticky)?,
            negate: self.scope.meaning(options, Keyword::Negate, &negate)?,
        };
        // A sign, 1 + carry integer bits, and the fraction; kept if the exact sum is wider.
        let width = carry.map(|carry| 2 + carry as u32 + fuse.fraction());
        let extent = self.fused(at, &fuse)?;
        fuse.width = width
            .filter(|width| *width < extent.width + 1)
            .map(|width| (width, beyond));
        let extent = self.fused(at, &fuse)?;
        self.add(at, Action::Fuse(fuse), ValueKind::Number(extent))
            .map(Value::One)
    }
}
