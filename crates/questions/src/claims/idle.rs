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

use mmasmt_core::machines::algorithms::descriptions::{
    Action, Integers, Kind, Nan, Node, Program, Read, Round, Slot, Source, Specials, SumZeros,
    ZeroRule, Zeros,
};
use mmasmt_core::machines::algorithms::{FlushedResults, Operation};
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::float::{FlushedTo, Format, NanCode, Overflow, Rounding};

/// Whether two descriptions give the same results for all finite operands, because they differ in nothing but options that
/// change none. False if they do not differ at all, and for chains and compositions.
pub fn differ_idly(left: &Model, right: &Model) -> bool {
    let described = |model: &Model| match model.algorithm().operation()? {
        (Operation::Description(unit), 1) => Some(unit.clone()),
        _ => None,
    };
    let (Some(left), Some(right)) = (described(left), described(right)) else {
        return false;
    };
    left != right && settled_steps(left.program()) == settled_steps(right.program())
}

/// A step of a unit, with idle options set to one value each. The form of a number whose value alone is read is left out.
type Step = (Action, Option<Kind>);

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
}

/// The settled form of a unit.
fn settled_steps(program: &Program) -> Vec<Step> {
    let read = program.reads();
    let mut ranges: Vec<Range> = Vec::with_capacity(program.nodes.len());
    let mut steps = Vec::with_capacity(program.nodes.len());
    for (node, read) in program.nodes.iter().zip(&read) {
        let (action, range) = settled(program, node, *read, &ranges);
        let is_value = matches!(node.kind, Kind::Number(_)) && !read.form;
        steps.push((action, (!is_value).then_some(node.kind)));
        ranges.push(range);
    }
    of_result(steps, program.result)
}

/// The step with its idle options set, and what its value can be.
fn settled(program: &Program, node: &Node, read: Read, ranges: &[Range]) -> (Action, Range) {
    let mut action = node.action.clone();
    let mut terms = Range::default();
    node.action.each_slot(|slot| {
        terms.is_special |= ranges[slot as usize].is_special;
        terms.is_nan |= ranges[slot as usize].is_nan;
    });
    // Infinities that meet may be a NaN.
    let met = Range {
        is_nan: terms.is_special,
        ..terms
    };
    let range = match &mut action {
        Action::Operand(..) | Action::Zero => Range::default(),
        Action::Flush(_, to) => {
            if !read.sign_of_zero {
                *to = FlushedTo::SameSign;
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
        Action::Product(_) | Action::Fuse(_) => met,
        Action::Normalise(_)
        | Action::Part { .. }
        | Action::Drop { .. }
        | Action::Miscount { .. }
        | Action::Cut(_)
        | Action::Differ(_) => terms,
        Action::Cap { .. } | Action::Special { .. } => Range {
            is_special: true,
            is_nan: true,
        },
        Action::Round(round) => match node.kind {
            Kind::Register(format) if format.is_integer() => of_integer(program, round, &format),
            Kind::Register(format) => of_float(program, round, &format, read, ranges),
            Kind::Number(_) => met,
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
    if let Source::Number(of) = round.of {
        (round.by, round.fraction) = (Rounding::Rne, 0);
        (round.tiny, round.overflow) = (FlushedResults::Kept, Overflow::Infinity);
        (round.zero, round.specials) = (ZeroRule::Plus, Specials::Format);
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
    read: Read,
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
        Source::Number(slot) => {
            each(slot);
            Some(slot)
        }
        Source::Register(slot) => {
            each(slot);
            None
        }
        Source::Multiply(slots) | Source::Add(slots) => {
            slots.into_iter().for_each(&mut each);
            of.is_nan |= of.is_special;
            None
        }
        Source::Fma(slots) => {
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
        // No nonzero number becomes a zero, or each that does keeps its sign.
        let least = i64::from(format.min_exponent()) - i64::from(round.fraction);
        let is_plus =
            round.zero == ZeroRule::Total && (unit >= least || round.tiny != FlushedResults::Kept);
        if is_plus || !read.sign_of_zero {
            round.zero = ZeroRule::Plus;
        }
    }
    // A sum that overflows in a format without infinities is a NaN.
    let is_nan = of.is_nan || is_first_nan || !is_below && !format.has_infinity();
    if !is_nan {
        round.nan = Nan::Code(NanCode::Quiet);
    }
    Range {
        is_special: !is_below,
        is_nan,
    }
}

#[cfg(test)]
mod tests {
    use super::differ_idly;
    use mmasmt_core::machines::algorithms::{Inputs, Operation};
    use mmasmt_core::machines::model::Model;
    use mmasmt_core::numbers::float::Format;

    fn unit(round: &str) -> Model {
        let text = format!(
            "unit:{{unit u {{ a, b: e5m2[2]; c, d: f32; s = round(sum(a * b)) to f32 {round}; d = round(sum(s, c)) to f32 }}}}"
        );
        Model::parse(&text).unwrap()
    }

    #[test]
    fn options_that_no_sum_reaches_are_idle() {
        let plain = unit("");
        for idle in [
            "tiny before",
            "tiny after",
            "tiny register",
            "overflow infinity",
            "overflow saturate",
            "nan ones",
            "nan any",
        ] {
            assert!(differ_idly(&plain, &unit(idle)), "{idle}");
        }
        for other in ["by rz", "by rd"] {
            assert!(!differ_idly(&plain, &unit(other)), "{other}");
        }
    }

    /// Products of bf16 reach both ends of f32.
    #[test]
    fn options_that_a_sum_reaches_are_not() {
        let unit = |round: &str| {
            let text = format!(
                "unit:{{unit u {{ a, b: bf16[2]; c, d: f32; d = round(sum(a * b, c)) to f32 {round} }}}}"
            );
            Model::parse(&text).unwrap()
        };
        let plain = unit("");
        for other in ["tiny before", "by rz", "sign shared"] {
            assert!(!differ_idly(&plain, &unit(other)), "{other}");
        }
        // Finite operands give an infinity, but no NaN.
        assert!(differ_idly(&plain, &unit("nan ones")));
    }

    /// Every change of one option that is found idle gives the same results on all finite operands.
    #[test]
    fn what_is_found_idle_changes_no_result() {
        let (mut idle, mut shown) = (0, 0);
        for steps in [
            "d = round(sum(a * b)) to e4m3",
            "d = round(sum(a * b)) to e5m2 tiny before overflow ieee",
            "d = round(sum(a * b)) to e5m2 overflow saturate sign ieee by rd",
            "d = round(fuse(a * b) keep 2 by rd) to e3m2 tiny after",
            "s = round(sum(a * b)) to f16 tiny register sign shared; d = round(sum(s, s)) to e5m2",
            "s = round(sum(a * b)) to e5m2 tiny after sign total; d = round(sum(flush(s), flush(s))) to e5m2 nan ones",
            "x = round(a) to e4m3; y = term(b) widen; d = round(sum(x * y)) to e4m3 sign total by rz",
            "x = term(flush(a)) zeros field; d = round(cut(sum(x * b)) bits 3 by rne) to f16 overflow infinity",
            "x = part(term(flush(a) sign plus)) low 0 bits 2; d = round(sum(x * b)) to e4m3 tiny after",
            "t = drop(fuse(a * b) keep 3 by rna) exponent -2; d = flush(round(miscount(t) bits 4) to e5m2 by rz overflow infinity) sign plus",
        ] {
            let base = unit_of(steps);
            let signature = base.signature();
            let codes = |format: &Format| {
                let all = 0..1u64 << format.width();
                all.filter(|bits| format.is_finite(*bits))
                    .collect::<Vec<_>>()
            };
            let inputs: Vec<Inputs> = codes(&signature.a)
                .into_iter()
                .flat_map(|a| codes(&signature.b).into_iter().map(move |b| [a, b]))
                .map(|[a, b]| Inputs::new(vec![a], vec![b], 0))
                .collect();
            let results = |model: &Model| -> Vec<u64> {
                let mut simulator = model.simulator();
                inputs.iter().map(|inputs| simulator.run(inputs)).collect()
            };
            let own = results(&base);
            let Some((Operation::Description(unit), _)) = base.algorithm().operation() else {
                panic!("{steps}");
            };
            for (change, tree) in unit.tree().changes() {
                let text = format!("unit:{{{}}}", tree.one_line());
                let Ok(changed) = Model::parse(&text) else {
                    continue;
                };
                let is_same = results(&changed) == own;
                if differ_idly(&base, &changed) {
                    assert!(is_same, "{steps}: {change}");
                    idle += 1;
                }
                shown += usize::from(!is_same);
            }
        }
        assert!(idle > 40 && shown > 40, "{idle} idle, {shown} shown");
    }

    fn unit_of(steps: &str) -> Model {
        let result = steps.rsplit(" to ").next().unwrap();
        let result = result.split(' ').next().unwrap();
        let text = format!("unit:{{unit u {{ a, b: e3m2[1]; d: {result}; {steps} }}}}");
        Model::parse(&text).unwrap()
    }
}
