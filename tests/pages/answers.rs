//! Pages of `diff`, `prove` and `worst`: they hold what the commands say, and the operands of their answers step by step.

use crate::markup::{assert_alone, assert_well_formed, rows, text};
use crate::others::both;
use serde_json::Value;

/// The operands of the answer as the page has them: `c a0,a1,… b0,b1,…`.
fn line(witness: &Value) -> String {
    let row = |name: &str| {
        let registers = witness[name].as_array().unwrap().iter();
        let registers: Vec<_> = registers.map(|one| one.as_str().unwrap()).collect();
        registers.join(",")
    };
    let c = witness["c"].as_str().unwrap();
    format!("{c} {} {}", row("a"), row("b"))
}

/// The page of a command, which has the steps for the operands of each witness, and its JSON.
fn page(arguments: &str, witnesses: fn(&Value) -> Vec<&Value>) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let (value, page) = both(folder.path(), &arguments);
    assert_well_formed(&page);
    assert_alone(&page);
    let found = witnesses(&value);
    let told: Vec<_> = page.split("a line: <code>").skip(1).collect();
    assert_eq!(told.len(), found.len(), "{arguments:?}");
    for (told, witness) in told.iter().zip(found) {
        assert_eq!(told.split("</code>").next().unwrap(), line(witness));
    }
    (value, page)
}

fn own(value: &Value) -> Vec<&Value> {
    value["witnesses"].as_array().unwrap().iter().collect()
}

#[test]
fn a_page_of_two_machines_has_a_row_and_an_example_for_each_format() {
    fn of_lines(value: &Value) -> Vec<&Value> {
        let lines = value["lines"].as_array().unwrap().iter();
        lines.flat_map(own).collect()
    }
    let (value, page) = page("diff V100 A100 --samples 50 --time 60s", of_lines);
    let lines = value["lines"].as_array().unwrap();
    let told = rows(&page[..page.find("<details").unwrap()]);
    assert_eq!(told.len(), lines.len());
    for (cells, line) in told.iter().zip(lines) {
        assert!(text(cells[0]).ends_with(line["products"].as_str().unwrap()));
        assert!(text(cells[2]).contains(line["verdict"].as_str().unwrap()));
        let share = 100.0 * line["drawn"]["different"].as_f64().unwrap() / 50.0;
        assert!(text(cells[3]).contains(&format!("{share:.1} %")));
    }
    // Each of them is said once, in words.
    let differing = lines.iter().filter(|line| line["verdict"] == "different");
    assert_eq!(page.matches("irst difference").count(), differing.count());
}

#[test]
fn a_page_of_a_claim_has_its_verdict_and_the_steps_of_a_refutation() {
    let (_, refuted) = page("prove monotone-c V100/HMMA.884.F32.F32", own);
    let told = text(&refuted);
    assert!(told.contains("refuted: monotone-c of V100/HMMA.884.F32.F32 where finite"));
    assert!(told.contains("replayed on words and on big integers"));
    let (_, proved) = page("prove order-independent fda:K=4", own);
    assert!(text(&proved).contains("proved: order-independent of fda:K=4 where finite"));
}

#[test]
fn a_page_of_the_worst_operands_has_the_error_and_the_bound() {
    let (_, page) = page("worst fda:F=12,K=2 --time 5s", own);
    let told = text(&page);
    for part in ["  error  ", "  bound  ", "proved: the error is at most"] {
        assert!(told.contains(part), "{part}");
    }
}

#[test]
fn a_page_of_a_fall_has_the_operands_before_and_after_it() {
    let (_, page) = page("worst V100/HMMA.884.F32.F32 --drop c --time 5s", own);
    let told = text(&page);
    assert!(told.contains("monotone-c: refuted by these operands"));
    assert!(told.contains("on the operands before the step"));
    assert!(told.contains("on the operands after it"));
}
