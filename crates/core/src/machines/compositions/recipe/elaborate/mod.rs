//! From the text of a recipe to its steps over a unit.

mod calls;
mod expressions;

use super::program::{Parts, RecipeAction, RecipeProgram, RecipeRows, RecipeStep};
use crate::machines::algorithms::Signature;
use crate::machines::algorithms::descriptions::{
    ElaborationResult, Expression, MOST_STEPS, Place, Scope, Setting, Slot, Statement,
    StatementKind, Steps, Tree, kept, wrong,
};
use mmasmt_numbers::float::Format;
use rustc_hash::FxHashMap;

/// The value of a name.
#[derive(Clone, Debug)]
enum Value {
    /// A sum.
    One(Slot),
    /// A row of sums.
    Row(Vec<Slot>),
    /// Factors of one side.
    Factors(Factors),
    /// Products of factors of both sides.
    Products([Factors; 2]),
}

/// Factors of one side.
#[derive(Clone, Debug)]
struct Factors {
    /// 0 for A, 1 for B.
    side: usize,
    /// The number of a chain of parts, of which they are the last one; `None`: the factors themselves.
    part: Option<usize>,
    /// Their numbers.
    places: Vec<usize>,
}

struct Elaborator<'t> {
    scope: Scope<'t>,
    unit: Signature,
    values: FxHashMap<String, Value>,
    steps: Vec<RecipeStep>,
    /// Chains of parts, each with the parts before it.
    chains: Vec<Parts>,
    label: (&'static str, Option<usize>),
    products: usize,
}

/// The steps of a text over a unit.
///
/// # Errors
/// If a name is not known, sums of the wrong kind meet, or the unit lacks what the text needs.
pub(super) fn program(
    tree: &Tree,
    settings: &[Setting],
    products: u32,
    unit: &Signature,
) -> ElaborationResult<RecipeProgram> {
    let mut scope = Scope::of(tree, settings, &[]);
    scope.define("K", products.into());
    scope.define("STEP", unit.products.into());
    let mut elaborator = Elaborator {
        scope,
        unit: *unit,
        values: FxHashMap::default(),
        steps: Vec::new(),
        chains: Vec::new(),
        label: ("c", None),
        products: 0,
    };
    for (side, name) in ["a", "b"].into_iter().enumerate() {
        let factors = Factors {
            side,
            part: None,
            places: (0..products as usize).collect(),
        };
        elaborator
            .values
            .insert(name.into(), Value::Factors(factors));
    }
    let at = Place { line: 1, column: 1 };
    let c = elaborator.add(at, unit.c, RecipeAction::C)?;
    elaborator.keep("c", c);
    elaborator.statements(&tree.statements)?;
    elaborator.finished()
}

impl Elaborator<'_> {
    fn finished(self) -> ElaborationResult<RecipeProgram> {
        let end = Place { line: 1, column: 1 };
        let Some(Value::One(result)) = self.values.get("d") else {
            return wrong(end, "a sum that is the result `d`");
        };
        let has_parts = !self.chains.is_empty();
        let [a, b] = [self.unit.a, self.unit.b];
        let are_parts = a == b && self.unit.d == Format::F32;
        if has_parts && !(are_parts && self.chains.iter().all(|own| own.format == a)) {
            let formats: Vec<_> = self.chains.iter().map(|own| own.format.name()).collect();
            let expected = format!(
                "a unit that multiplies parts in {} and sums in f32, found {}",
                formats.first().unwrap_or(&""),
                self.unit
            );
            return wrong(end, expected);
        }
        let is_plain = |step: &RecipeStep| {
            matches!(
                step.action,
                RecipeAction::Run {
                    rows: RecipeRows::Factors,
                    ..
                }
            )
        };
        if has_parts && self.steps.iter().any(is_plain) {
            return wrong(end, "runs of parts alone, as factors are split");
        }
        // A chain that is the beginning of another one is not split anew.
        let is_begun = |own: &Parts, other: &Parts| {
            own.side == other.side
                && own.format == other.format
                && (own.parts.len() == 1 || own.scale == other.scale)
                && other.parts.starts_with(&own.parts)
        };
        let mut splittings: Vec<Parts> = Vec::new();
        for own in &self.chains {
            let mut others = self.chains.iter();
            let is_whole =
                !others.any(|other| other.parts.len() > own.parts.len() && is_begun(own, other));
            if is_whole && !splittings.contains(own) {
                splittings.push(own.clone());
            }
        }
        let mut steps = self.steps;
        for step in &mut steps {
            if let RecipeAction::Run {
                rows: RecipeRows::Parts(rows),
                ..
            } = &mut step.action
            {
                for (number, part) in rows {
                    let own = &self.chains[*number];
                    let found = splittings.iter().position(|other| is_begun(own, other));
                    *number = found.unwrap_or(0);
                    *part = own.parts.len() - 1;
                }
            }
        }
        let mut last_uses: Vec<Slot> = (0..steps.len() as Slot).collect();
        for (number, step) in steps.iter().enumerate() {
            for slot in step.action.slots() {
                last_uses[*slot as usize] = number as Slot;
            }
        }
        // The result is kept.
        last_uses[*result as usize] = steps.len() as Slot;
        Ok(RecipeProgram {
            result: *result,
            steps,
            splittings,
            last_uses,
        })
    }

    fn add(&mut self, at: Place, format: Format, action: RecipeAction) -> ElaborationResult<Slot> {
        if self.steps.len() >= MOST_STEPS {
            return wrong(at, format!("at most {MOST_STEPS} steps"));
        }
        let what = self.label;
        self.steps.push(RecipeStep {
            what,
            format,
            action,
        });
        Ok((self.steps.len() - 1) as Slot)
    }

    fn format(&self, slot: Slot) -> Format {
        self.steps[slot as usize].format
    }
}

impl<'t> Steps<'t> for Elaborator<'t> {
    fn scope(&mut self) -> &mut Scope<'t> {
        &mut self.scope
    }

    fn step(&mut self, statement: &Statement) -> ElaborationResult<()> {
        let at = statement.place;
        let StatementKind::Assign {
            name,
            element,
            value,
        } = &statement.kind
        else {
            return wrong(
                at,
                "no declaration: operands have the formats of the unit, and parts are of f32",
            );
        };
        if ["a", "b", "c"].contains(&&**name) {
            return wrong(at, format!("a name that is no operand, found `{name}`"));
        }
        let element = element
            .as_ref()
            .map(|index| self.scope.number(at, index))
            .transpose()?;
        self.label = (
            kept(name),
            element.and_then(|index| usize::try_from(index).ok()),
        );
        let value = self.expression(at, value)?;
        let Some(element) = element else {
            self.values.insert(name.clone(), value);
            return Ok(());
        };
        let Value::One(slot) = value else {
            return wrong(at, "one sum for one element");
        };
        let row = self
            .values
            .entry(name.clone())
            .or_insert_with(|| Value::Row(Vec::new()));
        let Value::Row(row) = row else {
            return wrong(at, format!("a row, found one value `{name}`"));
        };
        match usize::try_from(element) {
            Ok(index) if index < row.len() => row[index] = slot,
            Ok(index) if index == row.len() => row.push(slot),
            _ => {
                let count = row.len();
                return wrong(
                    at,
                    format!(
                        "an element from 0 to {count}, as rows are filled in order, found {element}"
                    ),
                );
            }
        }
        Ok(())
    }

    fn row(&mut self, at: Place, row: &Expression) -> ElaborationResult<Vec<Slot>> {
        match self.expression(at, row)? {
            Value::One(slot) => Ok(vec![slot]),
            Value::Row(row) => Ok(row),
            _ => wrong(at, "a row of sums, found factors"),
        }
    }

    fn one(
        &mut self,
        at: Place,
        label: (&str, usize),
        value: &Expression,
    ) -> ElaborationResult<Slot> {
        self.label = (kept(label.0), Some(label.1));
        self.sum_of(at, value)
    }

    fn keep(&mut self, name: &str, slot: Slot) {
        self.values.insert(name.into(), Value::One(slot));
    }
}
