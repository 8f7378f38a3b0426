//! Descriptions: the text of every algorithm is read as it was written, and words, columns and big integers
//! give the same results of it.

use crate::common::drawn::{FAMILIES, INTEGERS};
use crate::common::inputs::draw;
use mmasmt_core::machines::algorithms::descriptions::{Description, Function, Keyword};
use mmasmt_core::machines::algorithms::{Inputs, Operation, Step};
use mmasmt_core::machines::model::{Algorithm, Model, architectures};
use mmasmt_numbers::bits::{Big, Concrete};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The first operation of a model as a description, if there is one: its text with its parameters filled in.
pub fn described(model: &Model) -> Result<Model, String> {
    let Some((operation, _)) = model.algorithm().operation() else {
        return Err("a composition".into());
    };
    let description = operation.description().ok_or("no description")?;
    let text = description.text();
    let read = Description::parse(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(&read, description, "{text}");
    for other in [read.tree().to_string(), read.tree().one_line()] {
        let again =
            Description::parse(&other).unwrap_or_else(|error| panic!("{error} in\n{other}"));
        assert_eq!(again.tree().one_line(), read.tree().one_line());
        assert_eq!(&again, description, "{other}");
    }
    let name = format!("unit:{{{}}}", read.tree().one_line());
    Ok(Model::parse(&name).unwrap_or_else(|error| panic!("{error} in\n{text}")))
}

/// Compares both on inputs of all kinds.
fn is_the_same(model: &Model, count: usize, seed: u64) -> Result<(), String> {
    let [first, _] = model.operations().unwrap();
    let unit = described(&first)?;
    assert_eq!(unit.signature(), first.signature(), "{model}");
    let (mut rng, signature) = (ChaCha8Rng::seed_from_u64(seed), first.signature());
    let (mut simulator, mut other) = (first.simulator(), unit.simulator());
    for _ in 0..count {
        let inputs = draw(&mut rng, &signature);
        let expected = simulator.evaluate(&inputs).unwrap();
        let found = other.evaluate(&inputs).unwrap();
        assert!(
            first.accepts(found, expected),
            "{first}: {expected:x}, described {found:x} for {}\n{unit}",
            inputs.to_line(&signature),
        );
    }
    Ok(())
}

#[test]
fn every_row_is_described() {
    for architecture in architectures().unwrap() {
        let mut seen: Vec<Algorithm> = Vec::new();
        for row in &architecture.rows {
            let model = Model::parse(&format!("{}/{}", row.architecture, row.name)).unwrap();
            if !seen.contains(model.algorithm()) {
                seen.push(model.algorithm().clone());
                is_the_same(&model, 100, 7).unwrap_or_else(|what| panic!("{model}: {what}"));
            }
        }
    }
}

#[test]
fn drawn_algorithms_are_described() {
    for (name, draw) in FAMILIES.iter().chain([&INTEGERS]) {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..60 {
            let model = draw(&mut rng).model();
            is_the_same(&model, 60, round).unwrap_or_else(|what| panic!("{name}: {what}"));
        }
    }
}

/// Every word of every option is one that elaboration knows.
#[test]
fn words_of_options_are_known() {
    let arguments = |function| match function {
        Function::Flush => "flush(c)",
        Function::Term => "term(c)",
        Function::Fuse => "fuse(a * b, c) keep 20 carry 2",
        Function::Align => "fuse(align(a * b) WORD, c) keep 20",
        Function::Cut => "cut(sum(a * b)) bits 20",
        Function::Sum => "sum(a * b, c)",
        Function::Round => "round(sum(a * b, c)) to f32",
        _ => "",
    };
    for function in Function::ALL {
        for keyword in Keyword::ALL {
            for word in function.words(*keyword) {
                let call = arguments(*function);
                if call.is_empty() || !function.keywords().contains(keyword) {
                    continue;
                }
                let option = format!("{} {word}", keyword.word());
                let call = match call.contains("WORD") {
                    true => call.replace("WORD", &option),
                    false => format!("{call} {option}"),
                };
                let of_integers = ["wrap", "symmetric"].contains(word);
                let of_conversions = match *word {
                    "clamp" | "kept" | "signed" | "signed_ones" => Some("e4m3"),
                    "opposite_zero" => Some("e2m1"),
                    _ => None,
                };
                let is_round = *function == Function::Round;
                let text = match (is_round && of_integers, of_conversions) {
                    (_, Some(to)) if is_round => {
                        format!("unit u {{ a: f32 d: {to} d = round(a) to {to} {option} }}")
                    }
                    (true, _) => format!(
                        "unit u {{ a, b: s8[2] c, d: s32 x = {} d = c }}",
                        call.replace("f32", "s32")
                    ),
                    _ => format!("unit u {{ a, b: f16[2] c, d: f32 x = {call} d = c }}"),
                };
                let result = Description::parse(&text);
                assert!(result.is_ok(), "{text}: {}", result.unwrap_err());
            }
        }
    }
}

#[test]
fn errors_have_a_place_and_say_what_was_expected() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        (
            "",
            "line 1, character 1: expected `unit` or `composition`, found the end of the text",
        ),
        (
            "unit u {\n  a, b: f16[4]\n  d: f32\n  d = fuse(a * b) by rz\n}",
            "line 4, character 7: expected the option `keep`",
        ),
        (
            "unit u { a, b: f16[4] c, d: f32 d = e }",
            "line 1, character 37: expected a value with a name, found `e`",
        ),
        (
            "unit u { a, b: f17[4] d: f32 }",
            "line 1, character 10: expected a format, found `f17`, did you mean `f16` or `bf16`?",
        ),
        (
            "unit u { a, b: f16[4] d: f32 d = round(a * b) to f16 }",
            "line 1, character 34: expected one value of the result `d`, found a row of 4, of which `[0]` is the first",
        ),
        (
            "unit u { a, b: f16[4] d: f32 d = round(sum(a)) to f32 tiny never }",
            "line 1, character 55: expected `tiny` kept or before or after or register, found `never`",
        ),
        (
            "unit u { a, b: f16[4] d: f32 d = round(sum(a)) to f32 tiny zero }",
            "line 1, character 55: expected `tiny` kept or before or after or register, found `zero`",
        ),
        (
            "unit u { a, b: bfloat16[4] d: f32 }",
            "line 1, character 10: expected a format, found `bfloat16`, did you mean `bf16`?",
        ),
        (
            "unit u { a, b: f16[4] d: f32 sums = a * b d = round(sum(sms)) to f32 }",
            "line 1, character 57: expected a value with a name, found `sms`, did you mean `sums`?",
        ),
        (
            "unit u { a, b: f16[4] d: f32 d = round(fuse(a) kep 4) to f32 }",
            "line 1, character 48: expected `)`, found `kep`, did you mean `keep`?",
        ),
        (
            "unit u { a, b: f16[4] d: f32 d = round(fuse(a) keep 4 by rzz) to f32 }",
            "line 1, character 55: expected `by` rz or rne or rd or ru or ra or odd or rna or rnz or rnu or rnd or rno, found `rzz`, did you mean `rz` or `rnz`?",
        ),
        (
            "unit u(K = 4 in 1..8) { a: f16[K] b: f16[K + 1] d: f32 d = round(sum(a)) to f32 }",
            "line 1, character 1: expected as many `a` as `b`, found 4 and 5",
        ),
        (
            "unit u { a, b: f16[4] d: f32 x[1] = a[0] }",
            "line 1, character 30: expected an element from 0 to 0, as rows are filled in order, found 1",
        ),
        (
            "unit u { a, b: f16[70000] d: f32 }",
            "line 1, character 10: expected a whole number from 1 to 65536, found 70000",
        ),
        (
            "unit u { a, b: f16[4] d: f32 for i in 0..9999999 { } }",
            "line 1, character 30: expected at most 1048576 turns of loops",
        ),
    ] {
        let error = Description::parse(text).unwrap_err().to_string();
        wrong.extend((error != expected).then(|| format!("{error}\n{expected}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let unknown = "unit u { a, b: f16[4] d: f32 d = round(fused (a)) to f32 }";
    let error = Description::parse(unknown).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1, character 40: expected row or term or")
            && error.ends_with("found `fused`, did you mean `fuse`?"),
        "{error}"
    );
    let deep = format!(
        "unit u {{ a, b: f16[4] d: f32 d = {}",
        "round(".repeat(10_000)
    );
    let error = Description::parse(&deep).unwrap_err().to_string();
    assert!(
        error.ends_with("found `round`") && error.contains("at most 64"),
        "{error}"
    );
}

/// One code for every NaN: as a number, and as the code where no register comes first.
#[test]
fn a_code_of_nan_is_a_number() {
    let text = |nan: &str| {
        format!("unit u {{ a, b: f16[2] d: f32 d = round(sum(a * b)) to f32 nan {nan} }}")
    };
    let [number, first] = ["0x7f800001", "first(zero() to f32) else 0x7f800001"]
        .map(|nan| Model::of_description(Description::parse(&text(nan)).unwrap()));
    let [one, two, infinite, nan] = [0x3c00, 0x4000, 0x7c00, 0x7e01];
    for a in [
        [one, two],
        [nan, one],
        [one, infinite],
        [infinite, infinite | 0x8000],
    ] {
        let inputs = Inputs::new(a.to_vec(), vec![one, one], 0);
        let results = [&number, &first].map(|model| model.evaluate_big(&inputs).unwrap());
        assert_eq!(results[0], results[1], "{a:x?}");
        let is_nan = a[0] == nan || a == [infinite, infinite | 0x8000];
        assert_eq!(results[0] == 0x7f80_0001, is_nan, "{a:x?}");
    }
    let printed = Description::parse(&text("0x7f800001")).unwrap();
    let printed = printed.tree().one_line();
    assert!(printed.contains("nan 0x7f800001"), "{printed}");
}

/// Each term of a sum of a described row has a name of the text, whose values the text makes.
#[test]
fn terms_have_the_names_of_the_text() {
    let mut described = 0;
    for architecture in architectures().unwrap() {
        for row in &architecture.rows {
            let model = Model::parse(&format!("{}/{}", row.architecture, row.name)).unwrap();
            let Algorithm::Operation(Operation::Description(unit)) = model.algorithm() else {
                continue;
            };
            described += 1;
            let names: Vec<&str> = unit.program().nodes.iter().map(|node| node.name).collect();
            let zero = Inputs::zero(&model.signature());
            let (_, stages) = model.stages::<Big>(&zero).unwrap();
            for step in stages.steps() {
                let Step::Fused(fused) = step else {
                    continue;
                };
                assert!(
                    names.contains(&fused.grid.what),
                    "{model}: {:?}",
                    fused.grid
                );
                assert_eq!(fused.names.len(), fused.terms.len(), "{model}");
                for name in &fused.names {
                    let first = name.split(['[', ' ']).next().unwrap();
                    assert!(names.contains(&first), "{model}: {name}");
                }
            }
        }
    }
    assert!(described >= 100, "{described}");
}

/// Programs for a result alone have short factors in fixed point and common least exponents, and leave a cut with its
/// rounding to the processor: words and columns give what big integers give, which take the steps as they are.
#[test]
fn what_a_program_for_the_result_changes_shows_nowhere() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for text in [
        "gdfs:K=32",
        "gfdrda:K=4",
        "fdrda:K=4,late=paper",
        "int:K=3,in=s8,chain=2",
        "exact:K=3,in=e4m3,c=bf16,out=bf16",
        "unit:{unit u { a, b: e2m3[4] c, d: f32 d = round(sum(a * b, c)) to f32 }}",
        "unit:{unit u { a, b: e2m1[4] c, d: f32 g = sum(a[0..2] * b[0..2]) zeros terms d = round(fuse(g, a[2..] * b[2..], c) keep 9) to f32 }}",
        "unit:{unit u { a, b: f16[4] c, d: f32 s = fuse(a[0..2] * b[0..2]) keep 7 t = fuse(s, a[2..] * b[2..]) keep 9 by rd d = round(fuse(t, c) keep 12) to f32 }}",
        "unit:{unit u { a, b: f16[4] c, d: f32 s = fuse(a[0..2] * b[0..2]) keep 7 least -3 t = fuse(s, a[2..] * b[2..]) keep 9 d = round(fuse(t, s, c) keep 12) to f32 }}",
        "unit:{unit u { a, b: bf16[2] c, d: f32 t = fuse(a * b, c) keep 30 d = round(cut(t) bits 28 by rd least -126) to f32 overflow infinity sign total }}",
        "unit:{unit u { a, b: bf16[2] c, d: f32 t = fuse(a * b, c) keep 30 d = round(cut(t) bits 28 by rz least -120) to f32 overflow infinity sign total }}",
        "unit:{unit u { a, b: e5m2[3] c, d: f32 d = round(fuse(a * b, c) keep all by rnd) to f32 }}",
    ] {
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        let drawn: Vec<Inputs> = (0..600).map(|_| draw(&mut rng, &signature)).collect();
        let mut batch = model.batch();
        batch.prepare();
        let columns = batch.results(&drawn);
        let mut simulator = model.simulator();
        for (inputs, column) in drawn.iter().zip(columns) {
            let full = model.evaluate_big(inputs).unwrap();
            let line = inputs.to_line(&signature);
            assert!(model.accepts(simulator.run(inputs), full), "{text}: {line}");
            assert!(model.accepts(column, full), "{text}: {line}");
        }
    }
}

/// A register in place of a NaN that is an ordinary number, and one that `replace` gives, are no codes of NaNs that could
/// be others.
#[test]
fn registers_in_place_of_nans_stay_where_codes_do_not_matter() {
    let unit = |steps: &str| {
        let text = format!("unit u {{ a, b: f16[1]; c, d: f32; {steps} }}");
        Model::of_description(Description::parse(&text).unwrap())
    };
    let number = unit("d = round(sum(a * b, c)) to f32 nan first(c) else 0x5");
    // Infinity times zero.
    let inputs = Inputs::new(vec![0x7c00], vec![0], 0).lifted::<Big>(&number.signature());
    let (register, _) = number.evaluate_with_any_nan(&inputs);
    assert_eq!(register.to_u64(), 5);
    let step = "s = round(sum(a * b, c)) to f16 overflow infinity; t = sum(s, s * s)";
    let [replaced, plain] =
        ["replace(c, t) nan 0x7fc00001", "replace(c, t) nan quiet"].map(|one| {
            unit(&format!(
                "{step}; u = {one}; d = round(sum(u, c)) to f32 nan first(u) else quiet"
            ))
        });
    assert!(!replaced.is_same_on_finite(&plain));
    let other = unit(&format!(
        "{step}; u = replace(c, t) nan 0x7fc00001; d = round(sum(u, c)) to f32 nan none(u) else quiet"
    ));
    assert!(!replaced.is_same_on_finite(&other));
}
