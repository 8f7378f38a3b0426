//! Claims in SMT-LIB: operators over small words against integers, models in scripts against the
//! simulator, and answers of the embedded engine against other solvers.

use crate::common::inputs::draw;
use crate::common::installed::installed;
use crate::common::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::circuits::export::{ExportAdditions, Function, functions};
use mmasmt_questions::claims::query::Engine;
use mmasmt_questions::claims::scripts::{Script, ScriptFinding, answer_script};
use mmasmt_questions::solver::engine::{CadicalVerdict, Goal, Solver};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

fn script(text: &str) -> Script {
    Script::parse(text, Vec::new()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whether the assertions hold for these values of the constants.
fn holds(script: &Script, values: &[u64]) -> bool {
    script.holds(|index| values[index as usize])
}

const BITS: u32 = 4;
const MASK: u64 = (1 << BITS) - 1;

fn signed(x: u64) -> i64 {
    if x >> (BITS - 1) == 1 {
        x as i64 - (1 << BITS)
    } else {
        x as i64
    }
}

/// An operator with what it gives for two numbers of four bits.
type Operator = (&'static str, fn(u64, u64) -> u64);

/// The operators of two words.
const WORDS: [Operator; 17] = [
    ("bvadd", |x, y| (x + y) & MASK),
    ("bvsub", |x, y| x.wrapping_sub(y) & MASK),
    ("bvmul", |x, y| (x * y) & MASK),
    ("bvand", |x, y| x & y),
    ("bvor", |x, y| x | y),
    ("bvxor", |x, y| x ^ y),
    ("bvnand", |x, y| !(x & y) & MASK),
    ("bvnor", |x, y| !(x | y) & MASK),
    ("bvxnor", |x, y| !(x ^ y) & MASK),
    ("bvshl", |x, y| {
        if y >= u64::from(BITS) {
            0
        } else {
            (x << y) & MASK
        }
    }),
    (
        "bvlshr",
        |x, y| if y >= u64::from(BITS) { 0 } else { x >> y },
    ),
    ("bvashr", |x, y| (signed(x) >> y.min(63)) as u64 & MASK),
    ("bvudiv", |x, y| x.checked_div(y).unwrap_or(MASK)),
    ("bvurem", |x, y| x.checked_rem(y).unwrap_or(x)),
    ("bvsdiv", |x, y| {
        // By zero, a number that is not negative gives -1, and a negative one 1.
        let by_zero = if signed(x) < 0 { 1 } else { -1 };
        let quotient = signed(x).checked_div(signed(y)).unwrap_or(by_zero);
        quotient as u64 & MASK
    }),
    ("bvsrem", |x, y| {
        let rest = signed(x).checked_rem(signed(y)).unwrap_or(signed(x));
        rest as u64 & MASK
    }),
    ("bvsmod", |x, y| {
        // The remainder that has the sign of the divisor.
        let (x, y) = (signed(x), signed(y));
        let rest = if y == 0 {
            x
        } else {
            x - y * (x as f64 / y as f64).floor() as i64
        };
        rest as u64 & MASK
    }),
];

/// A comparison with what it says of two numbers of four bits.
type Comparison = (&'static str, fn(u64, u64) -> bool);

/// The comparisons of two words.
const COMPARISONS: [Comparison; 10] = [
    ("bvult", |x, y| x < y),
    ("bvule", |x, y| x <= y),
    ("bvugt", |x, y| x > y),
    ("bvuge", |x, y| x >= y),
    ("bvslt", |x, y| signed(x) < signed(y)),
    ("bvsle", |x, y| signed(x) <= signed(y)),
    ("bvsgt", |x, y| signed(x) > signed(y)),
    ("bvsge", |x, y| signed(x) >= signed(y)),
    ("=", |x, y| x == y),
    ("distinct", |x, y| x != y),
];

/// An expression of one word, the width of its value, and the value.
type OfOne = (&'static str, u32, fn(u64) -> u64);

/// The operators of one word.
const OTHERS: [OfOne; 9] = [
    ("(bvnot x)", 4, |x| !x & MASK),
    ("(bvneg x)", 4, |x| x.wrapping_neg() & MASK),
    ("((_ extract 2 1) x)", 2, |x| x >> 1 & 3),
    ("((_ zero_extend 3) x)", 7, |x| x),
    ("((_ sign_extend 3) x)", 7, |x| signed(x) as u64 & 0x7f),
    ("((_ rotate_left 5) x)", 4, |x| (x << 1 | x >> 3) & MASK),
    ("((_ rotate_right 1) x)", 4, |x| (x >> 1 | x << 3) & MASK),
    ("((_ repeat 2) x)", 8, |x| x << 4 | x),
    ("(concat x #b10 (_ bv5 3))", 9, |x| x << 5 | 0b10101),
];

#[test]
fn operators_are_those_of_the_standard_on_all_words_of_four_bits() {
    let declared = "(declare-const x (_ BitVec 4))(declare-fun y () (_ BitVec 4))";
    let pairs = || (0..=MASK).flat_map(|x| (0..=MASK).map(move |y| (x, y)));
    for (name, of) in WORDS {
        let text = format!("{declared}(declare-const z (_ BitVec 4))(assert (= z ({name} x y)))");
        let claim = script(&text);
        for (x, y) in pairs() {
            let (right, wrong) = (of(x, y), of(x, y) ^ 1);
            assert!(holds(&claim, &[x, y, right]), "{name} {x} {y}");
            assert!(!holds(&claim, &[x, y, wrong]), "{name} {x} {y}");
        }
    }
    for (name, of) in COMPARISONS {
        let claim = script(&format!("{declared}(assert ({name} x y))"));
        for (x, y) in pairs() {
            assert_eq!(holds(&claim, &[x, y]), of(x, y), "{name} {x} {y}");
        }
    }
    for (expression, width, of) in OTHERS {
        let text =
            format!("{declared}(declare-const z (_ BitVec {width}))(assert (= z {expression}))");
        let claim = script(&text);
        for x in 0..=MASK {
            assert!(holds(&claim, &[x, 0, of(x)]), "{expression} {x}");
            assert!(!holds(&claim, &[x, 0, of(x) ^ 2]), "{expression} {x}");
        }
    }
}

/// An expression of three truth values, and its value.
type OfThree = (&'static str, fn(bool, bool, bool) -> bool);

#[test]
fn truth_values_are_joined_as_the_standard_says() {
    let declared = "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)";
    let cases: [OfThree; 9] = [
        ("(and p q r)", |p, q, r| p && q && r),
        ("(or p q r)", |p, q, r| p || q || r),
        ("(xor p q r)", |p, q, r| p ^ q ^ r),
        ("(=> p q r)", |p, q, r| !p || (!q || r)),
        ("(= p q r)", |p, q, r| p == q && q == r),
        ("(distinct p q)", |p, q, _| p != q),
        ("(ite p q (not r))", |p, q, r| if p { q } else { !r }),
        // The right sides of `let` do not see its names.
        ("(let ((p q) (q p)) (and p (not q)))", |p, q, _| q && !p),
        ("(! (let ((q (not q))) (or q r)) :named one)", |_, q, r| {
            !q || r
        }),
    ];
    for (text, of) in cases {
        let claim = script(&format!("{declared}(assert {text})"));
        for code in 0..8u64 {
            let [p, q, r] = [0, 1, 2].map(|bit| code >> bit & 1);
            let expected = of(p == 1, q == 1, r == 1);
            assert_eq!(holds(&claim, &[p, q, r]), expected, "{text} {code:b}");
        }
    }
}

/// A definition sees its parameters, the constants and definitions before it, and no name that is
/// bound where it is used.
#[test]
fn definitions_have_their_own_names() {
    let claim = script(
        "(declare-const x (_ BitVec 4))
         (define-fun double ((y (_ BitVec 4))) (_ BitVec 4) (bvadd y y))
         (define-const base (_ BitVec 4) (double x))
         (define-fun shifted ((y (_ BitVec 4))) (_ BitVec 4) (bvadd (double y) base))
         (assert (let ((x #x1) (base #x0)) (= (shifted x) #x8)))",
    );
    for x in 0..=MASK {
        assert_eq!(holds(&claim, &[x]), (2 + 2 * x) & MASK == 8, "{x}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let f = || vec![("f".to_owned(), Model::parse("fda:K=1").unwrap())];
    for (text, part) in [
        ("(assert true", "line 1, character 1"),
        ("\n  )", "line 2, character 3: expected a command"),
        (
            "(assert (and true #b1))",
            "line 1, character 19: expected a value of sort Bool",
        ),
        ("(assert x)", "expected a declared name"),
        ("(declare-const x Int)", "expected Bool, (_ BitVec N)"),
        ("(declare-const x (_ BitVec 65))", "at most 64 bits"),
        (
            "(declare-const x Bool)(declare-const x Bool)",
            "stands for nothing else",
        ),
        ("(declare-const f Bool)", "stands for nothing else"),
        (
            "(assert (= (f #x3c00 #x3c00) #x00000000))",
            "3 registers of f",
        ),
        (
            "(assert (= (f #x3c00 #x3c00 #x0) #x00000000))",
            "expected 32 bits",
        ),
        (
            "(assert (= #x1 #b1))",
            "expected a value of sort (_ BitVec 4)",
        ),
        (
            "(assert (bvult (bvdiv #x1 #x1) #x1))",
            "an operator of bit-vectors, FloatingPoint or Real",
        ),
        ("(assert (bvudiv #x1 #x1))", "a value of sort Bool"),
        (
            "(assert (fp.lt RNE ((_ to_fp 5 11) #x3c00)))",
            "line 1, character 16: expected a FloatingPoint, found `RNE`",
        ),
        (
            "(assert (fp.isNaN (fp.add ((_ to_fp 5 11) #x3c00) (_ NaN 5 11) (_ NaN 5 11))))",
            "expected a value of sort RoundingMode",
        ),
        (
            "(assert (fp.eq (_ NaN 5 11) (_ NaN 8 24)))",
            "expected a value of sort (_ FloatingPoint 5 11)",
        ),
        (
            "(assert (fp.isNaN ((_ to_fp 5 11) #x3c)))",
            "expected a value of sort (_ BitVec 16)",
        ),
        ("(assert (fp.isNaN (_ NaN 1 1)))", "(_ +oo E S)"),
        ("(assert (< 1.5 #x3))", "expected a value of sort Real"),
        (
            "(assert (< 1 (/ 1 (real.f16 #x3c00))))",
            "a number that is not 0, to divide by",
        ),
        ("(assert (< 1 (/ 1 0.0)))", "a number that is not 0"),
        ("(declare-const x Real)", "a constant of sort Bool"),
        ("(declare-const x Float128)", "at most 64 bits"),
        (
            "(assert (= (real.e4m3 #x00) 0))",
            "a format of one of the models",
        ),
        (
            "(assert (= ((_ extract 4 0) #x1) #x1))",
            "expected (_ extract HIGH LOW)",
        ),
        (
            "(define-fun g () Bool (g2))(define-fun g2 () Bool (g))(assert g)",
            "expected an operator",
        ),
        (
            "(define-fun g () (_ BitVec 4) true)",
            "a value of sort (_ BitVec 4)",
        ),
        (
            "(assert (finite.e4m3 #x00))",
            "a format of one of the models",
        ),
        ("(push 1)", "expected declare-const"),
        ("(assert \"x)", "a closing"),
        (&"(".repeat(2000), "at most 1000 lists"),
    ] {
        let error = Script::parse(text, f()).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

const MODELS: [&str; 9] = [
    "fda:K=2",
    "hmma8:K=2",
    "sfma:K=2,fmt=f32",
    "gps:K=4",
    "fdrda:K=4",
    "exact:K=2",
    "cpu:K=2",
    "gaudi:K=2",
    "int:K=2",
];

/// In a script, a model gives what the simulator gives: the assertion holds for that register and for
/// no other.
#[test]
fn models_in_scripts_are_the_simulator() {
    for name in MODELS {
        let model = Model::parse(name).unwrap();
        let signature = model.signature();
        let mut declared = String::new();
        let mut operands = Vec::new();
        let rows = signature
            .rows()
            .flat_map(|row| vec![row.format; row.length]);
        for (index, format) in rows.enumerate() {
            declared += &format!("(declare-const r{index} (_ BitVec {}))", format.width());
            operands.push(format!("r{index}"));
        }
        let d = signature.d.width();
        let text = format!(
            "{declared}(declare-const d (_ BitVec {d}))(assert (= d (f {})))",
            operands.join(" ")
        );
        let claim = Script::parse(&text, vec![("f".into(), model.clone())]).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..300 {
            let inputs = draw(&mut rng, &signature);
            let mut values: Vec<u64> = inputs
                .each(&signature)
                .map(|(_, register)| *register)
                .collect();
            let result = model.simulator().evaluate(&inputs).unwrap();
            values.push(result);
            assert!(holds(&claim, &values), "{name}: {inputs:?}");
            *values.last_mut().unwrap() ^= 1;
            assert!(!holds(&claim, &values), "{name}: {inputs:?}");
        }
    }
}

/// Scripts over f, a truncating unit of two products, and g, with one bit more; whether values exist.
const CLAIMS: [(&str, bool); 6] = [
    // Two equal products of finite factors give no infinity, whatever c is.
    (
        "(assert (finite.f16 x)) (assert (finite.f16 y)) (assert (finite.f32 z)) (assert (not (finite.f32 (f x x y y z))))",
        false,
    ),
    // The order of two products does not matter. Functions of formats have the names of exported files too.
    (
        "(assert (finite.f16 x)) (assert (finite.f16 y)) (assert (distinct (f x y #x3c00 #x3c00 z) (f y x #x3c00 #x3c00 z))) (assert (g.finite.f32 z))",
        false,
    ),
    // Equal products in another factorisation give equal results: 1.5 * 1.5 and 2.25 * 1 do not.
    (
        "(assert (distinct (f #x3e00 x #x3e00 y z) (f #x4080 x #x3c00 y z))) (assert (finite.f16 x)) (assert (finite.f16 y)) (assert (finite.f32 z))",
        true,
    ),
    // One bit more changes a result.
    (
        "(assert (distinct (f x #x3c00 #x3c00 #x3c00 z) (g x #x3c00 #x3c00 #x3c00 z))) (assert (finite.f16 x)) (assert (finite.f32 z))",
        true,
    ),
    // With c = 0, one product is exact in both.
    (
        "(assert (distinct (f x #x0000 y #x0000 #x00000000) (g x #x0000 y #x0000 #x00000000))) (assert (finite.f16 x)) (assert (finite.f16 y))",
        false,
    ),
    // A run whose result is the next run's c.
    (
        "(define-fun run ((c (_ BitVec 32))) (_ BitVec 32) (f x #x0000 #x3c00 #x3c00 c)) (assert (finite.f16 x)) (assert (= (run z) z)) (assert (distinct z (f #x0000 #x0000 #x0000 #x0000 z)))",
        false,
    ),
];

fn claim(text: &str) -> (String, Vec<(String, Model)>) {
    let declared = "(declare-const x (_ BitVec 16))(declare-const y (_ BitVec 16))(declare-const z (_ BitVec 32))";
    let models = [("f", "fda:K=2,F=23"), ("g", "fda:K=2,F=24")];
    let models = models.map(|(name, model)| (name.to_owned(), Model::parse(model).unwrap()));
    (format!("{declared}{text}"), models.into())
}

#[test]
fn answers_are_those_of_other_solvers() {
    let limits = || Limits::default().within(Duration::from_secs(120));
    for (text, expected) in by_day(CLAIMS, 2) {
        let (text, models) = claim(text);
        let claim = Script::parse(&text, models.clone()).unwrap();
        let answer = answer_script(&claim, &Engine::Embedded, 0, &limits()).unwrap();
        let is_found = match answer.found {
            ScriptFinding::Values { applications, .. } => {
                assert!(!applications.is_empty());
                true
            }
            ScriptFinding::Nothing => false,
            ScriptFinding::Unknown(stopped) => panic!("{}: {text}", stopped.describe()),
        };
        assert_eq!(is_found, expected, "{text}");
        // The whole script, with the functions as text, is for solvers that share nothing with us.
        let functions_of = models
            .into_iter()
            .map(|(name, model)| Function { name, model });
        let functions_of: Vec<Function> = functions_of.collect();
        let definitions = functions(&functions_of, ExportAdditions::default()).unwrap();
        for solver in installed() {
            if solver.describe().starts_with("z3 4.") {
                continue;
            }
            let whole = format!("(set-logic QF_BV)\n{definitions}{text}(check-sat)\n(exit)\n");
            let word = if expected { "sat" } else { "unsat" };
            // A solver may need longer than that; what it says has to be the same.
            if let Some(said @ ("sat" | "unsat")) = verdict(&solver.path, &whole).as_deref() {
                assert_eq!(said, word, "{text}");
            }
            let limits = Limits::default().within(Duration::from_secs(4));
            let solved = Solver::from(solver)
                .solve_plain(&claim, 0, &limits)
                .unwrap();
            match solved.verdict {
                CadicalVerdict::Sat => assert!(expected, "{text}"),
                CadicalVerdict::Unsat => assert!(!expected, "{text}"),
                CadicalVerdict::Unknown(_) => {}
            }
        }
    }
}

/// The first line that a solver prints for a script.
fn verdict(program: &std::path::Path, script: &str) -> Option<String> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut command = Command::new(program);
    let is_z3 = program.file_name().is_some_and(|name| name == "z3");
    match is_z3 {
        true => command.args(["-in", "-T:4"]),
        false => command.arg("--tlimit=4000"),
    };
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut running = started.unwrap();
    running
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = running.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().next().map(str::to_owned)
}

fn found(text: &str) -> (Script, ScriptFinding) {
    let models = vec![("f".into(), Model::parse("fda:F=24,K=2").unwrap())];
    let claim = Script::parse(text, models).unwrap_or_else(|error| panic!("{error}: {text}"));
    let answer = answer_script(&claim, &Engine::Embedded, 0, &Limits::default()).unwrap();
    (claim, answer.found)
}

/// What stands behind the first `check-sat` or `exit` does not count.
#[test]
fn a_script_ends_with_its_first_question() {
    for (text, has_values, unread) in [
        ("(assert (= x #x1)) (check-sat)", true, 0),
        ("(assert (= x #x1)) (check-sat) (get-model) (exit)", true, 0),
        ("(assert (= x #x1)) (check-sat) (assert (= x #x2))", true, 1),
        (
            "(assert (= x #x1)) (exit) (assert false) (check-sat)",
            true,
            1,
        ),
        (
            "(assert (= x #x1)) (check-sat) (exit) (declare-const y Bool) (nonsense)",
            true,
            2,
        ),
        (
            "(assert (= x #x1)) (assert (= x #x2)) (check-sat)",
            false,
            0,
        ),
        ("(assert (= x #x1)) (assert (= x #x2))", false, 0),
        (
            "(set-info :status sat) (check-sat) (set-info :status unsat)",
            true,
            1,
        ),
    ] {
        let (script, found) = found(&format!("(declare-const x (_ BitVec 4)) {text}"));
        assert_eq!(
            matches!(found, ScriptFinding::Values { .. }),
            has_values,
            "{text}"
        );
        assert_eq!(script.unread(), unread, "{text}");
        assert_ne!(script.status(), Some(false), "{text}");
    }
}

/// No name that has a meaning can be given another one.
#[test]
fn symbols_of_theories_are_not_declared_again() {
    for name in [
        "true",
        "false",
        "and",
        "or",
        "not",
        "=>",
        "=",
        "ite",
        "let",
        "distinct",
        "concat",
        "extract",
        "bvadd",
        "bvult",
        "bvsmod",
        "fp",
        "fp.add",
        "fp.nonsense",
        "to_fp",
        "RNE",
        "roundTowardZero",
        "NaN",
        "+",
        "<=",
        "to_real",
        "#b1",
        "#x0",
        "|#b1|",
        "|true|",
        "7",
        "0.5",
        ":key",
        "finite.f16",
        "value.f32",
        "real.f32",
        "f",
        "x",
    ] {
        for text in [
            format!("(declare-const {name} Bool)"),
            format!("(declare-fun {name} () Bool)"),
            format!("(define-fun {name} ((p Bool)) Bool p)"),
            format!("(define-const {name} Bool true)"),
            format!("(define-fun g (({name} Bool)) Bool true)"),
        ] {
            let models = vec![("f".into(), Model::parse("fda:F=24,K=2").unwrap())];
            let text = format!("(declare-const x Bool) {text}");
            let error = Script::parse(&text, models).map(|_| ()).unwrap_err();
            assert!(
                error.to_string().contains("stands for nothing else"),
                "{text}: {error}"
            );
        }
        if !["finite.f16", "value.f32", "real.f32", "f", "x"].contains(&name) {
            let text = format!("(assert (let (({name} false)) true))");
            assert!(Script::parse(&text, Vec::new()).is_err(), "{text}");
        }
    }
    for name in ["and", "bvadd", "true", "#b1"] {
        let models = vec![(name.into(), Model::parse("fda").unwrap())];
        assert!(Script::parse("", models).is_err(), "{name}");
    }
    let two = ["f", "f"].map(|name| (name.to_owned(), Model::parse("fda").unwrap()));
    assert!(Script::parse("", two.into()).is_err());
    // Names that only look like these.
    let text = "(declare-const bvx Bool) (declare-const finite.f64 Bool) (declare-const True Bool) (assert (and bvx True))";
    Script::parse(text, Vec::new()).unwrap();
}

/// Assertions that fix bits, or make them equal, say the same as assertions that say nothing else: the
/// values that satisfy them are counted by hand.
#[test]
fn bits_that_are_fixed_or_equal_are_those_of_the_assertions() {
    let whole =
        "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 3)) (declare-const p Bool)";
    for text in [
        "(= ((_ extract 2 1) x) #b10)",
        "(= #b10 ((_ extract 2 1) x))",
        "(= ((_ extract 3 2) x) ((_ extract 1 0) y))",
        "(= ((_ extract 3 1) x) ((_ extract 2 0) x))",
        "(= x (concat y #b1))",
        "(= (concat y ((_ extract 0 0) x)) x)",
        "(= x ((_ zero_extend 1) y))",
        "(and (= ((_ extract 0 0) x) #b1) (not p))",
        "(= p true)",
        "(and p (= ((_ extract 3 3) x) ((_ extract 0 0) y)) (= y #b101))",
        "(and (= ((_ extract 0 0) x) #b1) (= ((_ extract 0 0) x) #b0))",
        "(and (= y ((_ extract 2 0) x)) (= y ((_ extract 3 1) x)) p)",
        "(and (= y ((_ extract 2 0) x)) (distinct y #b111) (bvult #b100 y))",
        "(or (= x #x3) (= y #b011))",
        "(= x x y3)",
    ] {
        let text = text.replace("(= x x y3)", "(= x (concat y #b0) (concat #b0 y))");
        let one = script(&format!("{whole} (assert {text})"));
        let all = || (0..256u64).map(|n| [n & 15, n >> 4 & 7, n >> 7]);
        let expected: Vec<[u64; 3]> = all().filter(|values| holds(&one, values)).collect();
        // Asked for one after the other until there are no more.
        let mut known = String::new();
        let mut counted = 0;
        loop {
            let text = format!("{whole} (assert {text}) {known}");
            match answer_script(&script(&text), &Engine::Embedded, 0, &Limits::default())
                .unwrap()
                .found
            {
                ScriptFinding::Values { values, .. } => {
                    assert!(
                        expected.iter().any(|one| one[..] == values[..]),
                        "{text}: {values:?}"
                    );
                    let p = if values[2] == 1 { "p" } else { "(not p)" };
                    known += &format!(
                        "(assert (not (and (= x (_ bv{} 4)) (= y (_ bv{} 3)) {p})))",
                        values[0], values[1]
                    );
                    counted += 1;
                }
                ScriptFinding::Nothing => break,
                ScriptFinding::Unknown(stopped) => panic!("{}", stopped.describe()),
            }
            if counted == 12 {
                break;
            }
        }
        assert_eq!(counted, expected.len().min(12), "{text}");
    }
}

/// An exponent that is fixed by an extract is found as soon as one that is put in.
#[test]
fn fixed_fields_are_put_in() {
    let names = ["a0", "a1", "b0", "b1"];
    let declared: String = names
        .map(|name| format!("(declare-const {name} (_ BitVec 16))"))
        .concat();
    let fixed = names
        .map(|name| format!("(assert (= ((_ extract 15 10) {name}) #b001110))"))
        .concat();
    let text = format!(
        "{declared}{fixed}(assert (distinct (f a0 a1 b0 b1 #x00000000) (f a1 a0 b1 b0 #x00000000)))"
    );
    let (_, found) = found(&text);
    assert!(matches!(found, ScriptFinding::Nothing));
}
