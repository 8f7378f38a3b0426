//! What the tests say of rounding, overflow, saturation and subnormal numbers is what the parameters say, or nothing.

use super::{answer, answers};
use mmasmt_questions::identify::probe::TestAnswer;

/// A mode of the keys with its names: of MMA-Sim, of FTTN, of additions and of the rule of overflow; none where a test has
/// no name for it.
type Named = (
    &'static str,
    &'static str,
    &'static str,
    Option<&'static str>,
    &'static str,
);

const MODES: [Named; 5] = [
    ("rz", "RZ", "truncate", Some("RZ"), "toward zero"),
    ("rne", "RNE", "RTN-TE", Some("RN"), "nearest"),
    ("rd", "RD", "down", Some("RD"), "down"),
    ("ru", "RU", "up", Some("RU"), "up"),
    ("ra", "RA", "RA", None, "away"),
];

/// Tests of a mode, with what it is there.
fn expected(
    (_, mode, fttn, addition, overflow): Named,
) -> [(&'static str, Option<&'static str>); 5] {
    [
        ("result-rounding", Some(mode)),
        ("T_rnd_dir", Some(fttn)),
        ("addition-rounding", addition),
        ("final-rounding", addition),
        ("overflow-rule", Some(overflow)),
    ]
}

const UNKNOWN: [&str; 2] = ["undecided", "not applicable"];

/// The answers in short of some tests, by name.
fn all(text: &str) -> Vec<(&'static str, String)> {
    let outcomes = answers(text, &[]).0.into_iter();
    let short = |answer: TestAnswer| match answer {
        TestAnswer::Found(found) => found.value.to_string(),
        other => other.status().to_owned(),
    };
    outcomes
        .map(|outcome| (outcome.test.name, short(outcome.answer)))
        .collect()
}

fn of<'x>(all: &'x [(&'static str, String)], name: &str) -> &'x str {
    &all.iter().find(|(known, _)| *known == name).unwrap().1
}

/// Units that cut nothing, one bit or both bits below the unit of the result before they round.
#[test]
fn a_mode_of_rounding_is_named_rightly_or_not_at_all() {
    let mut named = 0;
    for mode in MODES {
        let key = mode.0;
        let mut models = Vec::new();
        for products in [1, 2, 4, 8] {
            for bits in [23, 24, 25, 40] {
                for align in ["trunc", "floor", "sticky"] {
                    let keys = format!("K={products},F={bits},align={align},round={key}");
                    models.push(format!("fda:in=bf16,{keys}"));
                }
            }
            models.push(format!(
                "fda:in=bf16,K={products},F=24,sticky=sum,round={key}"
            ));
            models.push(format!("fda:in=bf16,K=1,chain={products},F=24,round={key}"));
            models.push(format!("fda:K={products},F=24,round={key}"));
            models.push(format!("fda:K={products},F=11,out=f16,round={key}"));
            models.push(format!("exact:in=bf16,K={products},round={key}"));
            models.push(format!("ieee:in=bf16,K={products},round={key}"));
        }
        for text in models {
            let all = all(&text);
            for (test, right) in expected(mode) {
                let found = of(&all, test);
                let is_right = right == Some(found);
                assert!(
                    is_right || UNKNOWN.contains(&found),
                    "{text}: {test}: {found}"
                );
                named += usize::from(is_right);
            }
        }
    }
    assert!(named > 1000, "{named}");
}

/// A mode is named, not left open, where formats and products allow it.
#[test]
fn modes_are_named_where_sums_carry() {
    for (key, mode, fttn, ..) in MODES {
        for text in ["K=2,F=24", "K=1,F=24", "K=4,F=23", "K=4,F=24", "K=2,F=23"] {
            let text = format!("fda:{text},round={key}");
            assert_eq!(answer(&text, "result-rounding"), mode, "{text}");
            assert_eq!(answer(&text, "T_rnd_dir"), fttn, "{text}");
        }
    }
}

/// Sums of fewer bits than the result are cut: what is said is what the alignment does.
#[test]
fn sums_of_few_bits_are_cut() {
    for (key, ..) in MODES {
        for (align, mode) in [("trunc", "RZ"), ("floor", "RD")] {
            let text = format!("fda:F=18,align={align},round={key}");
            for name in [
                "result-rounding",
                "addition-rounding",
                "T_rnd_dir",
                "final-rounding",
            ] {
                let found = answer(&text, name);
                assert!(
                    found == mode || found == "undecided",
                    "{text}: {name}: {found}"
                );
            }
        }
    }
}

#[test]
fn conversions_to_a_narrow_result_are_named_rightly_or_not_at_all() {
    for (key, _, _, addition, _) in MODES {
        for results in ["keep", "before", "after", "register"] {
            let text = format!("fda:F=24,out=f16,results={results},round={key}");
            let found = answer(&text, "conversion-rounding");
            let right = addition.filter(|_| results == "keep");
            assert_eq!(found, right.unwrap_or("undecided"), "{text}");
        }
    }
}

/// Every value of the keys that say what becomes of zeros, subnormal numbers, NaNs and sums that are too large.
#[test]
fn no_value_of_a_key_is_taken_for_another_one() {
    let mut models = Vec::new();
    for format in ["f16", "bf16", "e4m3", "tf32"] {
        for results in ["keep", "before", "after", "register"] {
            for csub in ["own", "f32"] {
                models.push(format!("fda:in={format},results={results},csub={csub}"));
                models.push(format!(
                    "fda:in={format},out=f16,results={results},csub={csub}"
                ));
                models.push(format!(
                    "fda:in={format},F=13,results={results},csub={csub}"
                ));
            }
        }
        for zero in ["skip", "raw", "min"] {
            for emin in ["none", "-126", "-133"] {
                models.push(format!("fda:in={format},zero={zero},emin={emin}"));
            }
        }
        models.push(format!("fda:in={format},c=f32,out=f16"));
    }
    for text in models {
        let all = all(&text);
        // Zeros that have an exponent cut a subnormal c.
        let zeros_count = text.contains("zero=raw") || text.contains("zero=min");
        let flushed = text.contains("results=") && !text.contains("results=keep");
        let right = |holds: bool, yes: &'static str, no: &'static str| if holds { yes } else { no };
        let subnormal = right(!flushed, "kept", "flushed");
        let supported = right(!flushed, "yes", "no");
        for (test, right) in [
            ("T_sa", supported),
            ("T_ni_so", supported),
            ("subnormal-accumulator", supported),
            ("subnormal-c", subnormal),
            ("subnormal-sum", subnormal),
            ("infinite-sum", "infinity"),
            ("sum-overflow", "no"),
            ("product-overflow", "no"),
        ] {
            let found = of(&all, test);
            if zeros_count && !test.contains("overflow") && test != "infinite-sum" {
                continue;
            }
            assert!(
                found == right || UNKNOWN.contains(&found),
                "{text}: {test}: {found}"
            );
        }
        for (test, found) in &all {
            assert_ne!(found, "inconsistent", "{text}: {test}");
        }
    }
}

#[test]
fn carries_are_counted_whether_sums_wrap_or_saturate() {
    for (key, ..) in MODES {
        for overflow in ["wrap", "saturate"] {
            for (carry, right) in [("2", "2"), ("3", "3"), ("4", ">= 4"), ("full", ">= 4")] {
                for bits in [23, 24, 28] {
                    let text =
                        format!("fda:F={bits},carry={carry},overflow={overflow},round={key}");
                    let found = answer(&text, "carry-bits");
                    assert!(found == right || found == "undecided", "{text}: {found}");
                }
            }
        }
    }
}

/// A unit that saturates would give the greatest number.
#[test]
fn infinite_sums_are_infinite() {
    for (text, right) in [
        ("fda", "infinity"),
        ("fda:out=f16", "infinity"),
        ("ieee", "infinity"),
    ] {
        assert_eq!(answer(text, "infinite-sum"), right, "{text}");
    }
}
