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
pub(super) struct Classes(OnceLock<Made>);

#[derive(Debug)]
struct Made {
    /// For each operand, the index of its class.
    of_operand: Vec<usize>,
    classes: Vec<Class>,
}

/// The assumptions on an operand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub format: Format,
    /// The clauses that apply to the operand.
    pub clauses: Vec<usize>,
    /// Whether the clauses depend on the register alone, and not on which operand holds it.
    pub by_register: bool,
}

/// Operands with the same assumptions.
#[derive(Debug)]
pub(super) struct Class {
    said: Said,
    /// For each register, the register that replaces it and whether the domain admits it, as far as
    /// these answers were asked for; empty if no answers are kept.
    known: Box<[AtomicU32]>,
}

impl Classes {
    /// The class of an operand. If the classes are not made yet, `all` gives the assumptions on
    /// every operand.
    pub fn of(&self, operand: usize, all: impl FnOnce() -> Vec<Said>) -> &Class {
        let made = self.0.get_or_init(|| Made::of(all()));
        &made.classes[made.of_operand[operand]]
    }
}

impl Made {
    fn of(all: Vec<Said>) -> Self {
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
    fn new(said: Said) -> Self {
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

#[cfg(test)]
mod tests {
    use super::{Class, Classes, Said};
    use mmasmt_core::numbers::float::Format;
    use std::cell::Cell;

    #[test]
    fn a_register_of_a_narrow_format_is_asked_about_once() {
        let said = |format: Format, clauses: &[usize], by_register: bool| Said {
            format,
            clauses: clauses.to_vec(),
            by_register,
        };
        // Two operands of one class, one with other clauses, one whose clauses depend on its place,
        // one of a wide format, one without clauses.
        let all = || {
            vec![
                said(Format::F16, &[0], true),
                said(Format::F16, &[0], true),
                said(Format::F16, &[0, 1], true),
                said(Format::F16, &[2], false),
                said(Format::F32, &[0], true),
                said(Format::F16, &[], true),
            ]
        };
        let count = Cell::new(0);
        let asked = |class: &Class, register: u64| {
            class.admits(register, || {
                count.set(count.get() + 1);
                register % 2 == 1
            })
        };
        let classes = Classes::default();
        for (operand, expected) in [
            (0, 2),
            (1, 0),
            (0, 0),
            (2, 2),
            (2, 0),
            (3, 2),
            (3, 2),
            (4, 2),
            (4, 2),
        ] {
            let class = classes.of(operand, all);
            assert!(asked(class, 1) && !asked(class, 0xfffe) && !class.is_free());
            assert_eq!(count.take(), expected, "{operand}");
        }
        assert!(classes.of(5, all).is_free());
        // A copy has no answers, so it asks again.
        assert!(asked(classes.clone().of(0, all), 1));
        assert_eq!(count.take(), 1);
    }

    #[test]
    fn what_a_register_is_brought_to_and_whether_it_is_admitted_do_not_mix() {
        let all = || {
            vec![Said {
                format: Format::F16,
                clauses: vec![0],
                by_register: true,
            }]
        };
        let classes = Classes::default();
        let class = classes.of(0, all);
        assert_eq!(class.brings(3, || 0xffff), 0xffff);
        assert!(!class.admits(3, || false) && !class.admits(3, || true));
        assert_eq!(class.brings(3, || 0), 0xffff);
        assert!(class.admits(0xffff, || true) && class.admits(0xffff, || false));
        assert_eq!(class.brings(0xffff, || 0), 0);
    }
}
