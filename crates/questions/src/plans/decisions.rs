//! Recorded decisions of cuBLASLt's heuristic, in the files of mmaemu: an archive with a column for
//! each field, and a file of JSON beside it that says what their codes mean.

use super::case::{PlanCase, PlanValue};
use super::columns::{column, short};
use super::envelope::Envelope;
use super::error::{PlanError, wrong};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;
use std::path::Path;

/// The columns of a shape and a setting, and those of a decision.
const KEY: [&str; 8] = ["M", "N", "K", "fa", "fb", "out", "fast", "ws"];
const FIELDS: [&str; 6] = ["splitK", "custom", "algo", "tile", "stages", "reduction"];

/// What decisions read of a case beside its shape.
pub(super) const READ: [&str; 5] = ["a", "b", "out", "fast", "workspace"];

/// Decisions by shape and setting.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// The row of each shape and setting.
    rows: FxHashMap<[i64; 8], u32>,
    fields: [Vec<i64>; 6],
    codes: Codes,
    envelope: Option<Envelope>,
}

/// What the codes of formats and workspaces stand for.
#[derive(Clone, Debug)]
struct Codes {
    factors: Vec<String>,
    results: Vec<String>,
    workspaces: Vec<i64>,
}

/// A decision for one shape and setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// What it adds to a case.
    pub(super) fields: Vec<(String, PlanValue)>,
    /// It, in words.
    pub(super) text: String,
    /// Whether the shape itself was not asked.
    pub(super) is_inferred: bool,
}

impl Decisions {
    /// Reads the archive at `path`, and the file of JSON with the same name beside it.
    ///
    /// # Errors
    /// If a file cannot be read, or has other columns or codes.
    pub fn open(path: &Path) -> Result<Decisions, PlanError> {
        let beside = path.with_extension("json");
        let text = std::fs::read_to_string(&beside).map_err(|error| wrong(&beside, &error))?;
        let json: Json = serde_json::from_str(&text).map_err(|error| wrong(&beside, &error))?;
        let codes = Codes::read(&json).ok_or_else(|| {
            let expected = "expected the codes of fa/fb, out and ws in `codes`, found others";
            wrong(&beside, &expected)
        })?;
        let mut key = Vec::new();
        for name in KEY {
            key.push(column(path, name)?);
        }
        let mut fields = Vec::new();
        for name in FIELDS {
            fields.push(column(path, name)?);
        }
        let count = key[0].len();
        if key
            .iter()
            .chain(&fields)
            .any(|column| column.len() != count)
        {
            return Err(wrong(
                path,
                &"expected columns of one length, found several",
            ));
        }
        let row = |row: usize| std::array::from_fn(|column| key[column][row]);
        let rows = (0..count).map(|number| (row(number), number as u32));
        let fields = fields
            .try_into()
            .map_err(|_| wrong(path, &"expected six fields"))?;
        Ok(Decisions {
            rows: rows.collect(),
            fields,
            codes,
            envelope: Envelope::read(&json),
        })
    }

    /// The number of shapes and settings.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether the files have no shapes.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What was decided for a case, or follows from what was decided for others.
    pub(super) fn of(&self, case: &PlanCase) -> Option<Decision> {
        let number = |name| case.number(name);
        let [m, n, k] = [number("M")?, number("N")?, number("K")?];
        let [a, b, out] = [case.word("a")?, case.word("b")?, case.word("out")?];
        let (workspace, fast) = (number("workspace")?, case.word("fast")? == "true");
        let one = |value: i64| vec![("S".to_owned(), PlanValue::Number(value))];
        if workspace == 0 {
            return Some(Decision {
                fields: one(1),
                text: "no split without a workspace".into(),
                is_inferred: false,
            });
        }
        let place = |all: &[String], name: &str| all.iter().position(|known| known == name);
        let setting = [
            place(&self.codes.factors, a)?,
            place(&self.codes.factors, b)?,
            place(&self.codes.results, out)?,
            usize::from(fast),
            self.codes
                .workspaces
                .iter()
                .position(|known| *known == workspace)?,
        ];
        let [a_code, b_code, out_code, fast_code, ws_code] = setting.map(|code| code as i64);
        let key = [m, n, k, a_code, b_code, out_code, fast_code, ws_code];
        if let Some(row) = self.rows.get(&key) {
            let names = FIELDS
                .iter()
                .map(|name| if *name == "splitK" { "S" } else { name });
            let values = self.fields.iter().map(|column| column[*row as usize]);
            let fields: Vec<_> = names
                .zip(values)
                .map(|(name, value)| (name.to_owned(), PlanValue::Number(value)))
                .collect();
            let texts: Vec<_> = fields
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            return Some(Decision {
                text: format!("row of the heuristic: {}", texts.join(", ")),
                fields,
                is_inferred: false,
            });
        }
        let envelope = self.envelope.as_ref()?;
        let bound = envelope.bound(k, [a, b, out], fast, workspace)?;
        (m.checked_mul(n)? > bound).then(|| Decision {
            fields: one(1),
            text: format!("no split is known where M * N is above {bound} at this K"),
            is_inferred: true,
        })
    }
}

impl Codes {
    fn read(json: &Json) -> Option<Codes> {
        let codes = json.get("codes")?;
        let words = |name: &str| -> Option<Vec<String>> {
            let map = codes.get(name)?.as_object()?;
            (0..map.len())
                .map(|code| Some(short(map.get(&code.to_string())?.as_str()?)))
                .collect()
        };
        let workspaces = codes.get("ws")?.as_array()?.iter();
        Some(Codes {
            factors: words("fa/fb")?,
            results: words("out")?,
            workspaces: workspaces.map(Json::as_i64).collect::<Option<_>>()?,
        })
    }
}
