//! A validator of the keywords of JSON Schema that the schema uses.

use serde_json::Value;

/// The faults of `value`, with their places; none if it follows `schema`.
pub fn wrong(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
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
                let is_missing = |key: &&str| value.is_object() && value.get(key).is_none();
                let missing: Vec<_> = keys.filter(is_missing).collect();
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
                let known = |key: &str| schema["properties"].get(key).is_some();
                let further = value.as_object().into_iter().flatten();
                for (key, value) in further.filter(|(key, _)| !known(key)) {
                    if *rule == Value::Bool(false) {
                        all.push(format!("{place}: `{key}` is not in the schema"));
                    } else {
                        all.extend(wrong(root, rule, value, &format!("{place}/{key}")));
                    }
                }
                false
            }
            "minimum" => value
                .as_f64()
                .is_some_and(|number| number < rule.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_some_and(|all| (all.len() as u64) < rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_some_and(|all| all.len() as u64 > rule.as_u64().unwrap()),
            "prefixItems" => {
                let pairs = value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .zip(rule.as_array().unwrap());
                for (at, (value, rule)) in pairs.enumerate() {
                    all.extend(wrong(root, rule, value, &format!("{place}/{at}")));
                }
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
                // Registers, or registers and `nan`.
                let with_nan = rule == "^([0-9a-f]+|nan)$";
                assert!(with_nan || rule == "^[0-9a-f]+$", "{rule}");
                let is_digit =
                    |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
                value.as_str().is_some_and(|text| {
                    !(with_nan && text == "nan") && (text.is_empty() || !text.chars().all(is_digit))
                })
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
