//! The parts of a domain in which a claim holds: every operand of small formats decides each of them.

use mmasmt_core::base::limits::Limits;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::W64;
use mmasmt_questions::agreement::{Verdict, holds};
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::Options;
use std::time::Duration;

/// A unit of one product of e2m1 with an accumulator of 8 bits.
const UNIT: &str = "unit:{unit small(F = 2 in 1..8) { a, b: e2m1[1]; c, d: e4m3ieee; p = a * b; \
    d = round(fuse(p, c) keep F by rz) to e4m3ieee by rz }}";

/// The results with two and with three bits are compared on all operands of each part.
#[test]
fn every_operand_decides_each_part() {
    let other = format!("{UNIT}:F=3");
    let [model, right] = [UNIT, &other].map(|text| Model::parse(text).unwrap());
    let signature = model.signature();
    let options = Options::default().minimise(None);
    let limits = Limits::default().within(Duration::from_secs(600));
    let all = holds("equal=:F=3", &model, "finite", &options, &limits).unwrap();
    assert_eq!(all[0].name, "where finite");
    assert!(all.iter().any(|known| known.verdict.agrees()));
    let operands =
        (0..1u64 << 16).map(|at| Inputs::new(vec![at & 15], vec![at >> 4 & 15], at >> 8));
    let mut simulators = [&model, &right].map(Model::simulator);
    let differing: Vec<Inputs> = operands
        .filter(|inputs| {
            let [left, right] = simulators.each_mut().map(|simulator| simulator.run(inputs));
            left != right
        })
        .collect();
    for known in &all {
        let claim = Claim::new("equal=:F=3", &model, &known.assume).unwrap();
        let mut inside = differing.iter().filter(|inputs| {
            let registers = inputs.lifted::<W64>(&signature);
            claim.fixed(inputs) == **inputs && claim.domain.holds(&registers)
        });
        match &known.verdict {
            Verdict::Agree(_) => assert_eq!(inside.next(), None, "{}", known.name),
            Verdict::Differ(found) => {
                assert!(inside.any(|inputs| *inputs == found.0), "{}", known.name)
            }
            Verdict::Nothing => {}
            verdict => panic!("{}: {verdict:?}", known.name),
        }
    }
}
