//! Rivals of a description: what the solver finds tells them apart.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::learn::LearnOptions;
use mmasmt_questions::identify::learn::LearnProgress;
use mmasmt_questions::identify::learn::Learner;
use mmasmt_questions::identify::learn::{Hypothesis, NearModels, Space};
use mmasmt_questions::identify::learn::{Sharing, UnitLayout, usual};
use mmasmt_questions::identify::learn::{sum, unit};
use mmasmt_questions::vectors::device::SoftwareDevice;

fn with(hypothesis: &Hypothesis, choice: usize, word: &str) -> Hypothesis {
    let words = &hypothesis.space.choices[choice].words;
    let at = words.iter().position(|known| known == word).unwrap();
    hypothesis.with(choice, at)
}

/// A machine that is no row and differs from the description in two choices is told apart by what
/// the solver finds; one that is the description is not.
#[test]
fn what_makes_up_for_each_other_is_told_apart() {
    let signature = Model::parse("fda:K=1,in=e4m3").unwrap().signature();
    let tree = usual(1).remove(0);
    let space = Space::new(UnitLayout::of(&tree, 1, Sharing::Kinds), signature, None);
    let own = space.starts().remove(1);
    let keep = unit::COUNT + sum::KEEP;
    let truth = with(&own, keep, "keep 25");
    let truth = with(&truth, unit::VIA, "bits 25 by rz least -126");
    for (machine, is_same) in [(&own, true), (&truth, false)] {
        let mut device = SoftwareDevice::new(machine.model().unwrap());
        let limits = Limits::default();
        let options = LearnOptions::default();
        let mut learner = Learner::new(&mut device, &options, &limits);
        let mut known = LearnProgress::default();
        let model = own.model().unwrap();
        let failed = learner
            .rivalled(&mut known, &NearModels::of_hypothesis(&own), &model)
            .unwrap();
        assert_eq!(failed.is_none(), is_same, "{}", machine.text());
        for vector in failed.into_iter().flatten() {
            assert_ne!(model.simulator().run(&vector.inputs), vector.d);
        }
    }
}
