//! A table that somebody adds has names of its own.

use mmasmt_core::machines::model::names_are_own;
use mmasmt_core::machines::model::{architectures, read_table};

fn told(text: &str) -> String {
    let head = "arch = 'lab'\ntitle = 'Core of our lab'\n";
    let made = read_table(&format!("{head}{text}")).unwrap();
    let known = architectures().unwrap();
    names_are_own(&made, known).err().unwrap_or_default()
}

fn row(names: &str) -> String {
    format!("[[row]]\n{names}\nmodel = 'fda:K=4,in=f16'\nevidence = ['recorded: us']\n")
}

#[test]
fn a_name_that_is_empty_or_taken_is_refused() {
    let two = |first: &str, second: &str| told(&(row(first) + &row(second)));
    assert_eq!(two("name = ['A']", "name = ['B']"), "");
    assert_eq!(
        two("name = ['A']\nsass = ['X']", "name = ['B']\nsass = ['X']"),
        ""
    );
    assert!(two("name = ['A']", "name = ['A']").contains("`A` twice"));
    assert!(two("name = ['A']", "name = ['B']\nalias = ['a']").contains("twice"));
    assert!(two("name = ['A']\nalias = ['B']", "name = ['B']").contains("`B` twice"));
    assert!(two("name = ['A']\nsass = ['B']", "name = ['B']").contains("`B` twice"));
    assert!(two("name = ['A']\nalias = ['X']", "name = ['B']\nalias = ['X']").contains("`X`"));
    assert!(told(&row("name = ['']")).contains("empty"));
    assert!(told(&("gpus = ['']\n".to_owned() + &row("name = ['A']"))).contains("empty"));
    for gpu in ["H100", "NVIDIA H100", "RTX 4090", "hopper"] {
        let text = format!("gpus = ['{gpu}']\n{}", row("name = ['A']"));
        assert!(told(&text).contains("stands for"), "{gpu}");
    }
}
