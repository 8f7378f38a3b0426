//! The first line of JSON Lines.

use serde::Serialize;

/// The version of `docs/mmasmt.schema.json`, the schema of all JSON that the program writes.
pub const SCHEMA: u32 = 1;

/// The first line of JSON Lines.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinesHead<'x> {
    /// The number of the schema.
    pub schema: u32,
    /// The models whose results are in `d`, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<&'x [String]>,
    /// The instruction that a device ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<&'x str>,
    /// Facts of the device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Vec<String>>,
    /// The kind of inputs that were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'x str>,
    /// The seed of the draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The assumption about the operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assume: Option<&'x str>,
    /// The signature of the vectors.
    pub signature: &'x str,
    /// The program and its version.
    pub version: &'x str,
}

impl<'x> LinesHead<'x> {
    /// A head that says of vectors of this signature only which program wrote them.
    pub fn new(signature: &'x str, version: &'x str) -> Self {
        LinesHead {
            schema: SCHEMA,
            signature,
            version,
            ..LinesHead::default()
        }
    }
}
