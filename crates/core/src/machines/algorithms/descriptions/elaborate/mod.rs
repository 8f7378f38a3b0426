//! Elaboration: the syntax tree and the values of its parameters become a list of steps.

mod calls;
mod control;
mod extents;
mod fused;
mod labels;
mod numbers;
mod options;
mod outcome;
mod rounding;
mod scales;
mod scope;
mod statements;

use super::program::{Action, Program, ProgramNode, Slot, ValueKind};
use super::tree::{Choices, Parameter, Place, Setting, Tree};
use crate::machines::algorithms::{BlockScales, Operand, Signature};
pub(crate) use control::{MOST_STEPS, Steps};
pub(crate) use labels::kept;
use mmasmt_numbers::base::limits::Account;
use mmasmt_numbers::float::{Format, SpecialCodes};
pub(crate) use options::CallOptions;
pub(crate) use outcome::{ElaborationResult, wrong};
use rustc_hash::FxHashMap;
pub(crate) use scope::Scope;
use std::rc::Rc;

/// The most products of a description.
const MOST_PRODUCTS: usize = 1 << 16;
/// The greatest distance of exponents, and the least and greatest exponent, in an option.
const FARTHEST: i64 = 1 << 12;
/// The most bits of a number.
const WIDEST: i64 = 1 << 14;
/// The most values of all rows and terms of all sums together.
const MOST_VALUES: usize = 1 << 24;
/// Estimated bytes of a step, and of its place in a row.
const STEP_BYTES: u64 = 192;
const VALUE_BYTES: u64 = 4;
/// Estimated bytes of a term of a sum, with room to grow.
const TERM_BYTES: u64 = 96;

/// The value of a name: one value, or a row of values.
#[derive(Clone, Debug)]
enum Value {
    One(Slot),
    Row(Rc<Vec<Slot>>),
}

impl Value {
    fn slots(&self) -> &[Slot] {
        match self {
            Value::One(slot) => std::slice::from_ref(slot),
            Value::Row(slots) => slots,
        }
    }
}

/// Refuses a format that only factors have; `of` says what is in it.
fn not_of_factors(at: Place, format: &Format, of: &str) -> ElaborationResult<()> {
    if !format.is_element() {
        return Ok(());
    }
    wrong(
        at,
        format!("a format of {of}, found `{format}`, which is for factors"),
    )
}

/// The program so far, and what names mean.
struct Elaborator<'t> {
    scope: Scope<'t>,
    values: FxHashMap<String, Value>,
    operands: Vec<(Operand, Format, usize)>,
    result: Option<Format>,
    /// The number of products that share a scale.
    block: Option<usize>,
    nodes: Vec<ProgramNode>,
    /// The name that is being given a value.
    label: (&'static str, Option<usize>),
    /// For each step, whether its value can be an infinity or a NaN.
    specials: Vec<bool>,
    /// The values of all rows so far, and their memory with that of the steps.
    row_values: usize,
    account: Account,
    /// Where the result is given its value.
    result_at: Option<Place>,
    /// The first thing that conversions alone have, if there is one: proofs about sums know no rule for it.
    of_conversions: Option<(Place, String)>,
}

impl Program {
    /// The program of a description whose parameters have these values, in their order.
    ///
    /// # Errors
    /// If a name is not known, values of the wrong kind meet, or the description is too large.
    pub fn of(tree: &Tree, settings: &[Setting]) -> ElaborationResult<Program> {
        tree.is_a(false)?;
        Program::with_formats(tree, settings, &[])
    }

    /// The program of a description with names of formats of its own.
    pub(super) fn with_formats(
        tree: &Tree,
        settings: &[Setting],
        formats: &[(&str, Format)],
    ) -> ElaborationResult<Program> {
        let mut elaborator = Elaborator {
            scope: Scope::of(tree, settings, formats),
            values: FxHashMap::default(),
            operands: Vec::new(),
            result: None,
            block: None,
            nodes: Vec::new(),
            label: ("", None),
            specials: Vec::new(),
            row_values: 0,
            account: Account::default(),
            result_at: None,
            of_conversions: None,
        };
        elaborator.statements(&tree.statements)?;
        elaborator.program()
    }
}

impl Tree {
    /// Refuses a unit in place of a composition and the other way round, and parameters that are wrong.
    pub(crate) fn is_a(&self, composition: bool) -> ElaborationResult<()> {
        let start = Place { line: 1, column: 1 };
        match (composition, self.is_composition) {
            (false, true) => wrong(
                start,
                "a unit, found a composition, as in `compose:FILE(MODEL)`",
            ),
            (true, false) => wrong(start, "a composition, found a unit, as in `unit:FILE`"),
            _ => self.have_their_choices(),
        }
    }

    /// Refuses parameters of one name, or of one key, and a default that is none of the values of its parameter.
    fn have_their_choices(&self) -> ElaborationResult<()> {
        let defaults = self.defaults()?;
        for (number, (parameter, default)) in self.parameters.iter().zip(defaults).enumerate() {
            let Parameter { name, key, .. } = parameter;
            let mut earlier = self.parameters[..number].iter();
            if earlier.any(|other| other.name == *name || other.key == *key) {
                return wrong(
                    parameter.place,
                    format!("each parameter once, found `{name}` again"),
                );
            }
            if !parameter.admits(&default) {
                let choices: Vec<String> = parameter.choices.iter().map(said_choices).collect();
                let choices = match &parameter.choices[..] {
                    [Choices::Range(..)] => choices.concat(),
                    _ => format!("of {}", choices.join(" or ")),
                };
                let expected = format!("a default of `{name}` {choices}, found {default}");
                return wrong(parameter.place, expected);
            }
        }
        Ok(())
    }
}

fn said_choices(choices: &Choices) -> String {
    match choices {
        Choices::Range(first, last) => format!("from {first} to {last}"),
        other => other.to_string(),
    }
}

impl Elaborator<'_> {
    fn program(self) -> ElaborationResult<Program> {
        let end = Place { line: 1, column: 1 };
        let Some(d) = self.result else {
            return wrong(end, "a declaration of the result, such as `d: f32`");
        };
        let row = |operand: Operand| self.operands.iter().find(|(known, ..)| *known == operand);
        let Some(&(_, a, length)) = row(Operand::A) else {
            let expected =
                "a declaration of `a`, such as `a, b: f16[K]` or, for a conversion, `a: f32`";
            return wrong(end, expected);
        };
        let right = row(Operand::B);
        if let (Some((at, what)), true) = (&self.of_conversions, right.is_some()) {
            let expected = format!("a conversion, which has no `b`, for {what}");
            return wrong(*at, expected);
        }
        if let Some((_, _, other)) = right
            && length != *other
        {
            return wrong(
                end,
                format!("as many `a` as `b`, found {length} and {other}"),
            );
        }
        let scaled = |format: Format| {
            let block = self.block? as u32;
            Some(BlockScales { format, block })
        };
        let scales = match (row(Operand::AScales), row(Operand::BScales)) {
            (None, None) => None,
            (Some(&(_, format, _)), Some(&(_, other, _))) if right.is_some() && format == other => {
                scaled(format)
            }
            (Some(&(_, format, _)), None) if right.is_none() => scaled(format),
            _ if right.is_none() => return wrong(end, "scales `sa` alone, as there is no `b`"),
            _ => {
                return wrong(
                    end,
                    "scales of both sides in one format, such as `sa, sb: ue8m0 of 32`",
                );
            }
        };
        // A dot-add that declares no `c` has one that it does not read.
        let absent = right.map_or(Format::NONE, |_| d);
        let c = row(Operand::C).map_or(absent, |&(_, format, _)| format);
        let b = right.map_or(Format::NONE, |&(_, format, _)| format);
        let at = self.result_at.unwrap_or(end);
        let result = match self.values.get("d") {
            Some(Value::One(slot)) => *slot,
            Some(Value::Row(row)) => {
                let found = row.len();
                let expected = format!(
                    "one value of the result `d`, found a row of {found}, of which `[0]` is the first"
                );
                return wrong(at, expected);
            }
            None => return wrong(end, "a value of the result `d`"),
        };
        let found = self.nodes[result as usize].kind;
        if !matches!(found, ValueKind::Register(format) if format == d) {
            return wrong(at, format!("a result `d` in {d}, found {}", said(found)));
        }
        if let Some(scale) = self.unread_scale() {
            return wrong(
                end,
                format!("a step that reads `{}`, found none", scale.name()),
            );
        }
        let signature = Signature {
            a,
            b,
            c,
            d,
            products: length as u32,
            scales,
        };
        Ok(Program {
            signature,
            nodes: self.nodes,
            result,
        })
    }

    /// Says that the unit has something that conversions alone have.
    fn needs_conversion(&mut self, at: Place, what: &str) {
        let _ = self
            .of_conversions
            .get_or_insert_with(|| (at, what.to_owned()));
    }

    /// A row of scales that no step reads.
    fn unread_scale(&self) -> Option<Operand> {
        let scales = [Operand::AScales, Operand::BScales];
        let declared = |scale: &Operand| self.operands.iter().any(|(known, ..)| known == scale);
        let mut unread: Vec<Operand> = scales.into_iter().filter(declared).collect();
        for node in &self.nodes {
            if unread.is_empty() {
                break;
            }
            node.action.each_slot(|slot| {
                if let Action::Operand(read, _) = self.nodes[slot as usize].action {
                    unread.retain(|scale| *scale != read);
                }
            });
        }
        unread.first().copied()
    }

    /// A row of values, which counts as memory.
    fn row_of(&mut self, at: Place, row: Vec<Slot>) -> ElaborationResult<Value> {
        self.count_values(at, row.len())?;
        Ok(Value::Row(Rc::new(row)))
    }

    /// Counts values of rows.
    fn count_values(&mut self, at: Place, count: usize) -> ElaborationResult<()> {
        self.row_values += count;
        if self.row_values > MOST_VALUES {
            return wrong(
                at,
                format!("at most {MOST_VALUES} values in all rows and sums"),
            );
        }
        self.account.take(count as u64 * VALUE_BYTES);
        Ok(())
    }

    /// Whether the value of a step can be an infinity or a NaN.
    fn may_be_special(&self, action: &Action, kind: ValueKind) -> bool {
        let of = |slot: Slot| self.specials[slot as usize];
        match (action, kind) {
            (_, ValueKind::Register(format)) => format.specials != SpecialCodes::None,
            (Action::Cap { .. }, _) => true,
            (Action::Term(term), _) => match self.kind(term.of) {
                ValueKind::Register(format) => {
                    term.specials.of(&format).specials != SpecialCodes::None
                }
                ValueKind::Number(_) => of(term.of),
            },
            (Action::Sum { terms, .. }, _) => terms.iter().any(|slot| of(*slot)),
            (Action::Fuse(fuse), _) => fuse.terms.iter().any(|term| of(term.of)),
            (action, _) => {
                let mut is_special = false;
                action.each_slot(|slot| is_special |= of(slot));
                is_special
            }
        }
    }

    /// Adds a step, and returns the number of its value.
    fn add(&mut self, at: Place, action: Action, kind: ValueKind) -> ElaborationResult<Slot> {
        if self.nodes.len() >= MOST_STEPS {
            return wrong(at, format!("at most {MOST_STEPS} steps"));
        }
        if let ValueKind::Number(extent) = kind
            && (i64::from(extent.width) > WIDEST || extent.fraction.abs() > WIDEST)
        {
            return wrong(
                at,
                format!("a number of at most {WIDEST} bits, found {}", extent.width),
            );
        }
        let terms = match &action {
            Action::Fuse(fuse) => fuse.terms.len(),
            Action::Sum { terms, .. } => terms.len(),
            Action::Special { from, .. } | Action::Replace { from, .. } => from.len(),
            _ => 0,
        };
        self.count_values(at, terms)?;
        self.account.take(STEP_BYTES + TERM_BYTES * terms as u64);
        self.specials.push(self.may_be_special(&action, kind));
        let (name, index) = self.label;
        self.nodes.push(ProgramNode {
            name,
            index,
            action,
            kind,
        });
        Ok((self.nodes.len() - 1) as Slot)
    }

    fn kind(&self, slot: Slot) -> ValueKind {
        self.nodes[slot as usize].kind
    }
}

/// The kind of a value, in words.
fn said(kind: ValueKind) -> String {
    match kind {
        ValueKind::Register(format) => format!("a register of {format}"),
        ValueKind::Number(_) => "a number that is not rounded".into(),
    }
}
