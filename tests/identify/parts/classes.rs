//! Classes of models that are equal.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{ModelClasses, SortOutcome};

#[test]
fn models_that_differ_on_known_inputs_alone_are_classes_with_nothing_known() {
    let models = ["fda:K=1,F=10,in=e4m3", "fda:K=1,F=2,in=e4m3"];
    let models = models.map(|text| Model::parse(text).unwrap());
    let sort = |is_new: bool| {
        let mut classes = ModelClasses::new(&models, false, 1);
        classes
            .sort(&[0, 1], &Limits::default(), |_| is_new)
            .unwrap()
    };
    assert!(matches!(sort(true), SortOutcome::Differ(_)));
    match sort(false) {
        SortOutcome::Differ(inputs) => panic!("{inputs:?} is not new"),
        SortOutcome::Classes(classes, open) => {
            assert_eq!((classes, open), (vec![vec![0], vec![1]], vec![[0, 1]]));
        }
    }
}

#[test]
fn chains_of_equal_operations_are_equal() {
    let models = ["K=1,chain=2", "K=1,chain=2", "K=1,chain=1", "K=2,chain=1"];
    let models = models.map(|text| Model::parse(&format!("fda:in=e2m1,{text}")).unwrap());
    let mut classes = ModelClasses::new(&models, false, 1);
    let mut equal = |left: usize, right: usize| {
        let both = [&models[left], &models[right]];
        classes.links_are_equal(both, &Limits::default()).unwrap()
    };
    assert!(equal(0, 1));
    assert!(!equal(0, 2) && !equal(0, 3) && !equal(2, 2));
}
