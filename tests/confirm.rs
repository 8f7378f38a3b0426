//! Claims by any engine, and proofs that other engines confirm: what they cannot answer is not
//! confirmed, and what they refute is an error.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "so tests fail")]

#[path = "common/fake.rs"]
mod fake;
#[path = "common/installed.rs"]
mod installed;

use fake::Fake;
use installed::solvers;
use mmasmt::engine::{Limits, Solver};
use mmasmt::model::Model;
use mmasmt::property::Claim;
use mmasmt::query::{
    Basis, Confirm, ConfirmError, Confirmation, Distinguish, Engine, Outcome, Prove, claim_script,
    confirm_found, confirm_outcome, distinguish, prove,
};
use std::time::{Duration, Instant};

const PROVED: Outcome = Outcome::Proved { by: Basis::Solver };

fn claim(text: &str, model: &str, domain: &str) -> Claim {
    Claim::new(text, &Model::parse(model).unwrap(), domain).unwrap()
}

/// Two carry bits are too few for three terms below 4.
fn wrong() -> Claim {
    claim("equal=:carry=full", "fda:K=2,in=e4m3,carry=2", "finite")
}

fn by(solvers: Vec<Solver>, seconds: f64) -> Confirm {
    Confirm {
        by: solvers,
        time: Duration::from_secs_f64(seconds),
        seed: 0,
    }
}

fn settled(claim: &Claim, engine: Engine) -> Outcome {
    let options = Prove {
        seed: 0,
        minimise: None,
        engine,
    };
    let limits = Limits::default().within(Duration::from_secs(60));
    prove(claim, &options, &limits).unwrap().outcome
}

/// What fakes make of the claim that is wrong, said to be proved.
fn confirmed(fakes: &[&Fake], seconds: f64) -> Result<Vec<Confirmation>, ConfirmError> {
    let solvers = fakes.iter().map(|fake| fake.solver.clone().into());
    let confirm = by(solvers.collect(), seconds);
    confirm_outcome(&wrong(), &PROVED, &confirm, &Limits::default())
}

#[test]
fn proofs_are_confirmed_on_the_plain_formula() {
    let claims = [
        claim("equal=:carry=full", "fda:K=2,in=e4m3,carry=3", "finite"),
        claim("canonical-nan", "fda:K=1,in=e5m2,out=f16", ""),
        claim("no-negative-zero", "fda:K=1,in=e4m3", "c zero, c nonzero"),
    ];
    let confirm = by(solvers(), 60.0);
    for claim in &claims {
        let outcome = settled(claim, Engine::Embedded);
        assert!(
            matches!(outcome, Outcome::Proved { .. } | Outcome::Vacuous),
            "{claim}: {outcome:?}"
        );
        let limits = Limits::default();
        let confirmations = confirm_outcome(claim, &outcome, &confirm, &limits).unwrap();
        assert_eq!(confirmations.len(), confirm.by.len());
        for Confirmation {
            engine, missing, ..
        } in confirmations
        {
            assert_eq!(missing, None, "{claim} by {engine}");
        }
        // What is settled by construction still has its formula.
        let plain = claim_script(claim, true);
        assert!(
            plain.contains("bvshl") || plain.contains("concat"),
            "{claim}"
        );
        assert!(plain.contains("\n(declare-const a0 ") && plain.ends_with("\n(check-sat)\n"));
    }
}

/// The deliberate fault: an engine that proves everything.
#[test]
fn a_wrong_proof_is_caught() {
    let liar = Fake::new("prover", "echo unsat");
    let outcome = settled(&wrong(), Engine::Other(liar.solver.clone().into()));
    assert_eq!(outcome, PROVED);
    for solver in solvers() {
        let name = solver.describe();
        let confirm = by(vec![solver], 60.0);
        let limits = Limits::default();
        let error = confirm_outcome(&wrong(), &outcome, &confirm, &limits).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with(&format!("{name} contradicts what was proved"))
                && error.contains("please report this: `equal=:carry=full of fda:K=2"),
            "{error}"
        );
        let vacuous = Outcome::Vacuous;
        let error = confirm_outcome(&wrong(), &vacuous, &confirm, &limits).unwrap_err();
        assert!(
            error.to_string().contains("what was found vacuous"),
            "{error}"
        );
    }
}

#[test]
fn two_models_that_are_not_equal_are_caught() {
    let liar = Fake::new("equaliser", "echo unsat");
    let models = ["fda:K=1,in=e4m3,F=4", "fda:K=1,in=e4m3,F=3"].map(|m| Model::parse(m).unwrap());
    let models = [&models[0], &models[1]];
    let mut options = Distinguish {
        count: 2,
        seed: 0,
        specials: false,
        domain: None,
        minimise: None,
        engine: Engine::Other(liar.solver.clone().into()),
    };
    let limits = Limits::default();
    for solver in solvers() {
        let confirm = by(vec![solver], 60.0);
        options.engine = Engine::Other(liar.solver.clone().into());
        let found = distinguish(models[0], models[1], &options, &limits).unwrap();
        let error = confirm_found(models, &options, &found, &confirm, &limits).unwrap_err();
        assert!(
            matches!(error, ConfirmError::Contradicted { .. }),
            "{error}"
        );
        // What is known is no contradiction: there is nothing to confirm.
        options.engine = Engine::Embedded;
        let found = distinguish(models[0], models[1], &options, &limits).unwrap();
        let nothing = confirm_found(models, &options, &found, &confirm, &limits).unwrap();
        assert!(nothing.is_empty());
    }
}

#[test]
fn what_gives_no_answer_confirms_nothing() {
    let cases = [
        ("sleeps", "sleep 4711.4", "no answer in 0.3 s"),
        ("shrugs", "echo unknown", "the solver gave up"),
        (
            "leaves",
            "exit 3",
            "`leaves` ended (exit status: 3) before sat, unsat or unknown",
        ),
        (
            "falls",
            "echo sat; kill -9 $$",
            "before the values of all inputs",
        ),
        ("babbles", "echo Segmentation fault", "found `Segmentation`"),
    ];
    let fakes = cases.map(|(name, body, _)| Fake::new(name, body));
    let start = Instant::now();
    let confirmations = confirmed(&fakes.each_ref(), 0.3).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    for ((name, _, expected), confirmation) in cases.iter().zip(confirmations) {
        let missing = confirmation.missing.unwrap();
        assert!(missing.contains(expected), "{name}: {missing}");
    }
    let believer = Fake::new("believer", "cat > /dev/null; echo unsat");
    assert_eq!(confirmed(&[&believer], 20.0).unwrap()[0].missing, None);
}

/// Inputs that do not refute the claim are that solver's fault.
#[test]
fn a_false_contradiction_is_not_believed() {
    let zeros = "sed -n 's/^(get-value (\\(.*\\)))$/\\1/p' | tr ' ' '\\n' | while read x; do case $x in c) w=8;; *) w=2;; esac; echo \"($x #x$(printf %0${w}d 0))\"; done";
    let body = format!("echo sat; {zeros} | {{ echo '('; cat; echo ')'; }}");
    let error = confirmed(&[&Fake::new("slanderer", &body)], 20.0).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("does not satisfy the formula: a0 = 0x0, b0 = 0x0, a1 = 0x0"),
        "{error}"
    );
}

#[test]
fn an_interrupt_ends_a_confirmation() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let fake = Fake::new("dozes", "sleep 4711.5");
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::interruptible(flag.clone());
    let raise = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let confirm = by(vec![fake.solver.clone().into()], 60.0);
    let confirmations = confirm_outcome(&wrong(), &PROVED, &confirm, &limits).unwrap();
    assert_eq!(confirmations[0].missing.as_deref(), Some("interrupted"));
    raise.join().unwrap();
}

/// A claim and its twin, by every engine and in a race.
#[test]
fn claims_are_settled_by_any_engine() {
    let right = claim("canonical-nan", "fda:K=1,in=e5m2,out=f16", "");
    let wrong = claim("equal=:F=3", "fda:K=1,in=e4m3,F=4", "finite");
    let mut engines: Vec<_> = solvers().into_iter().map(Engine::Other).collect();
    engines.push(Engine::Race(solvers()));
    for engine in engines {
        let name = engine.describe();
        assert_eq!(settled(&right, engine.clone()), PROVED, "{name}");
        match settled(&wrong, engine) {
            Outcome::Refuted { inputs, .. } => {
                assert!(wrong.is_refuted_by(&inputs) && wrong.is_refuted_on_big(&inputs));
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Nothing that an engine says makes an empty domain a proof.
#[test]
fn vacuity_is_seen_with_any_engine() {
    let liar = Fake::new("nodder", "echo unsat");
    let nothing = claim("monotone-c", "fda:K=1,in=e4m3", "c zero, c nonzero");
    let engine = Engine::Other(liar.solver.clone().into());
    assert_eq!(settled(&nothing, engine), Outcome::Vacuous);
}
