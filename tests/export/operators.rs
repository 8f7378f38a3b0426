//! Every operator by itself, at the widths where words end.

use crate::common::garden::{self, expressions};
use crate::common::setting::by_day;
use crate::compiled::Functions;
use crate::simulated;
use mmasmt_numbers::bits::circuit::{Circuit, CircuitBits, Port};
use mmasmt_numbers::bits::{Big, Bv, Concrete, Prop, mux};
use mmasmt_questions::circuits::export::{PortShape, Subject};
use num_bigint::BigUint;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Widths at which machine words and limbs end, and beyond.
pub const WIDTHS: [u32; 9] = [1, 2, 31, 63, 64, 65, 128, 129, 300];

/// How many 64-bit inputs a word of the widest is put together from.
pub const PARTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Not,
    Shl,
    Lshr,
    Ashr,
    /// Shifts by constants: 0, 1, one less than the width, the width, more.
    Constant,
    Concat,
    Extract,
    Zext,
    Sext,
    Equals,
    Less,
    SignedLess,
    Mux,
    Truths,
    /// All ones, the sign, one and zero as literals, in sums and comparisons.
    Literals,
}

const OPERATORS: [Operator; 21] = [
    Operator::Add,
    Operator::Sub,
    Operator::Mul,
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::Not,
    Operator::Shl,
    Operator::Lshr,
    Operator::Ashr,
    Operator::Constant,
    Operator::Concat,
    Operator::Extract,
    Operator::Zext,
    Operator::Sext,
    Operator::Equals,
    Operator::Less,
    Operator::SignedLess,
    Operator::Mux,
    Operator::Truths,
    Operator::Literals,
];

impl Operator {
    fn of<B: Bv>(self, x: &B, y: &B, amount: &B) -> B {
        let width = x.width();
        let truth = |truth: &B::Bool| B::from_prop(2, truth);
        match self {
            Operator::Add => x.add(y),
            Operator::Sub => x.sub(y),
            Operator::Mul => x.mul(y),
            Operator::And => x.and(y),
            Operator::Or => x.or(y),
            Operator::Xor => x.xor(y),
            Operator::Not => x.not(),
            Operator::Shl => x.shl(amount),
            Operator::Lshr => x.lshr(amount),
            Operator::Ashr => x.ashr(amount),
            Operator::Constant => {
                let amounts = [0, 1, width - 1, width, width + 1, 2 * width + 64];
                let shifts = amounts.iter().flat_map(|&by| {
                    let by = B::lit(32, u64::from(by));
                    [x.shl(&by), x.lshr(&by), x.ashr(&by)]
                });
                // Rotated, so that equal results do not cancel each other.
                shifts.fold(y.clone(), |all, shifted| {
                    all.shl(&B::lit(2, 1))
                        .xor(&all.lshr(&B::lit(9, u64::from(width - 1))))
                        .xor(&shifted)
                })
            }
            Operator::Concat => x.concat(y),
            Operator::Extract => {
                let (middle, top) = (width / 2, width - 1);
                let parts = [
                    (top, middle),
                    (middle, 0),
                    (top, top),
                    (0, 0),
                    (middle, middle / 3),
                ];
                let parts = parts.map(|(high, low)| x.extract(high, low));
                parts[1..]
                    .iter()
                    .fold(parts[0].clone(), |all, part| all.concat(part))
            }
            Operator::Zext => x.zext(width + 1).concat(&y.zext(2 * width + 63)),
            Operator::Sext => x
                .sext(width + 1)
                .concat(&y.sext(2 * width + 63))
                .concat(&x.sext(width)),
            Operator::Equals => truth(&x.equals(y)).concat(&truth(&x.equals(&x.and(y)))),
            Operator::Less => truth(&x.ult(y)).concat(&truth(&y.ult(x))),
            Operator::SignedLess => truth(&x.slt(y)).concat(&truth(&y.slt(x))),
            Operator::Mux => mux(&x.ult(y), &x.not(), y),
            Operator::Truths => {
                let (p, q, r) = (x.ult(y), x.msb(), y.bit(0));
                let chosen = mux(&p, &q, &r);
                let all = [p.and(&q), p.or(&r), q.xor(&r), p.not(), chosen];
                all.iter()
                    .fold(B::lit(1, 1), |all, one| all.concat(&truth(one)))
            }
            Operator::Literals => {
                let ones = B::lit(1, 1).sext(width);
                let sign = B::lit(width.min(64), 1 << (width.min(64) - 1)).resize(width);
                let zero = B::lit(width, 0);
                let (less, negative) = (ones.ult(x), x.slt(&zero));
                let sums = x.add(&ones).xor(&y.sub(&sign)).xor(&zero.sub(x));
                let chosen = mux(&less.or(&negative), &sums, &ones);
                chosen.concat(&truth(&x.ult(&sign))).concat(&ones)
            }
        }
    }
}

/// A word of `width` bits from 64-bit inputs.
fn word<B: Bv>(parts: &[B], width: u32) -> B {
    let all = parts[1..]
        .iter()
        .fold(parts[0].clone(), |high, low| high.concat(low));
    all.extract(width - 1, 0)
}

/// All bits in 64: the parts of a wide word with exclusive or.
fn folded<B: Bv>(word: &B) -> B {
    let count = word.width().div_ceil(64);
    let wide = word.zext(64 * count);
    let parts = (0..count).map(|part| wide.extract(64 * part + 63, 64 * part));
    parts.reduce(|all, part| all.xor(&part)).unwrap()
}

pub fn operate<B: Bv>(operator: Operator, width: u32, amount_width: u32, inputs: &[B]) -> B {
    let (x, rest) = inputs.split_at(PARTS);
    let (y, amount) = rest.split_at(PARTS);
    let amount = match amount_width {
        ..=64 => amount[0].extract(amount_width - 1, 0),
        // The high part is mostly zero.
        _ => y[0].extract(amount_width - 65, 0).concat(&amount[0]),
    };
    folded(&operator.of(&word(x, width), &word(y, width), &amount))
}

pub fn ports(count: usize) -> Vec<Port> {
    (0..count)
        .map(|index| Port::new(format!("x{index}"), 64))
        .collect()
}

/// A circuit of one result from inputs of 64 bits.
pub fn circuit(inputs: usize, make: impl FnOnce(&[CircuitBits]) -> CircuitBits) -> Circuit {
    Circuit::record(ports(inputs), |inputs| {
        vec![("y".into(), make(inputs).id())]
    })
}

/// Inputs of 64 bits: random, zero, all ones, equal halves, and amounts about the width.
pub fn inputs(rng: &mut impl Rng, width: u32) -> Vec<u64> {
    let mut part = || garden::value(rng, 64);
    let mut all: Vec<u64> = (0..2 * PARTS).map(|_| part()).collect();
    if rng.random_ratio(1, 4) {
        all.copy_within(0..PARTS, PARTS);
    }
    if rng.random_ratio(1, 2) {
        all[PARTS] = 0;
    }
    let amount = match rng.random_range(0..4) {
        0 => garden::value(rng, 64),
        1 => u64::from(width) - 1 + rng.random_range(0..3),
        _ => rng.random_range(0..=u64::from(width) + 70),
    };
    all.push(amount);
    all
}

/// Every operator at every width, with a narrow amount and a wide one.
pub fn cases() -> Vec<(Operator, u32, u32)> {
    let mut all = Vec::new();
    for operator in OPERATORS {
        for width in WIDTHS {
            let is_shift = matches!(operator, Operator::Shl | Operator::Lshr | Operator::Ashr);
            let amounts: &[u32] = if is_shift { &[3, 6, 10, 64, 80] } else { &[10] };
            all.extend(amounts.iter().map(|amount| (operator, width, *amount)));
        }
    }
    all
}

pub fn subject(circuit: &Circuit) -> Subject {
    Subject::Circuit(circuit.clone(), "a test".into())
}

#[test]
fn simplified_circuits_and_recorded_ones_have_the_values_that_big_integers_give() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for (operator, width, amount) in cases() {
        let recorded = circuit(2 * PARTS + 1, |inputs| {
            operate(operator, width, amount, inputs)
        });
        let simplified = recorded.simplified();
        for _ in 0..20 {
            let given: Vec<Big> = inputs(&mut rng, width)
                .iter()
                .map(|x| Big::lit(64, *x))
                .collect();
            let expected = [operate(operator, width, amount, &given)];
            assert_eq!(
                recorded.run(&given),
                expected,
                "{operator:?} {width} {amount}"
            );
            assert_eq!(
                simplified.run(&given),
                expected,
                "{operator:?} {width} {amount}"
            );
        }
    }
    for seed in 0..1500 {
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = [(); 3].map(|()| garden::WIDTHS[rng.random_range(0..garden::WIDTHS.len())]);
        let ports = widths.iter().enumerate();
        let ports = ports.map(|(index, width)| Port::new(format!("x{index}"), *width));
        let recorded = Circuit::record(ports.collect(), |inputs| {
            let made = expressions(seed, inputs).into_iter();
            made.map(|made| ("y".into(), made.id())).collect()
        });
        let simplified = recorded.simplified();
        for _ in 0..3 {
            let given = widths.map(|width| Big::lit(width, garden::value(&mut rng, width)));
            let expected = expressions(seed, &given);
            assert_eq!(recorded.run(&given), expected, "seed {seed}");
            assert_eq!(simplified.run(&given), expected, "seed {seed}");
        }
    }
}

/// The calls of a case, and what big integers give.
pub fn called(
    number: usize,
    case: (Operator, u32, u32),
    count: usize,
) -> Vec<((usize, Vec<u64>), u64)> {
    let (operator, width, amount) = case;
    let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
    let call = |_| {
        let given = inputs(&mut rng, width);
        let lifted: Vec<Big> = given.iter().map(|x| Big::lit(64, *x)).collect();
        let expected = operate(operator, width, amount, &lifted).to_u64();
        ((number, given), expected)
    };
    (0..count).map(call).collect()
}

#[test]
fn every_operator_in_c_without_undefined_behaviour() {
    let cases = cases();
    let mut functions = Functions::new("operators");
    let mut calls = Vec::new();
    for (number, &(operator, width, amount)) in cases.iter().enumerate() {
        let made = circuit(2 * PARTS + 1, |inputs| {
            operate(operator, width, amount, inputs)
        });
        let arrays = [None; 2 * PARTS + 1];
        functions.add(
            &subject(&made),
            PortShape::Scalar,
            &format!("f{number}"),
            &arrays,
        );
        calls.extend(called(number, cases[number], 60));
    }
    // Random expressions as well.
    for (place, seed) in by_day(0..100, 3).enumerate() {
        let make = |rng: &mut ChaCha8Rng| [(); 3].map(|()| garden::WIDTHS[rng.random_range(0..8)]);
        let mut rng = ChaCha8Rng::seed_from_u64(!seed);
        let widths = make(&mut rng);
        let ports = widths.iter().enumerate();
        let ports = ports.map(|(index, width)| Port::new(format!("x{index}"), *width));
        let made = Circuit::record(ports.collect(), |inputs| {
            vec![("y".into(), all_folded(&expressions(seed, inputs)).id())]
        });
        let number = cases.len() + place;
        functions.add(
            &subject(&made),
            PortShape::Scalar,
            &format!("f{number}"),
            &[None; 3],
        );
        for _ in 0..30 {
            let given = widths.map(|width| garden::value(&mut rng, width));
            let lifted = [0, 1, 2].map(|index| Big::lit(widths[index], given[index]));
            let expected = all_folded(&expressions(seed, &lifted)).to_u64();
            calls.push(((number, given.to_vec()), expected));
        }
    }
    let (calls, expected): (Vec<_>, Vec<_>) = calls.into_iter().unzip();
    let program = functions.compile(&["-O0", "-fsanitize=undefined"]);
    let results = program.results(&calls);
    assert_eq!(results.len(), expected.len());
    for ((call, found), expected) in calls.iter().zip(results).zip(expected) {
        assert_eq!(found, expected, "{:?} {call:x?}", cases.get(call.0));
    }
}

fn all_folded<B: Bv>(values: &[B]) -> B {
    let folded = values.iter().map(folded);
    // Each moved on, so that equal ones do not cancel each other.
    folded
        .reduce(|all, one| {
            all.shl(&B::lit(4, 7))
                .xor(&all.lshr(&B::lit(8, 57)))
                .xor(&one)
        })
        .unwrap()
}

/// All cases in one module, each an output.
fn whole() -> (Circuit, Vec<(Operator, u32, u32)>) {
    let cases = cases();
    let made = Circuit::record(ports(2 * PARTS + 1), |inputs| {
        let outputs = cases
            .iter()
            .enumerate()
            .map(|(number, &(operator, width, amount))| {
                (
                    format!("y{number}"),
                    operate(operator, width, amount, inputs).id(),
                )
            });
        outputs.collect()
    });
    (made, cases)
}

#[test]
#[ignore = "needs iverilog, verilator"]
fn every_operator_in_verilog() {
    let (made, cases) = whole();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let rows: Vec<Vec<u64>> = (0..400)
        .map(|index| inputs(&mut rng, WIDTHS[index % WIDTHS.len()]))
        .collect();
    let expected: Vec<Vec<BigUint>> = rows
        .iter()
        .map(|row| {
            let lifted: Vec<Big> = row.iter().map(|x| Big::lit(64, *x)).collect();
            cases
                .iter()
                .map(|&(operator, width, amount)| {
                    operate(operator, width, amount, &lifted).to_big()
                })
                .collect()
        })
        .collect();
    let rows: Vec<Vec<BigUint>> = rows
        .iter()
        .map(|row| row.iter().map(|x| BigUint::from(*x)).collect())
        .collect();
    let module = simulated::Module::new(
        "operators",
        &subject(&made),
        PortShape::Scalar,
        made.inputs().to_vec(),
        (0..cases.len())
            .map(|index| made.output_port(index))
            .collect(),
    );
    for found in [module.iverilog(&rows), module.verilator(&rows)] {
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_eq!(found, expected, "{:?}, row {index}", cases[number]);
            }
        }
    }
}
