//! Answers of models, and the parts that they fall into.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::{Answers, Partition};

#[test]
fn nans_are_one_answer_where_their_code_is_open() {
    let (nans, number) = ([0x7fc0_0000, 0x7fff_ffff], 0x4049_0fdb);
    for (text, expected) in [("fda:K=1", nans), ("fda:K=1,nan=any", [u64::MAX; 2])] {
        let models = [Model::parse(text).unwrap()];
        let answers = Answers::new(&models);
        let found = nans.map(|nan| answers.answer(0, nan));
        assert_eq!(found, expected, "{text}");
        assert_eq!(answers.answer(0, number), number);
    }
}

#[test]
fn no_models_fall_into_no_parts() {
    assert_eq!(
        [0, 1, 5].map(|models| Partition::whole(models).parts),
        [0, 1, 1]
    );
}
