//! Loops, conditions and names of numbers: what units and compositions have in common.

use super::outcome::{ElaborationResult, wrong};
use super::scope::Scope;
use crate::machines::algorithms::descriptions::program::Slot;
use crate::machines::algorithms::descriptions::tree::{
    Expression, Place, Statement, StatementKind,
};

/// The most steps of a description, and the most turns of its loops.
pub(crate) const MOST_STEPS: usize = 1 << 20;

/// Steps that statements add to a list.
pub(crate) trait Steps<'t> {
    /// What names of numbers stand for.
    fn scope(&mut self) -> &mut Scope<'t>;

    /// Adds the steps of a declaration or an assignment.
    fn step(&mut self, statement: &Statement) -> ElaborationResult<()>;

    /// The values of a row.
    fn row(&mut self, at: Place, row: &Expression) -> ElaborationResult<Vec<Slot>>;

    /// The one value of an expression, whose steps have this name and number.
    fn one(
        &mut self,
        at: Place,
        label: (&str, usize),
        value: &Expression,
    ) -> ElaborationResult<Slot>;

    /// Gives a name to a value.
    fn keep(&mut self, name: &str, slot: Slot);

    /// Adds the steps of all statements.
    fn statements(&mut self, statements: &[Statement]) -> ElaborationResult<()> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> ElaborationResult<()> {
        let at = statement.place;
        match &statement.kind {
            StatementKind::Declare { .. } | StatementKind::Assign { .. } => self.step(statement),
            StatementKind::Loop {
                counter,
                from,
                to,
                step,
                body,
            } => {
                let scope = self.scope();
                let [from, to] = [scope.number(at, from)?, scope.number(at, to)?];
                let step = match step {
                    None => 1,
                    Some(step) => scope.number_within(at, step, 1, 1 << 20)?,
                };
                let mut value = from;
                while value < to {
                    let scope = self.scope();
                    scope.turns += 1;
                    if scope.turns > MOST_STEPS {
                        return wrong(at, format!("at most {MOST_STEPS} turns of loops"));
                    }
                    scope.counters.push((counter.clone(), value));
                    self.statements(body)?;
                    self.scope().counters.pop();
                    value = value.saturating_add(step);
                }
                Ok(())
            }
            StatementKind::If {
                condition,
                body,
                otherwise,
            } => match self.scope().holds(at, condition)? {
                true => self.statements(body),
                false => self.statements(otherwise),
            },
            StatementKind::Let { name, value } => {
                let setting = self.scope().setting(at, value)?;
                self.scope().lets.insert(name.clone(), setting);
                Ok(())
            }
            StatementKind::Need {
                condition,
                expected,
            } => match self.scope().holds(at, condition)? {
                true => Ok(()),
                false if expected.is_empty() => wrong(at, format!("values with {condition}")),
                false => wrong(at, format!("values with {condition}: {expected}")),
            },
            StatementKind::Pairwise { name, row, value } => {
                let row = self.row(at, row)?;
                let whole = self.halves(at, (name, &mut 0), &row, value)?;
                self.keep(name, whole);
                Ok(())
            }
        }
    }

    /// One value of a row: that of its halves, each made one value in the same way.
    fn halves(
        &mut self,
        at: Place,
        (name, count): (&str, &mut usize),
        row: &[Slot],
        value: &Expression,
    ) -> ElaborationResult<Slot> {
        match row {
            [] => return wrong(at, "a row with a value, found none"),
            [only] => return Ok(*only),
            _ => {}
        }
        let (left, right) = row.split_at(row.len() / 2);
        let left = self.halves(at, (name, &mut *count), left, value)?;
        let right = self.halves(at, (name, &mut *count), right, value)?;
        self.keep("left", left);
        self.keep("right", right);
        *count += 1;
        self.one(at, (name, *count - 1), value)
    }
}
