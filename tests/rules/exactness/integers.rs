//! Sums of integers that saturate once, and those that do not.

use super::soundness::{claim, ends};
use mmasmt_questions::claims::exactness::holds;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// True if the analysis says that a sum of four products equals a chain of shorter sums on this
/// domain; and whether inputs show a difference.
fn is_chain(unit: &str, chain: u32, domain: &str) -> (bool, bool) {
    let step = 4 / chain;
    let equal = format!("equal=int:K={step},chain={chain},{unit}");
    let claim = claim(&equal, &format!("int:K=4,{unit}"), domain);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut inputs = (0..300).filter_map(|_| ends(&claim, &mut rng));
    let is_refuted = inputs.any(|inputs| claim.is_refuted_by(&inputs));
    (holds(&claim, false).is_some(), is_refuted)
}

#[test]
fn sums_that_only_rise_saturate_once() {
    let (equal, different, unknown) = ((true, false), (false, true), (false, false));
    for (unit, domain, expected) in [
        ("in=u8,overflow=saturate", "", equal),
        ("in=u4,acc=u32,overflow=saturate", "", equal),
        ("in=u16,acc=s64,overflow=saturate", "", equal),
        ("in=s8,overflow=saturate", "", different),
        ("a=u8,b=s8,overflow=saturate", "", different),
        ("a=u8,b=s8,acc=u32,overflow=saturate", "", different),
        ("in=s8,overflow=saturate", "factors from 0..127", equal),
        ("in=s8,overflow=saturate", "factors from -1..127", different),
        (
            "in=s8,overflow=saturate",
            "c from -2147418111..2147418111",
            equal,
        ),
        // Only the last sum may saturate.
        (
            "in=s8,overflow=saturate",
            "c from -2147418112..2147418112",
            equal,
        ),
        // A sum before the last one may saturate.
        (
            "in=s8,overflow=saturate",
            "c from -2147480000..2147480000",
            different,
        ),
        ("in=s8", "c = 0", equal),
        ("in=s8", "", equal),
        ("in=u8", "", equal),
        ("in=u4,acc=u32", "", equal),
        ("a=u8,b=s8,acc=u32", "", equal),
        ("in=b1,pair=xor,overflow=saturate", "", unknown),
    ] {
        for chain in [2, 4] {
            let found = is_chain(unit, chain, domain);
            assert_eq!(found, expected, "{unit}, {domain}, {chain} sums");
        }
    }
}
