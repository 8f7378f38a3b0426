//! Functions that statements call, in the text of both languages.
//!
//! A text has `@` before names of other functions, and `FN` for how a function is declared.

use crate::tape::element::Type;

use super::words::{name, signed};

/// A function: its name without `@`, and its text.
pub(super) struct FunctionText {
    name: String,
    text: String,
}

/// A function of one statement or more.
pub(super) fn routine(to: &str, name: &str, parameters: &str, lines: &[&str]) -> FunctionText {
    FunctionText {
        name: name.into(),
        text: format!(
            "FN {to} @{name}({parameters})\n{{\n    {}\n}}\n",
            lines.join("\n    ")
        ),
    }
}

/// The functions of integers that are the same in both languages.
pub(super) fn of_integers() -> Vec<FunctionText> {
    let types = [Type::U8, Type::U16, Type::U32, Type::U64, Type::U128];
    types.into_iter().flat_map(of_type).collect()
}

fn of_type(of: Type) -> Vec<FunctionText> {
    let (t, i, bits) = (name(of), signed(of), of.bits());
    let most = bits - 1;
    let wide = name(of.max(Type::U32));
    let shift = |operator: &str| {
        if t == wide {
            format!("return n < {bits} ? x {operator} (n & {most}) : 0;")
        } else {
            format!("return n < {bits} ? ({t})(({wide})x {operator} (n & {most})) : 0;")
        }
    };
    let function = |name: &str, parameters: &str, lines: &[&str]| {
        routine(t, &format!("{name}_{bits}"), parameters, lines)
    };
    let of_amount = format!("{t} x, u32 n");
    let of_two = format!("{t} x, {t} y");
    // Vectors of wide numbers often have no arithmetic shift.
    let signed_shift = match of {
        Type::U64 | Type::U128 => vec![
            format!("const {t} all = 0 - (x >> {most});"),
            format!("return ((x ^ all) >> (n < {bits} ? n : {most})) ^ all;"),
        ],
        _ => vec![format!(
            "return ({t})(({i})x >> (n < {bits} ? n : {most}));"
        )],
    };
    let signed_shift: Vec<&str> = signed_shift.iter().map(|line| &line[..]).collect();
    let mut all = vec![
        function("max", &of_two, &["return x > y ? x : y;"]),
        function("shl", &of_amount, &[&shift("<<")]),
        function("shr", &of_amount, &[&shift(">>")]),
        function("sar", &of_amount, &signed_shift),
    ];
    if of >= Type::U32 {
        let lines = [
            &format!("const {t} all = ({t})(i8)negative;")[..],
            "return (x ^ all) - all;",
        ];
        all.push(function(
            "negate_if",
            &format!("u8 negative, {t} x"),
            &lines,
        ));
    }
    all
}

/// The functions of roundings to binary32 and of aligned numbers of binary32, over those of the
/// language.
pub(super) fn of_reals() -> Vec<FunctionText> {
    vec![
        routine(
            "u32",
            "real",
            "u8 negative, u32 number, u32 field",
            &[
                "const float x = @multiply_32((float)(i32)number, @real_32(field << 23));",
                "return @bits_32(x) ^ ((u32)negative & 0x80u) << 24;",
            ],
        ),
        routine(
            "u32",
            "limited_power",
            "u32 k, u32 x, u32 least, u32 most",
            &[
                "const u32 raised = x > least ? x : least;",
                "return (k - (raised < most ? raised : most)) << 23;",
            ],
        ),
        routine(
            "u32",
            "cut_product",
            "u32 x, u32 y, u32 power",
            &[
                "const float product = @multiply_32(@real_32(x), @real_32(y));",
                "return @truncated(@multiply_32(product, @real_32(power)));",
            ],
        ),
        routine(
            "float",
            "flushed_fma_32",
            "float x, float y, float z",
            &[
                "const u32 sum = @bits_32(@fma_32(x, y, z));",
                "const u32 magnitude = sum & 0x7fffffffu;",
                "/* A least normal number is tiny if what it was rounded from is below the middle between it and the one below. */",
                "const double sign = sum >> 31 ? -1.0 : 1.0;",
                "const double factor = @multiply_64(sign, (double)x);",
                "const double addend = @multiply_64(sign, (double)z);",
                "const u32 is_near = (addend <= 0x1p-98) & (addend >= -0x1p-98);",
                "const double rest = @fma_64(factor, (double)y, @add_64(addend, 0x1p-151 - 0x1p-126));",
                "const u32 is_tiny = (magnitude < 0x800000u) | ((magnitude == 0x800000u) & is_near & (rest < 0.0));",
                "return @real_32(is_tiny ? sum & 0x80000000u : sum);",
            ],
        ),
        routine(
            "float",
            "odd_sum_32",
            "float x, float y",
            &[
                "const float sum = @add_32(x, y);",
                "const float part = @add_32(sum, -x);",
                "const float rest = @add_32(@add_32(x, -@add_32(sum, -part)), @add_32(y, -part));",
                "const u32 bits = @bits_32(sum);",
                "const u32 is_cut = ((rest < 0.0f) | (rest > 0.0f)) & ~bits & 1u;",
                "const u32 odd = (bits ^ @bits_32(rest)) >> 31 ? bits - is_cut : bits + is_cut;",
                "const double whole = @add_64((double)x, (double)y);",
                "const u32 is_below = (whole < 0x1p128) & (whole > -0x1p128);",
                "return @real_32((bits & 0x7fffffffu) == 0x7f800000u ? bits - is_below : odd);",
            ],
        ),
        routine(
            "u32",
            "round",
            "double number, u64 before",
            &["return @bits_32(@single(@real_64(@bits_64(number) & before)));"],
        ),
        routine(
            "u32",
            "round_cut",
            "double number, u64 before, u32 dropped, u64 floor",
            &[
                "const u64 bits = @bits_64(number);",
                "const u64 kept = bits >> dropped << dropped;",
                "const u64 up = kept != bits ? floor & bits >> 63 : 0;",
                "return @round(@real_64(kept + (up << dropped)), before);",
            ],
        ),
        routine(
            "u32",
            "round_cut_subnormal",
            "double number, u64 before, u32 dropped, u64 floor",
            &[
                "const u32 field = (u32)(@bits_64(number) >> 52) & 0x7ff;",
                "const u32 all = dropped + (field < 897 ? 897 - field : 0);",
                "return @round_cut(number, before, all < 52 ? all : 52, floor);",
            ],
        ),
        routine(
            "u32",
            "round_subnormal",
            "double number, u64 before, u32 after, u32 taken_back, u32 positive_zero",
            &[
                "const double kept = @real_64(@bits_64(number) & before & 0x7fffffffffffffffull);",
                "const u32 nearest = @round(number, before);",
                "const double rounded = (double)@real_32(nearest & 0x7fffffffu);",
                "const u32 is_moved = (u32)((rounded > kept) & (kept < 0x1p-126));",
                "const u32 bits = (nearest - (is_moved & taken_back)) & after;",
                "return bits ^ ((u32)(bits == 0x80000000u) & positive_zero) << 31;",
            ],
        ),
    ]
}

/// Those functions that the text calls, and those that these call, in the order of the list.
pub(super) fn called(all: &[FunctionText], text: &str) -> String {
    let mut is_called: Vec<bool> = all.iter().map(|one| one.is_in(text)).collect();
    // A function comes after those that it calls.
    for caller in (0..all.len()).rev() {
        for (callee, own) in all.iter().enumerate().take(caller) {
            is_called[callee] |= is_called[caller] && own.is_in(&all[caller].text);
        }
    }
    let called = all
        .iter()
        .zip(is_called)
        .filter(|(_, is_called)| *is_called);
    called.map(|(one, _)| format!("{}\n", one.text)).collect()
}

impl FunctionText {
    fn is_in(&self, text: &str) -> bool {
        text.contains(&format!("@{}(", self.name))
    }
}
