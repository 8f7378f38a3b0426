//! Operations of IEEE 754 in some order.

use super::lines::{Lines, by, code};
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::{FmaNan, Gps, Ieee, Order, ProductForm, Sfma, Subnormals};
use crate::numbers::float::{Format, NanCode};

pub(super) fn sfma(sfma: &Sfma) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&sfma.signature());
    let format = sfma.format;
    lines.say("total = c");
    lines.say("for k in 0..K {");
    let nan = match sfma.nan {
        FmaNan::Code(nan) => code(nan).to_owned(),
        FmaNan::Dmma => {
            let invalid = format.nan(NanCode::Quiet) | format.sign_mask();
            format!("first(b[k], total, a[k]) else {}", invalid as i64)
        }
    };
    lines.say(format!(
        "total = round(sum(a[k] * b[k], total)) to {format} nan {nan}"
    ));
    lines.say("}");
    lines.say("d = total");
    lines.description("sfma", &format!("K = {} in 1..65536", sfma.products))
}

pub(super) fn gps(gps: &Gps) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&gps.signature());
    let operand = |format: &Format, name: &str| {
        let is_flushed = match gps.subnormals {
            Subnormals::Flush => true,
            Subnormals::FlushBelowF32 => format.min_exponent() == Format::F32.min_exponent(),
            Subnormals::Keep => false,
        };
        if is_flushed {
            format!("flush({name}) sign plus")
        } else {
            name.into()
        }
    };
    let tiny = match gps.subnormals {
        Subnormals::Keep => "",
        Subnormals::Flush | Subnormals::FlushBelowF32 => " tiny register",
    };
    let to = format!("to f32{tiny} nan {}", code(gps.nan));
    lines.say(format!("x = {}", operand(&gps.factors, "a")));
    lines.say(format!("y = {}", operand(&gps.factors, "b")));
    let product = match gps.product_form {
        ProductForm::Multiply => "x[k] * y[k]",
        ProductForm::FmaZero => {
            lines.say("nothing = zero() to f32");
            "sum(x[k] * y[k], nothing)"
        }
    };
    lines.say(format!("total = {}", operand(&Format::F32, "c")));
    lines.say(format!("for g in 0..K step {} {{", gps.group));
    lines.say(format!("for k in g..g + {} {{", gps.group));
    lines.say(format!("product[k] = round({product}) {to}"));
    lines.say("}");
    let products: Vec<String> = (0..gps.group)
        .map(|k| format!("product[g + {k}]"))
        .collect();
    let sum = pairwise(&products, &to, &mut 0, &mut lines);
    lines.say(format!("total = round(sum(total, {sum})) {to}"));
    lines.say("}");
    lines.say("d = total");
    lines.description(
        "gps",
        &format!("K = {} in {}..65536", gps.products, gps.group),
    )
}

/// Says the sum of the first half of the values plus that of the second half, each made in the same
/// way; returns its name.
pub(super) fn pairwise(values: &[String], to: &str, count: &mut u32, lines: &mut Lines) -> String {
    if let [only] = values {
        return only.clone();
    }
    let (left, right) = values.split_at(values.len() / 2);
    let [left, right] = [left, right].map(|half| pairwise(half, to, count, lines));
    let name = format!("partial{count}");
    *count += 1;
    lines.say(format!("{name} = round(sum({left}, {right})) {to}"));
    name
}

pub(super) fn ieee(ieee: &Ieee) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&ieee.signature());
    let to = format!(
        "to {} by {} nan {}",
        ieee.accumulator,
        by(ieee.rounding),
        code(ieee.nan)
    );
    match ieee.order {
        Order::Sequential | Order::Pairwise => lines.say(format!("product = round(a * b) {to}")),
        Order::SequentialFma => lines.say("total = c"),
        Order::FmaThenAccumulator => lines.say(format!("total = zero() to {}", ieee.accumulator)),
    }
    match ieee.order {
        Order::Sequential => {
            lines.say("total = c");
            lines.say("for k in 0..K {");
            lines.say(format!("total = round(sum(total, product[k])) {to}"));
            lines.say("}");
        }
        Order::SequentialFma | Order::FmaThenAccumulator => {
            lines.say("for k in 0..K {");
            lines.say(format!("total = round(sum(a[k] * b[k], total)) {to}"));
            lines.say("}");
        }
        Order::Pairwise => {
            let products: Vec<String> = (0..ieee.products)
                .map(|k| format!("product[{k}]"))
                .collect();
            let sum = pairwise(&products, &to, &mut 0, &mut lines);
            lines.say(format!("total = {sum}"));
        }
    }
    match ieee.order {
        Order::Sequential | Order::SequentialFma => lines.say("d = total"),
        Order::FmaThenAccumulator | Order::Pairwise => {
            lines.say(format!("d = round(sum(c, total)) {to}"))
        }
    }
    let k = ieee.products;
    let range = if ieee.order == Order::Pairwise {
        format!("{k}..{k}")
    } else {
        "1..65536".into()
    };
    lines.description("ieee", &format!("K = {k} in {range}"))
}
