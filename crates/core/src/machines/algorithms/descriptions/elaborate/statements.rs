//! Declarations and assignments.

use super::{
    ElaborationResult, Elaborator, MOST_PRODUCTS, STEP_BYTES, Scope, Steps, Value, labels,
    not_of_factors, wrong,
};
use crate::machines::algorithms::Operand;
use crate::machines::algorithms::descriptions::program::{Action, Slot, ValueKind};
use crate::machines::algorithms::descriptions::tree::{
    Expression, Index, Place, Statement, StatementKind,
};
use mmasmt_numbers::base::limits::work;
use std::rc::Rc;

impl<'t> Steps<'t> for Elaborator<'t> {
    fn scope(&mut self) -> &mut Scope<'t> {
        &mut self.scope
    }

    fn step(&mut self, Statement { place, kind }: &Statement) -> ElaborationResult<()> {
        work(STEP_BYTES);
        match kind {
            StatementKind::Declare {
                names,
                format,
                length,
                block,
            } => names.iter().try_for_each(|name| {
                self.declare(*place, name, format, [length.as_ref(), block.as_ref()])
            }),
            StatementKind::Assign {
                name,
                element,
                value,
            } => self.assign(*place, name, element.as_ref(), value),
            _ => Ok(()),
        }
    }

    fn row(&mut self, at: Place, row: &Expression) -> ElaborationResult<Vec<Slot>> {
        Ok(self.expression(at, row)?.slots().to_vec())
    }

    fn one(
        &mut self,
        at: Place,
        (name, index): (&str, usize),
        value: &Expression,
    ) -> ElaborationResult<Slot> {
        self.label = (labels::kept(name), Some(index));
        match self.expression(at, value)? {
            Value::One(slot) => Ok(slot),
            Value::Row(_) => wrong(at, "one value of `left` and `right`, found a row"),
        }
    }

    fn keep(&mut self, name: &str, slot: Slot) {
        self.values.insert(name.into(), Value::One(slot));
    }
}

impl Elaborator<'_> {
    fn declare(
        &mut self,
        at: Place,
        name: &str,
        format: &str,
        [length, block]: [Option<&Index>; 2],
    ) -> ElaborationResult<()> {
        let format = self.scope.format(at, format)?;
        if name == "d" {
            self.result = Some(format);
            return Ok(());
        }
        let Some(operand) = Operand::named(name) else {
            return wrong(
                at,
                format!(
                    "an operand `a`, `b`, `c`, `sa` or `sb`, or the result `d`, found `{name}`"
                ),
            );
        };
        if self.values.contains_key(name) {
            return wrong(at, format!("each operand once, found `{name}` again"));
        }
        if !matches!(operand, Operand::A | Operand::B) {
            not_of_factors(at, &format, &format!("`{name}`"))?;
        }
        let count = self.count(at, (name, operand), [length, block])?;
        self.operands.push((operand, format, count));
        let mut slots = Vec::with_capacity(count);
        for index in 0..count {
            self.label = (operand.name(), (operand != Operand::C).then_some(index));
            slots.push(self.add(
                at,
                Action::Operand(operand, index),
                ValueKind::Register(format),
            )?);
        }
        let value = match slots[..] {
            [only] if operand == Operand::C || (length, block) == (None, None) => Value::One(only),
            _ => self.row_of(at, slots)?,
        };
        self.values.insert(name.into(), value);
        Ok(())
    }

    /// The number of registers of an operand.
    fn count(
        &mut self,
        at: Place,
        (name, operand): (&str, Operand),
        [length, block]: [Option<&Index>; 2],
    ) -> ElaborationResult<usize> {
        let most = MOST_PRODUCTS as i64;
        match (operand, length, block) {
            (Operand::C, None, None) => Ok(1),
            (Operand::C, ..) => wrong(at, "one register `c`, without a length"),
            (Operand::A | Operand::B, Some(length), None) => {
                Ok(self.scope.number_within(at, length, 1, most)? as usize)
            }
            (Operand::A | Operand::B, None, None) => Ok(1),
            (Operand::A | Operand::B, ..) => {
                wrong(at, format!("a length alone, such as `{name}: f16[K]`"))
            }
            (_, None, Some(block)) => {
                let block = self.scope.number_within(at, block, 1, most)? as usize;
                let factors = self.operands.iter();
                let mut factors = factors.filter(|(operand, ..)| *operand == Operand::A);
                let Some((_, _, products)) = factors.next() else {
                    return wrong(at, "the declaration of `a` before that of its scales");
                };
                if self.block.is_some_and(|other| other != block) {
                    return wrong(at, "scales of blocks of one size");
                }
                self.block = Some(block);
                Ok(products.div_ceil(block))
            }
            _ => wrong(
                at,
                format!("the size of blocks alone, such as `{name}: ue8m0 of 32`"),
            ),
        }
    }

    fn assign(
        &mut self,
        at: Place,
        name: &str,
        element: Option<&Index>,
        value: &Expression,
    ) -> ElaborationResult<()> {
        if Operand::named(name).is_some() {
            return wrong(at, format!("a name that is no operand, found `{name}`"));
        }
        let element = element
            .map(|index| self.scope.number(at, index))
            .transpose()?;
        self.label = (
            labels::kept(name),
            element.and_then(|index| usize::try_from(index).ok()),
        );
        if name == "d" {
            self.result_at = Some(place_of(value).unwrap_or(at));
        }
        let value = self.expression(at, value)?;
        let Some(element) = element else {
            self.values.insert(name.into(), value);
            return Ok(());
        };
        let Value::One(slot) = value else {
            return wrong(at, "one value for one element, found a row");
        };
        // A row that has another name too is copied.
        let copied = match self.values.get(name) {
            Some(Value::Row(row)) if Rc::strong_count(row) > 1 => row.len(),
            _ => 0,
        };
        self.count_values(at, copied + 1)?;
        let row = self
            .values
            .entry(name.into())
            .or_insert_with(|| Value::Row(Rc::default()));
        let Value::Row(row) = row else {
            return wrong(at, format!("a row, found one value `{name}`"));
        };
        let row = Rc::make_mut(row);
        match usize::try_from(element) {
            Ok(index) if index < row.len() => row[index] = slot,
            Ok(index) if index == row.len() => row.push(slot),
            _ => {
                let expected = format!(
                    "an element from 0 to {}, as rows are filled in order, found {element}",
                    row.len()
                );
                return wrong(at, expected);
            }
        }
        Ok(())
    }
}

/// Where the expression begins, if it has a name or a function.
fn place_of(expression: &Expression) -> Option<Place> {
    match expression {
        Expression::Name(place, _) => Some(*place),
        Expression::Element(of, _) | Expression::Slice { of, .. } => place_of(of),
        Expression::Product(factors) => place_of(&factors[0]),
        Expression::Call(call) => Some(call.place),
    }
}
