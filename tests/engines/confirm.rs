//! Claims by any engine, and proofs that other engines confirm: what they cannot answer is not
//! confirmed, and what they refute is an error.

use crate::common::fake::Fake;
use crate::common::installed::solvers;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{
    Answer, Basis, ConfirmError, Confirmation, ConfirmationRequest, Ended, Engine, Options,
    Question, answer, confirm, prove,
};
use mmasmt_questions::solver::engine::Solver;
use std::time::{Duration, Instant};

const PROVED: Ended = Ended::NoMore { by: Basis::Solver };

fn ended(ended: Ended) -> Answer {
    Answer {
        witnesses: Vec::new(),
        ended,
        engines: Vec::new(),
    }
}

fn claim(text: &str, model: &str, domain: &str) -> Claim {
    Claim::new(text, &Model::parse(model).unwrap(), domain).unwrap()
}

/// Two carry bits are too few for three terms below 4.
fn wrong() -> Claim {
    claim("equal=:carry=full", "fda:K=2,in=e4m3,carry=2", "finite")
}

fn by(solvers: Vec<Solver>, seconds: f64) -> ConfirmationRequest {
    ConfirmationRequest::new(solvers, Duration::from_secs_f64(seconds))
}

fn settled(claim: &Claim, engine: Engine) -> Answer {
    let options = Options::default().engine(engine);
    let limits = Limits::default().within(Duration::from_secs(60));
    prove(claim, &options, &limits).unwrap()
}

/// What fakes make of the claim that is wrong, said to be proved.
fn confirmed(fakes: &[&Fake], seconds: f64) -> Result<Vec<Confirmation>, ConfirmError> {
    let solvers = fakes.iter().map(|fake| fake.solver.clone().into());
    let asked = by(solvers.collect(), seconds);
    confirm(
        &Question::refuting(&wrong()),
        &ended(PROVED),
        &asked,
        &Limits::default(),
    )
}

#[test]
fn proofs_are_confirmed_on_the_plain_formula() {
    let claims = [
        claim("equal=:carry=full", "fda:K=2,in=e4m3,carry=3", "finite"),
        claim("canonical-nan", "fda:K=1,in=e5m2,out=f16", ""),
        claim("no-negative-zero", "fda:K=1,in=e4m3", "c zero, c nonzero"),
    ];
    let asked = by(solvers(), 60.0);
    for claim in &claims {
        let answer = settled(claim, Engine::Embedded);
        assert!(
            matches!(answer.ended, Ended::NoMore { .. } | Ended::Vacuous),
            "{claim}: {answer:?}"
        );
        let question = Question::refuting(claim);
        let confirmations = confirm(&question, &answer, &asked, &Limits::default()).unwrap();
        assert_eq!(confirmations.len(), asked.by.len());
        for Confirmation {
            engine, missing, ..
        } in confirmations
        {
            assert_eq!(missing, None, "{claim} by {engine}");
        }
        // What is settled by construction still has its formula.
        let plain = question.script(true);
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
    let question = Question::refuting(&wrong());
    let answer = settled(&wrong(), Engine::Other(liar.solver.clone().into()));
    assert_eq!(answer.ended, PROVED);
    for solver in solvers() {
        let name = solver.describe();
        let asked = by(vec![solver], 600.0);
        let limits = Limits::default();
        let error = confirm(&question, &answer, &asked, &limits).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with(&format!("{name} contradicts what was proved"))
                && error.contains("please report this: `equal=:carry=full of fda:K=2"),
            "{error}"
        );
        let vacuous = ended(Ended::Vacuous);
        let error = confirm(&question, &vacuous, &asked, &limits).unwrap_err();
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
    let question = Question::difference(&models[0], &models[1], None).unwrap();
    let limits = Limits::default();
    for solver in solvers() {
        let asked = by(vec![solver], 60.0);
        let lies = Engine::Other(liar.solver.clone().into());
        let options = Options::default().count(2).engine(lies);
        let found = answer(&question, &options, &limits).unwrap();
        let error = confirm(&question, &found, &asked, &limits).unwrap_err();
        assert!(
            matches!(error, ConfirmError::Contradicted { .. }),
            "{error}"
        );
        // What is known is no contradiction: there is nothing to confirm.
        let options = Options::default().count(2);
        let found = answer(&question, &options, &limits).unwrap();
        let nothing = confirm(&question, &found, &asked, &limits).unwrap();
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
    assert!(start.elapsed() < Duration::from_secs(60));
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
    let asked = by(vec![fake.solver.clone().into()], 60.0);
    let confirmations = confirm(
        &Question::refuting(&wrong()),
        &ended(PROVED),
        &asked,
        &limits,
    )
    .unwrap();
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
        assert_eq!(settled(&right, engine.clone()).ended, PROVED, "{name}");
        let refuted = settled(&wrong, engine);
        let inputs = &refuted.witness().unwrap().inputs;
        assert!(wrong.is_refuted_by(inputs) && wrong.is_refuted_on_big(inputs));
    }
}

/// Nothing that an engine says makes an empty domain a proof.
#[test]
fn vacuity_is_seen_with_any_engine() {
    let liar = Fake::new("nodder", "echo unsat");
    let nothing = claim("monotone-c", "fda:K=1,in=e4m3", "c zero, c nonzero");
    let engine = Engine::Other(liar.solver.clone().into());
    assert_eq!(settled(&nothing, engine).ended, Ended::Vacuous);
}
