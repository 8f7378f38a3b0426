//! Orders of products that a claim compares.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::claims::property::Domain;
use mmasmt_questions::claims::property::{MOST_ORDERS, arrangements, orders};

#[test]
fn arrangements_are_counted_up_to_a_limit() {
    for (kinds, ways) in [
        (&[0, 0, 0, 0][..], 1),
        (&[0, 1, 0], 3),
        (&[0, 0, 2, 2], 6),
        (&[0, 1, 2, 3], 24),
        (&[0, 1, 2, 3, 4], 120),
    ] {
        assert_eq!(arrangements(kinds), ways, "{kinds:?}");
    }
    assert!(arrangements(&[0, 1, 2, 3, 4, 5]) > MOST_ORDERS);
}

#[test]
fn unlike_places_make_orders_until_they_are_too_many() {
    let signature = Model::parse("fda:K=8").unwrap().signature();
    for (domain, count) in [
        // A transposition and a cycle of the places of one class.
        ("", Some(2)),
        // A transposition and a cycle of seven places, and seven arrangements where a[0] is not
        // first.
        ("a[0] zero", Some(2 + 7)),
        // A transposition and a cycle for each class of four places, and 70 arrangements, one
        // of which is the identity.
        ("a[4..] zero", Some(2 + 2 + 69)),
        // 8 * 7 * 6 = 336 arrangements.
        ("a[0] zero, a[1] positive, a[2] negative", None),
    ] {
        let domain = Domain::parse(domain, &signature).unwrap();
        let found = orders(&domain, 8).map(|orders| orders.len());
        assert_eq!(found, count, "{domain}");
    }
}
