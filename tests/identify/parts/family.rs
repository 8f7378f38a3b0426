//! Families of models: keys and values, and what a base sets.

use mmasmt_core::machines::model::Model;
use mmasmt_questions::identify::family::{family, keys};

#[test]
fn keys_have_names_and_values() {
    let model = Model::parse("fda:K=2").unwrap();
    let found = |list: &str| keys(list, list, &model, &model.signature()).ok();
    for list in ["=3", "F=", "F", "F=3,=2", "F=3,F=4", "F=5..3"] {
        assert!(found(list).is_none(), "{list}");
    }
    let [f, align] = [("F", &["3", "4", "9"][..]), ("align", &["floor"])]
        .map(|(key, values)| (key.to_owned(), values.iter().map(|v| (*v).into()).collect()));
    assert_eq!(found("F=3..4|9,align=floor"), Some(vec![f, align]));
}
#[test]
fn named_families_keep_what_the_base_sets_and_they_do_not_vary() {
    let of = |base: &str| {
        let base = Model::parse(base).unwrap();
        let members = family("nvidia", Some(&base)).unwrap();
        let names: Vec<String> = members.iter().map(Model::canonical).collect();
        names
    };
    let (plain, minus) = (of("fda:K=4"), of("fda:K=4,negzero=minus,F=13,zero=raw"));
    assert_eq!(plain.len(), minus.len());
    assert!(!plain.iter().any(|name| name.contains("negzero")));
    assert!(minus.iter().all(|name| name.contains("negzero=minus")));
    for key in ["F=23", "zero=min", "zero=raw"] {
        assert!(minus.iter().any(|name| name.contains(key)), "{key}");
    }
    // A key that one part of the family varies is not kept in another.
    let [none, f32] = ["fda:K=4,out=f16", "fda:K=4,out=f16,via=f32"].map(of);
    assert_eq!(none, f32);
}
