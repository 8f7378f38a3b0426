//! Numbers that are drawn or changed: shifts of exponents, any number, the least exponents.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::float::Format;
use mmasmt_questions::inputs::change::{any, lowest, shifted};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

#[test]
fn a_shift_changes_the_exponent_alone_and_stays_in_its_field() {
    for (format, bits, by, expected) in [
        (Format::E4M3, 0b1011_1010, 2, 0b1100_1010),
        (Format::E4M3, 0b0011_1101, -3, 0b0010_0101),
        (Format::E4M3, 0b1001_0001, -7, 0b1000_0001),
        (Format::E4M3, 0b0111_0110, 7, 0b0111_1110),
        (Format::TF32, 0x3f80_2000, 1, 0x4000_2000),
    ] {
        assert_eq!(shifted(&format, bits, by), expected, "{bits:b} by {by}");
    }
}

#[test]
fn any_number_is_drawn_and_nothing_else() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for format in [Format::E4M3, Format::E5M2, Format::F16] {
        let drawn: Vec<u64> = (0..4000).map(|_| any(&format, 0, &mut rng)).collect();
        assert!(drawn.iter().all(|bits| format.is_finite(*bits)));
        let ones = format.max_fraction();
        let magnitudes = drawn.iter().map(|bits| format.magnitude(*bits));
        let (fields, fractions): (Vec<u64>, Vec<u64>) = magnitudes
            .map(|code| (code / format.code(1, 0), code & ones))
            .unzip();
        // Subnormal numbers and numbers near 1 are drawn, with simple and with random
        // fractions.
        for field in [0, 1, format.field_of(0) as u64] {
            assert!(fields.contains(&field), "{}: {field}", format.name());
        }
        let kinds = fractions.into_iter().collect::<BTreeSet<u64>>().len();
        assert!(
            kinds >= 700.min(ones as usize + 1),
            "{}: {kinds}",
            format.name()
        );
        let near_one = |field: &&u64| field.abs_diff(format.field_of(0) as u64) <= 3;
        assert!(fields.iter().filter(near_one).count() >= 200);
    }
}

#[test]
fn exponents_reach_down_to_products_or_below_results() {
    for (model, expected) in [
        // Products reach down to 2^-28, and results to 2^-24.
        ("fda:K=2,in=f16,out=f16", -28),
        // Products are above the least exponents of c.
        ("fda:K=2,in=f16,out=f32", -126),
        // Products are far below the least results.
        ("fda:K=2,in=bf16,out=f16", -34),
    ] {
        let signature = Model::parse(model).unwrap().signature();
        assert_eq!(lowest(&signature), expected, "{model}");
    }
}
