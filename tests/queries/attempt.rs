//! Claims that a rule once proved and that are false: the attempt refutes each, whatever the rules say now.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{Attempt, Question};

/// Property, model, domain.
const FALSE: [(&str, &str, &str); 15] = [
    // A sum that cancels below the normal numbers is flushed.
    (
        "equal=zen4/VDPBF16PS",
        "ieee:K=2,in=bf16,order=seq",
        "factors positive, factors exp -77..-76, c negative, c normal",
    ),
    (
        "rounds-partial-sums=rne",
        "zen4/VDPBF16PS",
        "a[0] = -0x1.8p-76, b[0] = 0x1p-75, a[1] = 0, b[1] = 0, c = 0x1p-126",
    ),
    // Factors that change places come to another scale.
    (
        "order-independent",
        "fda:in=e4m3,K=4,scale=ue8m0,block=2",
        "c = 0, a[0] = 1, b[0] = 1, a[1..] = 0, b[1..] = 0, sa[0] = 1, sa[1] = 2, sb = 1",
    ),
    (
        "order-independent",
        "fda:in=e4m3,K=4,scale=ue8m0,block=2",
        "factors exp 0..1, c = 0, sa exp 0..1, sb exp 0..0",
    ),
    // The sign of a product that is flushed.
    (
        "equal=fda:in=f32,K=1,results=after",
        "ieee:in=f32,K=1",
        "a = 0x86800000, b = 0x06800000, c = 0",
    ),
    // Saturation beyond the greatest number.
    (
        "error=0x1p-1sum",
        "epilogue(fda:in=bf16,K=1):K=2,out=f16,beta=1,saturate=yes",
        "a = 0x1p20, b = 1, c = 0",
    ),
    // A product that an unused step reads.
    (
        "error=1ulp",
        "unit:{unit u { a, b: f16[2]; c, d: f32; p = a * b; q = round(p[1]) to f32; d = round(sum(p[0], c)) to f32 }}",
        "finite",
    ),
    // A factor that a rounding flushes.
    (
        "exact-sums",
        "unit:{unit u { a, b: f32[1]; c, d: f32; x = round(a) to f32 tiny register; d = round(sum(x[0] * b[0], c)) to f32 }}",
        "c = 0, a exp -127..-126, b exp 0..1",
    ),
    // The infinity of a register that overflows on the way.
    (
        "exact-sums",
        "unit:{unit u { a, b: f16[1]; c, d: f32; q = round(a[0] * b[0]) to f16; s = sum(a[0] * b[0], c); d = round(special(s, q)) to f32 }}",
        "finite, c = 0",
    ),
    (
        "equal=unit:{unit u { a, b: f32[1]; c, d: f32; d = round(fuse(a * b, c) keep 24) to f32 tiny register sign plus }}",
        "unit:{unit u { a, b: f32[1]; c, d: f32; d = round(fuse(a * b, c) keep 24) to f32 tiny register sign total }}",
        "finite",
    ),
    // The exponent of a product of zero.
    (
        "error=0x1p-6sum",
        "unit:{unit u { a, b: f16[2]; c, d: f32; x = term(a) zeros field; d = round(fuse(x * b, c) keep 10) to f32 }}",
        "finite",
    ),
    // Integers below zero in a format without a sign.
    (
        "exact",
        "unit:{unit u { a, b: u8[1]; c: s32; d: u32; d = round(sum(a * b, c)) to u32 }}",
        "",
    ),
    (
        "no-overflow",
        "unit:{unit u { a, b: u8[1]; c: s32; d: u32; d = round(sum(a * b, c)) to u32 }}",
        "c from -100000..0, a from 0..9, b from 0..9",
    ),
    (
        "equal=unit:{unit u { a, b: u8[2]; c: s32; d: s16; p = a * b; d = round(sum(p, c)) to s16 overflow saturate }}",
        "unit:{unit u { a, b: u8[2]; c: s32; d: s16; p = a * b; q = round(sum(p[0], c)) to s16 overflow saturate; d = round(sum(q, p[1])) to s16 overflow saturate }}",
        "",
    ),
    (
        "finite-results",
        "fda:K=2,in=bf16,out=f16",
        "factors exp 6..8, c = 0",
    ),
];

#[test]
fn claims_that_rules_once_proved_are_refuted_by_the_attempt() {
    let mut missed = Vec::new();
    for (property, model, domain) in FALSE {
        let model = Model::parse(model).unwrap_or_else(|error| panic!("{model}: {error}"));
        let claim = Claim::new(property, &model, domain)
            .unwrap_or_else(|error| panic!("{property}: {error}"));
        let question = Question::refuting(&claim);
        for attempt in [Attempt::Question, Attempt::Bulk] {
            if question.attempt(attempt, 0, &Limits::default()).is_none() {
                missed.push(format!("{attempt:?}: {claim}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
