//! Named families: the possible parameters of a generation of matrix units.

use mmasmt_core::machines::algorithms::Signature;
use mmasmt_numbers::float::{Format, unsigned_width};

/// The names of families, and a description of each.
pub const NAMED: &[(&str, &str)] = &[
    (
        "nvidia",
        "fda: F=10..36, every zero rule, emin none or that of a generation (-132, -133; f16 results -19, -20, -21), products exact or normalised, result \
         rz or rne, 16-bit results also rne by way of f32 where that matters, align trunc or floor, carry full or 3 bits, chains of 4 \
         products or more; FP8 also frac and hmma8",
    ),
    (
        "amd",
        "fdrda and gfdrda: F=10..31, both late additions, align, zero, chains; gps; exact sums of groups",
    ),
    (
        "processors",
        "cpu: every order, to nearest and to odd, every rule for subnormal numbers and NaNs that matters, chains",
    ),
    (
        "integers",
        "int: wrapping and saturating, chains of any number of products, of bits also xor; of u8 by s8 also sums of pairs that saturate at 16 bits, as on x86 before VNNI; for factors that are integers",
    ),
    (
        "full",
        "nvidia and amd, and sums by IEEE operations in every order: all that fits the formats; where none is left, the other \
         sign of zeros",
    ),
];

/// The parts of the family `name` for a signature, as texts in the grammar of families; `None` if
/// no family has this name.
pub(super) fn expand(name: &str, signature: &Signature) -> Option<Vec<String>> {
    match name {
        "nvidia" => Some(nvidia(signature)),
        "amd" => Some(amd(signature)),
        "processors" => Some(processors(signature)),
        "integers" => Some(integers(signature)),
        // Integer signatures have no other families.
        "full" if signature.is_integer() => Some(integers(signature)),
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
        return vec![
            format!("gdfs:{factors},F=20..48,zero=*,emin=none|-133|-139"),
            format!(
                "fda:{factors},c={c},out={d},F=10..36,zero=*,emin=none|-133,align=trunc|floor,round=rz|rne"
            ),
        ];
    }
    let from_fp8 = a.width() <= 8 && d.width() == 32;
    let fraction = if from_fp8 { ",frac=23|13" } else { "" };
    let subnormal = if *c == Format::F16 { ",csub=*" } else { "" };
    let shapes = shapes(signature, 4);
    let limits = match d.width() {
        ..=16 => "none|-19|-20|-21",
        _ => "none|-132|-133",
    };
    let fda = |shapes: &str, fractions: &str, rounding: &str| {
        format!(
            "fda:a={a},b={b},c={c},out={d},K={shapes},F={fractions},zero=*,emin={limits},products=*,\
             {rounding},align=trunc|floor,carry=full|3{fraction}{subnormal}"
        )
    };
    let mut all = vec![fda(&shapes, "10..36", "round=rz|rne")];
    all.extend(cut_to_f32(signature, 1).map(|(count, from)| {
        fda(
            &count.to_string(),
            &format!("{from}..36"),
            "round=rne,via=f32",
        )
    }));
    if a.width() == 8 {
        let hmma8 = |shapes: &str, fractions: &str, via: &str| {
            format!(
                "hmma8:a={a},b={b},out={d},K={shapes},F={fractions},zero=*,emin={limits},via={via}"
            )
        };
        all.push(hmma8(&shapes, "10..36", "none"));
        // The unit computes two sums, each of half of the products.
        all.extend(
            cut_to_f32(signature, 2)
                .map(|(count, from)| hmma8(&count.to_string(), &format!("{from}..36"), "f32")),
        );
    }
    all
}

/// Parameters of candidates for units that cut a sum to f32 before they round it to 16 bits. Each
/// item is a number of products, which are divided among `sums` sums, and the least F for which the
/// cut can lose bits; with a smaller F, f32 holds every sum. (A unit that cuts a second time
/// instead of rounding is left out: the first cut makes no difference.)
fn cut_to_f32(signature: &Signature, sums: u32) -> impl Iterator<Item = (u32, u32)> {
    let Signature { a, b, d, .. } = *signature;
    let is_narrow = d.width() <= 16;
    // If a format has more exponent bits, products can lie in the subnormal range of f32, or below
    // it.
    let is_in_range = a.exponent_bits.max(b.exponent_bits) <= 5;
    let from = move |count: u32| {
        // A product is below 4 times the power of two to which it is aligned, and c is below 2
        // times that power.
        let integer_bits = unsigned_width(4 * u64::from(count / sums) + 1);
        if is_in_range {
            (Format::F32.precision() + 1)
                .saturating_sub(integer_bits)
                .max(10)
        } else {
            10
        }
    };
    let counts = if is_narrow {
        counts(signature, 4)
    } else {
        Vec::new()
    };
    counts.into_iter().map(move |count| (count, from(count)))
}

fn amd(signature: &Signature) -> Vec<String> {
    let Signature { a, b, .. } = signature;
    let factors = format!("a={a},b={b}");
    let late = "F=10..31,late=*,align=*,zero=*";
    let groups = shapes(signature, 4);
    let shapes = shapes(signature, 2);
    let mut all = vec![
        format!("fdrda:{factors},K={shapes},{late}"),
        // Smaller groups are left out: with K = 2, each of the two groups would have only one
        // product.
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

/// The dot instructions of processors. With one product, most orders of addition are the same.
fn processors(signature: &Signature) -> Vec<String> {
    let Signature { a, b, .. } = signature;
    let shapes = shapes(signature, 1);
    // Results that are rounded to odd never reach a power of two from below. A result is then tiny
    // after rounding iff it is tiny before rounding, so only one of the two rules is tried.
    [("rne", "*"), ("odd", "keep|before")]
        .map(|(round, results)| {
            format!("cpu:a={a},b={b},K={shapes},order=*,round={round},operands=*,results={results},nan=*")
        })
        .into()
}

/// Integer sums. Chain varies only for sums that saturate, since the result of a sum that wraps
/// does not depend on it.
fn integers(signature: &Signature) -> Vec<String> {
    let Signature {
        a, b, d, products, ..
    } = signature;
    let shapes = shapes(signature, 1);
    let mut all = vec![
        format!("int:a={a},b={b},acc={d},K={products},overflow=wrap"),
        format!("int:a={a},b={b},acc={d},K={shapes},overflow=saturate"),
    ];
    if *a == Format::B1 && *b == Format::B1 {
        all.push(format!("int:a={a},b={b},acc={d},K={products},pair=xor"));
    }
    if (*a, *b) == (Format::U8, Format::S8) {
        // x86 before VNNI.
        let (unit, of_one) = match d.width() {
            16 => ("x86-vpmaddubsw-vpaddsw", 2),
            _ => ("x86-int8", 4),
        };
        let fits = matches!(*d, Format::S16 | Format::S32) && products.is_multiple_of(of_one);
        all.extend(fits.then(|| format!("unit:{unit}:chain={}", products / of_one)));
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

/// The numbers of [`counts`] in the syntax of the grammar, as in `2|4|8`.
pub fn shapes(signature: &Signature, least: u32) -> String {
    let counts = counts(signature, least).into_iter();
    let all: Vec<String> = counts.map(|count| count.to_string()).collect();
    all.join("|")
}

/// The powers of two from `least` that divide the number of products, and that number itself.
fn counts(signature: &Signature, least: u32) -> Vec<u32> {
    let products = signature.products;
    let powers = (0..20).map(|power| 1 << power);
    let fits =
        |count: &u32| *count >= least && *count < products && products.is_multiple_of(*count);
    powers.filter(fits).chain([products]).collect()
}
