//! `order-independent`: the result does not depend on the order of the products.
//!
//! The result for operands in the domain is compared with the results for permutations of these
//! operands, which may lie outside of the domain. Few permutations suffice: within a class of
//! places with equal assumptions, a transposition and a cycle generate all permutations. Between
//! classes, every arrangement is compared.

use crate::claims::property::differ::registers_differ;
use crate::claims::property::{
    ClaimError, Counterpart, Domain, Meaning, PropertyDoc, PropertyText, Trial,
};
use mmasmt_core::machines::algorithms::Registers;
use mmasmt_core::machines::model::{Instance, Model};
use mmasmt_numbers::bits::{Big, Prop};

pub(super) const DOC: PropertyDoc = PropertyDoc::new(
    "order-independent",
    "the result for operands in the domain is the same for every order of the products, be the other order in the domain or not; factors change places within a block and across blocks, and take the scales of the block that they come to: block scales keep their places",
).of_integers();

/// The greatest number of orders that a claim compares.
pub const MOST_ORDERS: usize = 128;

/// A permutation: for each place, the place that its product comes from.
pub type Permutation = Vec<usize>;

/// The result is the same with the products in each of these orders. If they are the [`orders`] of
/// the domain, the result is then the same in every order. Factors change places within a block and
/// across; scales keep their places, so that factors take those of the block that they come to.
#[derive(Clone, Debug)]
pub struct OrderIndependent(pub Vec<Permutation>);

impl Meaning for OrderIndependent {
    fn read(text: &PropertyText) -> Result<Self, ClaimError> {
        let orders = orders(text.domain, text.signature().products as usize);
        let orders = orders.ok_or_else(|| ClaimError::TooManyOrders {
            property: text.text.into(),
            model: text.model.to_string(),
            domain: text.domain.to_string(),
            most: MOST_ORDERS,
        })?;
        Ok(OrderIndependent(orders))
    }

    fn is_violated<B: Instance>(&self, by: &Trial<B>) -> B::Bool {
        let result = by.result();
        let differs = self.0.iter().map(|order| is_changed(by, order, &result));
        B::Bool::any(differs.collect::<Vec<_>>())
    }

    fn compares<B: Instance>(&self, _by: &Trial<B>) -> B::Bool {
        B::Bool::constant(!self.0.is_empty())
    }

    fn counterparts(&self, by: &Trial<Big>) -> Vec<Counterpart> {
        let result = by.result();
        let changed = |order: &&Permutation| is_changed(by, order, &result);
        let named =
            |order: &Permutation| by.other_operands(describe(order), &ordered(order, by.inputs));
        self.0.iter().find(changed).map(named).into_iter().collect()
    }

    fn evaluations(&self, _model: &Model) -> u32 {
        1 + self.0.len() as u32
    }

    fn nothing_compared(&self, model: &Model) -> Option<&'static str> {
        let reason = "one product has one order, so there are no two to compare";
        (model.signature().products == 1).then_some(reason)
    }
}

/// True if the result with the products in this order differs from `result`.
fn is_changed<B: Instance>(by: &Trial<B>, order: &Permutation, result: &B) -> B::Bool {
    let other = by.model.result(&ordered(order, by.inputs));
    let (format, any_nan) = (by.signature().d, by.model.gives_any_nan());
    registers_differ(&format, any_nan, result, &other)
}

/// The operands with the products permuted.
fn ordered<B: Instance>(order: &Permutation, inputs: &Registers<B>) -> Registers<B> {
    let row = |row: &[B]| order.iter().map(|&k| row[k].clone()).collect();
    Registers {
        a: row(&inputs.a),
        b: row(&inputs.b),
        ..inputs.clone()
    }
}

/// Describes the permutation in words.
fn describe(order: &Permutation) -> String {
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
