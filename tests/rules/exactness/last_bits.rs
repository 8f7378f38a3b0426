//! Tests that the analysis is tight: one bit beyond the last value for which it proves a claim,
//! inputs refute the claim.

use super::soundness::{claim, ends};
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_questions::claims::exactness::holds;
use mmasmt_questions::claims::property::{EqualResults, Property};
use mmasmt_questions::vectors::parse_inputs;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The analysis proves a claim for one value of a key, and inputs refute it for the next value.
#[test]
fn one_bit_less_is_refuted() {
    let inputs = |a: &[u64], b: &[u64], c| Inputs::new(a.to_vec(), b.to_vec(), c);
    // 448 * 448 and its negative cancel and leave 2^-9 * 2^-9, which is lost in 33 fraction bits.
    let lost = inputs(&[0x7e, 0xfe, 1], &[0x7e, 0x7e, 1], 0);
    // The sum of 4 products 1 * 1 is the least number that one carry bit and one integer bit do not
    // hold.
    let reaches = inputs(&[0x38; 4], &[0x38; 4], 0);
    // The sum of 4 products 1.5 * 1.5 needs one more carry bit.
    let wraps = inputs(&[0x3c; 4], &[0x3c; 4], 0);
    for (property, known, refuted, domain, inputs) in [
        (
            "faithful",
            "fda:K=3,in=e4m3,F=34",
            "fda:K=3,in=e4m3,F=33",
            "c = 0",
            &lost,
        ),
        (
            "exact-sums",
            "fda:K=3,in=e4m3,F=34",
            "fda:K=3,in=e4m3,F=33",
            "c = 0",
            &lost,
        ),
        (
            "equal=:F=64",
            "fda:K=3,in=e4m3,F=34",
            "fda:K=3,in=e4m3,F=33",
            "c = 0",
            &lost,
        ),
        (
            "equal=:carry=full",
            "fda:K=4,in=e4m3,F=40,carry=3",
            "fda:K=4,in=e4m3,F=40,carry=2",
            "c = 0, factors exp 0..0, factors bits 2",
            &wraps,
        ),
        (
            "equal=:carry=full",
            "fda:K=4,in=e4m3,F=40,carry=2",
            "fda:K=4,in=e4m3,F=40,carry=1",
            "c = 0, factors exp 0..0, factors bits 1",
            &reaches,
        ),
    ] {
        let domain = &format!("finite, {domain}");
        let known = claim(property, known, domain);
        assert!(holds(&known, false).is_some(), "{known}");
        let refuted = claim(property, refuted, domain);
        assert_eq!(holds(&refuted, false), None, "{refuted}");
        assert!(refuted.is_refuted_by(inputs), "{refuted}");
    }
}

/// The analysis calls a result exact only if the format holds it: 2^24 but not 2^24 + 1, the least
/// number but not half of it, the greatest power of two but not the next.
#[test]
fn results_at_the_ends_of_a_format() {
    let exact = |model: &str, domain: &str| {
        let claim = claim("error=0x1p-200", model, domain);
        holds(&claim, false).is_some()
    };
    let of_c = |c: &str| format!("finite, factors exp 0..0, factors bits 1, {c}");
    let unit = "fda:K=1,F=30";
    assert!(exact(unit, &of_c("c = 0x1.fffffep+23")));
    assert!(!exact(unit, &of_c("c = 0x1p+24")));
    let f16 = "fda:K=1,F=40,in=e5m2,out=f16,c=f16";
    let of_b =
        |b: i32| format!("finite, c = 0, a exp -14..-14, a bits 1, b exp {b}..{b}, b bits 1");
    assert!(exact(f16, &of_b(-10)));
    assert!(!exact(f16, &of_b(-11)));
    assert!(exact(f16, "finite, c = 0, a exp 15..15, a bits 1, b = 1"));
    assert!(!exact(f16, "finite, c = 0, a exp 15..15, a bits 1, b = 2"));
}

/// Compares, for each unit, the last domain in which a grid cuts nothing and no operand is flushed
/// with the next domain, in which some inputs are cut or flushed and refute the claim.
#[test]
fn grids_and_flushes_end_where_inputs_refute_it() {
    for (model, other, known, refuted, line) in [
        // The grid of a pair of products, set by the greater product.
        (
            "rdna:K=4,in=f16,unit=rdna4,step=4",
            "exact:K=4,in=f16",
            "a exp 0..12, b exp 0..12, factors bits 1, c = 0",
            "a exp 0..13, b exp 0..12, factors bits 1, c = 0",
            "00000000 7000,3c00,f000,3c00 6c00,3c00,6c00,3c00",
        ),
        // Products below half a unit of the grid of the least `c`, then products of one unit. A
        // negative sum of two products is rounded down to the grid.
        (
            "rdna:K=4,in=bf16,unit=rdna4,step=4",
            "fda:K=4,in=bf16,F=23,emin=-129",
            "factors exp -77..-77, factors bits 1",
            "factors exp -76..-76, factors bits 1",
            "00000001 9980,9980,9980,9980 1980,1980,1980,1980",
        ),
        // The complements of RDNA3: they change results of negative numbers, of a single product
        // with a subnormal factor, and of a single product beside a -0.
        (
            "rdna:K=4,in=f16,unit=rdna3,step=2",
            "exact:K=4,in=f16",
            "factors exp 0..2, factors bits 2, positive, c exp 0..3, c bits 3",
            "factors exp 0..2, factors bits 2, c exp 0..3, c bits 3",
            "c0400000 3c00,3c00,3c00,3c00 3c00,3c00,3c00,3c00",
        ),
        (
            "rdna:K=4,in=f16,unit=rdna3,step=2",
            "exact:K=4,in=f16",
            "a[1..] = 0, b[1..] = 0, c = 0, zero-or-normal",
            "a[1..] = 0, b[1..] = 0, c = 0",
            "00000000 8200,0000,0000,0000 0080,0000,0000,0000",
        ),
        (
            "rdna:K=4,in=f16,unit=rdna3,step=2",
            "exact:K=4,in=f16",
            "a[1..] = 0, b[1..] = 0, c = 0, zero-or-normal",
            "a[1..] from 0..0, b[1..] = 0, c = 0, zero-or-normal",
            "00000000 bc00,8000,0000,0000 3c00,0000,0000,0000",
        ),
        // Results of RDNA3 in f16, where a single product may be a tie.
        (
            "rdna:K=4,in=f16,unit=rdna3,step=2,out=f16",
            "exact:K=4,in=f16,out=f16",
            "a[1..] = 0, b[1..] = 0, c = 0, a[0] exp 0..2, a[0] bits 6, b[0] exp 0..0, b[0] bits 5",
            "a[1..] = 0, b[1..] = 0, c = 0, a[0] exp 0..2, a[0] bits 6, b[0] exp 0..0, b[0] bits 6",
            "0000 bc60,0000,0000,0000 3f60,0000,0000,0000",
        ),
        // The grid of `c` in RDNA4, which has two places more than the grid of a pair of products.
        (
            "rdna:K=4,in=f16,unit=rdna4,step=4",
            "exact:K=4,in=f16",
            "a exp 0..1, b = 1, a bits 1, c exp 26..26, c bits 1",
            "a exp 0..1, b = 1, a bits 1, c exp 27..27, c bits 1",
            "4d000000 c000,bc00,3c00,c000 3c00,3c00,3c00,3c00",
        ),
        (
            "gaudi:in=f16,unit=gaudi2",
            "exact:K=8,in=f16",
            "factors exp -8..15, factors bits 1, c = 0",
            "a exp -9..15, b exp -8..15, factors bits 1, c = 0",
            "00000000 7800,7800,1800,1800,1800,1800,1800,1800 7800,f800,1c00,1c00,1c00,1c00,1c00,1c00",
        ),
        // A subnormal factor is flushed.
        (
            "gaudi:in=bf16,unit=gaudi2",
            "exact:K=8,in=bf16",
            "a exp -126..-126, b exp 0..0, factors bits 1, c = 0",
            "a subnormal, b exp 1..1, b bits 1, c = 0",
            "00000000 0040,0040,0040,0040,0040,0040,0040,0040 4000,4000,4000,4000,4000,4000,4000,4000",
        ),
        // A subnormal result of operands that are not subnormal.
        (
            "gaudi:in=bf16,unit=gaudi2",
            "exact:K=8,in=bf16",
            "factors exp -63..-63, factors bits 1, c = 0",
            "a exp -63..-63, b exp -66..-66, factors bits 1, c = 0",
            "00000000 2000,2000,2000,2000,2000,2000,a000,a000 1e80,1e80,1e80,1e80,1e80,1e80,1e80,1e80",
        ),
        (
            "gaudi:K=2,in=f16,unit=gaudi3",
            "fda:K=2,in=f16,F=60",
            "factors exp 0..12, factors bits 1, c exp 24..24, c bits 1",
            "a exp 0..13, b exp 0..12, factors bits 1, c exp 24..24, c bits 1",
            "4b800000 7000,3c00 ec00,3c00",
        ),
        // A processor rounds every operation.
        (
            "cpu:in=bf16,order=late,operands=keep,results=keep",
            "exact:K=2,in=bf16",
            "factors exp 0..0, factors bits 1, c exp 22..22, c bits 22",
            "factors exp 0..6, factors bits 8, c exp 22..22, c bits 22",
            "4a800000 4280,3f85 4280,3f9a",
        ),
        // Operands are flushed in the first model, and results in the second one.
        (
            "cpu:in=bf16,order=late,operands=all,results=keep",
            "exact:K=2,in=bf16",
            "a exp -126..-126, b exp 1..1, factors bits 1, c = 0",
            "a subnormal, b exp 1..1, b bits 1, c = 0",
            "00000000 0040,0040 4000,4000",
        ),
        (
            "cpu:in=bf16,order=late,operands=keep,results=register",
            "exact:K=2,in=bf16",
            "a exp -126..-126, b exp 0..0, factors bits 1, c = 0",
            "a exp -126..-126, b exp -1..-1, factors bits 1, c = 0",
            "00000000 0080,0080 3f00,3f00",
        ),
    ] {
        let property = &format!("equal={other}");
        let known = claim(property, model, &format!("finite, {known}"));
        assert!(holds(&known, false).is_some(), "{known}");
        let refuted = claim(property, model, &format!("finite, {refuted}"));
        assert_eq!(holds(&refuted, false), None, "{refuted}");
        let inputs = parse_inputs(line, 0, &refuted.model.signature()).unwrap();
        assert!(refuted.is_refuted_by(&inputs), "{refuted}: {line}");
    }
}

/// A single product is aligned to itself: whatever its magnitude, it is kept if its bits fit.
#[test]
fn one_product_is_kept_if_its_places_are() {
    let alone = "finite, c = 0, a[1..] = 0, b[1..] = 0";
    for (model, other, is_known) in [
        ("fda:K=8,F=20,chain=4", "exact:K=8,chain=4", false),
        ("fda:K=8,F=23,chain=4", "exact:K=8,chain=4", true),
        ("fda:K=8,F=23,chain=4", "fda:K=16,F=40,chain=2", true),
        ("fda:K=8,F=21,chain=4", "fda:K=16,F=40,chain=2", true),
        ("fda:K=8,F=20,chain=4", "fda:K=16,F=40,chain=2", false),
        ("fda:K=8,F=20", "fda:K=8,F=40", true),
        ("fda:K=8,F=19", "fda:K=8,F=40", false),
        ("fdrda:K=4,in=f16", "fda:K=4,F=40", true),
        ("rdna:K=4,in=f16,unit=rdna3,step=2", "fda:K=4,F=40", false),
        ("rdna:K=4,in=f16,unit=rdna4,step=4", "fda:K=4,F=40", true),
        ("gaudi:in=f16,unit=gaudi2", "fda:K=8,F=40", true),
        ("gaudi:K=2,in=f16,unit=gaudi3", "fda:K=2,F=40", true),
    ] {
        let claim = claim(&format!("equal={other}"), model, alone);
        assert_eq!(holds(&claim, false).is_some(), is_known, "{claim}");
    }
}

/// Sixteen powers of two up to 2^20 and an odd `c` have just one sum that f32 does not hold, 2^24 +
/// 1: rounding to nearest even and rounding towards zero both give 2^24.
#[test]
fn a_tie_above_a_power_of_two_is_rounded_either_way() {
    let is_known = |property: &str, model: &str, greatest: u32| {
        let domain = format!("bits 1, exp 0..{greatest}");
        holds(&claim(property, model, &domain), false).is_some()
    };
    for (property, model) in [
        ("equal=gps:K=16", "fda:K=16,F=25"),
        ("rounds=rne", "fda:K=16,F=25"),
        ("rounds=rz", "fda:K=16,F=25"),
        ("rounds=rz", "gps:K=16"),
        ("error=0x1p-1ulp", "fda:K=16,F=25"),
    ] {
        assert!(is_known(property, model, 10), "{property} of {model}");
        let is_rounded_so = property == "rounds=rz" && model != "gps:K=16";
        assert_eq!(
            is_known(property, model, 11),
            is_rounded_so,
            "{property} of {model}"
        );
    }
}

/// Products below the grid of the least exponent of `c` are cut to nothing, and if `c` is zero,
/// they are rounded to zero: the result is always `c` itself.
#[test]
fn products_below_every_grid_are_cut_to_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (model, other, greatest) in [
        ("fda:K=4,F=24,in=bf16,emin=-132", ":F=30", -79),
        ("fda:K=8,F=25,in=bf16,emin=-133", ":emin=-132", -77),
        (
            "fda:K=8,F=25,in=bf16,emin=-133",
            ":K=4,chain=2,F=24,emin=-132",
            -77,
        ),
        (
            "gaudi:K=4,in=tf32,unit=gaudi3",
            "fda:K=4,F=24,in=tf32,emin=-132",
            -76,
        ),
    ] {
        let claim = |greatest: i32| {
            let domain = format!("finite, factors exp -126..{greatest}, factors bits 1");
            claim(&format!("equal={other}"), model, &domain)
        };
        let asked = claim(greatest);
        assert!(holds(&asked, false).is_some(), "{model} and {other}");
        assert!(
            holds(&claim(greatest + 1), false).is_none(),
            "{model} and {other}"
        );
        let Property::Equal(EqualResults(second)) = &asked.property else {
            panic!("{model} and {other}");
        };
        let (mut left, mut right) = (asked.model.simulator(), second.simulator());
        for _ in 0..20_000 {
            let Some(inputs) = ends(&asked, &mut rng) else {
                continue;
            };
            let results = [&mut left, &mut right].map(|one| one.evaluate(&inputs).unwrap());
            assert_eq!(results[0], results[1], "{model} and {other}: {inputs:?}");
        }
    }
}

/// Intermediate sums in f16 become the same infinities in two chains; finite sums stay below 2^16,
/// so that no later grid cuts anything.
#[test]
fn chains_of_one_tree_have_the_same_infinities() {
    let f16 = "in=f16,out=f16";
    for (model, other, is_known) in [
        (
            format!("fda:K=4,F=23,chain=4,{f16}"),
            format!("rdna:K=16,{f16},unit=rdna4,step=4"),
            true,
        ),
        (
            format!("fda:K=4,F=23,chain=4,{f16}"),
            format!("fda:K=8,F=25,chain=2,{f16}"),
            false,
        ),
        (
            format!("fda:K=4,F=23,chain=4,round=rz,{f16}"),
            format!("fda:K=4,F=25,chain=4,round=rz,{f16}"),
            true,
        ),
    ] {
        for domain in [
            "finite, factors from -1000..1000, c from -1000..1000",
            "factors exp 0..8, factors bits 1, c exp 0..8, c bits 1",
        ] {
            let claim = claim(&format!("equal={other}"), &model, domain);
            assert_eq!(holds(&claim, false).is_some(), is_known, "{claim}");
            let mut rng = ChaCha8Rng::seed_from_u64(3);
            let mut inputs = (0..300).filter_map(|_| ends(&claim, &mut rng));
            let is_refuted = inputs.any(|inputs| claim.is_refuted_by(&inputs));
            assert!(!(is_known && is_refuted), "{claim}");
        }
    }
}
