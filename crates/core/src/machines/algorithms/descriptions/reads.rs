//! What the steps of a description read of each value, and the shorter program for a result alone.
//!
//! The sign of a zero is often read by nobody: every step behind adds it to a sum, whose zero has a sign of its own, or the
//! register that shows it becomes +0. Such zeros may be +0 from the beginning, which takes fewer operations. A program that
//! records its stages keeps them, since `explain` shows registers as the unit has them.

use super::program::{
    Action, NegativeForm, Program, Round, RoundSource, Slot, ValueKind, ZeroSign,
};
use mmasmt_numbers::float::{FlushedZero, SpecialCodes};

/// What steps read of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueReads {
    /// More than the value: the exponent that it is compared by, or places of its significand.
    pub form: bool,
    /// The sign of a zero.
    pub sign_of_zero: bool,
}

impl ValueReads {
    const WHOLE: ValueReads = ValueReads {
        form: true,
        sign_of_zero: true,
    };
}

impl Program {
    /// What later steps read of each value, and the result of its own.
    pub fn reads(&self) -> Vec<ValueReads> {
        let mut all = vec![ValueReads::default(); self.nodes.len()];
        all[self.result as usize].sign_of_zero = true;
        for (slot, node) in self.nodes.iter().enumerate().rev() {
            let own = all[slot];
            let by = match &node.action {
                // Every zero becomes +0.
                Action::Flush(_, FlushedZero::Plus) | Action::Positive(_) => ValueReads {
                    sign_of_zero: false,
                    ..own
                },
                Action::Flush(..) | Action::Product(_) | Action::Sum { .. } => own,
                Action::Term(term) => ValueReads {
                    form: own.form || matches!(self.kind(term.of), ValueKind::Number(_)),
                    ..own
                },
                Action::Fuse(fuse) => ValueReads {
                    form: true,
                    sign_of_zero: own.sign_of_zero || fuse.negate != NegativeForm::Twos,
                },
                Action::Round(round) => {
                    by_rounding(round, node.kind, own, &mut all);
                    continue;
                }
                // Bits of a zero are a zero of its sign.
                Action::Part { .. }
                | Action::Cut(_)
                | Action::Drop { .. }
                | Action::Miscount { .. }
                | Action::Normalise(_) => ValueReads { form: true, ..own },
                Action::Operand(..)
                | Action::Constant(_)
                | Action::Differ(_)
                | Action::Greatest(_)
                | Action::Inverse(_)
                | Action::Scaled { .. }
                | Action::Cap { .. }
                | Action::Special { .. }
                | Action::Replace { .. } => ValueReads::WHOLE,
            };
            node.action.each_slot(|of| note(&mut all, of, by));
        }
        all
    }

    /// The program with +0 in place of zeros whose sign is not read, and with terms that take subnormal
    /// registers as zeros in place of registers that are flushed first; its results are the same.
    pub(super) fn for_result(&self) -> Program {
        let mut program = self.clone();
        let reads = self.reads();
        for node in &mut program.nodes {
            if let Action::Term(term) = &mut node.action
                && let Some(of) = self.unflushed(term.of, reads[term.of as usize])
            {
                (term.of, term.flushed) = (of, true);
            }
        }
        for (node, read) in program.nodes.iter_mut().zip(reads) {
            match &mut node.action {
                _ if read.sign_of_zero => {}
                Action::Flush(_, to) => *to = FlushedZero::Plus,
                Action::Round(Round {
                    of: RoundSource::Number(_),
                    zero,
                    ..
                }) => *zero = ZeroSign::Plus,
                _ => {}
            }
        }
        program.with_fixed_factors().with_common_least_exponents()
    }

    /// The register that the step flushes, if a term of it can take subnormal numbers as zeros itself:
    /// the zeros then have the sign of the register, which must be that of the step or read by nobody.
    fn unflushed(&self, slot: Slot, read: ValueReads) -> Option<Slot> {
        let Action::Flush(of, to) = self.nodes[slot as usize].action else {
            return None;
        };
        let format = self.format(of)?;
        let has_zeros = format.has_fields()
            && format.has_zero()
            && format.specials != SpecialCodes::NegativeZero;
        let is_same = to == FlushedZero::SameSign || !read.sign_of_zero;
        (has_zeros && is_same).then_some(of)
    }
}

fn note(all: &mut [ValueReads], slot: Slot, by: ValueReads) {
    let read = &mut all[slot as usize];
    read.form |= by.form;
    read.sign_of_zero |= by.sign_of_zero;
}

/// A rounding to floating point reads the value of a number; operations of IEEE 754 read registers as they are. A register
/// whose NaN comes first is read for that alone.
fn by_rounding(round: &Round, kind: ValueKind, own: ValueReads, all: &mut [ValueReads]) {
    let is_integer = matches!(kind, ValueKind::Register(format) if format.is_integer());
    let mut whole = |slots: &[Slot]| {
        slots
            .iter()
            .for_each(|of| note(all, *of, ValueReads::WHOLE))
    };
    match round.of {
        RoundSource::Number(of) => {
            let shows_sign = !matches!(round.zero, ZeroSign::Plus | ZeroSign::Total);
            let by = ValueReads {
                form: is_integer,
                sign_of_zero: own.sign_of_zero && shows_sign,
            };
            note(all, of, by);
        }
        RoundSource::Register(of) => whole(&[of]),
        RoundSource::Multiply(of) | RoundSource::Add(of) => whole(&of),
        RoundSource::Fma(of) => whole(&of),
    }
}
