//! Keys: each value of each shows in some result, or the model refuses it, or a reason is stated why it is the same, which is proved.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{AlgorithmDoc, Model, ModelError, algorithms, compositions};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::query::{Ended, Options as QueryOptions, Question, answer};
use mmasmt_questions::identify::{Fate, IdentifyOptions, catch, family, mutants, score};
use mmasmt_questions::inputs::{Draw, Kind, Sampler};
use std::time::Duration;

/// Compositions in whose branches all keys are read.
const COMPOSITIONS: &[(&str, &[&str])] = &[
    (
        "promote",
        &[
            "promote(fda:K=2,F=8):K=7,every=1",
            "promote(fda:K=2,F=8):K=7,every=2,scales=separate",
            "promote(fda:K=2,F=8):K=7",
        ],
    ),
    (
        "splitk",
        &[
            "splitk(fda:K=2,F=8):K=14,S=5",
            "splitk(fda:K=2,F=8):K=14,S=5,tiles=strided",
            "splitk(fda:K=2,F=8):K=4,S=1",
        ],
    ),
    (
        "epilogue",
        &[
            "epilogue(fda:K=2,in=bf16,F=24):K=2,beta=0x1p0",
            "epilogue(fda:K=2,in=bf16,F=24):K=2,beta=0x1p0,out=bf16",
            "epilogue(fda:K=2,in=bf16,F=24):K=2,beta=0x1p0,out=f64",
            "epilogue(fda:K=2,in=bf16,F=24):K=2,beta=0x1p0,out=e4m3,saturate=yes",
        ],
    ),
    (
        "adapt",
        &[
            "adapt(fda:K=2,F=8,in=e4m3):K=4,in=f16",
            "adapt(fda:K=4,F=12,in=e2m1,scale=ue8m0,block=2):K=4,in=e2m1,scale=ue8m0,block=4",
            "adapt(fda:K=2,F=24,in=e4m3):K=4,in=e2m1,scale=ue4m3,block=2,scales=elements",
        ],
    ),
    ("plain", &["plain(fda:K=2,in=bf16):K=2"]),
    ("markidis", &["markidis(fda:K=2):K=6"]),
    (
        "ootomo-yokota",
        &[
            "ootomo-yokota(fda:K=2):K=20",
            "ootomo-yokota(fda:K=2,in=tf32):K=10",
        ],
    ),
    ("eq24", &["eq24(fda:K=2):K=3"]),
    ("words", &["words(fda:K=2,in=bf16):K=3"]),
    ("cutlass-3xtf32", &["cutlass-3xtf32(fda:K=2,in=tf32):K=10"]),
    ("cutlass-9xbf16", &["cutlass-9xbf16(fda:K=2,in=bf16):K=18"]),
    ("triton-tf32x3", &["triton-tf32x3(fda:K=2,in=tf32):K=4"]),
    ("triton-bf16x3", &["triton-bf16x3(fda:K=2,in=bf16):K=4"]),
    ("triton-bf16x6", &["triton-bf16x6(fda:K=2,in=bf16):K=4"]),
    ("xla-bf16x3", &["xla-bf16x3(fda:K=2,in=bf16):K=4"]),
    ("xla-bf16x6", &["xla-bf16x6(fda:K=2,in=bf16):K=4"]),
    ("xla-bf16x9", &["xla-bf16x9(fda:K=2,in=bf16):K=4"]),
    ("xla-tf32x3", &["xla-tf32x3(fda:K=2,in=tf32):K=4"]),
    ("xla-fp8x3", &["xla-fp8x3(fda:K=2,in=e4m3):K=4"]),
    ("xla-fp8x4", &["xla-fp8x4(fda:K=2,in=e4m3):K=4"]),
];

/// What a value of a key changes nothing of, and why: model, key, values (all of them where there are none).
const SAME: &[(&str, &str, &[&str], &str)] = &[
    (
        "adapt(fda:K=2,F=8,in=e4m3):K=4,in=f16",
        "block",
        &[],
        "there are no scales",
    ),
    (
        "promote(fda:K=2,F=8):K=7",
        "round",
        &[],
        "nothing is added outside",
    ),
    (
        "promote(fda:K=2,F=8):K=7",
        "remainder",
        &[],
        "there is one partial sum, which is whole",
    ),
    (
        "splitk(fda:K=2,F=8):K=4,S=1",
        "combine",
        &["serial", "pairwise", "tree", "butterfly"],
        "one part has nothing to be combined with",
    ),
    (
        "splitk(fda:K=2,F=8):K=4,S=1",
        "first",
        &["2", "4"],
        "the part has whole blocks",
    ),
    (
        "splitk(fda:K=2,F=8):K=4,S=1",
        "lost",
        &["2", "4"],
        "the part has whole blocks",
    ),
    (
        "splitk(fda:K=2,F=8):K=14,S=5",
        "tile",
        &["3"],
        "a part has as many products without it",
    ),
    (
        "splitk(fda:K=2,F=8):K=14,S=5",
        "first",
        &["3", "4", "7", "14"],
        "no part has a block",
    ),
    (
        "splitk(fda:K=2,F=8):K=14,S=5,tiles=strided",
        "first",
        &["3", "4", "7", "14"],
        "no part has a block",
    ),
    (
        "splitk(fda:K=2,F=8):K=4,S=1",
        "tiles",
        &[],
        "one part has all tiles",
    ),
    (
        "splitk(fda:K=2,F=8):K=4,S=1",
        "tile",
        &[],
        "one part has all tiles",
    ),
    ("ootomo-yokota(fda:K=2):K=20", "tf32", &[], "parts are f16"),
    (
        "triton-tf32x3(fda:K=2,in=tf32):K=4",
        "block",
        &["4"],
        "one block has all products",
    ),
    (
        "triton-bf16x3(fda:K=2,in=bf16):K=4",
        "block",
        &["4"],
        "one block has all products",
    ),
    (
        "triton-bf16x6(fda:K=2,in=bf16):K=4",
        "block",
        &["4"],
        "one block has all products",
    ),
];

/// Numbers of f32 to try where a search tries none.
const NUMBERS: [&str; 4] = ["0x1p-3", "-0x1.8p0", "0x0p0", "0x1p100"];

/// Some values of a key: all, or of many the first, the last and some between.
fn values(doc: &AlgorithmDoc, key: usize, model: &Model) -> Vec<String> {
    let mut all = doc.keys[key].candidates(&model.signature());
    if all.is_empty() {
        return NUMBERS.map(str::to_owned).into();
    }
    if all.len() > 12 {
        let last = all.len() - 1;
        let places = [0, 1, 2, 3, 4, 7, last / 2, last].map(|place| place.min(last));
        all = places.map(|place| all[place].clone()).into();
        all.dedup();
    }
    all
}

/// Inputs of many kinds that a model takes.
fn drawn(model: &Model, count: usize) -> Vec<Inputs> {
    let signature = model.signature();
    let kinds = [
        Kind::Close,
        Kind::Edge,
        Kind::Cancel,
        Kind::Random,
        Kind::Finite,
    ];
    let mut draws = kinds.map(|kind| Draw::new(signature, kind, 1));
    let mut sampler = Sampler::new(signature, 1);
    let one = |turn: usize| match turn % 6 {
        5 => sampler.sample(),
        kind => draws[kind].draw(),
    };
    let drawn = (0..count).map(one);
    let some_in_parts = drawn.enumerate().map(|(turn, mut inputs)| {
        if signature.a == Format::F32 {
            let row = inputs.a.iter_mut().chain(&mut inputs.b);
            row.for_each(|register| *register = hard_to_split(*register, turn));
        }
        inputs
    });
    some_in_parts.collect()
}

/// Of some turns an f32 number that is a tie for the formats of parts, or whose products are about the least normal number.
fn hard_to_split(register: u64, turn: usize) -> u64 {
    match turn % 5 {
        0 => register & !0xffff | 0x8000,
        1 => register & !0x1fff | 0x1000,
        2 => register & 0x807f_ffff | (60 + turn as u64 % 12) << 23,
        _ => register,
    }
}

/// Whether some of the inputs shows a difference.
fn shows(base: &Model, other: &Model, inputs: &[Inputs]) -> bool {
    if base.signature() != other.signature() {
        return true;
    }
    let [mut left, mut right] = [base.simulator(), other.simulator()];
    let mut differ = |inputs| left.evaluate(inputs).unwrap() != right.evaluate(inputs).unwrap();
    inputs.iter().any(&mut differ)
}

/// Whether the solver finds inputs on which two models differ; `None` if it does not know.
fn differ(base: &Model, other: &Model) -> Option<bool> {
    let question = Question::difference(base, other, None)
        .unwrap()
        .with_specials();
    let limits = Limits::default().within(Duration::from_secs(120));
    let options = QueryOptions::default().minimise(None);
    let answer = answer(&question, &options, &limits).unwrap();
    match (answer.witness(), answer.ended) {
        (Some(_), _) => Some(true),
        (None, Ended::Unknown(_)) => None,
        (None, _) => Some(false),
    }
}

fn proved_equal(base: &Model, other: &Model) -> bool {
    differ(base, other) == Some(false)
}

/// Of pairs on which no drawn input shows a difference: whether the solver finds one for some pair,
/// or proves all of them equal.
fn shows_or_is_the_same<'x>(pairs: impl Iterator<Item = (&'x Model, &'x Model)>) -> bool {
    let mut all_are_equal = true;
    for (base, other) in pairs {
        match differ(base, other) {
            Some(true) => return true,
            Some(false) => {}
            None => all_are_equal = false,
        }
    }
    all_are_equal
}

#[test]
fn every_value_of_a_composition_shows_or_is_refused_or_the_same_for_a_reason() {
    let mut wrong = Vec::new();
    for doc in compositions() {
        let (_, texts) = COMPOSITIONS
            .iter()
            .find(|(name, _)| *name == doc.name)
            .unwrap();
        for text in *texts {
            let base = Model::parse(text).unwrap();
            let inputs = drawn(&base, 2000);
            for (number, key) in doc.keys.iter().enumerate() {
                for value in values(doc, number, &base) {
                    let Ok(changed) = base.with(&format!("{}={value}", key.name)) else {
                        continue;
                    };
                    if changed.canonical() == base.canonical() {
                        continue;
                    }
                    let stated = SAME.iter().any(|(of, same, values, _)| {
                        of == text
                            && *same == key.name
                            && (values.is_empty() || values.contains(&&*value))
                    });
                    let found = shows(&base, &changed, &inputs);
                    if found == stated || stated && !proved_equal(&base, &changed) {
                        wrong.push(format!("{text} {}={value}: shows: {found}", key.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Beside the model that the name of an algorithm is, those in whose branches its other keys are read.
const ALGORITHMS: &[(&str, &[&str])] = &[
    (
        "fda",
        &[
            "fda:K=2,F=8,c=f16,out=f16",
            "fda:K=2,F=24,out=f16",
            "fda:K=2,F=24,out=f16,round=rz",
            "fda:K=2,F=12,in=e4m3",
            "fda:K=4,F=24,carry=3",
            "fda:K=4,F=12,in=e2m1,scale=ue8m0,block=2",
        ],
    ),
    ("hmma8", &["hmma8:K=4,F=20", "hmma8:K=4,F=24,out=f16"]),
    ("ieee", &["ieee:K=2,in=f32"]),
];

/// Values of which neither drawn inputs nor the solver show anything in a short time: what shows
/// them has all terms about the least ones. `hmma8:K=4,zero=raw` is proved equal to `hmma8:K=4`.
const UNDECIDED: [(&str, &str); 2] = [("hmma8", "zero"), ("gdfs", "emin")];

#[test]
fn every_value_of_an_algorithm_shows_in_some_model_or_is_refused() {
    values_show(false);
}

#[test]
#[ignore = "a minute"]
fn really_every_value_of_an_algorithm_shows_in_some_model_or_is_refused() {
    values_show(true);
}

/// Asks about all values, or about an eighth of them.
fn values_show(is_long: bool) {
    let mut wrong = Vec::new();
    for doc in algorithms() {
        let own = [doc.name];
        let others = ALGORITHMS.iter().find(|(name, _)| *name == doc.name);
        let texts = own.iter().chain(others.map_or(&[][..], |(_, texts)| texts));
        let models: Vec<(Model, Vec<Inputs>)> = texts
            .map(|text| Model::parse(text).unwrap())
            .map(|model| {
                let inputs = drawn(&model, 2000);
                (model, inputs)
            })
            .collect();
        for (number, key) in doc.keys.iter().enumerate() {
            let all = values(doc, number, &models[0].0).into_iter().enumerate();
            for (place, value) in all {
                if !is_long && place % 8 != number % 8 {
                    continue;
                }
                let change = format!("{}={value}", key.name);
                let changed = models.iter().filter_map(|(model, inputs)| {
                    let changed = model.with(&change).ok()?;
                    let is_another = changed.canonical() != model.canonical();
                    is_another.then_some((model, changed, inputs))
                });
                let changed: Vec<_> = changed.collect();
                let shown = |(model, changed, inputs): &(&Model, Model, &Vec<Inputs>)| {
                    shows(model, changed, inputs)
                };
                let settled = UNDECIDED.contains(&(doc.name, key.name))
                    || changed.is_empty()
                    || changed.iter().any(shown)
                    || shows_or_is_the_same(
                        changed.iter().map(|(model, changed, _)| (*model, changed)),
                    );
                if !settled {
                    wrong.push(format!("{}:{change}", doc.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The greatest number of each format for what exceeds it; infinity where it does not saturate.
#[test]
fn an_epilogue_saturates_in_every_format() {
    for (out, greatest, infinite) in [
        ("f32", 0x7f7f_ffff, 0x7f80_0000),
        ("bf16", 0x7f7f, 0x7f80),
        ("f16", 0x7bff, 0x7c00),
        ("f64", 0x7fef_ffff_ffff_ffff, 0x7ff0_0000_0000_0000),
        ("e5m2", 0x7b, 0x7c),
    ] {
        for (saturate, expected) in [("yes", greatest), ("no", infinite)] {
            let text =
                format!("epilogue(fda:K=1,in=bf16):K=1,beta=0x1p0,out={out},saturate={saturate}");
            let model = Model::parse(&text).unwrap();
            // 2^127 * 1 + 2^127, and the same of the other sign.
            for (sign_of_a, sign_of_c, sign) in [
                (0, 0, 0),
                (0x8000, 0x8000_0000, model.signature().d.sign_mask()),
            ] {
                let inputs = Inputs::new(
                    vec![0x7f00 | sign_of_a],
                    vec![0x3f80],
                    0x7f00_0000 | sign_of_c,
                );
                assert_eq!(
                    model.evaluate_big(&inputs).unwrap(),
                    expected | sign,
                    "{text}"
                );
            }
            // A NaN stays one, and what is in range is not changed.
            let nan = Inputs::new(vec![0x7fc0], vec![0x3f80], 0);
            assert!(
                model
                    .signature()
                    .d
                    .is_nan(model.evaluate_big(&nan).unwrap()),
                "{text}"
            );
            let one = Inputs::new(vec![0x3f80], vec![0x3f80], 0);
            assert_eq!(
                model.evaluate_big(&one).unwrap(),
                model.signature().d.one(),
                "{text}"
            );
        }
    }
}

const NESTED: &str =
    "epilogue(splitk(fda:K=4,F=18,in=e4m3):S=2,K=8):K=8,alpha=0x1p-1,beta=0x1p-2,out=bf16";

#[test]
fn mutants_change_the_keys_of_every_layer() {
    let base = Model::parse(NESTED).unwrap();
    let all = mutants(&base);
    let has = |change: &str| all.iter().any(|(found, _)| found == change);
    for change in [
        "saturate=yes",
        "splitk.combine=tree",
        "splitk.S=4",
        "splitk.fda.F=19",
        "splitk.fda.carry=3",
        "splitk.fda.round=rne",
        "splitk.fda.K=2",
    ] {
        assert!(has(change), "{change}");
    }
    for (change, mutant) in &all {
        assert_eq!(mutant.signature(), base.signature(), "{change}");
        assert_ne!(mutant.canonical(), base.canonical(), "{change}");
        // The name is read by what changes models.
        let again = base.with(change).unwrap();
        assert_eq!(again.canonical(), mutant.canonical(), "{change}");
    }
}

/// A file of a unit without `c` has no other `c` than 0, or the unit itself would refuse it.
#[test]
fn inputs_for_a_unit_without_c_have_none() {
    for name in [
        "unit:{unit u { a, b: e5m2[2]; d: f32; d = round(fuse(a * b) keep 9 by rz) to f32 by rne }}",
        "psp/vdot.q",
    ] {
        let base = Model::parse(name).unwrap();
        assert!(!base.reads_c());
        let options = IdentifyOptions::default().budget(Duration::from_millis(100));
        let limits = Limits::default().within(Duration::from_secs(5));
        let (inputs, found) = catch(&base, &options, &limits).unwrap();
        assert!(found.caught()[0] > 0, "{name}");
        assert!(inputs.iter().all(|inputs| inputs.c == 0), "{name}");
    }
}

/// Few inputs for all layers, and a file of one input that shows less.
#[test]
fn the_score_of_a_composition_counts_inner_keys() {
    let base = Model::parse("promote(fda:K=1,F=4,in=e2m1):K=1").unwrap();
    let options = IdentifyOptions::default().budget(Duration::from_millis(300));
    let (inputs, found) = catch(&base, &options, &Limits::default()).unwrap();
    let [caught, all] = found.caught();
    let inner = |fate: fn(&Fate) -> bool| {
        let inner = found
            .mutants
            .iter()
            .filter(|mutant| mutant.change.starts_with("fda."));
        inner.filter(|mutant| fate(&mutant.fate)).count()
    };
    assert!(
        inner(|fate| matches!(fate, Fate::Caught(_))) > 5,
        "{caught} of {all}"
    );
    assert!(caught <= all && found.mutants.len() > caught);
    let less = score(&base, &inputs[..1], &options, &Limits::default()).unwrap();
    assert!(less.caught()[0] < caught, "{caught}");
}

#[test]
fn a_key_inside_is_found_without_its_path_where_one_layer_has_it() {
    let changed = |base: &str, change: &str| {
        let model = Model::parse(base).and_then(|model| model.with(change));
        model.map(|model| model.canonical())
    };
    let nested = "epilogue(splitk(fda:K=4,F=18,in=e4m3):K=8,S=2):K=8";
    for (base, change, canonical) in [
        (
            "promote(fda:K=8,F=12)",
            "F=20",
            "promote(fda:K=8,F=20,in=f16):K=8",
        ),
        (
            "promote(fda:K=8,F=12)",
            "fda.F=20,every=1",
            "promote(fda:K=8,F=20,in=f16):K=8,every=1",
        ),
        (
            "promote(fda:K=8,F=12)",
            "f=20",
            "promote(fda:K=8,F=20,in=f16):K=8",
        ),
        (
            nested,
            "F=20",
            "epilogue(splitk(fda:K=4,F=20,in=e4m3):K=8,S=2):K=8",
        ),
        (
            nested,
            "fda.F=20",
            "epilogue(splitk(fda:K=4,F=20,in=e4m3):K=8,S=2):K=8",
        ),
        (
            nested,
            "splitk.fda.F=20",
            "epilogue(splitk(fda:K=4,F=20,in=e4m3):K=8,S=2):K=8",
        ),
        (
            nested,
            "S=4,carry=3",
            "epilogue(splitk(fda:K=4,F=18,carry=3,in=e4m3):K=8,S=4):K=8",
        ),
        (
            "promote(promote(fda:K=2):K=4,every=1):K=8",
            "promote.every=2",
            "promote(promote(fda:K=2,in=f16):K=4,every=2):K=8",
        ),
        (
            "repeat(fda:K=8,F=12)",
            "F=20",
            "promote(fda:K=8,F=20,in=f16):K=8",
        ),
        (
            "fda:K=8,F=12,repeat=2",
            "F=20",
            "promote(fda:K=8,F=20,in=f16):K=16",
        ),
    ] {
        let canonical = Model::parse(canonical).unwrap().canonical();
        assert_eq!(
            changed(base, change).as_ref(),
            Ok(&canonical),
            "{base} {change}"
        );
        // As text behind the parentheses as well.
        if !base.ends_with(')') && !base.contains("):") {
            continue;
        }
        let separator = if base.contains("):") { "," } else { ":" };
        let text = format!("{base}{separator}{change}");
        assert_eq!(
            Model::parse(&text).map(|model| model.canonical()),
            Ok(canonical),
            "{text}"
        );
    }
    // A row of a library is a composition, too.
    let row = changed("cublas/fp8.slow.hopper.f32.e4m3.e4m3", "F=20,every=2").unwrap();
    assert!(row.contains("F=20") && row.contains("every=2"), "{row}");
    let several = changed(
        "epilogue(splitk(promote(fda:K=2):K=4,every=1):K=8,S=2):K=8",
        "round=rz",
    );
    let error = several.unwrap_err();
    assert!(matches!(error, ModelError::SeveralLayers { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "key `round` is of several layers: expected splitk.round or splitk.promote.round or splitk.promote.fda.round"
    );
    for wrong in ["G=3", "fda.every=2", "splitk.F=3", "exact.F=3"] {
        assert!(changed(nested, wrong).is_err(), "{wrong}");
    }
}

/// In families as elsewhere, and in what `least` goes through.
#[test]
fn families_and_numbers_reach_inner_keys() {
    let base = Model::parse("promote(fda:K=4,F=12):K=8,every=1").unwrap();
    let of = |text: &str| family(text, Some(&base)).unwrap();
    assert_eq!(of("F=10..14").len(), 5);
    assert_eq!(of("fda.carry=*,every=1|2").len() % 2, 0);
    assert!(of("fda.carry=*").len() > 2);
    assert!(
        of("F=10..12")
            .iter()
            .all(|model| model.signature() == base.signature())
    );
    assert!(base.numbers("F").unwrap().contains(&24));
    assert!(base.numbers("carry").unwrap().contains(&4));
    assert_eq!(base.numbers("every").unwrap(), [1, 2]);
    let error = family("G=*", Some(&base)).unwrap_err().to_string();
    assert!(error.contains("a key of the model before `=*`"), "{error}");
}
