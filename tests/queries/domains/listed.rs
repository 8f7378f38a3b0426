//! The list of all inputs of a domain.

use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use std::collections::BTreeSet;

/// The list has exactly the inputs of the domain, each once, as a test of every register says.
#[test]
fn the_list_of_a_domain_is_all_of_it() {
    for (name, assume) in [
        ("fda:K=1,in=e2m1", "c = 0"),
        ("fda:K=1,in=e2m1", "a = b, c zero"),
        ("fda:K=1,in=e2m1", "a = -b, c = 3"),
        ("fda:K=1,in=e2m1", "a in e2m1, b positive, c zero"),
        ("fda:K=1,in=e4m3", "a finite, b = 1.5, c = -2"),
        ("fda:K=1,in=e4m3,c=e4m3", "a bits 2, b exp -2..1, c = a"),
        ("fda:K=2,in=e2m1", "a[1] = -a[0], b nonzero, c = 1"),
        ("fda:K=1,in=e2m1,scale=ue8m0", "sa exp -1..1, sb = 1, c = 0"),
        ("int:K=1,in=s8", "a from -3..3, b = a, c from -2..1"),
    ] {
        let signature = Model::parse(name).unwrap().signature();
        let Ok(domain) = Domain::parse(assume, &signature) else {
            continue;
        };
        for finite in [false, true] {
            let Some(listed) = domain.listed(1 << 16, finite) else {
                panic!("{name}: {assume}");
            };
            let all: BTreeSet<String> = (0..listed.count())
                .map(|number| {
                    let inputs = listed.input(number);
                    assert!(domain.contains(&inputs), "{name}: {assume}");
                    inputs.to_line(&signature)
                })
                .collect();
            assert_eq!(all.len() as u64, listed.count(), "{name}: {assume}");
            // Numbers of the domain that are made in another way are all in the list.
            let mut seed = 7u64;
            for _ in 0..4000 {
                let zero = Inputs::zero(&signature);
                let drawn = zero.map(&signature, |format, _| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let bits = (seed >> 32) & ((1 << format.width()) - 1);
                    bits >> format.unread_bits() << format.unread_bits()
                });
                let fixed = domain.fixed_bits(&drawn);
                let is_asked = !finite || fixed.is_finite(&signature);
                if domain.contains(&fixed) && is_asked {
                    assert!(all.contains(&fixed.to_line(&signature)), "{name}: {assume}");
                }
            }
        }
    }
}

#[test]
fn what_is_too_large_is_not_listed() {
    let signature = Model::parse("fda:K=4").unwrap().signature();
    for assume in ["", "finite", "factors exp -3..2", "c = 0", "c from -3..3"] {
        let domain = Domain::parse(assume, &signature).unwrap();
        assert!(domain.listed(1 << 20, true).is_none(), "{assume}");
    }
    let domain = Domain::parse("factors from 1..2, c = 0", &signature).unwrap();
    assert_eq!(domain.listed(1 << 20, true).unwrap().count(), 256);
    assert!(domain.listed(255, true).is_none());
}
