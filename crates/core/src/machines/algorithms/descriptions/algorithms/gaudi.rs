//! The matrix engine of Gaudi 2 and Gaudi 3.

use super::lines::Lines;
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::{Gaudi, GaudiGeneration};
use crate::numbers::float::Format;

/// Bits of a part of a significand.
const PART: u32 = 8;

pub(super) fn gaudi(gaudi: &Gaudi) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&gaudi.signature());
    let inner = gaudi.inner_formats();
    let flush = |of: String| match gaudi.generation {
        GaudiGeneration::Gaudi2 => format!("flush({of})"),
        GaudiGeneration::Gaudi3 => of,
    };
    for (name, from, format, row) in [("x", gaudi.a, inner[0], "a"), ("y", gaudi.b, inner[1], "b")]
    {
        let widened = if from == format {
            row.into()
        } else {
            format!("round({row}) to {format} by rz nan ones")
        };
        lines.say(format!("{name} = {}", flush(widened)));
    }
    match gaudi.generation {
        GaudiGeneration::Gaudi2 => gaudi2(gaudi, &mut lines),
        GaudiGeneration::Gaudi3 => gaudi3(gaudi, inner, &mut lines),
    }
    let name = match gaudi.generation {
        GaudiGeneration::Gaudi2 => "gaudi2",
        GaudiGeneration::Gaudi3 => "gaudi3",
    };
    lines.description(name, &format!("K = {} in 1..65536", gaudi.products))
}

fn gaudi2(gaudi: &Gaudi, lines: &mut Lines) {
    lines.say(format!(
        "total = fuse(x * y) keep {} by rz",
        gaudi.fraction_bits()
    ));
    lines.say("w = round(total) to f64 by rz overflow infinity sign shared nan ones");
    lines.say("z = round(flush(c)) to f64 by rz nan ones");
    lines.say("t = round(sum(w, z)) to f64 by odd nan ones");
    lines.say("d = flush(round(t) to f32 nan ones)");
}

fn gaudi3(gaudi: &Gaudi, inner: [Format; 2], lines: &mut Lines) {
    let parts = |format: &Format| -> Vec<(u32, u32)> {
        let width = format.precision();
        (0..width)
            .step_by(PART as usize)
            .map(|low| (low, PART.min(width - low)))
            .collect()
    };
    let mut all = Vec::new();
    for (name, format) in [("x", inner[0]), ("y", inner[1])] {
        for (low, bits) in parts(&format) {
            lines.say(format!("{name}{low} = part({name}) low {low} bits {bits}"));
        }
    }
    let lowest_is_lost = inner
        .iter()
        .all(|format| format.precision() == Format::F32.precision());
    for (left, _) in parts(&inner[0]) {
        for (right, _) in parts(&inner[1]) {
            if (left, right) != (0, 0) || !lowest_is_lost {
                all.push(format!("x{left} * y{right}"));
            }
        }
    }
    let least = gaudi
        .min_exponent()
        .map_or_else(String::new, |least| format!(" least {least}"));
    lines.say(format!(
        "total = fuse({}, c) keep {} by rz{least}",
        all.join(", "),
        gaudi.fraction_bits()
    ));
    lines.say("d = round(total) to f32 by rz overflow infinity sign plus nan ones");
}
