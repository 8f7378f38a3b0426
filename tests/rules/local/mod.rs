//! Local tests of rules. A rule says, from what is known of the values that a step takes, what is known
//! of its value. Here steps of drawn units over toy formats run on many operands, and each value is compared
//! with what the rule says of it. What a rule begins with is what the rules before said, made weaker or
//! stronger at random: operands that do not have what is then assumed are left out.
//!
//! The file of a walk defines once how a value *admits* what is known. The judge has its own arithmetic
//! (`numbers`) and takes nothing from rules or from the steps but the values of the steps.
//!
//! | what | file |
//! | --- | --- |
//! | the rules of each walk | `exactness`, `bounds`, `monotone` |
//! | exact numbers, and rounding by its definition | `numbers` |
//! | texts of units over toy formats | `units` |
//! | the steps and options that were met | `steps` |
//! | failures, each kind once | `faults` |

mod bounds;
mod exactness;
mod faults;
mod monotone;
mod numbers;
mod steps;
mod units;

use faults::Faults;
use mmasmt_core::machines::algorithms::descriptions::made::StepValue;
use mmasmt_core::machines::algorithms::descriptions::{
    Action, Description, Nan, Program, ProgramNode, Round, Slot, ValueKind,
};
use mmasmt_core::machines::algorithms::{DotAdd, Inputs, Operand};
use mmasmt_numbers::float::{Format, SpecialCodes};
use numbers::{Real, Seen, decoded};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use steps::Met;

/// The most operands of one unit.
const MOST: usize = 48;

/// A drawn unit with the values of its steps.
pub struct Case {
    pub text: String,
    pub unit: Description,
    /// The codes that each operand may have: `a`, `b`, `c`, the scales.
    pub codes: Codes,
    pub runs: Vec<Run>,
}

/// The codes that each operand may have.
pub struct Codes {
    pub a: Vec<Vec<u64>>,
    pub b: Vec<Vec<u64>>,
    pub c: Vec<u64>,
    pub scales: [Vec<Vec<u64>>; 2],
}

/// The operands of a run, and the values of all steps.
pub struct Run {
    pub inputs: Inputs,
    pub seen: Vec<Seen>,
    /// The exact values and the signs of the operands.
    pub a: Vec<(i128, bool)>,
    pub b: Vec<(i128, bool)>,
    pub c: (i128, bool),
    pub scales: [Vec<i128>; 2],
}

impl Case {
    /// A drawn unit; `None` if its text is not valid, or its numbers are too long.
    pub fn drawn(rng: &mut ChaCha8Rng) -> Option<Case> {
        let text = units::drawn(rng);
        Case::of(text, rng)
    }

    /// The unit with this text, on drawn operands.
    pub fn of(text: String, rng: &mut ChaCha8Rng) -> Option<Case> {
        let unit = Description::with_formats(&text, &units::formats()).ok()?;
        let is_short = |kind: &ValueKind| match kind {
            ValueKind::Register(_) => true,
            ValueKind::Number(extent) => {
                extent.width <= 48
                    && extent.lowest - extent.fraction > numbers::UNIT
                    && extent.highest + extent.integer_bits() < 40
            }
        };
        let nodes = &unit.program().nodes;
        let is_drawn = |node: &ProgramNode| is_short(&node.kind) && is_meant(unit.program(), node);
        if nodes.len() > 60 || !nodes.iter().all(is_drawn) {
            return None;
        }
        let signature = unit.signature();
        let count = signature.products as usize;
        let mut row = |format: &Format, count: usize| -> Vec<Vec<u64>> {
            let one = units::codes(format, rng);
            let mut all: Vec<_> = (0..count).map(|_| one.clone()).collect();
            if let (true, Some(last)) = (rng.random(), all.last_mut()) {
                *last = units::codes(format, rng);
            }
            all
        };
        let scales = signature.scale_count() as usize;
        let scale = signature.scales.map_or(signature.a, |scales| scales.format);
        let codes = Codes {
            a: row(&signature.a, count),
            b: row(&signature.b, count),
            c: row(&signature.c, 1).swap_remove(0),
            scales: [row(&scale, scales), row(&scale, scales)],
        };
        let mut case = Case {
            text,
            unit,
            codes,
            runs: Vec::new(),
        };
        let inputs = case.operands(rng);
        case.runs = inputs
            .into_iter()
            .filter_map(|inputs| case.run(inputs))
            .collect();
        (!case.runs.is_empty()).then_some(case)
    }

    /// All operands, or some if there are many.
    fn operands(&self, rng: &mut ChaCha8Rng) -> Vec<Inputs> {
        let signature = self.unit.signature();
        let zero = Inputs::zero(&signature);
        let rows = [(Operand::A, &self.codes.a), (Operand::B, &self.codes.b)];
        let [a_scales, b_scales] = &self.codes.scales;
        let scales = [(Operand::AScales, a_scales), (Operand::BScales, b_scales)];
        let places: Vec<(Operand, usize, &Vec<u64>)> = rows
            .into_iter()
            .chain(scales)
            .flat_map(|(row, codes)| {
                codes
                    .iter()
                    .enumerate()
                    .map(move |(at, codes)| (row, at, codes))
            })
            .chain([(Operand::C, 0, &self.codes.c)])
            .collect();
        let all = places
            .iter()
            .try_fold(1usize, |all, (_, _, codes)| all.checked_mul(codes.len()));
        let count = all.filter(|all| *all <= MOST);
        (0..count.unwrap_or(MOST))
            .map(|mut number| {
                let mut inputs = zero.clone();
                for (row, at, codes) in &places {
                    let code = match count {
                        Some(_) => {
                            let code = codes[number % codes.len()];
                            number /= codes.len();
                            code
                        }
                        None => *codes.choose(rng).unwrap_or(&0),
                    };
                    inputs.row_mut(*row)[*at] = code;
                }
                inputs
            })
            .collect()
    }

    /// The values for these operands.
    pub fn run(&self, inputs: Inputs) -> Option<Run> {
        let program = self.unit.program();
        // A text without a meaning that is not refused is no matter of a rule.
        let made = std::panic::catch_unwind(|| program.made(&inputs)).ok()?;
        let is_cut = |(made, node): (&StepValue, &ProgramNode)| match made {
            // The step says which exponent such a zero has.
            StepValue::Number(number) => {
                matches!(node.action, Action::Cut(_))
                    && number.significand == 0
                    && !number.is_absent
            }
            StepValue::Register(_) => false,
        };
        if made.iter().zip(&program.nodes).any(is_cut) {
            return None;
        }
        let seen = made
            .iter()
            .zip(&program.nodes)
            .map(|(made, node)| match node.kind {
                ValueKind::Register(format) => Seen::of(made, Some(&format)),
                ValueKind::Number(_) => Seen::of(made, None),
            });
        let signature = self.unit.signature();
        let value = |format: &Format, code: u64| {
            let (real, negative) = decoded(format, code).unwrap_or((Real::Nan, false));
            (real.finite().unwrap_or(0), negative)
        };
        let row = |row: Operand, format: &Format| -> Vec<(i128, bool)> {
            inputs
                .row(row)
                .iter()
                .map(|code| value(format, *code))
                .collect()
        };
        let scale = signature.scales.map_or(signature.a, |scales| scales.format);
        let scales = [Operand::AScales, Operand::BScales].map(|side| {
            row(side, &scale)
                .into_iter()
                .map(|(scale, _)| scale)
                .collect()
        });
        Some(Run {
            seen: seen.collect::<Option<_>>()?,
            a: row(Operand::A, &signature.a),
            b: row(Operand::B, &signature.b),
            c: value(&signature.c, inputs.row(Operand::C)[0]),
            scales,
            inputs,
        })
    }

    /// The operands of a run, as text.
    pub fn line(&self, run: &Run) -> String {
        run.inputs.to_line(&self.unit.signature())
    }
}

/// True if a step has a meaning: integers are not flushed, and only registers that have a NaN come first as one.
fn is_meant(program: &Program, node: &ProgramNode) -> bool {
    let format = |slot: Slot| program.format(slot);
    match &node.action {
        Action::Flush(of, _) => format(*of).is_some_and(|format| format.has_fields()),
        // Integers have no leading bit.
        Action::Term(term) => {
            !term.widen || format(term.of).is_some_and(|format| !format.is_integer())
        }
        // In a format without -0 its code is a NaN.
        Action::Round(_) if has_no_minus(node) => false,
        // A least exponent within the form of the number.
        Action::Cut(cut) => {
            let extent = program.extent(cut.of);
            cut.least
                .is_none_or(|least| least <= extent.lowest - extent.fraction)
        }
        Action::Round(Round {
            nan: Nan::First(slots, _),
            ..
        }) => slots
            .iter()
            .all(|slot| format(*slot).is_some_and(|format| format.has_infinity())),
        _ => true,
    }
}

fn has_no_minus(node: &ProgramNode) -> bool {
    matches!(node.kind, ValueKind::Register(format) if format.specials == SpecialCodes::NegativeZero)
}

/// Compares drawn units until `cases` values were compared, and fails if any is none that its rule admits. `silent` are
/// the steps and options of which no rule says anything.
pub fn tried(
    seed: u64,
    cases: u64,
    silent: &[&str],
    mut compare: impl FnMut(&Case, &mut ChaCha8Rng, &mut Met, &mut Faults),
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut met, mut faults) = (Met::default(), Faults::default());
    while met.cases < cases {
        if let Some(case) = Case::drawn(&mut rng) {
            compare(&case, &mut rng, &mut met, &mut faults);
        }
    }
    met.show();
    faults.assert_none();
    // Some options are rare.
    if cases > 10_000_000 {
        met.assert_all(silent);
    }
}

/// How many cases a test has: in the gate few, by hand as many as `MMASMT_LOCAL` says.
pub fn count(few: u64, many: u64, is_long: bool) -> u64 {
    let asked = std::env::var("MMASMT_LOCAL")
        .ok()
        .and_then(|text| text.parse().ok());
    match is_long {
        true => asked.unwrap_or(many),
        false => few,
    }
}
