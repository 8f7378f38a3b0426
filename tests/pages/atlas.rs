//! The page of pairs of units: it holds what is known of every domain, its operands tell the units apart, and its field finds pairs.

use crate::markup::{assert_alone, assert_well_formed, text};
use crate::webdriver::Browser;
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use mmasmt_questions::agreement::{AtlasUnit, Effort, Record, entry, pairs};
use mmasmt_questions::pages::atlas_page;
use mmasmt_questions::vectors::parse_inputs;

const EFFORT: Effort = Effort {
    turns: 1,
    solved: 4,
    seed: 0,
};

/// What is known of three units of small formats, one of them under two names.
fn records() -> Vec<Record> {
    let unit = |names: &[&str], keys: &str| AtlasUnit {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        model: Model::parse(&format!("fda:K=2,in=e2m1,out=f16,{keys}")).unwrap(),
    };
    let units = [
        unit(&["first/dot", "second/dot"], "F=4"),
        unit(&["third/dot"], "F=6"),
        unit(&["fourth/mma"], "F=6,align=floor"),
    ];
    let pairs = pairs(&units, &[2, 4]);
    let found = pairs.iter().map(|pair| {
        let entry = entry(*pair, &[2, 4], EFFORT, &Limits::default()).unwrap();
        Record::of(*pair, &entry.unwrap())
    });
    found.collect()
}

#[test]
fn the_page_holds_what_is_known_of_every_domain() {
    let records = records();
    assert_eq!(records.len(), 3);
    let page = atlas_page(&records);
    assert_well_formed(&page);
    assert_alone(&page);
    let mut differences = 0;
    let parts: Vec<_> = page.split("<details").skip(1).collect();
    assert_eq!(parts.len(), records.len());
    for (record, part) in records.iter().zip(parts) {
        let shown = text(part);
        for name in record.names.iter().flatten().chain(&record.models) {
            assert!(shown.contains(name.as_str()), "{name}");
        }
        for length in &record.lengths {
            let models = record.models.each_ref().map(|model| {
                Model::parse(&format!("repeat({model}):K={}", length.products)).unwrap()
            });
            let signature = models[0].signature();
            for known in &length.domains {
                let row = format!("{}{}", known.name, known.verdict);
                assert!(shown.contains(&row), "{row} in {shown}");
                let Some(line) = &known.line else {
                    continue;
                };
                // Products that are +0 are left out of the line.
                let given = line.split(' ').nth(1).unwrap().split(',').count();
                let short = parse_inputs(line, 1, &signature_of(given));
                let mut inputs = short.unwrap();
                inputs.a.resize(signature.products as usize, 0);
                inputs.b.resize(signature.products as usize, 0);
                let results = models
                    .each_ref()
                    .map(|model| model.simulator().evaluate(&inputs).unwrap());
                assert_ne!(results[0], results[1], "{line}");
                differences += 1;
            }
        }
    }
    assert!(differences > 20, "{differences}");
}

/// The formats of the units above, with fewer products.
fn signature_of(products: usize) -> mmasmt_core::machines::algorithms::Signature {
    let model = Model::parse(&format!("fda:K={products},in=e2m1,out=f16")).unwrap();
    model.signature()
}

#[test]
#[ignore = "a browser"]
fn its_field_shows_the_pairs_whose_names_have_all_words() {
    let Some(browser) = Browser::open(1000, 800) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("atlas.html");
    std::fs::write(&path, atlas_page(&records())).unwrap();
    browser.visit(&format!("file://{}", path.display()));
    browser.text_with("#count", "3 of 3 pairs");
    for (typed, found) in [
        ("FOURTH", "2 of 3 pairs"),
        ("fourth second", "1 of 3 pairs"),
        ("no such machine", "0 of 3 pairs"),
        ("dot", "3 of 3 pairs"),
    ] {
        browser.write("#search", typed);
        assert_eq!(browser.text_with("#count", found), found);
    }
    assert!(browser.console().is_empty());
}
