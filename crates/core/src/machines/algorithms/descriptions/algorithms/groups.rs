//! Exact sums: of all products, of groups with block scales, and of integers.

use super::lines::{Lines, by, code};
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::{
    Cancelled, DotAdd, Exact, Gdfs, IntegerDot, Pairing, SumOverflow, ZeroRule,
};

pub(super) fn exact(exact: &Exact) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&exact.signature());
    match exact.scales {
        None => lines.say("product = a * b"),
        Some(scales) => {
            let block = scales.block;
            lines.say("for k in 0..K {");
            lines.say(format!(
                "product[k] = a[k] * b[k] * sa[k / {block}] * sb[k / {block}]"
            ));
            lines.say("}");
        }
    }
    let nan = code(exact.nan);
    lines.say("total = fuse(product, c) keep all");
    lines.say(format!(
        "d = round(total) to {} by {} nan {nan}",
        exact.out,
        by(exact.rounding)
    ));
    let k = exact.products;
    let most = if exact.scales.is_some() { k } else { 65536 };
    let least = if exact.scales.is_some() { k } else { 1 };
    lines.description("exact", &format!("K = {k} in {least}..{most}"))
}

pub(super) fn gdfs(gdfs: &Gdfs) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&gdfs.signature());
    let (scale_zeros, sum_zeros, c_zeros) = match (gdfs.zero, gdfs.cancelled) {
        (ZeroRule::Skip, Cancelled::Zero) => ("none", "none", "none"),
        (ZeroRule::Skip, Cancelled::Scales) => ("none", "terms", "none"),
        (ZeroRule::Raw, _) => ("field", "field", "field"),
        (ZeroRule::Min, _) => ("-126", "field", "field"),
    };
    // A scale format without a zero has no exponent of zero either.
    let scale_zeros = if gdfs.scales.format.has_zero() {
        scale_zeros
    } else {
        "field"
    };
    let (group, block) = (gdfs.group, gdfs.scales.block);
    lines.say(format!("u = term(sa) zeros {scale_zeros}"));
    lines.say(format!("v = term(sb) zeros {scale_zeros}"));
    lines.say(format!("for g in 0..K / {group} {{"));
    let range = format!("[g * {group}..g * {group} + {group}]");
    lines.say(format!(
        "group[g] = sum(a{range} * b{range}) zeros {sum_zeros}"
    ));
    let scale = format!("[g * {group} / {block}]");
    lines.say(format!("scaled[g] = group[g] * u{scale} * v{scale}"));
    lines.say("}");
    lines.say(format!("addend = term(c) zeros {c_zeros}"));
    let least = gdfs
        .min_exponent
        .map_or_else(String::new, |least| format!(" least {least}"));
    lines.say(format!("total = fuse(scaled, addend) keep F by rz{least}"));
    lines.say(format!(
        "d = round(total) to f32 by rz overflow infinity sign plus nan {}",
        code(gdfs.nan)
    ));
    let (k, f) = (gdfs.products, gdfs.fraction_bits);
    lines.description("gdfs", &format!("K = {k} in {k}..{k}, F = {f} in 1..64"))
}

pub(super) fn integer(dot: &IntegerDot) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&dot.signature());
    let overflow = match dot.overflow {
        SumOverflow::Wrap => "wrap",
        SumOverflow::Saturate => "saturate",
    };
    lines.say(match dot.pairing {
        Pairing::Product => "product = a * b",
        Pairing::Xor => "product = differ(a, b)",
    });
    lines.say("total = sum(product, c)");
    lines.say(format!(
        "d = round(total) to {} overflow {overflow}",
        dot.accumulator
    ));
    lines.description("integer", &format!("K = {} in 1..65536", dot.products))
}
