//! How a number is taken in parts, and how parts are multiplied.

use crate::algorithms::{Core, DotAdd, Operands, Stages, Unit};
use crate::bits::Bv;
use crate::float::{Format, Rounding};

/// An f32 core beside the unit.
pub(super) fn core<'s, A: DotAdd, B: Bv>(unit: &Unit<A>, stages: &'s mut Stages<B>) -> Core<'s, B> {
    Core {
        format: Format::F32,
        nan: unit.nan(),
        stages,
    }
}

/// `x` rounded to nearest even in `part`, and `x` less that.
pub(super) fn nearest<B: Bv>(
    core: &mut Core<'_, B>,
    (what, k): (&'static str, usize),
    part: Format,
    x: &B,
) -> (B, B) {
    let big = core.convert((what, Some(k)), part, Rounding::Rne, x);
    let widened = core.extend(part, &big);
    let rest = core.subtract(("rest of", Some(k)), x, &widened);
    (big, rest)
}

/// The products of `a` and `b` added to `d` by the unit, which leaves the sum behind as `what`.
pub(super) fn add_products<A: DotAdd, B: Bv>(
    unit: &Unit<A>,
    (what, index): (&'static str, Option<usize>),
    [a, b]: [&[B]; 2],
    d: &B,
    stages: &mut Stages<B>,
) -> B {
    let sum = unit.run(Operands::plain(a, b, d), stages);
    core(unit, stages).note((what, index), Format::F32, &sum);
    sum
}
