//! Changes of a model: of two keys at once, and what drawn inputs do not show.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::{Limits, Stopped};
use mmasmt_questions::identify::changes::{by_key, changes, in_two, key};
use mmasmt_questions::identify::{Fate, IdentifyOptions, Mutant};

#[test]
fn two_changes_are_of_two_keys_and_each_is_made_once() {
    let base = Model::parse("fda:K=2,F=12").unwrap();
    let single: Vec<Mutant> = ["K=1", "F=13", "F=14", "align=floor", "round=rne"]
        .map(|change| Mutant {
            change: change.into(),
            model: base.clone(),
            fate: Fate::Unknown(Stopped::GaveUp),
        })
        .into();
    assert_eq!(by_key(&single, |_| true).len(), 3);
    let found: Vec<String> = in_two(&base, &single, 1)
        .into_iter()
        .map(|(c, _)| c)
        .collect();
    assert!(found.len() >= 5, "{found:?}");
    for (index, change) in found.iter().enumerate() {
        let (first, second) = change.split_once(',').unwrap();
        assert_ne!(key(first), key(second));
        assert!(!found[..index].contains(change), "{change} twice");
    }
}

#[test]
fn what_drawn_inputs_do_not_show_is_compared_and_counted() {
    let base = Model::parse("fda:K=1,F=12,in=e2m1,out=f32").unwrap();
    let options = IdentifyOptions::default().specials(true);
    let (inputs, counted) = changes(&base, &[], &options, &Limits::default()).unwrap();
    // The number of comparisons that finish depends on the time, but some always finish.
    assert!(
        !inputs.is_empty() && counted.shown >= inputs.len(),
        "{counted:?}"
    );
}
