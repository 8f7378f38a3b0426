//! Claims in SMT-LIB with FloatingPoint and Real: operators against the processor's own arithmetic, the
//! claims of the guide against exact sums, values that do not replay, and engines that cannot judge.

use crate::common::arithmetic::Target;
use crate::common::fake::Fake;
use crate::common::installed::installed;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::{Format, NanCode, Rounding};
use mmasmt_questions::claims::query::Engine;
use mmasmt_questions::claims::scripts::{Script, ScriptFinding, able_solvers, answer_script};
use mmasmt_questions::solver::engine::Solver;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn limits() -> Limits {
    Limits::default().within(Duration::from_secs(20))
}

fn script(text: &str, models: &[(&str, &str)]) -> Script {
    let models = models.iter();
    let models = models.map(|(name, model)| ((*name).to_owned(), Model::parse(model).unwrap()));
    Script::parse(text, models.collect()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whether values were found; `None` if nobody knows.
fn is_found(script: &Script, engine: &Engine) -> Option<bool> {
    match answer_script(script, engine, 0, &limits()).unwrap().found {
        ScriptFinding::Values { .. } => Some(true),
        ScriptFinding::Nothing => Some(false),
        ScriptFinding::Unknown(_) => None,
    }
}

fn float(bits: u32) -> String {
    format!("((_ to_fp 8 24) #x{bits:08x})")
}

/// Assertions that the processor's arithmetic says are true of numbers that are drawn.
fn facts(rng: &mut ChaCha8Rng) -> Vec<String> {
    let mut facts = Vec::new();
    for _ in 0..6 {
        let [x, y, z] = [0; 3].map(|_| f32::from_bits(rng.random_range(0x3f00_0000..0x4100_0000)));
        let y = if rng.random() { -y } else { y };
        let [a, b, c] = [x, y, z].map(|number| float(number.to_bits()));
        for (term, value) in [
            (format!("(fp.add RNE {a} {b})"), x + y),
            (format!("(fp.sub roundNearestTiesToEven {a} {b})"), x - y),
            (format!("(fp.mul RNE {a} {b})"), x * y),
            (format!("(fp.div RNE {a} {b})"), x / y),
            (format!("(fp.fma RNE {a} {b} {c})"), x.mul_add(y, z)),
            (format!("(fp.sqrt RNE {a})"), x.sqrt()),
            (format!("(fp.roundToIntegral RTZ {b})"), y.trunc()),
            (format!("(fp.roundToIntegral RTP {b})"), y.ceil()),
            (format!("(fp.abs (fp.neg {b}))"), y.abs()),
            (format!("(fp.min {a} {b})"), x.min(y)),
            (format!("(fp.max {a} {b})"), x.max(y)),
            (format!("((_ to_fp 8 24) RNE ((_ to_fp 11 53) RNE {b}))"), y),
            (
                format!("((_ to_fp 8 24) RNE ((_ fp.to_sbv 8) RTZ {b}))"),
                y.trunc() + 0.0,
            ),
            (
                format!("((_ to_fp_unsigned 8 24) RNE ((_ fp.to_ubv 8) RTN {a}))"),
                x.floor(),
            ),
        ] {
            facts.push(format!("(fp.eq {term} {})", float(value.to_bits())));
        }
        for (name, held) in [
            ("fp.lt", x < y),
            ("fp.leq", x <= y),
            ("fp.gt", x > y),
            ("fp.geq", x >= y),
            ("fp.eq", x == y),
        ] {
            facts.push(format!("(= ({name} {a} {b}) {held})"));
        }
        // A number of f64 is named by its decimal digits.
        let digits = format!("{:.30}", f64::from(z));
        facts.push(format!("(fp.eq {c} ((_ to_fp 8 24) RNE {digits}))"));
    }
    let zero = float(0x8000_0000);
    facts.extend([
        format!("(fp.isNegative {zero})"),
        format!("(fp.isZero (fp.add RNE {zero} (_ +zero 8 24)))"),
        format!("(fp.isSubnormal {})", float(1)),
        "(fp.isInfinite (fp #b1 #xff #b00000000000000000000000))".into(),
        "(fp.isNaN (fp.add RNA (_ +oo 8 24) (_ -oo 8 24)))".into(),
        format!("(not (fp.isNormal {}))", float(0x007f_ffff)),
        "(fp.isPositive (fp.rem (_ +zero 8 24) ((_ to_fp 8 24) RTN 1.5)))".into(),
    ]);
    facts
}

#[test]
fn floating_point_is_that_of_the_processor() {
    let facts = facts(&mut ChaCha8Rng::seed_from_u64(7));
    let all: String = facts
        .iter()
        .map(|fact| format!("(assert {fact})"))
        .collect();
    let denied: String = facts.iter().map(|fact| format!("(not {fact})")).collect();
    for solver in installed() {
        let name = solver.describe();
        let engine = Engine::Other(Solver::from(solver));
        let found = [&all, &format!("(assert (or {denied}))")].map(|text| {
            let claim = script(text, &[]);
            is_found(&claim, &engine)
        });
        // A solver may know nothing in time, but nothing else.
        for (found, expected) in found.into_iter().zip([true, false]) {
            assert!(found.is_none_or(|found| found == expected), "{name}");
        }
        println!("{name}: {found:?}");
    }
}

/// The claims of the guide: for each block of SMT-LIB there, the functions that its first comment names.
fn of_guide() -> Vec<(String, Vec<(String, Model)>)> {
    let page = include_str!("../../docs/src/own-claims.md");
    let blocks = page.split("```smt2\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap().to_owned());
    let claims = blocks.map(|text| {
        let first = text.lines().next().unwrap().trim_start_matches("; ");
        let functions = first.split(' ').filter(|word| *word != "--function");
        let named = functions.map(|function| {
            let (name, model) = function.split_once('=').unwrap();
            (name.to_owned(), Model::parse(model).unwrap())
        });
        let models = named.collect();
        (text, models)
    });
    claims.collect()
}

/// Solvers that are there answer what the page says, or nothing.
#[test]
fn claims_of_the_guide_come_out_as_it_says() {
    come_out(1);
}

#[test]
#[ignore = "a minute"]
fn all_claims_of_the_guide_come_out_as_it_says() {
    come_out(4);
}

fn come_out(count: usize) {
    let claims = of_guide();
    assert_eq!(claims.len(), 4);
    for (text, models) in claims.into_iter().take(count) {
        let claim = Script::parse(&text, models).unwrap();
        assert!(!claim.is_of_bits());
        let solvers = able_solvers(&claim, None);
        if solvers.is_empty() {
            println!("skipped: no solver on PATH knows the sorts of the claim");
            continue;
        }
        let found = is_found(&claim, &Engine::Race(solvers));
        println!("{found:?}: {text}");
        assert!(
            found.is_none_or(|found| Some(found) == claim.status()),
            "{text}"
        );
    }
}

fn of_two(model: &Model, registers: [u64; 5]) -> u64 {
    let signature = model.signature();
    let mut rest = registers.into_iter();
    let inputs = Inputs::zero(&signature).map(&signature, |_, _: &u64| rest.next().unwrap());
    model.simulator().evaluate(&inputs).unwrap()
}

/// Twice the number of e2m1, by its definition.
fn doubled(code: u64) -> i64 {
    let magnitude = [0, 1, 2, 3, 4, 6, 8, 12][(code & 7) as usize];
    if code & 8 == 0 { magnitude } else { -magnitude }
}

/// The greatest error of the dot product of the guide, over all inputs: 12 is not exceeded, and 8 is.
#[test]
fn the_error_of_the_guide_is_that_of_all_inputs() {
    let model = Model::parse("fda:K=2,F=1,in=e2m1,out=f16").unwrap();
    let exact = Model::parse("exact:K=2,in=e2m1,out=f16").unwrap();
    let in_quarters = |register: u64| {
        let number = crate::common::exact::decode(&Format::F16, register);
        let crate::common::exact::Datum::Finite(number) = number else {
            panic!("expected a number, found {register:#x}");
        };
        (number.to_f64() * 4.0) as i64
    };
    let mut greatest = 0;
    for code in 0..1u64 << 16 {
        let [a, a1, b, b1] = [0, 4, 8, 12].map(|low| code >> low & 15);
        let sum = doubled(a) * doubled(b) + doubled(a1) * doubled(b1);
        let registers = [a, a1, b, b1, 0];
        assert_eq!(in_quarters(of_two(&exact, registers)), sum);
        let error = in_quarters(of_two(&model, registers)) - sum;
        greatest = greatest.max(error.abs());
    }
    assert!((33..=48).contains(&greatest), "{greatest}");
    println!("the greatest error is {} quarters", greatest);
}

/// One product and c of one sign: the unit rounds the exact sum toward zero; other signs refute it.
#[test]
fn the_rounding_of_the_guide_is_that_of_exact_sums() {
    let model = Model::parse("fda:K=1,F=24").unwrap();
    let toward_zero = Target {
        format: Format::F32,
        rounding: Rounding::Rz,
        nan: NanCode::Ones,
    };
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut same, mut others) = (0, 0);
    for _ in 0..20_000 {
        let a: u64 = rng.random_range(0x0400..0x7c00) | rng.random_range(0..2) << 15;
        let exponent = rng.random_range(100..150u64);
        let c = rng.random_range(0..1u64 << 23) | exponent << 23 | rng.random_range(0..2) << 31;
        let signature = model.signature();
        let mut rest = [a, 0x3c00, c].into_iter();
        let inputs = Inputs::zero(&signature).map(&signature, |_, _: &u64| rest.next().unwrap());
        let found = model.simulator().evaluate(&inputs).unwrap();
        let factors = [&Format::F16, &Format::F16];
        let expected = toward_zero.fma(factors, &Format::F32, [a, 0x3c00, c]);
        if a >> 15 == c >> 31 {
            assert_eq!(found, expected, "{a:#x} {c:#x}");
            same += 1;
        } else {
            others += u32::from(found != expected);
        }
    }
    assert!(same > 5000 && others > 100, "{same} {others}");
}

const CLAIM: &str = "(declare-const x (_ BitVec 16))(declare-const c (_ BitVec 32))
    (assert (fp.gt (value.f32 (f x #x3c00 c)) ((_ to_fp 11 53) RNE 2.5)))
    (assert (finite.f32 (f x #x3c00 c)))";

/// The deliberate fault: a solver gives values for which an assertion is false.
#[test]
fn values_that_do_not_replay_are_an_error() {
    let claim = script(CLAIM, &[("f", "fda:K=1")]);
    // With nothing open, it says what any solver says of these values.
    let body = "cat > \"$0.in\"\nif grep -q declare-const \"$0.in\"; then echo sat; echo '((x0 #x3c00) (x1 #x00000000))'; else echo VERDICT; fi";
    for (verdict, is_error) in [("unsat", true), ("sat", false), ("unknown", false)] {
        let fake = Fake::new("claims-to-know", &body.replace("VERDICT", verdict));
        let engine = Engine::Other(Solver::from(fake.solver.clone()));
        match answer_script(&claim, &engine, 0, &limits()) {
            Err(error) => {
                let error = error.to_string();
                assert!(
                    is_error && error.contains("do not use this solver"),
                    "{error}"
                );
                assert!(error.contains("x = 0x3c00, c = 0x0"), "{error}");
            }
            Ok(answer) => {
                assert!(!is_error, "{verdict}");
                let is_known = !matches!(answer.found, ScriptFinding::Unknown(_));
                assert_eq!(is_known, verdict == "sat");
            }
        }
        let asked = std::fs::read_to_string(fake.solver.path.with_extension("in")).unwrap();
        // The result of the model is put in: 1 * 1 + 0.
        assert!(asked.contains("(_ bv1065353216 32)"), "{asked}");
        assert!(!asked.contains("declare-const"), "{asked}");
    }
    for solver in installed() {
        let engine = Engine::Other(Solver::from(solver));
        let Ok(answer) = answer_script(&claim, &engine, 0, &limits()) else {
            panic!("expected values or nothing");
        };
        if let ScriptFinding::Values { applications, .. } = answer.found {
            assert!(f32::from_bits(applications[0].result as u32) > 2.5);
        }
    }
}

#[test]
fn engines_that_cannot_judge_say_so_and_which_can() {
    let claim = script(CLAIM, &[("f", "fda:K=1")]);
    let error = |claim: &Script, engine: &Engine| {
        let answer = answer_script(claim, engine, 0, &limits());
        answer.err().map(|error| error.to_string())
    };
    let embedded = error(&claim, &Engine::Embedded).unwrap();
    let beginning = "the embedded engine knows bit-vectors alone, and line 2, character 20 has `(value.f32 ...)` of sort (_ FloatingPoint 11 53): ";
    assert!(embedded.starts_with(beginning), "{embedded}");
    let names = installed().into_iter().map(|solver| solver.name);
    for name in names {
        assert!(
            embedded.contains(&format!("--engine smtlib:{name}")),
            "{embedded}"
        );
    }
    let none = error(&claim, &Engine::Race(Vec::new())).unwrap();
    assert!(
        none.starts_with("without another solver, this program knows"),
        "{none}"
    );
    let real = script(
        "(declare-const x (_ BitVec 16))(assert (< 1.5 (real.f16 x)))",
        &[("f", "fda:K=1")],
    );
    for solver in installed() {
        let name = solver.name.clone();
        let refused = error(&real, &Engine::Other(Solver::from(solver)));
        assert_eq!(refused.is_some(), name == "bitwuzla", "{name}");
    }
    // A script that only defines such a function is one of bits.
    let unused = script(
        "(define-fun g ((x Float32)) Bool (fp.isNaN x))(declare-const x Bool)(assert (xor x true x))",
        &[],
    );
    assert!(unused.is_of_bits());
    assert_eq!(is_found(&unused, &Engine::Embedded), Some(true));
}
