//! The parts of a domain in which a claim holds: every operand of small formats decides each of them.

use crate::common::setting::by_day;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::W64;
use mmasmt_questions::agreement::{DomainVerdict, Verdict, agree, holds};
use mmasmt_questions::claims::property::{Claim, Domain};
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

/// Fails if a domain is open although inputs of another one, or a proof on one that contains it, decide it,
/// or if a domain with a proof has inputs that were found.
fn assert_one_lattice(models: &str, domains: &[(Domain, &DomainVerdict)]) {
    for (domain, known) in domains {
        for (other, of_other) in domains {
            let text = format!("{models}: `{}` and `{}`", known.name, of_other.name);
            match &of_other.verdict {
                Verdict::Differ(found) if domain.contains(&found.0) => {
                    assert!(matches!(known.verdict, Verdict::Differ(_)), "{text}");
                }
                Verdict::Agree(_) if domain.is_part_of(other) => {
                    assert!(known.verdict.agrees(), "{text}");
                }
                _ => {}
            }
        }
    }
}

/// Samples alone decide few of these domains; what they decide counts for the domains around.
#[test]
fn a_refuted_part_refutes_the_whole_and_a_proved_whole_proves_the_parts() {
    let options = Options::default().minimise(None).turns(0);
    let pairs = [
        (["hmma8:F=25,in=e4m3", "fda:K=32,F=25,in=e4m3"], "differ"),
        (["fda:F=25,K=2,in=e4m3", "fda:F=31,K=2,in=e4m3"], "differ"),
        (["fda:F=23,K=2", "fda:F=24,K=2"], "differ"),
        (["fda:K=2,in=e2m1", "fda:K=2,in=e2m1,zero=min"], "unknown"),
    ];
    for (pair, whole) in by_day(pairs, 3) {
        let models = pair.map(|text| Model::parse(text).unwrap());
        let signature = models[0].signature();
        let all = agree(&models, &options, &Limits::default()).unwrap();
        let domains = all
            .iter()
            .map(|known| (Domain::parse(&known.assume, &signature).unwrap(), known));
        assert_one_lattice(&pair.join(" and "), &domains.collect::<Vec<_>>());
        if whole == "differ" {
            assert_eq!(all[0].verdict.name(), whole, "{pair:?}");
        }
    }
    let model = Model::parse("markidis(volta/HMMA.884.F32.F32)").unwrap();
    let all = holds("faithful", &model, "finite", &options, &Limits::default()).unwrap();
    assert!(matches!(all[0].verdict, Verdict::Differ(_)));
}
