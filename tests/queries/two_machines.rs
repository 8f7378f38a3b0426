//! Pairs of products of two machines, and the operands that they are given.

use mmasmt_core::machines::model::{Model, find_architecture};
use mmasmt_core::machines::product_pairs::{ProductPairs, product_pairs};
use mmasmt_explain::operands::{ordinary_domain, ordinary_operands};
use mmasmt_questions::claims::property::Domain;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn ordinary_operands_are_in_their_domain() {
    for text in [
        "fda:K=4,F=24",
        "fda:K=4,F=24,in=e2m1,scale=ue8m0,block=2",
        "gdfs:K=64",
        "sfma:fmt=f64",
        "fda:K=4,F=24,in=e5m2,out=f16",
    ] {
        let model = Model::parse(text).unwrap();
        let signature = model.signature();
        let domain = Domain::parse(&ordinary_domain(&[&model]), &signature).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        for _ in 0..1000 {
            let inputs = ordinary_operands(&signature, &mut rng).unwrap();
            let line = inputs.to_line(&signature);
            assert!(domain.contains(&inputs), "{text}: {line}");
        }
    }
}

/// Each kind of one machine is either shared with the other machine or listed as a kind that
/// only the one machine has.
#[test]
fn no_kind_of_two_machines_is_lost() {
    let names = ["V100", "A100", "H100", "RTX 5090", "B200", "MI300X"];
    let all = names.map(|name| find_architecture(name).unwrap());
    for left in all {
        for right in all {
            let ProductPairs { shared, alone } = product_pairs([left, right], true).unwrap();
            let [more, _] = alone;
            let ProductPairs { shared: own, .. } = product_pairs([left, left], true).unwrap();
            assert_eq!(shared.len() + more.len(), own.len());
            for one in &shared {
                let [x, y] = one.models.each_ref().map(Model::signature);
                assert_eq!(x, y, "{}", one.rows[0].name);
            }
        }
    }
}

#[test]
fn libraries_use_the_newest_unit() {
    let [hopper, ada] = ["H100", "RTX 4090"].map(|name| find_architecture(name).unwrap());
    let ProductPairs { shared, .. } = product_pairs([hopper, ada], false).unwrap();
    let fp8 = shared.iter().find(|one| {
        let signature = one.signature();
        signature.a.name() == "e4m3" && signature.d.name() == "f32"
    });
    let names = fp8.unwrap().rows.map(|row| row.name.as_str());
    assert_eq!(
        names,
        [
            "wgmma.m64nNk32.f32.e4m3.e4m3",
            "mma.m16n8k32.f32.e4m3.e4m3.f32"
        ]
    );
}
