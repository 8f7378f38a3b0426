//! Dot instructions of CPUs.

use super::lines::{Lines, by};
use super::sequences::pairwise;
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::{CpuDot, DotOrder, FlushedOperands, FlushedResults, NanRule};

pub(super) fn cpu(cpu: &CpuDot) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&cpu.signature());
    let words = Words { cpu };
    let flushed = |is: bool, name: &str| {
        if is {
            format!("flush({name})")
        } else {
            name.into()
        }
    };
    let all = cpu.operands == FlushedOperands::All;
    lines.say(format!("x = {}", flushed(all, "a")));
    lines.say(format!("y = {}", flushed(all, "b")));
    lines.say(format!(
        "z = {}",
        flushed(cpu.operands != FlushedOperands::Neither, "c")
    ));
    let k = cpu.products;
    let chain = |lines: &mut Lines, name: &str, start: &str, range: &str, index: &str| {
        lines.say(format!("{name} = {start}"));
        lines.say(format!("for k in {range} {{"));
        let [x, y] = ["x", "y"].map(|row| format!("{row}[{index}]"));
        let to = words.to(&format!("{x}, {y}, {name}"));
        lines.say(format!("{name} = round(sum({x} * {y}, {name})) {to}"));
        lines.say("}");
    };
    match cpu.order {
        DotOrder::LastFirst => chain(&mut lines, "total", "z", "0..K", "K - 1 - k"),
        DotOrder::FirstFirst => chain(&mut lines, "total", "z", "0..K", "k"),
        DotOrder::Late => chain(&mut lines, "total", "zero() to f32", "0..K", "k"),
        DotOrder::EvenOdd => {
            chain(&mut lines, "e", "zero() to f32", "0..K step 2", "k");
            chain(&mut lines, "o", "zero() to f32", "1..K step 2", "k");
            lines.say(format!("total = round(sum(e, o)) {}", words.to("e, o")));
        }
        DotOrder::Pairwise => {
            lines.say("for k in 0..K {");
            lines.say(format!(
                "product[k] = round(x[k] * y[k]) {}",
                words.to("x[k], y[k]")
            ));
            lines.say("}");
            let products: Vec<String> = (0..k).map(|k| format!("product[{k}]")).collect();
            // The order of NaNs is that of each addition.
            let sum = words.pairwise(&products, &mut lines);
            lines.say(format!("total = {sum}"));
        }
        DotOrder::Fused => words.fused(&mut lines),
    }
    match cpu.order {
        DotOrder::LastFirst | DotOrder::FirstFirst => lines.say("d = total"),
        _ => {
            let order = if cpu.nan == NanRule::Power {
                "total, z"
            } else {
                "z, total"
            };
            lines.say(format!("d = round(sum({order})) {}", words.to(order)));
        }
    }
    let range = match cpu.order {
        DotOrder::Pairwise | DotOrder::Fused => format!("{k}..{k}"),
        _ => "1..65536".into(),
    };
    lines.description("cpu", &format!("K = {k} in {range}"))
}

struct Words<'x> {
    cpu: &'x CpuDot,
}

impl Words<'_> {
    /// The options of an operation on operands that are named in the order in which their NaNs
    /// come.
    fn to(&self, operands: &str) -> String {
        let tiny = match self.cpu.results {
            FlushedResults::Kept => "",
            FlushedResults::BeforeRounding => " tiny before",
            FlushedResults::AfterRounding => " tiny after",
            FlushedResults::Register => " tiny register",
        };
        let nan = match self.cpu.nan {
            NanRule::Default => "quiet".to_owned(),
            NanRule::X86 => format!("first({operands}) else {}", 0xffc0_0000u32),
            NanRule::Power => format!("first({operands}) else {}", 0x7fc0_0000),
        };
        format!("to f32 by {}{tiny} nan {nan}", by(self.cpu.rounding))
    }

    fn pairwise(&self, products: &[String], lines: &mut Lines) -> String {
        if self.cpu.nan == NanRule::Default {
            return pairwise(products, &self.to(""), &mut 0, lines);
        }
        let mut all = products.to_vec();
        let mut count = 0;
        self.halves(&mut all, &mut count, lines)
    }

    /// The sum of the first half plus that of the second half, each made in the same way.
    fn halves(&self, values: &mut [String], count: &mut u32, lines: &mut Lines) -> String {
        if let [only] = values {
            return only.clone();
        }
        let middle = values.len() / 2;
        let (left, right) = values.split_at_mut(middle);
        let (left, right) = (
            self.halves(left, count, lines),
            self.halves(right, count, lines),
        );
        let name = format!("partial{count}");
        *count += 1;
        let operands = format!("{left}, {right}");
        lines.say(format!(
            "{name} = round(sum({operands})) {}",
            self.to(&operands)
        ));
        name
    }

    /// The exact sum, rounded once. Left factors come first in the order of NaNs, then the right
    /// ones from the last on, each with the NaN of its product.
    fn fused(&self, lines: &mut Lines) {
        if self.cpu.nan == NanRule::Default {
            lines.say(format!("total = round(sum(x * y)) {}", self.to("")));
            return;
        }
        lines.say("for k in 0..K {");
        lines.say(format!(
            "i[k] = round(x[k] * y[k]) {}",
            self.to("x[k], y[k]")
        ));
        lines.say("}");
        let right: Vec<String> = (0..self.cpu.products)
            .rev()
            .map(|k| format!("y[{k}], i[{k}]"))
            .collect();
        lines.say(format!(
            "total = round(sum(x * y)) {}",
            self.to(&format!("x, {}", right.join(", ")))
        ));
    }
}
