//! The text of a schema: lines are filled, and what does not fit into one has lines of its own.

use serde_json::Value;

/// The most letters of a line.
const WIDTH: usize = 140;

pub fn text(schema: &Value) -> String {
    broken(schema, 0) + "\n"
}

/// The text in lines behind the first, which begin with more than `depth` spaces.
fn broken(value: &Value, depth: usize) -> String {
    let (open, close, parts): (_, _, Vec<(String, &Value)>) = match value {
        Value::Object(map) => {
            let parts = map.iter().map(|(key, value)| (key_text(key), value));
            ('{', '}', parts.collect())
        }
        Value::Array(all) => {
            let parts = all.iter().map(|value| (String::new(), value));
            ('[', ']', parts.collect())
        }
        _ => return in_line(value),
    };
    let start = |depth: usize| format!("\n{}", " ".repeat(depth));
    let mut out = String::from(open);
    // The letters of the last line, if it has room for more.
    let mut filled = None;
    for (number, (key, value)) in parts.iter().enumerate() {
        let whole = format!("{key}{}", in_line(value));
        let length = whole.chars().count();
        let comma = if number > 0 { "," } else { "" };
        match filled.filter(|filled| filled + length + 3 <= WIDTH) {
            Some(before) => {
                out += &format!("{comma} {whole}");
                filled = Some(before + length + 2);
            }
            None if depth + length + 2 <= WIDTH => {
                out += &format!("{comma}{}{whole}", start(depth + 1));
                filled = Some(depth + 1 + length);
            }
            None => {
                out += &format!(
                    "{comma}{}{key}{}",
                    start(depth + 1),
                    broken(value, depth + 1)
                );
                filled = None;
            }
        }
    }
    out + &start(depth) + &String::from(close)
}

fn in_line(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let parts = map
                .iter()
                .map(|(key, value)| key_text(key) + &in_line(value));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Array(all) => {
            let parts: Vec<_> = all.iter().map(in_line).collect();
            format!("[{}]", parts.join(", "))
        }
        other => other.to_string(),
    }
}

fn key_text(key: &str) -> String {
    format!("{}: ", Value::from(key))
}
