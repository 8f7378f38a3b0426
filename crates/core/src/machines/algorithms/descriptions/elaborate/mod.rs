//! Elaboration: the syntax tree and the values of its parameters become a list of steps.

mod calls;
mod extents;
mod fused;
mod indices;
mod labels;
mod numbers;
mod options;
mod rounding;
mod statements;

use super::error::DescriptionError;
use super::program::{Action, Kind, Node, Program, Slot};
use super::tree::{Place, Setting, Tree};
use crate::machines::algorithms::{BlockScales, Operand, Signature};
use crate::numbers::float::Format;
use rustc_hash::FxHashMap;

/// The most steps of a description.
const MOST_STEPS: usize = 1 << 20;
/// The most products of a description.
const MOST_PRODUCTS: usize = 1 << 16;
/// The greatest distance of exponents, and the least and greatest exponent, in an option.
const FARTHEST: i64 = 1 << 12;
/// The most bits of a number.
const WIDEST: i64 = 1 << 14;

/// The value of a name: one value, or a row of values.
#[derive(Clone, Debug)]
enum Value {
    One(Slot),
    Row(Vec<Slot>),
}

impl Value {
    fn slots(&self) -> &[Slot] {
        match self {
            Value::One(slot) => std::slice::from_ref(slot),
            Value::Row(slots) => slots,
        }
    }
}

type Elaborated<T> = Result<T, DescriptionError>;

fn wrong<T>(at: Place, expected: impl Into<String>) -> Elaborated<T> {
    Err(DescriptionError {
        at,
        expected: expected.into(),
    })
}

/// Refuses a format that only factors have; `of` says what is in it.
fn not_of_factors(at: Place, format: &Format, of: &str) -> Elaborated<()> {
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
    settings: FxHashMap<&'t str, &'t Setting>,
    counters: Vec<(String, i64)>,
    values: FxHashMap<String, Value>,
    operands: Vec<(Operand, Format, usize)>,
    result: Option<Format>,
    /// The number of products that share a scale.
    block: Option<usize>,
    nodes: Vec<Node>,
    /// The name that is being given a value.
    label: (&'static str, Option<usize>),
    /// The turns of loops so far.
    turns: usize,
    /// Formats beside those that have a name everywhere.
    formats: &'t [(&'t str, Format)],
}

impl Program {
    /// The program of a description whose parameters have these values, in their order.
    ///
    /// # Errors
    /// If a name is not known, values of the wrong kind meet, or the description is too large.
    pub fn of(tree: &Tree, settings: &[Setting]) -> Elaborated<Program> {
        Program::with_formats(tree, settings, &[])
    }

    /// The program of a description with names of formats of its own.
    pub(super) fn with_formats(
        tree: &Tree,
        settings: &[Setting],
        formats: &[(&str, Format)],
    ) -> Elaborated<Program> {
        let names = tree.parameters.iter().map(|one| one.name.as_str());
        let mut elaborator = Elaborator {
            settings: names.zip(settings).collect(),
            counters: Vec::new(),
            values: FxHashMap::default(),
            operands: Vec::new(),
            result: None,
            block: None,
            nodes: Vec::new(),
            label: ("", None),
            turns: 0,
            formats,
        };
        elaborator.statements(&tree.statements)?;
        elaborator.program()
    }
}

impl Elaborator<'_> {
    fn program(self) -> Elaborated<Program> {
        let end = Place { line: 1, column: 1 };
        let Some(d) = self.result else {
            return wrong(end, "a declaration of the result, such as `d: f32`");
        };
        let row = |operand: Operand| self.operands.iter().find(|(known, ..)| *known == operand);
        let (Some(&(_, a, length)), Some(&(_, b, other))) = (row(Operand::A), row(Operand::B))
        else {
            return wrong(end, "declarations of both factors, such as `a, b: f16[K]`");
        };
        if length != other {
            return wrong(
                end,
                format!("as many `a` as `b`, found {length} and {other}"),
            );
        }
        let scales = match (row(Operand::AScales), row(Operand::BScales)) {
            (None, None) => None,
            (Some(&(_, format, _)), Some(&(_, other, _))) if format == other => {
                self.block.map(|block| BlockScales {
                    format,
                    block: block as u32,
                })
            }
            _ => {
                return wrong(
                    end,
                    "scales of both sides in one format, such as `sa, sb: ue8m0 of 32`",
                );
            }
        };
        let c = row(Operand::C).map_or(d, |&(_, format, _)| format);
        let result = match self.values.get("d") {
            Some(Value::One(slot)) => *slot,
            _ => return wrong(end, "a value of the result `d`"),
        };
        let found = self.nodes[result as usize].kind;
        if !matches!(found, Kind::Register(format) if format == d) {
            return wrong(end, format!("a result `d` in {d}, found {}", said(found)));
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

    /// Adds a step, and returns the number of its value.
    fn add(&mut self, at: Place, action: Action, kind: Kind) -> Elaborated<Slot> {
        if self.nodes.len() >= MOST_STEPS {
            return wrong(at, format!("at most {MOST_STEPS} steps"));
        }
        if let Kind::Number(extent) = kind
            && (i64::from(extent.width) > WIDEST || extent.fraction.abs() > WIDEST)
        {
            return wrong(
                at,
                format!("a number of at most {WIDEST} bits, found {}", extent.width),
            );
        }
        let (name, index) = self.label;
        self.nodes.push(Node {
            name,
            index,
            action,
            kind,
        });
        Ok((self.nodes.len() - 1) as Slot)
    }

    fn kind(&self, slot: Slot) -> Kind {
        self.nodes[slot as usize].kind
    }
}

/// The kind of a value, in words.
fn said(kind: Kind) -> String {
    match kind {
        Kind::Register(format) => format!("a register of {format}"),
        Kind::Number(_) => "a number that is not rounded".into(),
    }
}
