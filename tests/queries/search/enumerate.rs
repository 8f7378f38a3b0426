//! All inputs of a small domain say what the solver says.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::claims::property::Claim;
use mmasmt_questions::claims::query::{ExhaustiveSearch, try_all};
use mmasmt_questions::claims::query::{Options, Question, answer};

/// The solver says what all inputs say, of claims that hold and of claims that do not.
#[test]
fn all_inputs_say_what_the_solver_says() {
    let (mut proved, mut refuted) = (0, 0);
    for (property, model, assume) in [
        ("equal=:F=3", "fda:K=2,in=e2m1,c=e2m1,F=4", "c = 0"),
        ("equal=:F=1", "fda:K=2,in=e2m1,c=e2m1,F=4", "c = 0, a = b"),
        ("equal=:align=floor", "fda:K=2,in=e2m1,F=9", "c zero"),
        ("equal=:align=floor", "fda:K=2,in=e2m1,F=2", "c zero"),
        ("exact-sums", "fda:K=2,in=e2m1,c=e2m1,F=9", "c = 0"),
        ("exact-sums", "fda:K=2,in=e2m1,c=e2m1,F=3", "c = 0"),
        ("faithful", "fda:K=1,in=e4m3,F=3", "c zero, a = b, finite"),
        (
            "monotone-c",
            "fda:K=1,in=e2m1,c=e4m3,out=f16,F=5",
            "b = 2, finite",
        ),
        ("no-overflow", "int:K=2,in=s8", "factors from -3..4, c = 0"),
    ] {
        let base = Model::parse(model).unwrap();
        let claim = Claim::new(property, &base, assume).unwrap();
        let question = Question::refuting(&claim);
        let tried = try_all(&question, 8, &Limits::default());
        let asked = answer(&question, &Options::default(), &Limits::default()).unwrap();
        match tried.unwrap_or_else(|| panic!("{claim}: too many")) {
            ExhaustiveSearch::By(inputs) => {
                refuted += 1;
                question.replay(&inputs).unwrap();
                assert!(asked.witness().is_some(), "{claim}");
            }
            ExhaustiveSearch::Nothing(count) => {
                proved += 1;
                assert!(count > 0 && asked.witness().is_none(), "{claim}");
            }
        }
    }
    assert!(proved > 2 && refuted > 2, "{proved} {refuted}");
}
