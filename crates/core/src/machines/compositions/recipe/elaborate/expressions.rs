//! Sums, rows of sums, factors and products.

use super::{Elaborator, Factors, Value};
use crate::machines::algorithms::descriptions::{
    ElaborationResult, Expression, Index, Place, Slot, Steps, wrong,
};
use mmasmt_numbers::base::near::did_you_mean;

impl Elaborator<'_> {
    pub(super) fn expression(
        &mut self,
        at: Place,
        expression: &Expression,
    ) -> ElaborationResult<Value> {
        match expression {
            Expression::Name(place, name) => self.values.get(name.as_str()).cloned().map_or_else(
                || {
                    let near = did_you_mean(name, self.values.keys().map(|name| &**name));
                    wrong(*place, format!("a value with a name, found `{name}`{near}"))
                },
                Ok,
            ),
            Expression::Element(of, index) => {
                let row = self.row(at, of)?;
                let index = self.scope.number(at, index)?;
                let slot = usize::try_from(index).ok().and_then(|index| row.get(index));
                let most = row.len() as i64 - 1;
                let expected = || wrong(at, format!("a number from 0 to {most}, found {index}"));
                slot.map_or_else(expected, |slot| Ok(Value::One(*slot)))
            }
            Expression::Slice { of, from, to, step } => {
                let ends = [from, to, step].map(Option::as_ref);
                match self.expression(at, of)? {
                    Value::Factors(factors) => {
                        let places = self.slice(at, &factors.places, ends)?;
                        Ok(Value::Factors(Factors { places, ..factors }))
                    }
                    Value::Row(row) => Ok(Value::Row(self.slice(at, &row, ends)?)),
                    _ => wrong(at, "a row of factors or of sums"),
                }
            }
            Expression::Product(factors) => {
                let [left, right] = &**factors;
                match [self.expression(at, left)?, self.expression(at, right)?] {
                    [Value::Factors(a), Value::Factors(b)] if (a.side, b.side) == (0, 1) => {
                        match a.places == b.places && a.part.is_some() == b.part.is_some() {
                            true => Ok(Value::Products([a, b])),
                            false => wrong(at, "the same products of both sides, or parts of both"),
                        }
                    }
                    _ => wrong(at, "factors of `a` times factors of `b`"),
                }
            }
            Expression::Call(call) => self.call(call),
        }
    }

    /// The part of a row; one that would go beyond its end stops there.
    fn slice<T: Clone>(
        &self,
        at: Place,
        row: &[T],
        [from, to, step]: [Option<&Index>; 3],
    ) -> ElaborationResult<Vec<T>> {
        let end = |index: Option<&Index>, plain: usize| {
            index.map_or(Ok(plain), |index| {
                let number = self.scope.number_within(at, index, 0, i64::MAX)?;
                Ok(usize::try_from(number).unwrap_or(usize::MAX).min(row.len()))
            })
        };
        let [from, to] = [end(from, 0)?, end(to, row.len())?];
        let step = step.map_or(Ok(1), |step| self.scope.number_within(at, step, 1, 1 << 20))?;
        match from < to {
            true => Ok(row[from..to]
                .iter()
                .step_by(step as usize)
                .cloned()
                .collect()),
            false => wrong(at, format!("a range with an element, found {from}..{to}")),
        }
    }

    pub(super) fn sum_of(&mut self, at: Place, expression: &Expression) -> ElaborationResult<Slot> {
        match self.expression(at, expression)? {
            Value::One(slot) => Ok(slot),
            _ => wrong(at, "one sum"),
        }
    }
}
