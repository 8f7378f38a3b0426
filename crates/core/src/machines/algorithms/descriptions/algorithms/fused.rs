//! The fused dot-add, and FP8 on two of them.

use super::lines::{Lines, by, code, rounded};
use crate::machines::algorithms::descriptions::{Description, DescriptionError};
use crate::machines::algorithms::parameters::fda::{Carry, NegativeZeros, Params};
use crate::machines::algorithms::{
    FlushedResults, Hmma8, Products, SubnormalC, SumOverflow, ZeroRule,
};
use crate::numbers::float::Format;

pub(super) fn fda(params: &Params) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&params.signature());
    let steps = Steps {
        params,
        prefix: "",
        names: ["a", "b", "c", "d"],
    };
    steps.say(&mut lines);
    let (k, f) = (params.products_per_sum, params.fraction_bits);
    let range = if params.scales.is_some() {
        format!("{k}..{k}")
    } else {
        "1..65536".into()
    };
    lines.description("fda", &format!("K = {k} in {range}, F = {f} in 1..64"))
}

pub(super) fn hmma8(hmma8: &Hmma8) -> Result<Description, DescriptionError> {
    let mut lines = Lines::of(&hmma8.signature());
    let half = &hmma8.half;
    let format = half.c;
    lines.say("x = round(a) to f16 by rz");
    lines.say("y = round(b) to f16 by rz");
    for (prefix, first, c) in [("first_", 0, "none"), ("second_", 2, "first_d")] {
        for (row, name) in [("x", "a"), ("y", "b")] {
            let parts = format!(
                "row({row}[{first}.. step 4], {row}[{}.. step 4])",
                first + 1
            );
            lines.say(format!("{prefix}{name} = {parts}"));
        }
        if first == 0 {
            lines.say(format!("none = zero() to {format}"));
        }
        let names = [
            format!("{prefix}a"),
            format!("{prefix}b"),
            c.into(),
            format!("{prefix}d"),
        ];
        let steps = Steps {
            params: half,
            prefix,
            names: [&names[0], &names[1], &names[2], &names[3]],
        };
        steps.say(&mut lines);
    }
    lines.say(format!("d = round(sum(second_d, c)) to {format} nan ones"));
    let (k, f) = (hmma8.signature().products, half.fraction_bits);
    lines.description("hmma8", &format!("K = {k} in {k}..{k}, F = {f} in 1..64"))
}

/// The steps of one fused dot-add from operands with these names to a result with the last name.
struct Steps<'x> {
    params: &'x Params,
    prefix: &'x str,
    names: [&'x str; 4],
}

impl Steps<'_> {
    fn say(&self, lines: &mut Lines) {
        let Steps {
            params,
            prefix,
            names: [a, b, c, d],
        } = *self;
        let zeros = match params.zero {
            ZeroRule::Skip => "none",
            ZeroRule::Raw => "field",
            ZeroRule::Min => "-126",
        };
        let name = |name: &str| format!("{prefix}{name}");
        match params.rounded_products {
            Some(format) => {
                lines.say(format!(
                    "{} = round({a} * {b}) to {format}",
                    name("rounded")
                ));
                lines.say(format!(
                    "{} = term({}) zeros {zeros}",
                    name("product"),
                    name("rounded")
                ));
            }
            None => {
                lines.say(format!("{} = term({a}) zeros {zeros}", name("x")));
                lines.say(format!("{} = term({b}) zeros {zeros}", name("y")));
                let mut product = format!("{} * {}", name("x"), name("y"));
                if params.products == Products::Normalised {
                    product = format!("normalise({product})");
                }
                match params.scales {
                    None => lines.say(format!("{} = {product}", name("product"))),
                    Some(scales) => {
                        let block = scales.block;
                        lines.say(format!("{} = {product}", name("unscaled")));
                        lines.say("for k in 0..K {");
                        lines.say(format!(
                            "{}[k] = {}[k] * sa[k / {block}] * sb[k / {block}]",
                            name("product"),
                            name("unscaled")
                        ));
                        lines.say("}");
                    }
                }
            }
        }
        let widens = params.subnormal_c == SubnormalC::Widened
            && params.c.min_exponent() > Format::F32.min_exponent();
        let widen = if widens { " widen" } else { "" };
        lines.say(format!(
            "{} = term({c}) zeros {zeros}{widen}",
            name("addend")
        ));
        lines.say(format!(
            "{} = {}",
            name("total"),
            self.fused(&name("product"), &name("addend"))
        ));
        let sum = params.sum_format();
        let rounding = params
            .via
            .map_or_else(|| by(params.rounding), |_| "rz".into());
        let tiny = match params.results {
            FlushedResults::Kept => "",
            FlushedResults::BeforeRounding => " tiny before",
            FlushedResults::AfterRounding => " tiny after",
            FlushedResults::Register => " tiny register",
        };
        let sign = match params.negative_zeros {
            NegativeZeros::Plus => "plus",
            NegativeZeros::Minus => "shared",
        };
        let nan = code(params.nan);
        let first = format!(
            "{} by {rounding}{tiny} overflow infinity sign {sign} nan {nan}",
            rounded(&name("total"), &sum)
        );
        match params.via {
            None => lines.say(format!("{d} = {first}")),
            Some(_) => {
                lines.say(format!("{} = {first}", name("wide")));
                let last = rounded(&name("wide"), &params.result_format());
                lines.say(format!(
                    "{d} = {last} by {} overflow infinity sign shared nan {nan}",
                    by(params.rounding)
                ));
            }
        }
    }

    fn fused(&self, products: &str, addend: &str) -> String {
        let params = self.params;
        let align = params.align;
        let mut fused = format!("fuse({products}, {addend}) keep F by {align}");
        if let Some(least) = params.min_exponent {
            fused += &format!(" least {least}");
        }
        if let Carry::Bits(bits) = params.carry {
            let beyond = match params.overflow {
                SumOverflow::Wrap => "wrap",
                SumOverflow::Saturate => "saturate",
            };
            fused += &format!(" carry {bits} beyond {beyond}");
        }
        if params.sticky {
            fused += " sticky";
        }
        fused
    }
}
