//! Where a search for large errors begins: one large term, and products that alignment to it just cuts off.

use crate::algorithms::Signature;
use crate::float::Format;
use crate::vectors::Inputs;

/// How far below the large term the products are, at most.
const FARTHEST: i32 = 40;

/// Inputs with one large term in every so many products, or with a large `c`, and all other products one
/// just below a power of two that is so far below it.
pub(super) fn starts(signature: &Signature) -> impl Iterator<Item = Inputs> + '_ {
    let count = signature.products as usize;
    let mut periods: Vec<usize> = (0..usize::BITS)
        .map(|power| 1 << power)
        .take_while(|period| *period < count)
        .filter(|period| *period > 1)
        .collect();
    periods.push(count);
    let places = periods.into_iter().map(Some).chain([None]);
    places.flat_map(move |period| {
        let far = (1..=FARTHEST).flat_map(move |far| [(far, false), (far, true)]);
        far.filter_map(move |(far, opposite)| large_and_cut(signature, period, far, opposite))
    })
}

/// A large term: the first product of every `period`, or `c` where there is none.
fn large_and_cut(
    signature: &Signature,
    period: Option<usize>,
    far: i32,
    opposite: bool,
) -> Option<Inputs> {
    let Signature { a, b, c, .. } = signature;
    let top = |format: &Format| format.max_exponent();
    let mut inputs = Inputs::zero(signature);
    // One that leaves room for sums below overflow.
    let large = match period {
        Some(_) => top(a) + top(b) - 2,
        None => (top(c) - 24).min(top(a) + top(b) - 2),
    };
    // Factors of all ones: the product is just below 4 * 2^(ea + eb).
    let (below, ones) = (large - far - 2, |format: &Format| {
        (1 << format.fraction_bits) - 1
    });
    let ea = (below / 2).clamp(a.min_exponent(), top(a) - 1);
    let eb = below - ea;
    if !(b.min_exponent()..top(b)).contains(&eb) {
        return None;
    }
    inputs.a.fill(a.register(ea, ones(a), opposite));
    inputs.b.fill(b.register(eb, ones(b), false));
    match period {
        Some(period) => {
            for k in (0..inputs.a.len()).step_by(period) {
                inputs.a[k] = a.register(top(a) - 1, 0, false);
                inputs.b[k] = b.register(top(b) - 1, 0, false);
            }
        }
        None => inputs.c = c.register(large, 0, false),
    }
    Some(inputs)
}
