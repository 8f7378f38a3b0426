//! A climb to inputs that tell many models apart.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::identify::{Answers, Climber};
use mmasmt_questions::inputs::SeparatingDraws;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[test]
fn a_climb_that_is_interrupted_stays_where_it_began() {
    // The last two models are the same, so the search never ends early.
    let models = ["F=10", "F=12", "F=12"].map(|text| format!("fda:K=4,{text}"));
    let models = models.map(|text| Model::parse(&text).unwrap());
    let all = [(0, 0), (1, 0), (2, 0)];
    let mut candidates = SeparatingDraws::new(models[0].signature(), false, 1);
    let mut climber = Climber::new(Answers::new(&models), &all);
    let free = Limits::default();
    let begun = climber.best(&mut candidates, &[], [500, 0], &free).unwrap();
    let ended = Limits::interruptible(Arc::new(AtomicBool::new(true)));
    let starts = [begun.0.clone()];
    let found = climber.best(&mut candidates, &starts, [0, 300], &ended);
    assert_eq!(found, Some(begun));
}
