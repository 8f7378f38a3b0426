//! FDRDA and GFDRDA: dot products without `c`, and the late addition of `c`.

use super::lines::{Lines, code};
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::{Infinities, LateAdd, LateParams, ZeroRule};
use crate::numbers::float::Rounding;

pub(super) fn fdrda(params: &LateParams) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&params.signature());
    products(params, &mut lines);
    lines.say("dot = fuse(product) keep F by rz");
    addition(params, false, &mut lines);
    description("fdrda", params, lines)
}

pub(super) fn gfdrda(params: &LateParams) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&params.signature());
    products(params, &mut lines);
    lines.say("even_dot = fuse(product[0.. step 2]) keep F by rz");
    lines.say("odd_dot = fuse(product[1.. step 2]) keep F by rz");
    lines.say(format!(
        "dot = fuse(even_dot, odd_dot) keep F by {}",
        params.align
    ));
    addition(params, true, &mut lines);
    description("gfdrda", params, lines)
}

fn description(
    name: &str,
    params: &LateParams,
    lines: Lines,
) -> Result<Description, DescriptionError> {
    let (k, f) = (params.products, params.fraction_bits);
    let least = k.min(2);
    lines.description(
        name,
        &format!("K = {k} in {least}..65536, F = {f} in 1..64"),
    )
}

/// Products, which are infinite from 2^128 on.
fn products(params: &LateParams, lines: &mut Lines) {
    let zeros = match params.zero {
        ZeroRule::Skip => "none",
        ZeroRule::Raw => "field",
        ZeroRule::Min => "-126",
    };
    lines.say(format!("x = term(a) zeros {zeros}"));
    lines.say(format!("y = term(b) zeros {zeros}"));
    lines.say("exact = x * y");
    lines.say("product = cap(exact) exponent 128");
}

/// The dot product and `c`; a far `c` is cut toward zero if `far`.
fn addition(params: &LateParams, far: bool, lines: &mut Lines) {
    let by = params.align;
    let far = if far && params.align == Rounding::Rd {
        " far 25"
    } else {
        ""
    };
    let kept = match params.late {
        LateAdd::Cut31 => 31,
        LateAdd::Cut32Normalise31 => 32,
    };
    lines.say("addend = term(c) zeros field");
    lines.say(format!(
        "total = fuse(align(dot) keep {kept} by {by}, align(addend) keep F by {by}{far}) keep F"
    ));
    let mut last = "total";
    if params.late == LateAdd::Cut32Normalise31 {
        // Where the unit does not round down, it cuts.
        let by = if params.align == Rounding::Rd {
            "rd"
        } else {
            "rz"
        };
        lines.say(format!("cut_total = cut(total) bits 32 by {by} least -126"));
        last = "cut_total";
    }
    if params.infinities == Infinities::OperandsFirst {
        lines.say(format!("own = special({last}, exact, addend)"));
        last = "own";
    }
    let nan = code(params.nan);
    lines.say(format!(
        "d = round({last}) to f32 by rne overflow infinity sign total nan {nan}"
    ));
}
