//! FDRDA and GFDRDA: dot products without `c`, and the late addition of `c`.

use super::lines::{Lines, Unsaid, code};
use crate::machines::algorithms::descriptions::Description;
use crate::machines::algorithms::{
    Align, Fdrda, Gfdrda, Infinities, LateAdd, LateParams, ZeroRule,
};

pub(super) fn fdrda(fdrda: &Fdrda) -> Result<Description, Unsaid> {
    let mut lines = Lines::of(fdrda);
    products(fdrda.params(), &mut lines);
    lines.say("dot = fuse(q) keep F by rz");
    addition(fdrda.params(), false, &mut lines);
    description("fdrda", fdrda.params(), lines)
}

pub(super) fn gfdrda(gfdrda: &Gfdrda) -> Result<Description, Unsaid> {
    let params = gfdrda.params();
    let mut lines = Lines::of(gfdrda);
    products(params, &mut lines);
    lines.say("even = fuse(q[0.. step 2]) keep F by rz");
    lines.say("odd_ = fuse(q[1.. step 2]) keep F by rz");
    lines.say(format!(
        "dot = fuse(even, odd_) keep F by {}",
        align(params)
    ));
    addition(params, true, &mut lines);
    description("gfdrda", params, lines)
}

fn description(name: &str, params: &LateParams, lines: Lines) -> Result<Description, Unsaid> {
    let (k, f) = (params.products, params.fraction_bits);
    let least = k.min(2);
    lines.description(
        name,
        &format!("K = {k} in {least}..65536, F = {f} in 1..64"),
    )
}

fn align(params: &LateParams) -> &'static str {
    match params.align {
        Align::Trunc => "rz",
        Align::Floor => "rd",
        Align::Sticky => "odd",
    }
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
    lines.say("p = x * y");
    lines.say("q = cap(p) exponent 128");
}

/// The dot product and `c`; a far `c` is cut toward zero if `far`.
fn addition(params: &LateParams, far: bool, lines: &mut Lines) {
    let by = align(params);
    let far = if far && params.align == Align::Floor {
        " far 25"
    } else {
        ""
    };
    let kept = match params.late {
        LateAdd::Cut31 => 31,
        LateAdd::Cut32Normalise31 => 32,
    };
    lines.say("z = term(c) zeros field");
    lines.say(format!(
        "t = fuse(align(dot) keep {kept} by {by}, align(z) keep F by {by}{far}) keep F"
    ));
    let mut last = "t";
    if params.late == LateAdd::Cut32Normalise31 {
        // Where the unit does not round down, it cuts.
        let by = if params.align == Align::Floor {
            "rd"
        } else {
            "rz"
        };
        lines.say(format!("n = cut(t) bits 32 by {by} least -126"));
        last = "n";
    }
    if params.infinities == Infinities::OperandsFirst {
        lines.say(format!("v = special({last}, p, z)"));
        last = "v";
    }
    let nan = code(params.nan);
    lines.say(format!(
        "d = round({last}) to f32 by rne overflow infinity sign total nan {nan}"
    ));
}
