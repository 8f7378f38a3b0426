//! A cache of what a domain says about single registers: whether it admits a register, and which
//! register it puts in its place. Samples ask about the same few registers again and again.

use mmasmt_core::numbers::float::Format;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The width in bits of the widest registers for which answers are kept. For such registers, the
/// answers take 256 KiB for each class of operands.
const WIDEST: u32 = 16;

const BROUGHT: u32 = 1 << 16;
const ASKED: u32 = 1 << 17;
const ADMITTED: u32 = 1 << 18;

/// The operands of a signature, divided into classes with the same assumptions. The classes are
/// made when they are first needed.
#[derive(Debug, Default)]
pub struct Classes(OnceLock<Made>);

#[derive(Debug)]
struct Made {
    /// For each operand, the index of its class.
    of_operand: Vec<usize>,
    classes: Vec<Class>,
}

/// The assumptions on an operand.
#[derive(Debug, PartialEq, Eq)]
pub struct OperandAssumptions {
    pub format: Format,
    /// The clauses that apply to the operand.
    pub clauses: Vec<usize>,
    /// Whether the clauses depend on the register alone, and not on which operand holds it.
    pub by_register: bool,
}

/// Operands with the same assumptions.
#[derive(Debug)]
pub struct Class {
    said: OperandAssumptions,
    /// For each register, the register that replaces it and whether the domain admits it, as far as
    /// these answers were asked for; empty if no answers are kept.
    known: Box<[AtomicU32]>,
}

impl Classes {
    /// The class of an operand. If the classes are not made yet, `all` gives the assumptions on
    /// every operand.
    pub fn of(&self, operand: usize, all: impl FnOnce() -> Vec<OperandAssumptions>) -> &Class {
        let made = self.0.get_or_init(|| Made::of(all()));
        &made.classes[made.of_operand[operand]]
    }
}

impl Made {
    fn of(all: Vec<OperandAssumptions>) -> Self {
        let mut made = Made {
            of_operand: Vec::new(),
            classes: Vec::new(),
        };
        for said in all {
            let same = made.classes.iter().position(|class| class.said == said);
            made.of_operand.push(same.unwrap_or(made.classes.len()));
            if same.is_none() {
                made.classes.push(Class::new(said));
            }
        }
        made
    }
}

impl Class {
    fn new(said: OperandAssumptions) -> Self {
        let width = said.format.width();
        let is_kept = width <= WIDEST && !said.clauses.is_empty() && said.by_register;
        let registers = if is_kept { 1 << width } else { 0 };
        let known = std::iter::repeat_with(AtomicU32::default).take(registers);
        Class {
            known: known.collect(),
            said,
        }
    }

    /// The format of the operands of the class.
    pub fn format(&self) -> &Format {
        &self.said.format
    }

    /// Whether no clause applies to the operands of the class.
    pub fn is_free(&self) -> bool {
        self.said.clauses.is_empty()
    }

    /// Whether the domain admits the register; `asked` computes the answer if it is not known yet.
    pub fn admits(&self, register: u64, asked: impl FnOnce() -> bool) -> bool {
        let Some(known) = self.known.get(register as usize) else {
            return asked();
        };
        let word = known.load(Ordering::Relaxed);
        if word & ASKED != 0 {
            return word & ADMITTED != 0;
        }
        let admitted = asked();
        let answer = if admitted { ASKED | ADMITTED } else { ASKED };
        known.fetch_or(answer, Ordering::Relaxed);
        admitted
    }

    /// The register by which the domain replaces `register`; `brought` computes it if it is not
    /// known yet.
    pub fn brings(&self, register: u64, brought: impl FnOnce() -> u64) -> u64 {
        let Some(known) = self.known.get(register as usize) else {
            return brought();
        };
        let word = known.load(Ordering::Relaxed);
        if word & BROUGHT != 0 {
            return u64::from(word & (BROUGHT - 1));
        }
        let register = brought();
        known.fetch_or(BROUGHT | register as u32, Ordering::Relaxed);
        register
    }
}

/// A copy starts without remembered answers.
impl Clone for Classes {
    fn clone(&self) -> Self {
        Classes::default()
    }
}

/// Equality ignores the remembered answers.
impl PartialEq for Classes {
    fn eq(&self, _: &Classes) -> bool {
        true
    }
}

impl Eq for Classes {}
