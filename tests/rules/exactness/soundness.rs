//! Tests that no input contradicts a claim that holds according to the exactness analysis. They try
//! all inputs of small formats, and the ends of random domains of random models.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::{Model, algorithms};
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::bits::term::scope;
use mmasmt_numbers::float::Format;
use mmasmt_questions::claims::exactness::{ExactnessConclusion, holds};
use mmasmt_questions::claims::property::{Claim, SymbolicInputs};
use mmasmt_questions::inputs::OperandRange;
use mmasmt_questions::solver::engine::{CadicalSearch, CadicalVerdict, Strategy};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

pub(super) fn claim(property: &str, model: &str, domain: &str) -> Claim {
    let model = Model::parse(model).unwrap();
    Claim::new(property, &model, domain).unwrap()
}

fn any<'x>(rng: &mut impl Rng, all: &'x [&'x str]) -> &'x str {
    all.choose(rng).unwrap()
}

/// Inputs of the domain, where most operands are at the ends of their admitted ranges.
pub(super) fn ends(claim: &Claim, rng: &mut ChaCha8Rng) -> Option<Inputs> {
    let signature = claim.model.signature();
    let mut index = 0;
    let inputs = Inputs::zero(&signature).map(&signature, |format, _| {
        index += 1;
        end(format, claim.domain.range(index - 1), rng).unwrap_or(0)
    });
    claim.domain.contains(&inputs).then_some(inputs)
}

fn end(format: &Format, numbers: &OperandRange, rng: &mut ChaCha8Rng) -> Option<u64> {
    let cleared = numbers.cleared_bits;
    let (negative, range) = numbers.codes.choose(rng)?;
    let (low, high) = (*range.start() >> cleared, *range.end() >> cleared);
    let code = match rng.random_range(0..8) {
        0..3 => low,
        3..5 => high,
        5 => (low + 1).min(high),
        6 => high - u64::from(high > low),
        _ => rng.random_range(low..=high),
    };
    Some(format.signed(*negative, code << cleared))
}

const UNITS: [&str; 50] = [
    "fda:K=4,in=e4m3",
    "fda:K=3,in=e5m2,out=f16",
    "fda:K=8,in=e2m1",
    "fda:K=5,in=e2m3,F=12",
    "fda:K=4,F=24",
    "fda:K=2,in=bf16",
    "fda:K=4,in=e4m3,chain=3,F=30",
    "fda:K=32,in=e2m1,scale=ue8m0",
    "hmma8:K=8",
    "sfma:K=3",
    "gps:K=8",
    "gps:K=4,G=2,in=bf16",
    "gps:K=2,G=2,in=bf16,subnormals=keep",
    "gdfs:K=32",
    "fdrda:K=4",
    "gfdrda:K=8",
    "exact:K=3,in=e4m3",
    "exact:K=2,in=e4m3,chain=2",
    "ieee:K=4",
    "ieee:K=4,order=pairwise",
    "cpu:in=bf16,order=last-first",
    "cpu:in=f16,order=last-first,operands=c",
    "cpu:in=bf16,order=even-odd",
    "cpu:in=bf16,order=pairwise",
    "cpu:in=f16,order=fused,operands=keep,results=keep",
    "rdna:K=2,in=f16,unit=rdna3,step=2",
    "rdna:K=4,in=f16,unit=rdna3,step=2",
    "rdna:K=4,in=f16,unit=rdna3,step=2,out=f16",
    "rdna:K=4,in=bf16,unit=rdna3,step=2,out=bf16",
    "rdna:K=2,in=bf16,unit=rdna3,step=2",
    "rdna:K=8,in=f16,unit=rdna4,step=4",
    "rdna:K=8,in=f16,unit=rdna4,step=2,order=halves,out=f16",
    "rdna:K=4,in=bf16,unit=rdna4,step=4,out=bf16",
    "gaudi:in=bf16,unit=gaudi2",
    "gaudi:in=f16,unit=gaudi2",
    "gaudi:K=2,in=f16,unit=gaudi3",
    "promote(fda:K=4,in=e4m3,F=30, every=1):K=8",
    "promote(fda:K=2,in=e2m1,F=13, every=2):K=10",
    "splitk(fda:K=4,in=e4m3,F=34, 2, pairwise):K=16",
    "splitk(fda:K=2,in=e2m1, 3, tree):K=12",
    "splitk(sfma:K=1, 3, serial):K=6",
    "epilogue(fda:K=4,in=e2m1):K=4",
    "epilogue(fda:K=4,in=e2m1):K=4,out=f16",
    "epilogue(fda:K=4,in=e4m3,F=34):K=4,out=e5m2",
    "epilogue(fda:K=4,in=e2m1):K=4,out=e4m3",
    "epilogue(fda:K=4,in=e4m3,F=34):K=6,beta=1",
    "promote(gps:K=4, every=1):K=8",
    "int:K=4,in=s8",
    "int:K=3,a=u8,b=s8,chain=2,overflow=saturate",
    "int:K=4,in=u4,acc=u32,overflow=saturate",
];
const CHANGED: [&str; 19] = [
    "F",
    "carry",
    "round",
    "zero",
    "emin",
    "products",
    "align",
    "negzero",
    "csub",
    "G",
    "via",
    "late",
    "subnormals",
    "order",
    "frac",
    "every",
    "operands",
    "results",
    "overflow",
];
const FACTORS: [&str; 18] = [
    "factors exp 0..0, factors bits 1",
    "factors exp -2..1",
    "factors from -7..5",
    "factors zero-or-normal",
    "factors exp -1..2, factors bits 2",
    "factors finite",
    "a = 1.5, b exp -1..3",
    "factors normal, factors exp -6..2",
    "factors nonzero, factors finite, factors bits 2",
    "factors positive, factors finite, b[1..] zero",
    "factors zero-or-normal, a[1..] zero, b[1..] zero",
    "factors positive, factors exp 0..3",
    "factors subnormal",
    "factors from 0..9",
    "factors exp -126..-110",
    "factors exp -126..-60",
    "factors finite, a[1..] zero, b[1..] zero",
    "factors exp -80..-50, a[1..] zero, b[1..] zero",
];
const ADDENDS: [&str; 13] = [
    "c = 0",
    "c = 0",
    "c zero",
    "c = 1",
    "c exp 0..3, c bits 4",
    "c exp -3..-3",
    "c from -100..1000",
    "c zero-or-normal",
    "c = -0",
    "c exp -126..-120",
    "c exp -126..-126",
    "c finite",
    "c from 2147483000..2147483647",
];
const PROPERTIES: [&str; 17] = [
    "rounds=rz",
    "rounds=rne",
    "rounds=rd",
    "faithful",
    "exact-sums",
    "error=1ulp",
    "error=0x1p-1ulp",
    "error=0x1p-149",
    "error=0x1p-21",
    "error=0x1p-18",
    "error=0x1p-15",
    "accumulates-in=f32",
    "order-independent",
    "monotone-c",
    "monotone-products",
    "sign-symmetric",
    "rounds-partial-sums=rne",
];

/// The model with one of its keys set to another value.
fn changed(model: &Model, rng: &mut ChaCha8Rng) -> Option<Model> {
    let key = any(rng, &CHANGED);
    let mut docs = algorithms().iter();
    let own = docs.find(|doc| model.canonical().contains(&format!("{}:", doc.name)))?;
    let values = own.keys.iter().find(|doc| doc.name == key)?;
    let value = values.candidates(&model.signature()).choose(rng)?.clone();
    model.with(&format!("{key}={value}")).ok()
}

fn drawn(rng: &mut ChaCha8Rng) -> Option<Claim> {
    let mut model = Model::parse(any(rng, &UNITS)).ok()?;
    for _ in 0..rng.random_range(0..3) {
        model = changed(&model, rng).unwrap_or(model);
    }
    let domain = format!("finite, {}, {}", any(rng, &FACTORS), any(rng, &ADDENDS));
    let domain = match model.signature().scales {
        None => domain,
        Some(_) => format!("{domain}, sa exp -2..1, sb exp 0..0"),
    };
    let property = match rng.random_range(0..3) {
        0 => {
            let other = changed(&model, rng)?;
            format!("equal={other}")
        }
        1 if rng.random() => format!("zero-padding={}", rng.random_range(1..4)),
        _ => any(rng, &PROPERTIES).into(),
    };
    Claim::new(&property, &model, &domain).ok()
}

/// The claim with the fewest fraction bits (key `F`) for which the analysis still finds that it
/// holds; the claim itself if its model has no key `F`.
fn tightened(claim: Claim) -> Claim {
    let domain = claim.domain.to_string();
    let with = |bits: u32| {
        let model = claim.model.with(&format!("F={bits}")).ok()?;
        let claim = Claim::new(claim.property_text(), &model, &domain).ok()?;
        holds(&claim, false).map(|_| claim)
    };
    let fewer = (1..=40).rev().map_while(with);
    fewer.last().unwrap_or(claim)
}

/// Asserts that the solver, limited to `conflicts` conflicts, finds no inputs that refute the
/// claim.
fn ask(claim: &Claim, conflicts: u32) {
    scope(|| {
        let inputs = SymbolicInputs::new(claim.model.signature());
        let mut search = CadicalSearch::new(Strategy::Witness, 0);
        search.assert(claim.is_violated(&inputs.registers));
        let verdict = search.solve(&[], &Limits::default().with_conflicts(conflicts));
        assert_ne!(verdict, CadicalVerdict::Sat, "{claim}");
    });
}

/// For each property, how many of `claims` drawn claims hold. For each claim that holds, asserts
/// that none of `inputs` drawn inputs refutes it; for some of these claims, also asserts that the
/// solver finds no such inputs.
fn tried(seed: u64, claims: u32, inputs: u32, solver: u32) -> BTreeMap<String, u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut held = BTreeMap::new();
    for _ in 0..claims {
        let Some(claim) = drawn(&mut rng) else {
            continue;
        };
        let Some(finding) = holds(&claim, false) else {
            continue;
        };
        let claim = tightened(claim);
        for _ in 0..inputs {
            if let Some(inputs) = ends(&claim, &mut rng) {
                let line = inputs.to_line(&claim.model.signature());
                assert!(
                    !claim.is_refuted_by(&inputs),
                    "{claim}: {finding:?}: {line}"
                );
            }
        }
        // The solver is asked only about claims with few products, and only about one in ten of
        // these.
        if solver > 0 && rng.random_range(0..10) == 0 && claim.model.signature().products <= 4 {
            ask(&claim, solver);
        }
        let name = claim.property_text().split('=').next().unwrap();
        *held.entry(name.to_owned()).or_insert(0) += 1;
    }
    held
}

#[test]
fn no_drawn_input_contradicts_what_holds() {
    let held = tried(17, 2000, 40, 50);
    assert!(
        held.len() >= 12 && held.values().all(|count| *count >= 5),
        "{held:?}"
    );
}

/// Takes five minutes; with `MMASMT_ONE_IN=10`, it tries one in ten of the claims.
#[test]
#[ignore = "minutes"]
fn no_input_of_many_contradicts_what_holds() {
    let one_in = std::env::var("MMASMT_ONE_IN").ok();
    let one_in = one_in.map_or(1, |text| text.parse().unwrap());
    tried(18, 20_000 / one_in.max(1), 100, 2000);
}

/// Every input that the domain of the claim admits.
fn all_inputs(claim: &Claim) -> impl Iterator<Item = Inputs> + '_ {
    let signature = claim.model.signature();
    let mut index = 0;
    let registers = Inputs::zero(&signature).map(&signature, |format, _| {
        index += 1;
        let numbers = claim.domain.range(index - 1);
        let step = 1usize << numbers.cleared_bits;
        let of_range = numbers.codes.iter().flat_map(|(negative, range)| {
            let codes = range.clone().step_by(step);
            codes
                .map(|code| format.signed(*negative, code))
                .collect::<Vec<_>>()
        });
        of_range.collect::<Vec<_>>()
    });
    let rows: Vec<Vec<u64>> = registers
        .each(&signature)
        .map(|(_, row)| row.clone())
        .collect();
    let count: usize = rows.iter().map(Vec::len).product();
    (0..count).map(move |mut number| {
        let mut rows = rows.iter();
        Inputs::zero(&signature).map(&signature, |_, _| {
            let row = rows.next().unwrap();
            let register = row[number % row.len()];
            number /= row.len();
            register
        })
    })
}

/// Asserts of small formats that no input contradicts what holds, of one in `one_in` inputs of each claim.
fn tried_on_small_formats(one_in: usize) {
    let (mut held, mut tight) = (0, 0);
    for (formats, domain) in [
        ("in=e2m1", "c = 0"),
        ("in=e2m1", "c exp -1..1, c bits 2"),
        ("in=e2m3", "c exp 0..0, c bits 2, b exp 0..0"),
        ("in=e3m2", "c zero, factors exp -1..4"),
        ("in=e4m3", "c exp -9..-9, c bits 1, b exp -6..-6, b bits 2"),
    ] {
        for bits in [1, 3, 6, 12, 17] {
            for rest in [
                "",
                ",round=rne",
                ",carry=1",
                ",carry=2",
                ",frac=3",
                ",negzero=minus",
            ] {
                let model = format!("fda:K=1,F={bits},{formats}{rest}");
                for property in [
                    "rounds=rz",
                    "rounds=rne",
                    "faithful",
                    "exact-sums",
                    "equal=:F=40,carry=full",
                    "sign-symmetric",
                    "error=0x1p-1ulp",
                ] {
                    let domain = format!("finite, {domain}");
                    let Ok(parsed) = Model::parse(&model) else {
                        continue;
                    };
                    let Ok(claim) = Claim::new(property, &parsed, &domain) else {
                        continue;
                    };
                    let Some(finding) = holds(&claim, false) else {
                        continue;
                    };
                    held += 1;
                    tight += u32::from(finding.conclusion == ExactnessConclusion::Exact);
                    let mut some = all_inputs(&claim).step_by(one_in);
                    let refuted = some.find(|inputs| claim.is_refuted_by(inputs));
                    assert_eq!(refuted, None, "{claim}: {finding:?}");
                }
            }
        }
    }
    assert!(held > 200 && tight > 20, "{held} {tight}");
}

#[test]
fn no_input_of_small_formats_contradicts_what_holds() {
    tried_on_small_formats(7);
}

#[test]
#[ignore = "half a minute"]
fn none_of_all_inputs_of_small_formats_contradicts_what_holds() {
    tried_on_small_formats(1);
}

/// Nothing is concluded about registers if the domain admits infinities.
#[test]
fn infinities_are_not_spoken_of() {
    let finite = |domain: &str| holds(&claim("equal=:F=40", "fda:in=e5m2,F=39", domain), false);
    assert_eq!(finite("c = 0, factors bits 1, factors positive"), None);
    assert!(finite("c = 0, factors bits 1, factors exp -2..3").is_some());
    let anything = claim(
        "equal=:F=40",
        "fda:in=e5m2,F=39",
        "c = 0, factors exp -2..3",
    );
    assert_eq!(holds(&anything, false), holds(&anything, true));
}
