//! Named families: the parameters that a generation of matrix units could have.

use crate::algorithms::Signature;
use crate::float::Format;

/// Names of families and what they hold, for a person.
pub const NAMED: &[(&str, &str)] = &[
    (
        "nvidia",
        "fda: F=10..36, every zero rule, emin none or -133, products exact or normalised, result \
         rz or rne, 16-bit results also rne by way of f32, align trunc or floor, carry full or 3 bits, chains of 4 \
         products or more; FP8 also frac and hmma8",
    ),
    (
        "amd",
        "fdrda and gfdrda: F=10..31, both late additions, align, zero, chains; gps; exact sums of groups",
    ),
    (
        "full",
        "both, and sums by IEEE operations in every order: all that fits the formats",
    ),
];

/// The families of that name for a signature, as text of the grammar.
pub(super) fn expand(name: &str, signature: &Signature) -> Option<Vec<String>> {
    match name {
        "nvidia" => Some(nvidia(signature)),
        "amd" => Some(amd(signature)),
        "full" => {
            let mut all = nvidia(signature);
            all.extend(amd(signature));
            all.extend(references(signature));
            Some(all)
        }
        _ => None,
    }
}

fn nvidia(signature: &Signature) -> Vec<String> {
    let Signature { a, b, c, d, .. } = signature;
    if let Some(scales) = signature.scales {
        let factors = format!("a={a},b={b},scale={},block={}", scales.format, scales.block);
        let mut all = vec![format!("gdfs:{factors},F=20..48,zero=*,emin=none|-133")];
        all.extend(roundings(d).iter().map(|rounding| {
            format!("fda:{factors},c={c},out={d},F=10..36,zero=*,emin=none|-133,align=*,{rounding}")
        }));
        return all;
    }
    let from_fp8 = a.width() <= 8 && d.width() == 32;
    let fraction = if from_fp8 { ",frac=23|13" } else { "" };
    let subnormal = if *c == Format::F16 { ",csub=*" } else { "" };
    let shapes = shapes(signature, 4);
    let of_rounding = |rounding: &&str| {
        format!(
            "fda:a={a},b={b},c={c},out={d},K={shapes},F=10..36,zero=*,emin=none|-133,products=*,\
             {rounding},align=*,carry=full|3{fraction}{subnormal}"
        )
    };
    let mut all: Vec<String> = roundings(d).iter().map(of_rounding).collect();
    if a.width() == 8 {
        let via = if is_narrow(d) { ",via=*" } else { "" };
        all.push(format!(
            "hmma8:a={a},b={b},out={d},K={shapes},F=10..36,zero=*{via}"
        ));
    }
    all
}

/// How results are rounded: narrow ones from the sum, or from an f32 that it is cut to, which is the
/// same for results that are cut as well.
fn roundings(d: &Format) -> &'static [&'static str] {
    match is_narrow(d) {
        true => &["round=rz|rne", "round=rne,via=f32"],
        false => &["round=rz|rne"],
    }
}

fn is_narrow(d: &Format) -> bool {
    d.width() <= 16
}

fn amd(signature: &Signature) -> Vec<String> {
    let Signature { a, b, .. } = signature;
    let factors = format!("a={a},b={b}");
    let late = "F=10..31,late=*,align=*,zero=*";
    let groups = shapes(signature, 4);
    let shapes = shapes(signature, 2);
    let mut all = vec![
        format!("fdrda:{factors},K={shapes},{late}"),
        // Two groups of one product each would be no groups.
        format!("gfdrda:{factors},K={groups},{late}"),
        format!(
            "exact:{factors},c={},out={},K={shapes},round=rz|rne",
            signature.c, signature.d
        ),
    ];
    if a == b {
        let whole = signature.products;
        all.push(format!(
            "gps:in={a},K={whole},G={shapes},subnormals=*,products=*"
        ));
    }
    all
}

fn references(signature: &Signature) -> Vec<String> {
    let Signature {
        a, b, d, products, ..
    } = signature;
    let mut all = vec![format!(
        "ieee:a={a},b={b},acc={d},K={products},order=*,round=rz|rne"
    )];
    if a == b && a == d {
        all.push(format!("sfma:fmt={a},K={products}"));
    }
    all
}

/// The powers of two from `least` that divide the number of products, and that number.
fn shapes(signature: &Signature, least: u32) -> String {
    let products = signature.products;
    let powers = (0..20).map(|power| 1 << power);
    let fits =
        |count: &u32| *count >= least && *count < products && products.is_multiple_of(*count);
    let all: Vec<String> = powers
        .filter(fits)
        .chain([products])
        .map(|count| count.to_string())
        .collect();
    all.join("|")
}
