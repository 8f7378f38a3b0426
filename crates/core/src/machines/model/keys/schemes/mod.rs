//! Keys of schemes.

mod libraries;
mod method;
mod papers;

use super::doc::KeySet;
use crate::machines::compositions::CompositionKind;

/// Other names of compositions, each with the documented name.
const ALIASES: [(&str, &str); 4] = [
    ("3xtf32", "cutlass-3xtf32"),
    ("9xbf16", "cutlass-9xbf16"),
    ("ootomo", "ootomo-yokota"),
    ("repeat", "promote"),
];

/// The documented name of the composition that `name` means; `name` itself if it is not one of the
/// `ALIASES`.
pub(super) fn documented(name: &str) -> &str {
    let mut all = ALIASES.into_iter();
    all.find_map(|(alias, known)| (alias == name).then_some(known))
        .unwrap_or(name)
}

/// Every scheme, in the order of the documentation.
pub(super) fn all() -> Vec<Box<dyn KeySet<CompositionKind>>> {
    let mut all = papers::all();
    all.extend(libraries::all());
    all
}
