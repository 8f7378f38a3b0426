//! Sparse instructions: what metadata selects, against the uncompressed matrix, and how products are grouped.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::{FIRST, Sparsity};
use mmasmt_core::machines::model::{Model, architectures};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ALL: [Sparsity; 3] = [
    Sparsity::TwoOfFour,
    Sparsity::OneOfTwo,
    Sparsity::PairsOfEight,
];

/// Places in a group that a code names, read off the nibble as PTX prints it.
fn places(sparsity: Sparsity, code: u64) -> Vec<usize> {
    let (first, second) = ((code % 4) as usize, (code / 4) as usize);
    match sparsity {
        Sparsity::TwoOfFour => vec![first, second],
        Sparsity::OneOfTwo => vec![first / 2],
        Sparsity::PairsOfEight => vec![2 * first, 2 * first + 1, 2 * second, 2 * second + 1],
    }
}

#[test]
fn legal_codes_are_those_of_the_manual() {
    let legal = |sparsity: Sparsity, ordered| -> Vec<u64> {
        let (kept, b) = (sparsity.kept(), vec![0; 2 * sparsity.kept()]);
        let codes = 0..32;
        codes
            .filter(|code| sparsity.select(kept, &[*code], &b, ordered).is_ok())
            .collect()
    };
    for sparsity in [Sparsity::TwoOfFour, Sparsity::PairsOfEight] {
        assert_eq!(legal(sparsity, true), [4, 8, 9, 12, 13, 14]);
        let unordered: Vec<u64> = (0..16).filter(|code| code % 4 != code / 4).collect();
        assert_eq!(legal(sparsity, false), unordered);
    }
    for (sparsity, ordered) in ALL.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        assert_eq!(sparsity.codes(ordered), legal(sparsity, ordered));
        for code in legal(sparsity, ordered) {
            assert_eq!(sparsity.places(code), places(sparsity, code));
        }
    }
    for ordered in [false, true] {
        assert_eq!(legal(Sparsity::OneOfTwo, ordered), [4, 14]);
    }
    let wrong = Sparsity::TwoOfFour.select(4, &[4], &[0; 8], true);
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "expected 2 codes for 4 of a, found 1"
    );
}

/// Sums of integers are exact, so a sparse sum is that of the uncompressed rows, zeros included.
#[test]
fn selected_products_are_those_of_the_uncompressed_matrix() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for sparsity in ALL {
        for _ in 0..2000 {
            let groups = rng.random_range(1..=4);
            let kept = groups * sparsity.kept();
            let a: Vec<u64> = (0..kept).map(|_| rng.random_range(0..256)).collect();
            let b: Vec<u64> = (0..2 * kept).map(|_| rng.random_range(0..256)).collect();
            let ordered: bool = rng.random();
            let legal = |code: &u64| {
                let (first, second) = (code % 4, code / 4);
                match sparsity {
                    Sparsity::OneOfTwo => *code == 4 || *code == 14,
                    _ => first < second || !ordered && first != second,
                }
            };
            let codes: Vec<u64> = (0..groups)
                .map(|_| {
                    loop {
                        let code = rng.random_range(0..16);
                        if legal(&code) {
                            return code;
                        }
                    }
                })
                .collect();
            let mut whole = vec![0; 2 * kept];
            for (group, code) in codes.iter().enumerate() {
                for (number, place) in places(sparsity, *code).into_iter().enumerate() {
                    whole[2 * group * sparsity.kept() + place] =
                        a[group * sparsity.kept() + number];
                }
            }
            let selected = sparsity.select(kept, &codes, &b, ordered).unwrap();
            let sum = |a: &[u64], b: &[u64]| {
                let model = Model::parse(&format!("int:K={},in=s8", a.len())).unwrap();
                let inputs = Inputs::new(a.to_vec(), b.to_vec(), 7);
                model.simulator().evaluate(&inputs).unwrap()
            };
            assert_eq!(
                sum(&a, &selected),
                sum(&whole, &b),
                "{sparsity:?} {codes:x?}"
            );
        }
    }
}

/// The rows of sparse instructions take half of the products of their names, and their groups are a dense instruction's.
#[test]
fn sparse_rows_are_dense_ones_of_as_many_products() {
    let mut seen = 0;
    for row in architectures().unwrap().iter().flat_map(|one| &one.rows) {
        let Some(sparsity) = row.sparsity else {
            continue;
        };
        let name = format!("{}/{}", row.architecture, row.name);
        let model = Model::parse(&name).unwrap();
        assert_eq!(model.sparsity(), Some(sparsity), "{name}");
        assert_eq!(
            model.signature().products as usize % sparsity.kept(),
            0,
            "{name}"
        );
        assert!(
            row.note
                .as_deref()
                .unwrap_or_default()
                .contains("original k"),
            "{name}"
        );
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
    assert_eq!(FIRST, 4);
}

/// What no publication says: are products grouped as A keeps them, or by original k? Of 2:4, groups of eight original
/// products are groups of four that are kept. 2^24, 1 and 1, of which the last two meet in one group or not.
#[test]
fn one_input_tells_groups_of_kept_products_from_groups_of_original_ones() {
    let name = "ampere/mma.sp.m16n8k32.f32.f16.f16.f32";
    let kept = Model::parse(name).unwrap();
    let original = kept.with("K=4,chain=4").unwrap();
    let mut inputs = Inputs::new(vec![0; 16], vec![0; 16], 0x4b80_0000);
    for k in [0, 4] {
        (inputs.a[k], inputs.b[k]) = (0x3c00, 0x3c00);
    }
    let results = [&kept, &original].map(|model| model.evaluate_big(&inputs).unwrap());
    assert_eq!(results, [0x4b80_0001, 0x4b80_0000]);
}
