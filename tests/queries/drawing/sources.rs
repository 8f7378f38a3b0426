//! Distributions of operands by name: normal, uniform, numbers of a file.

use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::inputs::reals::value;
use mmasmt_questions::inputs::{NumberList, Source, Sources};

#[test]
fn names_are_read_as_they_are_written() {
    for (text, source) in [
        ("0", Source::Zero),
        ("normal", Source::Normal(1.0)),
        ("1000*normal", Source::Normal(1000.0)),
        ("0.5*uniform", Source::Uniform(0.5)),
        ("positive", Source::Positive(1.0)),
    ] {
        let read = Source::named(text).unwrap().unwrap();
        assert_eq!(read, source);
        assert_eq!(read.to_string(), text);
    }
    assert!(Source::named("mine.npy").unwrap().is_none());
    assert!(Source::named("2*mine.npy").unwrap().is_none());
    for text in [
        "-1*normal",
        "0*normal",
        "x*uniform",
        "inf*positive",
        "*normal",
    ] {
        assert!(Source::named(text).is_err(), "{text}");
    }
    assert!(NumberList::new("none", vec![]).is_err());
    assert!(NumberList::new("nan", vec![1.0, f64::NAN]).is_err());
}

#[test]
fn what_is_drawn_is_within_the_range_and_of_the_numbers() {
    let signature = Model::parse("fda:K=4").unwrap().signature();
    let own = NumberList::new("own", vec![1.5, -3.0]).unwrap();
    let sources = Sources {
        factors: [Source::Normal(2.0), Source::Of(own)],
        c: Source::Positive(4.0),
        within: [Some(3.0), None],
        seed: 1,
    };
    let limits = Limits::default();
    let all = sources.drawn(&signature, 200, &limits);
    for inputs in all.unwrap() {
        assert!(
            inputs
                .a
                .iter()
                .all(|x| value(&signature.a, *x).abs() <= 3.0)
        );
        assert!(
            inputs
                .b
                .iter()
                .all(|x| [1.5, -3.0].contains(&value(&signature.b, *x)))
        );
        assert!((0.0..=4.0).contains(&value(&signature.c, inputs.c)));
    }
    let rare = Sources {
        within: [Some(1e-9), None],
        ..sources
    };
    assert!(rare.drawn(&signature, 1, &limits).is_err());
}
