//! Answers by facts, which other engines confirm fact by fact: one that does not hold is found, and one
//! without an answer is named.

use crate::common::fake::Fake;
use crate::common::installed::solvers;
use crate::common::setting::setting;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::{Term, scope};
use mmasmt_numbers::bits::{Bv, Prop};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{
    Answer, Basis, ConfirmationRequest, Ended, FactSubject, Obligations, Question, confirm, facts,
};
use mmasmt_questions::solver::engine::{SmtlibScript, Solver};
use std::time::{Duration, Instant};

fn by(solvers: Vec<Solver>, seconds: f64) -> ConfirmationRequest {
    ConfirmationRequest::new(solvers, Duration::from_secs_f64(seconds))
}

/// The answer that nothing is left, by facts about what is named.
fn proved_by_facts(about: FactSubject) -> Answer {
    let by = Basis::Facts {
        about,
        solved: 1,
        derived: 0,
    };
    Answer {
        witnesses: Vec::new(),
        ended: Ended::NoMore { by },
        engines: Vec::new(),
    }
}

/// Whether two models differ, of which the stages are the same.
fn question(left: &str, right: &str) -> Question {
    let [left, right] = [left, right].map(|text| Model::parse(text).unwrap());
    Question::difference(&left, &right, None).unwrap()
}

fn facts_of(left: &str, right: &str) -> Obligations {
    facts(&question(left, right), 0, &Limits::default()).unwrap()
}

/// A few zeros of either sign, and sums that are aligned to two exponents.
const EQUAL: [[&str; 2]; 2] = [
    ["gps:G=1,in=e4m3", "gps:G=1,in=e4m3,products=fma"],
    [
        "fda:K=2,in=e4m3,F=13,out=f16",
        "fda:K=2,in=e4m3,F=13,out=f16,emin=-13",
    ],
];

#[test]
fn an_answer_by_facts_is_confirmed_fact_by_fact() {
    let asked = by(solvers(), 120.0);
    for [left, right] in EQUAL {
        let answer = proved_by_facts(FactSubject::Stages);
        let confirmations = confirm(&question(left, right), &answer, &asked, &Limits::default());
        let confirmations = confirmations.unwrap();
        assert_eq!(confirmations.len(), asked.by.len());
        let all = facts_of(left, right).facts.len();
        for confirmation in confirmations {
            let facts = confirmation.facts.unwrap();
            assert_eq!(
                confirmation.missing, None,
                "{left} by {}",
                confirmation.engine
            );
            assert!(all > 3 && facts.facts == all && facts.confirmed == all);
            assert!(facts.derived > 0 && facts.last != Some(false) && facts.missing.is_empty());
        }
    }
}

#[test]
#[ignore = "half a minute"]
fn lemmas_of_a_property_are_confirmed_one_by_one() {
    let model = Model::parse("fda:F=25,K=16").unwrap();
    let claim = Claim::new("error=0x1.11p-17max", &model, "finite").unwrap();
    let (question, answer) = (
        Question::refuting(&claim),
        proved_by_facts(FactSubject::Property),
    );
    let asked = by(solvers(), 120.0);
    let confirmations = confirm(&question, &answer, &asked, &Limits::default()).unwrap();
    assert_eq!(confirmations.len(), asked.by.len());
    for confirmation in confirmations {
        assert_eq!(confirmation.missing, None, "{}", confirmation.engine);
        let facts = confirmation.facts.unwrap();
        assert_eq!(
            (facts.facts, facts.confirmed, facts.last),
            (2, 2, Some(true))
        );
    }
}

/// The deliberate fault: one fact is written down that does not hold.
#[test]
fn a_fact_that_does_not_hold_is_found() {
    let [[left, right], _] = EQUAL;
    let mut facts = facts_of(left, right);
    facts.facts[2].name = "a product is not 15".into();
    facts.facts[2].script = scope(|| {
        let [x, y] = [0, 1].map(|index| Term::input(index, 4).zext(9));
        let product = x.mul(&y);
        let wrong = product.equals(&Term::lit(9, 15));
        let free = product.zext(10).add_const(1);
        let unrelated = free.equals(&Term::lit(10, 3));
        SmtlibScript::of_all(
            &[wrong, unrelated.not()],
            &[],
            |index| format!("x{index}"),
            "",
        )
    });
    for solver in solvers() {
        let name = solver.describe();
        let confirm = by(vec![solver], 60.0);
        let error = facts.confirmed("this", &confirm, &Limits::default());
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("{name} contradicts a fact that `this` rests on"))
                && error.contains("a product is not 15: x0 = 0x"),
            "{error}"
        );
    }
}

/// Values that are none of a freed number's range, or do not satisfy the formulas, are that solver's fault.
#[test]
fn a_contradiction_of_a_fact_is_replayed() {
    let zeros = "sed -n 's/^(declare-const \\(.*\\) (_ BitVec \\(.*\\)))$/\\1 \\2/p' | while read x w; do echo \"($x (_ bv0 $w))\"; done";
    let body = format!("echo sat; {zeros} | {{ echo '('; cat; echo ')'; }}");
    let slanderer = Fake::new("belittler", &body);
    let [[left, right], _] = EQUAL;
    let confirm = by(vec![slanderer.solver.clone().into()], 60.0);
    let facts = facts_of(left, right);
    let error = facts.confirmed("this", &confirm, &Limits::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("does not satisfy the formula"), "{error}");
}

#[test]
fn facts_without_an_answer_are_named() {
    let [[left, right], _] = EQUAL;
    let facts = facts_of(left, right);
    let asked = |name: &str, body: &str, seconds| {
        let fake = Fake::new(name, body);
        let confirm = by(vec![fake.solver.clone().into()], seconds);
        let confirmed = facts
            .confirmed("this", &confirm, &Limits::default())
            .unwrap();
        (
            confirmed[0].missing.clone(),
            confirmed[0].facts.clone().unwrap(),
        )
    };
    let all = facts.facts.len();
    let (missing, silent) = asked("slumbers", "sleep 4711.6", 1.5);
    assert!(missing.unwrap().contains("no answer in 0."), "{silent:?}");
    assert_eq!((silent.facts, silent.confirmed), (all, 0));
    assert_eq!(silent.missing.len(), facts.each().count());
    assert_eq!(silent.missing[1].fact, facts.facts[1].name);
    // One that knows nothing of NaNs.
    let (missing, some) = asked(
        "nanless",
        "grep -q '^; .* is no NaN$' && echo unknown || echo unsat",
        60.0,
    );
    assert!(missing.unwrap().contains("the solver gave up"));
    assert!(some.confirmed > 0 && some.confirmed < all, "{some:?}");
    let (missing, none) = asked("departs", "exit 3", 60.0);
    assert!(
        missing.unwrap().contains("ended (exit status: 3)"),
        "{none:?}"
    );
}

/// What cannot be found again within the limits is not confirmed.
#[test]
fn facts_that_are_not_found_again_confirm_nothing() {
    let [_, [left, right]] = EQUAL;
    let believer = Fake::new("trusts", "cat > /dev/null; echo unsat");
    let asked = by(vec![believer.solver.clone().into()], 20.0);
    let limits = Limits::default().within(Duration::ZERO);
    let answer = proved_by_facts(FactSubject::Stages);
    let confirmations = confirm(&question(left, right), &answer, &asked, &limits).unwrap();
    let missing = confirmations[0].missing.as_deref().unwrap();
    assert!(
        missing.starts_with("the facts were not found again"),
        "{missing}"
    );
}

/// Pairs of every kind that the comparison by stages proves: limits of exponents and zeros, other codes of
/// NaNs, zeros of either sign, groups, scales.
const PAIRS: [[&str; 2]; 20] = [
    ["fda:F=24,K=16,out=f16", "zero=min"],
    ["fda:K=16,F=21,in=e4m3,frac=13", "zero=min"],
    ["fda:F=25,K=16", "emin=-125"],
    ["fda:F=25,K=16", "emin=-124"],
    ["fda:F=24,out=f16", "emin=-24"],
    ["fda:K=16,F=13,in=e5m2,out=f16", "emin=-26"],
    ["fda:K=16,F=13,in=e4m3,out=f16", "csub=f32"],
    ["fda:K=32,F=25,in=e5m2,out=f16", "emin=-27"],
    ["fda:F=25,K=16,chain=2", "nan=quiet"],
    ["gps:K=4,G=2,in=bf16", "nan=ones"],
    ["gps:G=4", "products=fma"],
    ["gps:K=8,G=4", "products=fma"],
    ["gps:G=2,in=bf16", "products=fma"],
    ["fda:K=2,F=25,in=e2m1,scale=ue8m0,block=2", "emin=-130"],
    ["fda:K=32,F=25,in=e2m1,scale=ue8m0", "emin=-136"],
    ["fda:K=16,F=25,out=f16", "emin=-23"],
    ["hmma8:F=25,in=e4m3", "zero=min"],
    ["hmma8:F=25,in=e4m3", "emin=-18"],
    ["hmma8:K=4,F=25,in=e4m3", "emin=7"],
    ["hmma8:K=4,F=25,in=e4m3", "zero=raw"],
];

/// Up to 10 s for each fact; `MMASMT_PAIRS` says what the first of a pair begins with.
#[test]
#[ignore = "minutes: hundreds of facts"]
fn facts_of_every_kind_of_pair_are_confirmed() {
    let only = setting("MMASMT_PAIRS", String::new());
    for [base, change] in PAIRS.iter().filter(|[base, _]| base.starts_with(&only)) {
        let start = Instant::now();
        let facts = facts_of(base, &format!("{base},{change}"));
        let all = facts.each().count();
        println!(
            "{base} {change}: {} facts, {} by rewriting, last step {}, {:.1} s",
            facts.facts.len(),
            facts.derived,
            if facts.last.is_some() {
                "asked"
            } else {
                "by rewriting"
            },
            start.elapsed().as_secs_f64(),
        );
        for solver in solvers() {
            let engine = solver.describe();
            let (start, confirm) = (Instant::now(), by(vec![solver], 10.0));
            let mut missing = Vec::new();
            for fact in facts.each() {
                let one = Obligations {
                    facts: vec![fact.clone()],
                    ..Obligations::default()
                };
                let confirmed = one.confirmed(base, &confirm, &Limits::default());
                missing.extend(confirmed.unwrap().remove(0).missing);
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "  {engine}: {} of {all} in {seconds:.1} s",
                all - missing.len()
            );
            for missing in &missing {
                println!("    {missing}");
            }
            assert!(missing.len() < all, "{engine}");
        }
    }
}

/// The program itself, with a solver `cvc5` of its own: what it says, and its exit status.
fn run(fake: &Fake, more: &[&str]) -> (String, Option<i32>) {
    // The others are proved by magnitudes before.
    let [_, [left, right]] = EQUAL;
    let path = format!("{}:/usr/bin:/bin", fake.folder.display());
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mmasmt"))
        .args(["distinguish", left, right, "--confirm", "smtlib:cvc5"])
        .args(more)
        .env("PATH", path)
        .env("MMASMT_QUIET", "1")
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (text.concat(), output.status.code())
}

#[test]
fn the_program_says_which_facts_are_confirmed() {
    let believer = Fake::new("cvc5", "cat > /dev/null; echo unsat");
    let (text, status) = run(&believer, &["--json"]);
    assert_eq!(status, Some(1), "{text}");
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (proved, by) = (&object["proved"], &object["confirmed_by"][0]);
    let facts = &by["facts"];
    assert_eq!(by["engine"], "cvc5");
    for key in ["by_solver", "by_rewriting"] {
        assert!(proved[key].as_u64() > Some(0), "{text}");
        assert_eq!(proved[key], facts[key], "{text}");
    }
    assert_eq!(facts["confirmed"], facts["by_solver"]);
    assert_eq!(object["not_confirmed_by"], serde_json::json!([]));

    teach(
        &believer,
        "grep -q '^; .* is no NaN$' && echo unknown || echo unsat",
    );
    let (text, status) = run(&believer, &[]);
    assert_eq!(status, Some(3), "{text}");
    let all = facts["by_solver"].as_u64().unwrap();
    assert!(
        text.contains(&format!(
            "not confirmed: {} of {all} facts confirmed by cvc5 in",
            all - 1
        )) && text.contains(" follow by rewriting and are not asked; the last step")
            && text.contains("\n  step 1: the result is no NaN: the solver gave up\n"),
        "{text}"
    );
}

/// Lets the fake solver do this instead.
fn teach(fake: &Fake, body: &str) {
    let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && exit\n{body}\n");
    std::fs::write(&fake.solver.path, text).unwrap();
}
