//! Functions in ACL2 against the simulators and big integers, by ACL2 and by an evaluator of our own.

use crate::common::inputs::draw;
use crate::compiled::{exported, folder};
use crate::lisp::Book;
use crate::models::{SOME, parsed};
use crate::operators::{PARTS, called, cases, circuit, operate, subject};
use crate::rows::of_each_algorithm;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::circuits::export::{ExportFormat, PortShape, Subject};
use num_bigint::BigInt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

/// A function, and calls of it with what they should give.
struct Function {
    text: String,
    name: String,
    calls: Vec<(Vec<u64>, u64)>,
}

impl Function {
    fn of(subject: &Subject, name: &str, calls: Vec<(Vec<u64>, u64)>) -> Function {
        let files = exported(subject, ExportFormat::Acl2, PortShape::Scalar, name);
        let [file] = &files[..] else {
            panic!("{} files", files.len());
        };
        assert_eq!(file.extension, "lisp");
        Function {
            text: file.text.clone(),
            name: name.into(),
            calls,
        }
    }

    fn of_model(model: &Model, name: &str, count: usize) -> Function {
        let signature = model.signature();
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let mut simulator = model.simulator();
        let calls = (0..count).map(|_| {
            let inputs = draw(&mut rng, &signature);
            let registers = inputs.each(&signature).map(|(_, register)| *register);
            (registers.collect(), simulator.evaluate(&inputs).unwrap())
        });
        Function::of(&Subject::Model(model.clone()), name, calls.collect())
    }

    /// Compares with the evaluator of the tests.
    fn evaluate(&self) {
        let book = Book::read(&self.text);
        for (given, expected) in &self.calls {
            let given = given.iter().map(|&register| BigInt::from(register));
            let found = book.call(&self.name, given.collect());
            assert_eq!(found, BigInt::from(*expected), "{}", self.name);
        }
    }
}

/// Every case of every operator, each a function.
fn operators(count: usize) -> Vec<Function> {
    let cases = cases().into_iter().enumerate();
    let functions = cases.map(|(number, case)| {
        let (operator, width, amount) = case;
        let made = circuit(2 * PARTS + 1, |inputs| {
            operate(operator, width, amount, inputs)
        });
        let calls = called(number, case, count).into_iter();
        let calls = calls.map(|((_, given), expected)| (given, expected));
        Function::of(&subject(&made), &format!("f{number}"), calls.collect())
    });
    functions.collect()
}

/// The models of [`SOME`], and sums in groups.
fn tried() -> Vec<Model> {
    parsed(&[&SOME[..], &["gdfs:K=32"]].concat())
}

fn models(models: &[Model], count: usize) -> Vec<Function> {
    let models = models.iter().enumerate();
    let functions =
        models.map(|(number, model)| Function::of_model(model, &format!("m{number}"), count));
    functions.collect()
}

#[test]
fn every_operator_has_its_value_by_the_definitions_of_its_functions() {
    operators(12).iter().for_each(Function::evaluate);
}

#[test]
fn some_models_have_their_values_by_the_definitions_of_their_functions() {
    let all = models(&tried(), 60);
    all.iter().for_each(Function::evaluate);
    // One operator less or more, and there are other values.
    let function = &all[0];
    for (from, to) in [("(+ ", "(- "), ("(* ", "(+ "), ("(< ", "(= ")] {
        let text = function.text.replacen(from, to, 5);
        assert_ne!(text, function.text, "{from}");
        let book = Book::read(&text);
        let differ = function.calls.iter().filter(|(given, expected)| {
            let given = given.iter().map(|&register| BigInt::from(register));
            book.call(&function.name, given.collect()) != BigInt::from(*expected)
        });
        assert!(differ.count() > 0, "{from}");
    }
}

#[test]
fn two_models_are_a_function_that_tells_where_they_differ() {
    let models = parsed(&["fda:K=1,F=4,in=e2m1", "fda:K=1,F=2,in=e2m1"]);
    let question =
        mmasmt_questions::claims::query::Question::difference(&models[0], &models[1], None);
    let subject = Subject::Question(question.unwrap());
    let signature = models[0].signature();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut simulators = [models[0].simulator(), models[1].simulator()];
    let calls = (0..2000).map(|_| {
        let inputs = draw(&mut rng, &signature);
        let results = simulators
            .each_mut()
            .map(|simulator| simulator.evaluate(&inputs).unwrap());
        let differ = inputs.is_finite(&signature) && results[0] != results[1];
        let registers = inputs.each(&signature).map(|(_, register)| *register);
        (registers.collect(), u64::from(differ))
    });
    let function = Function::of(&subject, "differ", calls.collect());
    let seen = function.calls.iter().filter(|(_, differ)| *differ == 1);
    assert!(seen.count() > 20);
    function.evaluate();
}

/// ACL2 accepts each function with its guard, and gives what is expected of each call; how many
/// calls there were.
fn by_acl2(functions: &[Function]) -> usize {
    let place = folder("acl2");
    // The number of calls, and the places of those that are wrong.
    let mut script = String::from(
        "(defun wrong (results at) (declare (xargs :mode :program))\n  \
         (cond ((endp results) (cw \"~x0 calls~%\" at))\n        \
         (t (prog2$ (or (equal (caar results) (cdar results)) (cw \"wrong: call ~x0~%\" at))\n                   \
         (wrong (cdr results) (+ 1 at))))))\n\
         (set-inhibit-output-lst '(proof-tree event warning))\n",
    );
    let mut expected = Vec::new();
    for Function { text, name, calls } in functions {
        fs::write(place.path().join(format!("{name}.lisp")), text).unwrap();
        writeln!(script, "(ld \"{name}.lisp\")").unwrap();
        for some in calls.chunks(100) {
            script.push_str("(wrong (list\n");
            for (given, expected) in some {
                let given: Vec<String> = given.iter().map(|x| format!("#x{x:x}")).collect();
                let given = given.join(" ");
                writeln!(script, "  (cons ({name} {given}) #x{expected:x})").unwrap();
            }
            script.push_str(") 0)\n");
            expected.push((name, format!("{} calls", some.len())));
        }
    }
    fs::write(place.path().join("all.lisp"), script).unwrap();
    let output = Command::new("acl2")
        .current_dir(place.path())
        .stdin(Stdio::from(
            fs::File::open(place.path().join("all.lisp")).unwrap(),
        ))
        .output()
        .expect("acl2 on PATH: apt-get install acl2");
    let said = String::from_utf8_lossy(&output.stdout);
    // The prompt stands before what is printed.
    let mut lines = said
        .lines()
        .map(|line| line.rsplit('>').next().unwrap_or_default())
        .filter(|line| line.ends_with(" calls") || line.contains("wrong: call"));
    for (name, count) in &expected {
        assert_eq!(lines.next(), Some(&count[..]), "{name}: {said}");
    }
    assert_eq!(lines.next(), None);
    functions.iter().map(|function| function.calls.len()).sum()
}

#[test]
#[ignore = "needs acl2"]
fn every_operator_in_acl2() {
    let operators = operators(30);
    assert_eq!(by_acl2(&operators), 30 * operators.len());
}

#[test]
#[ignore = "needs acl2"]
fn models_in_acl2() {
    assert_eq!(by_acl2(&models(&tried(), 1000)), 8000);
    let rows = of_each_algorithm();
    println!("{} rows", rows.len());
    assert_eq!(by_acl2(&models(&rows, 100)), 100 * rows.len());
}
