//! Orders of sums, as answers show them.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::probe::{ReadingFailure, as_unit, ask_tree};
use mmasmt_questions::vectors::device::SoftwareDevice;

/// The order of a model, and that of the unit whose text it is.
fn formulas(text: &str) -> [String; 2] {
    let model = Model::parse(text).unwrap();
    let (signature, products) = (model.signature(), model.signature().products as usize);
    let ask = |model: Model| {
        let reads_c = model.reads_c();
        let tree = ask_tree(&mut SoftwareDevice::new(model), reads_c);
        tree.unwrap()
            .unwrap_or_else(|why| panic!("{text}: {why:?}"))
    };
    let tree = ask(model);
    let unit = as_unit(&tree, &signature).unwrap();
    let lines: Vec<&str> = unit.lines().skip(1).collect();
    let again = Model::parse(&format!("unit:{{{}}}", lines.join(" ")));
    let again = ask(again.unwrap_or_else(|error| panic!("{error} in\n{unit}")));
    [tree, again].map(|tree| tree.formula(products))
}

#[test]
fn orders_are_found_and_are_those_of_their_text() {
    let chain = |links: usize, of: usize| {
        let mut formula = String::from("c");
        for link in 0..links {
            let (from, to) = (link * of, link * of + of - 1);
            let products = match of {
                1 => format!("#{from}"),
                2 => format!("#{from} #{to}"),
                _ => format!("#{from}..#{to}"),
            };
            formula = format!("({formula} {products})");
        }
        formula
    };
    for (text, expected) in [
        ("fda:K=4", chain(1, 4)),
        ("fda:K=4,chain=30", chain(30, 4)),
        ("fda:K=16,in=bf16,chain=12", chain(12, 16)),
        ("ieee:K=150,order=fma", chain(150, 1)),
        (
            "ieee:K=8,order=pairwise",
            "(c (((#0 #1) (#2 #3)) ((#4 #5) (#6 #7))))".into(),
        ),
    ] {
        assert_eq!(formulas(text), [expected.clone(), expected], "{text}");
    }
    let [found, again] = formulas("ieee:K=96,order=pairwise");
    assert_eq!(found, again);
}

#[test]
fn what_shows_no_order_is_undecided() {
    for text in [
        "exact:K=8",
        "ieee:K=300,acc=bf16,in=bf16,order=fma",
        // A small summand moves a large one by its last place.
        "ieee:K=96,order=pairwise,round=rz",
    ] {
        let mut device = SoftwareDevice::new(Model::parse(text).unwrap());
        let found = ask_tree(&mut device, true).unwrap();
        assert!(
            matches!(found, Err(ReadingFailure::Undecided(_))),
            "{text}: {found:?}"
        );
    }
}
