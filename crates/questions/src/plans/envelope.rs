//! A bound from recorded decisions: no shape with a larger result was split. The two rules are those
//! of mmaemu 0.1.0: a bound for each K of a grid, or twice the largest result that was split.

use super::columns::short;
use serde_json::Value as Json;

/// Bounds of M * N by K, one list for each setting.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    least: i64,
    most: i64,
    /// Each bound is for K up to this one.
    grid: Vec<i64>,
    bounds: Vec<Bounds>,
}

/// The factor between a bound and the largest result that was split, where K plays no part.
const MARGIN: i64 = 2;

#[derive(Clone, Debug)]
struct Bounds {
    formats: [String; 3],
    fast: bool,
    workspace: i64,
    by_k: Vec<Option<i64>>,
}

impl Envelope {
    /// The envelope that a file of decisions has; `None` if it infers nothing.
    pub(super) fn read(json: &Json) -> Option<Envelope> {
        let of_envelope = |name: &str| json.get("envelope")?.get(name);
        if of_envelope("inference").is_some_and(|inference| inference != true) {
            return None;
        }
        match of_envelope("kind").map(|kind| kind.as_str()) {
            None => Envelope::of_settings(json.get("settings")?),
            Some(Some("k_grid")) => Envelope::of_grid(json.get("envelope")?),
            Some(_) => None,
        }
    }

    fn of_grid(envelope: &Json) -> Option<Envelope> {
        let numbers =
            |all: &Json| -> Option<Vec<i64>> { all.as_array()?.iter().map(Json::as_i64).collect() };
        let bounds = envelope.get("bounds")?.as_array()?.iter().map(|one| {
            let by_k = one.get("B")?.as_array()?.iter().map(Json::as_i64).collect();
            Bounds::read(one, by_k)
        });
        Some(Envelope {
            least: envelope.get("K_min")?.as_i64()?,
            most: envelope.get("K_max")?.as_i64()?,
            grid: numbers(envelope.get("K_grid")?)?,
            bounds: bounds.collect::<Option<_>>()?,
        })
    }

    fn of_settings(settings: &Json) -> Option<Envelope> {
        let bounds = settings.as_array()?.iter().map(|one| {
            // A setting that was never split has no largest result.
            let largest = one.get("max_split_MN")?.as_i64().unwrap_or(0);
            Bounds::read(one, vec![largest.checked_mul(MARGIN)])
        });
        Some(Envelope {
            least: 0,
            most: i64::MAX,
            grid: vec![i64::MAX],
            bounds: bounds.collect::<Option<_>>()?,
        })
    }

    /// The bound at this K and setting: that of the next K of the grid.
    pub(super) fn bound(
        &self,
        k: i64,
        formats: [&str; 3],
        fast: bool,
        workspace: i64,
    ) -> Option<i64> {
        if !(self.least..=self.most).contains(&k) {
            return None;
        }
        let place = self.grid.iter().position(|known| *known >= k)?;
        let bounds = self.bounds.iter().find(|bounds| {
            bounds.formats == formats && bounds.fast == fast && bounds.workspace == workspace
        })?;
        *bounds.by_k.get(place)?
    }
}

impl Bounds {
    fn read(one: &Json, by_k: Vec<Option<i64>>) -> Option<Bounds> {
        let text = |name: &str| one.get(name).and_then(Json::as_str).map(short);
        Some(Bounds {
            formats: [text("fmt_a")?, text("fmt_b")?, text("out")?],
            fast: one.get("fast")?.as_bool()?,
            workspace: one.get("ws")?.as_i64()?,
            by_k,
        })
    }
}
