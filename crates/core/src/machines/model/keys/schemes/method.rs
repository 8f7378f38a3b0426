//! The common parts of the tables of schemes.

use crate::machines::compositions::CompositionKind;
use crate::machines::model::keys::doc::KeySet;
use crate::machines::model::keys::key::Keys;
use crate::machines::model::keys::table::KeyTable;
use crate::machines::schemes::{SmallProducts, SumPlacement};
use crate::machines::sums::PartRounding;

/// The number of products of a scheme, and its method.
pub(super) type SchemeMethod<M> = (u32, M);

pub(super) const LOW: &[(&str, SmallProducts)] = &[
    ("dropped", SmallProducts::Dropped),
    ("kept", SmallProducts::Kept),
];
pub(super) const PLACE: &[(&str, SumPlacement)] = &[
    ("outside", SumPlacement::Outside),
    ("inside", SumPlacement::Inside),
];
pub(super) const TO_PART: &[(&str, PartRounding)] = &[
    ("rne", PartRounding::Rne),
    ("rna", PartRounding::Rna),
    ("rz", PartRounding::Rz),
];

/// The documentation of a scheme: its name, its summary, its source.
pub(super) type SchemeDocumentation = [&'static str; 3];

/// The constructor of a scheme, and a function that returns the parameters of this scheme, or
/// `None` for any other scheme.
pub(super) type SchemeConstructor<M> = (
    fn(SchemeMethod<M>) -> CompositionKind,
    fn(&CompositionKind) -> Option<SchemeMethod<M>>,
);

/// Makes the two functions of `SchemeConstructor` for the schemes of a method. If a condition is given, the
/// functions are only for the schemes whose parameters meet it.
macro_rules! method {
    ($method:ident) => {
        $crate::machines::model::keys::schemes::method::method!($method, |_| true)
    };
    ($method:ident, $is_meant:expr) => {{
        use $crate::machines::compositions::CompositionKind;
        use $crate::machines::schemes::{Method, Scheme, $method};
        let make: fn((u32, $method)) -> CompositionKind = |(products, method)| {
            let method = Method::$method(method);
            CompositionKind::Scheme(Scheme { products, method })
        };
        let params: fn(&CompositionKind) -> Option<(u32, $method)> = |kind| {
            let is_meant: fn(&$method) -> bool = $is_meant;
            match kind {
                CompositionKind::Scheme(Scheme {
                    products,
                    method: Method::$method(method),
                }) if is_meant(method) => Some((*products, *method)),
                _ => None,
            }
        };
        (make, params)
    }};
}
pub(super) use method;

/// The table of a scheme.
pub(super) fn table<M: Copy + Send + Sync + 'static>(
    [name, summary, source]: SchemeDocumentation,
    base: M,
    keys: impl FnOnce(Keys<SchemeMethod<M>>) -> Keys<SchemeMethod<M>>,
    (make, params): SchemeConstructor<M>,
) -> Box<dyn KeySet<CompositionKind>> {
    Box::new(KeyTable {
        name,
        summary,
        source,
        base: (0, base),
        keys: keys(Keys::composed(|p: &mut SchemeMethod<M>| &mut p.0)),
        check: |_| Ok(()),
        make,
        params,
    })
}
