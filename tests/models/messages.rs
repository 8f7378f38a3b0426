//! Parts of messages: near names, and an excerpt of what was read.

use mmasmt_numbers::base::excerpt::excerpt;
use mmasmt_numbers::base::near::did_you_mean;

const NAMES: [&str; 4] = [
    "monotone-c",
    "monotone-products",
    "rounds=MODE",
    "order-independent",
];

#[test]
fn near_names_are_suggested_the_nearest_first() {
    for (found, suggested) in [
        ("order-independant", ", did you mean `order-independent`?"),
        (
            "monotone",
            ", did you mean `monotone-c` or `monotone-products`?",
        ),
        ("round=rne", ", did you mean `rounds=MODE`?"),
        ("Rounds", ", did you mean `rounds=MODE`?"),
        ("commutative", ""),
        ("", ""),
    ] {
        let twice = NAMES.iter().chain(&NAMES).copied();
        assert_eq!(did_you_mean(found, twice), suggested, "{found}");
    }
}

#[test]
fn long_text_is_cut_and_control_characters_are_escaped() {
    assert_eq!(excerpt("a\tb\u{1b}[1m\n"), "a\\tb\\u{1b}[1m\\n");
    assert_eq!(excerpt(&"é".repeat(80)), "é".repeat(80));
    assert_eq!(excerpt(&"é".repeat(81)), format!("{}…", "é".repeat(80)));
}
