//! Solvers that are other programs: the text that they get, and that none of them, however broken,
//! makes a wrong verdict or stays behind.

use crate::common::fake::Fake;
use crate::common::garden::{WIDTHS, expressions, value};
use crate::common::installed::installed;
use crate::common::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_numbers::bits::term::{Formula, Term, scope};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop, mux};
use mmasmt_questions::claims::property::inputs_of;
use mmasmt_questions::claims::query::{
    Answer, Basis, Ended, Engine, Options, Question, distinguish,
};
use mmasmt_questions::solver::engine::{
    CadicalSearch, CadicalVerdict, EngineError, RaceOutcome, Rival, SmtSolver, SmtlibScript,
    Solver, SolverAnswer, Strategy, race,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

fn script_of(formula: Formula) -> SmtlibScript {
    SmtlibScript::new(formula, |index| format!("x{index}"), "a test")
}

/// Pieces of 64 bits of which each has the content of `value`.
fn is(term: &Term, value: &Big) -> Formula {
    let pieces = (0..value.width()).step_by(64).map(|low| {
        let high = value.width().min(low + 64) - 1;
        let piece = Term::lit(high - low + 1, value.extract(high, low).to_u64());
        term.extract(high, low).equals(&piece)
    });
    Formula::all(pieces)
}

/// A random formula, and what it must be: nothing is asked of it where that is not known.
struct Case {
    formula: Formula,
    expected: CadicalVerdict,
}

/// Random expressions that have the values of big integers on random inputs, and do not.
fn cases(seed: u64) -> Vec<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(!seed);
    let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
    let inputs = [0, 1, 2].map(|index| Term::input(index, widths[index as usize]));
    let terms = expressions(seed, &inputs);
    let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
    let values = expressions(seed, &given);
    let assigned = Formula::all(inputs.iter().zip(&given).map(|(i, v)| is(i, v)));
    let agree = Formula::all(terms.iter().zip(&values).map(|(t, v)| is(t, v)));
    // Inputs that give the last expression this value: perhaps others.
    let aimed = is(terms.last().unwrap(), values.last().unwrap());
    let case = |formula, expected| Case { formula, expected };
    vec![
        case(assigned.and(&agree), CadicalVerdict::Sat),
        case(assigned.and(&agree.not()), CadicalVerdict::Unsat),
        case(aimed, CadicalVerdict::Sat),
    ]
}

#[test]
fn evaluation_knows_the_values_that_big_integers_give() {
    for seed in 0..2000 {
        scope(|| {
            let mut rng = ChaCha8Rng::seed_from_u64(!seed);
            let widths = [(); 3].map(|()| WIDTHS[rng.random_range(0..WIDTHS.len())]);
            let inputs = [0, 1, 2].map(|index| Term::input(index, widths[index as usize]));
            let terms = expressions(seed, &inputs);
            for _ in 0..3 {
                let given = widths.map(|width| Big::lit(width, value(&mut rng, width)));
                let values = expressions(seed, &given);
                let agree = Formula::all(terms.iter().zip(&values).map(|(t, v)| is(t, v)));
                let input = |index: u32| given[index as usize].to_u64();
                assert!(script_of(agree).holds(input), "seed {seed}, {given:?}");
                assert!(!script_of(agree.not()).holds(input), "seed {seed}");
            }
        })
    }
}

#[test]
fn the_text_means_what_the_formula_means() {
    for solver in installed() {
        for seed in 0..60 {
            scope(|| {
                for (index, Case { formula, expected }) in cases(seed).into_iter().enumerate() {
                    let script = script_of(formula);
                    let limits = Limits::default().within(Duration::from_secs(10));
                    let solved = solver.solve(&script, seed, &limits).unwrap();
                    if solved.verdict == CadicalVerdict::Unknown(Stopped::TimeLimit) {
                        continue;
                    }
                    let name = solver.describe();
                    assert_eq!(solved.verdict, expected, "{name}, {seed}, {index}");
                }
            })
        }
    }
}

/// Formulas of which nobody knows whether they hold somewhere: the engines must agree.
#[test]
fn solvers_and_the_embedded_engine_agree() {
    let solvers = installed();
    for seed in 0..if solvers.is_empty() { 0 } else { 60 } {
        scope(|| {
            let inputs = [0, 1, 2].map(|index| Term::input(index, [4, 7, 8][index as usize]));
            let terms = expressions(seed, &inputs);
            let [.., one, other] = &terms[..] else {
                unreachable!()
            };
            let width = one.width().max(other.width());
            let formula = Formula::all([
                one.zext(width).equals(&other.zext(width)),
                inputs[0].ult(&Term::lit(4, 9)),
                terms[3].is_zero().not(),
            ]);
            let limits = Limits::default().within(Duration::from_secs(10));
            let mut search = CadicalSearch::new(Strategy::Witness, seed);
            search.assert(formula);
            let own = search.solve(&[], &limits);
            for solver in &solvers {
                let solved = solver.solve(&script_of(formula), seed, &limits).unwrap();
                if ![own, solved.verdict].contains(&CadicalVerdict::Unknown(Stopped::TimeLimit)) {
                    assert_eq!(solved.verdict, own, "{}, {seed}", solver.describe());
                }
            }
        })
    }
}

/// A tree of 2^200 additions, named, is a short text.
#[test]
fn what_is_shared_is_written_once() {
    scope(|| {
        let mut term = Term::input(0, 16);
        for _ in 0..200 {
            term = term.mul(&term).add(&term.lshr(&Term::lit(16, 3)));
        }
        let text = script_of(term.is_zero()).text().to_owned();
        assert!(text.len() < 100_000, "{} bytes", text.len());
        assert_eq!(text.matches("(declare-const x0 (_ BitVec 16))").count(), 1);
        assert!(text.starts_with("; a test\n") && text.ends_with("(check-sat)\n"));
    })
}

/// What is asked of a fake: a number of 16 bits that is 5.
trait Asked {
    fn solve(&self, limits: &Limits) -> Result<SolverAnswer, EngineError>;

    fn error(&self) -> String {
        let error = self.solve(&soon()).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }
}

impl Asked for Fake {
    fn solve(&self, limits: &Limits) -> Result<SolverAnswer, EngineError> {
        scope(|| self.solver.solve(&five(), 0, limits))
    }
}

fn five() -> SmtlibScript {
    script_of(Term::input(0, 16).equals(&Term::lit(16, 5)))
}

/// Longer than anything here takes beside other tests, and shorter than what these solvers wait for.
const HUNG: Duration = Duration::from_secs(60);

fn soon() -> Limits {
    Limits::default().within(Duration::from_secs(20))
}

/// Whether a process with this text among its arguments lives on: one that was killed may need a
/// moment to go.
fn stays(mark: &str) -> bool {
    let start = Instant::now();
    while is_running(mark) {
        if start.elapsed() > Duration::from_secs(10) {
            return true;
        }
        thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Whether a process has this text, unique to its test, among its arguments. Where the system does
/// not tell by files, `ps` does.
fn is_running(mark: &str) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        let output = Command::new("ps").args(["-A", "-o", "args"]).output();
        return String::from_utf8_lossy(&output.unwrap().stdout).contains(mark);
    };
    processes.flatten().any(|process| {
        let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments)
            .replace('\0', " ")
            .contains(mark)
    })
}

#[test]
fn a_right_answer_is_believed() {
    for (name, model) in [
        ("hexadecimal", "((x0 #x0005))"),
        ("decimal", "((x0 (_ bv5 16)))"),
        ("binary", "((x0 #b0000000000000101))"),
        ("slow", "('; sleep 0.2; echo '(x0 ; c\n #x0005))"),
    ] {
        let fake = Fake::new(name, &format!("echo sat\necho '{model}'"));
        let solved = fake.solve(&soon()).unwrap();
        assert_eq!(solved.verdict, CadicalVerdict::Sat, "{name}");
        assert_eq!(solved.values[&0], 5);
    }
    let fake = Fake::new(
        "none",
        "cat > /dev/null; echo unsat; echo '(error \"no model\")'; exit 1",
    );
    assert_eq!(fake.solve(&soon()).unwrap().verdict, CadicalVerdict::Unsat);
    let fake = Fake::new("unsure", "echo unknown");
    let unsure = CadicalVerdict::Unknown(Stopped::GaveUp);
    assert_eq!(fake.solve(&soon()).unwrap().verdict, unsure);
}

#[test]
fn a_solver_that_does_not_answer_is_an_error() {
    let cases = [
        (
            "exits",
            "exit 3",
            "`exits` ended (exit status: 3) before sat, unsat or unknown",
        ),
        (
            "speaks",
            "echo no licence >&2",
            "before sat, unsat or unknown: no licence",
        ),
        (
            "closes",
            "exec > /dev/null 2>&1; sleep 100",
            "`closes` ended (still running, without output)",
        ),
        ("halfway", "printf uns", "found `uns`"),
        (
            "murmurs",
            "echo '; satisfied'",
            "before sat, unsat or unknown",
        ),
        ("modest", "echo sat", "before the values of all inputs"),
        (
            "dies",
            "echo sat; printf '((x0 #x00'; kill -9 $$",
            "`dies` ended (signal: 9 (SIGKILL)) before the values",
        ),
        (
            "nonsense",
            "echo Segmentation fault",
            "expected sat, unsat or unknown, found `Segmentation`",
        ),
        ("closing", "echo ')'", "found `)`"),
        (
            "fails",
            "echo '(error \"line 1: what?\")'",
            "found `(error \"line 1: what?\")`",
        ),
        (
            "denies",
            "echo sat; echo '(error \"no model\")'",
            "expected the values of all inputs, found `(error",
        ),
        (
            "other",
            "echo sat; echo '((x1 #x0005))'",
            "found `((x1 #x0005))`",
        ),
        (
            "narrow",
            "echo sat; echo '((x0 #x05))'",
            "found `((x0 #x05))`",
        ),
        ("empty", "echo sat; echo '()'", "found `()`"),
        (
            "binary-rubbish",
            "head -c 5000 /dev/urandom; echo",
            "binary-rubbish",
        ),
        (
            "wrong",
            "echo sat; echo '((x0 #x0006))'",
            "does not satisfy the formula: x0 = 0x6",
        ),
        (
            "deep",
            "exec yes '('",
            "found `lists nested more than 1000 deep`",
        ),
        (
            "loud",
            "exec tr '\\0' a < /dev/zero",
            "found `more than a megabyte`",
        ),
    ];
    for (name, body, expected) in cases {
        let error = Fake::new(name, body).error();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn a_solver_that_is_not_there_is_an_error() {
    for (command, expected) in [
        (
            "no-such-solver --quick",
            "no program `no-such-solver` on PATH",
        ),
        ("/no/such/solver", "no program `/no/such/solver`"),
        (" ", "expected a program and its arguments, found nothing"),
    ] {
        let error = SmtSolver::from_command(command).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let fake = Fake::new("reads-only", "");
    fs::set_permissions(&fake.solver.path, fs::Permissions::from_mode(0o644)).unwrap();
    let error = SmtSolver::from_command(&fake.solver.path.display().to_string());
    assert!(error.unwrap_err().to_string().contains("no program `"));
    assert_eq!(SmtSolver::known_names(), ["z3", "cvc5", "bitwuzla"]);
    let error = SmtSolver::find("minisat").unwrap_err().to_string();
    assert!(error.starts_with("unknown solver `minisat`: expected z3, cvc5, bitwuzla"));
    let fake = Fake::new("vanishes", "");
    fs::write(&fake.solver.path, "#!/no/such/interpreter\n").unwrap();
    assert!(fake.error().contains("`vanishes` cannot be started: "));
}

#[test]
fn a_time_limit_ends_a_solver_and_all_that_it_started() {
    let bodies = [
        ("hangs", "sleep 4711.1 & sleep 4711.1"),
        (
            "deaf",
            "trap '' TERM INT HUP PIPE; sleep 4711.1; sleep 4711.1",
        ),
        ("promises", "echo sat; sleep 4711.1"),
        (
            "chatters",
            "while :; do echo success; sleep 0.01; done # 4711.1",
        ),
    ];
    for (name, body) in bodies {
        let fake = Fake::new(name, body);
        let start = Instant::now();
        let limits = Limits::default().within(Duration::from_millis(300));
        let solved = fake.solve(&limits).unwrap();
        assert_eq!(solved.verdict, CadicalVerdict::Unknown(Stopped::TimeLimit));
        assert!(start.elapsed() < HUNG, "{name}");
        assert!(!stays(&fake.folder.display().to_string()), "{name}");
    }
    assert!(!stays("sleep 4711.1"));
}

#[test]
fn an_interrupt_ends_a_solver() {
    let fake = Fake::new("waits", "sleep 4711.2");
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits::interruptible(flag.clone());
    let interrupter = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let solved = fake.solve(&limits).unwrap();
    assert_eq!(
        solved.verdict,
        CadicalVerdict::Unknown(Stopped::Interrupted)
    );
    assert!(start.elapsed() < HUNG);
    interrupter.join().unwrap();
    assert!(!stays("sleep 4711.2"));
}

/// `head | tail` holds a line of that many megabytes.
#[test]
fn a_memory_limit_holds_to_a_tenth() {
    const MIB: u64 = 1 << 20;
    let needs = |mib: u64| {
        let line = format!(
            "head -c {}m /dev/zero | tail -n 1 | wc -c >&2 || exit 1",
            mib
        );
        // The text of the failure comes on standard error.
        Fake::new(&format!("needs{mib}"), &format!("{line}\nulimit -v >&2"))
    };
    let mut fake = needs(400);
    fake.solver.memory = Some(200 * MIB);
    let solved = fake.solve(&soon()).unwrap();
    assert_eq!(
        solved.verdict,
        CadicalVerdict::Unknown(Stopped::MemoryLimit)
    );
    // The solver itself sees the limit.
    let mut fake = Fake::new(
        "fits",
        "[ $(ulimit -v) -le 204800 ] && [ $(ulimit -v) -ge 184320 ] && echo unsat",
    );
    fake.solver.memory = Some(200 * MIB);
    assert_eq!(fake.solve(&soon()).unwrap().verdict, CadicalVerdict::Unsat);
    // Some say so where the answer belongs.
    let mut fake = Fake::new("says-so", "echo '(error \"out of memory\")'");
    assert!(fake.error().contains("out of memory"));
    fake.solver.memory = Some(200 * MIB);
    let solved = fake.solve(&soon()).unwrap();
    assert_eq!(
        solved.verdict,
        CadicalVerdict::Unknown(Stopped::MemoryLimit)
    );
    // An error that has nothing to do with memory stays one.
    let mut fake = Fake::new("other-error", "exit 2");
    fake.solver.memory = Some(200 * MIB);
    assert!(fake.error().contains("exit status: 2"));
}

/// The product by additions of `a`, shifted.
fn long_product(a: &Term, b: &Term) -> Term {
    let rows = (0..a.width()).map(|index| {
        let shifted = a.shl(&Term::lit(32, u64::from(index)));
        mux(&b.bit(index), &shifted, &Term::lit(a.width(), 0))
    });
    Term::sum(&rows.collect::<Vec<_>>())
}

/// Real solvers, given less than they need for anything.
#[test]
fn real_solvers_without_memory_or_time_know_nothing() {
    for mut solver in installed() {
        scope(|| {
            let [a, b] = [0, 1].map(|index| Term::input(index, 24));
            // That long multiplication is commutative takes forever to prove.
            let differ = long_product(&a, &b).equals(&long_product(&b, &a)).not();
            let script = script_of(differ);
            let start = Instant::now();
            let limits = Limits::default().within(Duration::from_secs(1));
            let solved = solver.solve(&script, 0, &limits).unwrap();
            let took = start.elapsed();
            let stopped = CadicalVerdict::Unknown(Stopped::TimeLimit);
            assert_eq!(solved.verdict, stopped, "{}", solver.name);
            assert!(took < HUNG, "{}: {took:?}", solver.name);
            solver.memory = Some(30 << 20);
            match solver.solve(&script, 0, &limits) {
                Ok(solved) => assert!(matches!(solved.verdict, CadicalVerdict::Unknown(_))),
                Err(error) => assert!(matches!(error, EngineError::Died { .. }), "{error}"),
            }
        })
    }
}

/// A race of the embedded engine with fakes, on the formula that a number is 5.
fn raced(
    fakes: &[&Fake],
    own: Option<CadicalVerdict>,
) -> Result<(String, CadicalVerdict), EngineError> {
    scope(|| {
        let script = &five();
        let rivals = fakes.iter().map(|fake| Rival {
            name: fake.solver.describe(),
            solve: Box::new(move |limits| fake.solver.solve(script, 0, limits)),
        });
        let raced = race(rivals.collect(), &soon(), "own", |limits| {
            let verdict = own.unwrap_or_else(|| {
                while limits.stopped().is_none() {
                    thread::sleep(Duration::from_millis(5));
                }
                CadicalVerdict::Unknown(Stopped::Interrupted)
            });
            (verdict, verdict)
        })?;
        Ok(match raced {
            RaceOutcome::Own(verdict) => ("own".into(), verdict),
            RaceOutcome::Rival(name, solved) => (name, solved.verdict),
        })
    })
}

#[test]
fn the_first_answer_ends_a_race() {
    let slow = Fake::new("tortoise", "sleep 4711.3");
    let quick = Fake::new("hare", "echo sat; echo '((x0 #x0005))'");
    let contrary = Fake::new("contrary", "echo unsat");
    let start = Instant::now();
    let (winner, verdict) = raced(&[&slow, &quick], None).unwrap();
    assert_eq!((winner.as_str(), verdict), ("hare", CadicalVerdict::Sat));
    let (winner, _) = raced(&[&slow], Some(CadicalVerdict::Sat)).unwrap();
    assert_eq!(winner, "own");
    assert!(start.elapsed() < HUNG);
    assert!(!stays("sleep 4711.3"));
    // Both answer before they hear of each other, or the first one wins.
    match raced(&[&quick, &contrary], None) {
        Ok((winner, _)) => assert!(["hare", "contrary"].contains(&winner.as_str())),
        Err(error) => assert!(error.to_string().starts_with("the engines disagree")),
    }
}

/// A solver whose model is wrong is the error that it is alone, whoever else answers after it and
/// wherever it stands.
#[test]
fn a_race_does_not_hide_a_wrong_model() {
    let liar = Fake::new("fibber", "echo sat; echo '((x0 #x0007))'");
    let honest = Fake::new("ploughman", "sleep 1; echo sat; echo '((x0 #x0005))'");
    let silent = Fake::new("mute", "echo unknown");
    let dead = Fake::new("corpse", "exit 7");
    let alone = scope(|| {
        liar.solver
            .solve(&five(), 0, &soon())
            .unwrap_err()
            .to_string()
    });
    assert!(alone.contains("its model does not satisfy the formula: x0 = 0x7"));
    for fakes in [
        vec![&liar],
        vec![&liar, &honest],
        vec![&honest, &liar],
        vec![&silent, &dead, &liar, &honest],
    ] {
        let error = raced(&fakes, None).unwrap_err();
        assert_eq!(error.to_string(), alone);
    }
    // One that gives no answer at all is no lie.
    let (winner, verdict) = raced(&[&silent, &dead, &honest], None).unwrap();
    assert_eq!(
        (winner.as_str(), verdict),
        ("ploughman", CadicalVerdict::Sat)
    );
}

fn distinguished(left: &str, right: &str, engine: Engine) -> Answer {
    let [left, right] = [left, right].map(|spec| Model::parse(spec).unwrap());
    let options = Options::default().engine(engine);
    let limits = Limits::default().within(Duration::from_secs(60));
    distinguish(&left, &right, &options, &limits).unwrap()
}

/// One claim and its twin, each by every solver and in a race.
#[test]
fn models_are_told_apart_by_any_engine() {
    let solvers: Vec<_> = installed().into_iter().map(Solver::from).collect();
    let mut engines: Vec<_> = solvers.iter().cloned().map(Engine::Other).collect();
    engines.push(Engine::Race(solvers));
    for engine in by_day(engines, 3) {
        let found = distinguished("fda:K=1,in=e2m1,F=3", "fda:K=1,in=e2m1,F=2", engine.clone());
        assert_eq!(found.ended, Ended::Enough, "{engine:?}");
        let witness = &found.witnesses[0];
        assert_ne!(witness.results[0], witness.results[1]);
        let [once, twice] = [
            "total = fuse(a * b, c) keep 9",
            "x = fuse(a * b) keep 20 total = fuse(x, c) keep 9",
        ]
        .map(|steps| {
            format!("unit:{{unit u {{ a, b: e2m1[1] c, d: f32 {steps} d = round(total) to f32 }}}}")
        });
        let found = distinguished(&once, &twice, engine);
        let by = Basis::Solver;
        assert_eq!(found.ended, Ended::NoMore { by });
    }
}

/// A model that lies: the formula is what decides.
#[test]
fn a_fake_that_lies_distinguishes_nothing() {
    let liar = Fake::new(
        "perjurer",
        "echo sat; sed -n 's/^(get-value (\\(.*\\)))$/\\1/p' | tr ' ' '\\n' | while read x; do case $x in c) w=8;; *) w=4;; esac; echo \"($x #x$(printf %0${w}d 0))\"; done | { echo '('; cat; echo ')'; }",
    );
    let [left, right] = ["fda:F=23", "fda:F=24"].map(|spec| Model::parse(spec).unwrap());
    let options = Options::default().engine(Engine::Other(liar.solver.clone().into()));
    let error = distinguish(&left, &right, &options, &soon()).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("does not satisfy the formula: a0 = 0x0, b0 = 0x0"),
        "{error}"
    );
}

#[test]
fn a_solver_is_described_by_name_and_version() {
    let mut fake = Fake::new("described", "");
    assert_eq!(Solver::from(fake.solver.clone()).describe(), "described");
    fake.solver.version = Some("1.2".into());
    assert_eq!(
        Solver::from(fake.solver.clone()).describe(),
        "described 1.2"
    );
}

#[test]
fn inputs_have_the_names_of_operands() {
    let model = Model::parse("fda:K=2,in=e2m1,scale=ue8m0").unwrap();
    let names: Vec<_> = inputs_of(&model.signature())
        .into_iter()
        .map(|input| input.name)
        .collect();
    assert_eq!(names, ["a0", "b0", "a1", "b1", "c", "sa0", "sb0"]);
}

#[test]
fn a_dumped_query_names_its_inputs() {
    let [left, right] = ["fda:F=23", "fda:F=24"].map(|spec| Model::parse(spec).unwrap());
    let question = Question::difference(&left, &right, None).unwrap();
    let [simplified, plain] = [false, true].map(|plain| question.script(plain));
    for line in [
        "; mmasmt 0.1.0: satisfiable iff these models give different results on finite inputs",
        "; fda:F=23",
        "(set-logic QF_BV)",
        "(declare-const a0 (_ BitVec 16))",
        "(declare-const b3 (_ BitVec 16))",
        "(declare-const c (_ BitVec 32))",
    ] {
        for text in [&simplified, &plain] {
            assert!(text.lines().any(|found| found == line), "{line}");
        }
    }
}

/// The first bit of a number is there for a solver as every other one is.
#[test]
fn scripts_speak_of_the_first_bit_as_of_others() {
    scope(|| {
        let x = Term::input(0, 8);
        for index in [0, 3, 7] {
            let script = script_of(x.bit(index));
            let wanted = format!("(= ((_ extract {index} {index}) x0) #b1)");
            assert!(script.text().contains(&wanted), "{}", script.text());
        }
        let first = x.lshr(&Term::lit(8, 7)).add(&Term::input(1, 8));
        let script = script_of(first.is_zero());
        let wanted = "((_ extract 7 7) x0)";
        assert!(script.text().contains(wanted), "{}", script.text());
    })
}
