//! Claims that are false and that a rule once proved: none may prove them.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Dyadic;
use mmasmt_questions::claims::bounds::{ErrorUnit, greatest_error};
use mmasmt_questions::claims::exactness::holds;
use mmasmt_questions::claims::monotone::{MovingOperands, never_falls};
use mmasmt_questions::claims::property::{Claim, ErrorLimit, Property};
use mmasmt_questions::vectors::measure::{Measure, Quotient};

fn claim(property: &str, model: &str, domain: &str) -> Claim {
    let model = Model::parse(model).unwrap();
    Claim::new(property, &model, domain).unwrap()
}

fn unit(formats: &str, steps: &str) -> String {
    format!("unit:{{unit u {{ {formats}; {steps} }}}}")
}

const BF16: &str = "a, b: bf16[2]; c, d: f32";
const F16: &str = "a, b: f16[2]; c, d: f32";

/// Models, a property and a domain each.
fn refuted() -> Vec<Claim> {
    let saturating = |steps: &str| unit("a, b: u8[2]; c: s32; d: s16", steps);
    let once = saturating("d = round(sum(a * b, c)) to s16 overflow saturate");
    let twice = saturating(
        "p = a * b; q = round(sum(p[0], c)) to s16 overflow saturate; d = round(sum(q, p[1])) to s16 overflow saturate",
    );
    let flushed = unit(
        "a, b: f32[1]; c, d: f32",
        "x = round(a) to f32 tiny register; d = round(sum(x[0] * b[0], c)) to f32",
    );
    let special = unit(
        F16,
        "p = a * b; q = round(a[1] * b[1]) to f16; s = sum(p); d = round(special(s, q)) to f32",
    );
    let unsigned = unit(
        "a, b: u8[1]; c: s32; d: u32",
        "d = round(sum(a * b, c)) to u32",
    );
    let clamped = unsigned.replace("to u32", "to u32 overflow saturate");
    let twice_small = |sign: &str| {
        let steps = format!("q = round(a[0] * b[0]) to f16{sign}; d = round(q) to e4m3");
        unit("a, b: f16[1]; c, d: e4m3", &steps)
    };
    let mut all = vec![
        claim(
            &format!("equal={}", twice_small("")),
            &twice_small(" sign shared"),
            "finite, a exp -14..-14, b exp -11..-11",
        ),
        claim(
            "equal=zen4/VDPBF16PS",
            "ieee:K=2,in=bf16,order=seq",
            "factors positive, factors exp -77..-76, c negative, c normal",
        ),
        claim(
            "rounds-partial-sums=rne",
            "zen4/VDPBF16PS",
            "a[0] = -0x1.8p-76, b[0] = 0x1p-75, a[1] = 0, b[1] = 0, c = 0x1p-126",
        ),
        claim(&format!("equal={twice}"), &once, "c from -200000..0"),
        claim("exact-sums", &special, "finite, c = 0, factors exp 8..15"),
        claim(&format!("equal={clamped}"), &unsigned, ""),
    ];
    for results in ["before", "after", "register"] {
        let other = format!("equal=fda:in=f32,K=1,results={results}");
        let domain = "a = 0x86800000, b = 0x06800000, c = 0";
        all.push(claim(&other, "ieee:in=f32,K=1", domain));
    }
    for property in ["exact-sums", "faithful", "rounds=rne", "error=1ulp"] {
        all.push(claim(
            property,
            &flushed,
            "a subnormal, b exp 0..3, b bits 1, c = 0",
        ));
    }
    for property in ["exact", "no-overflow", "exact-sums"] {
        all.push(claim(
            property,
            &unsigned,
            "factors from 0..1, c from -5..5",
        ));
    }
    all
}

#[test]
fn no_false_claim_holds() {
    for claim in refuted() {
        assert!(holds(&claim, true).is_none(), "{claim}");
    }
}

/// Units of which an error is greater than the bound that they once had.
#[test]
fn no_bound_is_below_an_error() {
    let unread = "p = a * b; q = round(p[1]) to f32; d = round(sum(p[0], c)) to f32";
    let exponent_of_zero = "x = term(a) zeros field; d = round(fuse(x * b, c) keep 12) to f32";
    for (model, domain) in [
        (unit(F16, unread), "factors exp 0..3, c exp 0..3"),
        (unit(BF16, unread), "finite"),
        (
            unit(
                "a, b: f16[1]; c, d: f32",
                "v = round(sum(a * b, c)) to f32; d = round(fuse(v) keep 12 by ra carry 0 beyond wrap) to f32",
            ),
            "finite",
        ),
        (
            "epilogue(fda:in=bf16,K=1):K=2,out=f16,beta=1,saturate=yes".into(),
            "a = 0x1p20, b = 1, c = 0",
        ),
    ] {
        let claim = claim("error=1ulp", &model, domain);
        for measure in [Measure::Absolute, Measure::Ulp, Measure::RelativeToSum] {
            let greatest =
                greatest_error(&claim.model, &claim.domain, ErrorUnit::Measured(measure));
            assert!(greatest.is_none(), "{claim}");
        }
    }
    // A zero with the exponent of its field beside 65504 cuts all of a small c.
    let model = Model::parse(&unit("a, b: f16[1]; c, d: f32", exponent_of_zero)).unwrap();
    let claim = Claim::new("error=0x1p-1sum", &model, "finite").unwrap();
    assert!(matches!(
        claim.property,
        Property::Error(ErrorLimit::Relative(_))
    ));
    let unit = ErrorUnit::Measured(Measure::RelativeToSum);
    let [half, one] = [-1, 0].map(|exponent| Dyadic::new(1.into(), exponent));
    let claimed = Quotient::new(&half, &one);
    let greatest = greatest_error(&claim.model, &claim.domain, unit);
    assert!(
        greatest.is_none_or(|greatest| greatest > claimed),
        "{claim}"
    );
}

/// Units of which a result falls where a factor rises, and which rules once said to rise: terms that are rounded down, but cut
/// to zero where they are far below.
#[test]
fn no_unit_that_falls_is_said_to_rise() {
    let beside_c = "d = round(fuse(align(a * b) keep 20 by rz, align(c) keep 20 by rd far 20) keep 20) to f32 by rz";
    let of_sum = "p = a * b; s = fuse(p[0..3]) keep 22 by rz; d = round(fuse(align(s) keep 22 by rd far 25, align(p[3]) keep 22 by rz, align(c) keep 22 by rz) keep 22) to f32 by rz";
    for (formats, steps) in [
        ("a, b: f16[1]; c, d: f32", beside_c),
        ("a, b: f16[4]; c, d: f32", of_sum),
    ] {
        let model = Model::parse(&unit(formats, steps)).unwrap();
        assert!(!never_falls(&model, MovingOperands::Products), "{steps}");
    }
}
