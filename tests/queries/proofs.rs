//! `prove` as a library: claims that hold, twins that do not, refutations that hold on the
//! simulators, and domains.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::descriptions::Tree;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_numbers::float::Format;
use mmasmt_questions::circuits::export::unit_text;
use mmasmt_questions::claims::property::{Claim, Domain};
use mmasmt_questions::claims::property::{ExpectedOutcome, published};
use mmasmt_questions::claims::query::{Ended, Options, Witness, prove};
use mmasmt_questions::inputs::Sampler;
use std::time::Duration;

fn ask(text: &str, model: &str, domain: &str) -> Ended {
    let claim = Claim::new(text, &Model::parse(model).unwrap(), domain).unwrap();
    answer(&claim)
}

fn answer(claim: &Claim) -> Ended {
    let options = Options::default();
    let limits = Limits::default().within(Duration::from_secs(120));
    let answer = prove(claim, &options, &limits).unwrap();
    if let Some(Witness { inputs, .. }) = answer.witness() {
        assert!(claim.is_refuted_by(inputs) && claim.is_refuted_on_big(inputs));
        assert_eq!(&claim.fixed(inputs), inputs);
        let d = claim.model.simulator().evaluate(inputs).unwrap();
        let beside = claim.counterparts(inputs);
        let differs = beside.iter().any(|other| other.d != d);
        assert!(beside.is_empty() || differs, "{claim}: {beside:?}");
    }
    answer.ended
}

fn is_refuted(text: &str, model: &str, domain: &str) -> bool {
    match ask(text, model, domain) {
        Ended::Enough => true,
        Ended::NoMore { .. } => false,
        other => panic!("{text} of {model} where {domain}: {other:?}"),
    }
}

/// Few products and small exponents are searched first, in factors of every small format: in those of an
/// exponent field without a fraction, too.
#[test]
fn factors_of_every_format_are_searched() {
    let formats = (Format::ALL.into_iter()).chain(Format::ELEMENTS);
    for format in formats.filter(|format| format.width() <= 6 && format.has_fields()) {
        let header = format!("a, b: {}[3] c: f16 d: bf16", format.name());
        let steps = "p = a * b s = fuse(p, c) keep 12 by rz d = round(s) to bf16 by rz";
        let unit = format!("unit:{{unit u {{ {header} {steps} }}}}");
        assert!(!is_refuted("sign-symmetric", &unit, "finite, c nonzero"));
    }
}

/// One product, and no `c`.
const ONE: &str = "finite, a[1..] zero, b[1..] zero, c zero";

/// A property, a model and a domain.
type Case = (&'static str, &'static str, &'static str);

/// Each line: a claim that holds, and a twin of it that does not.
const CASES: &[(Case, Case)] = &[
    (
        ("exact-products", "fda", "finite"),
        ("exact-products", "ieee:acc=f16", "finite"),
    ),
    (
        ("exact-products", "gfdrda:K=4,chain=2", "finite"),
        ("exact-products", "gps:in=bf16", "finite"),
    ),
    (
        (
            "exact-products",
            "fda:products=normalised,K=2,in=e4m3",
            "finite",
        ),
        (
            "exact-products",
            "ieee:K=2,in=bf16,acc=bf16,order=pairwise",
            "finite",
        ),
    ),
    (
        ("rounds=rne", "fda:in=e5m2,out=f16", ONE),
        ("rounds=rz", "fda:in=e5m2,out=f16", ONE),
    ),
    (
        (
            "faithful",
            "exact:K=1,in=e4m3,round=rd,c=f16,out=f16",
            "finite, c zero",
        ),
        ("faithful", "fda:F=13", "finite"),
    ),
    (
        ("exact-sums", "fda:in=e4m3", ONE),
        ("exact-sums", "fda:F=13", "finite"),
    ),
    (
        (
            "accumulates-in=f16",
            "fda:F=24,K=2,in=e4m3",
            "finite, c zero",
        ),
        ("accumulates-in=f32", "fda:F=13,K=2", "finite, c zero"),
    ),
    (
        ("aligns=rz", "fda:F=23", "finite"),
        ("aligns=rz", "fda:F=23,align=floor", "finite"),
    ),
    (
        ("aligns=rd", "fda:F=23,align=floor", "finite"),
        ("aligns=rd", "fda:F=23", "finite"),
    ),
    // Two places and more are cut of a product.
    (
        ("aligns=rd", "fda:F=1,K=2,in=e3m2,align=floor", "finite"),
        ("aligns=rd", "fda:F=1,K=2,in=e3m2", "finite"),
    ),
    (
        ("rounds-partial-sums=rz", "ieee:K=4,round=rz", "finite"),
        ("rounds-partial-sums=rz", "fda:K=4", "finite"),
    ),
    (
        ("carry-bits=3", "fda:products=normalised", "finite"),
        ("carry-bits=2", "fda:products=normalised", "finite"),
    ),
    (
        ("subnormal-inputs", "fda", "finite"),
        ("subnormal-inputs", "gps:K=4", "finite"),
    ),
    (
        ("subnormal-results", "fda:out=f16", "finite"),
        ("subnormal-results", "gps:K=4,in=bf16", "finite"),
    ),
    (
        ("sign-symmetric", "fda:K=16", "finite"),
        ("sign-symmetric", "fda:K=16,align=floor", "finite"),
    ),
    (
        ("order-independent", "fda:K=32", "finite"),
        ("order-independent", "gps:K=8", "finite"),
    ),
    (
        (
            "monotone-c",
            "ieee:K=1,in=e4m3,acc=bf16",
            "finite, factors zero",
        ),
        ("monotone-c", "fda:F=8", "finite"),
    ),
    (
        (
            "monotone-products",
            "fda:F=40,K=1,in=e4m3",
            "finite, c zero",
        ),
        ("monotone-products", "fda:F=6", "finite"),
    ),
    (
        ("sign-symmetric", "fda:K=1,in=e4m3", "finite, c zero"),
        ("sign-symmetric", "fdrda", "finite"),
    ),
    (
        ("no-negative-zero", "fda:F=25,K=16", ""),
        ("no-negative-zero", "sfma:fmt=f32,K=1", "finite"),
    ),
    (
        ("canonical-nan", "fda:out=f16", ""),
        ("equal=:nan=ones", "fda:nan=quiet", ""),
    ),
    (
        ("equal=:nan=ones", "fda:nan=quiet", "finite, c exp -14..14"),
        ("equal=:F=23", "fda", "finite"),
    ),
    (
        ("zero-padding=4", "fda:K=16", "finite"),
        (
            "zero-padding=4",
            "ieee:K=8,order=pairwise",
            "a = -0, b zero, c = -0",
        ),
    ),
];

fn assert_twins<'x>(cases: impl Iterator<Item = &'x (Case, Case)>) {
    for ((text, model, domain), twin) in cases {
        assert!(
            !is_refuted(text, model, domain),
            "{text} of {model} where {domain}"
        );
        assert!(is_refuted(twin.0, twin.1, twin.2), "{twin:?}");
    }
}

#[test]
fn some_claims_hold_and_their_twins_do_not() {
    assert_twins(CASES.iter().step_by(5));
}

#[test]
#[ignore = "half a minute"]
fn claims_hold_and_their_twins_do_not() {
    assert_twins(CASES.iter());
}

#[test]
fn a_claim_about_nothing_is_vacuous() {
    for domain in [
        "c zero, c nonzero",
        "a[0] normal, a[0] subnormal",
        "c exp 3..4, c = 1",
    ] {
        assert_eq!(
            ask("equal=:F=23", "fda", domain),
            Ended::Vacuous,
            "{domain}"
        );
    }
}

#[test]
fn a_time_limit_gives_unknown() {
    let claim = Claim::new(
        "monotone-c",
        &Model::parse("exact:in=f32").unwrap(),
        "finite",
    )
    .unwrap();
    let options = Options::default();
    let limits = Limits::default().within(Duration::ZERO);
    let outcome = prove(&claim, &options, &limits).unwrap().ended;
    assert!(matches!(outcome, Ended::Unknown(_)), "{outcome:?}");
}

/// What the solver-free part of every query's claims must be: readable, and about something.
#[test]
fn every_query_of_the_program_is_well_formed() {
    let queries = published().unwrap();
    assert!(queries.len() >= 30);
    for query in queries {
        let claims = query
            .claims()
            .unwrap_or_else(|error| panic!("{}: {error}", query.name));
        assert!(claims.len() >= 2, "{}", query.name);
        let (twin, own) = claims.split_last().unwrap();
        assert!(own.iter().all(|(_, expected)| *expected == query.expect));
        assert_eq!(twin.1, query.expect.opposite(), "{}", query.name);
    }
}

/// Those that are settled in a moment; `prove --all` asks the others too.
#[test]
fn carry_and_order_queries_come_out_as_expected() {
    let chosen = |name: &str| {
        ["carry", "order", "no-neg", "canonical"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let mut asked = 0;
    for query in published()
        .unwrap()
        .iter()
        .filter(|query| chosen(&query.name))
    {
        for (claim, expected) in query.claims().unwrap() {
            let found = match answer(&claim) {
                Ended::NoMore { .. } => ExpectedOutcome::Proved,
                Ended::Enough => ExpectedOutcome::Refuted,
                other => panic!("{claim}: {other:?}"),
            };
            assert_eq!(found, expected, "{}: {claim}", query.name);
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
}

/// A domain as a formula says of concrete operands what it says in words.
#[test]
fn domains_mean_what_they_say() {
    let signature = Model::parse("fda:K=2").unwrap().signature();
    let holds = |domain: &str, inputs: &Inputs| {
        let claim = Claim::new("equal=:F=1", &Model::parse("fda:K=2").unwrap(), domain).unwrap();
        &claim.fixed(inputs) == inputs && {
            let words = inputs.map(&signature, |format, &bits| {
                use mmasmt_numbers::bits::{Bv, W64};
                W64::lit(format.width(), bits)
            });
            Domain::parse(domain, &signature).unwrap().holds(&words)
        }
    };
    let plain = |a: [u64; 2], b: [u64; 2], c: u64| Inputs::new(a.into(), b.into(), c);
    let one = plain([0x3c00, 0], [0xbc00, 0], 0x3f80_0000);
    for domain in [
        "",
        "finite",
        "a[0] normal, a[1] zero, b[0] negative, b[1] positive",
        "c = 1, a[0] = 1, b[0]=-1",
        "factors bits 1, c bits 1",
        "c exp 0..0, a[0] exp -3..0",
        "b[1..] zero",
    ] {
        assert!(holds(domain, &one), "{domain}");
    }
    for domain in [
        "normal",
        "a subnormal",
        "a nonzero",
        "c zero",
        "b positive",
        "c = 2",
        "c exp 1..5",
        "c exp -5..-1",
    ] {
        assert!(!holds(domain, &one), "{domain}");
    }
    assert!(!holds("c bits 2", &plain([0, 0], [0, 0], 0x3fe0_0000)));
    assert!(holds("c bits 3", &plain([0, 0], [0, 0], 0x3fe0_0000)));
    assert!(!holds("c finite", &plain([0, 0], [0, 0], 0x7f80_0000)));
    assert!(holds("a subnormal", &plain([1, 0x8003], [0, 0], 0)));
}

/// Operands that are put into a domain are in what it fixes.
#[test]
fn what_a_domain_fixes_holds_of_fixed_operands() {
    let model = Model::parse("fda:F=24").unwrap();
    let domain = "positive, a[1..] zero, b[2] = 0x1p-3, c bits 5";
    let claim = Claim::new("equal=:F=25", &model, domain).unwrap();
    let mut sampler = Sampler::new(model.signature(), 1);
    for _ in 0..1000 {
        let fixed = claim.fixed(&sampler.sample());
        assert_eq!(claim.fixed(&fixed), fixed);
        assert_eq!(fixed.a[1..], [0, 0, 0]);
        assert_eq!(fixed.b[2], 0x3000);
        assert_eq!(fixed.c & 0x8007_ffff, 0);
    }
}

/// `c` stands before the scales in a domain, and after them in the text of a line.
#[test]
fn a_domain_fixes_the_operand_that_it_names_beside_scales() {
    let model = Model::parse("fda:F=25,K=64,in=e4m3,scale=ue8m0").unwrap();
    let domain = "c = 0x1p+3, sa[0] = 0x1p-1, sb[1] = 0x1p+2, b[63] zero";
    let claim = Claim::new("equal=:F=26", &model, domain).unwrap();
    let mut sampler = Sampler::new(model.signature(), 1);
    let drawn = sampler.sample();
    let fixed = claim.fixed(&drawn);
    assert_eq!(fixed.c, 0x4100_0000);
    assert_eq!([fixed.a_scales[0], fixed.b_scales[1]], [126, 129]);
    assert_eq!(fixed.b[63], 0);
    let others = |x: &Inputs| {
        (
            x.a.clone(),
            x.b[..63].to_vec(),
            x.a_scales[1],
            x.b_scales[0],
        )
    };
    assert_eq!(others(&fixed), others(&drawn));
    let domain = Domain::parse(domain, &model.signature()).unwrap();
    assert!(domain.contains(&fixed) && !domain.contains(&drawn));
}

/// Of a pair of inputs that are neighbours, the simplest is one that a person would write.
#[test]
fn the_simplest_pairs_are_found() {
    for (property, model, line) in [
        // 16777215 + 1 + 1 + 1 is 16777218, and 16777216 + 1 + 1 + 1 is 16777216.
        (
            "monotone-c",
            "fda:F=23",
            "4b7fffff 3c00,3c00,3c00,0000 3c00,3c00,3c00,0000",
        ),
        (
            "monotone-c",
            "fda:F=23,K=8",
            "4b7fffff 3c00,3c00,3c00,0000,0000,0000,0000,0000 3c00,3c00,3c00,0000,0000,0000,0000,0000",
        ),
    ] {
        let claim = Claim::new(property, &Model::parse(model).unwrap(), "finite").unwrap();
        let options = Options::default().minimise(Duration::from_secs(10));
        let limits = Limits::default().within(Duration::from_secs(120));
        let answer = prove(&claim, &options, &limits).unwrap();
        let inputs = &answer.witness().unwrap().inputs;
        assert_eq!(
            inputs.to_line(&claim.model.signature()),
            line,
            "{property} of {model}"
        );
    }
}

/// An exact sum that is rounded once is one whatever says it: the text of an algorithm has the properties of
/// the algorithm, without a solver.
#[test]
fn texts_of_exact_sums_have_the_properties_of_exact_sums() {
    for model in [
        "exact:K=8,in=e4m3,c=bf16,out=bf16",
        "exact:K=4,in=f16",
        "exact:K=3,in=f16,round=rz",
        "exact:K=2,in=e5m2,c=f16,out=f16,round=rd",
    ] {
        let algorithm = Model::parse(model).unwrap();
        let text = unit_text(&algorithm).unwrap();
        let text = Tree::parse(&text).unwrap().one_line();
        let unit = Model::parse(&format!("unit:{{{text}}}")).unwrap();
        for (property, holds) in [
            ("faithful", true),
            ("exact-sums", true),
            ("rounds=rne", !model.contains("round")),
            ("rounds=ru", false),
        ] {
            let options = Options::default().minimise(None);
            let limits = Limits::default().within(Duration::from_secs(60));
            let claim = Claim::new(property, &unit, "finite").unwrap();
            let ended = prove(&claim, &options, &limits).unwrap().ended;
            let is_proved = matches!(ended, Ended::NoMore { .. });
            assert_eq!(
                (is_proved, matches!(ended, Ended::Enough)),
                (holds, !holds),
                "{property} of the text of {model}: {ended:?}"
            );
        }
    }
}
