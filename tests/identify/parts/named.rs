//! Families that have a name.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::named::shapes;

#[test]
fn shapes_are_powers_of_two_that_divide_and_the_whole_once() {
    for (products, least, expected) in [
        (8, 1, "1|2|4|8"),
        (8, 4, "4|8"),
        (12, 2, "2|4|12"),
        (1, 4, "1"),
    ] {
        let model = Model::parse(&format!("fda:K={products}")).unwrap();
        let found = shapes(&model.signature(), least);
        assert_eq!(found, expected, "{least} of {products}");
    }
}
