//! The violation of `order-independent`: the result depends on the order of the products.
//!
//! The result for operands in the domain is compared with the results for permutations of these
//! operands, which may lie outside of the domain. Few permutations suffice: within a class of
//! places with equal assumptions, a transposition and a cycle generate all permutations. Between
//! classes, every arrangement is compared.

use super::differ::registers_differ;
use super::domain::Domain;
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::Instance;
use mmasmt_core::machines::model::Model;
use mmasmt_core::numbers::bits::Prop;

/// The greatest number of orders that a claim compares.
pub const MOST_ORDERS: usize = 128;

/// A permutation: for each place, the place that its product comes from.
pub type Permutation = Vec<usize>;

/// Unsatisfiable together with the domain iff the result is the same in each of `orders`. If
/// `orders` are the [`orders`] of the domain, the result is then the same in every order. Factors
/// change places within a block and across; scales keep their places, so that factors take those of the block that they
/// come to.
pub fn depends_on_order<B: Instance>(
    model: &Model,
    orders: &[Permutation],
    inputs: &Registers<B>,
) -> B::Bool {
    let result = model.result(inputs);
    let differs = orders
        .iter()
        .map(|order| is_changed(model, order, inputs, &result));
    B::Bool::any(differs.collect::<Vec<_>>())
}

/// Whether the result with the products in this order differs from `result`.
pub(super) fn is_changed<B: Instance>(
    model: &Model,
    order: &Permutation,
    inputs: &Registers<B>,
    result: &B,
) -> B::Bool {
    let other = model.result(&ordered(order, inputs));
    registers_differ(&model.signature().d, model.gives_any_nan(), result, &other)
}

/// The operands with the products permuted.
pub(super) fn ordered<B: Instance>(order: &Permutation, inputs: &Registers<B>) -> Registers<B> {
    let row = |row: &[B]| order.iter().map(|&k| row[k].clone()).collect();
    Registers {
        a: row(&inputs.a),
        b: row(&inputs.b),
        ..inputs.clone()
    }
}

/// Describes the permutation in words.
pub(super) fn describe(order: &Permutation) -> String {
    let count = order.len();
    let moved: Vec<usize> = (0..count).filter(|&place| order[place] != place).collect();
    match moved[..] {
        [left, right] => format!("products {left} and {right} exchanged"),
        _ if *order == cycled(count, &moved) && moved.len() == count => {
            "all products moved on by one".into()
        }
        _ => format!("the products in the order {order:?}"),
    }
}

/// Orders of `count` products that suffice: if the result for all operands in the domain is the
/// same in these orders, it is the same in every order. `None` if places with different assumptions
/// can be arranged in more than [`MOST_ORDERS`] ways.
///
/// Places with equal assumptions form a class. Every permutation is a permutation within classes,
/// followed by a representative of an arrangement of classes. A permutation within classes maps the
/// domain to itself, so that it may be composed of generators (a transposition and a cycle per
/// class). The representatives are compared directly.
pub fn orders(domain: &Domain, count: usize) -> Option<Vec<Permutation>> {
    let alike = |left: usize, right: usize| {
        domain.treats_alike(left, right)
            && domain.treats_alike(count + left, count + right)
            && domain.keeps_equalities_with(left, right)
    };
    let kind = |place: usize| {
        (0..place)
            .find(|&first| alike(first, place))
            .unwrap_or(place)
    };
    let kinds: Vec<usize> = (0..count).map(kind).collect();
    if arrangements(&kinds) > MOST_ORDERS {
        return None;
    }
    let places = |kind: usize| -> Vec<usize> {
        let of_kind = kinds
            .iter()
            .enumerate()
            .filter(|(_, other)| **other == kind);
        of_kind.map(|(place, _)| place).collect()
    };
    let mut orders = Vec::new();
    for kind in (0..count).filter(|&kind| kinds[kind] == kind) {
        let places = places(kind);
        if places.len() > 1 {
            orders.push(cycled(count, &places[..2]));
        }
        if places.len() > 2 {
            orders.push(cycled(count, &places));
        }
    }
    if kinds.iter().any(|kind| *kind != 0) {
        let mut found = Vec::new();
        arrange(&kinds, &mut Vec::new(), &mut found);
        // The first arrangement is the identity.
        orders.extend(found.into_iter().skip(1));
    }
    Some(orders)
}

/// The number of arrangements of places in these classes (a multinomial coefficient); counting
/// stops above [`MOST_ORDERS`].
pub fn arrangements(kinds: &[usize]) -> usize {
    let mut ways = 1;
    let mut of_kind = vec![0; kinds.len()];
    for (place, kind) in kinds.iter().enumerate() {
        of_kind[*kind] += 1;
        ways = ways * (place + 1) / of_kind[*kind];
        if ways > MOST_ORDERS {
            break;
        }
    }
    ways
}

/// The permutation that moves the products at these places in a cycle.
fn cycled(count: usize, places: &[usize]) -> Permutation {
    let mut order: Permutation = (0..count).collect();
    for (index, place) in places.iter().enumerate() {
        order[*place] = places[(index + 1) % places.len()];
    }
    order
}

/// Appends to `found` one permutation for each arrangement of classes that extends `order`; places
/// of one class keep their order.
fn arrange(kinds: &[usize], order: &mut Permutation, found: &mut Vec<Permutation>) {
    if order.len() == kinds.len() {
        found.push(order.clone());
        return;
    }
    let mut begun = Vec::new();
    for (place, kind) in kinds.iter().enumerate() {
        if order.contains(&place) || begun.contains(kind) {
            continue;
        }
        begun.push(*kind);
        order.push(place);
        arrange(kinds, order, found);
        order.pop();
    }
}
