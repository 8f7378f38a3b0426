//! Options of steps that change no result for finite operands: units that differ in nothing else are equal.
//!
//! The form of a number says between which powers of two it lies, and that it is a multiple of its last place. So a rounding
//! has no use for a rule of overflow where the number is below the greatest power of two of the format, nor for a rule of
//! results below the normal numbers where its last place is a normal number. The code of a NaN has no use where no step on
//! the way can make one. The sign of a zero has none where every step behind adds it to a sum, whose zero has a sign of its own.
//! How a term is written has none where only its value is read: by exact sums, and by roundings to floating point.
//!
//! A program whose idle options are set to one value each is its *settled* form. No formula is needed, and a form that is not
//! the same says nothing.

use mmasmt_core::machines::algorithms::FlushedResults;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Integers, Nan, Program, ProgramNode, Round, RoundSource, Slot, Specials, SumZeros,
    ValueKind, ValueReads, ZeroSign, Zeros,
};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::{Dyadic, FlushedZero, Format, NanCode, Overflow, Rounding};

/// Whether two models give the same results for all finite operands, because their steps differ in nothing but options that
/// change none. False if they do not differ at all.
pub fn differ_idly(left: &Model, right: &Model) -> bool {
    let steps = [left, right].map(|model| model.algorithm().steps());
    let [Some(left), Some(right)] = steps else {
        return false;
    };
    left != right && settled_steps(&left) == settled_steps(&right)
}

/// A step of a unit, with idle options set to one value each. The form of a number whose value alone is read is left out.
type Step = (Action, Option<ValueKind>);

/// The steps that a result is made of, each once: they are numbered from the result back, so that equal results are made of
/// equal steps.
fn of_result(mut steps: Vec<Step>, result: Slot) -> Vec<Step> {
    let mut numbers = vec![None; steps.len()];
    let mut order: Vec<Slot> = Vec::new();
    let mut number = |slot: Slot, order: &mut Vec<Slot>| {
        *numbers[slot as usize].get_or_insert_with(|| {
            order.push(slot);
            (order.len() - 1) as Slot
        })
    };
    number(result, &mut order);
    let mut next = 0;
    while let Some(slot) = order.get(next).copied() {
        let action = &mut steps[slot as usize].0;
        action.each_slot_mut(|of| *of = number(*of, &mut order));
        next += 1;
    }
    order
        .iter()
        .map(|slot| steps[*slot as usize].clone())
        .collect()
}

/// What a value can be for finite operands.
#[derive(Clone, Copy, Default)]
struct Range {
    is_special: bool,
    is_nan: bool,
    /// Whether a bit below the number says that something was lost: it is no multiple of its last place then.
    is_sticky: bool,
}

/// The settled form of a unit.
fn settled_steps(program: &Program) -> Vec<Step> {
    let read = program.reads();
    let mut ranges: Vec<Range> = Vec::with_capacity(program.nodes.len());
    let mut steps = Vec::with_capacity(program.nodes.len());
    for (node, read) in program.nodes.iter().zip(&read) {
        let (action, range) = settled(program, node, *read, &ranges);
        let is_value = matches!(node.kind, ValueKind::Number(_)) && !read.form;
        steps.push((action, (!is_value).then_some(node.kind)));
        ranges.push(range);
    }
    of_result(steps, program.result)
}

/// The step with its idle options set, and what its value can be.
fn settled(
    program: &Program,
    node: &ProgramNode,
    read: ValueReads,
    ranges: &[Range],
) -> (Action, Range) {
    let mut action = node.action.clone();
    let mut terms = Range::default();
    node.action.each_slot(|slot| {
        terms.is_special |= ranges[slot as usize].is_special;
        terms.is_nan |= ranges[slot as usize].is_nan;
        terms.is_sticky |= ranges[slot as usize].is_sticky;
    });
    // Infinities that meet may be a NaN.
    let met = Range {
        is_nan: terms.is_special || terms.is_nan,
        ..terms
    };
    let range = match &mut action {
        Action::Operand(..) => Range::default(),
        Action::Constant(code) => match node.kind {
            ValueKind::Register(format) => Range {
                is_special: Dyadic::of(&format, *code).is_none(),
                is_nan: format.is_nan(*code),
                is_sticky: false,
            },
            ValueKind::Number(_) => terms,
        },
        Action::Flush(_, to) => {
            if !read.sign_of_zero {
                *to = FlushedZero::SameSign;
            }
            terms
        }
        Action::Term(term) => {
            if !terms.is_special {
                term.specials = Specials::Format;
            }
            if !read.form {
                (term.zeros, term.widen, term.room) = (Zeros::None, false, 0);
            }
            terms
        }
        Action::Sum { zeros, .. } => {
            if !read.form {
                *zeros = SumZeros::None;
            }
            met
        }
        Action::Product(_) => met,
        Action::Fuse(fuse) => Range {
            is_sticky: fuse.sticky,
            ..met
        },
        Action::Normalise(_)
        | Action::Positive(_)
        | Action::Part { .. }
        | Action::Drop { .. }
        | Action::Miscount { .. }
        | Action::Cut(_)
        | Action::Differ(_) => terms,
        Action::Replace { .. } => Range {
            is_special: terms.is_special || terms.is_nan,
            ..met
        },
        Action::Greatest(_)
        | Action::Inverse(_)
        | Action::Scaled { .. }
        | Action::Cap { .. }
        | Action::Special { .. } => Range {
            is_special: true,
            is_nan: true,
            ..terms
        },
        Action::Round(round) => match node.kind {
            ValueKind::Register(format) if format.is_integer() => {
                of_integer(program, round, &format)
            }
            ValueKind::Register(format) => of_float(program, round, &format, read, ranges),
            ValueKind::Number(_) => met,
        },
    };
    (action, range)
}

/// The powers of two that a number is a multiple of and below.
fn reach(program: &Program, of: Slot) -> [i64; 2] {
    let extent = program.extent(of);
    [
        extent.lowest - extent.fraction,
        extent.highest + extent.integer_bits(),
    ]
}

fn of_integer(program: &Program, round: &mut Round, format: &Format) -> Range {
    if let RoundSource::Number(of) = round.of {
        (round.by, round.fraction) = (Rounding::Rne, 0);
        (round.tiny, round.overflow) = (FlushedResults::Kept, Overflow::Infinity);
        (round.zero, round.specials) = (ZeroSign::Plus, Specials::Format);
        if let Nan::Code(code) = &mut round.nan {
            *code = NanCode::Quiet;
        }
        let [_, top] = reach(program, of);
        if format.is_signed() && top < i64::from(format.width()) {
            round.integers = Integers::Wrap;
        }
    }
    Range::default()
}

fn of_float(
    program: &Program,
    round: &mut Round,
    format: &Format,
    read: ValueReads,
    ranges: &[Range],
) -> Range {
    round.integers = Integers::Wrap;
    let mut of = Range::default();
    let mut is_first_nan = false;
    let mut each = |slot: Slot| {
        of.is_special |= ranges[slot as usize].is_special;
        of.is_nan |= ranges[slot as usize].is_nan;
    };
    let number = match round.of {
        RoundSource::Number(slot) => {
            each(slot);
            Some(slot)
        }
        RoundSource::Register(slot) => {
            each(slot);
            None
        }
        RoundSource::Multiply(slots) | RoundSource::Add(slots) => {
            slots.into_iter().for_each(&mut each);
            of.is_nan |= of.is_special;
            None
        }
        RoundSource::Fma(slots) => {
            slots.into_iter().for_each(&mut each);
            of.is_nan |= of.is_special;
            None
        }
    };
    if let Nan::First(slots, _) = &round.nan {
        is_first_nan = slots.iter().any(|slot| ranges[*slot as usize].is_nan);
    }
    let mut is_below = false;
    if let Some(slot) = number {
        let [unit, top] = reach(program, slot);
        let unit = match ranges[slot as usize].is_sticky {
            true => i64::MIN,
            false => unit,
        };
        is_below = !of.is_special && top <= i64::from(format.max_exponent());
        let is_kept = round.overflow != Overflow::Ieee || is_below;
        if is_kept && unit >= i64::from(format.min_exponent()) {
            round.tiny = FlushedResults::Kept;
        }
        if is_below && round.tiny == FlushedResults::Kept {
            (round.overflow, round.specials) = (Overflow::Infinity, Specials::Format);
        }
        // To nearest, both rules of overflow give the infinity. Where results are flushed after rounding, IEEE 754 rounds
        // in a format of more range, in which no nonzero number may become zero: it would lose its sign.
        let is_same = match round.tiny {
            FlushedResults::Kept => true,
            FlushedResults::AfterRounding => {
                let wide = format.with_more_range();
                unit >= i64::from(wide.min_exponent()) - i64::from(round.fraction)
            }
            FlushedResults::BeforeRounding | FlushedResults::Register => false,
        };
        if round.overflow == Overflow::Ieee && round.by == Rounding::Rne && is_same {
            round.overflow = Overflow::Infinity;
        }
        // No nonzero number becomes a zero, or each that does keeps its sign: where IEEE 754 rounds first and flushes then,
        // what is rounded to zero has the sign of the rule.
        let least = i64::from(format.min_exponent()) - i64::from(round.fraction);
        let keeps_sign = round.tiny != FlushedResults::Kept && round.overflow == Overflow::Infinity;
        let is_plus = round.zero == ZeroSign::Total && (unit >= least || keeps_sign);
        if is_plus || !read.sign_of_zero {
            round.zero = ZeroSign::Plus;
        }
    }
    // A sum that overflows in a format without infinities is a NaN.
    let is_nan = of.is_nan || is_first_nan || !is_below && !format.has_infinity();
    if !is_nan {
        round.nan = Nan::Code(NanCode::Quiet);
    }
    Range {
        is_special: !is_below || is_nan,
        is_nan,
        is_sticky: false,
    }
}
