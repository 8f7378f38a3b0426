//! Texts of small units, so that every step and every option meets floats, integers and scales.

use mmasmt_core::machines::model::Model;

/// Declarations and steps, for texts whose operands are floats.
const FLOATS: &[&str] = &[
    // Terms.
    "x = term(a) widen; d = round(fuse(x * b, c) keep 12) to f32",
    "x = term(a) zeros field; d = round(fuse(x, c) keep 9 by rd) to f32",
    "x = term(a) zeros -3 widen; d = round(fuse(x, c) keep 9 sticky) to f32",
    "x = term(a) shift 5 fraction 14; d = round(fuse(x, c) keep 12 by odd) to f32",
    "x = term(a * b) zeros 4 shift -2; d = round(fuse(x, c) keep 12 by rne) to f32",
    "x = term(a) specials none; d = round(sum(x * b, c)) to f32",
    // Cuts, also of zeros that count and of numbers below the least place.
    "x = term(a) zeros field; n = cut(x) bits 12; d = round(fuse(n, c) keep 24) to f32",
    "n = cut(a * b) bits 3 by rne; d = round(fuse(n, c) keep 9) to f32",
    "n = cut(a) bits 4 least -6; d = round(sum(n, c)) to f32",
    "n = cut(a) bits 3 least -2 by rne; d = round(fuse(n, c) keep 11) to f32",
    "n = cut(term(a) zeros field) bits 9 least 3 by odd; d = round(fuse(n, c) keep 11) to f32",
    "n = cut(a * b) bits 30 least -9 by rd; d = round(sum(n)) to f32",
    "n = cut(sum(a, b) zeros field) bits 2 by rna; d = round(fuse(n, c) keep 5) to f32",
    "n = cut(part(a) low 3 bits 4) bits 2; d = round(fuse(n, c) keep 5) to f32",
    // Parts, also below the places that an alignment keeps.
    "d = round(fuse(part(c) low 7 bits 4) keep 10) to f32",
    "d = round(fuse(part(c) low 2 bits 3, a) keep 4 by rd) to f32",
    "d = round(fuse(part(c) low 2 bits 3, a) keep 4 by rne) to f32",
    "d = round(fuse(part(c) low 2 bits 3, a) keep 4 by rna) to f32",
    "d = round(fuse(part(c) low 2 bits 3, a) keep 4 by odd sticky) to f32",
    "v = part(a * b) low 1 bits 2; d = round(fuse(v) keep 0) to f32",
    "v = part(a * b) low 1 bits 2 by rne; d = round(fuse(v, c) keep 2 sticky negate ones) to f32",
    "v = normalise(part(a) low 0 bits 2); d = round(fuse(v, c) keep 12) to f32",
    "v = normalise(part(a) low 2 by rnu); d = round(v[0] * b[1]) to f32",
    // Sums.
    "t = fuse(align(a) keep 3 by rd far 2, align(b) keep 6 by rne again 2, c) keep 9; d = round(t) to f32",
    "t = fuse(a * b, c) keep 7 carry 0 beyond saturate; d = round(t) to f32 by rz",
    "t = fuse(a * b, c) keep 7 carry 1 negate ones_of_nonzero least 2; d = round(t) to f32",
    "t = fuse(a * b, c) keep 7 by rz negate against_last; d = round(t) to f32",
    "t = fuse(c, a * b) keep 7 negate against_last carry 1; d = round(t) to f32",
    "t = fuse(a * b, align(c) by rd vanish -9) keep 7; d = round(t) to f32",
    "t = fuse(align(a * b) by rna vanish -30, c) keep 5; d = round(t) to f32",
    "t = sum(a * b); d = replace(replace(round(t) to f32, t) nan negative, a, c) nan 0x7fc00001",
    "s = sum(a, b) zeros terms; d = round(fuse(s, c) keep 8) to f32",
    "s = sum(a * b, c); d = round(drop(s) exponent 1) to f32 sign shared",
    // Caps, also of sums with a leading one below the point, and of places above it.
    "d = round(sum(cap(a * b) exponent 3)) to f32",
    "t = fuse(a, b) keep 9; d = round(cap(t) exponent 0) to f32 overflow infinity",
    "d = round(sum(cap(part(a) low 3) exponent 2)) to f32",
    "d = round(special(c, cap(a) exponent 1, b)) to f32",
    "v = miscount(fuse(a, b) keep 4) bits 3; d = round(v) to f32",
    "v = drop(a * b) exponent -2; d = round(fuse(v, c) keep 8) to f32",
    // Results.
    "d = round(sum(a * b, c)) to RESULT overflow saturate",
    "d = round(sum(a * b, c)) to RESULT overflow saturate by rd nan ones",
    "d = round(sum(a * b, c)) to RESULT overflow saturate tiny after sign plus",
    "d = round(sum(a * b, c)) to RESULT overflow infinity tiny before by rz",
    "d = round(sum(a * b, c)) to RESULT tiny register sign total",
    "d = round(sum(a * b, c)) to RESULT tiny after nan ones",
    "d = round(a[0]) to RESULT overflow saturate",
    "d = round(a[0]) to RESULT tiny after by ru",
    "d = round(a[0] * b[0]) to RESULT tiny after nan any",
    "d = round(sum(a[0] * b[0], c)) to RESULT nan first(a, c) else 0x1",
    "d = flush(round(sum(a, c)) to RESULT by sr bits 3 random 5) sign plus",
    "d = round(sum(flush(a) * b, flush(c) sign plus)) to RESULT",
    "s = round(sum(a, b)) to f64 tiny after nan ones; d = round(sum(s, c)) to f32 nan ones",
];

/// Steps of integers.
const INTEGERS: &[&str] = &[
    "d = round(sum(a * b, c)) to RESULT overflow wrap",
    "d = round(sum(a * b, c)) to RESULT overflow saturate by rd",
    "p = round(sum(a * b)) to s16 overflow symmetric; d = round(sum(p, c)) to RESULT",
    "d = round(sum(part(a) low 0 bits 3, c)) to RESULT",
    "d = round(sum(drop(a) exponent 0, miscount(c) bits 2)) to RESULT overflow saturate",
    "d = round(fuse(a * b, c) keep 0) to RESULT",
    "d = round(fuse(a * b, c) keep 0 by rd carry 6 beyond saturate) to RESULT",
    "d = round(sum(term(a) zeros field, c)) to RESULT",
    "x = round(normalise(a)) to f16; y = round(cut(b) bits 3) to f16; s = round(x * y) to f16; z = flush(s); d = round(sum(a, c)) to RESULT",
];

/// Steps of integers to floats.
const MIXED: &[&str] = &[
    "d = round(sum(a * b, c)) to f32 by rz",
    "d = round(fuse(normalise(a), normalise(b), normalise(c)) keep 4) to f32",
    "d = round(cap(sum(a * b, c)) exponent 6) to f32",
    "d = round(sum(cut(a * b) bits 3 by rne)) to f16 tiny before",
    "x = term(a) zeros field; d = round(fuse(cut(x) bits 2 least 3, c) keep 6) to f32",
    "d = round(fuse(term(a) shift -3, term(c) fraction 4) keep 3) to bf16 overflow infinity",
    "d = round(fuse(part(a) low 2, c) keep 0 by rd) to f32",
    "d = round(special(a[0], b)) to f16 sign plus",
];

/// Steps with scales.
const SCALED: &[&str] = &[
    "d = round(sum(a * b * sa[0] * sb[0], c)) to f32 nan first(sa[0]) else 0x7fc00001",
    "x = a * b * sa[0]; y = cut(x * sb[0]) bits 4 least -20; d = round(fuse(y, c) keep 20) to f32",
    "s = round(sum(a * b)) to f32; t = round(s * sa[0]) to f32; d = round(t * sb[0]) to f16 nan first(sb[0], sa[0], c) else 0x7e00",
];

fn texts_of(steps: &[&str], operands: &[&str], results: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    let mut number = 0;
    for steps in steps {
        let choices = match steps.contains("RESULT") {
            true => results.len(),
            false => 1,
        };
        for _ in 0..choices {
            let operands = operands[number % operands.len()];
            let steps = steps.replace("RESULT", results[number % results.len()]);
            let result = steps.rsplit("d = ").next().unwrap();
            let result = result
                .split(" to ")
                .nth(1)
                .unwrap()
                .split([' ', ')'])
                .next();
            let result = result.unwrap();
            all.push(format!(
                "unit:{{unit u {{ {operands}; d: {result}; {steps} }}}}"
            ));
            number += 1;
        }
    }
    all
}

/// The models of all texts that fit the formats they were given: a part needs as many bits.
pub fn step_models() -> Vec<Model> {
    let texts = step_texts();
    let models: Vec<Model> = texts
        .iter()
        .filter_map(|text| Model::parse(text).ok())
        .collect();
    assert!(
        models.len() * 5 > texts.len() * 4,
        "{} of {}",
        models.len(),
        texts.len()
    );
    models
}

/// Every text as the name of a model.
fn step_texts() -> Vec<String> {
    let floats = [
        "a, b: e5m2[2]; c: f16",
        "a: e4m3[2]; b: f16[2]; c: bf16",
        "a: e2m1[2]; b: e4m3fnuz[2]; c: f16",
        "a: f16[2]; b: bf16[2]; c: f32",
        "a, b: tf32[2]; c: f32",
        "a: i2f6[2]; b: e1m2[2]; c: e5m2fnuz",
    ];
    let results = [
        "e4m3", "e4m3fnuz", "e5m2", "e2m1", "e5m2fnuz", "f16", "e3m2", "f32",
    ];
    let integers = [
        "a, b: s8[2]; c: s32",
        "a: u8[2]; b: s4[2]; c: s16",
        "a, b: u4[2]; c: u8",
    ];
    let wide = ["s32", "u16", "s8"];
    let scaled = [
        "a, b: e4m3[2]; sa, sb: ue8m0 of 2; c: f32",
        "a, b: e2m1[2]; sa, sb: ue4m3 of 2; c: f32",
        "a, b: e4m3[2]; sa, sb: ue5m3 of 2; c: f32",
    ];
    let thrice = |steps: &[&'static str]| -> Vec<&'static str> {
        steps.iter().flat_map(|step| [*step; 3]).collect()
    };
    [
        texts_of(FLOATS, &floats, &results),
        texts_of(INTEGERS, &integers, &wide),
        texts_of(&thrice(MIXED), &integers, &["f32"]),
        texts_of(&thrice(SCALED), &scaled, &["f32"]),
    ]
    .concat()
}
