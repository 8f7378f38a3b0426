//! Requests and answers, as JSON.

use super::draw::draw;
use super::machines::{machines, products};
use super::side_by_side::side_by_side;
use serde::Deserialize;
use serde_json::{Value, json};

/// A request of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request {
    /// All machines.
    Machines,
    /// The products that two machines have in common.
    Products {
        /// The names of the machines.
        machines: [String; 2],
    },
    /// The evaluation of two models on the same operands.
    Evaluate {
        /// The models.
        models: [String; 2],
        /// Left factors, separated by commas; further factors are +0.
        a: String,
        /// Right factors.
        b: String,
        /// The accumulator.
        c: String,
    },
    /// Operands on which two models differ.
    Draw {
        /// The models.
        models: [String; 2],
        /// The seed of the operands.
        seed: u64,
        /// How many operands are drawn at most.
        count: u64,
    },
}

/// The answer to a request. If the request is wrong, the answer has the key `error`, a sentence.
pub fn answer(request: &str) -> String {
    let request: Result<Request, _> = serde_json::from_str(request);
    let answered: Result<Value, String> = match request {
        Err(error) => Err(error.to_string()),
        Ok(Request::Machines) => machines(),
        Ok(Request::Products { machines }) => products(&machines),
        Ok(Request::Evaluate { models, a, b, c }) => side_by_side(&models, [&a, &b, &c]),
        Ok(Request::Draw {
            models,
            seed,
            count,
        }) => draw(&models, seed, count),
    };
    let answered = answered.unwrap_or_else(|error| json!({ "error": error }));
    answered.to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "so tests fail")]

    use super::answer;
    use serde_json::{Value, json};

    fn asked(request: Value) -> Value {
        serde_json::from_str(&answer(&request.to_string())).unwrap()
    }

    /// 1 + 2^-24 + 2^-24: V100 and T4 cut both small products, H100 keeps them.
    #[test]
    fn two_models_are_shown_side_by_side() {
        let found = asked(json!({
            "ask": "evaluate", "models": ["V100/f16", "fda:F=26"],
            "a": "0x1p-12,0x1p-12", "b": "0x1p-12,0x1p-12", "c": "1",
        }));
        assert_eq!(found["d"], json!(["3f800000", "3f800001"]));
        assert!(found["html"].as_str().unwrap().contains("Side by side"));
    }

    #[test]
    fn a_difference_of_two_machines_is_drawn() {
        let models = json!(["H100/fp8", "RTX 5090/fp8"]);
        let found = asked(json!({ "ask": "draw", "models": models, "seed": 0, "count": 1000 }));
        assert!(found["different"].as_u64().unwrap() > 900, "{found}");
        let [a, b, c] = ["a", "b", "c"].map(|key| found["example"][key].as_str().unwrap());
        let shown = asked(json!({ "ask": "evaluate", "models": models, "a": a, "b": b, "c": c }));
        assert_ne!(shown["d"][0], shown["d"][1], "{shown}");
    }

    #[test]
    fn machines_have_products_in_common() {
        let all = asked(json!({ "ask": "machines" }));
        assert!(all["machines"].as_array().unwrap().len() > 15, "{all}");
        let found = asked(json!({ "ask": "products", "machines": ["H100", "A100"] }));
        let first = &found["products"][0];
        assert_eq!(first["name"], "f16 to f32", "{found}");
        assert_eq!(first["models"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for request in [
            json!({ "ask": "evaluate", "models": ["nothing", "fda"], "a": "1", "b": "1", "c": "0" }),
            json!({ "ask": "evaluate", "models": ["fda", "fda"], "a": "0.1", "b": "1", "c": "0" }),
            json!({ "ask": "evaluate", "models": ["fda", "fda:K=8"], "a": "1", "b": "1", "c": "0" }),
            json!({ "ask": "nothing" }),
        ] {
            assert!(asked(request.clone())["error"].is_string(), "{request}");
        }
    }
}
