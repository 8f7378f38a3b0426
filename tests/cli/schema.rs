//! `--json` of every command against `docs/mmasmt.schema.json`, by a validator of the keywords that it uses.

use serde_json::Value;
use std::process::Command;

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mmasmt.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is wrong with `value`, with the place; nothing if it follows `schema`.
fn wrong(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (keyword, rule) in schema.as_object().unwrap() {
        let bad = match keyword.as_str() {
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                let target = root.pointer(pointer).expect("a definition");
                all.extend(wrong(root, target, value, place));
                false
            }
            "type" => {
                let one = |kind: &Value| match kind.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("unknown type {other}"),
                };
                !rule
                    .as_array()
                    .map_or_else(|| one(rule), |kinds| kinds.iter().any(one))
            }
            "const" => rule != value,
            "enum" => !rule.as_array().unwrap().contains(value),
            "required" => {
                let keys = rule
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|key| key.as_str().unwrap());
                let missing: Vec<_> = keys.filter(|key| value.get(key).is_none()).collect();
                all.extend(missing.iter().map(|key| format!("{place}: no `{key}`")));
                false
            }
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        all.extend(wrong(root, rule, value, &format!("{place}/{key}")));
                    }
                }
                false
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                let keys = value
                    .as_object()
                    .into_iter()
                    .flat_map(|object| object.keys());
                let other: Vec<_> = keys.filter(|key| !known.contains_key(*key)).collect();
                all.extend(
                    other
                        .iter()
                        .map(|key| format!("{place}: `{key}` is not in the schema")),
                );
                false
            }
            "items" => {
                for (at, value) in value.as_array().into_iter().flatten().enumerate() {
                    all.extend(wrong(root, rule, value, &format!("{place}/{at}")));
                }
                false
            }
            "anyOf" => {
                let all = rule.as_array().unwrap();
                !all.iter()
                    .any(|rule| wrong(root, rule, value, place).is_empty())
            }
            "pattern" => {
                // The only one that is used: registers.
                assert_eq!(rule, "^[0-9a-f]+$");
                let is_digit =
                    |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
                value
                    .as_str()
                    .is_some_and(|text| text.is_empty() || !text.chars().all(is_digit))
            }
            "$schema" | "$id" | "$defs" | "title" | "description" => false,
            other => panic!("the schema uses `{other}`, which this test does not know"),
        };
        if bad {
            all.push(format!("{place}: not as `{keyword}` says: {value}"));
        }
    }
    all
}

fn output(line: &str, folder: &std::path::Path) -> String {
    let arguments = line.split(' ').map(|word| word.replace('~', " "));
    let program = env!("CARGO_BIN_EXE_mmasmt");
    let json = (!line.starts_with("gen ") || line.contains("--out")).then_some("--json");
    let output = Command::new(program)
        .args(arguments)
        .args(json)
        .current_dir(folder)
        .output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

/// A definition of the schema, and a command whose output follows it; `~` is a space.
const COMMANDS: &[(&str, &str)] = &[
    ("distinguish", "distinguish fda:F=24 fda:F=25"),
    ("distinguish", "distinguish fda:carry=4 fda:carry=full"),
    ("agree", "agree fda:F=24 fda:F=25 --timeout 200ms"),
    ("prove", "prove order-independent fda:K=16"),
    ("prove", "prove faithful fda:F=10 --no-minimize"),
    ("prove-list", "prove --list"),
    ("least", "least F faithful fda:K=32,in=e4m3 --assume c~=~0"),
    ("worst", "worst fda:K=2 --timeout 500ms"),
    (
        "compare",
        "compare _ --on fda:K=4 --lengths 16 --samples 20 --exponents -3..3",
    ),
    ("eval", "eval fda --a 1 --b 1"),
    ("eval", "eval gdfs --a 1 --b 1"),
    ("explain", "explain fda --a 1,0x1p-12 --b 1,0x1p-13 --error"),
    ("check", "check fda:K=1 some.txt --show 1"),
    ("check-runner", "check fda:K=1 --runner false.sh --count 10"),
    ("check-recorded", "check --recorded"),
    ("probe", "probe fda --tests fttn"),
    ("gen", "gen fda --count 3 --out drawn.txt"),
    ("separate", "separate fda:F=23 fda:F=24"),
    ("mutants", "mutants fda:K=1,in=e2m1,F=4 --timeout 5"),
    ("export", "export fda:K=1 --to c -o one.c"),
    (
        "identify",
        "identify some.txt --model fda:K=1 --model fda:K=1,F=23",
    ),
    ("models", "models list UTCOMMA"),
    ("model", "models show H100/HMMA.16816.F32"),
    ("algorithms", "models --algorithms"),
    ("engines", "engines"),
    ("run-list", "run --list --capability 9.0"),
    ("error", "eval fdb --a 1 --b 1"),
    ("error", "eval fda --nonsense"),
];

#[test]
fn every_command_follows_the_schema() {
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("some.txt"),
        "00000000 3c00 3c00 3f800000\n",
    )
    .unwrap();
    let mut all = Vec::new();
    for (name, line) in COMMANDS {
        let line = line.replace(
            "false.sh",
            &format!("{}~eval~fda:K=1~--vectors~-", env!("CARGO_BIN_EXE_mmasmt")),
        );
        let text = output(&line, folder.path());
        let value: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}: {text}"));
        let definition = &root["$defs"][name];
        assert!(definition.is_object(), "no definition of {name}");
        all.extend(wrong(&root, definition, &value, &line));
        assert_eq!(value["schema"], 1, "{line}");
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn json_lines_follow_the_schema() {
    let root = schema();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("some.txt"),
        "00000000 3c00 3c00\n3f800000 3c00 3c00\n",
    )
    .unwrap();
    for line in [
        "eval fda:K=1 --vectors some.txt",
        "run --software fda:K=1 some.txt",
        "gen fda:K=1 --count 2 --format jsonl",
        "gen gdfs --count 2 --format jsonl",
    ] {
        let text = output(line, folder.path());
        let mut values = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = values.next().unwrap();
        assert_eq!(wrong(&root, &root["$defs"]["head"], &head, line), [""; 0]);
        assert_eq!(head["schema"], 1, "{line}");
        let mut count = 0;
        for vector in values {
            assert_eq!(
                wrong(&root, &root["$defs"]["vector"], &vector, line),
                [""; 0]
            );
            count += 1;
        }
        assert_eq!(count, 2, "{line}");
    }
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let root = schema();
    let error = &root["$defs"]["error"];
    for (text, fine) in [
        (
            r#"{"schema":1,"error":"no","status":2,"version":"x"}"#,
            true,
        ),
        (
            r#"{"schema":2,"error":"no","status":2,"version":"x"}"#,
            false,
        ),
        (r#"{"schema":1,"error":7,"status":2,"version":"x"}"#, false),
        (r#"{"schema":1,"status":2,"version":"x"}"#, false),
        (
            r#"{"schema":1,"error":"no","status":2,"version":"x","more":1}"#,
            false,
        ),
    ] {
        let value = serde_json::from_str(text).unwrap();
        assert_eq!(wrong(&root, error, &value, "").is_empty(), fine, "{text}");
    }
}
