//! How many inputs are needed at least: cliques of pairs that no input tells apart together.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::IdentifyOptions;
use mmasmt_questions::identify::lower_bound::{ALIKE, Proofs, few_alike};
use rustc_hash::FxHashMap;
use std::time::Duration;

fn proofs<'x>(models: &'x [Model], options: &'x IdentifyOptions, pairs: usize) -> Proofs<'x> {
    Proofs {
        models,
        domain: None,
        options,
        limits: Limits::default(),
        pairs: vec![([0, 1], vec![0]); pairs],
        columns: 1,
        known: FxHashMap::default(),
        found: Vec::new(),
        unknown: 0,
    }
}

fn options(budget: Duration) -> IdentifyOptions {
    IdentifyOptions {
        specials: false,
        seed: 1,
        budget: Some(budget),
    }
}

#[test]
fn pairs_alike_are_few_and_none_is_untold() {
    let mut hardest = vec![([0, 1], vec![])];
    hardest.extend((0..ALIKE + 3).map(|model| ([model, 9], vec![2])));
    hardest.push(([3, 4], vec![1, 2]));
    let found = few_alike(hardest);
    assert_eq!(found.len(), ALIKE + 1);
    assert!(found.iter().all(|(_, tell)| !tell.is_empty()));
    assert_eq!(found.last(), Some(&([3, 4], vec![1, 2])));
}

#[test]
fn a_clique_is_the_largest_up_to_a_size() {
    let options = options(Duration::from_secs(30));
    let proofs = proofs(&[], &options, 6);
    // 1, 3 and 4 form a clique, and so do 0 and 5.
    let joined = |both: [usize; 2]| [[1, 3], [1, 4], [3, 4], [0, 5]].contains(&both);
    assert_eq!(proofs.clique(6, joined), [1, 3, 4]);
    assert_eq!(proofs.clique(2, joined).len(), 2);
}

#[test]
fn what_an_input_tells_apart_is_found_and_no_time_leaves_it_unknown() {
    let models = ["fda:K=1,F=10,in=e4m3", "fda:K=1,F=20,in=e4m3"];
    let models = models.map(|text| Model::parse(text).unwrap());
    let enough = options(Duration::from_secs(60));
    let mut told = proofs(&models, &enough, 0);
    assert!(!told.never_apart(&[0, 1]));
    assert_eq!((told.found.len(), told.unknown), (1, 0));
    let mut equal = proofs(&models, &enough, 0);
    assert!(equal.never_apart(&[0, 0]));
    let none = options(Duration::ZERO);
    let mut open = proofs(&models, &none, 0);
    if !open.never_apart(&[0, 1]) && open.found.is_empty() {
        assert_eq!(open.unknown, 1);
    }
}
