//! Recipes: compositions that a text describes are those that the program knows, on all kinds of operands.

use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::bits::Big;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn composed(body: &str, unit: &str, keys: &str) -> Model {
    let text = format!("compose:{{{body}}}({unit}):{keys}");
    Model::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Compares both on inputs of all kinds, on words and on big integers.
fn are_the_same(left: &Model, right: &Model) {
    let signature = left.signature();
    assert_eq!(signature, right.signature(), "{left} {right}");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut x, mut y) = (left.simulator(), right.simulator());
    for _ in 0..400 {
        let inputs = draw(&mut rng, &signature);
        let expected = y.evaluate(&inputs).unwrap();
        let found = x.evaluate(&inputs).unwrap();
        assert_eq!(found, expected, "{left}: {}", inputs.to_line(&signature));
    }
    let inputs = draw(&mut rng, &signature);
    let (big, _) = left.stages::<Big>(&inputs).unwrap();
    let (other, _) = right.stages::<Big>(&inputs).unwrap();
    assert_eq!(big, other);
}

const PROMOTE: &str = "composition p(N = 2 in 1..64, ROUND = rne in roundings) {
    t = c
    for k in 0..K step N * STEP { t = round(sum(t, run(a[k..k + N * STEP] * b[k..k + N * STEP]))) by ROUND }
    d = t
}";

#[test]
fn what_has_a_name_is_what_a_text_says() {
    let unit = "fda:K=4,F=24";
    for keys in ["K=16", "K=18", "K=3", "K=16,round=rz", "K=16,n=3"] {
        let named = format!("promote({unit}, every=2):{}", keys.replace("n=", "every="));
        are_the_same(
            &composed(PROMOTE, unit, keys),
            &Model::parse(&named).unwrap(),
        );
    }
    let split = "composition s(S = 3 in 1..64) {
        let P = (K + S - 1) / S
        for s in 0..S { part_of[s] = run(a[s * P..s * P + P] * b[s * P..s * P + P]) }
        t = part_of[0]
        for s in 1..S { t = round(sum(t, part_of[s])) }
        d = round(sum(t, c))
    }";
    let named = Model::parse(&format!("splitk({unit}, S=3):K=18")).unwrap();
    are_the_same(&composed(split, unit, "K=18"), &named);
    let tree = "composition t { for s in 0..K / 4 { p[s] = run(a[4 * s..4 * s + 4] * b[4 * s..4 * s + 4]) }
        pairwise t of p = round(sum(left, right)); d = round(sum(t, c)) }";
    let named = Model::parse(&format!("splitk({unit}, S=4, combine=tree):K=16")).unwrap();
    are_the_same(&composed(tree, unit, "K=16"), &named);
    let stored = "composition s { d = round(round(round(sum(run(a * b), c))) to bf16) to f32 }";
    let model = composed(stored, unit, "K=8");
    assert_eq!(model.signature().d.name(), "f32");
}

#[test]
fn schemes_of_parts_are_texts() {
    let three = "composition three {
        x = split(a) to tf32 by rz; u = split(a, x) to tf32 by rna
        y = split(b) to tf32 by rz; v = split(b, y) to tf32 by rna
        d = c
        for k in 0..K step 8 {
            d = run(u[k..k + 8] * y[k..k + 8], d)
            d = run(x[k..k + 8] * v[k..k + 8], d)
            d = run(x[k..k + 8] * y[k..k + 8], d)
        }
    }";
    let unit = "fda:K=4,F=23,in=tf32";
    let named = Model::parse(&format!("3xtf32({unit}):K=12,big=rz,small=rna")).unwrap();
    are_the_same(&composed(three, unit, "K=12"), &named);
    let markidis = "composition markidis {
        x = split(a) to f16; u = split(a, x) to f16
        y = split(b) to f16; v = split(b, y) to f16
        d = run(u * v, run(x * v, run(u * y, run(x * y, c))))
    }";
    let named = Model::parse("markidis(fda:K=4,F=23):K=6").unwrap();
    are_the_same(&composed(markidis, "fda:K=4,F=23", "K=6"), &named);
    let equation = "composition equation {
        x = split(a) to f16; u = split(a, x) to f16 shift 11
        y = split(b) to f16; v = split(b, y) to f16 shift 11
        mixed = run(x * v, run(u * y))
        d = round(sum(round(sum(scale(mixed) exponent -11, run(x * y))), c))
    }";
    let named = Model::parse("eq24(fda:K=4,F=23):K=6").unwrap();
    are_the_same(&composed(equation, "fda:K=4,F=23", "K=6"), &named);
}

/// Printed models are read again, and inner and outer keys are told apart.
#[test]
fn recipes_are_models_like_others() {
    let model = composed(PROMOTE, "fda:K=4,F=24", "K=16");
    let again = Model::parse(&model.canonical()).unwrap();
    assert_eq!(again.algorithm(), model.algorithm());
    assert_eq!(again.canonical(), model.canonical());
    let other = model.with("F=23,n=4").unwrap();
    assert!(other.canonical().contains("F=23") && other.canonical().contains("N=4"));
    let longer = model.of_length(64).unwrap();
    assert_eq!(longer.signature().products, 64);
    let nested = Model::parse(&format!("epilogue({})", model.canonical())).unwrap();
    let inputs = Inputs::new(vec![0x3c00; 16], vec![0x3c00; 16], 0);
    assert_eq!(nested.simulator().evaluate(&inputs), Ok(0x4180_0000));
}

#[test]
fn errors_say_what_was_expected() {
    for (body, expected) in [
        ("composition p { d = c + c }", "expected"),
        (
            "composition p { d = run(a * a) }",
            "expected factors of `a` times factors of `b`",
        ),
        (
            "composition p { d = run(b * a) }",
            "expected factors of `a` times factors of `b`",
        ),
        (
            "composition p { t = c }",
            "expected a sum that is the result `d`",
        ),
        (
            "composition p { d = fuse(a * b, c) keep 3 }",
            "found `fuse`, which is of units",
        ),
        (
            "composition p { d = round(c) to bf16 by rz }",
            "expected a conversion by rne",
        ),
        (
            "composition p { x = split(a) to f16; d = run(a * b) }",
            "expected parts of `a` and `b`",
        ),
        (
            "composition p { need K = 4; d = c }",
            "expected values with K = 4",
        ),
        (
            "unit u { a, b: f16[4]; d: f32; d = round(sum(a * b)) to f32 }",
            "expected a composition, found a unit",
        ),
        (
            "composition p(N = 2 in 1..4, N = 3 in 1..4) { d = c }",
            "expected each parameter once",
        ),
    ] {
        let text = format!("compose:{{{body}}}(fda:K=4,F=24):K=8");
        let error = Model::parse(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{body}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let unit = Model::parse("unit:{composition p { d = c }}").unwrap_err();
    assert!(
        unit.to_string()
            .contains("expected a unit, found a composition"),
        "{unit}"
    );
}
