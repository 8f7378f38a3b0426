//! The few functions of ACL2 that exported functions use, by their definitions over integers.

use num_bigint::BigInt;
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Expression {
    Word(String),
    Number(BigInt),
    List(Vec<Expression>),
}

use Expression::{List, Number, Word};

/// A text with definitions of functions.
pub struct Book(HashMap<String, (Vec<String>, Vec<u32>, Expression)>);

/// The expressions of a text without comments and strings with blanks.
fn read(text: &str) -> Vec<Expression> {
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    let spaced = lines.collect::<Vec<_>>().join("\n");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut open = vec![Vec::new()];
    for word in spaced.split_whitespace() {
        let read = match word {
            "(" => {
                open.push(Vec::new());
                continue;
            }
            ")" => List(open.pop().unwrap()),
            _ => match word.strip_prefix("#x") {
                Some(digits) => Number(BigInt::parse_bytes(digits.as_bytes(), 16).unwrap()),
                None => match word.parse() {
                    Ok(number) => Number(number),
                    Err(_) => Word(word.to_ascii_lowercase()),
                },
            },
        };
        open.last_mut().unwrap().push(read);
    }
    assert_eq!(open.len(), 1, "parentheses match");
    open.remove(0)
}

fn list(expression: &Expression) -> &[Expression] {
    match expression {
        List(parts) => parts,
        other => panic!("a list, not {other:?}"),
    }
}

fn word(expression: &Expression) -> &str {
    match expression {
        Word(word) => word,
        other => panic!("a word, not {other:?}"),
    }
}

impl Book {
    pub fn read(text: &str) -> Book {
        let mut functions = HashMap::new();
        for definition in read(text) {
            let parts = list(&definition);
            if word(&parts[0]) == "in-package" {
                continue;
            }
            assert_eq!((word(&parts[0]), parts.len()), ("defun", 5));
            let formals: Vec<String> = list(&parts[2])
                .iter()
                .map(|formal| word(formal).into())
                .collect();
            // (declare (xargs :guard (and (unsigned-byte-p WIDTH NAME) …)) …)
            let xargs = list(&list(&parts[3])[1]);
            let guards = list(&xargs[2])[1..].iter().map(|guard| match list(guard) {
                [Word(kind), Number(width), Word(name)] if kind == "unsigned-byte-p" => {
                    (name.clone(), u32::try_from(width).unwrap())
                }
                other => panic!("a guard, not {other:?}"),
            });
            let (names, widths): (Vec<String>, Vec<u32>) = guards.unzip();
            assert_eq!(names, formals);
            let name = word(&parts[1]).to_owned();
            functions.insert(name, (formals, widths, parts[4].clone()));
        }
        Book(functions)
    }

    /// The value of a function; its arguments must fit its guard.
    pub fn call(&self, name: &str, given: Vec<BigInt>) -> BigInt {
        let (formals, widths, body) = &self.0[name];
        assert_eq!(given.len(), formals.len());
        for (value, width) in given.iter().zip(widths) {
            assert!(*value >= BigInt::ZERO && value.bits() <= u64::from(*width));
        }
        let names = formals.iter().map(String::as_str);
        value(body, &mut names.zip(given).collect())
    }
}

/// The number that a shift is by.
fn small(number: &BigInt) -> i64 {
    i64::try_from(number).expect("a shift by few places")
}

fn value<'x>(of: &'x Expression, known: &mut HashMap<&'x str, BigInt>) -> BigInt {
    let parts = match of {
        Number(number) => return number.clone(),
        Word(name) => return known[&name[..]].clone(),
        List(parts) => parts,
    };
    let name = word(&parts[0]);
    if name == "let*" {
        for binding in list(&parts[1]) {
            let binding = list(binding);
            let made = value(&binding[1], known);
            known.insert(word(&binding[0]), made);
        }
        return value(&parts[2], known);
    }
    if name == "if" {
        let condition = list(&parts[1]);
        let [left, right] = [1, 2].map(|at| value(&condition[at], known));
        let holds = match word(&condition[0]) {
            "=" => left == right,
            "<" => left < right,
            other => panic!("a comparison, not {other}"),
        };
        return value(&parts[if holds { 2 } else { 3 }], known);
    }
    let given: Vec<BigInt> = parts[1..].iter().map(|part| value(part, known)).collect();
    match (name, &given[..]) {
        ("logand", [x, y]) => x & y,
        ("logior", [x, y]) => x | y,
        ("logxor", [x, y]) => x ^ y,
        ("+", [x, y]) => x + y,
        ("-", [x, y]) => x - y,
        ("-", [x]) => -x,
        ("*", [x, y]) => x * y,
        // Floor of x * 2^y.
        ("ash", [x, y]) => match small(y) {
            left @ 0.. => x << left,
            right => x >> -right,
        },
        (other, given) => panic!("{other} of {} numbers", given.len()),
    }
}
