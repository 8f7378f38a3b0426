//! Words of choices are words of the language.

use crate::setting::by_day;
use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::learn::{Sharing, UnitLayout, usual};
use mmasmt_questions::identify::learn::{Space, model_of};

/// Every word of every choice is one of the language, for every kind of sums.
#[test]
fn every_word_is_read() {
    let units = [
        "fda:K=4",
        "fda:K=4,in=bf16",
        "fda:K=8,in=e4m3,out=f16",
        "ieee:in=f32,K=4",
    ];
    for name in by_day(units, 3) {
        let signature = Model::parse(name).unwrap().signature();
        for tree in usual(signature.products as usize) {
            let layout = UnitLayout::of(&tree, signature.products as usize, Sharing::Levels);
            let nan = Some(signature.d.nan(mmasmt_numbers::float::NanCode::Quiet) | 1);
            let space = Space::new(layout, signature, nan);
            for start in space.starts() {
                for (choice, about) in space.choices.iter().enumerate() {
                    for word in 0..about.words.len() {
                        let text = start.with(choice, word).text();
                        let model = model_of(&text);
                        // A sum in f16 has fewer fraction bits than some words say.
                        let is_too_fine = about.words[word].starts_with("fraction");
                        assert!(
                            model.is_some() || is_too_fine,
                            "{} {}: {text}",
                            about.part,
                            about.words[word]
                        );
                    }
                }
            }
        }
    }
}
