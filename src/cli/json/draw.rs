//! The sources of drawn operands.

use mmasmt_questions::inputs::Sources;
use schemars::JsonSchema;
use serde::Serialize;

/// The sources of the factors and of c.
#[derive(Serialize, JsonSchema)]
pub(in crate::cli) struct DrawObject {
    a: String,
    b: String,
    c: String,
}

impl DrawObject {
    /// The sources in words.
    pub fn of(sources: &Sources) -> DrawObject {
        let [a, b] = sources.factors.each_ref().map(ToString::to_string);
        let c = sources.c.to_string();
        DrawObject { a, b, c }
    }
}
