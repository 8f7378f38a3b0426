//! What a domain says of registers of one operand, remembered: samples ask about the same few again and again.

use super::{Clause, Predicate};
use crate::algorithms::Signature;
use crate::float::Format;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The widest registers of which answers are kept, which takes 256 KiB for a class of operands.
const WIDEST: u32 = 16;

const BROUGHT: u32 = 1 << 16;
const ASKED: u32 = 1 << 17;
const ADMITTED: u32 = 1 << 18;

/// The operands of a signature, those of one format with the same clauses as one class; made when first asked.
#[derive(Debug, Default)]
pub(super) struct Classes(OnceLock<Made>);

#[derive(Debug)]
struct Made {
    /// The class of each operand, in the order of [`Registers::each`](crate::algorithms::Registers::each).
    of_operand: Vec<usize>,
    classes: Vec<Class>,
}

/// Operands of which the domain says the same.
#[derive(Debug)]
pub(super) struct Class {
    pub format: Format,
    /// Which clauses they are under.
    clauses: Vec<usize>,
    /// Of each register what it is brought to and whether it is admitted, as far as that was asked; of a narrow format alone, and
    /// where the operands have no values of their own.
    known: Box<[AtomicU32]>,
}

impl Classes {
    /// The class of an operand.
    pub fn of(&self, operand: usize, signature: &Signature, clauses: &[Clause]) -> &Class {
        let made = self.0.get_or_init(|| Made::new(signature, clauses));
        &made.classes[made.of_operand[operand]]
    }
}

impl Made {
    fn new(signature: &Signature, clauses: &[Clause]) -> Self {
        let mut made = Made {
            of_operand: Vec::new(),
            classes: Vec::new(),
        };
        let formats = signature
            .rows()
            .flat_map(|row| (0..row.length).map(move |_| row.format));
        for (operand, format) in formats.enumerate() {
            let is_on = |clause: &usize| clauses[*clause].numbers[operand].is_some();
            let on: Vec<usize> = (0..clauses.len()).filter(is_on).collect();
            let is_same = |class: &Class| class.format == format && class.clauses == on;
            let class = made.classes.iter().position(is_same).unwrap_or_else(|| {
                made.classes.push(Class::new(format, on.clone(), clauses));
                made.classes.len() - 1
            });
            made.of_operand.push(class);
        }
        made
    }
}

impl Class {
    fn new(format: Format, on: Vec<usize>, clauses: &[Clause]) -> Self {
        let has_values = |index: &usize| matches!(clauses[*index].predicate, Predicate::Values(_));
        let is_known = format.width() <= WIDEST && !on.is_empty() && !on.iter().any(has_values);
        let known = match is_known {
            true => std::iter::repeat_with(AtomicU32::default)
                .take(1 << format.width())
                .collect(),
            false => Box::default(),
        };
        Class {
            format,
            clauses: on,
            known,
        }
    }

    /// Whether no clause is about them.
    pub fn is_free(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether the register is admitted; `asked` tells if that is not known.
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

    /// What the register is brought to; `brought` tells if that is not known.
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

/// A copy remembers nothing.
impl Clone for Classes {
    fn clone(&self) -> Self {
        Classes::default()
    }
}

/// What is remembered makes no difference.
impl PartialEq for Classes {
    fn eq(&self, _: &Classes) -> bool {
        true
    }
}

impl Eq for Classes {}

#[cfg(test)]
mod tests {
    use super::super::Domain;
    use super::Class;
    use crate::bits::{Concrete, W128};
    use crate::model::Model;
    use crate::vectors::Sampler;
    use std::cell::Cell;

    #[test]
    fn a_register_of_a_narrow_format_is_asked_about_once() {
        let signature = Model::parse("fda:K=2").unwrap().signature();
        let domain = Domain::parse("factors normal", &signature).unwrap();
        let count = Cell::new(0);
        let asked = |class: &Class, register: u64| {
            class.admits(register, || {
                count.set(count.get() + 1);
                register % 2 == 1
            })
        };
        let class = |operand| domain.classes.of(operand, &signature, &domain.clauses);
        for operand in [0, 3, 0, 1] {
            assert!(asked(class(operand), 1) && !asked(class(operand), 0xfffe));
        }
        assert_eq!(count.take(), 2);
        // A copy asks again.
        let copy = domain.clone();
        assert!(asked(copy.classes.of(0, &signature, &copy.clauses), 1));
        assert_eq!(count.take(), 1);
        // c is wide, and no clause is about it.
        assert!(class(4).is_free() && asked(class(4), 1) && asked(class(4), 1));
        assert_eq!(count.take(), 2);
    }

    /// What is said of registers is what is said of words, asked once or again.
    #[test]
    fn registers_are_told_as_words_are() {
        let mut inside = 0;
        for (model, assume) in [
            ("fda:K=2", "factors from -40..2000, c from -5000..900000"),
            ("fda:K=2", "factors exp -3..2, factors bits 4, c zero"),
            ("fda:K=2,in=bf16", "zero-or-normal, positive, b[1..] zero"),
            ("fda:K=2,in=tf32", "factors from -1..1000000, a[1] = 1"),
            (
                "fda:K=2,a=e4m3,b=e5m2",
                "a from -9..9, c from -100..7, b in e2m1",
            ),
            ("int:K=2,in=s8", "a from -3..100, c from -5..1000000"),
            (
                "gdfs:F=35,scale=ue4m3,block=16",
                "factors from 0..3, sa exp -2..2, c from -70..10",
            ),
        ] {
            let signature = Model::parse(model).unwrap().signature();
            let domain = Domain::parse(assume, &signature).unwrap();
            let mut sampler = Sampler::new(signature, 5);
            for _ in 0..400 {
                let drawn = sampler.sample();
                let fixed = domain
                    .fixed(&drawn.lifted::<W128>(&signature))
                    .map(&signature, |_, word| word.to_u64());
                for _ in 0..2 {
                    assert_eq!(domain.fixed_bits(&drawn), fixed, "{assume}");
                    for inputs in [&drawn, &fixed] {
                        let holds = domain.holds(&inputs.lifted::<W128>(&signature));
                        assert_eq!(domain.contains(inputs), holds, "{assume}: {inputs:x?}");
                        inside += usize::from(holds);
                    }
                }
            }
        }
        assert!(inside > 100, "{inside}");
    }
}
